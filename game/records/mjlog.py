"""Reads Tenhou's mjlog: XML, plain or gzip.

The files are not always well formed, so elements are found by a pattern and not by an XML
parser. Numbers of elements count from 1, the root element included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from game.engine.events import (
    Discarded,
    DoraRevealed,
    Drawn,
    RiichiAccepted,
    RiichiDeclared,
)
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import SEATS
from game.records.laying import Laying
from game.records.mjlog_codes import call_of, four, numbers, tile_of, tiles_of
from game.records.mjlog_results import draw_of, win_of
from game.records.recorded import (
    BadHand,
    RecordedDraw,
    RecordedGame,
    RecordedHand,
    RecordedWin,
    RecordError,
    Told,
    UnsupportedRecord,
)
from game.records.tenhou_walls import SEED_PREFIX, TenhouWalls

NO_REDS, NO_KUITAN, HANCHAN, THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10
_KNOWN_BITS: Final = 0xFF
_ANOTHER_SPEED: Final = 0x1000
_TAG: Final = re.compile(r"<([A-Za-z]+)(\d*)([^<>]*)>")
_ATTRIBUTE: Final = re.compile(r'(\w+)="([^"]*)"')
_DRAWS: Final = "TUVW"
_DISCARDS: Final = "DEFG"
_BETWEEN_HANDS: Final = frozenset({"mjloggm", "SHUFFLE", "GO", "UN", "TAIKYOKU", "BYE"})
_OF_NO_ACCOUNT: Final = frozenset({"UN", "BYE", "FURITEN"})
"""Elements within a hand that say nothing of the game: players gone and back."""

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


def is_mjlog(text: str) -> bool:
    """Whether the text looks like an mjlog, its head perhaps missing."""
    return "<mjloggm" in text[:500] or "<INIT " in text[:20_000] or "<GO " in text[:20_000]


def read(text: str) -> RecordedGame:
    """The game in this text. Raises `RecordError`, or `UnsupportedRecord` for a table of
    another kind."""
    elements = [Element(number, *found) for number, found in enumerate(_TAG.findall(text), start=1)]
    begin = [at for at, element in enumerate(elements) if element.name == "INIT"]
    if not begin:
        raise RecordError("there is no hand in it: no INIT element")
    head = {element.name: element.attributes() for element in elements[: begin[0]]}
    if unknown := head.keys() - _BETWEEN_HANDS:
        raise RecordError(f"unknown element {min(unknown)} before the first hand")
    rules = _rules(head)
    walls = _walls(head.get("SHUFFLE", {}).get("seed", ""))
    hands: list[RecordedHand | BadHand] = []
    for number, (at, end) in enumerate(zip(begin, [*begin[1:], None], strict=True)):
        wall = walls.next() if walls else None
        hands.append(_hand(number, elements[at:end], rules, wall))
    owari = elements[-1].attributes().get("owari") or _owari(elements)
    game = RecordedGame("mjlog", "element", rules, tuple(hands))
    game = replace(game, plays_on=_plays_on(head, elements[begin[0]]))
    return _with_end(game, owari) if owari else game


def _owari(elements: Sequence[Element]) -> str:
    """The final scores, of which nothing but players' leave may stand behind."""
    found = [element.attributes().get("owari", "") for element in elements[-10:]]
    return next(filter(None, found), "")


def _rules(head: dict[str, Attributes]) -> RuleSet:
    try:
        kind = int(head["GO"]["type"])
    except (KeyError, ValueError):
        raise RecordError("the kind of table is not told: no GO element with a type") from None
    if kind & THREE_PLAYERS:
        raise UnsupportedRecord("not four-player riichi: three players")
    if kind & ~_KNOWN_BITS & ~_ANOTHER_SPEED or head["GO"].keys() & {"rule", "csrule"}:
        raise UnsupportedRecord(f"a table with rules of its own (type {kind})")
    return replace(
        TENHOU,
        length="east_south" if kind & HANCHAN else "east",
        red_fives=(0, 0, 0) if kind & NO_REDS else (1, 1, 1),
        kuitan=not kind & NO_KUITAN,
    )


def _walls(seed: str) -> TenhouWalls | None:
    if not seed.startswith(SEED_PREFIX):
        return None
    try:
        return TenhouWalls(seed)
    except ValueError as error:
        raise RecordError(str(error)) from None


def _plays_on(head: dict[str, Attributes], first: Element) -> str:
    """Why the game may go on where the bits say that it ends."""
    if head["GO"].get("lobby", "0") not in ("", "0"):
        return f"a private table, lobby {head['GO']['lobby']}"
    if "shuffle" in first.attributes():
        return "a game of 2009"
    return ""


def _with_end(game: RecordedGame, owari: str) -> RecordedGame:
    """The game with its final scores. Older ones round the points, newer ones do not."""
    try:
        parts = [float(part) for part in owari.split(",")]
        scores = four([round(100 * score) for score in parts[0:8:2]])
    except ValueError:
        raise RecordError(f"the final scores cannot be read: owari={owari!r}") from None
    points = tuple(parts[1:8:2])
    rules = game.rules
    if any(point % 1 for point in points):
        rules = replace(rules, rounding="none")
    return replace(game, rules=rules, is_over=True, final_scores=scores, final_points=points)


