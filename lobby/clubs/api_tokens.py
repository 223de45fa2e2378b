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


async def create_token(club: Club, label: str, *, by: Person) -> str:
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

    await change_locked(club, create)
    return token


async def tokens_of(club: Club) -> list[ApiToken]:
    """Return the tokens of the club that are not revoked."""
    rows = ApiToken.objects.filter(club=club, revoked_at=None).select_related("made_by")
    return [token async for token in rows]


async def revoke_token(club: Club, token: int) -> None:
    """Revoke that token of the club."""
    rows = ApiToken.objects.filter(club=club, pk=token, revoked_at=None)
    await rows.aupdate(revoked_at=timezone.now())


async def club_of_token(token: str) -> Club | None:
    """Return the club whose events may be read with the token; None if it is unknown or revoked, or
    if the person who made it is not an officer of the club any more."""
    rows = ApiToken.objects.filter(digest=digest_of(token), revoked_at=None)
    row = await rows.select_related("club", "made_by").afirst()
    if row is None or not await is_officer(row.club, row.made_by):
        return None
    today = timezone.localdate()
    if row.used_on != today:
        await ApiToken.objects.filter(pk=row.pk).aupdate(used_on=today)
    return row.club
