"""Table administration for operators: list tables, stop clocks, end games, treat frozen tables.

Reports public facts of tables only; no tile is read here. Functions that act on several tables
return two numbers: of tables changed, and of tables where the change failed.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from game.engine.state import Phase
from game.results.game_text import round_name
from game.tables.errors import NoSuchTable, TablesUnavailable, TableUnreadable
from game.tables.in_batches import in_batches
from game.tables.maintenance import Maintenance, end_drain, end_hold, start_drain, start_hold
from game.tables.outcomes import Refusal
from game.tables.requests import End, Hold, Notify, Resume, TableRequest
from game.tables.room import Room, TableId
from game.tables.service import Service

MINUTE_MS: Final = 60_000
MAX_HOLD_MIN: Final = 24 * 60
MAX_NOTICE_LENGTH: Final = 300
PAGE_SIZE: Final = 100
DEFAULT_NOTICE: Final = "The clocks are stopped for a while."
"""The notice of a hold for which the operator gives none. By its notice a hold differs from a pause
of the players."""
DRAIN_NOTICE: Final = "The site will be updated. This game is played to its end."
"""The notice of a drain for which the operator gives none."""
_END_WITHIN_MS: Final = 10_000
"""A frozen table whose game is ended is thawed first. It is due only after this time, so that
nothing happens there before the end of the game."""
_KEEP_LOG_S: Final = 7 * 86_400


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
    """The public facts of a running or frozen table."""

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
    """Return all running and frozen tables: first the frozen, then the running ones, each the
    newest first. Raises TablesUnavailable."""
    running, frozen = (
        await service.store.index.list_running(),
        await service.store.index.list_frozen(),
    )
    tables = await _read_tables(service, [*frozen, *running], frozenset(frozen))
    return sorted(tables, key=lambda table: (table.is_frozen, table.opened_at), reverse=True)


async def list_page(service: Service, page: int) -> tuple[list[RunningTable], int]:
    """Return one page of tables in the order of `list_tables`, and the number of pages. Pages count
    from 1; a number beyond the last page gives the last. Raises TablesUnavailable."""
    count, frozen = (
        await service.store.index.count_tables(),
        await service.store.index.list_frozen(),
    )
    pages = max(1, -(-count // PAGE_SIZE))
    page = min(max(1, page), pages)
    newest = await service.store.index.list_newest_tables(at_most=page * PAGE_SIZE)
    first = set(frozen)
    order = [*frozen, *(table_id for table_id in newest if table_id not in first)]
    chosen = order[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    return await _read_tables(service, chosen, first), pages


async def search_tables(service: Service, text: str) -> list[RunningTable]:
    """Return at most `PAGE_SIZE` tables: the one with the id `text`, and those with people whose id
    or name begins with `text`. Raises TablesUnavailable."""
    found = await service.store.index.find_tables(text, at_most=PAGE_SIZE)
    return await _read_tables(service, found, set(await service.store.index.list_frozen()))


async def _read_tables(
    service: Service, tables: Sequence[TableId], frozen: Set[TableId]
) -> list[RunningTable]:
    """Return these tables, without those that have ended."""

    async def read(table_id: TableId) -> RunningTable | None:
        find = _frozen_table if table_id in frozen else find_table
        return await find(service, table_id)

    return [table for table in await in_batches(read, tables) if table is not None]


async def find_table(service: Service, table_id: str) -> RunningTable | None:
    """Return the running table of that id; None if there is none or it cannot be read."""
    try:
        room = await service.read_room(TableId(table_id))
    except (NoSuchTable, TableUnreadable):
        return None
    return None if room.table.phase == Phase.ENDED else _describe_room(room)


async def _frozen_table(service: Service, table_id: TableId) -> RunningTable:
    """Describe a frozen table. If it cannot be read, only its id is given."""
    try:
        return replace(_describe_room(await service.read_room(table_id)), is_frozen=True)
    except (NoSuchTable, TableUnreadable):
        nobody: tuple[RunningSeat, ...] = ()
        return RunningTable(table_id, "", "", 0, nobody, False, 0, 0, 0, 0, "", is_frozen=True)


async def hold_tables(
    service: Service, minutes: int, notice: str, only: Sequence[str] | None = None
) -> tuple[int, int]:
    """Stop the clocks of all tables, or of those in `only`, and show the notice there.

    The clocks run again after `minutes`. A hold of all tables also stops those that are opened
    later.
    """
    span_ms, notice = minutes * MINUTE_MS, notice or DEFAULT_NOTICE
    if only is None:
        now = service.now_ms()
        await start_hold(service.store.redis, Maintenance(now + span_ms, notice), now)
    return await _apply_request(service, Hold(span_ms, notice), only)


async def resume_tables(service: Service, only: Sequence[str] | None = None) -> tuple[int, int]:
    """Let stopped clocks run again, at all tables or at those in `only`. For all tables, also end a
    drain, so that tables can be opened again."""
    if only is None:
        await end_hold(service.store.redis)
        await end_drain(service.store.redis)
    return await _apply_request(service, Resume(), only)


async def drain_tables(service: Service, notice: str = "") -> tuple[int, int]:
    """Refuse new tables from now on, show the notice at the running ones, and end guided tables.
    Return how many tables run and how many are frozen. Call repeatedly: each call shows the notice
    at hands that have begun since. Raises TablesUnavailable."""
    notice = notice or DRAIN_NOTICE
    await start_drain(service.store.redis, notice)
    running, frozen = (
        await service.store.index.list_running(),
        await service.store.index.list_frozen(),
    )
    counted = 0

    async def show_notice(table_id: TableId) -> None:
        nonlocal counted
        try:
            room = await service.read_room(table_id)
        except (NoSuchTable, TableUnreadable):
            return
        counted += 1
        request = End() if room.meta.guided else Notify(notice)
        await service.apply_request(table_id, request)

    await in_batches(show_notice, [table_id for table_id in running if table_id not in frozen])
    return counted, len(frozen)


async def end_games(service: Service, only: Sequence[str]) -> tuple[int, int]:
    """End these games early, frozen ones too. The hand in progress does not count."""
    for table_id in only:
        await _thaw(service, TableId(table_id), in_ms=_END_WITHIN_MS)
    return await _apply_request(service, End(), only)


async def thaw_tables(service: Service, only: Sequence[str]) -> tuple[int, int]:
    """Let these frozen tables go on. If the error that froze one occurs again, it is frozen
    again."""
    done = [await _thaw(service, TableId(table_id), in_ms=0) for table_id in only]
    return sum(done), len(done) - sum(done)


async def give_up_tables(service: Service, only: Sequence[str]) -> tuple[int, int]:
    """Remove these frozen tables without a result. Their logs stay in Redis for a week."""
    frozen = await service.store.index.list_frozen()
    chosen = [table_id for table_id in only if table_id in frozen]
    for table_id in chosen:
        await service.store.end_table(table_id, keep_s=_KEEP_LOG_S)
    return len(chosen), len(only) - len(chosen)


async def _thaw(service: Service, table_id: TableId, *, in_ms: int) -> bool:
    """Thaw a table and make it due in `in_ms`. Return False if it is not frozen or cannot be
    read."""
    try:
        room = await service.read_room(table_id)
    except (NoSuchTable, TableUnreadable):
        return False
    listed_at = room.meta.opened_at if room.meta.settings.public else None
    due = service.now_ms() + in_ms
    return await service.store.thaw(table_id, due=due, listed_at=listed_at)


async def _apply_request(
    service: Service, request: TableRequest, only: Sequence[str] | None
) -> tuple[int, int]:
    tables = await service.store.index.list_running() if only is None else list(map(TableId, only))

    async def apply_at(table_id: TableId) -> bool | None:
        """Return whether the request was carried out; None where no game is running."""
        try:
            outcome = await service.apply_request(table_id, request)
        except NoSuchTable:
            return None
        except (TablesUnavailable, TableUnreadable):
            return False
        if isinstance(outcome, Refusal):
            return None if outcome.code == "not_running" else False
        return True

    outcomes = await in_batches(apply_at, tables)
    return outcomes.count(True), outcomes.count(False)


def _describe_room(room: Room) -> RunningTable:
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
        is_public=room.meta.settings.public,
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
