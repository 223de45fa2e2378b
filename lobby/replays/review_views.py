"""Reviews of finished and imported games: state and figures as JSON, and requests for them."""

from __future__ import annotations

import gzip
import re
from typing import Final
from uuid import UUID

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.identity.sessions import person_of
from game.imports import records
from game.models import Game
from game.results.accuracy import last_games
from game.results.filters import BadFilter, number_of_query
from game.results.replay_views import find_replay
from game.reviews.all_curves import curves_at
from game.reviews.storage import (
    Subject,
    TooManyReviews,
    find_review,
    read_review_events,
    request_review,
    review_as_json,
)
from lobby.accounts import rate_limits
from lobby.accounts.refusals import HTTP_TOO_MANY, TOO_MANY_TRIES, count_not_found, with_error_pages
from lobby.accounts.visitors import require_person

_NUMBER: Final = re.compile(r"[0-9]{1,6}")
_GZIP: Final = b"\x1f\x8b"
"""The first bytes of data in gzip's format."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_error_pages(TOO_MANY_TRIES)
def of_game(request: HttpRequest, table_id: str) -> HttpResponse:
    """Return the review of a finished game of this site, or queue it (POST)."""
    game, _ = find_replay(table_id, person_of(request.session))
    return _answer(request, game)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_error_pages(TOO_MANY_TRIES)
def of_record(request: HttpRequest, key: str) -> HttpResponse:
    """Return the review of an imported record, or queue it (POST). A record without the end of its
    game has no review."""
    address = rate_limits.address_of(request)
    rate_limits.IMPORTED_PAGES_OF_ADDRESS.count(address)
    record = records.find_record(key)
    if record is None:
        raise count_not_found(request)
    if not record.is_over:
        raise Http404
    return _answer(request, record)


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TRIES)
def curves_of_game(request: HttpRequest, table_id: str) -> HttpResponse:
    """Return the chances by draw of all discards at a decision of a game of this site."""
    game, _ = find_replay(table_id, person_of(request.session))
    return _curves(request, game)


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TRIES)
def curves_of_record(request: HttpRequest, key: str) -> HttpResponse:
    """Return the chances by draw of all discards at a decision of an imported record."""
    rate_limits.IMPORTED_PAGES_OF_ADDRESS.count(rate_limits.address_of(request))
    record = records.find_record(key)
    if record is None:
        raise count_not_found(request)
    return _curves(request, record)


def _curves(request: HttpRequest, subject: Subject) -> HttpResponse:
    """Answer with the curves of the decision that `at` and `seat` name, if the game is reviewed."""
    rate_limits.CURVES_OF_ADDRESS.count(rate_limits.address_of(request))
    query = [request.GET.get(name, "") for name in ("at", "seat")]
    review = find_review(subject)
    if review is None or review.state != "done" or not all(map(_NUMBER.fullmatch, query)):
        raise Http404
    at, seat = map(int, query)
    found = curves_at(read_review_events(review), at, seat)
    if found is None:
        raise Http404
    return _as_json(request, msgspec.json.encode(found))


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TRIES)
def of_last_games(request: HttpRequest) -> HttpResponse:
    """Queue the missing reviews of the visitor's last games with a number of players, as many as
    the limit allows."""
    person = person_of(request.session)
    try:
        players = number_of_query(request.POST, ())
    except BadFilter:
        raise Http404 from None
    missing = last_games(UUID(person), players).missing if person else ()
    for table_id in missing:
        rate_limits.REVIEWS_OF_PERSON.count(person)
        rate_limits.REVIEWS_OF_ADDRESS.count(rate_limits.address_of(request))
        game = Game.objects.get(pk=table_id)
        try:
            request_review(game, person)
        except TooManyReviews:
            break
    return redirect(f"{reverse('game:my_games')}?players={players}#accuracy")


def _answer(request: HttpRequest, subject: Subject) -> HttpResponse:
    if request.method != "POST":
        review = find_review(subject)
        return _as_json(request, review_as_json(review))
    person = str(require_person(request).pk)
    rate_limits.REVIEWS_OF_PERSON.count(person)
    rate_limits.REVIEWS_OF_ADDRESS.count(rate_limits.address_of(request))
    try:
        review = request_review(subject, person)
    except TooManyReviews:
        return JsonResponse({"error": "too_many"}, status=HTTP_TOO_MANY)
    return _as_json(request, review_as_json(review))


def _as_json(request: HttpRequest, content: bytes) -> HttpResponse:
    headers = {"Vary": "Accept-Encoding", "X-Robots-Tag": "noindex"}
    if content.startswith(_GZIP):
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            content = gzip.decompress(content)
    return HttpResponse(content, content_type="application/json", headers=headers)
