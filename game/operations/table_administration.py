"""All running tables at once, for those who operate the site: which there are, stopping their
clocks for a while, and what becomes of those that are frozen.

Says of a table only what everybody may know; no tile is read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from game.engine.state import Phase
from game.results.game_text import round_name
from game.tables.errors import NoSuchTable, TablesUnavailable, TableUnreadable
from game.tables.maintenance import Maintenance, end_hold, start_hold
from game.tables.outcomes import Refused
from game.tables.requests import End, Hold, Resume, TableRequest
from game.tables.room import Room, TableId
from game.tables.service import Service

MINUTE_MS: Final = 60_000
MAX_HOLD_MIN: Final = 24 * 60
MAX_NOTICE_LENGTH: Final = 300
DEFAULT_NOTICE: Final = "The clocks are stopped for a while."
"""Where no notice is given: without one nobody could tell such a pause from the players' own."""
_TO_END_MS: Final = 10_000
"""Nothing else happens meanwhile at a frozen table that is ended."""
_KEPT_S: Final = 7 * 86_400


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
    is_frozen: bool = False
    """A fault of the program was met there: nobody can do anything."""


async def running_tables(service: Service) -> list[RunningTable]:
    """Every table whose game goes on, and those that are frozen, these first, the newest
    first. Raises RoomsUnavailable."""
    running, frozen = await service.store.running(), await service.store.frozen()
    found = [await running_table(service, one) for one in running]
    tables = [table for table in found if table is not None]
    tables += [await _frozen_table(service, one) for one in frozen]
    return sorted(tables, key=lambda table: (table.is_frozen, table.opened_at), reverse=True)


async def running_table(service: Service, table_id: str) -> RunningTable | None:
    """That table; None if its game does not go on."""
    try:
        room = await service.read_room(TableId(table_id))
    except (NoSuchTable, TableUnreadable):
        return None
    return None if room.table.phase == Phase.ENDED else _described(room)


async def _frozen_table(service: Service, table_id: TableId) -> RunningTable:
    """What can be said of it: of one that cannot be read, that it is there."""
    try:
        return replace(_described(await service.read_room(table_id)), is_frozen=True)
    except (NoSuchTable, TableUnreadable):
        nobody: tuple[RunningSeat, ...] = ()
        return RunningTable(table_id, "", "", 0, nobody, False, 0, 0, 0, 0, "", is_frozen=True)


async def hold_tables(
    service: Service, minutes: int, notice: str, only: Sequence[str] | None = None
) -> tuple[int, int]:
    """Stop the clocks of all tables, or only of those, and tell everybody there why. They run
    again by themselves after so many minutes. Where all are stopped, tables that are opened
    later are too. Returns how many were stopped, and how many could not be.
    """
    span_ms, notice = minutes * MINUTE_MS, notice or DEFAULT_NOTICE
    if only is None:
        now = service.now_ms()
        await start_hold(service.store.redis, Maintenance(now + span_ms, notice), now)
    return await _settled(service, Hold(span_ms, notice), only)


async def resume_tables(service: Service, only: Sequence[str] | None = None) -> tuple[int, int]:
    """Let the clocks run again, where they stand."""
    if only is None:
        await end_hold(service.store.redis)
    return await _settled(service, Resume(by_house=True), only)


async def end_games(service: Service, only: Sequence[str]) -> tuple[int, int]:
    """Break these games off, frozen ones too. The hand that is being played counts for nothing."""
    for table_id in only:
        await _thawed(service, TableId(table_id), in_ms=_TO_END_MS)
    return await _settled(service, End(), only)


async def thaw_tables(service: Service, only: Sequence[str]) -> tuple[int, int]:
    """Let these frozen tables go on. What froze one may do so again."""
    done = [await _thawed(service, TableId(table_id), in_ms=0) for table_id in only]
    return sum(done), len(done) - sum(done)


async def discard_tables(service: Service, only: Sequence[str]) -> tuple[int, int]:
    """Take these frozen tables off the list. Their logs are kept for a week; no game comes of
    them."""
    frozen = await service.store.frozen()
    given_up = [table_id for table_id in only if table_id in frozen]
    for table_id in given_up:
        await service.store.retire(table_id, keep_s=_KEPT_S)
    return len(given_up), len(only) - len(given_up)


async def _thawed(service: Service, table_id: TableId, *, in_ms: int) -> bool:
    """Whether it was frozen and can be read; then it is due in so long."""
    try:
        room = await service.read_room(table_id)
    except (NoSuchTable, TableUnreadable):
        return False
    listed_at = room.meta.opened_at if room.meta.public else None
    due = service.now_ms() + in_ms
    return await service.store.thaw(table_id, due=due, listed_at=listed_at)


async def _settled(
    service: Service, matter: TableRequest, only: Sequence[str] | None
) -> tuple[int, int]:
    tables = await service.store.running() if only is None else list(map(TableId, only))
    done = failed = 0
    for table_id in tables:
        try:
            outcome = await service.apply_request(table_id, matter)
        except NoSuchTable:
            continue
        except (TablesUnavailable, TableUnreadable):
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
