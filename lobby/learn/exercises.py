"""Exercises: makes questions from a kind, a level and a seed, and checks answers.

The same kind, level and seed always give the same question, so that the page need not contain the
answer. All answers come from the engine, under Tenhou's rules for four players or, with norths
set aside, for three. Must not know people and pages.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from game.engine.dora import bonus_han
from game.engine.furiten import has_discarded_wait
from game.engine.hand import remove_tiles, runs_with, tiles_of_kind, waits
from game.engine.kuikae import forbidden_kinds
from game.engine.points import hand_points
from game.engine.presets import preset
from game.engine.rules import TENHOU
from game.engine.state import Hand, Meld, MeldType, Table
from game.engine.tiles import (
    EAST,
    HAKU,
    KINDS,
    NO_TILE,
    NORTH,
    NOT_IN_PLAY,
    kind_of,
    kinds_in,
)
from game.engine.value import HandValue, WinContext, value_of

_SIMPLE_KINDS: Final = tuple(kind for kind in range(EAST) if 0 < kind % 9 < 8)
_TERMINAL_OR_HONOUR_KINDS: Final = tuple(
    kind for kind in range(KINDS) if kind >= EAST or kind % 9 in (0, 6, 8)
)
"""The first kinds of sets that contain terminals or honours."""


def random_sets(rng: random.Random, kinds: Sequence[int], count: int) -> list[list[int]]:
    """Return `count` random sets and a pair. Each begins with one of these kinds; a run may end
    outside of them. No kind occurs more than four times.
    """
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


def deal_win(rng: random.Random, *, has_kans: bool) -> tuple[WinContext, HandValue]:
    """Return a random win under Tenhou's rules, without dora, and its value."""
    while True:
        win = _random_win(rng, has_kans=has_kans)
        value = value_of(win)
        if value is not None:
            return win, value


def _random_win(rng: random.Random, *, has_kans: bool) -> WinContext:
    blocks = random_sets(rng, _random_style_kinds(rng), 4)
    open_count = rng.choice((0, 0, 0, 1, 2))
    melds = [_make_meld(rng, block, is_closed=False) for block in blocks[:open_count]]
    triplet = blocks[3]
    is_kan = len(set(triplet)) == 1 and sum(block.count(triplet[0]) for block in blocks) == 3
    if has_kans and is_kan and rng.random() < 0.6:
        melds.append(_make_meld(rng, blocks.pop(3), is_closed=True))
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
    """Choose kinds of tiles that make some yaku likely."""
    suit = 9 * rng.randrange(3)
    one_suit = range(suit, suit + 9)
    honours = (*one_suit, *range(EAST, KINDS), *range(HAKU, KINDS))
    same_numbers = [9 * number + rank for rank in (rng.randrange(7),) for number in range(3)]
    styles: tuple[Sequence[int], ...] = (
        range(KINDS),
        _SIMPLE_KINDS,
        _SIMPLE_KINDS,
        one_suit,
        honours,
        _TERMINAL_OR_HONOUR_KINDS,
        (*same_numbers, rng.randrange(KINDS), rng.randrange(KINDS)),
        (*range(EAST), *range(HAKU, KINDS)),
    )
    return rng.choice(styles)


def _make_meld(rng: random.Random, block: list[int], *, is_closed: bool) -> Meld:
    kind, tiles = block[0], tuple(2 * tile_kind for tile_kind in block)
    if is_closed:
        return Meld(MeldType.ANKAN, (2 * kind,) * 4, NO_TILE, 0)
    if len(set(block)) > 1:
        return Meld(MeldType.CHI, tiles, rng.choice(tiles), 3)
    return Meld(MeldType.PON, tiles, tiles[0], rng.randrange(1, 4))


LEVELS: Final = ("easy", "medium", "hard")
_YAKU_OPTIONS: Final = {"easy": 8, "medium": 12, "hard": 16}
_COMMON_YAKU: Final = (
    *("riichi", "tsumo", "pinfu", "tanyao", "iipeikou", "haku", "hatsu", "chun", "seat_wind"),
    *("round_wind", "sanshoku", "ittsuu", "chanta", "chiitoi", "toitoi", "sanankou", "honitsu"),
    *("doukou", "shousangen", "honroutou", "junchan", "ryanpeikou", "chinitsu", "sankantsu"),
)
"""The yaku that the exercises ask for, the usual ones first."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its tiles, and the options to choose from."""

    kind: str
    level: str
    tiles: tuple[int, ...] = ()
    """The concealed tiles, sorted, without a winning tile."""
    melds: tuple[Meld, ...] = ()
    river: tuple[int, ...] = ()
    """The player's own discards."""
    win: WinContext | None = None
    value: HandValue | None = None
    """The value of the win."""
    options: tuple[str, ...] = ()
    """The options of the player: ids of yaku, or kinds of tiles as numbers."""
    answer: frozenset[str] = frozenset()
    """The options that are right; empty if numbers are to be filled in."""
    norths: int = 0
    """How many norths the player has set aside."""
    indicators: tuple[int, ...] = ()
    """The dora indicators."""
    bonus: tuple[tuple[str, int], ...] = ()
    """The han of dora by their causes, as `bonus_han` returns them."""

    def is_right(self, chosen: Mapping[str, str] | frozenset[str]) -> bool:
        """Return whether the answer is right: the chosen options, or the numbers for the points."""
        if isinstance(chosen, frozenset):
            return chosen == self.answer
        wanted = wanted_numbers(self)
        return all(chosen.get(name, "").strip() == str(number) for name, number in wanted.items())


