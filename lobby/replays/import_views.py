"""Pages and programming interface for games of other sites: import, show and delete a game."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import wraps
from typing import Final
from uuid import UUID

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from msgspec import to_builtins

from game.imports import records
from game.imports.imported_game import MAX_BYTES, RefusedRecord, decode_game
from game.imports.reading import TooBusy, read_in_process
from game.imports.shown_game import player_names, rules_of, shown_differences, shown_notes
from game.imports.texts import fault_of, refusal_text
from game.live import encoding
from game.models import ImportedRecord
from game.records.formats import TITLES
from game.results.game_text import rules_name, table_text
from game.results.ladders import preset_of
from game.results.replay_positions import final_ranking, position_of
from game.results.replay_script import ReplayScript, replay_script
from game.results.replay_views import preview_tags, script_response
from game.results.review_texts import review_texts
from lobby.accounts import rate_limits
from lobby.accounts.refusals import (
    HTTP_TOO_MANY,
    HTTP_UNAVAILABLE,
    TOO_MANY_TRIES,
    View,
    count_not_found,
    route_of,
    with_error_pages,
)
from lobby.accounts.visitors import account_of, visitor_of

log = logging.getLogger(__name__)

_DELETION_COOKIE: Final = "replay_delete"
_COOKIE_S: Final = records.KEPT_DAYS * 24 * 60 * 60
_HTTP_CREATED: Final = 201
_HTTP_FORBIDDEN: Final = 403
_HTTP_TOO_LARGE: Final = 413
_STATUS: Final = {
    "too_large": _HTTP_TOO_LARGE,
    "too_often": HTTP_TOO_MANY,
    "busy": HTTP_UNAVAILABLE,
    "unavailable": HTTP_UNAVAILABLE,
    "wrong_key": _HTTP_FORBIDDEN,
}
"""The status of each refusal; 400 for all others."""
_NOINDEX: Final = "noindex, nofollow"
_KEPT_TEXT: Final = 100_000
"""The number of characters of a pasted text that are shown again after a refusal."""


class _ImportRefused(Exception):
    """The request is refused; `refusal` is the reason for people and tools."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.refusal = RefusedRecord(code, detail)


def _unlisted(view: View) -> View:
    """Tell search engines not to list the page."""

    @wraps(view)
    def answer(request: HttpRequest, **named: object) -> HttpResponse:
        response = view(request, **named)
        response["X-Robots-Tag"] = _NOINDEX
        return response

    return answer


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@_unlisted
def imports(request: HttpRequest) -> HttpResponse:
    """Show the form and the visitor's own games; import the record that is sent.

    A tool that prefers JSON to HTML needs no CSRF token, because its session is not used.
    """
    if request.method != "POST":
        return _form_page(request)
    if _wants_json(request):
        return _import_for_tool(request)
    try:
        _read_body(request)  # before the check of the CSRF token, which reads the body too
    except _ImportRefused as reason:
        return _form_page(request, reason.refusal)
    return _import_for_person(request)


def _import_for_tool(request: HttpRequest) -> HttpResponse:
    try:
        key, deletion_key = _add(request, None)
    except _ImportRefused as reason:
        return _refusal_as_json(reason.refusal)
    answer = {"url": _address(key), "delete": deletion_key}
    return JsonResponse(answer, status=_HTTP_CREATED)


