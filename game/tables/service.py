"""Changes running tables. No other module does.

Any process may use it. It decides on the cached room and appends the commit only if the stored room
is the same; otherwise it reads the room and decides again. Sockets and heartbeats are read through
`Presence` and `Heartbeat`, which `game.live` implements.
"""

from __future__ import annotations

import logging
import os
import random
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from typing import Final, Protocol

from msgspec.structs import replace

from game.engine.actions import Action
from game.engine.by_seat import BySeat
from game.engine.clock import NOT_ASKED, ClockSettings
from game.engine.commands import Act, CallLastHand, Command, DealHand, SetAway, StartGame
from game.engine.decide import Rejected, Stale
from game.engine.events import HandStarted
from game.engine.state import Phase
from game.tables import guided_hands, metrics
from game.tables.codec import (
    TableSummary,
    decode_commit,
    decode_summary,
    encode,
    encode_room,
    summary_of,
)
from game.tables.commit_draft import Draft, Proposal, draft
from game.tables.errors import TablesUnavailable
from game.tables.outcomes import FROZEN, LEFT, Done, Outcome, Refusal, StaleAnswer
from game.tables.requests import Return, TableRequest, propose
from game.tables.room import Room, SeatMeta, TableId, TableMeta, empty_room
from game.tables.room_cache import RoomCache
from game.tables.scheduler import SECRET_PHASES
from game.tables.settings import TableSettings
from game.tables.store import Append, Appended, Store
from game.tables.table_index import IndexEntry
from game.tables.timeouts import Heartbeats, SeatSockets
from game.tables.timers import Timers
from game.tables.wall_draws import first_draw

log = logging.getLogger(__name__)


class Heartbeat(Protocol):
    """The heartbeat of this process."""

    process: str
    """The name of this process."""
    is_stopping: bool
    """Whether the process is stopping: sockets that close now were not closed by players."""

    def outage_ms(self, since: int, table_id: str) -> int:
        """Return for how many milliseconds since `since` this process could not take answers for
        that table."""

    async def is_site_busy(self) -> bool:
        """Return whether every process that accepts players is too busy to keep up with its work.
        Raises TablesUnavailable."""


class Presence(Protocol):
    """The sockets of players, in all processes. Methods raise TablesUnavailable."""

    async def arrive(self, table_id: TableId, seat: int) -> bool:
        """Count a socket that opened in this process. Return whether the player has lost time
        because of the server; the answer stays stored until `note_time_given_back`."""

    async def note_time_given_back(self, table_id: TableId, seat: int) -> None:
        """Note that the player has been given the lost time back."""

    async def leave(self, table_id: TableId, seat: int) -> None:
        """Remove a socket that closed in this process from the count."""

    async def has_socket(self, table_id: TableId, seat: int) -> bool:
        """Return whether the player has a socket in any process, as far as Redis knows."""

    async def read_sockets(
        self, table_id: TableId, seats: Sequence[int], *, with_pongs: bool = False
    ) -> tuple[Heartbeats, dict[int, SeatSockets]]:
        """Return the sockets of these seats, and the heartbeats of the processes that have them.
        `with_pongs` adds when each player's browser last answered a ping."""

    async def forget(self, table_id: TableId, seat: int, processes: Sequence[str]) -> None:
        """Forget the player's sockets in these processes."""


SNAPSHOT_EVERY: Final = 16
MAX_TRIES: Final = 64
"""The most drafts of a commit, if other processes commit first."""
MAX_LISTED: Final = 100
_tokens: Final = random.Random(secrets.randbits(128))
"""Tokens distinguish commits of one version by different processes. They are not secret."""
# Otherwise processes forked after the import would make the same tokens.
os.register_at_fork(after_in_child=lambda: _tokens.seed(secrets.randbits(128)))

Plan = Callable[[Room], Proposal | Done | Refusal]


