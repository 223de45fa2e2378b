"""Reads `scoring_rows.txt` and stages each row: the win, its rules, and who is liable."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from game.engine.pao import liable_for
from game.engine.rules import RuleSet
from game.engine.state import Meld, MeldType
from game.engine.tiles import NO_TILE, kind_of
from game.engine.value import WinContext

BASELINE = RuleSet(
    name="rows",
    double_yakuman=("kokushi_13", "suuankou_tanki", "junsei_chuuren", "daisuushi"),
    pao_composite="own_yakuman",
    pao_honba="discarder",
)
"""The switches that hold for a row that sets none."""

_SEATS = "ESWN"
_FROM = {"L": 3, "A": 2, "R": 1}
_MELDS = {"chi": MeldType.CHI, "pon": MeldType.PON, "kan": MeldType.DAIMINKAN}
_MELDS |= {"ankan": MeldType.ANKAN, "kakan": MeldType.KAKAN}
_WORDS: dict[str, Any] = {"on": True, "off": False, "none": (), "2": 2, "4": 4, "5": 5}


class ScoringRow(NamedTuple):
    """One row: a win, the rules, and the expected value and payments."""

    id: str
    rules: RuleSet
    context: WinContext
    winner: int
    target: int
    sticks: int
    liable: tuple[tuple[str, int], ...]
    """The liable seats by yaku after the calls of the row, by `game.engine.pao`."""
    yaku: tuple[tuple[str, int], ...]
    """The expected yaku with their han; empty if the hand cannot win."""
    worth: str
    deltas: tuple[int, ...]
    applied: int
    """The seat that pays as the liable one, or -1."""


def tiles(text: str) -> tuple[int, ...]:
    """Read tiles such as ``406m11z``: 0 is a red five, 1z..7z are E S W N haku hatsu chun."""
    found = []
    for ranks, suit in re.findall(r"(\d+)([mpsz])", text):
        first = 9 * "mpsz".index(suit)
        found += [2 * (first + 4) + 1 if r == "0" else 2 * (first + int(r) - 1) for r in ranks]
    return tuple(found)


def meld(text: str, owner: int = 0) -> Meld:
    """Read a meld such as ``pon 555z@R`` of the seat `owner`."""
    kind, rest = text.split()
    content, _, source = rest.partition("@")
    held = tuple(sorted(tiles(content)))
    target = (owner + _FROM[source]) % 4 if source else owner
    called = held[0] if source else NO_TILE
    return Meld(_MELDS[kind], held, called, target, held[0] if kind == "kakan" else NO_TILE)


def melds(text: str, owner: int = 0) -> tuple[Meld, ...]:
    """Read melds in the order in which they were made."""
    return tuple(meld(part, owner) for part in re.findall(r"[a-z]+ \d+[mpsz](?:@[LAR])?", text))


def liable_seats(rules: RuleSet, laid: tuple[Meld, ...]) -> tuple[tuple[str, int], ...]:
    """Return the yakuman for which these melds, in the order of the calls, make a seat liable, each
    with that seat."""
    found = []
    for number, meld in enumerate(laid):
        if meld.type in (MeldType.PON, MeldType.DAIMINKAN, MeldType.KAKAN):
            is_kan = meld.type == MeldType.DAIMINKAN
            names = liable_for(rules, laid[:number], kind_of(meld.tiles[0]), is_kan=is_kan)
            found += [(name, meld.target) for name in names]
    return tuple(found)


def _number_after(text: str, word: str) -> int:
    match = re.search(rf"\b{word} (\d+)", text)
    return int(match[1]) if match else 0


def _indicators(text: str, word: str) -> tuple[int, ...]:
    return tuple(tiles("".join(re.findall(rf"{word} (\d[mpsz])", text))))


def _context(rules: RuleSet, winner: int, wind: str, fields: list[str], how: str) -> WinContext:
    concealed, laid, win = fields
    flags = {part.strip() for part in how.split(",")}
    return WinContext(
        rules=rules,
        tiles=tiles(concealed),
        melds=melds(laid, winner),
        winning_tile=tiles(win.split()[1])[0],
        is_tsumo=win.startswith("T"),
        seat_wind=27 + winner,
        round_wind=27 + _SEATS.index(wind),
        riichi="riichi" in flags,
        ippatsu="ippatsu" in flags,
        rinshan="rinshan" in flags,
        chankan="chankan" in flags,
        last_tile=bool(flags & {"haitei", "houtei"}),
        dora=_indicators(how, "dora-ind"),
        ura=_indicators(how, "ura-ind"),
        honba=_number_after(how, "honba"),
    )


def read_row(line: str) -> ScoringRow:
    """Read and stage one row."""
    line, _, applied = line.partition(" | liable ")
    row_id, seat, *hand, how, yaku, worth, changes = line.split(" | ")
    switches = dict(re.findall(r"(\w+)=(\w+)", how))
    values = {name: _WORDS.get(word, word) for name, word in switches.items()}
    rules = msgspec.convert(msgspec.to_builtins(BASELINE) | values, RuleSet)
    winner, discarder = _SEATS.index(seat[0]), hand[2].split()[2:]
    context = _context(rules, winner, seat[2], hand, how)
    return ScoringRow(
        id=row_id,
        rules=rules,
        context=context,
        winner=winner,
        target=_SEATS.index(discarder[0]) if discarder else winner,
        sticks=_number_after(how, "sticks"),
        liable=liable_seats(rules, context.melds),
        yaku=tuple((name, int(han)) for name, han in re.findall(r"(\w+) (\d+)", yaku)),
        worth=worth,
        deltas=tuple(int(change) for change in changes.split()) if changes != "-" else (),
        applied=_SEATS.index(applied) if applied else -1,
    )


def read_rows() -> list[ScoringRow]:
    """Read all rows of `scoring_rows.txt`."""
    text = Path(__file__).with_name("scoring_rows.txt").read_text(encoding="utf-8")
    return [read_row(line) for line in text.splitlines() if line and not line.startswith("#")]