def make_question(kind: str, level: str, seed: str) -> Question:
    """Return the question of that kind, level and seed. Raises KeyError for an unknown kind."""
    rng = random.Random(f"{kind}:{level}:{seed}")
    return _QUESTION_MAKERS[kind](rng, level)


def wanted_numbers(asked: Question) -> dict[str, int]:
    """Return the numbers that the answer must have. For dora: the han. For the value of a win: the
    han, the fu unless it is a limit hand, and the points that all payers pay together.
    """
    if asked.bonus:
        return {"han": sum(han for _, han in asked.bonus)}
    value, win = asked.value, asked.win
    if value is None or win is None:
        raise ValueError(f"no win in an exercise of the kind {asked.kind}")
    numbers = {"han": value.fan}
    if not value.limit:
        numbers["fu"] = value.fu
    points = hand_points(win.rules, value, win.seat_wind == EAST, win.is_tsumo)
    return numbers | {"points": points}


def _waits_question(rng: random.Random, level: str) -> Question:
    """Ask for the waits of a hand. By level: a mixed hand, seven tiles of one suit, thirteen tiles
    of one suit.
    """
    while True:
        if level == "easy":
            tiles = [kind for block in random_sets(rng, range(KINDS), 4) for kind in block]
            tiles.remove(rng.choice(tiles))
        else:
            suit = 9 * rng.randrange(3)
            pool = [kind for kind in range(suit, suit + 9) for _ in range(4)]
            tiles = rng.sample(pool, 7 if level == "medium" else 13)
        hand = tuple(sorted(2 * kind for kind in tiles))
        found = kinds_in(waits(hand, ()))
        if len(found) >= (1 if level == "easy" else 2):
            suits = {kind // 9 for kind in tiles}
            options = [kind for kind in range(KINDS) if kind // 9 in suits]
            return Question(
                "waits",
                level,
                hand,
                options=_tile_texts(options),
                answer=frozenset(_tile_texts(found)),
            )


def _yaku_question(rng: random.Random, level: str) -> Question:
    """Ask for all yaku of a win. By level: one or two yaku, two or three, at least three."""
    fewest, most = {"easy": (1, 2), "medium": (2, 3), "hard": (3, 9)}[level]
    while True:
        win, value = deal_win(rng, has_kans=level == "hard")
        names = [name for name, _ in value.yaku]
        if value.yakuman or not fewest <= len(names) <= most or not set(names) <= _KNOWN_YAKU:
            continue
        others = [name for name in _COMMON_YAKU if name not in names]
        if level == "easy":
            others = others[:14]
        missing = rng.sample(others, _YAKU_OPTIONS[level] - len(names))
        options = tuple(name for name in _COMMON_YAKU if name in {*names, *missing})
        return _win_question("yaku", level, win, value, options, frozenset(names))


_KNOWN_YAKU: Final = frozenset(_COMMON_YAKU)


def _points_question(rng: random.Random, level: str) -> Question:
    """Ask for han, fu and points of a win. By level: a non-dealer's ron, any win, a win with a kan
    or many fu.
    """
    while True:
        win, value = deal_win(rng, has_kans=level == "hard")
        if value.yakuman or not {name for name, _ in value.yaku} <= _KNOWN_YAKU:
            continue
        if level == "easy" and (win.is_tsumo or win.seat_wind == EAST or value.limit):
            continue
        if level == "hard" and value.fu < 50 and not value.limit:
            continue
        return _win_question("points", level, win, value)


def _win_question(
    kind: str,
    level: str,
    win: WinContext,
    value: HandValue,
    options: tuple[str, ...] = (),
    answer: frozenset[str] = frozenset(),
) -> Question:
    return Question(kind, level, win.tiles, win.melds, (), win, value, options, answer)


def _kuikae_question(rng: random.Random, level: str) -> Question:
    """Ask which tiles may not be discarded after a chi, on higher levels also after a pon. The
    easy level leaves out one suit."""
    while True:
        suits = range(18) if level == "easy" else range(KINDS)
        pool = [kind for kind in suits for _ in range(4)]
        called, *rest = rng.sample(pool, 14)
        hand = tuple(sorted(2 * kind for kind in rest))
        pairs = list(runs_with(hand, 2 * called))
        same = tiles_of_kind(hand, called)
        if level != "easy" and len(same) >= 2:
            pairs.append((same[0], same[1]))
        if not pairs:
            continue
        consumed = rng.choice(sorted(pairs))
        left = remove_tiles(hand, consumed)
        barred = forbidden_kinds(TENHOU, 2 * called, consumed)
        options = sorted({kind_of(tile) for tile in left})
        answer = [kind for kind in options if barred >> kind & 1]
        if not answer and level != "hard":
            continue
        if len(answer) == len(options) or (level == "hard" and len(answer) < rng.randrange(3)):
            continue
        is_run = kind_of(consumed[0]) != kind_of(consumed[1])
        meld = Meld(
            MeldType.CHI if is_run else MeldType.PON,
            tuple(sorted((2 * called, *consumed))),
            2 * called,
            3,
        )
        return Question(
            "kuikae",
            level,
            left,
            (meld,),
            options=_tile_texts(options),
            answer=frozenset(_tile_texts(answer)),
        )


def _furiten_question(rng: random.Random, level: str) -> Question:
    """Ask which discards leave the hand tenpai and furiten. Higher levels have more tiles in the
    river; on the hard level the hand has one suit.
    """
    while True:
        if level == "hard":
            suit = 9 * rng.randrange(3)
            pool = [kind for kind in range(suit, suit + 9) for _ in range(4)]
            tiles = rng.sample(pool, 8)
        else:
            tiles = [kind for block in random_sets(rng, range(KINDS), 4) for kind in block]
            tiles[rng.randrange(len(tiles))] = rng.randrange(KINDS)
            if max(tiles.count(kind) for kind in tiles) > 4:
                continue
        hand = tuple(sorted(2 * kind for kind in tiles))
        others = [
            kind
            for kind in range(KINDS)
            if tiles.count(kind) < 4 and (level != "hard" or kind // 9 == tiles[0] // 9)
        ]
        river = tuple(2 * kind for kind in rng.sample(others, 5 if level == "easy" else 7))
        answer = [kind for kind in sorted(set(tiles)) if _is_furiten_after(hand, river, kind)]
        if 1 <= len(answer) < len(set(tiles)):
            options = sorted(set(tiles))
            return Question(
                "furiten",
                level,
                hand,
                river=river,
                options=_tile_texts(options),
                answer=frozenset(_tile_texts(answer)),
            )


def _is_furiten_after(hand: tuple[int, ...], river: tuple[int, ...], kind: int) -> bool:
    """Return whether the hand is tenpai and furiten after discarding a tile of this kind."""
    left = remove_tiles(hand, (2 * kind,))
    after = Hand(tiles=left, river=(*river, 2 * kind))
    return has_discarded_wait(Table(rules=TENHOU), after, waits(left, ()))


def _kita_question(rng: random.Random, level: str) -> Question:
    """Ask for the han of dora of a hand with norths set aside: with one indicator; with two, and
    often a red five; or with three, among them 1m, which makes 9m dora, or west."""
    indicator_count, most_norths = {"easy": (1, 2), "medium": (2, 3), "hard": (3, 4)}[level]
    in_hand = [kind for kind in kinds_in(~NOT_IN_PLAY[3] & (1 << KINDS) - 1) if kind != NORTH]
    while True:
        norths = rng.randint(1, most_norths)
        tiles = [kind for block in random_sets(rng, in_hand, 4) for kind in block]
        if not set(tiles) <= set(in_hand):
            continue
        pool = [kind for kind in in_hand for _ in range(4 - tiles.count(kind))]
        pool += [NORTH] * (4 - norths)
        indicators = rng.sample(pool, indicator_count)
        if level == "easy" and indicators[0] >= EAST:
            continue
        if level == "hard" and not {_ONE_OF_CHARACTERS, _WEST} & set(indicators):
            continue
        has_red = level != "easy" and rng.random() < 0.5
        hand = sorted(2 * kind for kind in tiles)
        if has_red and 2 * _FIVE_OF_CIRCLES in hand:
            hand[hand.index(2 * _FIVE_OF_CIRCLES)] += 1
        found = bonus_han(_OF_THREE, hand, [2 * kind for kind in indicators], (), norths)
        return Question(
            "kita",
            level,
            tuple(sorted(hand)),
            norths=norths,
            indicators=tuple(2 * kind for kind in indicators),
            bonus=tuple(found),
        )


_OF_THREE: Final = preset("tenhou-3")
_ONE_OF_CHARACTERS: Final = 0
_WEST: Final = NORTH - 1
_FIVE_OF_CIRCLES: Final = 13


def _tile_texts(kinds: tuple[int, ...] | list[int]) -> tuple[str, ...]:
    return tuple(str(kind) for kind in kinds)


_QUESTION_MAKERS: Final[dict[str, Callable[[random.Random, str], Question]]] = {
    "waits": _waits_question,
    "yaku": _yaku_question,
    "points": _points_question,
    "kuikae": _kuikae_question,
    "furiten": _furiten_question,
    "kita": _kita_question,
}
EXERCISE_KINDS: Final = tuple(_QUESTION_MAKERS)