class Service:
    """Changes tables. Its methods raise TableError if Redis or the table is unavailable."""

    def __init__(
        self,
        store: Store,
        rooms: RoomCache,
        timers: Timers,
        heartbeat: Heartbeat,
        presence: Presence,
        *,
        now_ms: Callable[[], int],
    ) -> None:
        self.store = store
        self.rooms = rooms
        self._timers = timers
        self.heartbeat = heartbeat
        self._presence = presence
        self.now_ms = now_ms

    async def open_table(
        self,
        meta: TableMeta,
        *,
        table_id: TableId | None = None,
        draws_wall: bool = False,
        round_ms: int = 0,
        wall: bytes = b"",
    ) -> TableId:
        """Open a table with these settings now, and deal its first hand. Return its id.

        With `draws_wall`, the pages of the players first help to draw the seed; this is skipped if
        only bots play. After `round_ms` the current hand and one more are played; 0 means no limit.
        `wall` is the staged wall of the first hand. If several processes open a table under the
        same `table_id`, one succeeds and all return it.
        """
        room = self._new_room(meta, table_id)
        names = tuple(seat.name for seat in meta.seats)
        draws_wall = draws_wall and any(seat.is_of_person for seat in meta.seats)
        seed = b"" if draws_wall else secrets.token_bytes(32)
        start = StartGame(rules=meta.settings.rules, names=names, seed=seed)
        first = first_draw(room.table_id, meta.seats) if draws_wall else DealHand(wall)
        opening = Proposal(commands=(start, first), seats=meta.seats, round_ms=round_ms)
        return await self._open(room, opening, may_exist=table_id is not None)

    async def open_guided(
        self,
        name: str,
        learner: SeatMeta,
        bots: tuple[str, str, str],
        clock: ClockSettings,
        table_id: TableId | None = None,
    ) -> TableId:
        """Open a table with the staged hand `name` for one person; the game ends with the hand.
        `bots` are the names of the others. Raises KeyError for an unknown hand."""
        start = StartGame(
            rules=guided_hands.RULES,
            names=(learner.name, *bots),
            seed=secrets.token_bytes(32),  # the seed of later walls, if the hand is dealt again
        )
        seats = (learner, *(SeatMeta(name=bot, bot=guided_hands.BOT) for bot in bots))
        meta = TableMeta(
            seats=seats,
            clock=clock,
            settings=TableSettings(rules=guided_hands.RULES, public=False, watch="nobody"),
            guided=name,
        )
        deal = DealHand(guided_hands.staged_wall(name))
        opening = Proposal(commands=(start, CallLastHand(), deal), seats=seats)
        return await self._open(self._new_room(meta, table_id), opening)

    def _new_room(self, meta: TableMeta, table_id: TableId | None) -> Room:
        """Return the room of a table that is opened now."""
        meta = replace(meta, opened_at=self.now_ms())
        return empty_room(table_id or TableId(secrets.token_urlsafe(12)), meta)

    async def _open(self, room: Room, opening: Proposal, *, may_exist: bool = False) -> TableId:
        """Store the first commit of a table. Raises TablesUnavailable if that fails. With
        `may_exist`, an existing table of that id is no error: another process may have opened
        it."""
        drafted = self._draft(room, opening)
        if not isinstance(drafted, Draft):
            raise ValueError(f"the first hand cannot be dealt: {drafted}")
        listed_at = room.meta.opened_at if room.meta.settings.public else None
        if await self._append(room, drafted, listed_at=listed_at) == Appended.DONE:
            metrics.COMMITS.inc()
        elif not may_exist:
            raise TablesUnavailable("the new table could not be stored")
        log.info("table %s: opened", room.table_id)
        return room.table_id

    async def read_room(self, table_id: TableId) -> Room:
        """Read the latest room from the store."""
        return await self.rooms.latest(table_id)

    async def submit(
        self, table_id: TableId, *, seat: int, cid: str, step: int, action: Action
    ) -> Outcome:
        """Answer question `step` for `seat`. Answering again with the same `cid` changes
        nothing."""

        def plan(room: Room) -> Proposal | Done | Refusal:
            if cid in room.cids[seat]:
                return Done(room)
            if room.is_bot(seat):
                return LEFT
            commands: tuple[Command, ...] = (Act(seat, step, action),)
            if room.table.away[seat]:
                commands = (SetAway(seat, False), *commands)
            asked_at = room.clock.asked_at[seat]
            not_charged = self.heartbeat.outage_ms(asked_at, table_id) if asked_at else 0
            return Proposal(commands=commands, seat=seat, cid=cid, not_charged=not_charged)

        started = time.perf_counter()
        outcome = await self._commit(table_id, plan)
        metrics.COMMITTED_S.observe(time.perf_counter() - started)
        log.debug("table %s seat %d step %d: %s", table_id, seat, step, type(outcome).__name__)
        match outcome:
            case Done():
                metrics.DONE.inc()
            case StaleAnswer():
                metrics.STALE.inc()
            case Refusal():
                metrics.REFUSED.inc()
        return outcome

    async def set_away(self, table_id: TableId, seat: int, away: bool) -> Outcome:
        """Let a stand-in play for `seat`. If `away` is false, give the seat back to its player and
        ask the open question again; a table that was paused because nobody was there goes on."""

        def plan(room: Room) -> Proposal | Done:
            if room.table.away[seat] == away or room.table.phase == Phase.ENDED:
                return Done(room)
            return Proposal(
                commands=(SetAway(seat, away),),
                reopen=() if away else (seat,),
                resume=not away and room.is_paused_for_absence,
            )

        return await self._commit(table_id, plan)

    async def mark_absent(self, table_id: TableId, seats: Collection[int]) -> bool:
        """Show the players of exactly these seats as absent. Return False if that has to wait:
        during claims, a new mark could reveal which seat is asked."""

        def updated_marks(room: Room) -> BySeat[int]:
            now = self.now_ms()
            rows = enumerate(room.absent_since)
            return tuple([(since or now) if seat in seats else 0 for seat, since in rows])

        def plan(room: Room) -> Proposal | Done:
            absent_since = updated_marks(room)
            if (
                room.table.phase in (*SECRET_PHASES, Phase.ENDED)
                or absent_since == room.absent_since
            ):
                return Done(room)
            return Proposal(absent_since=absent_since)

        match await self._commit(table_id, plan):
            case Done(room=room) if room.table.phase in SECRET_PHASES:
                return updated_marks(room) == room.absent_since
            case _:
                return True

    async def apply_request(self, table_id: TableId, request: TableRequest) -> Outcome:
        """Apply a request that is not an answer of the game, such as a vote or a pause."""

        def plan(room: Room) -> Proposal | Done | Refusal:
            match propose(room, request, self.now_ms()):
                case None:
                    return Done(room)
                case Rejected(code=code, text=text):
                    return Refusal(code, text)
                case proposal:
                    return proposal

        return await self._commit(table_id, plan)

    async def add_socket(self, table_id: TableId, seat: int) -> None:
        """Count a socket that the seat's player has opened here, and give the seat back to them.
        Give back time that they have lost because of the server."""
        has_lost_time = await self._presence.arrive(table_id, seat)
        room = await self.rooms.latest(table_id)
        if room.has_left(seat):
            await self.apply_request(table_id, Return(seat))
        if room.table.away[seat]:
            await self.set_away(table_id, seat, False)
        elif has_lost_time and room.clock.asked_at[seat]:
            await self.reopen_question(table_id, seat)
        if has_lost_time:
            await self._presence.note_time_given_back(table_id, seat)

    async def remove_socket(self, table_id: TableId, seat: int) -> None:
        """Remove a closed socket of the seat's player from the count. The player's clock keeps
        running, but after an outage of this process the open question gets its full time again."""
        room = self.rooms.get(table_id)
        since = room.clock.asked_at[seat] if room is not None else 0
        try:
            outage_ms = self.heartbeat.outage_ms(since, table_id) if since else 0
            if outage_ms and not self.heartbeat.is_stopping:
                await self.reopen_question(table_id, seat)
        finally:
            await self._presence.leave(table_id, seat)

    async def reopen_question(
        self, table_id: TableId, seat: int, asked_at: int | None = None
    ) -> None:
        """Ask the open question of that seat again, with its full time. With `asked_at`, do so only
        if it is still the question of that time."""

        def plan(room: Room) -> Proposal | Done:
            open_since = room.clock.asked_at[seat]
            is_meant = open_since != NOT_ASKED and asked_at in (None, open_since)
            return Proposal(reopen=(seat,)) if is_meant else Done(room)

        await self._commit(table_id, plan)

    async def list_tables(self) -> list[TableSummary]:
        """List the public tables that are being played, newest first."""
        return [*map(decode_summary, await self.store.index.list_summaries(at_most=MAX_LISTED))]

    async def _commit(self, table_id: TableId, plan: Plan) -> Outcome:
        """Draft and append until the commit is stored or refused. If the cached room may be
        outdated, a refusal is decided again on the latest room."""
        room = self.rooms.get(table_id)
        is_latest = room is None
        for _ in range(MAX_TRIES):
            if room is None:
                room = await self.rooms.latest(table_id)
            proposal = plan(room)
            if isinstance(proposal, Done):
                return proposal
            if isinstance(proposal, Refusal):
                outcome: Outcome | None = proposal
            else:
                outcome = await self.try_commit(room, proposal)
            if outcome is not None and (is_latest or outcome == FROZEN):
                return outcome
            if isinstance(outcome, Done):
                return outcome
            room, is_latest = None, True
        raise TablesUnavailable(f"table {table_id} is too busy")

    async def try_commit(self, room: Room, proposal: Proposal) -> Outcome | None:
        """Draft and append once. Return None if the room has changed meanwhile."""
        try:
            drafted = self._draft(room, proposal)
        except Exception:
            log.exception(
                "table %s is frozen: the engine failed at version %d", room.table_id, room.version
            )
            metrics.FROZEN.inc()
            await self.store.freeze(room.table_id)
            return FROZEN
        match drafted:
            case Rejected(code=code, text=text):
                return Refusal(code, text)
            case Stale():
                return StaleAnswer(room)
            case Draft():
                pass
        match await self._append(room, drafted):
            case Appended.DONE:
                metrics.COMMITS.inc()
                self.rooms.advance(room, drafted.after, drafted.commit.events)
                self._timers.set_after(drafted, self.now_ms())
                if self.rooms.is_followed(room.table_id):
                    metrics.observe_delivery(drafted.commit.at)
                return Done(drafted.after)
            case Appended.FROZEN:
                return FROZEN
            case Appended.CONFLICT:
                metrics.CONFLICTS.inc()
                return None

    def _draft(self, room: Room, proposal: Proposal) -> Draft | Rejected | Stale:
        return draft(room, proposal, now_ms=self.now_ms, token=_tokens.randbytes(6))

    async def _append(
        self, room: Room, drafted: Draft, *, listed_at: int | None = None
    ) -> Appended:
        """Append the draft. If the connection fails, check in the log whether the draft was stored,
        and append it again if not. It is stored only once, because the store compares the head."""
        commit, after = drafted.commit, drafted.after
        dealt = any(isinstance(event, HandStarted) for event in commit.events)
        is_snapshot = dealt or not room.head or commit.version % SNAPSHOT_EVERY == 0
        has_new_seats = not room.head or after.meta.seats != room.meta.seats
        has_new_summary = dealt or has_new_seats or after.table.scores != room.table.scores
        entry = Append(
            table_id=room.table_id,
            expected=room.head,
            head=after.head,
            version=commit.version,
            commit=encode(commit),
            due=self._timers.due_for_workers(drafted),
            snapshot=encode_room(after) if is_snapshot else b"",
            summary=encode(summary_of(after)) if has_new_summary else b"",
            listed_at=listed_at,
            index=IndexEntry.of(after.meta) if has_new_seats else None,
            own_channel=self.rooms.own_channel(room.table_id),
        )
        self.rooms.in_flight.add(after.head)
        try:
            return await self.store.append(entry)
        except TablesUnavailable:
            self.rooms.mark_doubtful(room.table_id)
            if await self._is_stored(after):
                return Appended.DONE
            return await self.store.append(entry)
        except BaseException:
            self.rooms.mark_doubtful(room.table_id)
            raise
        finally:
            self.rooms.in_flight.discard(after.head)

    async def _is_stored(self, after: Room) -> bool:
        """Return whether the log holds the commit, by its token."""
        entries = await self.store.read_entries(after.table_id, after.version)
        return bool(entries) and decode_commit(entries[0][1]).token == after.token
