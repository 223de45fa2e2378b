"""The pages of the officials of an event: all tables, one table, and their actions."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any, Final
from uuid import UUID

from channels.db import database_sync_to_async
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from game.live.process import running_room
from game.results.game_text import player_name
from game.results.group_results import ended_tables
from game.tables.bridge import ask
from game.tables.errors import TableError
from lobby.accounts.refusals import CodedError, count_not_found, read_key
from lobby.accounts.visitors import person_id, require_person, visitor_of
from lobby.clubs.members import ClubAccess
from lobby.events import direction, disputes, registration, rulings
from lobby.events.direction import (
    MAX_EXTENSION,
    MAX_REASON,
    choose_feature_table,
    feature_table,
    latest_tables,
    running_table,
)
from lobby.events.event_data import places_of
from lobby.events.impartiality import Official
from lobby.events.live_tables import LiveTable, live_table
from lobby.events.log_views import log_row, log_rows
from lobby.events.notes import NOTES
from lobby.events.offline import players_of
from lobby.events.offline_views import WINDS, winds_of
from lobby.events.registration import fills_tables, table_size_of
from lobby.events.results import ScoresRefused, final_scores, names_by_number, names_of
from lobby.events.rounds import SubstitutesRefused, choose_substitutes, count_left_over
from lobby.events.rulings import RulingRefused
from lobby.events.views import event_address, event_context, visible_event
from lobby.models import Dispute, Event, EventPlayer, EventTable, Membership, Person, Ruling
from lobby.play.backend import Backend, current_backend
from lobby.play.club_tables import table_ids_of
from lobby.play.notifications import LOBBY_GROUP, notify


async def live_tables(backend: Backend, access: ClubAccess, event: Event) -> dict[str, Any]:
    """Return the context of the tables of the last round."""
    rows = await database_sync_to_async(latest_tables)(event)
    names = await database_sync_to_async(names_by_number)(event)
    tables = await _read_tables(backend, event, rows, names)
    last = rows[0].round if rows else 0
    standings = [table.standing for table in tables]
    return {
        **event_context(access, event),
        "round": last,
        "tables": tables,
        "next_round": last + 1 if last < event.rounds else 0,
        "may_start": all(standing in {"over", "void"} for standing in standings),
        "is_played": last >= event.rounds and set(standings) <= {"over", "void"},
        "hanging": standings.count("hanging"),
        "running": sum(standing in {"running", "paused", "hanging"} for standing in standings),
        "missing": sum(seat.is_missing for table in tables for seat in table.seats),
    }


async def one_table(
    backend: Backend, access: ClubAccess, event: Event, row: EventTable
) -> dict[str, Any]:
    """Return the context of the page of one table."""
    names = await database_sync_to_async(names_by_number)(event)
    (table,) = await _read_tables(backend, event, [row], names)
    return {
        **event_context(access, event),
        "table": table,
        "tables": [table],
        "results": list(enumerate(table.seats)) if table.seats[0].score is not None else [],
        "is_running": table.standing in {"running", "paused", "hanging"},
    }


async def _read_tables(
    backend: Backend, event: Event, rows: list[EventTable], names: dict[int, str]
) -> list[LiveTable]:
    ended = await database_sync_to_async(ended_tables)(table_ids_of(event))
    scores = await database_sync_to_async(final_scores)(event)
    waiting = event.disputes.filter(decision="").values_list("game", flat=True)
    disputed = {game async for game in waiting}
    tables = [
        await live_table(
            backend,
            row,
            names,
            is_over=row.table_id in ended,
            has_dispute=row.table_id in disputed,
        )
        for row in rows
    ]
    return [_with_result(table, scores.get(table.row.table_id)) for table in tables]


def _with_result(table: LiveTable, scores: list[int] | None) -> LiveTable:
    """Add the scores of the finished game to the table."""
    if scores is None or table.standing != "over":
        return table
    seats = zip(table.seats, scores, strict=True)
    return replace(table, seats=tuple(replace(seat, score=score) for seat, score in seats))


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
_TYPED_FIELDS: Final = (
    *("reason", "minutes", "points", "entrant", "substitute", "person", "game"),
    *(f"score{seat}" for seat in range(len(WINDS))),
)
_REFUSED_KEY: Final = "refused_officials_form"
_MAX_GAMES: Final = 200
"""The most games among which officials choose: the latest ones."""
_MAX_PRESENT: Final = 300
"""The most entrants who are checked in at once."""


class Invalid(CodedError):
    """A field of the form is not valid; `code` is one of `NOTES`."""


def keep_refused_form(session: SessionBase, form: QueryDict, code: str) -> None:
    """Store the refused form and the code in the session, for the next page."""
    verb, _colon, key = form.get("do", "").partition(":")
    # One form has both buttons for a game that is chosen on the page.
    name = "correct" if "game" in form else f"{_FORMS.get(verb, verb)}{key}"
    typed = {name: form[name][: 2 * MAX_REASON] for name in _TYPED_FIELDS if name in form}
    refused = {
        "form": name,
        "field": _FIELDS.get(code, ""),
        "code": code,
        "typed": typed,
    }
    session[_REFUSED_KEY] = refused


def pop_refused_form(session: SessionBase, code: str) -> dict[str, Any]:
    """Return the form that was refused with that code, and forget it; empty if there is none.

    `form` is its name, `field` the field beside which the page shows the refusal, and `typed` the
    values that were entered.
    """
    refused: dict[str, Any] = session.pop(_REFUSED_KEY, {}) if code else {}
    return refused if refused.get("code") == code else {}


def find_entrant(event: Event, key: str) -> EventPlayer:
    """Return the entrant of that key. Raises LookupError."""
    rows = event.entrants.filter(pk=read_key(key))
    entrant = rows.select_related("person", "substitute").first()
    if entrant is None:
        raise LookupError(key)
    return entrant


def find_substitute(event: Event, key: str) -> Person | None:
    """Return the member of the club with the id `key`; None (a bot) if `key` is "bot". Raises
    LookupError.
    """
    if key == "bot":
        return None
    try:
        person = UUID(key)
    except ValueError:
        raise LookupError(key) from None
    rows = Membership.objects.filter(club=event.club_id, person=person).select_related("person")
    member = rows.first()
    if member is None:
        raise LookupError(key)
    return member.person


def read_people(form: QueryDict) -> list[UUID]:
    """Read the ids of the filled-in `person` fields. Raises LookupError for a malformed id."""
    try:
        return [UUID(text) for text in form.getlist("person") if text]
    except ValueError:
        raise LookupError("person") from None


def read_reason(form: QueryDict) -> str:
    """Read the reason of the action from the form. Raises Invalid."""
    reason = form.get("reason", "").strip()
    if not 0 < len(reason) <= MAX_REASON or not reason.isprintable():
        raise Invalid("reason")
    return reason


def read_minutes(form: QueryDict) -> int:
    """Read by how many minutes a round is extended. Raises Invalid."""
    text = form.get("minutes", "")
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:4]) <= MAX_EXTENSION):
        raise Invalid("minutes")
    return int(text[:4])


def read_points(form: QueryDict, least: Decimal = _TENTH) -> Decimal:
    """Read points in thousands, with one decimal. Raises Invalid."""
    try:
        points = Decimal(form.get("points", "").strip())
    except InvalidOperation:
        raise Invalid("points") from None
    if not points.is_finite() or not least <= points <= MAX_POINTS:
        raise Invalid("points")
    if points != points.quantize(_TENTH):
        raise Invalid("points")
    return points.quantize(_TENTH)


def read_scores(form: QueryDict, table_size: int) -> list[int]:
    """Read the scores of a table, East first. Raises Invalid."""
    texts = [form.get(f"score{seat}", "").strip() for seat in range(table_size)]
    if not all(text.removeprefix("-").isdecimal() and text.isascii() for text in texts):
        raise Invalid("scores")
    if any(len(text) > 7 for text in texts):
        raise Invalid("scores")
    return [int(text) for text in texts]


@never_cache
@require_safe
@visible_event
def officials(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show what officials of the event need: tables and check-in of rounds, penalties, disputes,
    games to rule on. For officers."""
    if not access.is_officer:
        raise count_not_found(request)
    note, you = request.GET.get("note", ""), person_id(request)
    refused = pop_refused_form(request.session, note)
    context = event_context(access, event)
    if event.has_rounds:
        context |= _round_context(access, event)
    else:
        typed = refused.get("typed", {})
        context |= {
            "games": _games_to_judge(event, you),
            "scores": [
                (wind, typed.get(f"score{at}", "")) for at, wind in enumerate(winds_of(event))
            ],
        }
    waiting = [row for row in disputes.disputes_of(event) if not row.decision]
    tables = event.tables.filter(round__gt=0, table_id__in=[row.game for row in waiting])
    table_of = {row.table_id: row for row in tables}
    standing = event.rulings.filter(is_cancelled=False, kind__in=rulings.CANCELLABLE)
    context |= {
        "players": [player for player in players_of(event) if str(player.pk) != you],
        "standing_rulings": [
            log_row(row)
            for row in standing.select_related("person", "by", "table", "event")
            if row.points or row.kind not in Ruling.WITH_POINTS
        ],
        "disputes": [{"dispute": row, "table": table_of.get(row.game)} for row in waiting],
        "note": NOTES.get(note, ""),
        "refused": refused,
        "is_done": note == "done",
    }
    return render(request, "lobby/clubs/officials.html", context)


