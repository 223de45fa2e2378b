"""Which games are rated, in which ladder, and what one game does to ratings. Pure.

A ladder belongs to one preset and one length. `ladder_of` decides when the game begins, so that
nothing that happens later (a player leaves, a guest signs up) changes whether it is rated. Rated
players are compared with each other by their places. Bots and guests at the table are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from msgspec.structs import replace
from openskill.models import PlackettLuce

from game.engine.presets import PRESETS, preset
from game.engine.rules import RuleSet

LEAST_PEOPLE: Final = 3
"""People of different accounts at the start of a rated game."""
LEAST_GAMES: Final = 10
"""To stand in a ladder's list."""
LENGTHS: Final = ("east", "east_south")

_model: Final = PlackettLuce()
MU: Final = float(_model.mu)
SIGMA: Final = float(_model.sigma)
_SHOWN_AT_FIRST: Final = 1000
_SHOWN_PER_POINT: Final = 40
_LAST: Final = 5
"""The rank of absent players: behind place 4."""

Skill = tuple[float, float]
"""Mean and deviation of a player's estimated strength."""
Origin = Literal["", "queue", "event"]
"""Who brought the players together: they did it themselves, a queue, or an event."""
Absence = Literal["last", "as_played"]
"""The rank of a player who is absent in the last hand: the last one, or that of the seat."""


class GameStart(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a game when it begins."""

    rules: RuleSet
    origin: Origin
    is_event_approved: bool = False
    """The site has approved the event for its ladders."""
    has_clock: bool
    has_help: bool
    accounts: tuple[str, ...]
    """By seat the id of the player's account; '' for a guest or a bot."""


class LadderKind(msgspec.Struct, frozen=True):
    """The games of one ladder."""

    preset: str
    length: str

    @property
    def name(self) -> str:
        return f"{self.preset}.{self.length}"


LADDERS: Final = {
    kind.name: kind for kind in (LadderKind(name, one) for name in PRESETS for one in LENGTHS)
}


def preset_of(rules: RuleSet) -> str:
    """The preset that these rules are, in any version and of whatever length; '' for rules of
    their own."""
    try:
        known = preset(rules.name, rules.version)
    except KeyError:
        return ""
    return known.name if replace(rules, length=known.length) == known else ""


def ladder_of(start: GameStart) -> str:
    """The ladder in which the game is rated, if it is played to its end; '' if it is not rated.

    Rated are games of queues and of approved events: by a preset with nothing changed but its
    length, with a clock, without help, and with `LEAST_PEOPLE` different accounts at the least.
    """
    is_arranged = start.origin == "queue" or (start.origin == "event" and start.is_event_approved)
    if not is_arranged or not start.has_clock or start.has_help:
        return ""
    if len({account for account in start.accounts if account}) < LEAST_PEOPLE:
        return ""
    kind = LadderKind(preset_of(start.rules), start.rules.length)
    return kind.name if kind.name in LADDERS else ""


def ranks(places: Sequence[int], absent: Sequence[bool], absence: Absence) -> list[int]:
    """The ranks that ratings compare, lower is better. Players who were `absent` in the last hand
    share the last rank, unless the site rates them `as_played`; the others keep their order."""
    if absence == "as_played":
        return list(places)
    return [_LAST if gone else place for place, gone in zip(places, absent, strict=True)]


def after_game(skills: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """The players' skills after a game that ended with these ranks, in the same order."""
    teams = [[_model.rating(mu=mu, sigma=sigma)] for mu, sigma in skills]
    rated = _model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [(float(player.mu), float(player.sigma)) for (player,) in rated]


def shown(skill: Skill) -> int:
    """A rating as pages show it: a strength that the player almost certainly has."""
    mu, sigma = skill
    return round(_SHOWN_AT_FIRST + _SHOWN_PER_POINT * (mu - 3 * sigma))
