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
    values: Mapping[str, Text] = field(default_factory=dict)
    """Names of its values, where they are words."""


@dataclass(frozen=True, slots=True)
class Group:
    """Switches under one heading."""

    name: Text
    switches: Mapping[str, Switch]
