"""The pages of the officials of a tournament: the director's page, one table, the log; and what
players send to them: check-in and disputes."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.results.group_results import ended_games
from lobby.clubs import direction, disputes, tournaments
from lobby.clubs.direction import MAX_EXTENSION, MAX_REASON, Official, Refused
from lobby.clubs.feature import choose_feature_table
from lobby.clubs.members import ClubAccess
from lobby.clubs.table_results import ScoresRefused
from lobby.matchmaking.backend import current_backend
from lobby.models import (
    Dispute,
    Entrant,
    Intervention,
    Membership,
    Penalty,
    Person,
    RoundTable,
    Tournament,
)
from lobby.pages import director_parts
from lobby.pages.requests import count_not_found, person_id, require_person
from lobby.pages.tournament_views import visible_tournament

NOTES: Final = {
    "done": _("Done."),
    "nothing": _("There was nothing to do: no such game is running, or you play in it."),
    "reason": _("Say why, in 300 characters at most."),
    "own": _("You cannot act on a game in which you play."),
    "no_hand": _("No hand is being played there."),
    "void": _("The game is void already."),
    "next_round": _("The next round has begun, so this game cannot be played again."),
    "not_over": _("The game is not over, or it was broken off."),
    "scores": _("The four scores have to be full hundreds."),
    "sum": _("The sum of the scores has to be what it was."),
    "points": _("Points are between 0 and 200, with one decimal at most."),
    "minutes": _("Between 1 and 60 minutes."),
    "cancelled": _("The penalty has been cancelled already."),
    "busy": _("This person plays in the tournament already."),
    "decided": _("The dispute has been decided already."),
    "disputed": _("You have disputed this result already."),
    "text": _("Say what is wrong, in 600 characters at most."),
    "over": _("All rounds have been played."),
    "running": _("The round before is not over yet."),
    "seats": _("The entrants do not fill tables of four."),
}
"""Notes by the code in the query."""
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
_MAX_TEXT: Final = 600
_MAX_POINTS: Final = Decimal(200)
_TENTH: Final = Decimal("0.1")
_LOGGED: Final = 300


class Invalid(Exception):
    """A field of the form is not valid; `code` is one of `NOTES`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@never_cache
