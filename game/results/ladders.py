"""Decides which games are rated and computes new ratings. Pure.

A ladder belongs to one preset and one length. `ladder_of` is called when the game begins, so that
later events (a player leaves, a guest signs up) do not change whether it is rated. Rated players
are compared by their places. Bots and guests at the table are ignored. `game.results.ratings`
stores the results.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Final, Literal, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Count, F, Func, IntegerField, OuterRef, Subquery
from msgspec.structs import replace
from openskill.models import PlackettLuce

from game.engine.presets import ALL_PRESETS, preset
from game.engine.rules import RuleSet
from game.models import Rating

MIN_PEOPLE: Final = 3
"""The least number of people with different accounts at the start of a rated game."""
MIN_GAMES: Final = 10
"""The number of rated games after which a player is listed in a ladder."""
LENGTHS: Final = ("east", "east_south")

_rating_model: Final = PlackettLuce()
MU: Final = float(_rating_model.mu)
SIGMA: Final = float(_rating_model.sigma)
_FIRST_SHOWN_RATING: Final = 1000
_SHOWN_SCALE: Final = 40
_ABSENT_RANK: Final = 5
"""The rank of absent players, after the last place."""

Skill = tuple[float, float]
"""Mean and deviation of a player's estimated strength."""
Origin = Literal["", "queue", "bots"]
"""The arranger of the game: the players themselves, a queue, or the queue of bots."""
Absence = Literal["last", "as_played"]
"""How to rank a player who is absent in the last hand: last, or by the place of the seat."""


class GameStart(msgspec.Struct, frozen=True, kw_only=True):
    """The facts, known when a game begins, that decide whether it is rated."""

    rules: RuleSet
    origin: Origin
    has_clock: bool
    has_help: bool
    accounts: tuple[str, ...]
    """By seat, the id of the player's account; '' for a guest or a bot."""


class LadderKind(msgspec.Struct, frozen=True):
    """A preset and a length, whose games form one ladder of people or (`bots`) of bots."""

    preset: str
    length: str
    bots: bool = False
    """Whether it is a ladder of bot accounts. People never enter it."""

    @property
    def name(self) -> str:
        return f"{'bots.' if self.bots else ''}{self.preset}.{self.length}"

    @property
    def players(self) -> int:
        return ALL_PRESETS[self.preset].players


LADDERS: Final = {
    kind.name: kind
    for kind in (LadderKind(name, length) for name in ALL_PRESETS for length in LENGTHS)
}
BOT_LADDERS: Final = {
    kind.name: kind for kind in (replace(ladder, bots=True) for ladder in LADDERS.values())
}


def preset_of(rules: RuleSet) -> str:
    """Return the name of the preset that equals these rules; its version and the game's length do
    not matter. '' for custom rules."""
    try:
        known = preset(rules.name, rules.version)
    except KeyError:
        return ""
    return known.name if replace(rules, length=known.length) == known else ""


def ladder_of(start: GameStart) -> str:
    """Return the ladder in which the game is rated if it is played to its end; '' for none.

    A rated game comes from a queue. It uses a preset with no change but the length, has a clock,
    has no help, and has at least `MIN_PEOPLE` different accounts.
    """
    if start.origin != "queue" or not start.has_clock or start.has_help:
        return ""
    if len({account for account in start.accounts if account}) < MIN_PEOPLE:
        return ""
    kind = LadderKind(preset_of(start.rules), start.rules.length)
    return kind.name if kind.name in LADDERS else ""


def bot_ladder_of(rules: RuleSet, bots: Sequence[str]) -> str:
    """Return the ladder of bots in which a game of the queue of bots is rated; '' for none. `bots`
    are the ids of the bot accounts by seat. (The queue seats only bots of different owners.)"""
    if len(set(bots)) < len(bots):
        return ""
    kind = LadderKind(preset_of(rules), rules.length, bots=True)
    return kind.name if kind.name in BOT_LADDERS else ""


def rating_ranks(places: Sequence[int], absent: Sequence[bool], absence: Absence) -> list[int]:
    """Return the ranks that ratings compare; lower is better. Players who were `absent` in the last
    hand share the last rank, unless `absence` is `as_played`."""
    if absence == "as_played":
        return list(places)
    return [_ABSENT_RANK if gone else place for place, gone in zip(places, absent, strict=True)]


def skills_after_game(skills: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """Return the players' skills after a game with these ranks, in the same order."""
    teams = [[_rating_model.rating(mu=mu, sigma=sigma)] for mu, sigma in skills]
    rated = _rating_model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [(float(player.mu), float(player.sigma)) for (player,) in rated]


def displayed_rating(skill: Skill) -> int:
    """Return the rating that pages show: the mean minus three deviations, scaled to whole
    numbers."""
    mu, sigma = skill
    return round(_FIRST_SHOWN_RATING + _SHOWN_SCALE * (mu - 3 * sigma))


KEPT_S: Final = 60.0
"""The longest age of a cached number of players, and of a cached place beyond `COUNTED_PLACES`."""
COUNTED_PLACES: Final = 1_000


class _ListedRatings(NamedTuple):
    """The ratings that a ladder lists."""

    read_at: float
    negative: list[int]
    """Each rating that occurs, as a negative number, so that the best comes first."""
    players: list[int]
    """For each of these ratings, how many players have it or a better one."""

    def place(self, rating: int) -> int:
        better = bisect_right(self.negative, -rating - 1)
        return 1 + (self.players[better - 1] if better else 0)


_ratings_cache: Final[dict[str, _ListedRatings]] = {}
"""The cached ratings by ladder."""


def places_in_ladders(person: UUID) -> dict[str, tuple[int, int]]:
    """Return the player's place and the number of players in each ladder that lists the player.
    Equal ratings share a place."""
    listed = Rating.objects.filter(games__gte=MIN_GAMES)
    own = dict(listed.filter(player_id=person).values_list("ladder_id", "shown"))
    _read_ratings(own)
    places = {ladder: _ratings_cache[ladder].place(rating) for ladder, rating in own.items()}
    near_top = [ladder for ladder, place in places.items() if place <= COUNTED_PLACES]
    better = listed.filter(ladder_id=OuterRef("ladder_id"), shown__gt=OuterRef("shown"))
    # Not Count, which makes Django group the rows: that takes twice the time.
    number = Func(F("pk"), function="COUNT", output_field=IntegerField())
    counted = listed.filter(player_id=person, ladder__in=near_top).values_list(
        "ladder_id", Subquery(better.order_by().annotate(number=number).values("number"))
    )
    places |= {ladder: before + 1 for ladder, before in counted}
    return {
        ladder: (place, max(place, _ratings_cache[ladder].players[-1]))
        for ladder, place in places.items()
    }


def _read_ratings(ladders: Collection[str]) -> None:
    """Read the ratings of these ladders, unless they were read less than `KEPT_S` ago."""
    now = time.monotonic()
    old = [
        ladder
        for ladder in ladders
        if ladder not in _ratings_cache or now - _ratings_cache[ladder].read_at >= KEPT_S
    ]
    if not old:
        return
    rows = Rating.objects.filter(ladder__in=old, games__gte=MIN_GAMES).order_by()
    counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for ladder, rating, players in rows.values_list("ladder_id", "shown").annotate(Count("pk")):
        counts[ladder][-rating] = players
    for ladder in old:
        negative = sorted(counts[ladder])
        players = accumulate(counts[ladder][rating] for rating in negative)
        _ratings_cache[ladder] = _ListedRatings(now, negative, [*players] or [0])
