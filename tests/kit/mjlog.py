"""Reads games recorded by Tenhou (mjlog), as far as it takes to play them again.

A recorded hand becomes the wall that gives those tiles, and the list of what happened, in
words that the engine's events can be put into as well: `told`.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from game.engine import events as facts
from game.engine.events import Event
from game.engine.rules import TENHOU, RuleSet
from game.engine.wall import TILES, tile_set

Attributes = dict[str, str]
Word = tuple[Any, ...]

HANCHAN, NO_REDS, NO_KUITAN, THREE_PLAYERS, USUAL_BITS = 0x08, 0x02, 0x04, 0x10, 0xFF
_REDS: Final = (16, 52, 88)
_DEAL: Final = tuple(
    tuple(
        [TILES - 1 - 16 * turn - 4 * place - number for turn in range(3) for number in range(4)]
        + [TILES - 49 - place]
    )
    for place in range(4)
)
_REPLACEMENTS: Final = (1, 0, 3, 2)
_TAG: Final = re.compile(r"<([A-Za-z]+)(\d*)([^>]*)>")
_ATTRIBUTE: Final = re.compile(r'(\w+)="([^"]*)"')
_REASONS: Final = {
    "": "exhaustive",
    "nm": "nagashi_mangan",
    "yao9": "kyushu_kyuhai",
    "kaze4": "sufon_renda",
    "reach4": "sucha_riichi",
    "kan4": "sukaikan",
    "ron3": "sanchaho",
}


def tile_of(number: int) -> int:
    """Tenhou's tile 0..135 as a tile of the engine, red fives in play."""
    return number // 4 * 2 + (number in _REDS)


@dataclass
class Hand:
    """One recorded hand."""

    kyoku: int
    honba: int
    kyotaku: int
    scores: tuple[int, ...]
    wall: bytes = b""
    story: list[Word] = field(default_factory=list)
    """What happened, in the words of `told`."""
    results: list[Attributes] = field(default_factory=list)
    reason: str = ""
    """Why it was drawn; empty if it was won."""


@dataclass
class Game:
    """One recorded game. The older ones round the final points, the newer ones do not."""

    rules: RuleSet
    hands: list[Hand] = field(default_factory=list)
    owari: tuple[float, ...] = ()
    """By seat the final score in hundreds and the points."""


def read(path: Path) -> Game | None:
    """The game in that file; None if it is of a kind that is not replayed: three players,
    no red fives, no open tanyao, special tables."""
    raw = path.read_bytes()
    if raw.startswith(b"\x1f\x8b"):
        raw = gzip.decompress(raw)
    tags = [
        (name, digits, dict(_ATTRIBUTE.findall(rest)))
        for name, digits, rest in _TAG.findall(raw.decode("utf-8", "replace"))
    ]
    (kind,) = (int(found["type"]) for name, _, found in tags if name == "GO")
    if kind & (NO_REDS | NO_KUITAN | THREE_PLAYERS) or kind & ~USUAL_BITS:
        return None
    game = Game(TENHOU if kind & HANCHAN else RuleSet(length="east"))
    begin = [at for at, tag in enumerate(tags) if tag[0] == "INIT"]
    for at, end in zip(begin, [*begin[1:], len(tags)], strict=True):
        hand, last = _hand(tags[at:end])
        game.hands.append(hand)
        if "owari" in last:
            game.owari = _numbers(last["owari"])
    if any(points % 1 for points in game.owari[1::2]):
        game.rules = replace(game.rules, rounding="none")
    return game


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(","))


def _ints(text: str) -> list[int]:
    return [int(part) for part in text.split(",") if part]


class _Reader:
    """Reads the tags of one hand."""

    def __init__(self, begin: Attributes) -> None:
        kyoku, honba, kyotaku, *_, marker = _ints(begin["seed"])
        scores = tuple(100 * score for score in _ints(begin["ten"]))
        self.hand = Hand(kyoku, honba, kyotaku, scores)
        self.places: dict[int, int] = {5: marker}
        for seat in range(4):
            at = _DEAL[(seat - kyoku) % 4]
            self.places.update(zip(at, _ints(begin[f"hai{seat}"]), strict=True))
        self.next_live = TILES - 53
        self.supplements = 0
        self.markers = 1
        self.last_drawn = self.last_thrown = -1
        self.kan_by = -1

    def draw(self, seat: int, tile: int) -> None:
        is_replacement = self.kan_by == seat
        if is_replacement:
            self.places[_REPLACEMENTS[self.supplements]] = tile
            self.supplements += 1
        else:
            self.places[self.next_live] = tile
            self.next_live -= 1
        self.kan_by = -1
        self.last_drawn = tile
        self.hand.story.append(("draw", seat, tile_of(tile), is_replacement))

    def discard(self, seat: int, tile: int) -> None:
        tsumogiri = tile == self.last_drawn
        self.last_drawn, self.last_thrown = -1, tile
        self.hand.story.append(("discard", seat, tile_of(tile), tsumogiri))

    def dora(self, tile: int) -> None:
        self.places[5 + 2 * self.markers] = tile
        self.markers += 1
        self.hand.story.append(("dora", tile_of(tile)))

    def call(self, seat: int, code: int) -> None:
        word, is_kan = _call(seat, code, self.last_thrown)
        self.hand.story.append(word)
        self.last_drawn = -1
        self.kan_by = seat if is_kan else -1

    def ura(self, tiles: list[int]) -> None:
        for number, tile in enumerate(tiles):
            self.places[4 + 2 * number] = tile

    def finished(self) -> Hand:
        left = [tile for tile in range(TILES) if tile not in set(self.places.values())]
        free = [place for place in range(TILES) if place not in self.places]
        self.places.update(zip(free, left, strict=True))
        self.hand.wall = bytes(tile_of(self.places[place]) for place in range(TILES))
        if sorted(self.hand.wall) != tile_set(TENHOU):
            raise ValueError("the record names a tile twice")
        return self.hand


