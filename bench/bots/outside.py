"""Outside programs as players of games in memory.

A program is started anew for each game and seat. It gets the events that the seat sees, as at the
socket of bots, and answers in the convention of its style. If an answer is missing or impossible,
the seat passes or discards the drawn tile, and a fault is counted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from random import Random
from types import TracebackType
from typing import Any, Final

from bench.bots.games import BotGame
from game.bots import tsumogiri
from game.engine.actions import Action
from game.engine.evolve import evolve
from game.engine.legal import legal, pending_seats
from game.engine.perspective import redact, view
from game.engine.state import Phase, Table
from game.mjai_programs.process import LimitedProgram, Limits, ProgramFailed
from game.mjai_programs.spec import ProgramPlayer, ProgramSpec, make_player
from game.records.mjai_answers import AskedSeat, RiichiAnnounced, WrongAnswer, is_asked
from game.records.mjai_seat import Line, SeatLines

LIMITS: Final = Limits(seconds=7_200.0, answer_s=60.0, megabytes=16_384)
"""The limits of a program in one game. They are wide, because operators trust the programs that
they compare."""


class OutsideFailed(Exception):
    """A program cannot go on. The message names it and says why."""


class OutsideSeat:
    """A program at one seat of one game. Use as a context manager; leaving it ends the program."""

    def __init__(self, spec: ProgramSpec, seat: int) -> None:
        self.faults = 0
        self._spec = spec
        self._lines = SeatLines(seat)
        self._seat = seat
        self._runner = asyncio.Runner()
        self._game = BotGame()
        self._events_sent = 0
        self._table = Table()
        """The table after the events that the program has received."""
        self._program: LimitedProgram | None = None
        self._player: ProgramPlayer | None = None

    def set_game(self, game: BotGame) -> None:
        """Set the game whose events the program receives."""
        self._game = game

    def __enter__(self) -> OutsideSeat:
        self._run(self._start())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._runner:
            if self._program is not None:
                self._runner.run(self._program.stop())

    def choose(self, table: Table, seat: int, actions: tuple[Action, ...], rng: Random) -> Action:
        """Return the program's answer, or a substitute for a missing or impossible answer."""
        if not is_asked(table, actions):
            return actions[0]
        self._run(self._send_new_events())
        asked = AskedSeat(table, seat, actions)
        found = asked.read(self._run(self._ask(asked)))
        if isinstance(found, RiichiAnnounced):
            self._run(self._send([self._lines.announce_riichi()]))
            asked = asked.after_riichi()
            found = asked.read(self._run(self._ask(asked)))
        if isinstance(found, WrongAnswer | RiichiAnnounced):
            self.faults += 1
            if asked.in_riichi_step:
                option = asked.options[-1]
                answer = asked.read(option)
                assert not isinstance(answer, WrongAnswer | RiichiAnnounced)
                return answer
            return tsumogiri.choose(table, seat, actions, rng)
        return found

    async def _send_new_events(self) -> None:
        """Send the program the events since the last question. Also put the questions that another
        seat's call has already decided, as the socket of bots does."""
        events = self._game.events[self._events_sent :]
        self._events_sent = len(self._game.events)
        open_step, asked_step = self._game.table.step, self._table.step
        for event in events:
            self._table = evolve(self._table, event)
            seen = redact(event, self._seat)
            await self._send([] if seen is None else self._lines.lines(seen))
            is_claim = self._table.phase == Phase.CLAIMS and self._seat in pending_seats(
                self._table
            )
            if is_claim and self._table.step not in (asked_step, open_step):
                asked_step = self._table.step
                own = view(self._table, self._seat)
                actions = tuple(legal(own, self._seat))
                await self._ask(AskedSeat(own, self._seat, actions))

    def _run(self, work: Any) -> Any:
        try:
            return self._runner.run(work)
        except ProgramFailed as error:
            raise OutsideFailed(f"{self._spec.name} failed: {error}") from None

    async def _start(self) -> None:
        self._program = await LimitedProgram.start(self._spec.command_of(self._seat), LIMITS)
        self._player = make_player(self._spec.style, self._program, self._seat)

    async def _send(self, lines: Iterable[Line]) -> None:
        assert self._player is not None
        for line in lines:
            await self._player.take(line)

    async def _ask(self, asked: AskedSeat) -> dict[str, Any] | None:
        assert self._player is not None
        return await self._player.ask({"possible_actions": asked.options}, LIMITS.answer_s)
