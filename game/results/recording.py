"""Records the players of a finished game and their figures.

The archive calls this in the transaction that saves the game, and so exactly once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from game.engine.by_seat import BySeat
from game.engine.rules import RuleSet
from game.models import Game, GamePlayer, Player
from game.results.game_figures import Step, count_game
from game.results.ladders import GameStart, Origin, bot_ladder_of, ladder_of
from game.results.play_figures import PlayFigures, encode_figures


def ladder_at_start(
    people: Sequence[str],
    *,
    rules: RuleSet,
    origin: Origin,
    has_clock: bool,
    has_help: bool,
    bot_accounts: Sequence[bool] = (),
) -> tuple[str, BySeat[bool]]:
    """Return the ladder of a game that begins now ('' for none), and for each seat whether it is
    rated.

    `people` are the ids of the players by seat, '' for a bot. `bot_accounts` marks the seats of bot
    accounts. A game with a bot account is rated only in a ladder of bots.
    """
    if origin == "bots" and has_clock and not has_help:
        ladder = bot_ladder_of(rules, people) if bot_accounts and all(bot_accounts) else ""
        return ladder, (bool(ladder),) * len(people)
    if not origin or origin == "bots" or any(bot_accounts):  # not worth a query
        return "", (False,) * len(people)
    ids = [UUID(person) for person in people if person]
    listed = Player.objects.filter(pk__in=ids, is_listed=True).values_list("pk", flat=True)
    known = {str(person) for person in listed}
    accounts = tuple([person if person in known else "" for person in people])
    start = GameStart(
        rules=rules, origin=origin, has_clock=has_clock, has_help=has_help, accounts=accounts
    )
    ladder = ladder_of(start)
    return ladder, tuple([bool(ladder and account) for account in accounts])


def lock_people(people: Iterable[str]) -> frozenset[str]:
    """Lock these people until the transaction ends, so that none can delete their account. Return
    those whose accounts are already deleted. Must be called in a transaction."""
    ids = sorted({UUID(person) for person in people if person})
    rows = Player.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    return frozenset(str(player.pk) for player in rows if player.is_forgotten)


def record_players(
    game: Game, players: Sequence[GamePlayer], steps: Iterable[Step]
) -> tuple[str, ...]:
    """Write the players of a saved game with their figures counted from `steps`, and a `Player` for
    everybody who has none. Rows of an earlier call are replaced. Return `GameFigures.present`."""
    found = count_game(steps)
    for player in players:
        own = found.players.get(str(player.person_id), PlayFigures())
        player.figures = encode_figures(own)
        Player.objects.get_or_create(person_id=player.person_id, defaults={"name": player.name})
    GamePlayer.objects.filter(game=game).delete()
    GamePlayer.objects.bulk_create(players)
    return found.present
