"""Views for players of a tournament: check-in, and disputes about their finished games."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from game.results.group_results import ended_tables
from lobby.accounts.guests import require_person
from lobby.accounts.refusals import count_not_found, read_key
from lobby.accounts.visitors import person_id
from lobby.clubs.members import ClubAccess
from lobby.events import disputes, tournaments
from lobby.events.direction import DirectionRefused
from lobby.events.director_views import NOTES, log_rows
from lobby.events.table_results import final_scores, named_result, names_by_number
from lobby.events.views import visible_event
from lobby.models import Entrant, RoundTable, Tournament

_MAX_TEXT: Final = 600


@never_cache
@require_POST
@visible_event
async def check_in(
    request: HttpRequest, access: ClubAccess, tournament: Tournament
) -> HttpResponse:
    """Check the visitor in, or out again. For entrants."""
    entrant = await _find_own_entry(tournament, request)
    if entrant is None:
        raise await count_not_found(request)
    await require_person(request)
    await disputes.check_in(tournament, entrant, is_here=request.POST.get("do") != "away")
    return redirect("lobby:tournament", slug=access.club.slug, tournament=tournament.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
async def own_games(
    request: HttpRequest, access: ClubAccess, tournament: Tournament
) -> HttpResponse:
    """Show the visitor's finished games, and let them dispute a result. For entrants."""
    entrant = await _find_own_entry(tournament, request)
    if entrant is None:
        raise await count_not_found(request)
    note = request.GET.get("note", "")
    if request.method == "POST":
        person = await require_person(request)
        key = read_key(request.POST.get("table", ""))
        row = await RoundTable.objects.filter(tournament=tournament, pk=key).afirst()
        if row is None:
            raise await count_not_found(request)
        text = request.POST.get("text", "").strip()
        note = "done" if 0 < len(text) <= _MAX_TEXT else "text"
        if note == "done":
            try:
                await disputes.dispute(row, person, text)
            except DirectionRefused as refusal:
                note = refusal.code
        address = reverse("lobby:own_games", args=[access.club.slug, tournament.slug])
        return redirect(f"{address}?note={note}")
    context = {
        "access": access,
        "club": access.club,
        "tournament": tournament,
        "games": await _finished_games(tournament, entrant),
        "log": await log_rows(tournament, entrant=entrant),
        "note": NOTES.get(note, ""),
        "is_done": note == "done",
    }
    return render(request, "lobby/clubs/own_games.html", context)


async def _finished_games(tournament: Tournament, entrant: Entrant) -> list[dict[str, Any]]:
    ended = await ended_tables(tournaments.table_ids_of(tournament))
    rows = RoundTable.objects.filter(tournament=tournament).prefetch_related("disputes")
    names, scores = await names_by_number(tournament), await final_scores(tournament)
    games = []
    async for row in rows:
        if entrant.number not in row.seats or row.table_id not in ended:
            continue
        own = [dispute for dispute in row.disputes.all() if dispute.entrant_id == entrant.pk]
        games.append(
            {
                "row": row,
                "result": named_result(row, names, scores),
                "disputes": own,
                "is_disputed": any(not dispute.decision for dispute in own),
            }
        )
    return games


async def _find_own_entry(tournament: Tournament, request: HttpRequest) -> Entrant | None:
    person = person_id(request)
    if not person:
        return None
    return await Entrant.objects.filter(tournament=tournament, person=UUID(person)).afirst()
