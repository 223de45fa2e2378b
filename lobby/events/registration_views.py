"""Registration for events, and the calendar file of an event."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final
from uuid import UUID

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from lobby.accounts.guests import require_person
from lobby.accounts.refusals import count_not_found
from lobby.clubs.members import ClubAccess
from lobby.events import registration
from lobby.events.views import event_address, event_context, visible_event
from lobby.models import Event
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


def write_calendar(event: CalendarEvent) -> str:
    """Return the calendar file of that event. A point in time has to be aware."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//mahjong//events//EN",
        "BEGIN:VEVENT",
        f"UID:{event.uid}",
        f"DTSTAMP:{_time(event.written_at)}",
        _when("DTSTART", event.starts, 0),
        # The end of whole days is the day after the last one (section 3.6.1).
        _when("DTEND", event.ends, 1),
        f"SUMMARY:{_escaped(event.name)}",
        f"URL:{event.url}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _when(name: str, when: datetime | date, days: int) -> str:
    if isinstance(when, datetime):
        return f"{name}:{_time(when)}"
    return f"{name};VALUE=DATE:{when + timedelta(days=days):%Y%m%d}"


def _time(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """Return the text with the escapes of section 3.3.11."""
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _folded(line: str) -> str:
    """Return the line in parts of at most 75 bytes, never in the middle of a character."""
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


@never_cache
@require_POST
@visible_event
async def register(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Register for the event, or withdraw. For members."""
    if not access.is_member:
        raise await count_not_found(request)
    person = await require_person(request)
    if request.POST.get("do") == "withdraw":
        note = "" if await registration.withdraw(event, person.pk) else "begun"
    else:
        outcome = await registration.register(event, person)
        note = "" if outcome == "entered" else outcome
    await notify(LOBBY_GROUP)
    address = event_address(access, event)
    return redirect(f"{address}?note={note}" if note else address)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
async def change_lists(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show the lists of the registration, and carry out the action `do`, such as `accept:` and the
    id of a person. For officers."""
    if not access.is_officer or event.registration == Event.MEMBERS:
        raise await count_not_found(request)
    if request.method == "POST":
        await require_person(request)
        if request.POST.get("do") == "paste":
            unknown = await registration.add_names(event, request.POST.get("names", "")[:_MAX_TEXT])
            await notify(LOBBY_GROUP)
            if not unknown:
                return redirect(event_address(access, event, "entrants"))
            return await _show_lists(request, access, event, unknown)
        verb, _sep, rest = request.POST.get("do", "").partition(":")
        try:
            person = UUID(rest or request.POST.get("person", ""))
        except ValueError:
            raise await count_not_found(request) from None
        changes = {
            "accept": registration.accept,
            "add": registration.add,
            "remove": registration.withdraw,
        }
        if verb not in changes or not await changes[verb](event, person):
            raise await count_not_found(request)
        await notify(LOBBY_GROUP)
        return redirect(event_address(access, event, "entrants"))
    return await _show_lists(request, access, event, [])


async def _show_lists(
    request: HttpRequest, access: ClubAccess, event: Event, unknown: list[str]
) -> HttpResponse:
    """Show the lists, with the pasted names that are `unknown`."""
    context = {
        **event_context(access, event),
        "unknown": unknown,
        "lists": await registration.lists_of(event),
        "others": await registration.members_to_add(event),
        "has_begun": await sync_to_async(event.has_begun)(),
    }
    status = 422 if unknown else 200
    return render(request, "lobby/clubs/entrants.html", context, status=status)


@require_safe
@visible_event
async def calendar_file(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Return the dates of the event as a calendar file; 404 if it has none."""
    starts: datetime | date
    ends: datetime | date
    if event.starts_on is not None and event.ends_on is not None:
        starts, ends = event.starts_on, event.ends_on
    elif event.starts_at is None:
        raise await count_not_found(request)
    else:
        starts, ends = event.starts_at, event.ends_at or event.starts_at + _USUAL_LENGTH
    address = request.build_absolute_uri(event_address(access, event))
    text = write_calendar(
        CalendarEvent(
            uid=f"event-{event.pk}@{request.get_host()}",
            name=f"{event.name} ({access.club.name})",
            starts=starts,
            ends=ends,
            written_at=timezone.now(),
            url=address,
        )
    )
    return HttpResponse(
        text,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{event.slug}.ics"'},
    )
