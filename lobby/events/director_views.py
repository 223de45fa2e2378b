"""The pages of the officials of a tournament: all tables, one table, and their actions."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any, Final
from uuid import UUID

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from game.live.process import running_room
from game.results.game_text import format_signed
from game.results.group_results import ended_tables
from game.tables.errors import TableError
from lobby.accounts.coded_error import CodedError
from lobby.accounts.guests import require_person
from lobby.accounts.refusals import count_not_found, read_key
from lobby.accounts.visitors import person_id, visitor_of
from lobby.clubs.members import ClubAccess
from lobby.events import direction, disputes, tournaments
from lobby.events.direction import (
    MAX_EXTENSION,
    MAX_REASON,
    DirectionRefused,
    choose_feature_table,
    feature_table,
    latest_tables,
)
from lobby.events.event_data import places_of
from lobby.events.impartiality import Official
from lobby.events.live_tables import LiveTable, live_table
from lobby.events.registration import fills_tables
from lobby.events.table_results import ScoresRefused, final_scores, names_by_number
from lobby.events.tournaments import SubstitutesRefused, choose_substitutes, count_left_over
from lobby.events.views import visible_event
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
from lobby.play.backend import Backend, current_backend


async def live_tables(
    backend: Backend, access: ClubAccess, tournament: Tournament
) -> dict[str, Any]:
    """Return the context of the tables of the last round."""
    rows, names = await latest_tables(tournament), await names_by_number(tournament)
    tables = await _read_tables(backend, tournament, rows, names)
    last = rows[0].round if rows else 0
    standings = [table.standing for table in tables]
    return {
        "access": access,
        "club": access.club,
        "tournament": tournament,
        "round": last,
        "tables": tables,
        "next_round": last + 1 if last < tournament.rounds else 0,
        "may_start": all(standing in {"over", "void"} for standing in standings),
        "is_played": last >= tournament.rounds and set(standings) <= {"over", "void"},
        "hanging": standings.count("hanging"),
        "running": sum(standing in {"running", "paused", "hanging"} for standing in standings),
        "missing": sum(seat.is_missing for table in tables for seat in table.seats),
    }


async def one_table(
    backend: Backend, access: ClubAccess, tournament: Tournament, row: RoundTable
) -> dict[str, Any]:
    """Return the context of the page of one table."""
    (table,) = await _read_tables(backend, tournament, [row], await names_by_number(tournament))
    return {
        "access": access,
        "club": access.club,
        "tournament": tournament,
        "table": table,
        "tables": [table],
        "results": list(enumerate(table.seats)) if table.seats[0].score is not None else [],
        "is_running": table.standing in {"running", "paused", "hanging"},
    }


async def _read_tables(
    backend: Backend, tournament: Tournament, rows: list[RoundTable], names: dict[int, str]
) -> list[LiveTable]:
    ended = await ended_tables(tournaments.table_ids_of(tournament))
    scores = await final_scores(tournament)
    open_disputes = Dispute.objects.filter(table__in=rows, decision="")
    disputed = {dispute.table_id async for dispute in open_disputes}
    tables = [
        await live_table(
            backend,
            row,
            names,
            is_over=row.table_id in ended,
            has_dispute=row.pk in disputed,
        )
        for row in rows
    ]
    return [_with_result(table, scores.get(table.row.table_id)) for table in tables]


def _with_result(table: LiveTable, scores: list[int] | None) -> LiveTable:
    """Return the table with the scores of its finished game."""
    if scores is None or table.standing != "over":
        return table
    seats = zip(table.seats, scores, strict=True)
    return replace(table, seats=tuple(replace(seat, score=score) for seat, score in seats))


NOTES: Final = {
    "done": _("Done."),
    "nothing": _(
        "There was nothing to do: no such game is running, or another organiser has to decide."
    ),
    "reason": _("Say why, in 300 characters at most."),
    "own": _("You cannot act on a game in which you play."),
    "plays": _("You play in this event. An organiser who does not play in it has to decide."),
    "rival": _(
        "You are within two places of a player of this game. An organiser who is not has to decide."
    ),
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
    "member": _("Only members of the club can take the seats."),
    "fill": _("In this tournament nobody takes the seats that are left over."),
    "decided": _("The dispute has been decided already."),
    "disputed": _("You have disputed this result already."),
    "text": _("Say what is wrong, in 600 characters at most."),
    "over": _("All rounds have been played."),
    "running": _("The round before is not over yet."),
    "seats": _("The entrants do not fill tables of four."),
}
"""Notes by the code in the query."""
MAX_POINTS: Final = Decimal(200)
_TENTH: Final = Decimal("0.1")


_FIELDS: Final = {
    "reason": "reason",
    "minutes": "minutes",
    "points": "points",
    "scores": "scores",
    "sum": "scores",
}
"""The field to which a note belongs, by the note's code."""
_FORMS: Final = {
    "pause": "time",
    "resume": "time",
    "extend": "time",
    "chombo": "penalty",
    "repeat_hand": "game",
    "repeat_game": "game",
    "void": "game",
    "kept": "dispute",
    "changed": "dispute",
    "take_back": "back",
}
"""The form that has the button of an action, unless they share their name."""
_TYPED: Final = (
    *("reason", "minutes", "points", "entrant", "substitute"),
    *(f"score{seat}" for seat in range(4)),
)
_REFUSED_KEY: Final = "refused_director_form"


