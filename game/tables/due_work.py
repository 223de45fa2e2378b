"""What the server does at tables by itself: bots, late players, pauses that are over.

Any process may. What a process has moved last it sees to with an alarm of its own, if it keeps
time; the store knows a little later moment for the same, at which a worker sees to what has not
been done.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Final

from game.engine.commands import Act, Command, SetAway, TimeUp
from game.engine.legal import pending
from game.engine.state import Phase
from game.live.presence import Verdict
from game.tables.bot_seats import bot_answer
from game.tables.commit_draft import Draft, Proposal
from game.tables.errors import NoSuchTable, TableError
from game.tables.outcomes import FROZEN, Done, Refused
from game.tables.room import Room, TableId
from game.tables.scheduler import Hand, answers_at, due_at, expires_at, played_by
from game.tables.timers import Timers

if TYPE_CHECKING:
    from game.tables.service import Service

log = logging.getLogger(__name__)

STEPS_PER_TICK: Final = 8
LOOK_AGAIN_MS: Final = 500
"""For a player whom the server cannot hear at present."""
UNHURRIED_MS: Final = 5_000
"""For a player who has all the time there is."""
TOLD_LATE_MS: Final = 1_000
"""A question that is told so late is put afresh."""
BACKUP_MS: Final = 400
"""So much later a worker does what a process with an alarm has not done."""


class DueWork:
    """What is due at the tables of one process."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._alarms: Timers | None = None
        self._plays_bots = False
        self._begun: set[asyncio.Task[None]] = set()

    def keep_time(self, *, plays_bots: bool) -> None:
        """Set alarms from now on: also for what bots have to answer, or for all else."""
        self._plays_bots = plays_bots
        self._alarms = self._alarms or Timers(self._rung)

    def due_elsewhere(self, drafted: Draft) -> int | None:
        """When the workers are to look at what that draft leaves to be done."""
        if drafted.due is None or not self._keeps_time_of(drafted.after):
            return drafted.due
        return drafted.due + BACKUP_MS

    def moved(self, drafted: Draft) -> None:
        """That draft has happened, by this process."""
        after, due = drafted.after, drafted.due
        if self._alarms is None:
            return
        if due is None or not self._keeps_time_of(after):
            self._alarms.drop(after.table_id)
        else:
            self._alarms.set(after.table_id, after.head, due - self._service.now_ms())

    def _keeps_time_of(self, room: Room) -> bool:
        if self._alarms is None or room.table.phase == Phase.ENDED:
            return False
        return self._plays_bots or not _waits_for_bot(room)

    def _leaves_to_workers(self, room: Room) -> bool:
        """Bots take their time to choose, in which no socket of this process may wait."""
        return self._alarms is not None and not self._plays_bots and _waits_for_bot(room)

    def _rung(self, table_id: TableId, head: str) -> None:
        room = self._service.rooms.get(table_id)
        if room is None or room.head != head:
            return  # somebody else has moved it, and sees to it
        self._begin(table_id, self._tick(room))

    def told(self, table_id: TableId, seat: int, asked_at: int) -> None:
        """What took so long to be told was no fault of the player's."""
        if self._service.now_ms() - asked_at >= TOLD_LATE_MS:
            self._begin(table_id, self._service.ask_afresh(table_id, seat, asked_at))

    def _begin(self, table_id: TableId, work: Coroutine[None, None, object]) -> None:
        begun = asyncio.create_task(self._see_to(table_id, work))
        self._begun.add(begun)
        begun.add_done_callback(self._begun.discard)

    async def _see_to(self, table_id: TableId, work: Coroutine[None, None, object]) -> None:
        try:
            await work
        except TableError as error:
            log.info("table %s is left as it is: %s", table_id, error)
        except Exception:
            log.exception("table %s: what is due could not be done", table_id)

    async def tick(self, table_id: TableId) -> bool:
        """Do what is due at the table. True if its game has ended and is to be archived."""
        try:
            room = await self._service.rooms.latest(table_id)
        except NoSuchTable:
            await self._service.store.drop_claim(table_id)
            return False
        return await self._tick(room)

    async def _tick(self, room: Room) -> bool:
        table_id = room.table_id
        for _ in range(STEPS_PER_TICK):
            if room.table.phase == Phase.ENDED:
                return True
            now = self._service.now_ms()
            due = due_at(room)
            proposal = None
            if due is not None and due <= now:
                proposal = await self._what_is_due(room, now)
                due = now + (UNHURRIED_MS if room.meta.clock.is_unlimited else LOOK_AGAIN_MS)
            if proposal is None:
                if due is not None:
                    await self._service.store.postpone(table_id, expected=room.head, due=due)
                return False
            match await self._service.attempt(room, proposal):
                case Done(room=room):
                    await self._take_back(table_id, proposal)
                    for seat in proposal.reopen:
                        await self._service.presence.restored(table_id, seat)
                    following = due_at(room)
                    if following is None or following > self._service.now_ms():
                        return False
                    if self._leaves_to_workers(room):
                        return False
                case None:
                    room = await self._service.rooms.latest(table_id)
                case refusal:
                    if refusal != FROZEN:
                        log.error(
                            "table %s step %d: nothing came of %s: %s",
                            table_id,
                            room.table.step,
                            [type(command).__name__ for command in proposal.commands],
                            refusal.code if isinstance(refusal, Refused) else "late",
                        )
                    return False
        return False

    async def _take_back(self, table_id: TableId, proposal: Proposal) -> None:
        """Whoever came while their seat was given to a stand-in, and so has not seen that it
        was, has it back."""
        for command in proposal.commands:
            if isinstance(command, SetAway) and await self._service.presence.is_here(
                table_id, command.seat
            ):
                await self._service.seat_away(table_id, command.seat, False)

    async def _what_is_due(self, room: Room, now: int) -> Proposal | None:
        """What the server does at the room by itself; None to look again shortly."""
        if room.clock.paused_at:
            return Proposal(resume=True)
        owing = pending(room.table)
        late = [seat for seat in owing if answers_at(room, seat) <= now]
        if owing and not late:
            return None
        commands = list[Command]()
        timed_out, reopen = list[int](), list[int]()
        for seat in late:
            match played_by(room, seat):
                case Hand.BOT:
                    commands.append(_bot_command(room, seat))
                case Hand.STAND_IN:
                    timed_out.append(seat)
                case Hand.PERSON:
                    verdict = await self._service.presence.judge(
                        room.table_id,
                        seat,
                        asked_at=room.clock.asked_at[seat],
                        expires_at=expires_at(room, seat),
                    )
                    if verdict is Verdict.OUTAGE:
                        reopen.append(seat)
                    elif verdict is Verdict.GONE or (
                        verdict is Verdict.LATE and not _has_all_time(room)
                    ):
                        timed_out.append(seat)
                    if verdict is Verdict.GONE:
                        commands.insert(0, SetAway(seat, True))
        if timed_out:
            commands.append(TimeUp(room.table.step, tuple(timed_out)))
        if owing and not commands and not reopen:
            return None
        # A move that the house makes for somebody is late by the house's fault, if it is.
        is_ours = all(played_by(room, seat) is not Hand.PERSON for seat in late)
        return Proposal(
            commands=tuple(commands),
            optional=True,
            reopen=tuple(reopen),
            not_charged=now if is_ours else 0,
        )


def _waits_for_bot(room: Room) -> bool:
    return any(room.is_bot(seat) for seat in pending(room.table))


def _has_all_time(room: Room) -> bool:
    return room.meta.clock.is_unlimited and room.table.phase != Phase.RESULT


def _bot_command(room: Room, seat: int) -> Command:
    """A bot that fails is no reason to stop a game: it then plays as a stand-in."""
    step = room.table.step
    try:
        return Act(seat, step, bot_answer(room, seat))
    except Exception:
        log.exception("table %s step %d seat %d: the bot failed", room.table_id, step, seat)
        return TimeUp(step, (seat,))
