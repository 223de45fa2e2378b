"""The only writer of running tables: whoever wants anything of a table asks here.

Any process may; each decides on the room as it knows it and appends only if that is
still how the room stands. The loser reads on and decides again.
"""

from __future__ import annotations

import logging
import os
import random
import secrets
import time
from collections.abc import Callable
from typing import Final

from game.engine.actions import Action
from game.engine.clock import NOT_ASKED, ClockSettings
from game.engine.commands import Act, Command, DealHand, SetAway, StartGame
from game.engine.decide import Rejected, Stale
from game.engine.events import HandStarted
from game.engine.rules import RuleSet
from game.engine.state import Phase
from game.live.heartbeat import Heartbeat, NowMs, now_ms
from game.live.presence import Presence
from game.tables import metrics
from game.tables.codec import (
    TableSummary,
    decode_commit,
    decode_summary,
    encode,
    summary_of,
)
from game.tables.commit_draft import Draft, Proposal, draft
from game.tables.due_work import DueWork
from game.tables.errors import TablesUnavailable
from game.tables.outcomes import FROZEN, LEFT, Done, Late, Outcome, Refused
from game.tables.requests import Return, TableRequest, proposal_for
from game.tables.room import FourSeats, OpensAfter, Room, TableId, TableMeta, Watch
from game.tables.room_cache import RoomCache
from game.tables.store import Append, Appended, Store

log = logging.getLogger(__name__)

SNAPSHOT_EVERY: Final = 16
TRIES: Final = 64
"""How often a commit is drafted anew because others were faster."""
LISTED_AT_MOST: Final = 500
_tokens: Final = random.Random(secrets.randbits(128))
"""Tell the commits of one version apart, whoever made them; nobody is to be kept from guessing."""
# Processes that part after this was loaded would else go on with the same ones.
os.register_at_fork(after_in_child=lambda: _tokens.seed(secrets.randbits(128)))

Plan = Callable[[Room], Proposal | Done | Refused]