def _round_context(access: ClubAccess, event: Event) -> dict[str, Any]:
    """Return the tables of the last round, the check-in, and who can take seats."""
    people = list(event.playing.select_related("person", "substitute"))
    left_over = 0
    if event.fill == "substitutes":
        left_over = count_left_over(event)
    others = Membership.objects.filter(club=access.club).exclude(person__entries__event=event)
    context = ask(live_tables(ask(current_backend()), access, event))
    return context | {
        "entrants": people,
        "is_filled": bool(context["round"]) or fills_tables(event, len(people)),
        "left_over": [*event.substitutes, *[""] * left_over][:left_over],
        "substitutes": [member.person for member in others.select_related("person")],
    }


def _games_to_judge(event: Event, you: str) -> list[dict[str, Any]]:
    """Return the finished games on the server, the latest first, without those that the official
    has played.
    """
    games = rulings.online_games(event)[:_MAX_GAMES]
    seats = [seat for game in games for seat in game.seats]
    names = names_of({str(seat.person_id) for seat in seats if seat.person_id})
    return [
        {
            "table_id": game.table_id,
            "ended_at": game.ended_at,
            "names": [player_name(names.get(str(seat.person_id), "")) for seat in game.seats],
        }
        for game in games
        if all(str(seat.person_id) != you for seat in game.seats)
    ]


