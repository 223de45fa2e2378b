"""The records of all games of an event as one file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import cast

from asgiref.sync import sync_to_async
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.models import Game, GamePlayer, GameSeat
from game.operations.game_export import ArchivePart, archive_parts
from game.records.formats import FORMATS
from lobby.accounts import rate_limits
from lobby.accounts.visitors import person_id
from lobby.clubs.leagues import league_tables
from lobby.clubs.members import ClubAccess
from lobby.clubs.registration import find_event
from lobby.clubs.tournaments import table_ids_of
from lobby.models import League
from lobby.pages.club_views import any_club
from lobby.pages.refusals import count_not_found


@never_cache
@require_safe
@any_club
async def records(
    request: HttpRequest, access: ClubAccess, kind: str, name: str, form: str
) -> HttpResponse:
    """Return a zip file with a list of the games and the records that the visitor may see. The file
    is sent while it is written."""
    event = await find_event(access, kind, name)
    if event is None:
        raise await count_not_found(request)
    tables = league_tables(event) if isinstance(event, League) else table_ids_of(event)
    games = _filter_visible(Game.objects.filter(pk__in=tables), access, person_id(request))
    if form not in FORMATS or not await games.aexists():
        raise await count_not_found(request)
    await rate_limits.ARCHIVES_OF_ADDRESS.count(rate_limits.address_of(request))
    response = StreamingHttpResponse(
        _stream(archive_parts(games, [form])),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}-{form}.zip"'},
    )
    # The decorators pass the response through without reading it.
    return cast("HttpResponse", response)


def _filter_visible(games: QuerySet[Game], access: ClubAccess, person: str) -> QuerySet[Game]:
    """Return the games that the person may see, by the rule of `game.results.history.can_see`."""
    if access.is_officer:
        return games
    if not person:
        return games.filter(is_public=True)
    own = (
        model.objects.filter(person_id=person).values("game") for model in (GamePlayer, GameSeat)
    )
    began, played = own
    return games.filter(Q(is_public=True) | Q(pk__in=began) | Q(pk__in=played))


async def _stream(parts: Iterator[ArchivePart]) -> AsyncIterator[bytes]:
    """Yield the bytes of the parts. Each part is made after the one before has been sent."""
    while (part := await sync_to_async(_next)(parts)) is not None:
        if part.data:
            yield part.data


def _next(parts: Iterator[ArchivePart]) -> ArchivePart | None:
    return next(parts, None)
