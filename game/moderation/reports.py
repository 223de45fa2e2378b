"""Reports of chat lines: what is kept of each for the moderators."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec
from django.utils import timezone

from game.models import Report

_MOST_PER_DAY: Final = 20
"""Reports by one person within 24 hours."""


class ChatLine(msgspec.Struct, frozen=True):
    """A chat line, as moderators read it and as `Report.around` keeps it."""

    at: int
    """Unix time in milliseconds."""
    name: str
    person: str
    """The id of the author."""
    text: str


def file_report(
    table_id: str, line_id: str, line: ChatLine, around: Sequence[ChatLine], reporter: str
) -> bool:
    """Keep that line, with the lines around it, for the moderators.

    Keep it once if the same person reports it again. Return False if the reporter has made too
    many reports.
    """
    since = timezone.now() - timedelta(days=1)
    recent = Report.objects.filter(reporter_id=UUID(reporter), made_at__gt=since)
    if recent.count() >= _MOST_PER_DAY:
        return False
    Report.objects.get_or_create(
        table_id=table_id,
        line=line_id,
        reporter_id=UUID(reporter),
        defaults={
            "person_id": UUID(line.person),
            "name": line.name,
            "text": line.text,
            "around": msgspec.to_builtins(around),
        },
    )
    return True
