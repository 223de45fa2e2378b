"""Checks that every tile of a hand comes from the wall of its seed.

Knows turns and melds. Must not know values of hands or legal moves: `game.records.validate` checks
these. `static/fair/check_wall.py`, `static/fair/check_wall.mjs` and `static/js/wall/verify.js` make
the same checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    KakanDeclared,
    NorthSetAside,
    PonCalled,
)
from game.engine.state import DEALS_PER_ROUND
from game.engine.tiles import TILE_TO_TEXT
from game.engine.wall import LAYOUTS, shuffled_wall
from game.records.mjai import START_TYPES
from game.records.recorded import (
    BadHand,
    OwnMark,
    RecordedDraw,
    RecordedEvent,
    RecordedGame,
    RecordedWin,
)

_CONSUMED_BY_CALL: Final = {"chi": 2, "pon": 2, "daiminkan": 3}
"""The calls, with how many tiles of the own hand they need."""
_CONSUMED_BY_OWN_KAN: Final = {"ankan": 4, "kakan": 3}
_CALL_NAMES: Final = {ChiCalled: "chi", PonCalled: "pon", DaiminkanCalled: "daiminkan"}
STOPS_INSIDE_HAND: Final = "the record stops inside a hand"
_RANKS: Final = "123456789"
_NORTH: Final = "N"
_MUST_DRAW, _HAS_DRAWN, _HAS_CALLED, _OVER, _CLOSED = range(5)


def _require(fits: bool, what: str) -> None:
    if not fits:
        raise ValueError(what)


class HandWallCheck:
    """One hand, played on the wall of the seed. All methods raise ``ValueError`` for a tile that
    does not come from this wall. Tiles are texts, as in mjai."""

    def __init__(
        self, mark: OwnMark, hand: int, dealer: int, rows: Sequence[Sequence[str]], marker: str
    ) -> None:
        """Begin hand number `hand` of the record with this mark. `rows` are the dealt tiles by
        seat, `marker` the first dora indicator."""
        wall = [TILE_TO_TEXT[tile] for tile in shuffled_wall(mark.rules, mark.seed, hand)]
        layout, players = LAYOUTS[mark.rules.players], mark.rules.players
        first, last = layout.first_draw, layout.first_draw - layout.live
        self._players = players
        self._live = [wall[place] for place in range(first, last, -1)]
        self._replacements = [wall[place] for place in layout.replacements]
        self._indicators = [wall[place] for place in layout.indicators]
        self._ura = [wall[place - 1] for place in layout.indicators]
        dealt = [layout.deal[(seat - dealer) % players] for seat in range(players)]
        self._hands = [[wall[place] for place in places] for places in dealt]
        self._pons: list[tuple[int, list[str]]] = []
        self._turn, self._step = dealer, _MUST_DRAW
        self._is_replacement = False
        self._last = ""
        """The tile that was drawn, discarded or called last."""
        self._open_by = -1
        """The seat whose tile others may take, or -1."""
        is_dealt = [sorted(row) for row in rows] == [sorted(hand) for hand in self._hands]
        _require(is_dealt, "the deal")
        self.reveal_indicator(marker)

    def seat_of(self, value: Any) -> int:
        """Return the value if it is a seat. Raises ``TypeError`` otherwise."""
        return _require_seat(value, self._players)

    @property
    def is_over(self) -> bool:
        """Whether the record contains the result of the hand."""
        return self._step in (_OVER, _CLOSED)

    @property
    def is_closed(self) -> bool:
        """Whether the record says that nothing follows the result."""
        return self._step == _CLOSED

    def reveal_indicator(self, tile: str) -> None:
        """Turn an indicator."""
        _require(self._indicators[:1] == [tile], "the dora")
        del self._indicators[0]

    def draw(self, seat: int, tile: str) -> None:
        """Draw a tile, or a replacement tile after a kan or north."""
        self._require_turn(seat, _MUST_DRAW)
        tiles = self._replacements if self._is_replacement else self._live
        _require(tiles[:1] == [tile], "the draw")
        self._hands[seat].append(tiles.pop(0))
        self._step, self._is_replacement = _HAS_DRAWN, False
        self._last, self._open_by = tile, -1

    def discard(self, seat: int, tile: str, *, tsumogiri: bool) -> None:
        """Discard a tile; `tsumogiri` if it is the drawn one."""
        self._require_turn(seat, _HAS_DRAWN, _HAS_CALLED)
        is_drawn = self._step == _HAS_DRAWN and tile == self._last
        _require(is_drawn or not tsumogiri, "the tile")
        self._remove(seat, tile)
        self._turn, self._step = (seat + 1) % self._players, _MUST_DRAW
        self._last, self._open_by = tile, seat

    def call(self, kind: str, seat: int, target: int, tile: str, consumed: list[str]) -> None:
        """Take the open tile of another seat."""
        _require(self._open_by == target != seat, "the turn")
        _require(kind != "chi" or seat == self._turn, "the turn")
        _require(tile == self._last, "the tile")
        _require(_is_meld(kind, consumed, tile), "the meld")
        self._remove(seat, *consumed)
        if kind == "pon":
            self._pons.append((seat, sorted([tile, *consumed])))
        self._turn, self._open_by = seat, -1
        self._is_replacement = kind == "daiminkan"
        self._step = _MUST_DRAW if self._is_replacement else _HAS_CALLED

    def kan(self, kind: str, seat: int, tile: str, consumed: list[str]) -> None:
        """Declare a closed kan, or add the tile to a pon."""
        self._require_turn(seat, _HAS_DRAWN)
        _require(_is_meld(kind, consumed, tile), "the meld")
        if kind == "kakan":
            pon = (seat, sorted(consumed))
            _require(pon in self._pons, "the kan")
            self._pons.remove(pon)
        self._remove(seat, *([tile] if kind == "kakan" else consumed))
        self._step, self._is_replacement = _MUST_DRAW, True
        self._last, self._open_by = tile, seat

    def set_aside(self, seat: int, tile: str) -> None:
        """Set a north aside."""
        self._require_turn(seat, _HAS_DRAWN)
        _require(tile == _NORTH, "the tile")
        self._remove(seat, tile)
        self._step, self._is_replacement = _MUST_DRAW, True
        self._last, self._open_by = tile, seat

    def win(
        self,
        seat: int,
        target: int,
        tile: str | None = None,
        hand: Sequence[str] | None = None,
        ura: Sequence[str] | None = None,
    ) -> None:
        """Win with `tile`, the concealed tiles `hand` and the ura indicators `ura`. None for a
        value that the record does not contain."""
        _require(tile in (None, self._last), "the tile")
        if seat == target:
            self._require_turn(seat, _HAS_DRAWN)
            hidden = [self._last]
        else:
            _require(self._open_by == target and self._step in (_MUST_DRAW, _OVER), "the turn")
            hidden = []
        if hand is not None:
            _require(sorted([*hidden, *hand]) == sorted(self._hands[seat]), "the hand")
        if ura is not None:
            _require([*ura] == self._ura[: len(ura)], "the ura dora")
        self._step = _OVER

    def end_without_a_win(self, rows: Sequence[Sequence[str] | None] | None) -> None:
        """End the hand without a winner. A row is None, empty or hidden for a hand that stays
        closed; `rows` is None if the record does not contain hands."""
        _require(self._step != _OVER, "the turn")
        _require(rows is None or len(rows) == self._players, "a hand")
        for seat, row in enumerate(rows or ()):
            is_hidden = row is None or all(tile == "?" for tile in row)
            _require(is_hidden or sorted(row or ()) == sorted(self._hands[seat]), "a hand")
        self._step, self._open_by = _OVER, -1

    def close(self) -> None:
        """Note that nothing follows the result."""
        _require(self._step == _OVER, "the hand has no result")
        self._step = _CLOSED

    def _require_turn(self, seat: int, *steps: int) -> None:
        _require(seat == self._turn and self._step in steps, "the turn")

    def _remove(self, seat: int, *tiles: str) -> None:
        for tile in tiles:
            _require(tile in self._hands[seat], "a tile")
            self._hands[seat].remove(tile)


def _is_meld(kind: str, consumed: list[str], tile: str) -> bool:
    """Return whether these tiles are a meld of that kind."""
    if len(consumed) != (_CONSUMED_BY_CALL | _CONSUMED_BY_OWN_KAN)[kind]:
        return False
    kinds = sorted([text[:2] for text in (tile, *consumed)])
    if kind != "chi":
        return len(set(kinds)) == 1
    return len({text[1:] for text in kinds}) == 1 and "".join([k[0] for k in kinds]) in _RANKS


class FollowResult(msgspec.Struct):
    """How many hands of a record were checked, and the contradictions to the walls."""

    hands: int = 0
    is_over: bool = False
    """The record contains the end of the game."""
    problems: list[str] = []


def follow_mjai(events: Sequence[Any], mark: OwnMark) -> FollowResult:
    """Check these mjai events, up to the first that contradicts the walls of the seed. Accepts only
    the form in which this site writes mjai."""
    found = FollowResult()
    play: HandWallCheck | None = None
    number = 0
    try:
        for number, event in enumerate(events, start=1):  # noqa: B007 (it names the line below)
            kind = event["type"]
            if found.is_over:
                raise ValueError("something follows the end of the game")
            if play is not None and not play.is_closed:
                _follow_event(play, kind, event)
            elif kind == "start_kyoku":
                rows = [_require_row(row) for row in _require_row(event["tehais"])]
                dealer, marker = (
                    _require_seat(event["oya"], mark.rules.players),
                    event["dora_marker"],
                )
                play = HandWallCheck(mark, found.hands, dealer, rows, marker)
                found.hands += 1
            elif kind == "end_game":
                found.is_over = True
            elif play is not None or kind not in START_TYPES:
                raise ValueError(f"{kind!r} is not an event between hands")
    except ValueError as error:
        found.problems.append(f"line {number}: {error}")
    except (KeyError, TypeError, IndexError, AttributeError):
        found.problems.append(f"line {number} is damaged")
    else:
        if play is None or not play.is_closed:
            found.problems.append(STOPS_INSIDE_HAND)
    return found


def _follow_event(play: HandWallCheck, kind: Any, event: Any) -> None:
    if kind in ("start_kyoku", "end_game"):
        raise ValueError(STOPS_INSIDE_HAND)
    match kind:
        case "end_kyoku":
            play.close()
        case "hora":
            seats = play.seat_of(event["actor"]), play.seat_of(event["target"])
            tile, hand = _require_text(event["pai"]), _require_row(event["hora_tehais"])
            play.win(*seats, tile, hand, _require_row(event["uradora_markers"]))
        case _ if play.is_over:
            raise ValueError(f"{kind!r} after the result")
        case "ryukyoku":
            play.end_without_a_win([_require_row(row) for row in _require_row(event["tehais"])])
        case "tsumo":
            play.draw(play.seat_of(event["actor"]), event["pai"])
        case "dahai":
            if not isinstance(event["tsumogiri"], bool):
                raise TypeError
            play.discard(play.seat_of(event["actor"]), event["pai"], tsumogiri=event["tsumogiri"])
        case "dora":
            play.reveal_indicator(event["dora_marker"])
        case "chi" | "pon" | "daiminkan":
            seats = play.seat_of(event["actor"]), play.seat_of(event["target"])
            play.call(kind, *seats, event["pai"], _require_row(event["consumed"]))
        case "ankan" | "kakan":
            consumed = _require_row(event["consumed"])
            tile = event["pai"] if kind == "kakan" else consumed[0]
            play.kan(kind, play.seat_of(event["actor"]), tile, consumed)
        case "kita":
            play.set_aside(play.seat_of(event["actor"]), event["pai"])
        case "reach" | "reach_accepted":
            play.seat_of(event["actor"])
        case _:
            raise ValueError(f"{kind!r} is not an event of a hand")


def _require_seat(value: Any, players: int) -> int:
    if type(value) is not int or not 0 <= value < players:
        raise TypeError
    return value


def _require_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _require_row(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError
    return value


def follow_hands(game: RecordedGame, mark: OwnMark) -> FollowResult:
    """Check the hands of a record of any format. Values that the record does not contain are
    skipped."""
    found = FollowResult(len(game.hands), game.is_over)
    for hand in game.hands:
        if isinstance(hand, BadHand):
            found.problems.append(f"hand {hand.number}, {hand.fault}")
            continue
        at, dealer = 0, hand.kyoku % DEALS_PER_ROUND
        try:
            rows = [_tile_texts(row or ()) for row in hand.tehais]
            play = HandWallCheck(mark, hand.number, dealer, rows, TILE_TO_TEXT[hand.dora_marker])
            for marker in (hand.indicators or ())[1:]:
                play.reveal_indicator(TILE_TO_TEXT[marker])
            for at, event in enumerate(hand.events):  # noqa: B007 (it names the place below)
                _follow_recorded(play, event)
            found.problems += [f"hand {hand.number}: {what}" for _, what in hand.contradictions]
            if hand.broken_off or not play.is_over:
                found.problems.append(f"hand {hand.number}: {STOPS_INSIDE_HAND}")
        except ValueError as error:
            place = f"{game.unit} {hand.places[at]}" if at < len(hand.places) else ""
            found.problems.append(f"hand {hand.number}, {place}: {error}")
    return found


def _follow_recorded(play: HandWallCheck, event: RecordedEvent) -> None:
    match event:
        case RecordedWin(actor=seat, target=target, pai=pai, tehai=tehai, ura=ura):
            tile = None if pai is None else TILE_TO_TEXT[pai]
            play.win(
                *(seat, target, tile),
                None if tehai is None else _tile_texts(tehai),
                None if ura is None else _tile_texts(ura),
            )
        case _ if play.is_over:
            raise ValueError("an event after the result")
        case RecordedDraw(tehais=rows):
            play.end_without_a_win(
                None if rows is None else [_tile_texts(row or ()) for row in rows]
            )
        case Drawn():
            play.draw(event.actor, TILE_TO_TEXT[event.pai])
        case Discarded():
            play.discard(event.actor, TILE_TO_TEXT[event.pai], tsumogiri=event.tsumogiri)
        case DoraRevealed():
            play.reveal_indicator(TILE_TO_TEXT[event.dora_marker])
        case ChiCalled() | PonCalled() | DaiminkanCalled():
            kind = _CALL_NAMES[type(event)]
            tile, consumed = TILE_TO_TEXT[event.pai], _tile_texts(event.consumed)
            play.call(kind, event.actor, event.target, tile, consumed)
        case AnkanDeclared():
            consumed = _tile_texts(event.consumed)
            play.kan("ankan", event.actor, consumed[0], consumed)
        case KakanDeclared():
            play.kan("kakan", event.actor, TILE_TO_TEXT[event.pai], _tile_texts(event.consumed))
        case NorthSetAside():
            play.set_aside(event.actor, TILE_TO_TEXT[event.pai])


def _tile_texts(tiles: Sequence[int]) -> list[str]:
    return [TILE_TO_TEXT[tile] for tile in tiles]
