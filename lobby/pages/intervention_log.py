"""The log of a tournament: the interventions of its officials."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.results.game_text import format_signed
from lobby.clubs.members import ClubAccess
from lobby.models import Entrant, Intervention, RoundTable, Tournament
from lobby.pages.event_views import visible_event
from lobby.pages.refusals import count_not_found

KINDS: Final = {
    "pause": _("clocks stopped"),
    "resume": _("clocks run again"),
    "extend": _("round extended"),
    "repeat_hand": _("hand played again"),
    "repeat_game": _("game played again"),
    "void": _("game void"),
    "correct": _("result corrected"),
    "penalty": _("penalty"),
    "chombo": _("chombo"),
    "no_show": _("not at the table in time"),
    "cancel_penalty": _("penalty cancelled"),
    "replace": _("player replaced"),
    "take_back": _("player is back"),
    "decide": _("dispute decided"),
}
_PENALTIES: Final = {"penalty", "chombo", "cancel_penalty"}
"""The kinds of interventions whose detail is the points of a penalty."""
_MAX_ROWS: Final = 300


@never_cache
@require_safe
@visible_event
async def log(request: HttpRequest, access: ClubAccess, tournament: Tournament) -> HttpResponse:
    """Show the interventions of officials, to everybody if the tournament's log is public, else to
    officers."""
    if not (tournament.log_is_public or access.is_officer):
        raise await count_not_found(request)
    context = {
        "access": access,
        "club": access.club,
        "tournament": tournament,
        "log": await log_rows(tournament),
    }
    return render(request, "lobby/clubs/event_log.html", context)


async def log_rows(
    tournament: Tournament, *, table: RoundTable | None = None, entrant: Entrant | None = None
) -> list[dict[str, Any]]:
    """Return the log, or only its rows on that table, or on that entrant and their games."""
    rows = Intervention.objects.filter(tournament=tournament)
    rows = rows.select_related("table", "entrant__person", "by")
    if table is not None:
        rows = rows.filter(table=table)
    return [
        {
            "at": row.at,
            "what": KINDS.get(row.kind, row.kind),
            "detail": _detail(row),
            "reason": row.reason,
            "table": row.table,
            "name": row.entrant.person.name if row.entrant else "",
            "by": row.by.name if row.by else "",
            "is_by_player": row.is_by_player,
        }
        async for row in rows[:_MAX_ROWS]
        if entrant is None or _concerns(row, entrant)
    ]


def _detail(row: Intervention) -> str:
    """Return the detail for the page; points of a penalty as they change the standings."""
    if row.kind not in _PENALTIES:
        return row.detail
    return format_signed(-Decimal(row.detail), 1)


def _concerns(intervention: Intervention, entrant: Entrant) -> bool:
    is_own_table = intervention.table is not None and entrant.number in intervention.table.seats
    return intervention.entrant_id == entrant.pk or is_own_table
