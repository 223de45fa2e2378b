"""Ratings: which games count, and what one does to its players.

A ladder is a preset. A game counts if it was public, played to its end by those who began it,
by the preset with nothing changed but its length, and by two people with accounts at the least.
They are compared with each other by their places; bots and guests at the table are left out, so
that nobody rises by beating either. Whoever leaves has the place to which a bot brings the seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace
from openskill.models import PlackettLuce

from game.engine.presets import preset
from game.engine.rules import RuleSet

LEAST_PEOPLE: Final = 2
LEAST_GAMES: Final = 10
"""To stand in a ladder's list."""

_model: Final = PlackettLuce()
MU: Final = float(_model.mu)
SIGMA: Final = float(_model.sigma)
_SHOWN_AT_FIRST: Final = 1000
_SHOWN_PER_POINT: Final = 40

Skill = tuple[float, float]
"""Mean and deviation of what a player is taken to be able to."""


def preset_of(rules: RuleSet) -> str:
    """The preset that these rules are, in any version and of whatever length; '' for rules of
    their own."""
    try:
        known = preset(rules.name, rules.version)
    except KeyError:
        return ""
    return known.name if replace(rules, length=known.length) == known else ""


def may_be_rated(rules: RuleSet, *, is_public: bool, has_clock: bool, people: int) -> bool:
    """Whether a game that is opened like this may come to count, as far as is known by then."""
    return bool(preset_of(rules)) and is_public and has_clock and people >= LEAST_PEOPLE


def after_game(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """The players' skills after a game that ended with these places, in the same order."""
    teams = [[_model.rating(mu=mu, sigma=sigma)] for mu, sigma in skills]
    rated = _model.rate(teams, ranks=[float(place) for place in places])
    return [(float(player.mu), float(player.sigma)) for (player,) in rated]


def shown(skill: Skill) -> int:
    """A rating as pages show it: what the player can do almost certainly, at least."""
    mu, sigma = skill
    return round(_SHOWN_AT_FIRST + _SHOWN_PER_POINT * (mu - 3 * sigma))
