"""Builds complete hands at random from sets and a pair, with circumstances that can occur
together."""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec.structs import replace

from game.engine.rules import RuleSet
from game.engine.state import Meld, MeldType
from game.engine.tiles import NO_TILE, kind_of
from game.engine.value import WinContext

EAST, SOUTH, WEST, NORTH = 27, 28, 29, 30


def _block(dice: random.Random, kinds: list[int]) -> tuple[MeldType, list[int]]:
    """Return a random set as its type and kinds, mostly of kinds that the hand prefers."""
    kind = dice.choice(kinds)
    if kind < EAST and kind % 9 < 7 and dice.random() < 0.6:
        return MeldType.CHI, [kind, kind + 1, kind + 2]
    if dice.random() < 0.2:
        return dice.choice((MeldType.DAIMINKAN, MeldType.ANKAN, MeldType.KAKAN)), [kind] * 4
    return MeldType.PON, [kind] * 3


def _sets(dice: random.Random, kinds: list[int]) -> tuple[list[int], list[Meld]]:
    """Return four sets and a pair, some of them laid open, as concealed kinds and melds."""
    concealed = [dice.choice(kinds)] * 2
    laid = []
    open_chance = dice.choice((0.0, 0.0, 0.5, 1.0))
    for _ in range(4):
        kind, block = _block(dice, kinds)
        if len(block) == 4 or dice.random() < open_chance:
            held = tuple(2 * block_kind for block_kind in block)
            is_open = kind != MeldType.ANKAN
            laid.append(Meld(kind, held, held[0] if is_open else NO_TILE, 1 if is_open else 0))
        else:
            concealed += block
    return concealed, laid


def _shape(dice: random.Random) -> tuple[list[int], list[Meld]]:
    suit = dice.choice((0, 9, 18))
    orphans = [0, 8, 9, 17, 18, 26, *range(27, 34)]
    form = dice.random()
    if form < 0.02:
        return [*orphans, dice.choice(orphans)], []
    if form < 0.04:
        nine_gates = [suit, suit, *range(suit, suit + 9), suit + 8, suit + 8]
        return [*nine_gates, suit + dice.randrange(9)], []
    kinds = dice.choice(
        (
            list(range(34)),
            list(range(34)),
            list(range(27)),
            list(range(suit, suit + 9)),
            [*range(suit, suit + 9), *range(27, 34)],
            orphans,
            list(range(27, 34)),
            [19, 20, 21, 23, 25, 32],
            [suit, suit + 1, suit + 2, suit + 7, suit + 8],
            [rank + other for rank in dice.sample(range(9), 3) for other in (0, 9, 18)],
        )
    )
    if form < 0.12 and len(kinds) >= 7:
        return 2 * dice.sample(kinds, 7), []
    return _sets(dice, kinds)


def _redden(held: list[int], laid: list[Meld], red: int) -> None:
    """Exchange a plain five for this red one if the hand has any: a concealed one first, else one
    in a meld."""
    if red - 1 in held:
        held[held.index(red - 1)] = red
        return
    for number, meld in enumerate(laid):
        if red - 1 in meld.tiles:
            at = len(meld.tiles) - meld.tiles[::-1].index(red - 1) - 1
            tiles = (*meld.tiles[:at], red, *meld.tiles[at + 1 :])
            laid[number] = replace(meld, tiles=tiles)
            return


def random_win(dice: random.Random, choices: Sequence[RuleSet]) -> WinContext:
    """Return a complete hand with random circumstances that can occur together."""
    while True:
        concealed, laid = _shape(dice)
        everything = concealed + [kind_of(tile) for meld in laid for tile in meld.tiles]
        plain_fives = max(everything.count(five) for five in (4, 13, 22))
        if plain_fives <= 3 and max(map(everything.count, everything)) <= 4:
            break
    held = [2 * kind for kind in concealed]
    rules = dice.choice(choices)
    for red, is_in_play in zip((9, 27, 45), rules.red_fives, strict=True):
        if is_in_play and dice.random() < 0.3:
            _redden(held, laid, red)
    dice.shuffle(held)
    is_closed = all(meld.type == MeldType.ANKAN for meld in laid)
    has_kan = any(len(meld.tiles) == 4 for meld in laid)
    is_tsumo = dice.random() < 0.5
    riichi = is_closed and dice.random() < 0.4
    return WinContext(
        rules=rules,
        tiles=tuple(held[1:]),
        melds=tuple(laid),
        winning_tile=held[0],
        is_tsumo=is_tsumo,
        seat_wind=dice.choice((EAST, SOUTH, WEST, NORTH)),
        round_wind=dice.choice((EAST, SOUTH)),
        riichi=riichi,
        double_riichi=riichi and dice.random() < 0.2,
        ippatsu=riichi and dice.random() < 0.3,
        rinshan=is_tsumo and has_kan and dice.random() < 0.2,
        chankan=not is_tsumo and dice.random() < 0.05,
        last_tile=dice.random() < 0.05,
        first_turn=not laid and not riichi and dice.random() < 0.05,
        dora=tuple(2 * dice.randrange(34) for _ in range(dice.randint(1, 3))),
        ura=tuple(2 * dice.randrange(34) for _ in range(dice.randint(1, 3))),
        honba=dice.randint(0, 6),
    )
