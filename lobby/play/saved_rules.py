"""Rule sets and clocks that people and clubs have saved: save, find, rename, delete.

The presets are found in the same way, by their names.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import msgspec
from django.db import IntegrityError
from django.db.models import QuerySet

from game.engine.presets import ALL_PRESETS
from game.engine.rules import RuleSet
from game.results.game_text import preset_name
from game.tables.settings import CLOCKS, DEFAULT_CLOCK
from lobby.models import Club, Person, SavedRules

log = logging.getLogger(__name__)

Owner = Person | Club
MAX_SAVED: Final = 50
"""The most saved rule sets of one owner."""


class NameInUse(Exception):
    """The owner has already saved rules under that name."""


class TooManySaved(Exception):
    """The owner has saved the maximum number of rule sets."""


@dataclass(frozen=True, slots=True)
class NamedRules:
    """A preset or a saved rule set."""

    key: str
    name: str
    rules: RuleSet
    clock: str = ""
    """The name of the clock, one of `game.tables.settings.CLOCKS`; empty for a preset."""


def find_named(key: str) -> NamedRules | None:
    """Return the preset or the saved rules of that key, or None."""
    if key in ALL_PRESETS:
        return NamedRules(key, preset_name(key), ALL_PRESETS[key])
    saved = SavedRules.objects.filter(pk=key).first() if key else None
    return None if saved is None else _as_named(saved)


def saved_by(owner: Owner | None) -> list[NamedRules]:
    """Return the rule sets of that owner, by name."""
    if owner is None:
        return []
    return _all_named(list(_rules_of(owner)))


def offered_to(person: Person | None, club: Club | None, *keys: str) -> list[NamedRules]:
    """Return the rules that the club and the person have saved, and rules of others whose key is
    in `keys`.
    """
    offered = saved_by(club) + saved_by(person)
    known = {*ALL_PRESETS, *(named.key for named in offered)}
    linked = [find_named(key) for key in dict.fromkeys(keys) if key not in known]
    return offered + [named for named in linked if named is not None]


def save_rules(owner: Owner, name: str, rules: RuleSet, clock: str) -> SavedRules:
    """Save the rules and the clock. Raises NameInUse, TooManySaved."""
    if _rules_of(owner).count() >= MAX_SAVED:
        raise TooManySaved
    made = SavedRules(name=name, rules=msgspec.to_builtins(rules), clock=clock)
    if isinstance(owner, Club):
        made.club = owner
    else:
        made.owner = owner
    try:
        made.save(force_insert=True)
    except IntegrityError:
        raise NameInUse from None
    return made


def rename_rules(key: str, name: str) -> None:
    """Rename saved rules. Raises NameInUse."""
    try:
        SavedRules.objects.filter(pk=key).update(name=name)
    except IntegrityError:
        raise NameInUse from None


def delete_rules(key: str) -> None:
    """Delete saved rules. If they were the default of a club, it has none afterwards."""
    SavedRules.objects.filter(pk=key).delete()


def _rules_of(owner: Owner) -> QuerySet[SavedRules]:
    if isinstance(owner, Club):
        return SavedRules.objects.filter(club=owner)
    return SavedRules.objects.filter(owner=owner)


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
