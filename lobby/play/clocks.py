"""The clocks that can be chosen for a table."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from game.engine.clock import ClockSettings

CLOCKS: Final[dict[str, ClockSettings]] = {
    "5+10": ClockSettings(base_ms=5_000, bank_ms=10_000),
    "5+20": ClockSettings(base_ms=5_000, bank_ms=20_000),
    "15+30": ClockSettings(base_ms=15_000, bank_ms=30_000),
    "60+0": ClockSettings(base_ms=60_000, bank_ms=0),
    "none": ClockSettings(base_ms=60_000, bank_ms=0, is_unlimited=True),
}
"""The clocks by name: the seconds for each decision, and a bank for the hand. Without a clock, an
absent player times out after a minute."""
DEFAULT_CLOCK: Final = "5+20"


def quicken(clock: ClockSettings) -> ClockSettings:
    """Return the clock for a table of one person and three bots that answer quickly. The
    reaction time after a discard still has the same length, whatever the bots do."""
    return replace(
        clock, bot_min_ms=50, bot_max_ms=400, lead_ms=200, reaction_ms=400, result_pause_ms=1_500
    )


def is_quickened(clock: ClockSettings) -> bool:
    """Return whether this clock is a quickened one, at any pace of the site."""
    usual = ClockSettings()
    return clock.bot_max_ms * usual.reaction_ms < usual.bot_max_ms * clock.reaction_ms // 2


def clock_key(clock: ClockSettings) -> str:
    """Return the key of that clock, or of the default one."""
    for name, known in CLOCKS.items():
        spans = known.base_ms, known.bank_ms, known.is_unlimited
        if (clock.base_ms, clock.bank_ms, clock.is_unlimited) == spans:
            return name
    return DEFAULT_CLOCK