@never_cache
@require_safe
@visible_event
def one_table_page(
    request: HttpRequest, access: ClubAccess, event: Event, round: int, table: int
) -> HttpResponse:
    """Show one table of a round and the actions of officials at it. For officers."""
    row = direction.find_table(event, round, table) if access.is_officer else None
    visitor = visitor_of(request)
    if row is None or visitor is None:
        raise count_not_found(request)
    note = request.GET.get("note", "")
    context = ask(one_table(ask(current_backend()), access, event, row))
    context |= {
        "plays_here": direction.plays_there(row, visitor),
        "log": log_rows(event, table=row),
        "note": NOTES.get(note, ""),
        "refused": pop_refused_form(request.session, note),
        "is_done": note == "done",
    }
    typed = context["refused"].get("typed", {})
    context["results"] = [(at, seat, typed.get(f"score{at}")) for at, seat in context["results"]]
    return render(request, "lobby/clubs/officials_table.html", context)


@never_cache
@require_POST
@visible_event
def act_as_official(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Carry out the action `do`, such as `pause`, or `cancel:` and the id of a ruling. `round` and
    `table` choose a table of a round; without them the action concerns the event or all tables of
    the last round. For officers.
    """
    if not access.is_officer:
        raise count_not_found(request)
    by = require_person(request)
    form = request.POST
    row = None
    if "table" in form:
        numbers = [form.get(name, "") for name in ("round", "table")]
        if all(number.isascii() and number.isdecimal() and len(number) < 4 for number in numbers):
            row = direction.find_table(event, int(numbers[0]), int(numbers[1]))
        if row is None:
            raise count_not_found(request)
    verb, _colon, key = form.get("do", "").partition(":")
    try:
        if verb == "feature" and row is not None:
            choose_feature_table(row)
        elif verb == "substitutes" and event.has_rounds:
            choose_substitutes(event, read_people(form))
        elif verb in {"here", "away"}:
            keys = [key] if key else form.getlist("present")
            entrants = [find_entrant(event, key) for key in keys[:_MAX_PRESENT]]
            registration.check_in(event, entrants, is_here=verb == "here")
        else:
            official = Official(by, read_reason(form), places_of(event))
            _intervene(event, row, official, verb, key, form)
            ask(notify(LOBBY_GROUP))
    except (RulingRefused, Invalid, ScoresRefused, SubstitutesRefused) as refusal:
        keep_refused_form(request.session, form, str(refusal))
        return _officials_page(access, event, row, str(refusal))
    except LookupError:
        raise count_not_found(request) from None
    return _officials_page(access, event, row, "done")


def _intervene(
    event: Event,
    row: EventTable | None,
    by: Official,
    verb: str,
    key: str,
    form: QueryDict,
) -> None:
    """Carry out an action that needs a reason. Raises RulingRefused, Invalid, ScoresRefused, and
    LookupError for an unknown action or row."""
    match verb:
        case "pause" | "resume" | "extend" if event.has_rounds:
            tables = [row] if row is not None else latest_tables(event)
            if verb == "extend":
                count = ask(direction.extend_round(tables, by, read_minutes(form)))
            else:
                count = ask(direction.pause_tables(tables, by, is_paused=verb == "pause"))
            if not count:
                raise RulingRefused("nothing")
        case "repeat_hand" if row is not None:
            ask(direction.repeat_hand(row, by))
        case "repeat_game" if row is not None:
            ask(direction.repeat_game(row, by))
        case "replace" if event.has_rounds:
            entrant = find_entrant(event, form.get("entrant", ""))
            substitute = find_substitute(event, form.get("substitute", ""))
            points = read_points(form, least=-MAX_POINTS)
            ask(direction.replace_player(event, entrant, by, substitute, points))
        case "take_back" if event.has_rounds:
            ask(direction.let_entrant_return(event, find_entrant(event, key), by))
        case Ruling.VOID | Ruling.CORRECTION:
            if event.has_rounds and row is None:
                raise LookupError(verb)
            game = row.table_id if row is not None else form.get("game", "")
            if verb == Ruling.VOID:
                ask(rulings.declare_void(event, game, by=by, table=row))
            else:
                scores = read_scores(form, table_size_of(event))
                ask(rulings.correct_result(event, game, scores, by=by, table=row))
        case Ruling.PENALTY | Ruling.CHOMBO:
            people = read_people(form)
            if len(people) != 1:
                raise LookupError("person")
            points, table = read_points(form), _table_of(event, people[0])
            ask(rulings.give_penalty(event, verb, people[0], points, by=by, table=table))
        case "cancel":
            found = event.rulings.filter(pk=read_key(key)).first()
            if found is None:
                raise LookupError(key)
            table = _table_of(event, found.person_id)
            ask(rulings.cancel_ruling(event, found.pk, by=by, table=table))
        case Dispute.KEPT | Dispute.CHANGED:
            if not event.disputes.filter(pk=read_key(key)).exists():
                raise LookupError(key)
            ask(disputes.decide_dispute(event, read_key(key), verb, by=by))
        case _:
            raise LookupError(verb)


def _table_of(event: Event, person: UUID | None) -> EventTable | None:
    """Return the table of a round at which the entrant plays now."""
    entrant = event.entrants.filter(person=person).first() if person else None
    return ask(running_table(event, entrant)) if entrant is not None else None


def _officials_page(
    access: ClubAccess, event: Event, row: EventTable | None, note: str
) -> HttpResponse:
    address = event_address(access, event, "officials")
    if row is not None:
        place = [access.club.slug, event.slug, row.round, row.number]
        address = reverse("lobby:event_officials_table", args=place)
    return redirect(f"{address}?note={note}")


BACKGROUNDS: Final = ("felt", "plain", "transparent")


@never_cache
@require_safe
@visible_event
def feature(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show the board of the table that officials have chosen, or a text if there is none. The
    page is reloaded when another table is chosen. `?background=` is one of BACKGROUNDS."""
    if not event.has_rounds:
        raise count_not_found(request)
    table_id, number = feature_table(event)
    room = None
    try:
        room = ask(running_room(table_id)) if table_id else None
    except TableError:
        table_id = ""
    # The socket of a table gives players their own seats, which must not be on a stream.
    is_own = room is not None and room.seat_of(person_id(request)) is not None
    background = request.GET.get("background", "")
    context = {
        "club": access.club,
        "event": event,
        "number": number,
        "table_id": table_id,
        "background": background if background in BACKGROUNDS else BACKGROUNDS[0],
        "is_own": is_own,
        "is_shown": room is not None and room.meta.settings.watch != "nobody" and not is_own,
    }
    return render(request, "lobby/clubs/feature.html", context)
