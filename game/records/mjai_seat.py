"""Writes the events of a running game as mjai, as one seat sees them. Pure.

The events must already be redacted for the seat: a tile that the seat may not see is `?`. Dora
indicators are written when the engine reveals them.
"""

from __future__ import annotations

from typing import Any, Final

from game.engine.events import (
    Discarded,
    Event,
    GameStarted,
    HandStarted,
    RiichiAccepted,
    RiichiDeclared,
    Won,
)
from game.engine.state import STICK_POINTS
from game.records.writing_mjai import event_lines

Line = dict[str, Any]
_HANCHAN: Final = 0
_TONPU: Final = 4


class SeatLines:
    """Converts the events that a seat sees to mjai, in order, from the start of the game or of a
    hand."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.riichi_announced = False
        """The seat has got the line of its own riichi, which is not declared at the table yet."""
        self._scores: list[int] = []

    def announce_riichi(self) -> Line:
        """Return the line for the seat's own riichi, which mjai announces before the discard is
        chosen. The line is not repeated when the riichi is declared at the table."""
        self.riichi_announced = True
        return {"type": "reach", "actor": self.seat}

    def lines(self, event: Event) -> list[Line]:
        """Return the mjai lines for one event. The list is empty if mjai has no such event."""
        match event:
            case GameStarted():
                return [self._start(event)]
            case HandStarted():
                self._scores = list(event.scores)
            case RiichiAccepted():
                self._scores[event.actor] -= STICK_POINTS
            case RiichiDeclared(actor=self.seat) if self.riichi_announced:
                return []
            case Discarded(actor=self.seat):
                self.riichi_announced = False
            case Won():
                (line,) = event_lines(event, self._scores)
                return [line | {"ura_markers": line["uradora_markers"]}]
        return event_lines(event, list(self._scores))

    def _start(self, event: GameStarted) -> Line:
        """Return `start_game` with the seat as `id`. The length of the game and the red fives have
        akochan's field names."""
        return {
            "type": "start_game",
            "id": self.seat,
            "names": list(event.names),
            "kyoku_first": _TONPU if event.rules.length == "east" else _HANCHAN,
            "aka_flag": any(event.rules.red_fives),
            "rules": event.rules.name,
        }
