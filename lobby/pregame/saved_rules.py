"""Rule sets and clocks that people have saved: save, find, rename, delete.

The presets are found in the same way, by their names.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import msgspec
from django.db import IntegrityError

from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from game.results.game_text import preset_name
from lobby.models import Person, SavedRules
from lobby.pregame.clocks import CLOCKS, DEFAULT_CLOCK

log = logging.getLogger(__name__)

MAX_SAVED: Final = 50
"""Rule sets of one owner."""


class NameInUse(Exception):
    """The owner has saved rules under that name."""


class TooManySaved(Exception):
    """The owner has saved as many rule sets as are allowed."""


@dataclass(frozen=True, slots=True)
class NamedRules:
    """A preset or a saved rule set."""

    key: str
    name: str
    rules: RuleSet
    clock: str = ""
    """One of `lobby.pregame.clocks`; empty for a preset."""


async def find_named(key: str) -> NamedRules | None:
    """Return the preset or the saved rules of that key, or None."""
    if key in PRESETS:
        return NamedRules(key, preset_name(key), PRESETS[key])
    saved = await SavedRules.objects.filter(pk=key).afirst() if key else None
    return None if saved is None else _as_named(saved)


async def saved_by(person: Person | None) -> list[NamedRules]:
    """Return the rule sets of that person, by name."""
    if person is None:
        return []
    rows = [saved async for saved in SavedRules.objects.filter(owner=person)]
    return _all_named(rows)


async def save_rules(person: Person, name: str, rules: RuleSet, clock: str) -> SavedRules:
    """Save the rules and the clock. Raises NameInUse, TooManySaved."""
    own = SavedRules.objects.filter(owner=person)
    if await own.acount() >= MAX_SAVED:
        raise TooManySaved
    try:
        return await SavedRules.objects.acreate(
            owner=person, name=name, rules=msgspec.to_builtins(rules), clock=clock
        )
    except IntegrityError:
        raise NameInUse from None


async def rename_rules(person: Person, key: str, name: str) -> bool:
    """Rename rules of that person. Return False if they have none of that key. Raises NameInUse."""
    try:
        return bool(await SavedRules.objects.filter(owner=person, pk=key).aupdate(name=name))
    except IntegrityError:
        raise NameInUse from None


async def delete_rules(person: Person, key: str) -> bool:
    """Delete rules of that person. Return False if they have none of that key."""
    deleted, _ = await SavedRules.objects.filter(owner=person, pk=key).adelete()
    return bool(deleted)


def _all_named(rows: Iterable[SavedRules]) -> list[NamedRules]:
    return [named for saved in rows if (named := _as_named(saved)) is not None]


def _as_named(saved: SavedRules) -> NamedRules | None:
    """Return the rules, or None if this version of the site cannot read them."""
    try:
        rules = msgspec.convert(saved.rules, RuleSet)
    except msgspec.ValidationError as error:
        log.warning("saved rules %s cannot be read: %s", saved.pk, error)
        return None
    clock = saved.clock if saved.clock in CLOCKS else DEFAULT_CLOCK
    return NamedRules(saved.pk, saved.name, rules, clock)
