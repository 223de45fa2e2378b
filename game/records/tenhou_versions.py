"""The versions of Tenhou's rules by which a record may have been played.

Records up to July 2021 round final scores, those from June 2022 on do not.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from game.engine.presets import preset
from game.records.recorded import Versions

NAME: Final = "tenhou version {}"
ROUNDED: Final = "tenhou version 2 with rounded final scores"
"""Single hands may have been played as today while final scores were still rounded."""


def tenhou_versions(**switches: Any) -> Versions:
    """Return each version by name, the newest first, with the switches known from the record."""
    newest, first = preset("tenhou"), preset("tenhou", 1)
    versions = (
        (NAME.format(newest.version), newest),
        (NAME.format(first.version), first),
        (ROUNDED, replace(newest, rounding=first.rounding)),
    )
    return tuple([(name, replace(rules, **switches)) for name, rules in versions])
