"""The types of the texts that explain switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Text = Any
"""English here, the reader's language when it is shown."""


@dataclass(frozen=True, slots=True)
class Switch:
    """The texts of one switch."""

    label: Text
    text: Text
    """All that it can be set to; for a switch that is on or off, what holds if it is on."""
    values: Mapping[str, Text] = field(default_factory=dict)
    """Names of its values, where they are words."""
    meanings: Mapping[str, Text] = field(default_factory=dict)
    """What holds with a value, where `text` says more than that."""
    off: Text = ""
    """What holds if it is off."""

    def meaning(self, value: object) -> Text:
        """Return what holds with a value."""
        return self.off if value is False else self.meanings.get(str(value), self.text)


@dataclass(frozen=True, slots=True)
class Group:
    """Switches under one heading."""

    name: Text
    switches: Mapping[str, Switch]
