"""The legal actions of the seat on turn: discard, riichi, kan, north, tsumo, kyushu kyuhai.

Owns one function for each kind of action. Must not know the actions on an open tile
(`game.engine.claims`). `game.engine.legal` puts both together.
"""

from __future__ import annotations

from typing import Final

from game.engine.actions import (
    DeclareAnkan,
    DeclareKakan,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    SetNorthAside,
    Win,
)
from game.engine.formal import are_tiles_tenpai, may_wait_for_a_fifth
from game.engine.furiten import has_discarded_wait
from game.engine.hand import (
    after_discard,
    distance,
    is_closed,
    remove_tiles,
    shape,
    tiles_of_kind,
    waits,
    with_tile,
)
from game.engine.kans import is_another_kan_allowed
from game.engine.nukidora import may_set_aside
from game.engine.state import STICK_POINTS, Hand, Meld, MeldType, Riichi, Table
from game.engine.tiles import NO_TILE, ORPHANS, kind_of, kinds_in, mask_of
from game.engine.value import reads_as_triplet_only
from game.engine.wins import can_tsumo, keeps_yaku

KYUSHU_KINDS: Final = 9
_WIN_ONLY: Final = (Win(),)
_NORTH_ONLY: Final = (SetNorthAside(),)
_KYUSHU_ONLY: Final = (DeclareKyushu(),)
_DISCARD_OF_TILE: Final = tuple(Discard(tile, False) for tile in range(68))
_TSUMOGIRI_OF_TILE: Final = tuple(Discard(tile, True) for tile in range(68))


def discards(table: Table) -> tuple[Discard, ...]:
    """Return the legal discards; in riichi only the drawn tile."""
    hand = table.hands[table.turn]
    drawn = table.drawn
    if hand.riichi == Riichi.ACCEPTED:
        return (_TSUMOGIRI_OF_TILE[drawn],)
    tiles, forbidden = hand.tiles, table.forbidden
    if forbidden:
        tiles = tuple([tile for tile in tiles if not forbidden >> kind_of(tile) & 1])
    found, last = list[Discard](), -1
    for tile in tiles:  # sorted
        if tile != last:
            found.append(_DISCARD_OF_TILE[tile])
            last = tile
    if drawn != NO_TILE:
        found.append(_TSUMOGIRI_OF_TILE[drawn])
    return tuple(found)


def may_discard(table: Table, discard: Discard) -> bool:
    """Return whether the discard is one of `discards`."""
    hand, pai = table.hands[table.turn], discard.pai
    if discard.tsumogiri:
        return pai == table.drawn != NO_TILE
    if hand.riichi == Riichi.ACCEPTED:
        return False
    return pai in hand.tiles and not table.forbidden >> kind_of(pai) & 1


def riichi_declarations(table: Table) -> tuple[DeclareRiichi, ...]:
    """Return the riichi declarations that are legal, one for each possible discard."""
    hand = table.hands[table.turn]
    if not meets_riichi_conditions(table) or not _can_reach_tenpai(table, hand):
        return ()
    return tuple(
        DeclareRiichi(discard.pai, discard.tsumogiri)
        for discard in discards(table)
        if _is_tenpai_after(table, hand, discard)
    )


def meets_riichi_conditions(table: Table) -> bool:
    """Return whether the seat on turn fulfils all conditions of riichi except tenpai."""
    hand, rules = table.hands[table.turn], table.rules
    return not (
        table.drawn == NO_TILE
        or hand.riichi
        or table.left < rules.riichi_tiles_left
        or (rules.riichi_needs_points and table.scores[table.turn] < STICK_POINTS)
        or not is_closed(hand.melds)
    )


def _can_reach_tenpai(table: Table, hand: Hand) -> bool:
    """Return whether the hand with the drawn tile is tenpai after at least one discard."""
    exchanges, wanted = distance(hand.tiles)
    return (
        exchanges <= 1
        or (exchanges == 2 and bool(wanted >> kind_of(table.drawn) & 1))
        or may_wait_for_a_fifth(table.rules, hand.tiles, table.drawn)
    )


