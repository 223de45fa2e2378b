"""The log of an event: the rulings of its officials, as its pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.results.game_text import format_signed, player_name
from lobby.clubs.members import ClubAccess
from lobby.events import disputes
from lobby.events.forms import describe_changes
from lobby.events.views import event_context, visible_event
from lobby.models import Event, EventTable, Ruling
from lobby.play.fragments import describe_missed

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
    "cancel": _("decision cancelled"),
    "replace": _("player replaced"),
    "take_back": _("player is back"),
    "decide": _("dispute decided"),
    Ruling.LATE: _("late entry"),
    Ruling.WITHDRAWAL: _("player withdrawn"),
    Ruling.CHANGE: _("event changed"),
}
_WITH_POINTS: Final = {*Ruling.WITH_POINTS, "cancel_penalty"}
_OF_GAMES: Final = {Ruling.VOID, Ruling.CORRECTION, "cancel", "decide"}
"""The kinds of rulings whose row has a link to the game."""
_PUBLIC: Final = (Ruling.LATE, Ruling.WITHDRAWAL, Ruling.CHANGE)
"""The kinds of rulings that everybody sees who sees the event."""
_MAX_ROWS: Final = 300


@never_cache
@require_safe
@visible_event
def log(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show the officials' rulings. Unless the log is public, only officers see rulings at tables;
    others see late entries, withdrawals and changes of the event."""
    kinds = () if event.log_is_public or access.is_officer else _PUBLIC
    context = event_context(access, event) | {
        "log": log_rows(event, kinds=kinds),
        "disputes": [] if event.has_rounds else disputes.disputes_of(event),
        "can_open": event.is_public or access.is_officer,
    }
    return render(request, "lobby/clubs/event_log.html", context)


def log_rows(
    event: Event,
    *,
    table: EventTable | None = None,
    person: UUID | None = None,
    kinds: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """Return the log, or only its rows of these `kinds`, on that table, or on that person and their
    games."""
    rows = event.rulings.select_related("table", "person", "by", "event")
    if kinds:
        rows = rows.filter(kind__in=kinds)
    if table is not None:
        rows = rows.filter(table=table)
    if person is not None:
        entrant = event.entrants.filter(person=person).first()
        number = entrant.number if entrant is not None else None
        return [
            log_row(row)
            for row in rows[:_MAX_ROWS]
            if row.person_id == person or (row.table is not None and number in row.table.seats)
        ]
    return [log_row(row) for row in rows[:_MAX_ROWS]]


def log_row(row: Ruling) -> dict[str, Any]:
    """Return the ruling as the log shows it. The ruling was read with `table`, `person`, `by` and
    `event`.
    """
    has_points = row.points and row.kind in _WITH_POINTS
    detail = format_signed(-row.points, 1) if has_points else row.detail
    if row.kind == Ruling.LATE:
        detail = describe_missed(int(row.detail or 0), -row.points)
    return {
        "key": row.pk,
        "at": row.made_at,
        "kind": row.kind,
        "what": KINDS.get(row.kind, row.kind),
        "detail": detail,
        "changes": describe_changes(row.event, row.changes) if row.changes else [],
        "reason": row.reason,
        "table": row.table,
        "game": row.game if row.kind in _OF_GAMES else "",
        "name": player_name(row.person.name) if row.person else "",
        "by": row.by.name if row.by else "",
        "is_by_player": row.is_by_player,
        "is_cancelled": row.is_cancelled,
        "cancel_reason": row.cancel_reason,
    }
