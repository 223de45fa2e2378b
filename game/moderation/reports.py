"""Stores reports of chat lines and of players in replays for the moderators."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from game.models import GameSeat, Report

_MAX_PER_DAY: Final = 20
"""Reports by one person within 24 hours."""


REASONS: Final = {
    "unfair": _("Helps another, or loses on purpose"),
    "program": _("Is a program, or is advised by one"),
    "name": _("Has an offensive name"),
    "leaving": _("Leaves or delays games on purpose"),
    "other": _("Something else"),
}
"""Why a player in a replay is reported, by key."""


class ChatLine(msgspec.Struct, frozen=True):
    """A chat line, as moderators read it and as `Report.around` keeps it."""

    at: int
    """Unix time in milliseconds."""
    name: str
    person: str
    """The id of the author."""
    text: str


def report_line(
    table_id: str, line_id: str, line: ChatLine, around: Sequence[ChatLine], reporter: str
) -> bool:
    """Store a report of that chat line, with the lines around it.

    A second report of the line by the same person is ignored. Return False if the reporter has made
    too many reports.
    """
    if _has_reported_often(reporter):
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


def report_player(seat: GameSeat, reporter: str, *, reason: str, text: str, position: str) -> bool:
    """Store a report of the player who had that seat at the start. `reason` is one of `REASONS`,
    `position` the query of the position in the replay.

    A second report of the player in that game by the same person is ignored. Return False if the
    reporter has made too many reports. Raises ValueError for a bot's seat.
    """
    if seat.person_id is None:
        raise ValueError("a bot cannot be reported")
    if _has_reported_often(reporter):
        return False
    Report.objects.get_or_create(
        table_id=seat.game_id,
        line=f"seat-{seat.seat}",
        reporter_id=UUID(reporter),
        defaults={
            "person_id": seat.person_id,
            "name": seat.name,
            "text": text,
            "reason": reason,
            "position": position,
        },
    )
    return True


def _has_reported_often(reporter: str) -> bool:
    since = timezone.now() - timedelta(days=1)
    recent = Report.objects.filter(reporter_id=UUID(reporter), made_at__gt=since)
    return recent.count() >= _MAX_PER_DAY
