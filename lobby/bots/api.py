"""The interface with which programs open tables for bots: JSON in, JSON out, with a token."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final, Literal

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from game.bots import BOTS
from game.engine.presets import ALL_PRESETS
from game.tables.bridge import ask
from game.tables.settings import CLOCKS, DEFAULT_CLOCK
from lobby.accounts import rate_limits
from lobby.accounts.refusals import RequestRefused, answer_json
from lobby.bots import ladder_queue, waiting
from lobby.bots.accounts import addable_bots, bearer_of, find_permit
from lobby.models import BotAccount
from lobby.play.backend import current_backend

_MAX_BYTES: Final = 2_000
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"\A[^\0]*\Z")]


class _TableRequest(msgspec.Struct, forbid_unknown_fields=True):
    players: Annotated[list[Name], msgspec.Meta(min_length=3, max_length=4)]
    """The players by seat: names of bot accounts, or of the site's own bots. The preset says how
    many there are."""
    preset: str = "tenhou"
    length: Literal["east", "east_south"] = "east_south"
    clock: str = DEFAULT_CLOCK
    public: bool = False


_decoder: Final = msgspec.json.Decoder(_TableRequest)


@never_cache
@csrf_exempt
@require_POST
def open_table(request: HttpRequest) -> HttpResponse:
    """Open a table for bots. At least one player is a bot account, and all are free."""
    return answer_json(lambda: _open_requested_table(request))


def _open_requested_table(request: HttpRequest) -> HttpResponse:
    permit = find_permit(bearer_of(request.headers.get("Authorization", "")))
    if permit is None or "tables" not in permit.scopes:
        rate_limits.BOT_TRIES_OF_ADDRESS.count(rate_limits.address_of(request))
        raise RequestRefused(HTTPStatus.FORBIDDEN, "a token with the scope tables is needed")
    rate_limits.BOT_TABLES_OF_OWNER.count(permit.owner)
    wanted = _decode_request(request.body)
    backend = ask(current_backend())
    players = _find_players(wanted.players, permit.owner)
    for bot in players:
        if (
            isinstance(bot, BotAccount)
            and str(bot.owner_id) != permit.owner
            and ask(ladder_queue.is_waiting(backend, str(bot.pk)))
        ):
            text = f"{bot.person.name} waits for a rated game"
            raise RequestRefused(HTTPStatus.CONFLICT, text)
    rules = msgspec.structs.replace(ALL_PRESETS[wanted.preset], length=wanted.length)
    try:
        table_id = ask(
            waiting.open_game(
                backend, players, rules=rules, clock=wanted.clock, public=wanted.public
            )
        )
    except waiting.NotFree as error:
        text = f"{error} is not connected, or has another game"
        raise RequestRefused(HTTPStatus.CONFLICT, text) from None
    address = request.build_absolute_uri(reverse("game:table", args=[table_id]))
    return JsonResponse({"table": table_id, "url": address}, status=HTTPStatus.CREATED)


def _decode_request(body: bytes) -> _TableRequest:
    try:
        if len(body) > _MAX_BYTES:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the request is too large")
        wanted = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None
    for name, value, known in (
        ("preset", wanted.preset, ALL_PRESETS),
        ("clock", wanted.clock, CLOCKS),
    ):
        if value not in known:
            text = f"{name} has to be one of {', '.join(known)}"
            raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, text)
    seats = ALL_PRESETS[wanted.preset].players
    if len(wanted.players) != seats:
        text = f"the preset {wanted.preset} has {seats} players, not {len(wanted.players)}"
        raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, text)
    return wanted


def _find_players(names: list[str], owner: str) -> list[BotAccount | str]:
    accounts = [name for name in names if name not in BOTS]
    twice = RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, "a bot account can have one seat only")
    if len({name.casefold() for name in accounts}) < len(accounts):
        raise twice
    found = addable_bots(accounts, owner)
    if len(found) < len(accounts):
        text = "a player is neither a bot that you may add nor one of " + ", ".join(sorted(BOTS))
        raise RequestRefused(HTTPStatus.NOT_FOUND, text)
    if len({bot.pk for bot in found}) < len(found):  # two ways to write one name
        raise twice
    if not found:
        raise RequestRefused(
            HTTPStatus.UNPROCESSABLE_ENTITY, "at least one player is a bot account"
        )
    rest = iter(found)
    return [name if name in BOTS else next(rest) for name in names]