@require_safe
@visible_tournament
async def director(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Show all tables, who is here, penalties and disputes. For officers."""
    if not access.is_officer:
        raise await count_not_found(request)
    backend = await current_backend()
    entrants = Entrant.objects.filter(tournament=found).select_related("person", "substitute")
    penalties = Penalty.objects.filter(tournament=found, is_cancelled=False)
    open_disputes = Dispute.objects.filter(table__tournament=found, decision="")
    others = Membership.objects.filter(club=access.club).exclude(person__entries__tournament=found)
    context = await director_parts.live_tables(backend, access, found)
    context |= {
        "entrants": [one async for one in entrants],
        "penalties": [one async for one in penalties.select_related("entrant__person")],
        "disputes": [one async for one in open_disputes.select_related("entrant__person", "table")],
        "substitutes": [one.person async for one in others.select_related("person")],
        "you": person_id(request),
        "note": NOTES.get(request.GET.get("note", ""), ""),
        "is_done": request.GET.get("note") == "done",
    }
    return render(request, "lobby/clubs/director.html", context)


@never_cache
@require_safe
@visible_tournament
async def director_table(
    request: HttpRequest, access: ClubAccess, found: Tournament, round: int, table: int
) -> HttpResponse:
    """Show one table with what can be done there. For officers."""
    row = await direction.find_table(found, round, table) if access.is_officer else None
    if row is None:
        raise await count_not_found(request)
    context = await director_parts.one_table(await current_backend(), access, found, row)
    context |= {
        "plays_here": await direction.plays_there(row, await _person(request)),
        "log": await log_rows(found, table=row),
        "note": NOTES.get(request.GET.get("note", ""), ""),
        "is_done": request.GET.get("note") == "done",
    }
    return render(request, "lobby/clubs/director_table.html", context)


@never_cache
@require_POST
@visible_tournament
async def act(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Do what `do` names, such as `pause` or `cancel:` and the id of a penalty. With `round` and
    `table` at that table, else at all tables of the last round. For officers."""
    if not access.is_officer:
        raise await count_not_found(request)
    by = await require_person(request)
    form = request.POST
    row = None
    if "table" in form:
        numbers = [form.get(name, "") for name in ("round", "table")]
        if all(one.isascii() and one.isdecimal() and len(one) < 4 for one in numbers):
            row = await direction.find_table(found, int(numbers[0]), int(numbers[1]))
        if row is None:
            raise await count_not_found(request)
    verb, _colon, key = form.get("do", "").partition(":")
    try:
        if verb == "feature" and row is not None:
            await choose_feature_table(row)
        elif verb in {"here", "away"}:
            await disputes.check_in(found, await _entrant(found, key), is_here=verb == "here")
        else:
            await _intervene(found, row, Official(by, _reason(form)), verb, key, form)
    except (Refused, Invalid, ScoresRefused) as refusal:
        return _director_page(access, found, row, str(refusal))
    except LookupError:
        raise await count_not_found(request) from None
    return _director_page(access, found, row, "done")


async def _intervene(
    found: Tournament, row: RoundTable | None, by: Official, verb: str, key: str, form: QueryDict
) -> None:
    """Raises Refused, Invalid, ScoresRefused, and LookupError for something unknown."""
    match verb:
        case "pause" | "resume" | "extend":
            tables = [row] if row is not None else await direction.latest_tables(found)
            if verb == "extend":
                count = await direction.extend(tables, by, _minutes(form))
            else:
                count = await direction.pause(tables, by, is_paused=verb == "pause")
            if not count:
                raise Refused("nothing")
        case "repeat_hand" if row is not None:
            await direction.repeat_hand(row, by)
        case "repeat_game" if row is not None:
            await direction.repeat_game(row, by)
        case "void" if row is not None:
            await direction.void_game(row, by)
        case "correct" if row is not None:
            await direction.correct_result(row, by, _scores(form))
        case "penalty" | "chombo":
            entrant = await _entrant(found, form.get("entrant", ""))
            await direction.give_penalty(found, entrant, by, verb, _points(form))
        case "cancel":
            penalty = await _row(Penalty, key, tournament=found)
            await direction.cancel_penalty(found, penalty, by)
        case "replace":
            entrant = await _entrant(found, form.get("entrant", ""))
            substitute = await _substitute(found, form.get("substitute", ""))
            points = _points(form, least=-_MAX_POINTS)
            await direction.replace_player(found, entrant, by, substitute, points)
        case "take_back":
            await direction.take_back(found, await _entrant(found, key), by)
        case Dispute.KEPT | Dispute.CHANGED:
            await disputes.decide_dispute(
                await _row(Dispute, key, table__tournament=found), by, verb
            )
        case _:
            raise LookupError(verb)


@never_cache
@require_safe
@visible_tournament
async def log(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Show what officials have done, to everybody or to officers only, as the tournament says."""
    if not (found.log_is_public or access.is_officer):
        raise await count_not_found(request)
    context = {
        "access": access,
        "club": access.club,
        "tournament": found,
        "log": await log_rows(found),
    }
    return render(request, "lobby/clubs/event_log.html", context)


@never_cache
@require_POST
@visible_tournament
async def check_in(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Note that the visitor is here. For entrants."""
    entrant = await _own_entry(found, request)
    if entrant is None:
        raise await count_not_found(request)
    await require_person(request)
    await disputes.check_in(found, entrant, is_here=request.POST.get("do") != "away")
    return redirect("lobby:tournament", slug=access.club.slug, tournament=found.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_tournament
async def own_games(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Show the visitor's finished games, and let them dispute a result. For entrants."""
    entrant = await _own_entry(found, request)
    if entrant is None:
        raise await count_not_found(request)
    note = request.GET.get("note", "")
    if request.method == "POST":
        person = await require_person(request)
        row = await _own_row(found, request.POST.get("table", ""))
        if row is None:
            raise await count_not_found(request)
        text = request.POST.get("text", "").strip()
        note = "done" if 0 < len(text) <= _MAX_TEXT else "text"
        if note == "done":
            try:
                await disputes.dispute(row, person, text)
            except Refused as refusal:
                note = refusal.code
        address = reverse("lobby:own_games", args=[access.club.slug, found.slug])
        return redirect(f"{address}?note={note}")
    context = {
        "access": access,
        "club": access.club,
        "tournament": found,
        "games": await _finished(found, entrant),
        "log": await log_rows(found, entrant=entrant),
        "note": NOTES.get(note, ""),
        "is_done": note == "done",
    }
    return render(request, "lobby/clubs/own_games.html", context)


async def log_rows(
    found: Tournament, *, table: RoundTable | None = None, entrant: Entrant | None = None
) -> list[dict[str, Any]]:
    """Return the log, or what concerns that table, or that entrant and their games."""
    rows = Intervention.objects.filter(tournament=found)
    rows = rows.select_related("table", "entrant__person", "by")
    if table is not None:
        rows = rows.filter(table=table)
    return [
        {
            "at": one.at,
            "what": KINDS.get(one.kind, one.kind),
            "detail": one.detail,
            "reason": one.reason,
            "table": one.table,
            "name": one.entrant.person.name if one.entrant else "",
            "by": one.by.name if one.by else "",
        }
        async for one in rows[:_LOGGED]
        if entrant is None or _concerns(one, entrant)
    ]


def _concerns(one: Intervention, entrant: Entrant) -> bool:
    is_own_table = one.table is not None and entrant.number in one.table.seats
    return one.entrant_id == entrant.pk or is_own_table


async def _finished(found: Tournament, entrant: Entrant) -> list[dict[str, Any]]:
    ended = await ended_games(tournaments.round_tables(found))
    rows = RoundTable.objects.filter(tournament=found).prefetch_related("disputes")
    return [
        {
            "row": row,
            "disputes": [one for one in row.disputes.all() if one.entrant_id == entrant.pk],
        }
        async for row in rows
        if entrant.number in row.seats and row.table_id in ended
    ]


async def _person(request: HttpRequest) -> Person:
    return await Person.objects.aget(pk=UUID(person_id(request)))


async def _own_entry(found: Tournament, request: HttpRequest) -> Entrant | None:
    person = person_id(request)
    if not person:
        return None
    return await Entrant.objects.filter(tournament=found, person=UUID(person)).afirst()


async def _own_row(found: Tournament, key: str) -> RoundTable | None:
    if not (key.isascii() and key.isdecimal() and len(key) < 12):
        return None
    return await RoundTable.objects.filter(tournament=found, pk=int(key)).afirst()


async def _row(model: Any, key: str, **where: Any) -> Any:
    if not (key.isascii() and key.isdecimal() and len(key) < 12):
        raise LookupError(key)
    row = await model.objects.filter(pk=int(key), **where).select_related("entrant").afirst()
    if row is None:
        raise LookupError(key)
    return row


async def _entrant(found: Tournament, key: str) -> Entrant:
    if not (key.isascii() and key.isdecimal() and len(key) < 12):
        raise LookupError(key)
    rows = Entrant.objects.filter(tournament=found, pk=int(key))
    entrant = await rows.select_related("person", "substitute").afirst()
    if entrant is None:
        raise LookupError(key)
    return entrant


async def _substitute(found: Tournament, key: str) -> Person | None:
    """Return that member of the club; None for a bot."""
    if key == "bot":
        return None
    try:
        person = UUID(key)
    except ValueError:
        raise LookupError(key) from None
    rows = Membership.objects.filter(club=found.club_id, person=person).select_related("person")
    member = await rows.afirst()
    if member is None:
        raise LookupError(key)
    return member.person


def _reason(form: QueryDict) -> str:
    reason = form.get("reason", "").strip()
    if not 0 < len(reason) <= MAX_REASON or not reason.isprintable():
        raise Invalid("reason")
    return reason


def _minutes(form: QueryDict) -> int:
    text = form.get("minutes", "")
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:4]) <= MAX_EXTENSION):
        raise Invalid("minutes")
    return int(text[:4])


def _points(form: QueryDict, least: Decimal = _TENTH) -> Decimal:
    try:
        points = Decimal(form.get("points", "").strip())
    except InvalidOperation:
        raise Invalid("points") from None
    if not points.is_finite() or not least <= points <= _MAX_POINTS:
        raise Invalid("points")
    if points != points.quantize(_TENTH):
        raise Invalid("points")
    return points.quantize(_TENTH)


def _scores(form: QueryDict) -> list[int]:
    texts = [form.get(f"score{seat}", "").strip() for seat in range(4)]
    if not all(one.removeprefix("-").isdecimal() and one.isascii() for one in texts):
        raise Invalid("scores")
    if any(len(one) > 7 for one in texts):
        raise Invalid("scores")
    return [int(one) for one in texts]


def _director_page(
    access: ClubAccess, found: Tournament, row: RoundTable | None, note: str
) -> HttpResponse:
    place = [access.club.slug, found.slug]
    if row is None:
        address = reverse("lobby:director", args=place)
    else:
        address = reverse("lobby:director_table", args=[*place, row.round, row.number])
    return redirect(f"{address}?note={note}")
