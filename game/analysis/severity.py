"""How bad a choice is: names for a loss of expected place.

Owns the thresholds. The loss is measured in places: 0.01 means that of a hundred such choices one
costs a place. docs/reviews.md has the shares of each name among strong players. Pure.
"""

from __future__ import annotations

from typing import Final

LEAST_LOSSES: Final = {
    "best": 0.0,
    "good": 0.001,
    "inaccuracy": 0.01,
    "mistake": 0.03,
    "blunder": 0.06,
}
"""The least loss in places of each name, from the best to the worst."""
SEVERITIES: Final = tuple(LEAST_LOSSES)
DIGITS: Final = 4
"""Decimal digits of a loss in places."""


def severity_of(loss: float) -> str:
    """Return the name of a loss in places."""
    return [name for name, least in LEAST_LOSSES.items() if loss >= least][-1]


def is_at_least(severity: str, least: str) -> bool:
    """Return whether `severity` is as bad as `least` or worse."""
    return SEVERITIES.index(severity) >= SEVERITIES.index(least)
