"""Asks a reviewer what it would do at each decision of a finished game.

The reviewer gets the lines that a bot in the seat would get, with the moves that were really made.
It is started anew for each seat, one seat after the other, as a program with limits
(`game.mjai_programs`). Must not know the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from game.engine.actions import Action, DeclareRiichi
from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    Discarded,
    Drawn,
    Event,
    KakanDeclared,
    PonCalled,
    RiichiDeclared,
)
from game.engine.evolve import evolve
from game.engine.legal import legal, pending_seats
from game.engine.perspective import redact, view
from game.engine.state import Phase, Riichi, Table
from game.mjai_programs.process import LimitedProgram, Limits, ProgramFailed
from game.mjai_programs.spec import ProgramPlayer, ProgramSpec, make_player
from game.records.mjai_answers import AskedSeat, RiichiAnnounced, WrongAnswer, is_asked
from game.records.mjai_seat import SeatLines
from game.reviews.choices import place_of
from game.reviews.figures import Choice, ReviewerColumn
from game.reviews.moments import is_shown

_ASKING: Final = (Drawn, ChiCalled, PonCalled, Discarded, AnkanDeclared, KakanDeclared)
"""Events after which seats decide."""
_MAX_SILENT: Final = 3
"""The reviewer is stopped after this number of own turns in a row without an answer."""
NO_CHOICE: Final = -1


class AskedDecision(msgspec.Struct, frozen=True):
    """The data of a decision that is needed to ask a reviewer."""

    at: int
    seat: int
    choices: list[Choice]


class _Answer(msgspec.Struct, frozen=True):
    action: Action | None
    """None if the reviewer gave no possible answer, or riichi with a discard that is not known."""
    riichi: bool = False


def ask_reviewer(
    spec: ProgramSpec, limits: Limits, events: Sequence[Event], decisions: Sequence[AskedDecision]
) -> ReviewerColumn:
    """Return what the reviewer would do at these decisions of the game. If it fails, the column
    says so and contains the answers until then."""
    return asyncio.run(_ask_all(spec, limits, events, decisions))


async def _ask_all(
    spec: ProgramSpec, limits: Limits, events: Sequence[Event], decisions: Sequence[AskedDecision]
) -> ReviewerColumn:
    answers: dict[tuple[int, int], _Answer] = {}
    failed = ""
    until = asyncio.get_running_loop().time() + limits.seconds
    for seat in range(4):
        left_s = until - asyncio.get_running_loop().time()
        try:
            if left_s <= 0:
                raise ProgramFailed("slow")
            await _ask_seat(spec, replace(limits, seconds=left_s), events, seat, answers)
        except ProgramFailed as error:
            failed = str(error)
            break
    choices, riichi = list[int](), list[int]()
    for number, decision in enumerate(decisions):
        answer = answers.get((decision.at, decision.seat), _Answer(None))
        place = None if answer.action is None else place_of(decision.choices, answer.action)
        choices.append(NO_CHOICE if place is None else place)
        if answer.riichi:
            riichi.append(number)
    return ReviewerColumn(spec.name, "failed" if failed else "done", choices, riichi, failed)


async def _ask_seat(
    spec: ProgramSpec,
    limits: Limits,
    events: Iterable[Event],
    seat: int,
    answers: dict[tuple[int, int], _Answer],
) -> None:
    """Add the answers of the reviewer in one seat, by position and seat."""
    program = await LimitedProgram.start(spec.command_of(seat), limits)
    try:
        reviewed = _Seat(seat, make_player(spec.style, program, seat), program)
        for at, event, table in _positions(events):
            await reviewed.take(event)
            asked = _asked_seat(event, table, seat)
            if asked is not None:
                answers[at, seat] = await reviewed.ask(asked)
        await reviewed.finish(answers)
    finally:
        await program.stop()


def _positions(events: Iterable[Event]) -> Iterator[tuple[int, Event, Table]]:
    """Yield the events that a replay shows, with their numbers and the tables after them."""
    table, at = Table(), -1
    for event in events:
        table = evolve(table, event)
        if is_shown(event):
            at += 1
            yield at, event, table


def _asked_seat(event: Event, table: Table, seat: int) -> AskedSeat | None:
    """Return the question that the event puts to the seat, or None."""
    if not isinstance(event, _ASKING) or seat not in pending_seats(table):
        return None
    own = view(table, seat)
    actions = legal(own, seat)
    is_fixed = table.hands[seat].riichi == Riichi.ACCEPTED and len(actions) == 1
    if not is_asked(own, actions) or (is_fixed and table.phase == Phase.TURN):
        return None
    return AskedSeat(own, seat, tuple(actions))


class _Seat:
    """One seat of the game, as the reviewer sees it."""

    def __init__(self, seat: int, player: ProgramPlayer, program: LimitedProgram) -> None:
        self._seat = seat
        self._player = player
        self._program = program
        self._lines = SeatLines(seat)
        self._last: AskedSeat | None = None
        """The last question on the own turn."""
        self._open: tuple[int, int] | None = None
        self._discards: dict[tuple[int, int], _Answer] = {}
        """Answers to the second step of riichi."""
        self._at = -1
        self._silent = 0

    async def take(self, event: Event) -> None:
        """Send an event to the reviewer. After the seat's own riichi, ask for the discard."""
        self._at += 1
        seen = redact(event, self._seat)
        for line in [] if seen is None else self._lines.lines(seen):
            await self._player.take(line)
        is_own = isinstance(event, RiichiDeclared) and event.actor == self._seat
        if is_own and self._last is not None and self._open is not None:
            second = self._last.after_riichi()
            action = second.read(await self._answer(second))
            if isinstance(action, DeclareRiichi):
                self._discards[self._open] = _Answer(action, riichi=True)

    async def ask(self, asked: AskedSeat) -> _Answer:
        """Return what the reviewer would do."""
        is_turn = asked.seen.phase == Phase.TURN
        if is_turn:
            self._last, self._open = asked, (self._at, self._seat)
        answer = await self._answer(asked)
        if is_turn:
            self._silent = 0 if answer is not None else self._silent + 1
            if self._silent >= _MAX_SILENT:
                raise ProgramFailed("slow", "no answers")
        found = asked.read(answer)
        if isinstance(found, RiichiAnnounced):
            return _Answer(self._discard_of(asked), riichi=True)
        return _Answer(None if isinstance(found, WrongAnswer) else found)

    def _discard_of(self, asked: AskedSeat) -> Action | None:
        """Return the riichi if the discard is known before the second step."""
        second = asked.after_riichi()
        announced = getattr(self._player, "discard", None)
        if isinstance(announced, dict) and announced.get("type") == "dahai":
            found = second.read(announced)
            return found if isinstance(found, DeclareRiichi) else None
        ways = [action for action in asked.actions if isinstance(action, DeclareRiichi)]
        return ways[0] if len({way.pai for way in ways}) == 1 else None

    async def _answer(self, asked: AskedSeat) -> dict[str, Any] | None:
        request = {"possible_actions": asked.options}
        return await self._player.ask(request, max(self._program.left_s, 0.01))

    async def finish(self, answers: dict[tuple[int, int], _Answer]) -> None:
        """Put the discards of the second steps into the answers."""
        for key, answer in self._discards.items():
            if answers[key].riichi:
                answers[key] = answer
