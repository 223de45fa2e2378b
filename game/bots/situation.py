"""The features that decisions about discards and about calls share: turn, scores, other seats.

Owns the features of the progress of the hand and the game, of the threats and of the scores.
Features are numbers of about 0 to 2, as `game.bots.network` needs them.
"""

from __future__ import annotations

from typing import Final

from game.analysis.danger import Threat
from game.analysis.visible_tiles import VisibleTiles
from game.engine.hand import is_closed
from game.engine.progress import last_regular_kyoku
from game.engine.state import SEATS, Meld, Riichi

_FAR_AHEAD: Final = 20_000
"""Difference of scores that stands for a missing seat above or below."""


def other_seats(visible: VisibleTiles) -> list[int]:
    """Return the seats of the opponents."""
    return [seat for seat in SEATS if seat != visible.seat]


def riichi_opponents(visible: VisibleTiles) -> list[int]:
    """Return the opponents in riichi."""
    hands = visible.table.hands
    return [seat for seat in other_seats(visible) if hands[seat].riichi != Riichi.NONE]


def situation_of(
    visible: VisibleTiles, melds: tuple[Meld, ...], against: tuple[Threat, ...]
) -> list[float]:
    """Return the features of the situation. `melds` are the seat's own melds, `against` the seats
    to defend against."""
    table = visible.table
    riichis = riichi_opponents(visible)
    return [
        len(visible.hand.river) / 10,
        visible.own_draws_left / 10,
        len(melds) / 2,
        is_closed(melds),
        visible.is_dealer,
        len(riichis) == 1,
        len(riichis) > 1,
        table.dealer in riichis,
        max([threat.tenpai for threat in against], default=0.0),
        max([threat.tenpai * threat.loss for threat in against], default=0.0) / 8_000,
        max(0, last_regular_kyoku(table.rules) - table.kyoku) / 4,
        *_standing(visible),
    ]


def _standing(visible: VisibleTiles) -> tuple[float, ...]:
    """Return whether the seat is first or last, and the distances to the next scores."""
    scores = visible.table.scores
    mine = scores[visible.seat]
    above = [scores[other] - mine for other in other_seats(visible) if scores[other] >= mine]
    below = [mine - scores[other] for other in other_seats(visible) if scores[other] < mine]
    ahead = [*above, _FAR_AHEAD]
    behind = [*below, _FAR_AHEAD]
    return not above, not below, min(ahead) / 10_000, min(behind) / 10_000
