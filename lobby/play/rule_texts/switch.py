"""The types of the texts that explain switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Text = Any
"""A text: English here, the reader's language when it is shown."""


@dataclass(frozen=True, slots=True)
class Switch:
    """The texts of one switch."""

    label: Text
    text: Text
    """What every value means; for a switch that is on or off, the rule if it is on."""
    values: Mapping[str, Text] = field(default_factory=dict)
    """The names of values that are words."""
    meanings: Mapping[str, Text] = field(default_factory=dict)
    """The rule with each value, if `text` describes several values."""
    off: Text = ""
    """The rule if the switch is off."""

    def meaning(self, value: object) -> Text:
        """Return the text that explains the rule when the switch has this value."""
        return self.off if value is False else self.meanings.get(str(value), self.text)


@dataclass(frozen=True, slots=True)
class Group:
    """A heading and the switches under it, by name."""

    name: Text
    switches: Mapping[str, Switch]
