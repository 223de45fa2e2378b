"""Disputes of players about results of their games.

A disputed result is provisional until an official has decided.
"""

from __future__ import annotations

from typing import Any

from game.results.group_results import find_counted_game
from lobby.accounts.transactions import change_locked
from lobby.events.impartiality import Official
from lobby.events.rulings import (
    RulingRefused,
    check_official,
    people_of_game,
    store_ruling,
    table_of_round,
)
from lobby.models import Dispute, Event, EventTable, Person
from lobby.play.club_tables import counted_tables


def disputes_of(event: Event) -> list[Dispute]:
    """Return the disputes, the latest first, with their people."""
    return list(event.disputes.select_related("person"))


def dispute_result(event: Event, game: str, text: str, *, by: Person) -> None:
    """Dispute the result of a game that counts for the person. Raises RulingRefused; its code is
    also "disputed" if the person's dispute of this game is not decided yet.
    """

    def make(current: Event) -> None:
        if not _counts_for(current, game, by):
            raise RulingRefused("game")
        if current.disputes.filter(game=game, person=by, decision="").exists():
            raise RulingRefused("disputed")
        current.disputes.create(game=game, person=by, text=text)

    change_locked(event, make)


async def decide_dispute(event: Event, key: int, decision: str, *, by: Official) -> None:
    """Decide a dispute: the result was `kept`, or `changed` by other rulings. Raises
    RulingRefused; its code is also "decided" if the dispute has been decided already.
    """
    found = await event.disputes.filter(pk=key).afirst()
    if found is None:
        raise RulingRefused("gone")

    person, game = found.person_id, found.game

    def decide(current: Event, _row: EventTable | None) -> dict[str, Any]:
        is_by_player = check_official(current, by, {person, *people_of_game(current, game)})
        rows = current.disputes.filter(pk=key, decision="")
        if not rows.update(decision=decision, answer=by.reason, is_by_player=is_by_player):
            raise RulingRefused("decided")
        return {}

    await store_ruling(
        event, by, "decide", change=decide, person_id=person, game=game, detail=decision
    )


def _counts_for(event: Event, game: str, person: Person) -> bool:
    """Return whether the result of that finished game counts for the person."""
    found = find_counted_game(game)
    if found is None or not counted_tables(event).filter(table_id=game).exists():
        return False
    row = table_of_round(event, game)
    if row is not None:
        return event.entrants.filter(person=person, number__in=row.seats).exists()
    return any(seat.person_id == person.pk for seat in found.seats)