@csrf_protect
def _import_for_person(request: HttpRequest) -> HttpResponse:
    account = account_of(request)
    owner = None if account is None else account.pk
    try:
        key, deletion_key = _add(request, owner)
    except _ImportRefused as reason:
        text = request.POST.get("text", "")
        return _form_page(request, reason.refusal, text=text[:_KEPT_TEXT])
    response = redirect(_address(key))
    if owner is None:
        response.set_cookie(
            _DELETION_COOKIE,
            deletion_key,
            max_age=_COOKIE_S,
            path=_address(key),
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return response


def _add(request: HttpRequest, owner: UUID | None) -> tuple[str, str]:
    """Import the record that is sent. Return its key and the key for deletion. Raises
    _ImportRefused."""
    try:
        _count(request, rate_limits.IMPORTS_OF_ADDRESS, rate_limits.IMPORTS_OF_ADDRESS_A_DAY)
        outcome = read_in_process(_read_body(request))
    except rate_limits.TooOften:
        raise _ImportRefused("too_often") from None
    except rate_limits.LimitsUnavailable as error:
        log.warning("%s cannot be answered: %s", route_of(request), error)
        raise _ImportRefused("unavailable") from None
    except TooBusy:
        raise _ImportRefused("busy") from None
    if isinstance(outcome, RefusedRecord):
        raise _ImportRefused(outcome.code, outcome.detail)
    return records.add_record(outcome, owner)


def _count(request: HttpRequest, *limits: rate_limits.Limit) -> None:
    for limit in limits:
        limit.count(rate_limits.address_of(request))


def _read_body(request: HttpRequest) -> bytes:
    """Return the record that is sent, as a file or as text. Raises _ImportRefused."""
    try:
        return _read_body_sync(request)
    except RequestDataTooBig:
        raise _ImportRefused("too_large") from None
    except MultiPartParserError:
        raise _ImportRefused("damaged") from None


def _read_body_sync(request: HttpRequest) -> bytes:
    text = request.POST.get("text", "")
    file = request.FILES.get("file")
    if file is None or not file.size:
        raw = text.encode("utf-8", "replace")
    else:
        if file.size > MAX_BYTES:
            raise _ImportRefused("too_large")
        file.seek(0)
        raw = file.read()
    if len(raw) > MAX_BYTES:
        raise _ImportRefused("too_large")
    return raw


def _wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def _refusal_as_json(refusal: RefusedRecord) -> HttpResponse:
    fault = fault_of(refusal.detail)
    answer = {
        "error": refusal.code,
        "text": refusal_text(refusal.code),
        "fault": fault.code,
        "detail": fault.text,
        "technical": refusal.detail,
    }
    return JsonResponse(answer, status=_STATUS.get(refusal.code, 400))


def _form_page(
    request: HttpRequest, refusal: RefusedRecord | None = None, *, text: str = ""
) -> HttpResponse:
    """Show the form; `text` is what the visitor has pasted into it."""
    fault = fault_of(refusal.detail) if refusal else None
    account = account_of(request)
    own = [] if account is None else records.records_of(account.pk)
    context = {
        "refusal": refusal_text(refusal.code) if refusal else "",
        "detail": fault.text if fault and fault.code != "format" else "",
        "text": text,
        "too_large": refusal_text("too_large"),
        "own": own,
        "is_account": account is not None,
        "days": records.KEPT_DAYS,
        "max_bytes": MAX_BYTES,
        "is_deleted": "deleted" in request.GET and refusal is None,
    }
    status = _STATUS.get(refusal.code, 400) if refusal else 200
    return render(request, "lobby/imports.html", context, status=status)


@csrf_exempt
@never_cache
@require_POST
@_unlisted
@with_error_pages(TOO_MANY_TRIES)
def delete(request: HttpRequest, key: str) -> HttpResponse:
    """Delete an imported game, for its account or with its key for deletion."""
    _count(request, rate_limits.IMPORTED_PAGES_OF_ADDRESS)
    if _wants_json(request):
        return _delete_for_tool(request, key)
    return _delete_for_person(request, key)


def _delete_for_tool(request: HttpRequest, key: str) -> HttpResponse:
    record = _find(request, key)
    if not records.may_delete(record, owner=None, deletion_key=request.POST.get("delete", "")):
        return _refusal_as_json(RefusedRecord("wrong_key"))
    record.delete()
    return HttpResponse(status=204)


@csrf_protect
def _delete_for_person(request: HttpRequest, key: str) -> HttpResponse:
    record = _find(request, key)
    if not _may_delete(request, record):
        return _form_page(request, RefusedRecord("wrong_key"))
    record.delete()
    response = redirect(f"{reverse('lobby:imports')}?deleted=1")
    response.delete_cookie(_DELETION_COOKIE, path=_address(key))
    return response


def _find(request: HttpRequest, key: str) -> ImportedRecord:
    record = records.find_record(key)
    if record is None:
        raise count_not_found(request)
    return record


def _may_delete(request: HttpRequest, record: ImportedRecord) -> bool:
    person = visitor_of(request)
    deletion_key = request.COOKIES.get(_DELETION_COOKIE, "")
    return records.may_delete(
        record, owner=None if person is None else person.pk, deletion_key=deletion_key
    )


def _address(key: str) -> str:
    return reverse("lobby:imported_replay", args=[key])


@never_cache
@require_safe
@_unlisted
@with_error_pages(TOO_MANY_TRIES)
def replay(request: HttpRequest, key: str) -> HttpResponse:
    """Show the page of the replay of an imported game. The script of the replay fills it."""
    _count(request, rate_limits.IMPORTED_PAGES_OF_ADDRESS)
    record = _find(request, key)
    context = {
        "title": _title(record.names),
        "script_url": reverse("lobby:import_script", args=[key]),
        "back_url": reverse("lobby:imported_game", args=[key]),
        "review_url": reverse("lobby:record_review", args=[key]) if record.is_over else "",
        "review_texts": review_texts(),
        "seat": None,
        "is_indexed": False,
        "preview_url": reverse("lobby:preview_of_record", args=[key]),
        "preview": preview_tags(
            request,
            gettext("Game of another site"),
            player_names(record.names),
            reverse("lobby:preview_picture_of_record", args=[key]),
            position_of(request.GET.dict(), len(record.names)),
            final_ranking(decode_game(bytes(record.game)).events),
        ),
    }
    return render(request, "game/replay.html", context)


@never_cache
@require_safe
@_unlisted
@with_error_pages(TOO_MANY_TRIES)
def game(request: HttpRequest, key: str) -> HttpResponse:
    """Show the players and rules of an imported game, and its differences from the rules."""
    _count(request, rate_limits.IMPORTED_PAGES_OF_ADDRESS)
    record = _find(request, key)
    played = decode_game(bytes(record.game))
    rules = rules_of(played)
    context = {
        "record": record,
        "title": _title(record.names),
        "rules": rules_name(to_builtins(rules), preset_of(rules)),
        "format": TITLES[record.format],
        "differences": shown_differences(played, table_text),
        "has_own_rules": played.has_own_rules,
        "notes": [text for _, text in shown_notes(played)],
        "until": record.created_at + timedelta(days=records.KEPT_DAYS),
        "may_delete": _may_delete(request, record),
    }
    return render(request, "lobby/imported_game.html", context)


@require_safe
@_unlisted
@with_error_pages(TOO_MANY_TRIES)
def script(request: HttpRequest, key: str) -> HttpResponse:
    """Return the script of the replay of an imported game."""
    _count(request, rate_limits.SCRIPTS_OF_ADDRESS)
    record = _find(request, key)
    depends_on = record.pk, get_language()
    return script_response(request, depends_on, lambda: _script(bytes(record.game)))


def _script(data: bytes) -> ReplayScript:
    played = decode_game(data)
    return replay_script(
        played.events,
        player_names(played.names),
        write=encoding.encode_event,
        preset=preset_of(rules_of(played)) or None,
        differences=[
            {"at": difference.at, "text": difference.text}
            for difference in shown_differences(played, table_text)
        ]
        + [{"at": at, "text": text} for at, text in shown_notes(played)],
        has_points="scores" not in played.unknown,
    )


def _title(names: Sequence[str]) -> str:
    return " · ".join(player_names(names))