def _is_tenpai_after(table: Table, hand: Hand, discard: Discard) -> bool:
    """Return whether the hand is tenpai after the discard, with waits that the rules accept for
    riichi."""
    tiles = after_discard(hand.tiles, table.drawn, discard.pai, tsumogiri=discard.tsumogiri)
    after = waits(tiles, hand.melds)
    if not after:
        return are_tiles_tenpai(table.rules, tiles, hand.melds)
    if table.rules.furiten_riichi:
        return True
    return not has_discarded_wait(table, hand, after) and not after >> kind_of(discard.pai) & 1


def _may_kan(table: Table) -> bool:
    return table.drawn != NO_TILE and is_another_kan_allowed(table)


def closed_kans(table: Table) -> tuple[DeclareAnkan, ...]:
    """Return the legal closed kans; in riichi only those that `riichi_ankan` allows."""
    if not _may_kan(table):
        return ()
    hand = table.hands[table.turn]
    tiles = hand.tiles
    has = shape(tiles)
    fours = has.quads | (has.triplets & 1 << kind_of(table.drawn))
    found = []
    for kind in kinds_in(fours) if fours else ():
        one, two, three, four = tiles_of_kind(with_tile(tiles, table.drawn), kind)
        kan = DeclareAnkan((one, two, three, four))
        if not hand.riichi or _may_kan_in_riichi(table, hand, kan):
            found.append(kan)
    return tuple(found)


def _may_kan_in_riichi(table: Table, hand: Hand, kan: DeclareAnkan) -> bool:
    allowed, kind = table.rules.riichi_ankan, kind_of(kan.consumed[0])
    if allowed == "never" or kind != kind_of(table.drawn):
        return False
    rest = remove_tiles(hand.tiles, tiles_of_kind(hand.tiles, kind))
    before, after = waits(hand.tiles, hand.melds), waits(rest, hand.melds)
    if not before:  # The hand's own melds hold all tiles that it waits for.
        before, after = shape(hand.tiles).completing, shape(rest).completing
    if not before or after & ~(1 << kind) != before:
        return False
    match allowed:
        case "yaku_kept":
            meld = Meld(MeldType.ANKAN, kan.consumed, NO_TILE, table.turn)
            return keeps_yaku(table, table.turn, before, meld)
        case "shape_unchanged":
            return reads_as_triplet_only(hand.tiles, hand.melds, before, kind)
        case _:
            return True


def added_kans(table: Table) -> tuple[DeclareKakan, ...]:
    """Return the tiles that may be added to a pon of the seat."""
    hand, drawn = table.hands[table.turn], table.drawn
    if not hand.melds or not _may_kan(table):
        return ()
    held = shape(hand.tiles).kinds | 1 << kind_of(drawn)
    kinds = [kind_of(meld.tiles[0]) for meld in hand.melds if meld.type == MeldType.PON]
    return tuple(
        [
            DeclareKakan(tile)
            for kind in kinds
            if held >> kind & 1
            for tile in tiles_of_kind((*hand.tiles, drawn), kind)
        ]
    )


def north_actions(table: Table) -> tuple[SetNorthAside, ...]:
    """Return `SetNorthAside` as the only entry if it is legal, else an empty tuple."""
    return _NORTH_ONLY if may_set_aside(table) else ()


def tsumo_actions(table: Table) -> tuple[Win, ...]:
    """Return `Win` as the only entry if the seat on turn may declare tsumo, else an empty tuple."""
    return _WIN_ONLY if can_tsumo(table, table.turn) else ()


def kyushu_actions(table: Table) -> tuple[DeclareKyushu, ...]:
    """Return `DeclareKyushu` as the only entry if it is legal: nine kinds of terminals and honours
    among the 14 tiles after the seat's first draw, before any call or kan. `kyushu_ankan_cancels`
    says whether closed kans of other seats count."""
    hand = table.hands[table.turn]
    if (
        hand.river
        or table.drawn == NO_TILE
        or not table.rules.kyushu_kyuhai
        or hand.melds
        or not (table.unbroken or _is_interrupted_only_by_closed_kans(table))
    ):
        return ()
    kinds = mask_of((*hand.tiles, table.drawn)) & ORPHANS
    return _KYUSHU_ONLY if kinds.bit_count() >= KYUSHU_KINDS else ()


def _is_interrupted_only_by_closed_kans(table: Table) -> bool:
    """Return whether only closed kans have interrupted the first go-around and the rules still
    allow kyushu kyuhai after them."""
    return not table.rules.kyushu_ankan_cancels and all(
        meld.type == MeldType.ANKAN for hand in table.hands for meld in hand.melds
    )