def _hand(tags: list[tuple[str, str, Attributes]]) -> tuple[Hand, Attributes]:
    reader = _Reader(tags[0][2])
    last: Attributes = {}
    for name, digits, found in tags[1:]:
        if digits and name in "TUVW":
            reader.draw("TUVW".index(name), int(digits))
        elif digits and name in "DEFG":
            reader.discard("DEFG".index(name), int(digits))
        elif name == "N":
            reader.call(int(found["who"]), int(found["m"]))
        elif name == "DORA":
            reader.dora(int(found["hai"]))
        elif name == "REACH":
            word = "riichi" if found["step"] == "1" else "accepted"
            reader.hand.story.append((word, int(found["who"])))
        elif name == "AGARI":
            last = found
            reader.hand.results.append(found)
            reader.hand.story.append(("win", int(found["who"]), int(found["fromWho"])))
            reader.ura(_ints(found.get("doraHaiUra", "")))
        elif name == "RYUUKYOKU":
            last = found
            reader.hand.results.append(found)
            reader.hand.reason = _REASONS[found.get("type", "")]
            reader.hand.story.append(("drawn", reader.hand.reason))
    return reader.finished(), last


def _call(seat: int, code: int, thrown: int) -> tuple[Word, bool]:
    """The call of that code, and whether a replacement tile follows."""
    target = (seat + code % 4) % 4
    if code & 4:
        run, called = divmod(code >> 10, 3)
        low = run // 7 * 9 + run % 7
        tiles = [4 * (low + number) + (code >> (3 + 2 * number)) % 4 for number in range(3)]
        rest = [tile for number, tile in enumerate(tiles) if number != called]
        return ("chi", seat, target, tile_of(tiles[called]), _tiles(rest)), False
    if code & 8 or code & 16:
        kind, called = divmod(code >> 9, 3)
        left_out = 4 * kind + (code >> 5) % 4
        tiles = [4 * kind + copy for copy in range(4) if 4 * kind + copy != left_out]
        if code & 16:
            return ("kakan", seat, tile_of(left_out), _tiles(tiles)), True
        rest = [tile for number, tile in enumerate(tiles) if number != called]
        return ("pon", seat, target, tile_of(tiles[called]), _tiles(rest)), False
    tile = code >> 8
    tiles = [tile // 4 * 4 + copy for copy in range(4)]
    if target == seat:
        return ("ankan", seat, _tiles(tiles)), True
    tiles.remove(tile)
    return ("daiminkan", seat, target, tile_of(tile), _tiles(tiles)), True


def _tiles(numbers: list[int]) -> tuple[int, ...]:
    return tuple(sorted(tile_of(number) for number in numbers))


def told(events: list[Event]) -> Iterator[Word]:
    """The engine's events in the words of a recorded story."""
    for event in events:
        match event:
            case facts.Drawn():
                yield "draw", event.actor, event.pai, event.rinshan
            case facts.Discarded():
                yield "discard", event.actor, event.pai, event.tsumogiri
            case facts.DoraRevealed():
                yield "dora", event.dora_marker
            case facts.RiichiDeclared():
                yield "riichi", event.actor
            case facts.RiichiAccepted():
                yield "accepted", event.actor
            case facts.ChiCalled() | facts.PonCalled() | facts.DaiminkanCalled():
                name = str(event.__struct_config__.tag)
                yield name, event.actor, event.target, event.pai, tuple(sorted(event.consumed))
            case facts.AnkanDeclared():
                yield "ankan", event.actor, tuple(sorted(event.consumed))
            case facts.KakanDeclared():
                yield "kakan", event.actor, event.pai, tuple(sorted(event.consumed))
            case facts.Won():
                yield "win", event.actor, event.target
            case facts.HandDrawn():
                yield "drawn", event.reason
            case _:
                pass
