"""Does what is due at the tables: plays for bots and late players, ends pauses.

Any process may do so. A process with timers does it for the tables that it has changed last; a
worker does what is left a little later. `timeouts` decides what is due.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from typing import Final

from game.engine.commands import Act, CallLastHand, Command, SetAway, Timeout
from game.engine.state import Phase
from game.redis.cancellation import cancel_and_wait
from game.tables.abandonment import (
    AbandonmentLimits,
    may_be_abandoned,
    propose_for_abandoned,
    propose_for_unwatched,
)
from game.tables.bot_seats import choose_for_bot
from game.tables.commit_draft import Proposal
from game.tables.errors import NoSuchTable, TableError
from game.tables.outcomes import FROZEN, Done, Refusal
from game.tables.room import Room, TableId
from game.tables.scheduler import due_at
from game.tables.service import Presence, Service
from game.tables.timeouts import (
    Heartbeats,
    SeatSockets,
    TimeoutDecision,
    decide_timeouts,
    is_question_delayed,
    late_players,
    look_again_at,
)
from game.tables.timers import Timers
from game.tables.wall_draws import close_draw

log = logging.getLogger(__name__)

STEPS_PER_RUN: Final = 8


class DueWork:
    """Does what is due at the tables, in one process."""

    def __init__(
        self,
        service: Service,
        presence: Presence,
        timers: Timers,
        abandonment: AbandonmentLimits,
        *,
        is_watched: Callable[[TableId], Awaitable[bool]],
        now_ms: Callable[[], int],
    ) -> None:
        self._abandonment = abandonment
        self._is_watched = is_watched
        self._service = service
        self._presence = presence
        self._timers = timers
        self._now_ms = now_ms
        self._tasks: set[asyncio.Task[None]] = set()

    def start_timers(self, *, plays_bots: bool) -> None:
        """Keep timers in this process for the tables that it has changed last. Only with
        `plays_bots`, also for tables that wait for a bot. Needs a running loop."""
        self._timers.start(self._on_due, plays_bots=plays_bots)

    def reopen_if_delayed(self, table_id: TableId, seat: int, asked_at: int) -> None:
        """If the question that the seat got at `asked_at` (ms) reaches its player too late, ask it
        again with its full time. Returns at once."""
        if is_question_delayed(asked_at, self._now_ms()):
            self._start_task(table_id, self._service.reopen_question(table_id, seat, asked_at))

    async def stop(self) -> None:
        """Remove the timers and cancel the work that they have started."""
        self._timers.stop()
        await cancel_and_wait(self._tasks)

    async def run(self, table_id: TableId) -> bool:
        """Do what is due at the table. Return True if its game has ended and has to be archived."""
        try:
            room = await self._service.rooms.latest(table_id)
        except NoSuchTable:
            await self._service.store.remove_missing(table_id)
            return False
        return await self._run(room)

    def _on_due(self, table_id: TableId, head: str) -> None:
        room = self._service.rooms.get(table_id)
        # With another head, the process that changed the table has the timer.
        if room is not None and room.head == head:
            self._start_task(table_id, self._run(room))

    def _start_task(self, table_id: TableId, work: Coroutine[None, None, object]) -> None:
        task = asyncio.create_task(self._run_logged(table_id, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_logged(self, table_id: TableId, work: Coroutine[None, None, object]) -> None:
        try:
            await work
        except TableError as error:
            log.info("table %s: due work is left to a worker: %s", table_id, error)
        except Exception:
            log.exception("table %s: due work failed", table_id)

    async def _run(self, room: Room) -> bool:
        table_id = room.table_id
        for _ in range(STEPS_PER_RUN):
            if room.table.phase == Phase.ENDED:
                return True
            now = self._now_ms()
            due = due_at(room)
            proposal = None
            if due is not None and due <= now:
                proposal = await self._propose(room, now)
                due = look_again_at(room, now)
            if proposal is None:
                if due is not None:
                    await self._service.store.postpone(table_id, expected=room.head, due=due)
                return False
            match await self._service.try_commit(room, proposal):
                case Done(room=room):
                    await self._return_seats(table_id, proposal)
                    for seat in proposal.reopen:
                        await self._presence.note_time_given_back(table_id, seat)
                    following = due_at(room)
                    if following is None or following > self._now_ms():
                        return False
                    if table_id in self._timers or self._timers.leaves_bots_to_workers(room):
                        return False
                case None:
                    room = await self._service.rooms.latest(table_id)
                case refusal:
                    if refusal != FROZEN:
                        log.error(
                            "table %s step %d: due work %s was refused: %s",
                            table_id,
                            room.table.step,
                            [type(command).__name__ for command in proposal.commands],
                            refusal.code if isinstance(refusal, Refusal) else "stale",
                        )
                    return False
        return False

    async def _propose(self, room: Room, now: int) -> Proposal | None:
        """Return the proposal for a table that is due; None if nothing is to be done now."""
        if room.meta.settings.purpose == "standing" and not await self._is_watched(room.table_id):
            return propose_for_unwatched(room, now)
        if may_be_abandoned(room, self._abandonment):
            found = await self._presence.read_sockets(room.table_id, room.people)
            proposal = propose_for_abandoned(room, self._abandonment, *found, now)
            if proposal is not None:
                return proposal
        decision = await self._decide(room, now)
        return None if decision.does_nothing else _proposal_for(room, decision, now)

    async def _decide(self, room: Room, now: int) -> TimeoutDecision:
        heartbeats, sockets = Heartbeats(), dict[int, SeatSockets]()
        if late := late_players(room, now):
            heartbeats, sockets = await self._presence.read_sockets(
                room.table_id, late, with_pongs=room.table.is_drawing_wall
            )
        decision = decide_timeouts(room, heartbeats, sockets, now)
        for seat in decision.gone:
            if sockets[seat].processes:
                await self._presence.forget(room.table_id, seat, sockets[seat].processes)
        return decision

    async def _return_seats(self, table_id: TableId, proposal: Proposal) -> None:
        """Give seats back to players who returned while a stand-in took over."""
        for command in proposal.commands:
            if isinstance(command, SetAway) and await self._presence.has_socket(
                table_id, command.seat
            ):
                await self._service.set_away(table_id, command.seat, False)


def _proposal_for(room: Room, decision: TimeoutDecision, now: int) -> Proposal:
    if decision.resume:
        return Proposal(resume=True)
    if decision.calls_last_hand:
        return Proposal(commands=(CallLastHand(),))
    if decision.closes_draw:
        return close_draw(room, secrets.token_bytes(32))
    commands: list[Command] = [SetAway(seat, True) for seat in decision.replaced]
    commands += [_bot_command(room, seat) for seat in decision.bots]
    if decision.timed_out:
        commands.append(Timeout(room.table.step, decision.timed_out))
    return Proposal(
        commands=tuple(commands),
        skips_refused=True,
        reopen=decision.reopen,
        not_charged=0 if decision.charges_time else now,
    )


def _bot_command(room: Room, seat: int) -> Command:
    """Return the bot's answer as a command. If the bot fails, return the command of a stand-in, so
    that the game goes on."""
    step = room.table.step
    try:
        return Act(seat, step, choose_for_bot(room, seat))
    except Exception:
        log.exception("table %s step %d seat %d: the bot failed", room.table_id, step, seat)
        return Timeout(step, (seat,))
