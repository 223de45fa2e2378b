"""Writes calendar files: one event in the form of RFC 5545 (iCalendar). Pure.

Times are written in UTC, so that the file needs no description of time zones: calendars show them
in the zone of their reader. Days are written without a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

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
