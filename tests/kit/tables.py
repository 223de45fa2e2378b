"""Makes walls that deal given hands, and draws a table as text.

Tiles are written as ``123m406p77sEEE``: 0 is a red five, ``E S W N`` the winds, ``P F C`` haku,
hatsu and chun. All tiles that are not given are chosen so that they help nobody: hands have no pair
and no two tiles of a possible run, and indicators make no given tile dora.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from game.engine.dora import indicated_kind
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import (
    RIVER_RIICHI,
    RIVER_TAKEN,
    RIVER_TILE,
    RIVER_TSUMOGIRI,
    Riichi,
    Table,
)
from game.engine.tiles import (
    NO_TILE,
    NORTH,
    NOT_IN_PLAY,
    ORPHANS,
    kind_of,
    tile_from_text,
    tile_to_text,
)
from game.engine.wall import LAYOUTS, tile_set

_HAND_SIZE: Final = 13
_MAX_JUNK_ORPHANS: Final = {4: 7, 3: 8}
_WINDS: Final = ("East", "South", "West", "North")


def tiles(text: str) -> tuple[int, ...]:
    """Parse tiles in the compact notation; their order is kept."""
    found: list[int] = []
    ranks = ""
    for letter in text.replace(" ", ""):
        if letter.isdigit():
            ranks += letter
        elif letter in "mps":
            names = [f"5{letter}r" if rank == "0" else rank + letter for rank in ranks]
            found += map(tile_from_text, names)
            ranks = ""
        else:
            found.append(tile_from_text(letter))
    if ranks:
        raise ValueError(f"tiles without a suit: {text!r}")
    return tuple(found)


def tile(text: str) -> int:
    """Parse one tile."""
    (found,) = tiles(text)
    return found


def text_of(row: Iterable[int]) -> str:
    """Return tiles in the compact notation; their order is kept."""
    written = ""
    for name in map(tile_to_text, row):
        rank, suit = ("0" if name.endswith("r") else name[0]), name[1:2]
        if not suit:
            written += name
        elif written.endswith(suit):
            written = written[:-1] + rank + suit
        else:
            written += rank + suit
    return written


def wall_of(
    hands: Sequence[str] = (),
    draws: str = "",
    *,
    last: str = "",
    rinshan: str = "",
    dora: str = "",
    ura: str = "",
    dealer: int = 0,
    rules: RuleSet = TENHOU,
) -> bytes:
    """Return a wall that deals these hands (by seat; an empty one is filled with tiles that help
    nobody). `draws` are the first tiles drawn, from the dealer's first draw on. `last` are the last
    tiles of the live wall, in the order in which they are drawn if there is no kan. `rinshan`,
    `dora` and `ura` are the replacement tiles and indicators in their order."""
    layout = LAYOUTS[rules.players]
    given = [tiles(hand) for hand in hands] + [()] * (rules.players - len(hands))
    named = [*given, *map(tiles, (draws, last, rinshan, dora, ura))]
    spare = Counter(tile_set(rules))
    spare.subtract(tile for row in named for tile in row)
    if short := [text_of([tile]) for tile, count in spare.items() if count < 0]:
        raise ValueError(f"too many of {' '.join(short)}")
    rows = [row or _take_junk(spare, seat, rules.players) for seat, row in enumerate(given)]
    if any(len(row) != _HAND_SIZE for row in rows):
        raise ValueError(f"a hand has {_HAND_SIZE} tiles: {' '.join(map(text_of, rows))}")
    open_rows = [tiles(dora), tiles(ura)]
    wanted = {kind_of(tile) for row in named[:-2] for tile in row}
    indicators = [
        [*row, *_take_idle_indicators(spare, wanted, rules, 5 - len(row))] for row in open_rows
    ]
    filler = _take_spread_out(spare)
    places = replacement_places(rules.players)
    replacements = [*tiles(rinshan), *_take_tiles(filler, len(places) - len(tiles(rinshan)))]
    count = layout.tiles - 13 * rules.players - len(places) - 10
    middle = _take_tiles(filler, count - len(tiles(draws)) - len(tiles(last)))
    live = [*tiles(draws), *middle, *tiles(last)]
    return lay_wall(rows, live, replacements, indicators, dealer)


def replacement_places(players: int) -> tuple[int, ...]:
    """Return the places in the wall of replacement tiles that are not places of indicators."""
    layout = LAYOUTS[players]
    return tuple(place for place in layout.replacements if place < layout.indicators[0] - 1)


def lay_wall(
    rows: Sequence[Sequence[int]],
    live: Sequence[int],
    replacements: Sequence[int],
    indicators: Sequence[Sequence[int]],
    dealer: int,
) -> bytes:
    """Return the wall in the engine's layout. With three players the last draws come from places of
    indicators that are not turned; `live` are the tiles before them."""
    players = len(rows)
    layout = LAYOUTS[players]
    wall: list[int] = [NO_TILE] * layout.tiles
    for place in range(players):
        for at, tile in zip(layout.deal[place], rows[(dealer + place) % players], strict=True):
            wall[at] = tile
    for at, tile in zip(replacement_places(players), replacements, strict=True):
        wall[at] = tile
    dora, ura = indicators
    for at, above, below in zip(layout.indicators, dora, ura, strict=True):
        wall[at], wall[at - 1] = above, below
    left = iter(live)
    free = [at for at in range(layout.first_draw, -1, -1) if wall[at] == NO_TILE]
    for at, tile in zip(free, left, strict=True):
        wall[at] = tile
    return bytes(wall)


def _take_junk(spare: Counter[int], seat: int, players: int) -> tuple[int, ...]:
    """Take thirteen spare tiles that can call nothing and are far from tenpai, with fewer than nine
    kinds of terminals and honours; with three players, without a north."""
    in_play = [kind for kind in range(27) if not NOT_IN_PLAY[players] >> kind & 1]
    honours = [kind for kind in range(27, 34) if players == 4 or kind != NORTH]
    for at in range(3):
        kinds = [kind for kind in in_play if (kind % 9 - seat - kind // 9 - at) % 3 == 0]
        if players == 3:
            kinds = [0, 8, *[kind for kind in kinds if kind > 8]]
        row = [2 * kind for kind in kinds if spare[2 * kind] > 0]
        orphans = sum(ORPHANS >> kind_of(tile) & 1 for tile in row)
        winds = [kind for kind in (*honours[seat:], *honours[:seat]) if spare[2 * kind] > 0]
        row += [
            2 * kind
            for kind in winds[: min(_HAND_SIZE - len(row), _MAX_JUNK_ORPHANS[players] - orphans)]
        ]
        if len(row) == _HAND_SIZE:
            spare.subtract(row)
            return tuple(row)
    raise ValueError(f"the spare tiles make no idle hand: give the hand of seat {seat}")


def _take_idle_indicators(
    spare: Counter[int], wanted: set[int], rules: RuleSet, count: int
) -> list[int]:
    """Take `count` indicators; if possible, none of them makes a wanted kind dora."""
    found: list[int] = []
    by_use = sorted(
        spare,
        key=lambda tile: (
            indicated_kind(kind_of(tile), rules.players) in wanted,
            -spare[tile],
            tile % 18,
            tile,
        ),
    )
    while len(found) < count:
        for tile in by_use:
            if len(found) < count and spare[tile] > 0:
                spare[tile] -= 1
                found.append(tile)
    return found


def _take_spread_out(spare: Counter[int]) -> Iterator[int]:
    """Take all spare tiles, and yield them with equal ones far apart."""
    while any(count > 0 for count in spare.values()):
        for tile in sorted(spare, key=lambda tile: (tile * 7 % 68, tile)):
            if spare[tile] > 0:
                spare[tile] -= 1
                yield tile


def _take_tiles(filler: Iterator[int], count: int) -> list[int]:
    return [next(filler) for _ in range(count)]


def picture(table: Table) -> str:
    """Draw the whole table as text, tiles hidden from players included."""
    title = (
        f"{_WINDS[table.kyoku // 4 % 4]} {table.dealer + 1}, honba {table.honba}, sticks "
        f"{table.kyotaku}, {table.phase.name.lower()} of seat {table.turn}, step {table.step}, "
        f"{table.left} left, dora {text_of(table.dora)}"
    )
    lines = [title]
    for seat, hand in enumerate(table.hands):
        wind = "ESWN"[table.wind_of(seat) - 27]
        marks = [hand.riichi.name.lower()] if hand.riichi != Riichi.NONE else []
        marks += [name for name in ("double_riichi", "ippatsu", "missed") if getattr(hand, name)]
        melds = " ".join(f"[{meld.type.name.lower()} {text_of(meld.tiles)}]" for meld in hand.melds)
        is_drawer = seat == table.turn and table.drawn != NO_TILE
        drawn = f" + {text_of([table.drawn])}" if is_drawer else ""
        lines.append(
            f"  {seat} {wind} {table.scores[seat]:6}  {text_of(hand.tiles)}{drawn} {melds} "
            f"{' '.join(marks)}".rstrip()
        )
        lines.append(f"               {' '.join(map(_river_tile_text, hand.river))}")
    if table.claimed != NO_TILE:
        lines.append(
            f"  open: {text_of([table.claimed])}{' (of a kan)' * table.robbing}, "
            f"may ron {_seat_names(table.may_ron)}, may call {_seat_names(table.may_call)}"
        )
    lines += [f"  {result}" for result in table.results]
    return "\n".join(lines)


def _river_tile_text(entry: int) -> str:
    """Return the text of a tile in a river; ``*`` marks a tsumogiri, ``-`` a riichi, ``!`` a called
    tile."""
    marks = ((RIVER_TSUMOGIRI, "*"), (RIVER_RIICHI, "-"), (RIVER_TAKEN, "!"))
    return text_of([entry & RIVER_TILE]) + "".join(mark for bit, mark in marks if entry & bit)


def _seat_names(bits: int) -> str:
    return " ".join(str(seat) for seat in range(4) if bits >> seat & 1) or "-"
