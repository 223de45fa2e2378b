"""Answers what pregame tables ask about clubs: who is a member, who may play in a league, and to
which club a game belongs.

`lobby.clubs` owns everything else of clubs.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import timezone

from game.results.group_results import count_games
from lobby.accounts.transactions import in_transaction
from lobby.models import (
    Club,
    ClubGame,
    League,
    LeaguePlayer,
    LeagueRuling,
    Membership,
    OfflineSeat,
)
from lobby.play.fixture_tables import lock_free_fixture, may_play_fixture

Season = Literal["before", "running", "over"]


async def is_member(club: str, person: str) -> bool:
    """Return whether that person is a member of the club of that address."""
    if not person:
        return False
    return await Membership.objects.filter(club__slug=club, person=UUID(person)).aexists()


def season_of(league: League, now: datetime | None = None) -> Season:
    """Return whether the season is running at that time, in the time zone of the league."""
    today: date = (now or timezone.now()).astimezone(ZoneInfo(league.time_zone)).date()
    if today < league.starts_on:
        return "before"
    return "running" if today <= league.ends_on else "over"


def games_of_league(league: League) -> QuerySet[ClubGame]:
    """Return the games of the league, running or finished: those of its list if it has one. Games
    that an officer has declared void are left out."""
    void = LeagueRuling.objects.filter(league=league, kind=LeagueRuling.VOID, is_cancelled=False)
    games = ClubGame.objects.filter(league=league).exclude(table_id__in=void.values("table_id"))
    return games.filter(fixture__isnull=False) if league.has_fixtures else games


async def may_play(league: int, person: str, fixture: int = 0) -> bool:
    """Return whether that person may sit down at a table of the league. The season must be running,
    and the person must be a member of the club, an entrant if the league has a registration, and
    below the maximum number of games. In a league with a list of tables only the players of that
    `fixture` may."""
    found = await League.objects.select_related("club").filter(pk=league).afirst()
    if found is None or season_of(found) != "running":
        return False
    if found.has_fixtures and not await may_play_fixture(league, fixture, person):
        return False
    if not await is_member(found.club.slug, person):
        return False
    if found.registration != League.MEMBERS:
        entries = LeaguePlayer.objects.filter(league=found, person=UUID(person))
        if not await entries.aexists():
            return False
    if not found.max_games:
        return True
    tables = games_of_league(found).values_list("table_id", flat=True)
    offline = OfflineSeat.objects.filter(
        game__league=found, game__is_cancelled=False, person=UUID(person)
    )
    return await count_games(tables, person) + await offline.acount() < found.max_games


async def record_game(club: str, table_id: str, league: int = 0, fixture: int = 0) -> None:
    """Record that the game that is about to be opened belongs to the club, if the club still
    exists, and to the league. In a league with a list of tables it belongs to the league only if
    that `fixture` has no other game. A repeated call has no effect."""

    def record() -> None:
        found = Club.objects.filter(slug=club).first()
        if found is None or ClubGame.objects.filter(pk=table_id).exists():
            return
        season = League.objects.filter(club=found, pk=league).first() if league else None
        table = None
        if season is not None and season.has_fixtures:
            table = lock_free_fixture(fixture, season.pk, table_id)
            season = season if table is not None else None
        terms = {"club": found, "league": season, "fixture": table}
        ClubGame.objects.get_or_create(table_id=table_id, defaults=terms)

    await in_transaction(record)


async def club_of_game(table_id: str) -> tuple[str, int]:
    """Return the address of the club of that game, '' for none, and the league of a rematch. The
    league is 0 if there is none, if its season is over or if it has a list of tables."""
    game = await ClubGame.objects.select_related("club", "league").filter(pk=table_id).afirst()
    if game is None:
        return "", 0
    league = game.league
    if league is None or league.has_fixtures or season_of(league) != "running":
        return game.club.slug, 0
    return game.club.slug, league.pk
