"""Enters a finished game into the database: its players, what they did, and their ratings.

All of it happens in the transaction that archives the game, and so exactly once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from msgspec import structs

from game.engine.rules import RuleSet
from game.models import Game, GamePlayer, Player
from game.results.counts import Counted, Counts
from game.results.ladders import GameStart, Origin, ladder_of
from game.results.ratings import ratings_added


def ladder_at_start(
    people: Sequence[str],
    *,
    rules: RuleSet,
    origin: Origin,
    has_clock: bool,
    has_help: bool,
) -> tuple[str, tuple[bool, bool, bool, bool]]:
    """The ladder of a game that begins now, '' for none, and by seat whether the player is rated.

    `people` are the ids of the players by seat, '' for a bot.
    """
    if not origin:  # not worth a query
        return "", (False, False, False, False)
    ids = [UUID(person) for person in people if person]
    listed = Player.objects.filter(pk__in=ids, is_listed=True).values_list("pk", flat=True)
    known = {str(person) for person in listed}
    east, south, west, north = (person if person in known else "" for person in people)
    accounts = (east, south, west, north)
    start = GameStart(
        rules=rules, origin=origin, has_clock=has_clock, has_help=has_help, accounts=accounts
    )
    ladder = ladder_of(start)
    is_rated = [bool(ladder and account) for account in accounts]
    return ladder, (is_rated[0], is_rated[1], is_rated[2], is_rated[3])


def forgotten_among(people: Iterable[str]) -> frozenset[str]:
    """Those of these people who have deleted their account. Nobody of them can do so before the
    transaction ends. To be called in one."""
    ids = sorted({UUID(person) for person in people if person})
    rows = Player.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    return frozenset(str(player.pk) for player in rows if player.is_forgotten)


def players_entered(game: Game, players: Sequence[GamePlayer], counted: Counted) -> None:
    """Write the players of a game that has been saved, with what they did, in place of those that
    were written before."""
    for one in players:
        counts = counted.players.get(str(one.person_id), Counts())
        for name, value in structs.asdict(counts).items():
            setattr(one, name, value)
    GamePlayer.objects.filter(game=game).delete()
    GamePlayer.objects.bulk_create(players)


def game_rated(game: Game, players: Sequence[GamePlayer]) -> None:
    """Rate a game that has been saved with its seats, if it is a rated one. Its players are known
    as such from now on."""
    for one in players:
        Player.objects.get_or_create(person_id=one.person_id, defaults={"name": one.name})
    if game.ladder:
        ratings_added(game)
