"""Table administration for operators: list tables, stop clocks, end games, treat frozen tables.

Reports public facts of tables only; no tile is read here. Functions that act on several tables
return how many were changed, and how many could not be.
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
"""The notice tells a hold from a pause that the players agreed on."""
_END_WITHIN_MS: Final = 10_000
"""A frozen table is thawed to be ended, and is due only after this time."""
_KEEP_S: Final = 7 * 86_400


@dataclass(frozen=True, slots=True)
class RunningSeat:
    """A seat of a running table."""

    name: str
    played_by: str
    """`person`, `bot`, or `bot for a person` who has left."""
    is_away: bool
    score: int


@dataclass(frozen=True, slots=True)
class RunningTable:
    """The public facts of a table, and its state in the store."""

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
    """An error of the program stopped the table; nobody can act."""


async def list_tables(service: Service) -> list[RunningTable]:
    """Return all running and frozen tables: frozen ones first, then by age, the newest first.
    Raises TablesUnavailable."""
    running, frozen = await service.store.running(), await service.store.frozen()
    found = [await find_table(service, one) for one in running]
    tables = [table for table in found if table is not None]
    tables += [await _frozen_table(service, one) for one in frozen]
    return sorted(tables, key=lambda table: (table.is_frozen, table.opened_at), reverse=True)


async def find_table(service: Service, table_id: str) -> RunningTable | None:
    """Return that running table; None if there is none."""
    try:
        room = await service.read_room(TableId(table_id))
    except (NoSuchTable, TableUnreadable):
        return None
    return None if room.table.phase == Phase.ENDED else _describe(room)


async def _frozen_table(service: Service, table_id: TableId) -> RunningTable:
    """Describe a frozen table; by its id only if it cannot be read."""
    try:
        return replace(_describe(await service.read_room(table_id)), is_frozen=True)
    except (NoSuchTable, TableUnreadable):
        nobody: tuple[RunningSeat, ...] = ()
        return RunningTable(table_id, "", "", 0, nobody, False, 0, 0, 0, 0, "", is_frozen=True)


async def hold_tables(
    service: Service, minutes: int, notice: str, only: Sequence[str] | None = None
) -> tuple[int, int]:
    """Stop the clocks of all tables, or of those in `only`, and show the notice there.

    The clocks resume after `minutes`. A hold of all tables includes tables that are opened later.
    """
    span_ms, notice = minutes * MINUTE_MS, notice or DEFAULT_NOTICE
    if only is None:
        now = service.now_ms()
        await start_hold(service.store.redis, Maintenance(now + span_ms, notice), now)
    return await _request(service, Hold(span_ms, notice), only)


async def resume_tables(service: Service, only: Sequence[str] | None = None) -> tuple[int, int]:
    """Let stopped clocks run again, at all tables or at those in `only`."""
    if only is None:
        await end_hold(service.store.redis)
    return await _request(service, Resume(by_operator=True), only)


async def end_games(service: Service, only: Sequence[str]) -> tuple[int, int]:
    """End these games early, frozen ones too. The hand in progress does not count."""
    for table_id in only:
        await _thaw(service, TableId(table_id), in_ms=_END_WITHIN_MS)
    return await _request(service, End(), only)


async def thaw_tables(service: Service, only: Sequence[str]) -> tuple[int, int]:
    """Let these frozen tables go on. The same error may freeze one again."""
    done = [await _thaw(service, TableId(table_id), in_ms=0) for table_id in only]
    return sum(done), len(done) - sum(done)


async def discard_tables(service: Service, only: Sequence[str]) -> tuple[int, int]:
    """Discard these frozen tables without a result. Their logs are kept for a week."""
    frozen = await service.store.frozen()
    chosen = [table_id for table_id in only if table_id in frozen]
    for table_id in chosen:
        await service.store.end_table(table_id, keep_s=_KEEP_S)
    return len(chosen), len(only) - len(chosen)


async def _thaw(service: Service, table_id: TableId, *, in_ms: int) -> bool:
    """Thaw a table and make it due after `in_ms`. False if it is not frozen or cannot be read."""
    try:
        room = await service.read_room(table_id)
    except (NoSuchTable, TableUnreadable):
        return False
    listed_at = room.meta.opened_at if room.meta.public else None
    due = service.now_ms() + in_ms
    return await service.store.thaw(table_id, due=due, listed_at=listed_at)


async def _request(
    service: Service, request: TableRequest, only: Sequence[str] | None
) -> tuple[int, int]:
    tables = await service.store.running() if only is None else list(map(TableId, only))
    done = failed = 0
    for table_id in tables:
        try:
            outcome = await service.apply_request(table_id, request)
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


def _describe(room: Room) -> RunningTable:
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
