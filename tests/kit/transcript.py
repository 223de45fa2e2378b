"""Writes the events of a table as lines of text, as a referee would note them.

Seats are called by their winds in the hand. Brackets contain offers to a seat and its answers,
which are hidden from the others. Turns without a call share a line; there, a wind in brackets could
have called the tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from game.engine import actions
from game.engine.actions import Action
from game.engine.events import (
    AnkanDeclared,
    Answered,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    Event,
    GameEnded,
    HandDrawn,
    HandEnded,
    HandStarted,
    KakanDeclared,
    NorthSetAside,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    WallUsedUp,
    Won,
)
from game.engine.tiles import kind_of
from tests.kit.tables import text_of

WINDS: Final = ("East", "South", "West", "North")
_ORDINALS: Final = {1: "first", 2: "second", 3: "third", 4: "fourth"}
_TURNS_PER_LINE: Final = 4
"""The number of plain turns on a line: one go-around."""


def round_name(kyoku: int) -> str:
    """Return a name such as East 1, South 4 or West 2."""
    return f"{WINDS[kyoku // 4 % 4]} {kyoku % 4 + 1}"


def counters_text(honba: int, sticks: int) -> str:
    return f"honba {honba}, sticks {sticks}"


def points_text(value: int) -> str:
    """Return a change of points as text, such as +1000."""
    return f"{value:+d}" if value else "0"


class Transcript:
    """Writes events as lines; seats are named by their winds, counted from `dealer`."""

    def __init__(self, dealer: int, players: int) -> None:
        self._dealer = dealer
        self._players = players
        self._winds = WINDS[:players]
        self._lines: list[str] = []
        self._plain: list[str] = []
        self._drawn: Drawn | None = None
        self._open: Discarded | None = None
        self._passing: list[Answered] = []

    def name(self, seat: int) -> str:
        return WINDS[(seat - self._dealer) % self._players]

    def names(self, bits: int) -> str:
        """Return the winds of the seats in the bit set `bits`, East first."""
        seats = [(self._dealer + place) % self._players for place in range(self._players)]
        return ", ".join(self.name(seat) for seat in seats if bits >> seat & 1)

    def by_wind(self, row: Sequence[int]) -> list[int]:
        """Reorder values by seat into the order of the winds."""
        return [row[(self._dealer + place) % self._players] for place in range(self._players)]

    def add_line(self, line: str) -> None:
        """Write a separate line."""
        self._flush_draw()
        self._flush_plain()
        self._lines.append(line)

    def text(self) -> str:
        self._flush_draw()
        self._flush_plain()
        return "\n".join(self._lines)

    def add_events(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, Answered) and self._open and event.action == actions.Pass():
                self._passing.append(event)
                continue
            if self._open:
                self._close_turn(is_let_by=isinstance(event, Drawn))
            if isinstance(event, Drawn) and not event.rinshan:
                self._flush_draw()
                self._drawn = event
            elif isinstance(event, Discarded) and self._is_plain(event):
                self._open = event
            else:
                self._flush_draw()
                for line in self._lines_of(event):
                    self.add_line(line)

    def _is_plain(self, event: Discarded) -> bool:
        return self._drawn is not None and event.tsumogiri and not (event.may_ron or event.waiting)

    def _close_turn(self, *, is_let_by: bool) -> None:
        """Write the line of a draw and discard; if everybody passed, it becomes part of a line of
        plain turns."""
        opened, passing = self._open, self._passing
        self._open, self._passing = None, []
        if opened is None:
            return
        if is_let_by or not opened.may_call:
            asked = f" ({self.names(opened.may_call)})" if opened.may_call else ""
            self._plain.append(f"{self.name(opened.actor)} {text_of([opened.pai])}{asked}")
            self._drawn = None
            if len(self._plain) == _TURNS_PER_LINE:
                self._flush_plain()
            return
        self._flush_draw()
        events: list[Event] = [opened, *passing]
        for event in events:
            for line in self._lines_of(event):
                self.add_line(line)

    def _flush_draw(self) -> None:
        self._close_turn(is_let_by=False)
        if self._drawn is not None:
            drawn, self._drawn = self._drawn, None
            self._flush_plain()
            self._lines.append(f"{self.name(drawn.actor)} draws {text_of([drawn.pai])}")

    def _flush_plain(self) -> None:
        if self._plain:
            self._lines.append("drawn and thrown: " + ", ".join(self._plain))
            self._plain = []

    def _lines_of(self, event: Event) -> list[str]:
        match event:
            case HandStarted():
                return self._start_lines(event)
            case Won():
                return self._win_lines(event)
            case HandDrawn():
                return self._draw_lines(event)
            case HandEnded():
                return []
            case GameEnded(scores=scores, placement=placement):
                rows = self._points_row(scores)
                seats = [(self._dealer + place) % self._players for place in range(self._players)]
                ranks = [
                    f"{self.name(seat)} {_ORDINALS[placement[seat][0]]} {placement[seat][1]:+.1f}"
                    for seat in seats
                ]
                return [f"the game is over: {rows}", "ranking: " + ", ".join(ranks)]
            case Answered(actor=seat, action=action):
                return [f"({self.name(seat)}: {action_words(action)})"]
            case DoraRevealed(dora_marker=pai):
                return [f"dora indicator {text_of([pai])}"]
            case WallUsedUp(may_show=bits):
                return [f"the wall is used up{_bracket(self.names(bits), 'may show')}"]
            case _:
                return [self._move_line(event)]

    def _move_line(self, event: Event) -> str:
        """Return the line of an action."""
        match event:
            case Drawn(actor=seat, pai=pai):
                return f"{self.name(seat)} draws {text_of([pai])} as a replacement"
            case Discarded(actor=seat, pai=pai, tsumogiri=thrown):
                how = " as drawn" if thrown else ""
                offers = self._offers_text(event.may_ron, event.may_call, event.waiting)
                return f"{self.name(seat)} discards {text_of([pai])}{how}{offers}"
            case RiichiDeclared(actor=seat, double=double):
                return f"{self.name(seat)} declares {'double ' * double}riichi"
            case RiichiAccepted(actor=seat):
                return f"{self.name(seat)} pays the stick"
            case ChiCalled() | PonCalled() | DaiminkanCalled():
                word = {ChiCalled: "chi", PonCalled: "pon", DaiminkanCalled: "kan"}[type(event)]
                liable = "".join(
                    f"; {self.name(event.target)} becomes liable for {name}"
                    for name in event.liable_for
                )
                return (
                    f"{self.name(event.actor)} calls {word} of {text_of([event.pai])} from "
                    f"{self.name(event.target)} with {text_of(event.consumed)}{liable}"
                )
            case AnkanDeclared(actor=seat, consumed=four):
                offers = self._offers_text(event.may_ron, 0, event.waiting)
                return f"{self.name(seat)} declares a closed kan {text_of(four)}{offers}"
            case NorthSetAside(actor=seat):
                offers = self._offers_text(event.may_ron, 0, event.waiting)
                return f"{self.name(seat)} sets a north aside{offers}"
            case KakanDeclared(actor=seat, pai=pai):
                offers = self._offers_text(event.may_ron, 0, event.waiting)
                return f"{self.name(seat)} adds {text_of([pai])} to its pon{offers}"
            case _:
                raise ValueError(f"no words for {event}")

    def _offers_text(self, may_ron: int, may_call: int, waiting: int) -> str:
        return (
            _bracket(self.names(may_ron), "may ron")
            + _bracket(self.names(waiting & ~may_ron), "may not ron")
            + _bracket(self.names(may_call), "may call")
        )

    def _points_row(self, row: Sequence[int]) -> str:
        values = zip(self._winds, self.by_wind(row), strict=True)
        return ", ".join(f"{wind} {value}" for wind, value in values)

    def _changes_text(self, row: Sequence[int]) -> str:
        values = zip(self._winds, self.by_wind(row), strict=True)
        return ", ".join(f"{wind} {points_text(value)}" for wind, value in values if value)

    def _start_lines(self, event: HandStarted) -> list[str]:
        kyoku = 4 * (kind_of(event.bakaze) - 27) + event.kyoku - 1
        counted = counters_text(event.honba, event.kyotaku)
        lines = [f"{round_name(kyoku)}, {counted}, dora indicator {text_of([event.dora_marker])}"]
        for place, wind in enumerate(self._winds):
            seat = (self._dealer + place) % self._players
            lines.append(f"{wind} {event.scores[seat]} {text_of(event.tehais[seat])}")
        return lines

    def _win_lines(self, event: Won) -> list[str]:
        tile = text_of([event.pai])
        how = (
            f"by self-draw with {tile}"
            if event.actor == event.target
            else f"on {tile} from {self.name(event.target)}"
        )
        worth = event.limit.replace("_", " ") or f"{event.fan} han {event.fu} fu"
        if event.limit and not event.yakuman:
            worth = f"{event.fan} han {event.fu} fu, {worth}"
        if event.yakuman > 1:
            worth = f"{event.yakuman} yakuman"
        yaku = ", ".join(f"{name} {han}" for name, han in event.yaku)
        lines = [f"{self.name(event.actor)} wins {how}: {text_of(event.tehai)} + {tile}"]
        if event.uradora_markers:
            lines.append(f"  ura dora indicators {text_of(event.uradora_markers)}")
        lines.append(f"  {yaku}: {worth}, {event.points}")
        if event.liable >= 0:
            lines.append(f"  {self.name(event.liable)} is liable")
        lines.append(f"  {self._changes_text(event.deltas)}")
        return [*lines, f"points: {self._points_row(event.scores)}"]

    def _draw_lines(self, event: HandDrawn) -> list[str]:
        who = f" by {self.name(event.actor)}" if event.actor >= 0 else ""
        lines = [f"the hand ends: {event.reason}{who}"]
        for place, wind in enumerate(self._winds):
            seat = (self._dealer + place) % self._players
            if event.tehais[seat] or event.tenpais[seat]:
                is_ready = "tenpai" if event.tenpais[seat] else "shown"
                lines.append(f"  {wind} {is_ready} {text_of(event.tehais[seat])}")
        if event.nagashi:
            lines.append("  nagashi mangan: " + ", ".join(map(self.name, event.nagashi)))
        lines.append(f"  {self._changes_text(event.deltas) or 'no points move'}")
        return [*lines, f"points: {self._points_row(event.scores)}"]


def action_words(action: Action) -> str:
    """Return an action in the words of golden games."""
    match action:
        case actions.Win():
            return "wins"
        case actions.Pass():
            return "passes"
        case actions.ShowTenpai():
            return "shows"
        case actions.DeclareKyushu():
            return "kyushu"
        case actions.StopGame():
            return "ends the game"
        case actions.Confirm():
            return "confirms"
        case actions.Discard(pai=pai, tsumogiri=thrown):
            return f"discards {text_of([pai])}{' as drawn' * thrown}"
        case actions.DeclareRiichi(pai=pai, tsumogiri=thrown):
            return f"riichi {text_of([pai])}{' as drawn' * thrown}"
        case actions.CallChi(consumed=run):
            return f"chi {text_of(run)}"
        case actions.CallPon(consumed=pair):
            return f"pon {text_of(pair)}"
        case actions.CallKan(consumed=three):
            return f"kan {text_of(three)}"
        case actions.SetNorthAside():
            return "north"
        case actions.DeclareAnkan(consumed=four):
            return f"ankan {text_of(four)}"
        case actions.DeclareKakan(pai=pai):
            return f"kakan {text_of([pai])}"


def _bracket(seats: str, what: str) -> str:
    return f" ({seats} {what})" if seats else ""
