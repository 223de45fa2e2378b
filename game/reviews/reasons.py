"""What a choice gains and what it gives up against the bot's: codes, from which pages make a
sentence.

The figures of each code are those of the two choices. `game.results.review_texts` has the words.
Pure.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from game.reviews.figures import Choice

CODES: Final = ("near", "wide", "safe", "cheap", "value", "riichi", "free")
"""near: less shanten. wide: more useful tiles at the same shanten. safe: a lower deal-in rate.
cheap: less expected loss to hands without a shown rate. value: a hand worth more points. riichi: a
win is worth more with riichi. free: the hand may still change and fold."""
_MIN_RATE: Final = 0.01
_MIN_COST: Final = 100
_MIN_VALUE: Final = 200
_MIN_VALUE_SHARE: Final = 0.05


class Reasons(NamedTuple):
    """Codes of `CODES`."""

    gained: list[str]
    given_up: list[str]


def reasons_of(
    best: Choice, made: Choice, *, best_riichi: bool = False, made_riichi: bool = False
) -> Reasons:
    """Return what `made` gains against `best` and what it gives up."""
    return Reasons(
        _ahead(made, best, is_riichi=made_riichi, is_other_riichi=best_riichi),
        _ahead(best, made, is_riichi=best_riichi, is_other_riichi=made_riichi),
    )


def _ahead(one: Choice, other: Choice, *, is_riichi: bool, is_other_riichi: bool) -> list[str]:
    """Return in what the one choice is ahead of the other."""
    found: list[str] = []
    if one.shanten is not None and other.shanten is not None:
        if one.shanten < other.shanten:
            found.append("near")
        elif one.shanten == other.shanten and one.unseen > other.unseen:
            found.append("wide")
    rates = one.danger or 0.0, other.danger or 0.0
    if rates[1] - rates[0] >= _MIN_RATE:
        found.append("safe")
    elif rates[1] >= rates[0] and other.cost - one.cost >= _MIN_COST:
        found.append("cheap")
    least = max(_MIN_VALUE, _MIN_VALUE_SHARE * abs(other.value))
    if one.value - other.value >= least:
        found.append("value")
    if is_riichi != is_other_riichi:
        found.append("riichi" if is_riichi else "free")
    return found
