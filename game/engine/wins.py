"""Wins: whether a seat may win, and the `Won` events of a win.

Owns how the state of a table becomes the input of `game.engine.value`, which computes the value of
a hand, and of `game.engine.points`, which computes the payments.
"""

from __future__ import annotations

from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.events import Won
from game.engine.furiten import has_discarded_wait
from game.engine.hand import remove_tiles, tiles_of_kind, waits_of
from game.engine.kans import are_ura_used
from game.engine.points import hand_points, split_sticks, win_payments
from game.engine.state import Meld, Riichi, Table
from game.engine.tiles import NO_TILE, kind_of, kinds_in
from game.engine.value import WinContext, has_yaku, value_of, yaku_of_tiles
from game.engine.wall import ura_indicators


def can_tsumo(table: Table, seat: int) -> bool:
    """Return whether the seat on turn may win with the tile that it has drawn."""
    if table.drawn == NO_TILE or not waits_of(table.hands[seat]) >> kind_of(table.drawn) & 1:
        return False
    return has_yaku(_win_context(table, seat, table.drawn, is_tsumo=True))


def can_ron(table: Table, seat: int, waits: int, tile: int, *, chankan: bool = False) -> bool:
    """Return whether the seat may win on this open tile. The tile must be one of its `waits`."""
    hand = table.hands[seat]
    if hand.missed or has_discarded_wait(table, hand, waits):
        return False
    return has_yaku_on(table, seat, tile, chankan=chankan)


def has_yaku_on(table: Table, seat: int, tile: int, *, chankan: bool = False) -> bool:
    """Return whether the seat's hand, completed by this open tile, has a yaku."""
    return has_yaku(_win_context(table, seat, tile, is_tsumo=False, chankan=chankan))


def keeps_yaku(table: Table, seat: int, waits: int, kan: Meld) -> bool:
    """Return whether the seat's hand, completed by any of its `waits`, still has all its yaku after
    this closed kan."""
    for kind in kinds_in(waits):
        before = _win_context(table, seat, 2 * kind, is_tsumo=True)
        rest = remove_tiles(before.tiles, tiles_of_kind(before.tiles, kind_of(kan.tiles[0])))
        after = replace(before, tiles=rest, melds=(*before.melds, kan))
        if not yaku_of_tiles(before) <= yaku_of_tiles(after):
            return False
    return True


def _win_context(
    table: Table, seat: int, tile: int, *, is_tsumo: bool, chankan: bool = False
) -> WinContext:
    hand = table.hands[seat]
    in_riichi = hand.riichi == Riichi.ACCEPTED
    return WinContext(
        rules=table.rules,
        tiles=hand.tiles,
        melds=hand.melds,
        winning_tile=tile,
        is_tsumo=is_tsumo,
        seat_wind=table.wind_of(seat),
        round_wind=table.round_wind,
        riichi=in_riichi,
        double_riichi=in_riichi and hand.double_riichi,
        ippatsu=hand.ippatsu,
        rinshan=is_tsumo and table.rinshan,
        chankan=chankan,
        last_tile=table.left == 0,
        first_turn=table.unbroken and not hand.river,
        dora=table.dora,
        ura=_ura_indicators(table, seat),
        honba=table.honba,
        norths=hand.norths,
    )


def _ura_indicators(table: Table, seat: int) -> tuple[int, ...]:
    """Return the ura indicators that count for this seat. Empty without riichi, and after a fifth
    kan has used them."""
    if table.hands[seat].riichi != Riichi.ACCEPTED or not table.rules.ura_dora:
        return ()
    if not table.wall or are_ura_used(table):
        return ()
    return ura_indicators(table.wall, len(table.dora) if table.rules.kan_ura else 1)


def tsumo_win(table: Table) -> Won:
    """Return the win of the seat on turn with its drawn tile."""
    return _won_event(table, table.turn, table.drawn, table.honba, table.kyotaku)


def ron_wins(table: Table, winners: list[int], *, chankan: bool) -> list[Won]:
    """Return the wins of these seats on the open tile, the nearest after the discarder first."""
    rules, nearest = table.rules, winners[0]
    sticks = split_sticks(rules, table.kyotaku, winners, table.in_riichi)
    wins = []
    scores = table.scores
    for seat in winners:
        has_honba = seat == nearest or rules.honba_multi == "each"
        honba = table.honba if has_honba else 0
        won = _won_event(table, seat, table.claimed, honba, sticks[seat], scores, chankan)
        scores = won.scores
        wins.append(won)
    return wins


def _won_event(
    table: Table,
    seat: int,
    tile: int,
    honba: int,
    kyotaku: int,
    scores: BySeat[int] | None = None,
    chankan: bool = False,
) -> Won:
    is_tsumo = seat == table.turn
    value = value_of(_win_context(table, seat, tile, is_tsumo=is_tsumo, chankan=chankan))
    if value is None:
        raise ValueError(f"seat {seat} has no win on tile {tile} at step {table.step}")
    hand, dealer = table.hands[seat], table.dealer
    deltas, liable = win_payments(
        table.rules, value, seat, table.turn, dealer, honba, kyotaku, hand.liable
    )
    before = scores or table.scores
    return Won(
        actor=seat,
        target=table.turn,
        pai=tile,
        tehai=hand.tiles,
        uradora_markers=_ura_indicators(table, seat),
        yaku=value.yaku,
        fan=value.fan,
        fu=value.fu,
        yakuman=value.yakuman,
        limit=value.limit,
        points=hand_points(table.rules, value, seat == dealer, is_tsumo),
        liable=liable,
        deltas=deltas,
        scores=tuple([before[seat] + deltas[seat] for seat in table.seats]),
        fu_parts=value.fu_parts,
    )
