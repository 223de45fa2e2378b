"""The value of a complete hand: yaku, han, fu and base points under a `RuleSet`.

Owns the readings of a hand (its divisions into sets) and every switch that affects its value. It is
the only module that uses the `mahjong` package, which divides hands into sets, counts fu and
recognises patterns. Must not know who pays (`game.engine.points`) or whether the player may win
(furiten, turn order).

Kinds are 0..33 and tiles ``2 * kind`` (+1 for a red five), as in `game.engine.tiles`; the package
counts kinds the same way and numbers the 136 tiles ``4 * kind + copy``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

import msgspec
from mahjong.hand_calculating import yaku_list as patterns
from mahjong.hand_calculating.divider import HandDivider
from mahjong.hand_calculating.fu import FuCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.hand_calculating.yaku import Yaku
from mahjong.hand_calculating.yaku_list import yakuman as yakuman_patterns
from mahjong.meld import Meld as PackageMeld
from mahjong.utils import has_pon_or_kan_of

from game.engine.dora import bonus_han
from game.engine.fu import FuPart, fu_parts
from game.engine.hand import is_closed
from game.engine.rules import RuleSet
from game.engine.state import KAN_TYPES, Meld, MeldType
from game.engine.tiles import CHUN, EAST, HAKU, HATSU, NORTH, count_kinds, kind_of, kinds_in

YakuList = list[tuple[str, int]]
"""Yaku ids with their han; of a yakuman, how often it counts."""


class WinContext(msgspec.Struct, frozen=True, gc=False):
    """Everything that the value of a win depends on."""

    rules: RuleSet
    tiles: tuple[int, ...]
    """Concealed tiles without the winning one."""
    melds: tuple[Meld, ...]
    winning_tile: int
    is_tsumo: bool
    seat_wind: int
    """As a kind, 27..30; East is the dealer."""
    round_wind: int
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last_tile: bool = False
    """Won on the last tile of the wall, or on the discard after it."""
    first_turn: bool = False
    """Uninterrupted first go-around, and the winner has not discarded yet."""
    dora: tuple[int, ...] = ()
    """Indicators that count for this win."""
    ura: tuple[int, ...] = ()
    honba: int = 0
    """Honba, for the two-han minimum."""
    norths: int = 0
    """How many norths the winner has set aside."""


class HandValue(msgspec.Struct, frozen=True, gc=False):
    """The value of a hand in the reading that pays most."""

    yaku: tuple[tuple[str, int], ...]
    """Yaku ids with their han, dora last; of a yakuman, how often it counts."""
    fan: int
    """Han of yaku and dora together; 0 for a yakuman."""
    fu: int
    yakuman: int
    """How many yakuman are paid; 0 for an ordinary hand."""
    limit: str
    base: int
    """Base points: a ron pays four times this, and six times to the dealer."""
    fu_parts: tuple[FuPart, ...] = ()
    """The fu before rounding, by their causes; empty for a yakuman."""


class _Hand(NamedTuple):
    """The properties that all readings of a hand share."""

    context: WinContext
    counts: list[int]
    """Tiles of each kind, melds included."""
    melds: tuple[PackageMeld, ...]
    is_closed: bool


class _Reading(NamedTuple):
    """One division into sets, and the set that the winning tile completes."""

    blocks: list[list[int]]
    completed: Sequence[int]
    concealed_triplets: int


_FuDetails = list[tuple[str, int]]
"""The causes of fu by the package's names; only the base if no set, pair or wait gives fu."""

_TSUMO_CONFIG: Final = HandConfig(is_tsumo=True)
_RON_CONFIG: Final = HandConfig(is_tsumo=False)
_DRAGONS: Final = ((HAKU, "haku"), (HATSU, "hatsu"), (CHUN, "chun"))