class Invalid(CodedError):
    """A field of the form is not valid; `code` is one of `NOTES`."""


async def keep_refused(session: SessionBase, form: QueryDict, code: str) -> None:
    """Keep a form that was refused with that code for the next page of the session."""
    verb, _colon, key = form.get("do", "").partition(":")
    typed = {name: form[name][: 2 * MAX_REASON] for name in _TYPED if name in form}
    refused = {
        "form": f"{_FORMS.get(verb, verb)}{key}",
        "field": _FIELDS.get(code, ""),
        "code": code,
        "typed": typed,
    }
    await session.aset(_REFUSED_KEY, refused)


async def take_refused(session: SessionBase, code: str) -> dict[str, Any]:
    """Return the form that was refused with that code, and forget it. `form` names it, `field` is
    the field to which the note belongs, `typed` has its values. Empty for none."""
    refused: dict[str, Any] = await session.apop(_REFUSED_KEY, {}) if code else {}
    return refused if refused.get("code") == code else {}


async def find_row(model: Any, key: str, **where: Any) -> Any:
    """Return the row of that key of the event. Raises LookupError."""
    row = await model.objects.filter(pk=read_key(key), **where).select_related("entrant").afirst()
    if row is None:
        raise LookupError(key)
    return row


async def find_entrant(tournament: Tournament, key: str) -> Entrant:
    """Return the entrant of that key. Raises LookupError."""
    rows = Entrant.objects.filter(tournament=tournament, pk=read_key(key))
    entrant = await rows.select_related("person", "substitute").afirst()
    if entrant is None:
        raise LookupError(key)
    return entrant


async def find_substitute(tournament: Tournament, key: str) -> Person | None:
    """Return the member of the club with that id, None for "bot". Raises LookupError."""
    if key == "bot":
        return None
    try:
        person = UUID(key)
    except ValueError:
        raise LookupError(key) from None
    rows = Membership.objects.filter(club=tournament.club_id, person=person).select_related(
        "person"
    )
    member = await rows.afirst()
    if member is None:
        raise LookupError(key)
    return member.person


def read_people(form: QueryDict) -> list[UUID]:
    """Return the people of the fields `person` that are filled in. Raises LookupError."""
    try:
        return [UUID(text) for text in form.getlist("person") if text]
    except ValueError:
        raise LookupError("person") from None


def read_reason(form: QueryDict) -> str:
    """Return the reason. Raises Invalid."""
    reason = form.get("reason", "").strip()
    if not 0 < len(reason) <= MAX_REASON or not reason.isprintable():
        raise Invalid("reason")
    return reason


def read_minutes(form: QueryDict) -> int:
    """Return the minutes by which a round is extended. Raises Invalid."""
    text = form.get("minutes", "")
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:4]) <= MAX_EXTENSION):
        raise Invalid("minutes")
    return int(text[:4])


def read_points(form: QueryDict, least: Decimal = _TENTH) -> Decimal:
    """Return points in thousands, with one decimal. Raises Invalid."""
    try:
        points = Decimal(form.get("points", "").strip())
    except InvalidOperation:
        raise Invalid("points") from None
    if not points.is_finite() or not least <= points <= MAX_POINTS:
        raise Invalid("points")
    if points != points.quantize(_TENTH):
        raise Invalid("points")
    return points.quantize(_TENTH)


def read_scores(form: QueryDict) -> list[int]:
    """Return the four scores, East first. Raises Invalid."""
    texts = [form.get(f"score{seat}", "").strip() for seat in range(4)]
    if not all(text.removeprefix("-").isdecimal() and text.isascii() for text in texts):
        raise Invalid("scores")
    if any(len(text) > 7 for text in texts):
        raise Invalid("scores")
    return [int(text) for text in texts]


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
    context = await live_tables(backend, access, tournament)
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
    context = await one_table(await current_backend(), access, tournament, row)
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


BACKGROUNDS: Final = ("felt", "plain", "transparent")


@never_cache
@require_safe
@visible_event
async def feature(request: HttpRequest, access: ClubAccess, tournament: Tournament) -> HttpResponse:
    """Show the board of the table that the director has chosen, or a text if there is none. The
    page is reloaded when another table is chosen. `?background=` is one of BACKGROUNDS."""
    table_id, number = await feature_table(tournament)
    room = None
    try:
        room = await running_room(table_id) if table_id else None
    except TableError:
        table_id = ""
    # The socket of a table gives players their own seats, which must not be on a stream.
    is_own = room is not None and room.seat_of(person_id(request)) is not None
    background = request.GET.get("background", "")
    context = {
        "club": access.club,
        "tournament": tournament,
        "number": number,
        "table_id": table_id,
        "background": background if background in BACKGROUNDS else BACKGROUNDS[0],
        "is_own": is_own,
        "is_shown": room is not None and room.meta.settings.watch != "nobody" and not is_own,
    }
    return render(request, "lobby/clubs/feature.html", context)


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
