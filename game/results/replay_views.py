"""The pages of replays: a finished game, step by step, and the links that show it to others."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Collection, Iterable, Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from game.engine.events import Event
from game.identity.sessions import person_of
from game.models import Game, GameSeat, ReplayLink
from game.results import history, replay_links
from game.results.avatars import avatar_of, is_name_of_bot
from game.results.game_text import format_number, player_name, rules_name
from game.results.made_once import PUBLIC_S, made_once, with_etag
from game.results.players import chosen_avatars
from game.results.replay_positions import RankingRow, ReplayPosition, position_of
from game.results.replay_script import EncodeEvent, ReplayScript, encode, replay_script
from game.results.review_texts import review_texts

ReadEvents = Callable[[Game], Iterable[Event]]
"""A function that reads the events of an archived game from its log. `game.urls` passes the
archive's reader."""
_NO_INDEX = "noindex"


@never_cache
@require_safe
def replay(request: HttpRequest, table_id: str) -> HttpResponse:
    """Show the replay page of a finished game. The page loads the game's script."""
    person = person_of(request.session)
    game, seats = find_replay(table_id, person)
    own = [seat.seat for seat in seats if person and str(seat.person_id) == person]
    context = {
        "title": rules_name(game.rules, game.preset),
        "script_url": reverse("game:replay_script", args=[table_id]),
        "back_url": reverse("game:game", args=[table_id]),
        "review_url": reverse("lobby:game_review", args=[table_id]),
        "review_texts": review_texts(),
        "report_url": reverse("lobby:report", args=[table_id]),
        "seat": own[0] if own else None,
        "is_indexed": game.is_public,
        "preview_url": reverse("lobby:preview_of_game", args=[table_id]),
        "preview": preview_tags(
            request,
            rules_name(game.rules, game.preset),
            [player_name(seat.name) for seat in seats],
            reverse("lobby:preview_picture_of_game", args=[table_id]),
            position_of(request.GET.dict(), len(seats), own[0] if own else None),
            ranking_of(seats),
        ),
    }
    response = render(request, "game/replay.html", context)
    if not game.is_public:
        response["X-Robots-Tag"] = _NO_INDEX
    return response


@require_safe
def script(
    request: HttpRequest, table_id: str, read_events: ReadEvents, write_event: EncodeEvent
) -> HttpResponse:
    """Return the script of the replay of a finished game."""
    game, seats = find_replay(table_id, person_of(request.session))
    names = [player_name(seat.name) for seat in seats]
    avatars = _avatars(seats, range(len(seats)))

    def make() -> ReplayScript:
        events = read_events(game)
        return _script_of(game, seats, events, names, avatars, write_event, game_id=game.pk)

    return script_response(request, (game.pk, names, avatars), make, is_public=game.is_public)


@require_POST
def make_link(request: HttpRequest, table_id: str) -> HttpResponse:
    """Make a replay link for a player of the game. It shows names only if the player chooses so,
    and then only those of this player and of others who have agreed."""
    person = person_of(request.session)
    game, _seats = find_replay(table_id, person)
    if not history.has_played(game, person):
        raise Http404
    replay_links.make_link(game, person, shows_name="shows_name" in request.POST)
    return redirect("game:game", table_id=table_id)


@require_POST
def delete_link(request: HttpRequest, key: str) -> HttpResponse:
    """Remove a link. Only the player who made it can do so."""
    table_id = replay_links.revoke_link(key, person_of(request.session))
    if not table_id:
        raise Http404
    return redirect("game:game", table_id=table_id)


@never_cache
@require_safe
def shared_replay(request: HttpRequest, key: str) -> HttpResponse:
    """Show the replay behind a link."""
    link = find_link(key)
    seat, names = replay_links.seat_of_maker(link), shared_names(link)
    context = {
        "title": rules_name(link.game.rules, link.game.preset),
        "script_url": reverse("game:shared_replay_data", args=[key]),
        "back_url": reverse("lobby:home"),
        "review_url": "",
        "report_url": reverse("lobby:report_by_link", args=[key]),
        "seat": seat,
        "is_indexed": False,
        "preview_url": reverse("lobby:preview_of_shared", args=[key]),
        "preview": preview_tags(
            request,
            rules_name(link.game.rules, link.game.preset),
            names,
            reverse("lobby:preview_picture_of_shared", args=[key]),
            position_of(request.GET.dict(), len(names), seat),
            ranking_of(link.game.seats.all()),
        ),
    }
    response = render(request, "game/replay.html", context)
    response["X-Robots-Tag"] = _NO_INDEX
    response["Referrer-Policy"] = "no-referrer"
    return response