_SHAPES: Final[tuple[tuple[str, Yaku], ...]] = (
    ("tanyao", patterns.Tanyao()),
    ("ryanpeikou", patterns.Ryanpeikou()),
    ("iipeikou", patterns.Iipeiko()),
    ("sanshoku", patterns.Sanshoku()),
    ("ittsuu", patterns.Ittsu()),
    ("junchan", patterns.Junchan()),
    ("chanta", patterns.Chantai()),
    ("chiitoi", patterns.Chiitoitsu()),
    ("doukou", patterns.SanshokuDoukou()),
    ("toitoi", patterns.Toitoi()),
    ("shousangen", patterns.Shosangen()),
    ("honroutou", patterns.Honroto()),
    ("chinitsu", patterns.Chinitsu()),
    ("honitsu", patterns.Honitsu()),
)
"""Yaku that depend only on the sets or pairs."""
_YAKU_OF_SEVEN_PAIRS: Final = {"tanyao", "chiitoi", "honroutou", "chinitsu", "honitsu"}
_PAIR_SHAPES: Final = tuple(shape for shape in _SHAPES if shape[0] in _YAKU_OF_SEVEN_PAIRS)
_CLOSED_HAN: Final = {name: pattern.han_closed for name, pattern in _SHAPES}
_OPEN_HAN: Final = {name: pattern.han_open for name, pattern in _SHAPES}

_CHUUREN: Final = yakuman_patterns.ChuurenPoutou()
_KOKUSHI: Final = yakuman_patterns.KokushiMusou()
_RYUUIISOU: Final = yakuman_patterns.Ryuuiisou()
_YAKUMAN_SHAPES: Final[tuple[tuple[str, Yaku], ...]] = (
    ("daisangen", yakuman_patterns.Daisangen()),
    ("shousuushi", yakuman_patterns.Shousuushii()),
    ("daisuushi", yakuman_patterns.DaiSuushii()),
    ("tsuuiisou", yakuman_patterns.Tsuuiisou()),
    ("chinroutou", yakuman_patterns.Chinroutou()),
)

_LIMITS: Final = (
    (13, "kazoe_yakuman", 8_000),
    (11, "sanbaiman", 6_000),
    (8, "baiman", 4_000),
    (6, "haneman", 3_000),
    (5, "mangan", 2_000),
)
MANGAN_BASE: Final = 2_000
YAKUMAN_BASE: Final = 8_000


def value_of(context: WinContext) -> HandValue | None:
    """Return the value of the hand in its best reading.

    Return ``None`` if the hand is not complete, has no yaku, or has fewer han of yaku than the
    rules require.
    """
    return max(_reading_values(_hand_from_context(context)), key=_value_sort_key, default=None)


def has_yaku(context: WinContext) -> bool:
    """Return whether a complete hand may win, that is, `value_of` is not ``None``.

    The tiles with the winning tile must be complete; otherwise the result is meaningless. Dora have
    no influence and may be left out.
    """
    hand = _hand_from_context(context)
    needed = _han_needed(context)
    if sum(han for _, han in _situational_yaku(hand)) >= needed:
        return True
    if _is_kokushi(hand) or _is_renhou_of_five_han(hand):
        return True
    return any(
        _yakuman_ids(hand, reading)
        or sum(han for _, han in _ordinary_yaku(hand, reading, _fu_of(hand, reading)[1])) >= needed
        for reading in _readings(hand)
    )


def reads_as_triplet_only(
    tiles: tuple[int, ...], melds: tuple[Meld, ...], waits: int, kind: int
) -> bool:
    """Return whether the three concealed tiles of this kind are a triplet in every reading,
    whichever of the `waits` (a mask) completes the hand."""
    laid = tuple([_package_meld(meld.type, kind_of(meld.tiles[0])) for meld in melds])
    counts = count_kinds((*tiles, *[tile for meld in melds for tile in meld.tiles]))
    for wait in kinds_in(waits):
        counts[wait] += 1
        for blocks in HandDivider.divide_hand(counts, laid):
            if [kind, kind, kind] not in blocks:
                return False
        counts[wait] -= 1
    return True


