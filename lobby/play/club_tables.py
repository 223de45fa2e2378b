"""Answers what pregame tables ask about clubs: who is a member, who may play in an event, and to
which club a game belongs. Of an event's list of tables: who plays at one, and whether it has been
played.

Each table of the list has one game that counts. A game that was broken off or declared void does
not count, so its table can be played again.

`lobby.clubs` owns everything else of clubs, `lobby.events.fixtures` of lists.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import timezone

from game.results.group_results import count_games, is_broken_off
from lobby.accounts.transactions import in_transaction
from lobby.models import (
    Club,
    ClubGame,
    Event,
    EventTable,
    Membership,
    OfflineGame,
    OfflineSeat,
    Ruling,
)

Season = Literal["before", "running", "over"]


def is_member(club: str, person: str) -> bool:
    """Return whether that person is a member of the club of that address."""
    if not person:
        return False
    return Membership.objects.filter(club__slug=club, person=UUID(person)).exists()


def season_of(event: Event, now: datetime | None = None) -> Season:
    """Compare the days of the event, in its time zone, with `now`: "before", "running" or "over".
    An event with rounds is always "running".
    """
    if event.starts_on is None or event.ends_on is None:
        return "running"
    today: date = (now or timezone.now()).astimezone(ZoneInfo(event.time_zone)).date()
    if today < event.starts_on:
        return "before"
    return "running" if today <= event.ends_on else "over"


def table_ids_of(event: Event) -> QuerySet[Any, Any]:
    """Return the ids of the tables of all games of the event, running or finished, for a query of
    games."""
    rows: QuerySet[Any, Any] = ClubGame.objects.filter(event=event)
    if event.format != Event.OPEN_FORMAT:
        rows = EventTable.objects.filter(event=event).exclude(table_id="")
    return rows.values_list("table_id", flat=True)


def counted_tables(event: Event) -> QuerySet[Any, Any]:
    """Return the ids of `table_ids_of` without games that an officer has declared void."""
    void = Ruling.objects.filter(event=event, kind=Ruling.VOID, is_cancelled=False)
    return table_ids_of(event).exclude(table_id__in=void.values("game"))


def may_play(event: int, person: str, table: int = 0) -> bool:
    """Return whether that person may sit down at a table of the event. Its days must have come, and
    the person must be a member of the club, an entrant if the event has a registration, and below
    the maximum number of games. In an event with a list of tables only the players of that `table`
    may. The tables of rounds are seated by the server."""
    found = Event.objects.select_related("club").filter(pk=event).first()
    if found is None or found.has_rounds or season_of(found) != "running":
        return False
    if found.has_fixtures and not may_play_fixture(event, table, person):
        return False
    if not is_member(found.club.slug, person):
        return False
    entries = found.entrants.filter(person=UUID(person))
    if found.registration != Event.MEMBERS and not entries.exists():
        return False
    if not found.max_games:
        return True
    offline = OfflineSeat.objects.filter(
        game__event=found, game__is_cancelled=False, person=UUID(person)
    )
    played = count_games(counted_tables(found), person)
    return played + offline.count() < found.max_games


def record_game(club: str, table_id: str, event: int = 0, table: int = 0) -> None:
    """Record, before the game is opened, that it belongs to the club (if the club still exists)
    and to the event. In an event with a list the game belongs to the event only if that `table`
    has no other game. A repeated call has no effect.
    """

    def record() -> None:
        found = Club.objects.filter(slug=club).first()
        if found is None or ClubGame.objects.filter(pk=table_id).exists():
            return
        its = Event.objects.filter(club=found, pk=event).first() if event else None
        if its is not None and its.has_fixtures and not take_free_table(table, its.pk, table_id):
            its = None
        ClubGame.objects.get_or_create(table_id=table_id, defaults={"club": found, "event": its})

    in_transaction(record)


def club_of_game(table_id: str) -> tuple[str, int]:
    """Return the address of the club of that game ('' for none), and the event in which a rematch
    would count: 0 if there is none, its days are over, or the event seats its tables.
    """
    game = ClubGame.objects.select_related("club", "event").filter(pk=table_id).first()
    if game is None:
        return "", 0
    event = game.event
    if event is None or event.format != Event.OPEN_FORMAT or season_of(event) != "running":
        return game.club.slug, 0
    return game.club.slug, event.pk


def may_play_fixture(event: int, table: int, person: str) -> bool:
    """Return whether that person is a player of that table of the list, and its game is neither
    running nor played."""
    rows = EventTable.objects.filter(pk=table, event=event, players=UUID(person))
    found = rows.first()
    return found is not None and not has_game(found)


def has_game(table: EventTable) -> bool:
    """Return whether a game of the table is running or counts."""
    if OfflineGame.objects.filter(table=table).exists():
        return True
    if not table.table_id:
        return False
    return not is_void(table.table_id) and not is_broken_off(table.table_id)


def is_void(game: str) -> bool:
    return Ruling.objects.filter(game=game, kind=Ruling.VOID, is_cancelled=False).exists()


def take_free_table(table: int, event: int, table_id: str) -> bool:
    """Assign the game `table_id` to a table of the event's list. Return False if that table has
    another game that is running or counts. A replaced game moves to `former`. Needs a
    transaction."""
    found = EventTable.objects.select_for_update().filter(pk=table, event=event).first()
    if found is None or (found.table_id != table_id and has_game(found)):
        return False
    if found.table_id and found.table_id != table_id:
        found.former = [*found.former, found.table_id]
    found.table_id = table_id
    found.save(update_fields=["table_id", "former"])
    return True