@require_safe
def shared_replay_data(
    request: HttpRequest, key: str, read_events: ReadEvents, write_event: EncodeEvent
) -> HttpResponse:
    """Return the script of the replay behind a link, without hidden names and without the id of the
    game."""
    link = find_link(key)
    names, game = shared_names(link), link.game
    seats = sorted(game.seats.all(), key=lambda seat: seat.seat)
    avatars = _avatars(seats, replay_links.named_seats(link))

    def make() -> ReplayScript:
        return _script_of(game, seats, read_events(game), names, avatars, write_event)

    return script_response(request, (key, names, avatars), make)


def preview_tags(
    request: HttpRequest,
    title: str,
    names: Sequence[str],
    picture: str,
    position: ReplayPosition,
    ranking: Sequence[RankingRow],
) -> dict[str, str]:
    """Return the template context for `game/preview_tags.html`: the tags from which chat programs
    make a preview of a position. `picture` is the address of the position's picture. For a link to
    the whole game the text gives the final ranking."""
    shown = names if position.has_names else hidden_names(len(names))
    parts = list(shown)
    if position.is_best_win and ranking:
        parts = [f"{row.place}. {shown[row.seat]} {format_number(row.score)}" for row in ranking]
    return {
        "title": title,
        "text": " · ".join(parts),
        "image": request.build_absolute_uri(f"{picture}?{position.query}"),
    }


def ranking_of(seats: Iterable[GameSeat]) -> list[RankingRow]:
    """Return the final ranking of a finished game."""
    return sorted(RankingRow(seat.place, seat.seat, seat.score) for seat in seats)


def hidden_names(players: int) -> list[str]:
    """Return the names shown for players who stay unnamed, by seat and in the reader's language."""
    return [_("Player %(number)d") % {"number": number} for number in range(1, players + 1)]


def shared_names(link: ReplayLink) -> list[str]:
    """Return the names that the link shows, by seat and in the reader's language."""
    named, seats = replay_links.named_seats(link), link.game.seats.all()
    names = hidden_names(len(seats))
    for seat in seats:
        if seat.seat in named:
            names[seat.seat] = player_name(seat.name)
    return names


def find_link(key: str) -> ReplayLink:
    """Return the link with its game. Raises Http404 if there is no such link or the game's log was
    removed."""
    link = replay_links.find_link(key)
    if link is None or not history.has_log(link.game):
        raise Http404
    return link


def _avatars(seats: Sequence[GameSeat], named: Collection[int]) -> list[str]:
    """Return by seat the avatars of the players at the `named` seats; '' for all others."""
    chosen = chosen_avatars([seat.person_id for seat in seats if seat.person_id])
    return [
        avatar_of(seat.name, chosen.get(seat.person_id, ""))
        if seat.person_id and seat.name and seat.seat in named and not is_name_of_bot(seat.name)
        else ""
        for seat in seats
    ]


def _script_of(
    game: Game,
    seats: Iterable[GameSeat],
    events: Iterable[Event],
    names: Sequence[str],
    avatars: Sequence[str],
    write: EncodeEvent,
    *,
    game_id: str | None = None,
) -> ReplayScript:
    return replay_script(
        events,
        names,
        write=write,
        game_id=game_id,
        preset=game.preset or None,
        levels=[seat.bot for seat in seats],
        avatars=avatars,
        is_broken_off=game.is_broken_off,
    )


def script_response(
    request: HttpRequest,
    depends_on: object,
    make: Callable[[], ReplayScript],
    *,
    is_public: bool = False,
) -> HttpResponse:
    """Return a script as JSON, compressed if the browser accepts that. The content does not depend
    on the request, so its compressed size reveals nothing. `make` is called unless the script is
    cached for `depends_on`. Raises Http404 for a script without hands."""

    def compress() -> bytes:
        made = make()
        return gzip.compress(encode(made), 6, mtime=0) if made.hands else b""

    content = made_once("script", depends_on, make=compress)
    if not content:
        raise Http404
    headers = {"Vary": "Accept-Encoding", "X-Robots-Tag": _NO_INDEX}
    if is_public:
        headers |= {"Cache-Control": f"public, max-age={PUBLIC_S}"}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    response = HttpResponse(content, content_type="application/json", headers=headers)
    return with_etag(request, response)


def find_replay(table_id: str, person: str) -> tuple[Game, list[GameSeat]]:
    """Return that game and its seats in order. Raises Http404 if the person may not see it or its
    log was removed."""
    game = history.find_game(table_id)
    if game is None or not history.can_see(game, person):
        raise Http404
    if not history.has_log(game):
        raise Http404
    return game, sorted(game.seats.all(), key=lambda seat: seat.seat)
