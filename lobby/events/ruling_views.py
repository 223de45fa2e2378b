"""The page of the rulings of a league: penalties, games that do not count, and disputes."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from game.results.game_text import format_signed, player_name
from game.results.group_results import GameResults
from lobby.accounts.guests import require_person
from lobby.accounts.refusals import count_not_found, read_key
from lobby.accounts.visitors import person_id
from lobby.clubs.members import ClubAccess
from lobby.events import leagues, rulings
from lobby.events.director_views import KINDS, NOTES, Invalid, read_people, read_points, read_reason
from lobby.events.event_data import places_of
from lobby.events.impartiality import Official
from lobby.events.offline import players_of
from lobby.events.rulings import RulingRefused
from lobby.events.views import visible_event
from lobby.models import League, LeagueDispute, LeagueRuling, Person
from lobby.play.notifications import LOBBY_GROUP, notify

_NOTES: Final = {
    **{
        code: NOTES[code]
        for code in ("done", "reason", "points", "text", "disputed", "plays", "rival")
    },
    "own": _("You cannot decide about yourself or about a game in which you have played."),
    "game": _("This game is not over, or it does not count."),
    "replaced": _("The table of the list has another game by now."),
    "many": _("This league cannot have more decisions."),
}
"""Notes by the code in the query."""
_MAX_TEXT: Final = 600
_MAX_GAMES: Final = 200
"""The number of games that can be chosen: the latest ones."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
async def ruling_list(request: HttpRequest, access: ClubAccess, league: League) -> HttpResponse:
    """Show the rulings and disputes. Officers decide here, and members dispute results."""
    if request.method == "POST":
        is_dispute = access.is_member and request.POST.get("do") == "dispute"
        if not (access.is_officer or is_dispute):
            raise await count_not_found(request)
        by = await require_person(request)
        note = "done"
        try:
            await _decide(league, request.POST, by)
        except (RulingRefused, Invalid) as refusal:
            note = refusal.code
        except LookupError:
            note = "unknown"
        if note not in _NOTES:
            raise await count_not_found(request)
        await notify(LOBBY_GROUP)
        address = reverse("lobby:rulings", args=[access.club.slug, league.slug])
        return redirect(f"{address}?note={note}")
    visitor, note = person_id(request), request.GET.get("note", "")
    games = (await rulings.online_games(league))[:_MAX_GAMES] if access.is_member else []
    own = [game for game in games if any(str(seat.person_id) == visitor for seat in game.seats)]
    people = {str(seat.person_id) for game in games for seat in game.seats}
    names = await leagues.names_of(people)
    context = {
        "access": access,
        "club": access.club,
        "league": league,
        "note": _NOTES.get(note, ""),
        "is_done": note == "done",
        "can_open": league.is_public or access.is_officer,
        "rulings": [_row(ruling) for ruling in await rulings.rulings_of(league)],
        "players": [
            player
            for player in (await players_of(league) if access.is_officer else [])
            if str(player.pk) != visitor
        ],
        "games": [_game(game, names) for game in games if access.is_officer and game not in own],
        "own_games": [_game(game, names) for game in own],
        "disputes": [
            {
                "key": dispute.pk,
                "name": player_name(dispute.person.name),
                "table_id": dispute.table_id,
                "at": dispute.made_at,
                "text": dispute.text,
                "decision": dispute.decision,
                "answer": dispute.answer,
                "is_by_player": dispute.is_by_player,
            }
            for dispute in await rulings.disputes_of(league)
        ],
    }
    return render(request, "lobby/clubs/rulings.html", context)


async def _decide(league: League, form: QueryDict, by: Person) -> None:
    """Carry out the action `do`, such as `cancel:` and the id of a ruling. Raises RulingRefused,
    Invalid, and LookupError for an unknown action or row."""
    verb, _sep, key = form.get("do", "").partition(":")
    if verb == "dispute":
        text = form.get("text", "").strip()
        if not 0 < len(text) <= _MAX_TEXT:
            raise Invalid("text")
        await rulings.dispute(league, form.get("game", ""), text, by=by)
        return
    official = Official(by, read_reason(form), await places_of(league))
    if verb in {LeagueRuling.PENALTY, LeagueRuling.CHOMBO}:
        people = read_people(form)
        if len(people) != 1:
            raise LookupError("person")
        points = read_points(form)
        await rulings.give_penalty(league, verb, people[0], points, by=official)
    elif verb == LeagueRuling.VOID:
        await rulings.declare_void(league, form.get("game", ""), by=official)
    elif verb == "cancel":
        await rulings.cancel_ruling(league, read_key(key), by=official)
    elif verb in {LeagueDispute.KEPT, LeagueDispute.CHANGED}:
        await rulings.decide_dispute(league, read_key(key), verb, by=official)
    else:
        raise LookupError(verb)


def _row(ruling: LeagueRuling) -> dict[str, Any]:
    return {
        "key": ruling.pk,
        "at": ruling.made_at,
        "what": KINDS[ruling.kind],
        "name": player_name(ruling.person.name) if ruling.person else "",
        "points": format_signed(-ruling.points, 1) if ruling.person else "",
        "table_id": ruling.table_id,
        "reason": ruling.reason,
        "by": ruling.by.name if ruling.by else "",
        "is_by_player": ruling.is_by_player,
        "is_cancelled": ruling.is_cancelled,
        "cancel_reason": ruling.cancel_reason,
    }


def _game(game: GameResults, names: dict[str, str]) -> dict[str, Any]:
    return {
        "table_id": game.table_id,
        "ended_at": game.ended_at,
        "names": [player_name(names.get(str(seat.person_id), "")) for seat in game.seats],
    }
