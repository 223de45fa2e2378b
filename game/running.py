"""All running tables at once, for those who operate the site: which there are, and stopping their
clocks for a while.

Says of a table only what everybody may know; no tile is read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from game.engine.state import Phase
from game.rooms.errors import NoSuchTable, RoomsUnavailable, TableUnreadable
from game.rooms.matters import End, Hold, Matter, Resume
from game.rooms.room import Room, TableId
from game.rooms.service import Refused, Service
from game.told import round_name

MINUTE_MS: Final = 60_000
LONGEST_HOLD_MIN: Final = 24 * 60
LONGEST_NOTICE: Final = 300


@dataclass(frozen=True, slots=True)
class RunningSeat:
    """One of the four."""

    name: str
    played_by: str
    """`person`, `bot`, or `bot for a person` who has left."""
    is_away: bool
    score: int


@dataclass(frozen=True, slots=True)
class RunningTable:
    """What everybody may know of a table, and how it is kept."""

    table_id: TableId
    rules: str
    round: str
    honba: int
    seats: tuple[RunningSeat, ...]
    is_public: bool
    opened_at: int
    version: int
    step: int
    resumes_at: int
    """When the clocks run again at the latest; 0 if they run."""
    notice: str


async def running_tables(service: Service) -> list[RunningTable]:
    """Every table whose game goes on, the newest first. Raises RoomsUnavailable."""
    found = [await running_table(service, one) for one in await service.store.running()]
    tables = [table for table in found if table is not None]
    return sorted(tables, key=lambda table: table.opened_at, reverse=True)


async def running_table(service: Service, table_id: str) -> RunningTable | None:
    """That table; None if its game does not go on."""
    try:
        room = await service.room(TableId(table_id))
    except (NoSuchTable, TableUnreadable):
        return None
    return None if room.table.phase == Phase.ENDED else _described(room)


async def tables_held(
    service: Service, minutes: int, notice: str, only: Sequence[str] | None = None
) -> tuple[int, int]:
    """Stop the clocks of all tables, or only of those, and tell everybody there why. They run
    again by themselves after so many minutes. Returns how many were stopped, and how many
    could not be.
    """
    return await _settled(service, Hold(minutes * MINUTE_MS, notice), only)


async def tables_resumed(service: Service, only: Sequence[str] | None = None) -> tuple[int, int]:
    """Let the clocks run again, where they stand."""
    return await _settled(service, Resume(), only)


async def games_ended(service: Service, only: Sequence[str]) -> tuple[int, int]:
    """Break these games off. The hand that is being played counts for nothing."""
    return await _settled(service, End(), only)


async def _settled(service: Service, matter: Matter, only: Sequence[str] | None) -> tuple[int, int]:
    tables = await service.store.running() if only is None else list(map(TableId, only))
    done = failed = 0
    for table_id in tables:
        try:
            outcome = await service.settle(table_id, matter)
        except NoSuchTable:
            continue
        except (RoomsUnavailable, TableUnreadable):
            failed += 1
            continue
        if not isinstance(outcome, Refused):
            done += 1
        elif outcome.code != "not_running":
            failed += 1
    return done, failed


def _described(room: Room) -> RunningTable:
    table = room.table
    seats = tuple(
        RunningSeat(
            name=meta.name,
            played_by=_played_by(bool(meta.bot), bool(meta.person)),
            is_away=table.away[seat],
            score=table.scores[seat],
        )
        for seat, meta in enumerate(room.meta.seats)
    )
    return RunningTable(
        table_id=room.table_id,
        rules=table.rules.name,
        round=round_name(table.kyoku),
        honba=table.honba,
        seats=seats,
        is_public=room.meta.public,
        opened_at=room.meta.opened_at,
        version=room.version,
        step=table.step,
        resumes_at=room.clock.pause_ends_at if room.clock.paused_at else 0,
        notice=room.notice,
    )


def _played_by(has_bot: bool, has_person: bool) -> str:
    if not has_bot:
        return "person"
    return "bot for a person" if has_person else "bot"
