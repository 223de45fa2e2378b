"""The page on which owners manage their bots."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as now_in_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from lobby.accounts import rate_limits
from lobby.accounts.profile_views import account_required
from lobby.accounts.refusals import (
    HTTP_TOO_MANY,
    TOO_MANY_TRIES,
    count_not_found,
    read_key,
    with_error_pages,
)
from lobby.accounts.services import NameTaken
from lobby.bots import accounts
from lobby.bots.accounts import TooManyBots
from lobby.bots.consumer import BOTS_PATH
from lobby.bots.forms import NewBot, NewToken
from lobby.models import BotAccount, Person

_TOO_MANY_BOTS: Final = _("You have as many bots as an account may have.")
_TOO_MANY_TOKENS: Final = _("This bot has as many tokens as it may have. Revoke one first.")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@account_required
@with_error_pages(TOO_MANY_TRIES)
def bots(request: HttpRequest, person: Person) -> HttpResponse:
    """Show the bots of an account, and carry out the action `do` on one of them."""
    if request.method != "POST":
        return _render_page(request, person)
    verb, _sep, token = request.POST.get("do", "").partition(":")
    if verb == "register":
        return _register(request, person)
    bot = accounts.find_bot(person, request.POST.get("bot", ""))
    if bot is None:
        raise count_not_found(request)
    match verb:
        case "token":
            return _create_token(request, person, bot)
        case "revoke":
            accounts.revoke_token(bot, read_key(token))
        case "open" | "close":
            accounts.set_open(bot, verb == "open")
        case "retire":
            accounts.retire_bot(bot)
        case _unknown:
            raise count_not_found(request)
    return redirect(f"{reverse('lobby:bots')}#{bot.pk}")


def _register(request: HttpRequest, person: Person) -> HttpResponse:
    form = NewBot(request.POST)
    if not form.is_valid():
        return _render_page(request, person, new=form)
    given = form.cleaned_data
    try:
        bot = accounts.register_bot(person, given["name"], is_open=given["is_open"])
    except NameTaken:
        form.add_error(
            "name", now_in_language("Somebody has this name, or one that looks like it.")
        )
    except TooManyBots:
        form.add_error(None, _TOO_MANY_BOTS)
    except rate_limits.TooOften:
        form.add_error(
            None,
            now_in_language("Too many attempts. Please wait a while, then try again."),
        )
        return _render_page(request, person, new=form, status=HTTP_TOO_MANY)
    else:
        return redirect(f"{reverse('lobby:bots')}#{bot.pk}")
    return _render_page(request, person, new=form)


def _create_token(request: HttpRequest, person: Person, bot: BotAccount) -> HttpResponse:
    form = NewToken(request.POST)
    if not form.is_valid():
        return _render_page(request, person, failed=(bot, form))
    rate_limits.BOTS_OF_PERSON.count(str(person.pk))
    given = form.cleaned_data
    try:
        token = accounts.create_token(bot, given["label"], given["scopes"])
    except TooManyBots:
        form.add_error(None, _TOO_MANY_TOKENS)
        return _render_page(request, person, failed=(bot, form))
    return _render_page(request, person, made=(bot, token))


def _render_page(
    request: HttpRequest,
    person: Person,
    *,
    new: NewBot | None = None,
    failed: tuple[BotAccount, NewToken] | None = None,
    made: tuple[BotAccount, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show all bots. `new` and `failed` are forms with errors. `made` is a new token, which is
    shown only this once."""
    rows: list[dict[str, Any]] = [
        {
            "bot": bot,
            "tokens": [token for token in bot.tokens.all() if token.revoked_at is None],
            "form": failed[1] if failed and failed[0].pk == bot.pk else NewToken(),
            "made": made[1] if made and made[0].pk == bot.pk else "",
        }
        for bot in accounts.bots_of(person)
    ]
    address = request.build_absolute_uri(BOTS_PATH)
    context = {
        "rows": rows,
        "new": new or NewBot(),
        "address": address.replace("http", "ws", 1),
    }
    return render(request, "lobby/bots.html", context, status=status)
