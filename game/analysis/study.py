"""The study of a hand, which helps its player: waits, useful tiles and values of wins.

Owns the answer to a request for help. Works on what a seat sees (`SeatView`) and never on the whole
table, so that it reveals nothing hidden; equal views give equal answers. All rules come from the
engine. `game.live.consumer` decides who may ask.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from game.analysis.study_answer import (
    Barred,
    Prospect,
    Study,
    StudyChoice,
    TileCount,
    Wait,
    Wins,
    Worth,
)
from game.analysis.visible_tiles import COPIES_OF_KIND, known_tiles, unseen_kinds
from game.engine.furiten import has_discarded_wait, is_furiten
from game.engine.hand import after_discard, distance, waits
from game.engine.perspective import view
from game.engine.points import hand_points
from game.engine.state import Hand, Phase, Riichi, Table
from game.engine.tiles import RED_FIVES, TILE_TO_TEXT, kind_of, kinds_in
from game.engine.turn import discards, riichi_declarations
from game.engine.value import WinContext, value_of

_PHASES_OF_PLAY: Final = (Phase.TURN, Phase.CLAIMS, Phase.SHOWING)


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """A seat and its view of the table. Only `seat_view` creates it."""

    table: Table
    seat: int

    @property
    def hand(self) -> Hand:
        """The seat's own hand."""
        return self.table.hands[self.seat]


def seat_view(table: Table, seat: int) -> SeatView:
    """Return the seat with its view of the table."""
    return SeatView(view(table, seat), seat)


def study(seat_view: SeatView) -> Study:
    """Return the analysis of the seat's own hand."""
    table, seat, hand = seat_view.table, seat_view.seat, seat_view.hand
    if table.phase == Phase.TURN and table.turn == seat:
        return Study(table.step, None, _study_choices(seat_view), _barred_by_kuikae(table, hand))
    if table.phase not in _PHASES_OF_PLAY or len(hand.tiles) % 3 != 1:
        return Study(table.step, None, (), ())
    prospect = _Analysis(seat_view).prospect(hand, may_declare=False)
    if not is_furiten(table, seat):
        prospect = replace(prospect, furiten=())
    return Study(table.step, prospect, (), ())


def _study_choices(seat_view: SeatView) -> tuple[StudyChoice, ...]:
    """Return every legal discard with the waits or useful tiles of the hand after it. Discards of
    equal tiles share one prospect."""
    table, hand = seat_view.table, seat_view.hand
    analysis = _Analysis(seat_view)
    declarable = {(action.pai, action.tsumogiri) for action in riichi_declarations(table)}
    prospects: dict[int, Prospect] = {}
    found = []
    for discard in discards(table):
        pai = discard.pai
        if pai not in prospects:
            tiles = after_discard(hand.tiles, table.drawn, pai, tsumogiri=discard.tsumogiri)
            after = replace(hand, tiles=tiles, river=(*hand.river, pai))
            may_declare = (pai, discard.tsumogiri) in declarable
            prospects[pai] = analysis.prospect(after, may_declare=may_declare)
        found.append(StudyChoice(TILE_TO_TEXT[pai], discard.tsumogiri, prospects[pai]))
    return tuple(found)


def _barred_by_kuikae(table: Table, hand: Hand) -> tuple[Barred, ...]:
    """Return the tiles of the hand that kuikae forbids to discard, each once."""
    if not table.forbidden:
        return ()
    called = kind_of(hand.melds[-1].called)
    return tuple(
        Barred(TILE_TO_TEXT[tile], "same_tile" if kind_of(tile) == called else "other_end")
        for tile in dict.fromkeys(hand.tiles)
        if table.forbidden >> kind_of(tile) & 1
    )


class _Analysis:
    """The analysis of a seat's possible hands, with the visible tiles counted once."""

    def __init__(self, seat_view: SeatView) -> None:
        self._table = seat_view.table
        self._seat = seat_view.seat
        self._known = known_tiles(seat_view.table, seat_view.seat)
        self._unseen = unseen_kinds(self._known, self._table.rules.players)

    def prospect(self, hand: Hand, *, may_declare: bool) -> Prospect:
        """Return the waits or useful tiles of a hand before its draw."""
        hand_distance, useful = distance(hand.tiles)
        if hand_distance > 1:
            return Prospect(hand_distance - 1, self._count_useful(useful), (), ())
        mask = waits(hand.tiles, hand.melds)
        return Prospect(
            shanten=0,
            useful=(),
            waits=tuple(self._wait_for(hand, kind, may_declare) for kind in kinds_in(mask)),
            furiten=tuple(self._furiten_reasons(hand, mask)),
        )

    def _count_useful(self, useful: int) -> tuple[TileCount, ...]:
        counted = ((TILE_TO_TEXT[2 * kind], self._unseen[kind]) for kind in kinds_in(useful))
        return tuple((tile, copies) for tile, copies in counted if copies)

    def _furiten_reasons(self, hand: Hand, mask: int) -> list[str]:
        found = ["own_discard"] if has_discarded_wait(self._table, hand, mask) else []
        if hand.missed:
            found.append("temporary" if hand.riichi == Riichi.NONE else "riichi")
        return found

    def _wait_for(self, hand: Hand, kind: int, may_declare: bool) -> Wait:
        tile = self._likely_tile(kind)
        in_riichi = hand.riichi != Riichi.NONE
        wins = self._ron_and_tsumo_values(hand, tile, in_riichi, in_riichi and hand.double_riichi)
        declared = None
        if may_declare:
            is_double = self._table.unbroken and len(hand.river) == 1
            declared = self._ron_and_tsumo_values(hand, tile, True, is_double)
        left = self._unseen[kind]
        return Wait(TILE_TO_TEXT[2 * kind], left, wins.ron, wins.tsumo, declared)

    def _ron_and_tsumo_values(
        self, hand: Hand, tile: int, in_riichi: bool, is_double: bool
    ) -> Wins:
        return Wins(
            ron=self._win_value(hand, tile, in_riichi, is_double, is_tsumo=False),
            tsumo=self._win_value(hand, tile, in_riichi, is_double, is_tsumo=True),
        )

    def _win_value(
        self, hand: Hand, tile: int, in_riichi: bool, is_double: bool, *, is_tsumo: bool
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
                honba=table.honba,
                norths=hand.norths,
            )
        )
        if value is None:
            return None
        points = hand_points(table.rules, value, seat == table.dealer, is_tsumo)
        return Worth(value.fan, value.fu, value.yakuman, value.limit, points, value.yaku)

    def _likely_tile(self, kind: int) -> int:
        """Return the tile of this kind to assume for the value of a win: the red five only if no
        plain copy is unseen."""
        suit = kind // 9
        reds = self._table.rules.red_fives[suit] if kind in RED_FIVES else 0
        has_plain = self._known[2 * kind] < COPIES_OF_KIND - reds
        return 2 * kind if has_plain or self._known[2 * kind + 1] >= reds else 2 * kind + 1
