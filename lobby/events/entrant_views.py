"""Views for players of an event: check-in, their finished games, and disputes about these."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from game.results.game_text import player_name
from game.results.group_results import ended_tables
from lobby.accounts.refusals import count_not_found
from lobby.accounts.visitors import person_id, require_person
from lobby.clubs.members import ClubAccess
from lobby.events import disputes, registration, rulings
from lobby.events.log_views import log_rows
from lobby.events.notes import NOTES
from lobby.events.results import final_scores, named_result, names_by_number
from lobby.events.rulings import RulingRefused
from lobby.events.views import event_address, event_context, visible_event
from lobby.models import Event, EventPlayer
from lobby.play.club_tables import table_ids_of

_MAX_TEXT: Final = 600


@never_cache
@require_POST
@visible_event
def check_in(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Check the visitor in, or undo that. For entrants of events with rounds."""
    entrant = _find_own_entry(event, request)
    if entrant is None or not event.has_rounds:
        raise count_not_found(request)
    require_person(request)
    registration.check_in(event, [entrant], is_here=request.POST.get("do") != "away")
    return redirect(event_address(access, event))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
def own_games(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show the visitor's finished games, and let them dispute a result. 404 unless the visitor is
    an entrant or, in an event without rounds, a member of the club."""
    entrant = _find_own_entry(event, request)
    if entrant is None and (event.has_rounds or not access.is_member):
        raise count_not_found(request)
    note = request.GET.get("note", "")
    if request.method == "POST":
        person = require_person(request)
        text = request.POST.get("text", "").strip()
        note = "done" if 0 < len(text) <= _MAX_TEXT else "text"
        if note == "done":
            try:
                disputes.dispute_result(event, request.POST.get("game", ""), text, by=person)
            except RulingRefused as refusal:
                note = refusal.code
        return redirect(f"{event_address(access, event, 'games')}?note={note}")
    person_key = UUID(person_id(request))
    context = event_context(access, event) | {
        "games": _finished_games(event, person_key, entrant),
        "log": log_rows(event, person=person_key),
        "can_open": event.has_rounds or event.is_public or access.is_officer,
        "note": NOTES.get(note, ""),
        "is_done": note == "done",
    }
    return render(request, "lobby/clubs/own_games.html", context)


def _finished_games(
    event: Event, person: UUID, entrant: EventPlayer | None
) -> list[dict[str, Any]]:
    """Return the person's finished games on the server. In an event with rounds they include void
    games.
    """
    scores = final_scores(event)
    made = list(event.disputes.filter(person=person))
    games = list[dict[str, Any]]()
    if event.has_rounds:
        ended = ended_tables(table_ids_of(event))
        names = names_by_number(event)
        number = entrant.number if entrant is not None else None
        for row in event.tables.all():
            if number in row.seats and row.table_id in ended:
                result = named_result(row, names, scores)
                games.append({"id": row.table_id, "row": row, "result": result})
    else:
        for game in rulings.online_games(event):
            if any(seat.person_id == person for seat in game.seats):
                shown = [player_name(seat.name) for seat in game.seats]
                result = sorted(zip(shown, scores[game.table_id], strict=True), key=_by_score)
                games.append({"id": game.table_id, "ended_at": game.ended_at, "result": result})
    for game_row in games:
        own = [row for row in made if row.game == game_row["id"]]
        game_row["disputes"] = own
        game_row["is_disputed"] = any(not row.decision for row in own)
    return games


def _by_score(seat: tuple[str, int]) -> int:
    return -seat[1]


def _find_own_entry(event: Event, request: HttpRequest) -> EventPlayer | None:
    person = person_id(request)
    if not person:
        return None
    return event.entrants.filter(person=UUID(person)).first()
