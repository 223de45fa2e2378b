"""The pages of what has been played: games, players, ladders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from channels.db import database_sync_to_async
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.engine.events import Event
from game.engine.presets import PRESETS
from game.identity.sessions import person_of
from game.models import Game, GameSeat
from game.records.formats import FORMATS, Format
from game.records.own import CannotHold
from game.results import history, statistics
from game.results.game_text import player_name, rules_name, why_no_record
from game.results.ladders import LADDERS, LEAST_GAMES, LEAST_PEOPLE, LadderKind

_FIRST_PRESET: Final = "tenhou"
_FIRST_LENGTH: Final = "east_south"
_LAST_PAGE: Final = 1_000
_OWN_RULES: Final = "own"

ReadEvents = Callable[[Game], Iterable[Event]]
"""Reads the events of an archived game from its log. `game.urls` passes the archive's reader."""


@never_cache
@require_safe
async def game(request: HttpRequest, table_id: str) -> HttpResponse:
    """A finished game: its ranking, how the points went, every hand."""
    played = await history.finished_game(table_id)
    person = await person_of(request.session)
    if played is None:
        raise Http404
    seats = sorted(played.seats.all(), key=lambda seat: seat.seat)
    if not history.may_see(played, person):
        raise Http404
    names = [player_name(seat.name) for seat in seats]
    people = [seat.person_id for seat in seats if seat.person_id is not None]
    context = {
        "game": played,
        "rules": rules_name(played.rules, played.preset),
        "names": names,
        "ranking": history.ranking(played, person, await statistics.listed_among(people)),
        "hands": history.played_hands(played, names),
        "chart": history.chart_of_scores(played, names),
        "formats": [(kind, form.title) for kind, form in FORMATS.items()],
    }
    return render(request, "game/game.html", context)


@never_cache
@require_safe
async def record(
    request: HttpRequest, table_id: str, kind: str, read_events: ReadEvents
) -> HttpResponse:
    """Return a finished game as a file, for the tools of players."""
    played = await history.finished_game(table_id)
    if played is None or kind not in FORMATS:
        raise Http404
    seats = sorted(played.seats.all(), key=lambda seat: seat.seat)
    if not history.may_see(played, await person_of(request.session)):
        raise Http404
    form = FORMATS[kind]
    try:
        text = await database_sync_to_async(_write)(played, seats, form, read_events)
    except CannotHold as reason:
        context = {"game": played, "format": form.title, "why": why_no_record(reason.code)}
        return render(request, "game/no_record.html", context, status=409)
    disposition = f'attachment; filename="{table_id}.{form.suffix}"'
    return HttpResponse(
        text,
        content_type=f"{form.content_type}; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )


def _write(played: Game, seats: Sequence[GameSeat], form: Format, read_events: ReadEvents) -> str:
    names = [player_name(seat.name) for seat in seats]
    return form.write(history.game_record(played, read_events(played), names))


@never_cache
@require_safe
async def my_games(request: HttpRequest) -> HttpResponse:
    """What the visitor has played, private games too."""
    person = await person_of(request.session)
    if not person:
        return render(request, "game/my_games.html", {"statistics": None})
    context = await _of_player(request, UUID(person), only_public=False)
    return render(request, "game/my_games.html", context)


@never_cache
@require_safe
async def player(request: HttpRequest, person: UUID) -> HttpResponse:
    """What everybody may know of somebody who has an account."""
    found = await statistics.player(person)
    if found is None or not found.is_listed:
        raise Http404
    context = await _of_player(request, person, only_public=True)
    return render(request, "game/player.html", {**context, "name": found.name})


@require_safe
async def ladders(request: HttpRequest) -> HttpResponse:
    """To the first ladder."""
    return redirect("game:ladder", preset=_FIRST_PRESET, length=_FIRST_LENGTH)


@require_safe
async def ladders_of_preset(request: HttpRequest, preset: str) -> HttpResponse:
    """To the preset's ladder of whole games."""
    if preset not in PRESETS:
        raise Http404
    return redirect("game:ladder", preset=preset, length=_FIRST_LENGTH)


@never_cache
@require_safe
async def ladder(request: HttpRequest, preset: str, length: str) -> HttpResponse:
    """Who stands where in a ladder."""
    kind = LadderKind(preset, length)
    if kind.name not in LADDERS:
        raise Http404
    page = _page(request)
    rows, has_more = await statistics.ladder_page(kind.name, await person_of(request.session), page)
    context = {
        "ladder_name": statistics.ladder_name(kind),
        "ladders": await statistics.ladders(kind),
        "rows": rows,
        "least_games": LEAST_GAMES,
        "least_people": LEAST_PEOPLE,
        "is_absence_last": settings.RATED_ABSENCE == "last",
        **_pages(page, has_more),
    }
    return render(request, "game/ladder.html", context)


async def _of_player(request: HttpRequest, person: UUID, *, only_public: bool) -> dict[str, Any]:
    wanted = request.GET.get("rules") or None
    preset = "" if wanted == _OWN_RULES else wanted
    if preset and preset not in PRESETS:
        raise Http404
    page = _page(request)
    figures = await statistics.statistics(person, only_public=only_public, preset=preset)
    games, has_more = await history.games_of(
        person, only_public=only_public, preset=preset, page=page
    )
    return {
        "statistics": figures,
        "standings": await statistics.standings_of(person),
        "presets": await statistics.presets_of(person, only_public=only_public),
        "current": wanted or "",
        "games": games,
        "chart": await history.chart_of_places(person, only_public=only_public, preset=preset),
        **_pages(page, has_more),
    }


def _page(request: HttpRequest) -> int:
    text = request.GET.get("page", "1")
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:6]) <= _LAST_PAGE:
        raise Http404
    return int(text[:6])


def _pages(page: int, has_more: bool) -> dict[str, Any]:
    return {"newer": page - 1 if page > 1 else None, "older": page + 1 if has_more else None}
