"""Answers what pregame tables ask about a league's list of tables: who plays at one, and whether it
has been played.

Each table of the list has one game that counts. A game that was broken off or declared void does
not count, so its table can be played again. `lobby.events.fixtures` owns everything else of the
list.
"""

from __future__ import annotations

from uuid import UUID

from asgiref.sync import sync_to_async

from game.results.group_results import is_broken_off
from lobby.models import ClubGame, Fixture, LeagueRuling, OfflineGame


async def may_play_fixture(league: int, fixture: int, person: str) -> bool:
    """Return whether that person is one of the four players of that fixture, and its game is
    neither running nor played."""
    rows = Fixture.objects.filter(pk=fixture, league=league, players=UUID(person))
    found = await rows.afirst()
    return found is not None and not await sync_to_async(has_game)(found)


def has_game(fixture: Fixture) -> bool:
    """Return whether a game of the fixture is running or counts."""
    if OfflineGame.objects.filter(fixture=fixture).exists():
        return True
    game = ClubGame.objects.filter(fixture=fixture).first()
    return game is not None and _may_count(game)


def _may_count(game: ClubGame) -> bool:
    """Return whether the game was neither broken off nor declared void."""
    void = LeagueRuling.objects.filter(
        table_id=game.table_id, kind=LeagueRuling.VOID, is_cancelled=False
    )
    return not void.exists() and not is_broken_off(game.table_id)


def lock_free_fixture(fixture: int, league: int, table_id: str) -> Fixture | None:
    """Lock that fixture and return it if the game `table_id` can be its game, otherwise None.
    Detach earlier games, which do not count. Call it in a transaction."""
    found = Fixture.objects.select_for_update().filter(pk=fixture, league=league).first()
    if found is None:
        return None
    former = ClubGame.objects.filter(fixture=found).exclude(pk=table_id)
    if OfflineGame.objects.filter(fixture=found).exists() or any(map(_may_count, former)):
        return None
    former.update(fixture=None)
    return found
