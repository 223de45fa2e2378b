"""Reads the fields of the forms of officials, and has the notes that answer these forms."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any, Final
from uuid import UUID

from django.contrib.sessions.backends.base import SessionBase
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from lobby.accounts.coded_error import CodedError
from lobby.clubs.direction import MAX_EXTENSION, MAX_REASON
from lobby.models import Entrant, Membership, Person, Tournament
from lobby.pages.row_keys import read_key

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