class Service:
    """What can be done with tables. Raises RoomsError if that cannot be found out."""

    def __init__(
        self,
        store: Store,
        rooms: RoomCache,
        pulse: Heartbeat,
        presence: Presence,
        *,
        now_ms: NowMs = now_ms,
    ) -> None:
        self.store = store
        self.rooms = rooms
        self.pulse = pulse
        self.presence = presence
        self.now_ms = now_ms
        self._upkeep = DueWork(self)

    def keep_time(self, *, plays_bots: bool) -> None:
        """See in this process to what is due at tables that it has moved last: also to what bots
        have to answer, or to all else. It needs a running loop."""
        self._upkeep.keep_time(plays_bots=plays_bots)

    async def open_table(
        self,
        *,
        seats: FourSeats,
        rules: RuleSet,
        clock: ClockSettings | None = None,
        public: bool = True,
        help: bool = True,
        watch: Watch = "closed",
        watch_delay_s: int = 0,
        may_join: bool = False,
        opens_after: OpensAfter = "game",
        ladder: str = "",
        rated: tuple[bool, bool, bool, bool] = (False, False, False, False),
        table_id: TableId | None = None,
    ) -> TableId:
        """Open a table and deal its first hand. Who holds its id may watch it. Where `help` is
        off, nobody is told what the rules say of their hand. `ladder` is where the game is rated,
        '' for nowhere, and `rated` says by seat whose rating it changes.

        Of those who open a table under one `table_id`, one does, and the others find it.
        """
        now = self.now_ms()
        meta = TableMeta(
            seats=seats,
            clock=clock or ClockSettings(),
            public=public,
            opened_at=now,
            help=help,
            watch=watch,
            watch_delay_s=watch_delay_s,
            may_join=may_join,
            opens_after=opens_after,
            ladder=ladder,
            rated=rated,
        )
        room = Room(table_id or TableId(secrets.token_urlsafe(12)), meta)
        names = (seats[0].name, seats[1].name, seats[2].name, seats[3].name)
        start = StartGame(rules=rules, names=names, seed=secrets.token_bytes(32))
        drafted = self._draft(room, Proposal(commands=(start, DealHand()), seats=seats))
        if not isinstance(drafted, Draft):
            raise ValueError(f"the first hand cannot be dealt: {drafted}")
        opened = await self._append(room, drafted, listed_at=now if public else None)
        if opened != Appended.DONE and table_id is None:
            raise TablesUnavailable("the new table could not be stored")
        if opened == Appended.DONE:
            metrics.COMMITS.inc()
        log.info("table %s: opened", room.table_id)
        return room.table_id

    async def room(self, table_id: TableId) -> Room:
        """The table as it stands in the store."""
        return await self.rooms.latest(table_id)

    async def submit(
        self, table_id: TableId, *, seat: int, cid: str, step: int, action: Action
    ) -> Outcome:
        """Seat `seat` answers question `step`. The same `cid` again does nothing more."""

        def plan(room: Room) -> Proposal | Done | Refused:
            if cid in room.cids[seat]:
                return Done(room)
            if room.is_bot(seat):
                return LEFT
            commands: tuple[Command, ...] = (Act(seat, step, action),)
            if room.table.away[seat]:
                commands = (SetAway(seat, False), *commands)
            asked_at = room.clock.asked_at[seat]
            not_charged = self.pulse.outage_ms(asked_at) if asked_at else 0
            return Proposal(commands=commands, seat=seat, cid=cid, not_charged=not_charged)

        began = time.perf_counter()
        outcome = await self._commit(table_id, plan)
        metrics.COMMITTED_S.observe(time.perf_counter() - began)
        log.debug("table %s seat %d step %d: %s", table_id, seat, step, type(outcome).__name__)
        match outcome:
            case Done():
                metrics.DONE.inc()
            case Late():
                metrics.STALE.inc()
            case Refused():
                metrics.REFUSED.inc()
        return outcome

    async def seat_away(self, table_id: TableId, seat: int, away: bool) -> Outcome:
        """A stand-in plays for `seat` from now on, or its player is back: then the open
        question is put afresh."""

        def plan(room: Room) -> Proposal | Done:
            if room.table.away[seat] == away or room.table.phase == Phase.ENDED:
                return Done(room)
            return Proposal(commands=(SetAway(seat, away),), reopen=() if away else (seat,))

        return await self._commit(table_id, plan)

    async def settle(self, table_id: TableId, matter: TableRequest) -> Outcome:
        """What a player, or the house, wants beside the game (`game.tables.requests`)."""

        def plan(room: Room) -> Proposal | Done | Refused:
            match proposal_for(room, matter, self.now_ms()):
                case None:
                    return Done(room)
                case Rejected(code=code, text=text):
                    return Refused(code, text)
                case proposal:
                    return proposal

        return await self._commit(table_id, plan)

    async def seat_taken(self, table_id: TableId, seat: int) -> None:
        """A socket of the seat's player has opened here."""
        was_lost = await self.presence.arrive(table_id, seat)
        room = await self.rooms.latest(table_id)
        if room.has_left(seat):
            await self.settle(table_id, Return(seat))
        if room.table.away[seat]:
            await self.seat_away(table_id, seat, False)
        elif was_lost and room.clock.asked_at[seat]:
            await self.ask_afresh(table_id, seat)
        if was_lost:
            await self.presence.restored(table_id, seat)

    async def seat_left(self, table_id: TableId, seat: int) -> None:
        """A socket of the seat's player has closed here. Their time runs on, but for what this
        process has cost them: wherever they come back to, nobody knows of that."""
        room = self.rooms.get(table_id)
        since = room.clock.asked_at[seat] if room is not None else 0
        try:
            if since and self.pulse.outage_ms(since) and not self.pulse.is_stopping:
                await self.ask_afresh(table_id, seat)
        finally:
            await self.presence.leave(table_id, seat)

    def told(self, table_id: TableId, seat: int, asked_at: int) -> None:
        """The seat's player is told only now what was asked at that time. Does not wait."""
        self._upkeep.told(table_id, seat, asked_at)

    async def ask_afresh(self, table_id: TableId, seat: int, asked_at: int | None = None) -> None:
        """Put the open question of that seat afresh; or only what was asked at that time."""

        def plan(room: Room) -> Proposal | Done:
            open_since = room.clock.asked_at[seat]
            is_meant = open_since != NOT_ASKED and asked_at in (None, open_since)
            return Proposal(reopen=(seat,)) if is_meant else Done(room)

        await self._commit(table_id, plan)

    async def seat_sockets(self, table_id: TableId) -> list[int]:
        """By seat: how many sockets its player has open, in all processes."""
        return await self.presence.sockets(table_id)

    async def seat_seen(self, table_id: TableId, seat: int) -> None:
        """The seat's player is looking at the table: a stand-in has nothing to do there.

        For whom was given up while their socket stayed open, as after a long outage.
        """
        room = self.rooms.get(table_id)
        if room is not None and room.table.away[seat]:
            await self.seat_away(table_id, seat, False)

    async def live_tables(self, *, at_most: int = 100) -> list[TableSummary]:
        """The public tables that are being played, the newest first."""
        rows = await self.store.live_summaries(at_most=min(at_most, LISTED_AT_MOST))
        tables = sorted(map(decode_summary, rows), key=lambda row: row.opened_at, reverse=True)
        return tables[:at_most]

    async def tick(self, table_id: TableId) -> bool:
        """Do what is due at the table. True if its game has ended and is to be archived."""
        return await self._upkeep.tick(table_id)

    async def _commit(self, table_id: TableId, plan: Plan) -> Outcome:
        """Draft and append until it has happened or is refused.

        What is refused on a room that may be old is decided again on the latest.
        """
        room = self.rooms.get(table_id)
        is_latest = room is None
        for _ in range(TRIES):
            if room is None:
                room = await self.rooms.latest(table_id)
            proposal = plan(room)
            if isinstance(proposal, Done):
                return proposal
            if isinstance(proposal, Refused):
                outcome: Outcome | None = proposal
            else:
                outcome = await self.attempt(room, proposal)
            if outcome is not None and (is_latest or outcome == FROZEN):
                return outcome
            if isinstance(outcome, Done):
                return outcome
            room, is_latest = None, True
        raise TablesUnavailable(f"table {table_id} is too busy")

    async def attempt(self, room: Room, proposal: Proposal) -> Outcome | None:
        """Draft and append once; None if the room has moved on."""
        try:
            drafted = self._draft(room, proposal)
        except Exception:
            log.exception("table %s version %d: frozen", room.table_id, room.version)
            metrics.FROZEN.inc()
            await self.store.freeze(room.table_id)
            return FROZEN
        match drafted:
            case Rejected(code=code, text=text):
                return Refused(code, text)
            case Stale():
                return Late(room)
            case Draft():
                pass
        match await self._append(room, drafted):
            case Appended.DONE:
                metrics.COMMITS.inc()
                self.rooms.advance(room, drafted.after, drafted.commit.events)
                self._upkeep.moved(drafted)
                if self.rooms.is_followed(room.table_id):
                    metrics.delivered(drafted.commit.at)
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
        """Append the draft; if the outcome is unknown, find out."""
        commit, after = drafted.commit, drafted.after
        dealt = any(isinstance(event, HandStarted) for event in commit.events)
        keep = dealt or commit.version % SNAPSHOT_EVERY == 0
        told = (
            dealt or after.table.scores != room.table.scores or after.meta.seats != room.meta.seats
        )
        entry = Append(
            table_id=room.table_id,
            expected=room.head,
            head=after.head,
            version=commit.version,
            commit=encode(commit),
            due=self._upkeep.due_elsewhere(drafted),
            snapshot=encode(after) if keep else b"",
            summary=encode(summary_of(after)) if told else b"",
            listed_at=listed_at,
            ear=self.rooms.ear(room.table_id),
        )
        self.rooms.in_flight.add(after.head)
        try:
            return await self.store.append(entry)
        except TablesUnavailable:
            self.rooms.doubt(room.table_id)
            if await self._is_stored(after):
                return Appended.DONE
            raise
        except BaseException:
            self.rooms.doubt(room.table_id)
            raise
        finally:
            self.rooms.in_flight.discard(after.head)

    async def _is_stored(self, after: Room) -> bool:
        """Whether a commit whose outcome is unknown is in the log after all."""
        entries = await self.store.entries_from(after.table_id, after.version)
        return bool(entries) and decode_commit(entries[0][1]).token == after.token
