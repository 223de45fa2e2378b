"""Previews of positions of replays: a small page without scripts, and its picture.

Chat programs show them for a link. Everybody who may see a replay may see its previews.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.archive.archive import read_events
from game.engine.events import Event
from game.engine.state import Table
from game.identity.sessions import person_of
from game.imports import records
from game.imports.imported_game import decode_game
from game.imports.shown_game import player_names
from game.results import replay_links
from game.results.board_picture import PictureContent, picture
from game.results.game_text import format_number, hand_name, player_name, rules_name
from game.results.made_once import PUBLIC_S, made_once, with_etag
from game.results.replay_positions import (
    RankingRow,
    ReplayPosition,
    final_ranking,
    position_of,
    table_at,
    visible_table_at,
)
from game.results.replay_views import (
    find_link,
    find_replay,
    hidden_names,
    preview_tags,
    shared_names,
)
from lobby.accounts import rate_limits
from lobby.accounts.refusals import (
    TOO_MANY_TRIES,
    count_not_found,
    with_error_pages,
)


class _Found(NamedTuple):
    """A position of a replay, and the final ranking for a link to the whole game."""

    seen: Table
    position: ReplayPosition
    ranking: Sequence[RankingRow]


class _ShownReplay(NamedTuple):
    """A replay that the visitor may see."""

    title: str
    names: Sequence[str]
    hidden: frozenset[int]
    """The seats whose names the visitor does not see, so that `names` has other words."""
    seat: int | None
    """The seat at the bottom, unless the query names another."""
    is_public: bool
    read: Callable[[], Iterable[Event]]
    """A function that reads the events, with the database."""
    url: str
    """The address of the page of the replay."""


def _find_game(request: HttpRequest, key: str) -> _ShownReplay:
    person = person_of(request.session)
    game, seats = find_replay(key, person)
    own = [seat.seat for seat in seats if person and str(seat.person_id) == person]
    return _ShownReplay(
        rules_name(game.rules, game.preset),
        [player_name(seat.name) for seat in seats],
        frozenset(),
        own[0] if own else None,
        game.is_public,
        lambda: read_events(game),
        reverse("game:replay", args=[key]),
    )


def _find_shared(request: HttpRequest, key: str) -> _ShownReplay:
    link = find_link(key)
    names = shared_names(link)
    return _ShownReplay(
        rules_name(link.game.rules, link.game.preset),
        names,
        frozenset(range(len(names))) - replay_links.named_seats(link),
        replay_links.seat_of_maker(link),
        False,
        lambda: read_events(link.game),
        reverse("game:shared_replay", args=[key]),
    )


def _find_imported(request: HttpRequest, key: str) -> _ShownReplay:
    record = records.find_record(key)
    if record is None:
        raise count_not_found(request)
    return _ShownReplay(
        _("Game of another site"),
        player_names(record.names),
        frozenset(seat for seat, name in enumerate(record.names) if not name),
        None,
        False,
        lambda: decode_game(bytes(record.game)).events,
        reverse("lobby:imported_replay", args=[key]),
    )


_FIND: Final[dict[str, Callable[[HttpRequest, str], _ShownReplay]]] = {
    "game": _find_game,
    "shared": _find_shared,
    "record": _find_imported,
}


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TRIES)
def page(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Show a position as a picture, with the points of the players. `kind` is a key of `_FIND`."""
    rate_limits.PICTURES_OF_ADDRESS.count(rate_limits.address_of(request))
    replay = _FIND[kind](request, key)
    asked = _position(request, replay)
    found = made_once(
        "position", kind, key, asked, replay.names, make=lambda: _find_position(replay, asked)
    )
    if found is None:
        raise Http404
    seen, position, ranking = found
    drawn = asked if asked.is_best_win else position
    names = replay.names if position.has_names else hidden_names(len(replay.names))
    where = _("%(hand)s, step %(step)d") % {
        "hand": hand_name(seen.kyoku, seen.honba),
        "step": position.step,
    }
    players: list[dict[str, Any]] = [
        {
            "name": name,
            "score": format_number(score),
            "wind": "ESWN"[(seat - seen.dealer) % len(seen.seats)],
        }
        for seat, (name, score) in enumerate(zip(names, seen.scores, strict=True))
    ]
    image = reverse(f"lobby:preview_picture_of_{kind}", args=[key])
    context = {
        "title": f"{replay.title} · {where}",
        "where": where,
        "rules": replay.title,
        "players": players,
        "image_url": f"{image}?{drawn.query}",
        "replay_url": f"{replay.url}?{position.query}",
        "is_indexed": replay.is_public,
        "preview": preview_tags(request, f"{replay.title} · {where}", names, image, drawn, ranking),
    }
    response = render(request, "game/preview.html", context)
    return _set_headers(response, replay, kind)


@require_safe
@with_error_pages(TOO_MANY_TRIES)
def image(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Return the picture of a position as PNG. For a whole game it has the result."""
    rate_limits.PICTURES_OF_ADDRESS.count(rate_limits.address_of(request))
    replay = _FIND[kind](request, key)
    position = _position(request, replay)

    names = [
        "" if seat in replay.hidden or not position.has_names else name
        for seat, name in enumerate(replay.names)
    ]

    def find() -> PictureContent | None:
        found = _find_position(replay, position)
        if found is None:
            return None
        return found.seen, found.position.seat, found.ranking, names

    shown = tuple(names) if position.is_best_win else ()
    content = picture((kind, key, position._replace(has_names=True), shown), find)
    if content is None:
        raise Http404
    response = HttpResponse(content, content_type="image/png")
    who = "public" if replay.is_public else "private"
    response["Cache-Control"] = f"{who}, max-age={PUBLIC_S}"
    return with_etag(request, _set_headers(response, replay, kind))


def _position(request: HttpRequest, replay: _ShownReplay) -> ReplayPosition:
    return position_of(request.GET.dict(), len(replay.names), replay.seat)


def _find_position(replay: _ShownReplay, position: ReplayPosition) -> _Found | None:
    events = list(replay.read())
    if (found := table_at(events, position)) is None:
        return None
    table, shown = found
    ranking = final_ranking(events) if position.is_best_win else []
    return _Found(visible_table_at(table, shown), shown, ranking)


def _set_headers(response: HttpResponse, replay: _ShownReplay, kind: str) -> HttpResponse:
    if not replay.is_public:
        response["X-Robots-Tag"] = "noindex"
    if kind == "shared":
        response["Referrer-Policy"] = "no-referrer"
    return response
