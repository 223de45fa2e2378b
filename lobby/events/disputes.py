"""Records the check-in of entrants, and disputes about results.

A disputed result is provisional until an official has decided.
"""

from __future__ import annotations

from django.utils import timezone

from game.results.group_results import find_counted_game
from lobby.accounts.transactions import change_locked, in_transaction
from lobby.events.direction import (
    DirectionRefused,
    check_impartial,
    check_official,
    check_own,
    note,
)
from lobby.events.impartiality import Official
from lobby.models import Dispute, Entrant, Person, RoundTable, Tournament


async def check_in(tournament: Tournament, entrant: Entrant, *, is_here: bool) -> None:
    """Record whether the entrant is present."""
    await Entrant.objects.filter(pk=entrant.pk, tournament=tournament).aupdate(
        came_at=timezone.now() if is_here else None
    )


async def dispute(row: RoundTable, person: Person, text: str) -> None:
    """Dispute the result of a game that the person has played. Raises DirectionRefused."""

    def make(current: RoundTable) -> None:
        entrant = Entrant.objects.filter(
            tournament=current.tournament, person=person, number__in=current.seats
        ).first()
        if entrant is None:
            raise DirectionRefused("not_yours")
        if find_counted_game(current.table_id) is None or current.is_void:
            raise DirectionRefused("not_over")
        if Dispute.objects.filter(table=current, entrant=entrant, decision="").exists():
            raise DirectionRefused("disputed")
        Dispute.objects.create(table=current, entrant=entrant, text=text)

    await change_locked(row, make)


async def decide_dispute(found: Dispute, by: Official, decision: str) -> None:
    """Close the dispute. Raises DirectionRefused."""

    def close() -> None:
        row = RoundTable.objects.select_for_update().get(pk=found.table_id)
        check_official(row.tournament, by.person)
        check_own(row, by.person)
        check_impartial(row.tournament, by, row=row, entrant=found.entrant)
        rows = Dispute.objects.filter(pk=found.pk, decision="")
        if not rows.update(decision=decision, answer=by.reason):
            raise DirectionRefused("decided")
        note(row.tournament, by, "decide", decision, table=row, entrant=found.entrant)

    await in_transaction(close)
