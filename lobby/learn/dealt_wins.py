"""Random winning hands for exercises."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from game.engine.rules import TENHOU
from game.engine.state import Meld, MeldType
from game.engine.tiles import EAST, HAKU, KINDS, NO_TILE
from game.engine.value import HandValue, WinContext, value_of

_SIMPLES: Final = tuple(kind for kind in range(EAST) if 0 < kind % 9 < 8)
_OUTER: Final = tuple(kind for kind in range(KINDS) if kind >= EAST or kind % 9 in (0, 6, 8))
"""The first kinds of sets that contain terminals or honours."""


def random_sets(rng: random.Random, kinds: Sequence[int], count: int) -> list[list[int]]:
    """Return `count` random sets that begin with one of these kinds, then a pair of one of them. No
    kind occurs more than four times. A run may end outside of the kinds."""
    while True:
        blocks = []
        for _ in range(count):
            kind = rng.choice(kinds)
            is_run = kind < EAST and kind % 9 < 7 and rng.random() < 0.75
            blocks.append([kind, kind + 1, kind + 2] if is_run else [kind] * 3)
        blocks.append([rng.choice(kinds)] * 2)
        tiles = [kind for block in blocks for kind in block]
        if max(tiles.count(kind) for kind in tiles) <= 4:
            return blocks


def dealt_win(rng: random.Random, *, has_kans: bool) -> tuple[WinContext, HandValue]:
    """Return a random win under Tenhou's rules, without dora, and its value."""
    while True:
        win = _random_win(rng, has_kans=has_kans)
        value = value_of(win)
        if value is not None:
            return win, value


def _random_win(rng: random.Random, *, has_kans: bool) -> WinContext:
    blocks = random_sets(rng, _random_style_kinds(rng), 4)
    open_count = rng.choice((0, 0, 0, 1, 2))
    melds = [_meld(rng, block, is_closed=False) for block in blocks[:open_count]]
    triplet = blocks[3]
    is_kan = len(set(triplet)) == 1 and sum(block.count(triplet[0]) for block in blocks) == 3
    if has_kans and is_kan and rng.random() < 0.6:
        melds.append(_meld(rng, blocks.pop(3), is_closed=True))
    concealed = [kind for block in blocks[open_count:] for kind in block]
    winning = rng.choice(concealed)
    concealed.remove(winning)
    is_tsumo = rng.random() < 0.4
    return WinContext(
        rules=TENHOU,
        tiles=tuple(sorted(2 * kind for kind in concealed)),
        melds=tuple(melds),
        winning_tile=2 * winning,
        is_tsumo=is_tsumo,
        seat_wind=EAST + rng.randrange(4),
        round_wind=EAST + rng.randrange(2),
        riichi=not open_count and rng.random() < 0.5,
    )


def _random_style_kinds(rng: random.Random) -> Sequence[int]:
    """Return kinds that make some yaku likely."""
    suit = 9 * rng.randrange(3)
    one_suit = range(suit, suit + 9)
    honours = (*one_suit, *range(EAST, KINDS), *range(HAKU, KINDS))
    same_numbers = [9 * number + rank for rank in (rng.randrange(7),) for number in range(3)]
    styles: tuple[Sequence[int], ...] = (
        range(KINDS),
        _SIMPLES,
        _SIMPLES,
        one_suit,
        honours,
        _OUTER,
        (*same_numbers, rng.randrange(KINDS), rng.randrange(KINDS)),
        (*range(EAST), *range(HAKU, KINDS)),
    )
    return rng.choice(styles)


def _meld(rng: random.Random, block: list[int], *, is_closed: bool) -> Meld:
    kind, tiles = block[0], tuple(2 * tile_kind for tile_kind in block)
    if is_closed:
        return Meld(MeldType.ANKAN, (2 * kind,) * 4, NO_TILE, 0)
    if len(set(block)) > 1:
        return Meld(MeldType.CHI, tiles, rng.choice(tiles), 3)
    return Meld(MeldType.PON, tiles, tiles[0], rng.randrange(1, 4))
