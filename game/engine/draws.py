"""Hands that end without a win: the wall used up, nagashi mangan, and the five aborts."""

from __future__ import annotations

from collections.abc import Sequence

from game.engine.actions import ShowTenpai
from game.engine.claims import others
from game.engine.events import FourInts, FourRows, HandDrawn
from game.engine.formal import is_tenpai
from game.engine.hand import is_closed, with_tile
from game.engine.kans import is_sukaikan_due
from game.engine.points import STICK, nagashi_payments, noten_payments
from game.engine.state import RIVER_TAKEN, RIVER_TILE, SEATS, Hand, Riichi, Table
from game.engine.tiles import ORPHANS, WINDS

ABORTS = frozenset({"kyushu_kyuhai", "sufon_renda", "sucha_riichi", "sukaikan", "sanchaho"})


def exhaustive(table: Table) -> HandDrawn:
    """The wall is used up: nagashi mangan if somebody has it, else the noten pay. Who was
    free to keep the hand closed and has not shown it counts as noten."""
    tenpais = [
        is_tenpai(table.rules, hand)
        and (not table.may_show >> seat & 1 or isinstance(table.answers[seat], ShowTenpai))
        for seat, hand in enumerate(table.hands)
    ]
    if nagashi := nagashi_seats(table):
        deltas = nagashi_payments(
            table.rules,
            table.dealer,
            nagashi,
            honba=table.honba,
            kyotaku=table.kyotaku,
            in_riichi=table.in_riichi,
        )
        return _drawn(table, "nagashi_mangan", tenpais, deltas, nagashi)
    return _drawn(table, "exhaustive", tenpais, noten_payments(table.rules, tenpais))


def free_to_show(table: Table) -> int:
    """A bit per seat: is tenpai and not in riichi, so that it may keep the hand closed."""
    return sum(
        1 << seat
        for seat, hand in enumerate(table.hands)
        if hand.riichi == Riichi.NONE and is_tenpai(table.rules, hand)
    )


def nagashi_seats(table: Table) -> list[int]:
    """Who has nagashi mangan, the dealer first; as a win it needs a closed hand."""
    if table.rules.nagashi_mangan == "off":
        return []
    seats = (table.dealer, *others(table.dealer))
    found = [seat for seat in seats if _is_nagashi(table.hands[seat])]
    if table.rules.nagashi_mangan == "win":
        found = [seat for seat in found if is_closed(table.hands[seat].melds)]
    return found


def _is_nagashi(hand: Hand) -> bool:
    """Whether all discards are terminals and honours, and none was called."""
    return all(
        not entry & RIVER_TAKEN and ORPHANS >> ((entry & RIVER_TILE) >> 1) & 1
        for entry in hand.river
    ) and bool(hand.river)


def _drawn(
    table: Table,
    reason: str,
    shown: Sequence[bool],
    deltas: FourInts = (0, 0, 0, 0),
    nagashi: Sequence[int] = (),
) -> HandDrawn:
    rows = [hand.tiles if shown[seat] else () for seat, hand in enumerate(table.hands)]
    scores = [table.scores[seat] + deltas[seat] for seat in SEATS]
    return HandDrawn(
        reason=reason,
        tehais=_four_rows(rows),
        tenpais=(bool(shown[0]), bool(shown[1]), bool(shown[2]), bool(shown[3])),
        deltas=deltas,
        scores=(scores[0], scores[1], scores[2], scores[3]),
        nagashi=tuple(nagashi),
    )


def _four_rows(rows: Sequence[tuple[int, ...]]) -> FourRows:
    return rows[0], rows[1], rows[2], rows[3]


def abort(table: Table, reason: str, shown: Sequence[int] = ()) -> HandDrawn:
    """The hand is aborted; the seats `shown` lay their hands open. No points move."""
    return _drawn(table, reason, [seat in shown for seat in SEATS])


def abandoned(table: Table) -> HandDrawn:
    """The game is ended in the midst of the hand: riichi sticks of the hand are given back."""
    in_riichi = table.in_riichi
    east, south, west, north = (STICK * (seat in in_riichi) for seat in SEATS)
    return _drawn(table, "abandoned", (False,) * 4, (east, south, west, north))


def kyushu_kyuhai(table: Table) -> HandDrawn:
    """The seat on turn shows its nine kinds of terminals and honours, and the hand is over."""
    seat = table.turn
    rows: list[tuple[int, ...]] = [(), (), (), ()]
    rows[seat] = with_tile(table.hands[seat].tiles, table.drawn)
    return HandDrawn(
        reason="kyushu_kyuhai",
        tehais=_four_rows(rows),
        tenpais=(False, False, False, False),
        deltas=(0, 0, 0, 0),
        scores=table.scores,
        actor=seat,
    )


def abort_after_discard(table: Table) -> HandDrawn | None:
    """The abort that a discard brings about which nobody has won on: sufon renda, sucha
    riichi or sukaikan."""
    rules = table.rules
    if rules.sufon_renda and table.unbroken and _is_sufon(table):
        return abort(table, "sufon_renda")
    if rules.sucha_riichi and _are_all_in_riichi(table):
        return abort(table, "sucha_riichi", SEATS)
    if is_sukaikan_due(table):
        return abort(table, "sukaikan")
    return None


def _are_all_in_riichi(table: Table) -> bool:
    """Whether everybody is; only with a declaration tile of the discarder's can it be so."""
    return table.hands[table.turn].riichi == Riichi.ACCEPTED and all(
        hand.riichi == Riichi.ACCEPTED for hand in table.hands
    )


def _is_sufon(table: Table) -> bool:
    """Whether everybody's only discard is the same wind."""
    first = table.hands[table.turn].river[0]
    if not WINDS >> ((first & RIVER_TILE) >> 1) & 1:
        return False
    return all(
        len(hand.river) == 1 and hand.river[0] & RIVER_TILE == first & RIVER_TILE
        for hand in table.hands
    )
