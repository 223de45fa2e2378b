"""Tokens with which programs read the events of a private club: make, find, revoke."""

from __future__ import annotations

import secrets
from typing import Final

from django.utils import timezone

from lobby.accounts.models import digest_of
from lobby.accounts.transactions import change_locked
from lobby.clubs.members import OFFICERS, NotAllowed, is_officer
from lobby.models import ApiToken, Club, Membership, Person

MAX_TOKENS: Final = 20
"""The most tokens of one club that are not revoked."""
_PREFIX: Final = "mjclub_"
"""The beginning of a token. It makes a leaked token recognisable, for example in a public
repository."""
_TOKEN_BYTES: Final = 32


class TooManyTokens(Exception):
    """The club has the maximum number of tokens."""


def create_token(club: Club, label: str, *, by: Person) -> str:
    """Make a token and return it. Only its hash is stored. Raises TooManyTokens, and NotAllowed if
    the person is not an officer any more."""
    token = _PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)

    def create(locked: Club) -> None:
        officers = Membership.objects.filter(club=locked, role__in=OFFICERS)
        if not officers.filter(person=by).exists():
            raise NotAllowed
        if ApiToken.objects.filter(club=locked, revoked_at=None).count() >= MAX_TOKENS:
            raise TooManyTokens
        ApiToken.objects.create(club=locked, label=label, digest=digest_of(token), made_by=by)

    change_locked(club, create)
    return token


def tokens_of(club: Club) -> list[ApiToken]:
    rows = ApiToken.objects.filter(club=club, revoked_at=None).select_related("made_by")
    return list(rows)


def revoke_token(club: Club, token: int) -> None:
    """Revoke that token of the club."""
    rows = ApiToken.objects.filter(club=club, pk=token, revoked_at=None)
    rows.update(revoked_at=timezone.now())


def club_of_token(token: str) -> Club | None:
    """Return the club whose events may be read with the token; None if it is unknown or revoked, or
    if the person who made it is not an officer of the club any more."""
    rows = ApiToken.objects.filter(digest=digest_of(token), revoked_at=None)
    row = rows.select_related("club", "made_by").first()
    if row is None or not is_officer(row.club, row.made_by):
        return None
    today = timezone.localdate()
    if row.used_on != today:
        ApiToken.objects.filter(pk=row.pk).update(used_on=today)
    return row.club
