"""The clocks that a table may have."""

from __future__ import annotations

from typing import Final

from game.engine.clock import ClockSettings

CLOCKS: Final[dict[str, ClockSettings]] = {
    "5+10": ClockSettings(base_ms=5_000, bank_ms=10_000),
    "5+20": ClockSettings(base_ms=5_000, bank_ms=20_000),
    "15+30": ClockSettings(base_ms=15_000, bank_ms=30_000),
    "60+0": ClockSettings(base_ms=60_000, bank_ms=0),
    "none": ClockSettings(base_ms=60_000, bank_ms=0, is_unlimited=True),
}
"""Seconds for each decision, and a bank for the hand. Without a clock, an absent
player times out after a minute."""
DEFAULT_CLOCK: Final = "5+20"


def clock_key(clock: ClockSettings) -> str:
    """Return the key of that clock, or of the default one."""
    for name, known in CLOCKS.items():
        spans = known.base_ms, known.bank_ms, known.is_unlimited
        if (clock.base_ms, clock.bank_ms, clock.is_unlimited) == spans:
            return name
    return DEFAULT_CLOCK
