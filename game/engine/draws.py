"""Hands that end without a win: exhaustive draw, nagashi mangan and the five aborts.

Owns when these happen and the `HandDrawn` events that they lead to. Must not know who deals next
(`game.engine.progress`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from game.engine.actions import ShowTenpai
from game.engine.by_seat import BySeat
from game.engine.claims import other_seats
from game.engine.events import HandDrawn
from game.engine.formal import is_tenpai
from game.engine.hand import is_closed, with_tile
from game.engine.kans import is_sukaikan_due
from game.engine.points import nagashi_payments, noten_payments
from game.engine.state import RIVER_TAKEN, RIVER_TILE, STICK_POINTS, Hand, Riichi, Table
from game.engine.tiles import NO_TILE, ORPHANS, WINDS, kind_of

ABORTS = frozenset({"kyushu_kyuhai", "sufon_renda", "sucha_riichi", "sukaikan", "sanchaho"})


def exhaustive_draw(table: Table) -> HandDrawn:
    """Return the draw after the last tile: nagashi mangan if a seat has it, else noten payments. A
    seat that chose to keep its tenpai hand closed counts as noten."""
    tenpai = [
        seat
        for seat, hand in enumerate(table.hands)
        if is_tenpai(table.rules, hand)
        and (not table.may_show >> seat & 1 or isinstance(table.answers[seat], ShowTenpai))
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
        return hand_drawn_event(table, "nagashi_mangan", tenpai, deltas, nagashi=tuple(nagashi))
    deltas = noten_payments(table.rules, [seat in tenpai for seat in table.seats])
    return hand_drawn_event(table, "exhaustive", tenpai, deltas)


def seats_that_may_show(table: Table) -> int:
    """Return the mask of the seats that may choose whether to show their hands: tenpai and not in
    riichi."""
    return sum(
        1 << seat
        for seat, hand in enumerate(table.hands)
        if hand.riichi == Riichi.NONE and is_tenpai(table.rules, hand)
    )


def nagashi_seats(table: Table) -> list[int]:
    """Return the seats with nagashi mangan, from the dealer on. If the rules count nagashi mangan
    as a win, only closed hands qualify."""
    if table.rules.nagashi_mangan == "off":
        return []
    seats = (table.dealer, *other_seats(table.dealer, table.rules.players))
    found = [seat for seat in seats if _is_nagashi(table.hands[seat])]
    if table.rules.nagashi_mangan == "win":
        found = [seat for seat in found if is_closed(table.hands[seat].melds)]
    return found


def _is_nagashi(hand: Hand) -> bool:
    """Return whether all discards are terminals and honours, and none was called."""
    return all(
        not entry & RIVER_TAKEN and ORPHANS >> kind_of(entry & RIVER_TILE) & 1
        for entry in hand.river
    ) and bool(hand.river)


def hand_drawn_event(
    table: Table,
    reason: str,
    shown: Collection[int],
    deltas: BySeat[int] = (),
    *,
    are_tenpai: bool = True,
    **details: Any,
) -> HandDrawn:
    """Return the event that ends the hand without a win. The seats `shown` show their hands.
    Without `deltas` nobody pays."""
    rows = [hand.tiles if seat in shown else () for seat, hand in enumerate(table.hands)]
    if table.turn in shown and table.drawn != NO_TILE:
        rows[table.turn] = with_tile(rows[table.turn], table.drawn)
    deltas = deltas or (0,) * len(rows)
    return HandDrawn(
        reason=reason,
        tehais=tuple(rows),
        tenpais=tuple([are_tenpai and seat in shown for seat in table.seats]),
        deltas=deltas,
        scores=tuple([table.scores[seat] + deltas[seat] for seat in table.seats]),
        **details,
    )


def abandon_hand(table: Table) -> HandDrawn:
    """Return the event that ends a hand early, without a result. Riichi sticks of the hand are
    returned."""
    in_riichi = table.in_riichi
    returned = tuple([STICK_POINTS * (seat in in_riichi) for seat in table.seats])
    return hand_drawn_event(table, "abandoned", (), returned)


def kyushu_kyuhai_abort(table: Table) -> HandDrawn:
    """Return the abort by kyushu kyuhai. The seat on turn shows its hand."""
    seat = table.turn
    return hand_drawn_event(table, "kyushu_kyuhai", (seat,), are_tenpai=False, actor=seat)


def abort_after_discard(table: Table) -> HandDrawn | None:
    """Return the abort that follows from a discard that nobody has won on: sufon renda, sucha
    riichi or sukaikan; None if there is none."""
    rules = table.rules
    if rules.sufon_renda and table.unbroken and _is_sufon_renda(table):
        return hand_drawn_event(table, "sufon_renda", ())
    if rules.sucha_riichi and _are_all_in_riichi(table):
        return hand_drawn_event(table, "sucha_riichi", table.seats)
    if is_sukaikan_due(table):
        return hand_drawn_event(table, "sukaikan", ())
    return None


def _are_all_in_riichi(table: Table) -> bool:
    """Return whether all seats are in riichi."""
    return table.hands[table.turn].riichi == Riichi.ACCEPTED and all(
        hand.riichi == Riichi.ACCEPTED for hand in table.hands
    )


def _is_sufon_renda(table: Table) -> bool:
    """Return whether each seat has discarded only once, and all the same wind."""
    first = table.hands[table.turn].river[0]
    if not WINDS >> kind_of(first & RIVER_TILE) & 1:
        return False
    return all(
        len(hand.river) == 1 and hand.river[0] & RIVER_TILE == first & RIVER_TILE
        for hand in table.hands
    )
