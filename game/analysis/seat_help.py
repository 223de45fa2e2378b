"""Help that the rules allow: what a seat could work out from all that it sees.

Works from what a seat sees (`Seen`) and never from a table, so that it cannot tell more than the
reader may know; equal sights give equal answers. Everything that is a rule is asked of the
engine. Who may ask, and whether a table allows it, is settled by `game.live.consumer`.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec
from msgspec.structs import replace

from game.analysis.help import Barred, Choice, Outlook, Prospect, Study, Wait, Wins, Worth
from game.engine.furiten import is_discarded, is_furiten
from game.engine.hand import distance, waits, with_tile, without
from game.engine.perspective import view
from game.engine.points import hand_points
from game.engine.state import RIVER_TAKEN, RIVER_TILE, Hand, Phase, Riichi, Table
from game.engine.tiles import NO_TILE, TILE_TO_TEXT, kinds_in
from game.engine.turn import discards, riichi
from game.engine.value import WinContext, value_of

_COPIES: Final = 4
_WAITING: Final = (Phase.TURN, Phase.CLAIMS, Phase.SHOWING)


class Seen(msgspec.Struct, frozen=True, gc=False):
    """A seat, and the table as it sees it. Made by `seen_by` alone."""

    table: Table
    seat: int

    @property
    def hand(self) -> Hand:
        """The seat's own."""
        return self.table.hands[self.seat]


def seen_by(table: Table, seat: int) -> Seen:
    """What that seat sees."""
    return Seen(view(table, seat), seat)


def study(seen: Seen) -> Study:
    """What the rules say of the seat's own hand."""
    table, seat, hand = seen.table, seen.seat, seen.hand
    if table.phase == Phase.TURN and table.turn == seat:
        return Study(table.step, None, _choices(seen), _barred(table, hand))
    if table.phase not in _WAITING or len(hand.tiles) % 3 != 1:
        return Study(table.step, None, (), ())
    prospect = _Reader(seen).prospect(hand, may_declare=False)
    if not is_furiten(table, seat):
        prospect = replace(prospect, furiten=())
    return Study(table.step, prospect, (), ())


def _choices(seen: Seen) -> tuple[Choice, ...]:
    """Every legal discard with what it leaves; equal hands are looked at once."""
    table, hand = seen.table, seen.hand
    reader = _Reader(seen)
    declarable = {(action.pai, action.tsumogiri) for action in riichi(table)}
    looked_at: dict[int, Prospect] = {}
    found = []
    for discard in discards(table):
        pai = discard.pai
        if pai not in looked_at:
            tiles = hand.tiles
            if not discard.tsumogiri:
                tiles = without(tiles, (pai,))
                tiles = tiles if table.drawn == NO_TILE else with_tile(tiles, table.drawn)
            after = replace(hand, tiles=tiles, river=(*hand.river, pai))
            may_declare = (pai, discard.tsumogiri) in declarable
            looked_at[pai] = reader.prospect(after, may_declare=may_declare)
        found.append(Choice(TILE_TO_TEXT[pai], discard.tsumogiri, looked_at[pai]))
    return tuple(found)


def _barred(table: Table, hand: Hand) -> tuple[Barred, ...]:
    """The tiles that kuikae keeps in the hand, each once."""
    if not table.forbidden:
        return ()
    called = hand.melds[-1].called >> 1
    return tuple(
        Barred(TILE_TO_TEXT[tile], "same_tile" if tile >> 1 == called else "other_end")
        for tile in dict.fromkeys(hand.tiles)
        if table.forbidden >> (tile >> 1) & 1
    )


class _Reader:
    """What a seat sees of every tile, counted once for all that is worked out from it."""

    def __init__(self, seen: Seen) -> None:
        self._table = seen.table
        self._seat = seen.seat
        self._visible = _visible(seen)

    def prospect(self, hand: Hand, *, may_declare: bool) -> Prospect:
        """What the hand, which has no tile too many, can become."""
        exchanges, wanted = distance(hand.tiles)
        if exchanges > 1:
            return Prospect(exchanges - 1, self._useful(wanted), (), ())
        mask = waits(hand.tiles, hand.melds)
        return Prospect(
            shanten=0,
            useful=(),
            waits=tuple(self._wait(hand, kind, may_declare) for kind in kinds_in(mask)),
            furiten=tuple(self._furiten(hand, mask)),
        )

    def _useful(self, wanted: int) -> tuple[Outlook, ...]:
        outlooks = ((TILE_TO_TEXT[2 * kind], self._left(kind)) for kind in kinds_in(wanted))
        return tuple(outlook for outlook in outlooks if outlook[1])

    def _furiten(self, hand: Hand, mask: int) -> list[str]:
        found = ["own_discard"] if is_discarded(self._table, hand, mask) else []
        if hand.missed:
            found.append("temporary" if hand.riichi == Riichi.NONE else "riichi")
        return found

    def _wait(self, hand: Hand, kind: int, may_declare: bool) -> Wait:
        tile = self._likely(kind)
        in_riichi = hand.riichi != Riichi.NONE
        worth = self._worths(hand, tile, in_riichi, in_riichi and hand.double_riichi)
        declared = None
        if may_declare:
            is_double = self._table.unbroken and len(hand.river) == 1
            declared = self._worths(hand, tile, True, is_double)
        return Wait(TILE_TO_TEXT[2 * kind], self._left(kind), worth.ron, worth.tsumo, declared)

    def _worths(self, hand: Hand, tile: int, in_riichi: bool, is_double: bool) -> Wins:
        def worth(is_tsumo: bool) -> Worth | None:
            return self._worth(hand, tile, is_tsumo, in_riichi, is_double)

        return Wins(ron=worth(False), tsumo=worth(True))

    def _worth(
        self, hand: Hand, tile: int, is_tsumo: bool, in_riichi: bool, is_double: bool
    ) -> Worth | None:
        table, seat = self._table, self._seat
        value = value_of(
            WinContext(
                rules=table.rules,
                tiles=hand.tiles,
                melds=hand.melds,
                winning_tile=tile,
                is_tsumo=is_tsumo,
                seat_wind=table.wind_of(seat),
                round_wind=table.round_wind,
                riichi=in_riichi,
                double_riichi=is_double,
                last_tile=table.left == 0,
                dora=table.dora,
                counters=table.honba,
            )
        )
        if value is None:
            return None
        points = hand_points(value, seat == table.dealer, is_tsumo)
        return Worth(value.fan, value.fu, value.yakuman, value.limit, points, value.yaku)

    def _left(self, kind: int) -> int:
        """How many of this kind the reader does not see."""
        return max(0, _COPIES - self._visible[2 * kind] - self._visible[2 * kind + 1])

    def _likely(self, kind: int) -> int:
        """The tile of this kind that would come: a red five only if no other is left."""
        suit = kind // 9
        reds = self._table.rules.red_fives[suit] if kind in (4, 13, 22) else 0
        has_plain = self._visible[2 * kind] < _COPIES - reds
        return 2 * kind if has_plain or self._visible[2 * kind + 1] >= reds else 2 * kind + 1


def _visible(seen: Seen) -> Counter[int]:
    """Every tile that the seat sees: its own, melds, rivers and indicators."""
    table = seen.table
    found = Counter(seen.hand.tiles)
    found.update(table.dora)
    if table.phase == Phase.TURN and table.turn == seen.seat and table.drawn != NO_TILE:
        found[table.drawn] += 1
    for hand in table.hands:
        for meld in hand.melds:
            found.update(meld.tiles)
        found.update([entry & RIVER_TILE for entry in hand.river if not entry & RIVER_TAKEN])
    return found
