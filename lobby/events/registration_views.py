"""Registration for events, and the calendar file of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.results.game_text import format_signed
from game.tables.bridge import ask
from lobby.accounts.refusals import count_not_found
from lobby.accounts.visitors import require_person
from lobby.clubs.members import ClubAccess
from lobby.events import direction, registration
from lobby.events.event_data import places_of
from lobby.events.impartiality import Official
from lobby.events.notes import NOTES
from lobby.events.rulings import RulingRefused
from lobby.events.terms import rounds_begun
from lobby.events.views import event_address, event_context, visible_event
from lobby.models import Event, Person
from lobby.play.notifications import LOBBY_GROUP, notify

_LINE_BYTES: Final = 75
"""The greatest length of a line in bytes. Longer lines are folded (section 3.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEvent:
    uid: str
    """The id of the event. It stays the same when the event is changed."""
    name: str
    starts: datetime | date
    ends: datetime | date
    """The end of the event, or its last day."""
    written_at: datetime
    url: str


def write_calendar(events: Sequence[CalendarEvent]) -> str:
    """Return the calendar file of these events. A point in time has to be aware."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//mahjong//events//EN"]
    for event in events:
        lines += _event_lines(event)
    lines.append("END:VCALENDAR")
    return "".join(f"{_fold_line(line)}\r\n" for line in lines)


def _event_lines(event: CalendarEvent) -> list[str]:
    return [
        "BEGIN:VEVENT",
        f"UID:{event.uid}",
        f"DTSTAMP:{_utc_text(event.written_at)}",
        _date_line("DTSTART", event.starts, 0),
        # The end of whole days is the day after the last one (section 3.6.1).
        _date_line("DTEND", event.ends, 1),
        f"SUMMARY:{_escape_text(event.name)}",
        f"URL:{event.url}",
        "END:VEVENT",
    ]


def _date_line(name: str, when: datetime | date, days: int) -> str:
    if isinstance(when, datetime):
        return f"{name}:{_utc_text(when)}"
    return f"{name};VALUE=DATE:{when + timedelta(days=days):%Y%m%d}"


def _utc_text(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escape_text(text: str) -> str:
    """Escape the text for a calendar file (RFC 5545, section 3.3.11)."""
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _fold_line(line: str) -> str:
    """Fold the line into parts of at most 75 bytes, never in the middle of a character."""
    parts, size = [""], 0
    for sign in line:
        width = len(sign.encode())
        if size + width > _LINE_BYTES:
            parts.append(" ")
            size = 1
        parts[-1] += sign
        size += width
    return "\r\n".join(parts)


_MAX_TEXT: Final = 100_000
_USUAL_LENGTH: Final = timedelta(hours=4)
"""The length in a calendar of an event without an end."""
_USUAL_MINUTES: Final = 90
"""The length in a calendar of a round without a time limit."""


@never_cache
@require_POST
@visible_event
def register(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Register for the event, or withdraw. For members."""
    if not access.is_member:
        raise count_not_found(request)
    person = require_person(request)
    if request.POST.get("do") == "withdraw":
        note = "" if registration.withdraw(event, person.pk) else "begun"
    else:
        outcome = registration.register(event, person)
        note = "" if outcome == "entered" else outcome
    ask(notify(LOBBY_GROUP))
    address = event_address(access, event)
    return redirect(f"{address}?note={note}" if note else address)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
def change_lists(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show the lists of the registration, and carry out the action `do`, such as `accept:` and the
    id of a person. After the first round, late entries and withdrawals are rulings. For
    officers."""
    if not access.is_officer or event.registration == Event.MEMBERS:
        raise count_not_found(request)
    if request.method == "POST":
        by = require_person(request)
        if request.POST.get("do") == "paste":
            unknown = registration.add_named_members(
                event, request.POST.get("names", "")[:_MAX_TEXT]
            )
            ask(notify(LOBBY_GROUP))
            if not unknown:
                return redirect(event_address(access, event, "entrants"))
            return _show_lists(request, access, event, unknown)
        verb, _sep, rest = request.POST.get("do", "").partition(":")
        try:
            named = rest.split(":") if rest else request.POST.getlist("person")
            note = _apply_to_people(request, event, by, verb, [UUID(text) for text in named])
        except (ValueError, LookupError):
            raise count_not_found(request) from None
        ask(notify(LOBBY_GROUP))
        address = event_address(access, event, "entrants")
        return redirect(f"{address}?note={note}" if note else address)
    return _show_lists(request, access, event, [])


def _apply_to_people(
    request: HttpRequest, event: Event, by: Person, verb: str, people: list[UUID]
) -> str:
    """Carry out the action with these people. If a ruling or a pair is refused, return the code of
    the note. Raises LookupError if the action or a person is unknown, ValueError if there are too
    few or too many people.
    """
    if verb in ("apart", "together") and event.has_rounds:
        first, second = people
        change_pair = registration.keep_apart if verb == "apart" else registration.let_meet
        return "" if change_pair(event, first, second) else "pair"
    (person,) = people
    if verb in ("late", "withdraw") and event.has_rounds:
        rule = direction.enter_late if verb == "late" else direction.withdraw_player
        reason = " ".join(request.POST.get("reason", "").split())[: direction.MAX_REASON]
        try:
            ask(rule(event, person, Official(by, reason, places_of(event))))
        except RulingRefused as refusal:
            return refusal.code
        return "done"
    changes = {
        "accept": registration.accept_applicant,
        "add": registration.add_member,
        "remove": registration.withdraw,
    }
    if not changes[verb](event, person):
        raise LookupError(person)
    return ""


def _show_lists(
    request: HttpRequest, access: ClubAccess, event: Event, unknown: list[str]
) -> HttpResponse:
    """Show the lists, with the pasted names that are `unknown`."""
    lists, begun = registration.lists_of(event), rounds_begun(event)
    names = {str(person.pk): person.name for person in lists.entrants}
    note = request.GET.get("note", "")
    context = {
        **event_context(access, event),
        "unknown": unknown,
        "lists": lists,
        "others": registration.members_to_add(event),
        "has_begun": event.has_rounds and begun,
        "next_round": begun + 1 if begun < event.rounds else 0,
        "missed_points": format_signed(begun * event.missed_points, 1),
        "apart": [
            {"key": f"{first}:{second}", "names": sorted([names[first], names[second]])}
            for first, second in event.apart
            if first in names and second in names
        ],
        "note": NOTES.get(note, ""),
        "is_done": note == "done",
    }
    status = 422 if unknown else 200
    return render(request, "lobby/clubs/entrants.html", context, status=status)


@require_safe
@visible_event
def calendar_file(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Return a calendar file with the dates of the event, and with the next round if its start is
    known; 404 if the event has no dates.
    """
    name = f"{event.name} ({access.club.name})"
    times = list[tuple[str, str, datetime | date, datetime | date]]()
    if event.starts_on is not None and event.ends_on is not None:
        times.append(("", name, event.starts_on, event.ends_on))
    elif event.starts_at is not None:
        ends_at = event.ends_at or event.starts_at + _USUAL_LENGTH
        times.append(("", name, event.starts_at, ends_at))
    if event.next_round_at is not None:
        number = rounds_begun(event) + 1
        ends_at = event.next_round_at + timedelta(minutes=event.round_minutes or _USUAL_MINUTES)
        text = _("Round %(number)d") % {"number": number}
        times.append((f"-round-{number}", f"{name}: {text}", event.next_round_at, ends_at))
    if not times:
        raise count_not_found(request)
    address = request.build_absolute_uri(event_address(access, event))
    text = write_calendar(
        [
            CalendarEvent(
                uid=f"event-{event.pk}{end}@{request.get_host()}",
                name=shown,
                starts=starts,
                ends=ends,
                written_at=timezone.now(),
                url=address,
            )
            for end, shown, starts, ends in times
        ]
    )
    return HttpResponse(
        text,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{event.slug}.ics"'},
    )