def yaku_of_tiles(context: WinContext) -> set[str]:
    """Return the ids of all yaku that a complete hand has in any of its readings, without yaku of
    the situation (such as riichi or haitei)."""
    hand = _hand_from_context(context)
    situational = {name for name, _ in _situational_yaku(hand)}
    found = set[str]()
    for reading in _readings(hand):
        found.update(_yakuman_ids(hand, reading))
        found.update(name for name, _ in _ordinary_yaku(hand, reading, _fu_of(hand, reading)[1]))
    return found - situational


def limit_of(rules: RuleSet, fan: int, fu: int) -> tuple[str, int]:
    """Return the name of the limit of an ordinary hand ("" below mangan) and its base points."""
    for at_least, limit, base in _LIMITS:
        if fan >= at_least:
            if limit == "kazoe_yakuman" and rules.kazoe == "sanbaiman":
                continue
            return limit, base
    base = fu << (fan + 2)
    if base >= MANGAN_BASE or (rules.kiriage_mangan and (fan, fu) in ((4, 30), (3, 60))):
        return "mangan", MANGAN_BASE
    return "", base


def _value_sort_key(value: HandValue) -> tuple[int, bool, int, int]:
    """Return a sort key: base points, then yakuman before counted yakuman, then han, then fu."""
    return value.base, value.yakuman > 0, value.fan, value.fu


def _reading_values(hand: _Hand) -> Iterator[HandValue]:
    """Yield the value of every reading with which the hand may be won."""
    if _is_kokushi(hand):
        yield _yakuman_value(hand, _kokushi_ids(hand), 0)
        return
    needed = _han_needed(hand.context)
    bonus = _bonus_han(hand)
    for reading in _readings(hand):
        fu, details = _fu_of(hand, reading)
        if ids := _yakuman_ids(hand, reading):
            yield _yakuman_value(hand, ids, fu)
            continue
        if _is_renhou_of_five_han(hand):
            limit, base = limit_of(hand.context.rules, 5, fu)
            parts = fu_parts(details, reading.blocks, kind_of(hand.context.winning_tile))
            yield HandValue((("renhou", 5),), 5, fu, 0, limit, base, parts)
        yaku = _ordinary_yaku(hand, reading, details)
        if sum(han for _, han in yaku) >= needed:
            yaku += bonus
            fan = sum(han for _, han in yaku)
            limit, base = limit_of(hand.context.rules, fan, fu)
            parts = fu_parts(details, reading.blocks, kind_of(hand.context.winning_tile))
            yield HandValue(tuple(yaku), fan, fu, 0, limit, base, parts)


def _yakuman_value(hand: _Hand, ids: list[str], fu: int) -> HandValue:
    rules = hand.context.rules
    yaku = tuple((name, 2 if name in rules.double_yakuman else 1) for name in ids)
    times = [count for _, count in yaku]
    paid = min(sum(times), rules.yakuman_cap) if rules.yakuman_add_up else max(times)
    return HandValue(yaku, 0, fu, paid, "yakuman", YAKUMAN_BASE * paid)


def _hand_from_context(context: WinContext) -> _Hand:
    melded = [tile for meld in context.melds for tile in meld.tiles]
    counts = count_kinds((*context.tiles, context.winning_tile, *melded))
    melds = tuple([_package_meld(meld.type, kind_of(meld.tiles[0])) for meld in context.melds])
    return _Hand(context, counts, melds, is_closed(context.melds))


@cache
def _package_meld(meld_type: MeldType, kind: int) -> PackageMeld:
    """Return the package's form of a meld whose lowest tile is of this kind."""
    if meld_type == MeldType.CHI:
        return PackageMeld(PackageMeld.CHI, [4 * kind, 4 * kind + 4, 4 * kind + 8])
    if meld_type == MeldType.PON:
        return PackageMeld(PackageMeld.PON, [4 * kind, 4 * kind + 1, 4 * kind + 2])
    tiles = range(4 * kind, 4 * kind + 4)
    return PackageMeld(PackageMeld.KAN, tiles, opened=meld_type != MeldType.ANKAN)


