"""Reads one hand of an mjlog, element by element."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from game.engine.by_seat import BySeat
from game.engine.events import Discarded, DoraRevealed, Drawn, RiichiAccepted, RiichiDeclared
from game.engine.rules import RuleSet
from game.engine.state import DEALS_PER_ROUND, SEATS, SEATS_OF
from game.engine.wall import LAYOUTS
from game.records.mjlog_codes import (
    NORTH_SET_ASIDE,
    call_event,
    decode_meld,
    parse_numbers,
    pon_code_of_kan,
    read_seat,
    tile_from_number,
    tiles_from_numbers,
)
from game.records.mjlog_results import read_agari, read_ryuukyoku
from game.records.recorded import (
    BadHand,
    CutOff,
    RecordedDraw,
    RecordedEvent,
    RecordedHand,
    RecordedWin,
    read_numbers_by_seat,
)
from game.records.recorded_wall import RecordedWall


class TileNumbers:
    """Tracks the position of each of the 136 numbered tiles in a recorded hand, and collects
    contradictions."""

    def __init__(self, wall: Sequence[int] | None) -> None:
        self.contradictions: list[tuple[int, str]] = []
        """Contradictions, each with the number of events of the hand before it."""
        self._wall = wall
        self._seen: set[int] = set()
        self._held: list[set[int]] = [set() for _ in SEATS]
        self._melds: list[list[int]] = [[] for _ in SEATS]
        """The codes of the calls and norths of each seat."""
        self._indicators: list[int] = []
        self._discarded = -1

    def note_first_seen(self, number: int) -> None:
        """Note that the tile appears for the first time. Raises ``ValueError`` if it has appeared
        before."""
        if number in self._seen:
            raise ValueError(f"tile {number} appears a second time")
        self._seen.add(number)

    def check_wall(self, number: int, place: int, at: int) -> None:
        """Check that the tile is at index `place` of the wall. `at` is the number of events of the
        hand so far."""
        if self._wall and self._wall[place] != number:
            self._add_contradiction(
                at, f"the wall of the seed has tile {self._wall[place]}, not {number}"
            )

    def take(self, seat: int, numbers: Iterable[int]) -> None:
        """Add tiles that the seat is dealt or draws."""
        self._held[seat].update(numbers)

    def note_indicator(self, number: int) -> None:
        self._indicators.append(number)

    def discard(self, seat: int, number: int, at: int) -> None:
        self._remove_from_hand(seat, (number,), at)
        self._discarded = number

    def call(self, seat: int, code: int, at: int) -> None:
        meld = decode_meld(code)
        self._remove_from_hand(seat, meld.from_hand, at)
        if meld.name in ("chi", "pon", "daiminkan") and meld.called != self._discarded:
            self._add_contradiction(
                at, f"tile {meld.called} is called, {self._discarded} was discarded last"
            )
        if meld.name == "kakan":
            pon = pon_code_of_kan(code)
            if pon in self._melds[seat]:
                self._melds[seat].remove(pon)
            else:
                self._add_contradiction(at, f"seat {seat} has no such pon")
        self._melds[seat].append(code)
        self._discarded = meld.called

    def win(
        self,
        seat: int,
        closed: Sequence[int],
        machi: int,
        melds: Sequence[int],
        shown: Sequence[int],
        at: int,
    ) -> None:
        """Check the tiles of a win: `closed` are the concealed tiles with the winning tile `machi`,
        `melds` the codes of the melds, `shown` the open indicators."""
        if others := set(closed) ^ (self._held[seat] | {machi}):
            self._add_contradiction(
                at, f"the winning hand and what seat {seat} holds: {sorted(others)}"
            )
        if sorted(melds) != sorted(self._melds[seat]):
            self._add_contradiction(at, f"the melds of seat {seat} are {self._melds[seat]}")
        if list(shown) != self._indicators:
            self._add_contradiction(at, f"the indicators that were turned are {self._indicators}")

    def _remove_from_hand(self, seat: int, numbers: Sequence[int], at: int) -> None:
        missing = [number for number in numbers if number not in self._held[seat]]
        if missing:
            self._add_contradiction(at, f"seat {seat} does not hold tile {missing[0]}")
        self._held[seat].difference_update(numbers)

    def _add_contradiction(self, at: int, what: str) -> None:
        self.contradictions.append((at, what))


_ATTRIBUTE: Final = re.compile(r"""\b(\w++)=["']([^"']*)["']""")
_DRAW_LETTERS: Final = "TUVW"
_DISCARD_LETTERS: Final = "DEFG"
_CALLS_WITH_REPLACEMENT: Final = ("daiminkan", "ankan", "kakan", NORTH_SET_ASIDE)
"""What a replacement tile follows."""
_IGNORED_ELEMENTS: Final = frozenset({"UN", "BYE", "FURITEN", "CHAT", "PROF", "RANKING"})
"""Elements within a hand that do not belong to the game: connections, chat, ranks."""

Attributes = dict[str, str]


class Element(NamedTuple):
    number: int
    name: str
    digits: str
    rest: str

    def attributes(self) -> Attributes:
        return dict(_ATTRIBUTE.findall(self.rest))

    def __str__(self) -> str:
        text = f"<{self.name}{self.digits}{self.rest}>"
        return f"element {self.number}, {text if len(text) < 100 else text[:97] + '...'}"


def read_mjlog_hand(
    number: int,
    elements: Sequence[Element],
    rules: RuleSet,
    wall: list[int] | None,
    *,
    is_last: bool,
) -> RecordedHand | BadHand:
    """Return the hand of these elements. The first one is INIT. `wall` is derived from the record's
    seed; None without a seed."""
    element = elements[0]
    try:
        reader = _Reader(number, element.attributes(), rules, wall)
        for element in elements[1:]:
            reader.read_element(element)
        return reader.finish()
    except CutOff as error:
        return BadHand(number, f"{element}: {error}", is_cut_off=is_last)
    except ValueError as error:
        return BadHand(number, f"{element}: {error}")
    except IndexError:
        return BadHand(number, f"{element}: a number in it is out of range")
    except KeyError as error:
        return BadHand(number, f"{element}: it has no {error}")


class _Reader:
    def __init__(
        self, number: int, begin: Attributes, rules: RuleSet, wall: list[int] | None
    ) -> None:
        self.number = number
        # The dice, the fourth and fifth, are left out in some copies.
        first, second, third, *_, marker = begin["seed"].split(",")
        self.kyoku, self.honba, self.kyotaku = int(first), int(second), int(third)
        self.players = rules.players
        if int(begin["oya"]) != self.kyoku % DEALS_PER_ROUND:
            raise ValueError(f"seat {begin['oya']} deals, in hand {self.kyoku} of the rounds")
        self.scores = read_numbers_by_seat(
            [100 * score for score in parse_numbers(begin["ten"])], self.players
        )
        self.has_reds = any(rules.red_fives)
        self.true_wall = wall
        self.recorded_wall = RecordedWall(rules, self.kyoku % DEALS_PER_ROUND)
        self.numbers = TileNumbers(wall)
        self.events: list[RecordedEvent] = []
        self.places: list[int] = []
        self.scores_after: list[tuple[int, BySeat[int]]] = []
        self.last_drawn = self.replaced_by = -1
        self.dora_marker = self._indicator(int(marker))
        self.tehais = tuple(
            [self._read_deal(seat, begin[f"hai{seat}"]) for seat in SEATS_OF[self.players]]
        )

    def _read_deal(self, seat: int, text: str) -> tuple[int, ...]:
        dealt = parse_numbers(text)
        tiles = [self._read_new_tile(number) for number in dealt]
        places = self.recorded_wall.deal(seat, tiles)
        self.numbers.take(seat, dealt)
        for number, place in zip(
            sorted(dealt), _sorted_by_tile(self.true_wall, places), strict=True
        ):
            self.numbers.check_wall(number, place, 0)
        return tuple(sorted(tiles))

    def _read_new_tile(self, number: int) -> int:
        tile = tile_from_number(number, self.has_reds)
        self.numbers.note_first_seen(number)
        return tile

    def _indicator(self, number: int) -> int:
        marker = self._read_new_tile(number)
        self.numbers.note_indicator(number)
        self.numbers.check_wall(
            number, self.recorded_wall.place_indicator(marker), len(self.events)
        )
        return marker

    def read_element(self, element: Element) -> None:
        """Read the next element. Raises ``ValueError`` or ``KeyError`` if it is invalid."""
        name, digits = element.name, element.digits
        if name in _IGNORED_ELEMENTS:
            return
        if not digits:
            recorded = self._read_event(name, element.attributes())
        elif element.rest.strip() not in ("/", ""):
            raise ValueError("the element is damaged")
        elif name in _DRAW_LETTERS and len(name) == 1:
            recorded = self._read_draw(_DRAW_LETTERS.index(name), int(digits))
        elif name in _DISCARD_LETTERS and len(name) == 1:
            recorded = self._read_discard(_DISCARD_LETTERS.index(name), int(digits))
        else:
            raise ValueError("unknown element")
        self.events.append(recorded)
        self.places.append(element.number)

    def _read_event(self, name: str, found: Attributes) -> RecordedEvent:
        match name:
            case "N":
                return self._read_call(read_seat(found["who"], self.players), int(found["m"]))
            case "DORA":
                return DoraRevealed(self._indicator(int(found["hai"])))
            case "REACH":
                return self._read_riichi(found)
            case "AGARI":
                return self._read_win(found)
            case "RYUUKYOKU":
                return read_ryuukyoku(found, self.has_reds, self.players)
            case "T" | "U" | "V" | "W":
                raise ValueError("tiles are hidden: the log of one seat, not of the table")
            case _:
                raise ValueError("unknown element")

    def _read_call(self, seat: int, code: int) -> RecordedEvent:
        meld = decode_meld(code)
        self.numbers.call(seat, code, len(self.events))
        self.last_drawn = -1
        self.replaced_by = seat if meld.name in _CALLS_WITH_REPLACEMENT else -1
        return call_event(seat, meld, self.has_reds)

    def _read_win(self, found: Attributes) -> RecordedWin:
        win = read_agari(found, self.has_reds, self.players)
        at = len(self.events)
        closed, melds = parse_numbers(found["hai"]), parse_numbers(found.get("m", ""))
        machi, shown = int(found["machi"]), parse_numbers(found["doraHai"])
        self.numbers.win(win.actor, closed, machi, melds, shown, at)
        self.recorded_wall.place_ura(win.ura or ())
        indicators = LAYOUTS[self.players].indicators
        for place, number in zip(
            indicators, parse_numbers(found.get("doraHaiUra", "")), strict=False
        ):
            self.numbers.check_wall(number, place - 1, at)
        return win

    def _read_riichi(self, found: Attributes) -> RiichiDeclared | RiichiAccepted:
        seat, step = read_seat(found["who"], self.players), found["step"]
        if step == "1":
            return RiichiDeclared(seat)
        if step != "2":
            raise ValueError(f"unknown step {step!r} of a riichi")
        if "ten" in found:
            scores = read_numbers_by_seat(
                [100 * score for score in parse_numbers(found["ten"])], self.players
            )
            self.scores_after.append((len(self.events), scores))
        return RiichiAccepted(seat)

    def _read_draw(self, seat: int, number: int) -> Drawn:
        tile = self._read_new_tile(number)
        is_replacement = self.replaced_by == seat
        place = self.recorded_wall.draw(tile, rinshan=is_replacement)
        self.numbers.check_wall(number, place, len(self.events))
        self.numbers.take(seat, (number,))
        self.replaced_by = -1
        self.last_drawn = number
        return Drawn(seat, tile, is_replacement)

    def _read_discard(self, seat: int, number: int) -> Discarded:
        tsumogiri = number == self.last_drawn
        self.last_drawn = -1
        self.numbers.discard(seat, number, len(self.events))
        return Discarded(seat, tile_from_number(number, self.has_reds), tsumogiri)

    def finish(self) -> RecordedHand:
        """Return the hand after its last element. Raises `CutOff` if the record lacks the hand's
        result."""
        if not self.events or not isinstance(self.events[-1], RecordedWin | RecordedDraw):
            raise CutOff("the hand has no end")
        wall = self.recorded_wall.wall()
        if self.true_wall:
            wall = bytes(tiles_from_numbers(self.true_wall, self.has_reds))
        return RecordedHand(
            number=self.number,
            kyoku=self.kyoku,
            honba=self.honba,
            kyotaku=self.kyotaku,
            scores=self.scores,
            dora_marker=self.dora_marker,
            tehais=self.tehais,
            wall=wall,
            events=tuple(self.events),
            places=tuple(self.places),
            scores_after=tuple(self.scores_after),
            contradictions=tuple(self.numbers.contradictions),
        )


def _sorted_by_tile(wall: Sequence[int] | None, places: Sequence[int]) -> list[int]:
    """Return the places sorted by their tiles, because the record lists dealt tiles in any
    order."""
    return sorted(places, key=lambda place: wall[place] if wall else 0)