def _hand(
    number: int, elements: Sequence[Element], rules: RuleSet, wall: list[int] | None
) -> RecordedHand | BadHand:
    element = elements[0]
    try:
        reader = _Reader(number, element.attributes(), rules, wall)
        for element in elements[1:]:
            reader.take(element)
        return reader.finished()
    except (ValueError, IndexError) as error:
        return BadHand(number, f"{element}: {error}")
    except KeyError as error:
        return BadHand(number, f"{element}: it has no {error}")


class _Reader:
    """Reads the elements of one hand."""

    def __init__(
        self, number: int, begin: Attributes, rules: RuleSet, wall: list[int] | None
    ) -> None:
        self.number = number
        # The dice, the fourth and fifth, are left out in some copies.
        first, second, third, *_, sixth = begin["seed"].split(",")
        self.kyoku, self.honba, self.kyotaku = int(first), int(second), int(third)
        self.scores = four([100 * score for score in numbers(begin["ten"])])
        self.rules = rules
        self.has_reds = rules.red_fives[0] > 0
        self.true_wall = wall
        self.laying = Laying(rules, self.kyoku % 4)
        if int(begin["oya"]) != self.kyoku % 4:
            raise ValueError(f"seat {begin['oya']} deals, in hand {self.kyoku} of the rounds")
        self.seen: set[int] = set()
        self.dora_marker = self.first_seen(int(sixth))
        self.laying.indicator(self.dora_marker)
        self.tehais = tuple([self._dealt(seat, begin[f"hai{seat}"]) for seat in SEATS])
        self.story: list[Told] = []
        self.places: list[int] = []
        self.scores_after: list[tuple[int, tuple[int, int, int, int]]] = []
        self.last_drawn = self.last_thrown = self.kan_by = -1

    def _dealt(self, seat: int, text: str) -> tuple[int, ...]:
        tiles = [self.first_seen(number) for number in numbers(text)]
        self.laying.deal(seat, tiles)
        return tuple(sorted(tiles))

    def first_seen(self, number: int) -> int:
        """The tile of this number, which turns up for the first time."""
        tile = tile_of(number, self.has_reds)
        if number in self.seen:
            raise ValueError(f"tile {number} turns up a second time")
        self.seen.add(number)
        return tile

    def take(self, element: Element) -> None:
        name, digits = element.name, element.digits
        if digits:
            if element.rest.strip() not in ("/", ""):
                raise ValueError("the element is damaged")
            if name in _DRAWS:
                return self._tell(element, self._draw(_DRAWS.index(name), int(digits)))
            if name in _DISCARDS:
                return self._tell(element, self._discard(_DISCARDS.index(name), int(digits)))
        elif name in _OF_NO_ACCOUNT:
            return None
        else:
            for told in self._told(name, element.attributes()):
                self._tell(element, told)
            return None
        raise ValueError("unknown element")

    def _tell(self, element: Element, told: Told) -> None:
        self.story.append(told)
        self.places.append(element.number)

    def _told(self, name: str, found: Attributes) -> Iterator[Told]:
        match name:
            case "N":
                call, is_kan = call_of(
                    int(found["who"]), int(found["m"]), self.last_thrown, self.has_reds
                )
                self.last_drawn = -1
                self.kan_by = call.actor if is_kan else -1
                yield call
            case "DORA":
                marker = self.first_seen(int(found["hai"]))
                self.laying.indicator(marker)
                yield DoraRevealed(marker)
            case "REACH":
                yield self._riichi(found)
            case "AGARI":
                win = win_of(found, self.has_reds)
                self.laying.ura(win.ura or ())
                yield win
            case "RYUUKYOKU":
                yield draw_of(found, self.has_reds)
            case "T" | "U" | "V" | "W" | "e" | "f" | "g":
                raise ValueError("tiles are hidden: the log of one seat, not of the table")
            case _:
                raise ValueError("unknown element")

    def _riichi(self, found: Attributes) -> RiichiDeclared | RiichiAccepted:
        seat, step = int(found["who"]), found["step"]
        if step == "1":
            return RiichiDeclared(seat)
        if step != "2":
            raise ValueError(f"unknown step {step!r} of a riichi")
        if "ten" in found:
            scores = four([100 * score for score in numbers(found["ten"])])
            self.scores_after.append((len(self.story), scores))
        return RiichiAccepted(seat)

    def _draw(self, seat: int, number: int) -> Drawn:
        tile = self.first_seen(number)
        is_replacement = self.kan_by == seat
        self.laying.draw(tile, rinshan=is_replacement)
        self.kan_by = -1
        self.last_drawn = number
        return Drawn(seat, tile, is_replacement)

    def _discard(self, seat: int, number: int) -> Discarded:
        tsumogiri = number == self.last_drawn
        self.last_drawn, self.last_thrown = -1, number
        return Discarded(seat, tile_of(number, self.has_reds), tsumogiri)

    def finished(self) -> RecordedHand:
        if not self.story or not isinstance(self.story[-1], RecordedWin | RecordedDraw):
            raise ValueError("the hand has no end")
        wall = self.laying.wall()
        if self.true_wall:
            wall = bytes(tiles_of(self.true_wall, self.has_reds))
        return RecordedHand(
            number=self.number,
            kyoku=self.kyoku,
            honba=self.honba,
            kyotaku=self.kyotaku,
            scores=self.scores,
            dora_marker=self.dora_marker,
            tehais=self.tehais,
            wall=wall,
            story=tuple(self.story),
            places=tuple(self.places),
            scores_after=tuple(self.scores_after),
        )