def _readings(hand: _Hand) -> Iterator[_Reading]:
    """Yield every division of the hand, once for each set that the winning tile can complete."""
    context = hand.context
    winning_kind = kind_of(context.winning_tile)
    closed_kans = sum(meld.type == MeldType.ANKAN for meld in context.melds)
    for blocks in _divisions(tuple(hand.counts), hand.melds):
        concealed = list(blocks)
        for meld in hand.melds:
            concealed.remove(meld.tiles_34)
        triplets = closed_kans + sum(_is_triplet(block) for block in concealed)
        tried: list[list[int]] = []
        for block in concealed:
            if winning_kind in block and block not in tried:
                tried.append(block)
                claimed = not context.is_tsumo and _is_triplet(block)
                yield _Reading(blocks, block, triplets - claimed)


@lru_cache(maxsize=256)
def _divisions(
    counts: tuple[int, ...], melds: tuple[PackageMeld, ...]
) -> Sequence[list[list[int]]]:
    """Return the ways to divide a hand into sets and a pair. Cached, because a hand is valued once
    for each tile that may complete it. Equal melds are one object, which makes the cache work."""
    divisions: Sequence[list[list[int]]] = HandDivider.divide_hand(counts, melds)
    return divisions


def _is_triplet(block: Sequence[int]) -> bool:
    return len(block) == 3 and block[0] == block[1]


def _fu_of(hand: _Hand, reading: _Reading) -> tuple[int, _FuDetails]:
    """Return the fu of a reading, and the package's names of the causes with their fu."""
    context = hand.context
    valued = [HAKU, HATSU, CHUN, context.seat_wind]
    if context.rules.double_wind_fu == 4 or context.seat_wind != context.round_wind:
        valued.append(context.round_wind)
    if context.rules.north_is_yakuhai:
        valued.append(NORTH)
    details, fu = FuCalculator.calculate_fu(
        reading.blocks,
        4 * kind_of(context.winning_tile),
        reading.completed,
        _TSUMO_CONFIG if context.is_tsumo else _RON_CONFIG,
        valued,
        hand.melds,
    )
    parts = [(part["reason"], part["fu"]) for part in details]
    if context.rinshan and not context.rules.rinshan_tsumo_fu:
        parts = [part for part in parts if part[0] != FuCalculator.TSUMO]
        fu = (sum(fu for _, fu in parts) + 9) // 10 * 10
    return fu, parts


def _situational_yaku(hand: _Hand) -> YakuList:
    """Return the yaku that depend on the situation and not on the tiles."""
    context = hand.context
    found: YakuList = []
    if context.riichi or context.double_riichi:
        found.append(("daburu", 2) if context.double_riichi else ("riichi", 1))
        if context.ippatsu and context.rules.ippatsu:
            found.append(("ippatsu", 1))
    if context.is_tsumo and hand.is_closed:
        found.append(("tsumo", 1))
    if context.rinshan:
        found.append(("rinshan", 1))
    elif context.chankan:
        found.append(("chankan", 1))
    elif context.last_tile:
        found.append(("haitei" if context.is_tsumo else "houtei", 1))
    return found


def _ordinary_yaku(hand: _Hand, reading: _Reading, details: _FuDetails) -> YakuList:
    """Return the yaku of a reading that is not a yakuman, without dora."""
    context = hand.context
    found = _situational_yaku(hand)
    if hand.is_closed and len(details) == 1 and len(reading.blocks) == 5:
        found.append(("pinfu", 1))
    found += _value_triplets(context, reading.blocks)
    for name, pattern in _PAIR_SHAPES if len(reading.blocks) == 7 else _SHAPES:
        if name == "tanyao" and not (hand.is_closed or context.rules.kuitan):
            continue
        han = _CLOSED_HAN[name] if hand.is_closed else _OPEN_HAN[name]
        if han and pattern.is_condition_met(reading.blocks):
            found.append((name, han))
    if ("ryanpeikou", 3) in found:
        found.remove(("iipeikou", 1))
    if reading.concealed_triplets == 3:
        found.append(("sanankou", 2))
    if _count_kans(context) == 3:
        found.append(("sankantsu", 2))
    return found


