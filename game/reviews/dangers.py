"""Computes the deal-in rates of discards: counted rates if exactly one seat is in riichi, otherwise
estimates.

Pure. The counts are those of `game.analysis.deal_in_rates`, the estimates those of the bots' model
(`game.analysis.danger`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from game.analysis.danger import Threat, deal_in_probabilities
from game.analysis.deal_in_rates import counted_rates, riichi_seats
from game.analysis.visible_tiles import VisibleTiles
from game.engine.state import Riichi, Table
from game.engine.tiles import kind_of
from game.reviews.figures import Danger

_DIGITS: Final = 4
_THREATENING_MELDS: Final = 3


def dangers_of(
    visible: VisibleTiles, against: Sequence[Threat], tiles: Iterable[int]
) -> dict[int, list[Danger]]:
    """Return for each discard its rates against the seats in riichi and those with open melds."""
    table, seat = visible.table, visible.seat
    riichi = riichi_seats(table, seat)
    found: dict[int, list[Danger]] = {tile: [] for tile in tiles}
    kinds = sorted({kind_of(tile) for tile in found})
    for threat in against:
        if threat.seat in riichi and len(riichi) == 1:
            rates = counted_rates(table, seat, threat.seat, kinds, visible.open_copies)
            for tile, dangers in found.items():
                rate = rates[kind_of(tile)]
                share = round(rate.share, _DIGITS)
                dangers.append(Danger(threat.seat, share, rate.cases, rate.has_few_cases))
        elif threat.seat in riichi or is_open_without_riichi(table, threat.seat):
            odds = deal_in_probabilities(visible, threat)
            for tile, dangers in found.items():
                estimate = threat.tenpai * odds[kind_of(tile)]
                dangers.append(Danger(threat.seat, round(estimate, _DIGITS)))
    return found


def combined_rate(dangers: Sequence[Danger]) -> float | None:
    """Return the rate against all the seats together, as if they were independent. Return None
    without dangers."""
    if not dangers:
        return None
    passes = 1.0
    for danger in dangers:
        passes *= 1.0 - danger.rate
    return round(1.0 - passes, _DIGITS)


def is_open_without_riichi(table: Table, seat: int) -> bool:
    """Return whether the seat has open melds and is not in riichi."""
    hand = table.hands[seat]
    return hand.riichi == Riichi.NONE and any(meld.target != seat for meld in hand.melds)


def is_under_threat(table: Table, seat: int) -> bool:
    """Return whether another seat is in riichi or has at least three open melds."""
    return any(
        table.hands[other].riichi != Riichi.NONE
        or sum(meld.target != other for meld in table.hands[other].melds) >= _THREATENING_MELDS
        for other in table.seats
        if other != seat
    )
