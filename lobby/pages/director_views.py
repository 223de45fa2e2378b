"""The pages of the officials of a tournament: all tables, one table, and their actions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from lobby.accounts.guests import require_person
from lobby.accounts.visitors import person_id, visitor_of
from lobby.clubs import direction, disputes
from lobby.clubs.direction import DirectionRefused
from lobby.clubs.event_data import places_of
from lobby.clubs.feature import choose_feature_table
from lobby.clubs.impartiality import Official
from lobby.clubs.left_over_seats import SubstitutesRefused, choose_substitutes, count_left_over
from lobby.clubs.members import ClubAccess
from lobby.clubs.registration import fills_tables
from lobby.clubs.table_results import ScoresRefused
from lobby.matchmaking.backend import current_backend
from lobby.models import Dispute, Entrant, Membership, Penalty, RoundTable, Tournament
from lobby.pages import director_parts
from lobby.pages.director_forms import (
    MAX_POINTS,
    NOTES,
    Invalid,
    find_entrant,
    find_row,
    find_substitute,
    keep_refused,
    read_minutes,
    read_people,
    read_points,
    read_reason,
    read_scores,
    take_refused,
)
from lobby.pages.event_views import visible_event
from lobby.pages.intervention_log import log_rows
from lobby.pages.refusals import count_not_found


@never_cache
@require_safe
@visible_event
async def director(
    request: HttpRequest, access: ClubAccess, tournament: Tournament
) -> HttpResponse:
    """Show all tables, the check-in, penalties and disputes. For officers."""
    if not access.is_officer:
        raise await count_not_found(request)
    note = request.GET.get("note", "")
    backend = await current_backend()
    entrants = Entrant.objects.filter(tournament=tournament).select_related("person", "substitute")
    penalties = Penalty.objects.filter(tournament=tournament, is_cancelled=False)
    open_disputes = Dispute.objects.filter(table__tournament=tournament, decision="")
    others = Membership.objects.filter(club=access.club).exclude(
        person__entries__tournament=tournament
    )
    people = [entrant async for entrant in entrants]
    left_over = count_left_over(len(people)) if tournament.fill == "substitutes" else 0
    context = await director_parts.live_tables(backend, access, tournament)
    context |= {
        "entrants": people,
        "is_filled": bool(context["round"]) or fills_tables(tournament, len(people)),
        "left_over": [*tournament.substitutes, "", "", ""][:left_over],
        "penalties": [penalty async for penalty in penalties.select_related("entrant__person")],
        "disputes": [
            dispute async for dispute in open_disputes.select_related("entrant__person", "table")
        ],
        "substitutes": [member.person async for member in others.select_related("person")],
        "you": person_id(request),
        "note": NOTES.get(note, ""),
        "refused": await take_refused(request.session, note),
        "is_done": note == "done",
    }
    return render(request, "lobby/clubs/director.html", context)


@never_cache
@require_safe
@visible_event
async def director_table(
    request: HttpRequest, access: ClubAccess, tournament: Tournament, round: int, table: int
) -> HttpResponse:
    """Show one table and the actions of officials at it. For officers."""
    row = await direction.find_table(tournament, round, table) if access.is_officer else None
    visitor = visitor_of(request)
    if row is None or visitor is None:
        raise await count_not_found(request)
    note = request.GET.get("note", "")
    context = await director_parts.one_table(await current_backend(), access, tournament, row)
    context |= {
        "plays_here": await direction.plays_there(row, visitor),
        "log": await log_rows(tournament, table=row),
        "note": NOTES.get(note, ""),
        "refused": await take_refused(request.session, note),
        "is_done": note == "done",
    }
    typed = context["refused"].get("typed", {})
    context["results"] = [(at, seat, typed.get(f"score{at}")) for at, seat in context["results"]]
    return render(request, "lobby/clubs/director_table.html", context)


@never_cache
@require_POST
@visible_event
async def act(request: HttpRequest, access: ClubAccess, tournament: Tournament) -> HttpResponse:
    """Carry out the action `do`, such as `pause` or `cancel:` and the id of a penalty. `round` and
    `table` choose one table; without them it concerns all tables of the last round. For officers.
    """
    if not access.is_officer:
        raise await count_not_found(request)
    by = await require_person(request)
    form = request.POST
    row = None
    if "table" in form:
        numbers = [form.get(name, "") for name in ("round", "table")]
        if all(number.isascii() and number.isdecimal() and len(number) < 4 for number in numbers):
            row = await direction.find_table(tournament, int(numbers[0]), int(numbers[1]))
        if row is None:
            raise await count_not_found(request)
    verb, _colon, key = form.get("do", "").partition(":")
    try:
        if verb == "feature" and row is not None:
            await choose_feature_table(row)
        elif verb == "substitutes":
            await choose_substitutes(tournament, read_people(form))
        elif verb in {"here", "away"}:
            await disputes.check_in(
                tournament, await find_entrant(tournament, key), is_here=verb == "here"
            )
        else:
            official = Official(by, read_reason(form), await places_of(tournament))
            await _intervene(tournament, row, official, verb, key, form)
    except (DirectionRefused, Invalid, ScoresRefused, SubstitutesRefused) as refusal:
        await keep_refused(request.session, form, str(refusal))
        return _director_page(access, tournament, row, str(refusal))
    except LookupError:
        raise await count_not_found(request) from None
    return _director_page(access, tournament, row, "done")


async def _intervene(
    tournament: Tournament,
    row: RoundTable | None,
    by: Official,
    verb: str,
    key: str,
    form: QueryDict,
) -> None:
    """Carry out an action that needs a reason. Raises DirectionRefused, Invalid, ScoresRefused, and
    LookupError for an unknown action or row."""
    match verb:
        case "pause" | "resume" | "extend":
            tables = [row] if row is not None else await direction.latest_tables(tournament)
            if verb == "extend":
                count = await direction.extend(tables, by, read_minutes(form))
            else:
                count = await direction.pause(tables, by, is_paused=verb == "pause")
            if not count:
                raise DirectionRefused("nothing")
        case "repeat_hand" if row is not None:
            await direction.repeat_hand(row, by)
        case "repeat_game" if row is not None:
            await direction.repeat_game(row, by)
        case "void" if row is not None:
            await direction.void_game(row, by)
        case "correct" if row is not None:
            await direction.correct_result(row, by, read_scores(form))
        case "penalty" | "chombo":
            entrant = await find_entrant(tournament, form.get("entrant", ""))
            await direction.give_penalty(tournament, entrant, by, verb, read_points(form))
        case "cancel":
            penalty = await find_row(Penalty, key, tournament=tournament)
            await direction.cancel_penalty(tournament, penalty, by)
        case "replace":
            entrant = await find_entrant(tournament, form.get("entrant", ""))
            substitute = await find_substitute(tournament, form.get("substitute", ""))
            points = read_points(form, least=-MAX_POINTS)
            await direction.replace_player(tournament, entrant, by, substitute, points)
        case "take_back":
            await direction.take_back(tournament, await find_entrant(tournament, key), by)
        case Dispute.KEPT | Dispute.CHANGED:
            await disputes.decide_dispute(
                await find_row(Dispute, key, table__tournament=tournament), by, verb
            )
        case _:
            raise LookupError(verb)


def _director_page(
    access: ClubAccess, tournament: Tournament, row: RoundTable | None, note: str
) -> HttpResponse:
    place = [access.club.slug, tournament.slug]
    if row is None:
        address = reverse("lobby:director", args=place)
    else:
        address = reverse("lobby:director_table", args=[*place, row.round, row.number])
    return redirect(f"{address}?note={note}")
