"""The versions of Tenhou's rules that a record may have used.

Records up to July 2021 round final scores, those from June 2022 on do not.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from game.engine.presets import preset
from game.engine.rules import RuleSet
from game.records.recorded import Versions

VERSION_NAME: Final = "tenhou version {}"
ROUNDED_VERSION_NAME: Final = "tenhou version 2 with rounded final scores"
"""Single hands may have been played as today while final scores were still rounded."""
VERSION_NAME_OF_THREE: Final = "tenhou-3 version {}"
UNROUNDED_VERSION_NAME: Final = "tenhou-3 version 2 without rounded final scores"
"""No record shows that three players' final scores are no longer rounded, as those of four are."""
USUAL_REDS: Final = {4: (1, 1, 1), 3: (0, 1, 1)}
"""The red fives of a wall that has any, by the number of players."""


def tenhou_versions(players: int, **switches: Any) -> Versions:
    """Return pairs of a name and a version of the rules, the likeliest first. `switches` are known
    from the record and replace those of each version."""
    return tuple([(name, replace(rules, **switches)) for name, rules in _VERSIONS[players]])


def _versions_of_four() -> Versions:
    newest, first = preset("tenhou"), preset("tenhou", 1)
    return (
        (VERSION_NAME.format(newest.version), newest),
        (VERSION_NAME.format(first.version), first),
        (ROUNDED_VERSION_NAME, replace(newest, rounding=first.rounding)),
    )


def _versions_of_three() -> Versions:
    rounded = preset("tenhou-3")
    return (
        (VERSION_NAME_OF_THREE.format(rounded.version), rounded),
        (UNROUNDED_VERSION_NAME, replace(rounded, rounding="none")),
    )


_VERSIONS: Final[dict[int, tuple[tuple[str, RuleSet], ...]]] = {
    4: _versions_of_four(),
    3: _versions_of_three(),
}