def _value_triplets(context: WinContext, blocks: list[list[int]]) -> YakuList:
    valued = [*_DRAGONS, (context.seat_wind, "seat_wind"), (context.round_wind, "round_wind")]
    if context.rules.north_is_yakuhai:
        valued.append((NORTH, "north"))
    return [(name, 1) for kind, name in valued if has_pon_or_kan_of(blocks, kind)]


def _count_kans(context: WinContext) -> int:
    return sum(meld.type in KAN_TYPES for meld in context.melds)


def _yakuman_ids(hand: _Hand, reading: _Reading) -> list[str]:
    """Return the yakuman of a reading, without kokushi, which cannot be divided into sets."""
    context = hand.context
    winning_copies = hand.counts[kind_of(context.winning_tile)]
    ids = []
    if not context.melds and _CHUUREN.is_condition_met(reading.blocks):
        ids.append("junsei_chuuren" if winning_copies in (2, 4) else "chuuren")
    ids += _first_turn_yakuman(hand)
    if reading.concealed_triplets == 4:
        ids.append("suuankou_tanki" if len(reading.completed) == 2 else "suuankou")
    ids += [name for name, pattern in _YAKUMAN_SHAPES if pattern.is_condition_met(reading.blocks)]
    if _RYUUIISOU.is_condition_met(reading.blocks) and (
        hand.counts[HATSU] or not context.rules.ryuiso_needs_hatsu
    ):
        ids.append("ryuuiisou")
    if _count_kans(context) == 4:
        ids.append("suukantsu")
    return ids


def _first_turn_yakuman(hand: _Hand) -> list[str]:
    """Return tenhou, chiihou, or renhou if it counts as a yakuman."""
    context = hand.context
    if context.is_tsumo:
        if not context.first_turn or context.melds:
            return []
        return ["tenhou" if context.seat_wind == EAST else "chiihou"]
    return ["renhou"] if context.rules.renho == "yakuman" and _is_first_turn_ron(hand) else []


def _is_renhou_of_five_han(hand: _Hand) -> bool:
    """Return whether the hand wins by renhou that counts as five han, without other yaku or
    dora."""
    return hand.context.rules.renho in ("mangan", "five_han") and _is_first_turn_ron(hand)


def _is_first_turn_ron(hand: _Hand) -> bool:
    context = hand.context
    is_dealer = context.seat_wind == EAST
    return context.first_turn and not (context.is_tsumo or context.melds or is_dealer)


def _is_kokushi(hand: _Hand) -> bool:
    return not hand.melds and bool(_KOKUSHI.is_condition_met(None, hand.counts))


def _kokushi_ids(hand: _Hand) -> list[str]:
    thirteen_waits = hand.counts[kind_of(hand.context.winning_tile)] == 2
    return ["kokushi_13" if thirteen_waits else "kokushi", *_first_turn_yakuman(hand)]


def _han_needed(context: WinContext) -> int:
    """Return the minimum number of han from yaku that a win needs."""
    rules = context.rules
    threshold = rules.two_han_minimum_from
    by_honba = 2 if threshold and context.honba >= threshold else 1
    return max(rules.minimum_han, by_honba)


def _bonus_han(hand: _Hand) -> YakuList:
    """Return the han of dora, which are not yaku."""
    context = hand.context
    melded = [tile for meld in context.melds for tile in meld.tiles]
    tiles = (*context.tiles, context.winning_tile, *melded)
    has_ura = context.rules.ura_dora and (context.riichi or context.double_riichi)
    ura = context.ura if has_ura else ()
    return bonus_han(context.rules, tiles, context.dora, ura, context.norths)
