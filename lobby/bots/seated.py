"""A bot at its seat: the lines of its game, its questions and its answers.

Everything goes through the service of running tables, as for a person: the same clock, the same
redaction, the same default action when the time is over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from game.engine.actions import Action
from game.engine.events import Answered, Discarded, Event, GameEnded, GameStarted, HandStarted, Won
from game.engine.legal import default_action, legal, pending_seats
from game.engine.perspective import SPECTATOR, redact, view
from game.engine.state import Phase, Riichi
from game.live.hub import Hub
from game.live.process import Process
from game.live.subscribers import BotSubscriber
from game.records.mjai_answers import AskedSeat, RiichiAnnounced, WrongAnswer, is_asked
from game.records.mjai_seat import SeatLines
from game.redis.cancellation import cancel_and_wait
from game.tables.codec import decode_commit
from game.tables.errors import TableError, TablesUnavailable
from game.tables.outcomes import Done, Refusal, StaleAnswer
from game.tables.room import Room, TableId
from lobby.bots.frames import Status, ack, request_action, time_left

log = logging.getLogger(__name__)

_TRY_AGAIN_S: Final = 0.5
"""The time between two tries to submit an answer while Redis cannot be reached."""
_ANSWERED_BY_SERVER: Final = (Phase.RESULT, Phase.SHOWING)
"""Phases with questions for which mjai has no message, so that the server answers for the bot."""


class _Request:
    """One question to the bot."""

    def __init__(self, number: int, step: int, asked: AskedSeat) -> None:
        self.number = number
        self.step = step
        self.asked = asked
        self.action: Action | None = None
        """The answer, once there is a valid one."""
        self.is_acknowledged = False
        self.waits = False
        """Whether the answer came while the clocks were stopped. It is submitted when they run
        again."""

    @property
    def cid(self) -> str:
        """The command id: the same on every connection, so that an answer counts once."""
        return f"mjai-{self.number}"


class SeatedBot(BotSubscriber):
    """The seat of a bot at one table. `send` puts a frame into the queue of its socket, `on_end`
    is called once, when the game is over or the seat is lost."""

    def __init__(
        self,
        process: Process,
        hub: Hub,
        table_id: TableId,
        person: str,
        send: Callable[[dict[str, Any]], None],
        on_end: Callable[[Room | None], None],
        *,
        new_since: int,
    ) -> None:
        self.viewer = SPECTATOR
        self.person = person
        self._process = process
        self._hub = hub
        self._table_id = table_id
        self._send = send
        self._on_end = on_end
        self._new_since = new_since
        """The bot has perhaps been told of tables that were opened before."""
        self._lines: SeatLines | None = None
        """The mjai lines of the bot's seat; None until the history has been sent."""
        self._early: list[tuple[Room, Sequence[Event]]] = []
        """Steps that arrived before the history had been sent."""
        self._request: _Request | None = None
        """The question that the bot has to answer."""
        self._last_step_handled = -1
        """The step of the last question that has been sent to the bot or answered for it."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_counted = False
        self._is_over = False

    # Joining and leaving

    async def join(self) -> None:
        """Take the seat and send the game so far. Raises TableError."""
        await self._hub.join(self._table_id, self)
        if self.viewer == SPECTATOR:
            self._end(None)
            return
        self._is_counted = True
        await self._process.service.add_socket(self._table_id, self.viewer)
        await self._send_history()

    async def leave(self) -> None:
        """Leave the table without giving up the seat."""
        self._is_over = True
        self._hub.leave(self._table_id, self)
        await cancel_and_wait(list(self._tasks))
        if self._is_counted:
            self._is_counted = False
            try:
                await self._process.service.remove_socket(self._table_id, self.viewer)
            except TablesUnavailable as error:
                log.info("table %s: a departure is stored later: %s", self._table_id, error)

    def set_viewer(self, room: Room) -> None:
        seat = room.seat_of(self.person)
        if seat is not None:
            self.viewer = seat

    def unseat(self) -> None:
        self._end(None)

    def _end(self, room: Room | None) -> None:
        if not self._is_over:
            self._is_over = True
            self._on_end(room)

    async def _send_history(self) -> None:
        """Send the start of the game and the running hand from the log, then the steps since."""
        room = self._hub.room(self._table_id)
        if room is None:
            raise TablesUnavailable("the room is not in memory")
        entries = await self._process.store.read_entries(self._table_id, 1, room.version)
        events = [event for _, data in entries for event in decode_commit(data).events]
        seen = [shown for event in events if (shown := redact(event, self.viewer)) is not None]
        lines = self._lines = SeatLines(self.viewer)
        is_resumed = room.meta.opened_at < self._new_since
        for start in [event for event in seen if isinstance(event, GameStarted)]:
            (line,) = lines.lines(start)
            self._send(line | {"resumed": True} if is_resumed else line)
        hands = [at for at, event in enumerate(seen) if isinstance(event, HandStarted)]
        for event in seen[hands[-1] :] if hands else ():
            self._send_lines(lines.lines(event))
        early, self._early = self._early, []
        for later, step in early:
            if later.version > room.version:
                self._send_step(later, step)
                room = later
        self._send_question(room)
        if room.table.phase == Phase.ENDED:
            self._end(room)

    def _send_lines(self, lines: Sequence[dict[str, Any]]) -> None:
        for line in lines:
            self._send(line)

    # From the table

    def deliver_step(self, room: Room, seen: Sequence[Event]) -> None:
        if self._lines is None:
            self._early.append((room, seen))
            return
        self._send_step(room, seen)
        self._send_question(room)
        if any(isinstance(event, GameEnded) for event in seen):
            self._end(room)

    def deliver_afresh(self, room: Room) -> None:
        self._begin_again()

    def _begin_again(self) -> None:
        """Send the start of the game and the hand again, because the table differs from what was
        sent."""
        self._lines, self._request, self._last_step_handled = None, None, -1
        self._new_since = self._process.service.now_ms()
        self._start_task(self._send_history())

    def _send_step(self, room: Room, seen: Sequence[Event]) -> None:
        """Send the mjai lines of one step, and how the open question was settled, if it was."""
        assert self._lines is not None
        request = self._request
        is_settled = request is not None and not self._is_open(request, room)
        if request is not None and is_settled and request.cid in room.cids[self.viewer]:
            self._acknowledge(request, "accepted")
        was_announced = self._lines.riichi_announced
        for event in seen:
            self._send_lines(self._lines.lines(event))
        if request is not None and is_settled:
            self._request = None
            if not request.is_acknowledged:
                self._report_default(request, seen)
            if was_announced and room.table.hands[self.viewer].riichi == Riichi.NONE:
                # The time ended between the announcement and the discard: no riichi was declared.
                self._begin_again()

    def _is_open(self, request: _Request, room: Room) -> bool:
        return room.table.step == request.step and self.viewer in pending_seats(room.table)

    def _report_default(self, request: _Request, seen: Sequence[Event]) -> None:
        """Send 'defaulted' if the server has acted for the seat because the time was over, and
        'stale' if the bot has answered but somebody else's call settled the question first."""
        for event in seen:
            if not isinstance(event, Answered | Discarded | Won) or event.actor != self.viewer:
                continue
            action = event.action if isinstance(event, Answered) else None
            option = {} if action is None else {"action": request.asked.as_mjai(action)}
            self._send(ack(request.number, "defaulted", "the time was over", **option))
            return
        if request.action is not None:
            self._send(ack(request.number, "stale", "the question was settled before"))

    # To the bot

    def _send_question(self, room: Room) -> None:
        """Send the open question of the seat once, but not while the clocks are stopped."""
        table, seat, request = room.table, self.viewer, self._request
        if self._lines is None or self._is_over or room.clock.paused_at or room.is_bot(seat):
            return
        if request is not None:
            if request.waits:
                request.waits = False
                self._submit(request)
            return
        if seat not in pending_seats(table) or table.step <= self._last_step_handled:
            return
        seen = view(table, seat)
        actions = legal(seen, seat)
        if is_asked(seen, actions):
            is_in_riichi = table.hands[seat].riichi == Riichi.ACCEPTED
            # In riichi the server makes the only possible move.
            if not (is_in_riichi and table.phase == Phase.TURN and len(actions) == 1):
                self._put_request(room, AskedSeat(seen, seat, actions))
        elif table.phase in _ANSWERED_BY_SERVER and actions:
            self._last_step_handled = table.step
            self._start_task(self._answer_without_bot(table.step, default_action(seen, seat)))

    def _put_request(self, room: Room, asked: AskedSeat) -> None:
        """Send a question. Its number is even, and the next odd one for the second step of a
        riichi: numbers grow with the steps of the table."""
        step = room.table.step
        number = 2 * step + asked.in_riichi_step
        self._last_step_handled = step
        self._request = _Request(number, step, asked)
        left = time_left(room, self.viewer, self._process.service.now_ms())
        self._send(request_action(number, asked.options, left))

    async def _answer_without_bot(self, step: int, action: Action) -> None:
        await self._submit_until_reached(step, f"mjai-{2 * step}", action)

    # From the bot

    def answer(self, answer: dict[str, Any]) -> bool:
        """Handle an answer of the bot. Return whether it is a legal answer to the open question.
        An answer without `request_id` belongs to the open question."""
        request, number = self._request, answer.get("request_id")
        if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
            self._send(ack(None, "unparseable", "request_id has to be a whole number"))
            return False
        if request is None or request.action is not None or number not in (None, request.number):
            self._send(ack(number, "stale", "there is no such open question"))
            return False
        found = request.asked.read(answer)
        if isinstance(found, WrongAnswer):
            self._send(ack(request.number, "rejected", found.text))
            return False
        if isinstance(found, RiichiAnnounced):
            self._announce_riichi(request)
            return True
        request.action = found
        self._submit(request)
        return True

    def _announce_riichi(self, request: _Request) -> None:
        room = self._hub.room(self._table_id)
        if room is None or not self._is_open(request, room) or self._lines is None:
            self._send(ack(request.number, "stale", "there is no such open question"))
            return
        self._acknowledge(request, "accepted")
        self._send(self._lines.announce_riichi())
        self._put_request(room, request.asked.after_riichi())

    def _acknowledge(self, request: _Request, status: Status) -> None:
        if not request.is_acknowledged:
            request.is_acknowledged = True
            self._send(ack(request.number, status))

    def _submit(self, request: _Request) -> None:
        self._start_task(self._submit_answer(request))

    async def _submit_answer(self, request: _Request) -> None:
        assert request.action is not None
        outcome = await self._submit_until_reached(request.step, request.cid, request.action)
        if self._request is not request:  # the step that settled it has been sent
            return
        match outcome:
            case Done():
                self._acknowledge(request, "accepted")
            case Refusal(code="paused"):
                request.waits = True
            case Refusal(text=text):
                request.action = None
                self._send(ack(request.number, "rejected", text))
            case StaleAnswer() | None:
                pass  # the step that settles it is about to be sent

    async def _submit_until_reached(
        self, step: int, cid: str, action: Action
    ) -> Done | StaleAnswer | Refusal | None:
        """Submit the action, repeatedly while Redis cannot be reached. Return None if the bot has
        left meanwhile."""
        while not self._is_over:
            try:
                return await self._process.service.submit(
                    self._table_id, seat=self.viewer, cid=cid, step=step, action=action
                )
            except TablesUnavailable as error:
                log.info("table %s: an answer is submitted again: %s", self._table_id, error)
                await asyncio.sleep(_TRY_AGAIN_S)
        return None

    def _start_task(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(self._run_guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_guarded(self, work: Any) -> None:
        try:
            await work
        except TableError as error:
            log.info("table %s: %s", self._table_id, error)
            self._end(None)
        except Exception:
            log.exception("table %s seat %d: the bot cannot be served", self._table_id, self.viewer)
            self._end(None)
