"""The pages of accounts: sign up, sign in, sign out, a forgotten password."""

from __future__ import annotations

import logging

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from game.tables.errors import TableError
from lobby.accounts import forms, password_reset, rate_limits, services
from lobby.accounts.names import name_key
from lobby.accounts.visitors import visitor_of
from lobby.pages.quick_play import find_running_table

log = logging.getLogger(__name__)

HTTP_FOUND = 302
HTTP_TOO_MANY = 429
HTTP_UNAVAILABLE = 503


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
async def sign_up(request: HttpRequest) -> HttpResponse:
    """A name and a password; a guest's games go along."""
    guest = visitor_of(request)
    if guest is not None and guest.is_account:
        return redirect("lobby:profile")
    form = forms.SignUp(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            await services.sign_up(request, given["name"], given["password"], given["mail"])
            return _redirect_next(request)
        except services.NameTaken:
            form.add_error("name", _("Somebody has this name, or one that looks like it."))
        except (rate_limits.TooOften, rate_limits.LimitsUnavailable) as trouble:
            status = add_limit_error(form, trouble)
    context = {"form": form, "guest": guest, "next": _next(request)}
    return render(request, "lobby/sign_up.html", context, status=status)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
async def sign_in(request: HttpRequest) -> HttpResponse:
    """A name and a password."""
    form = forms.SignIn(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            person = await services.sign_in(request, given["name"], given["password"])
        except services.SignInRefused:
            form.add_error(None, _("There is no account with this name and password."))
        except (rate_limits.TooOften, rate_limits.LimitsUnavailable) as trouble:
            status = add_limit_error(form, trouble)
        else:
            response = _redirect_next(request)
            if person.language:
                set_language_cookie(response, person.language)
            return response
    context = {
        "form": form,
        "next": _next(request),
        "is_reset": "reset" in request.GET,
        "table_id": await _find_guest_table(request),
    }
    return render(request, "lobby/sign_in.html", context, status=status)


@never_cache
@require_POST
async def sign_out(request: HttpRequest) -> HttpResponse:
    """Forget who this browser was."""
    await services.sign_out(request)
    return redirect("lobby:home")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
async def forgot_password(request: HttpRequest) -> HttpResponse:
    """Ask for a link. The answer is the same whether there is such an account or not."""
    form = forms.ForgottenPassword(request.POST or None)
    is_requested, status = False, 200
    if request.method == "POST" and form.is_valid():
        try:
            await password_reset.request_reset(request, form.cleaned_data["mail"])
            is_requested = True
        except (rate_limits.TooOften, rate_limits.LimitsUnavailable) as trouble:
            status = add_limit_error(form, trouble)
    context = {"form": form, "is_requested": is_requested}
    return render(request, "lobby/forgot_password.html", context, status=status)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
async def reset_link(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    """Where the link leads: a new password, once."""
    user = await password_reset.find_user(uid, token)
    if user is None:
        return render(request, "lobby/expired_link.html", status=410)
    form = forms.NewPassword(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        await password_reset.set_password(request, user, form.cleaned_data["password"])
        return redirect(f"{reverse('lobby:sign_in')}?reset")
    return render(request, "lobby/new_password.html", {"form": form, "name": user.username})


@never_cache
@sensitive_post_parameters("password")
async def sign_in_admin(request: HttpRequest) -> HttpResponse:
    """The admin site's own sign-in, by which operators come: to the same limits."""
    name = name_key(request.POST.get("username", "")[: forms.MAX_INPUT])
    if request.method == "POST":
        try:
            await rate_limits.count_sign_in(rate_limits.address_of(request), name)
        except rate_limits.TooOften:
            return render(request, "lobby/too_many_tries.html", status=HTTP_TOO_MANY)
        except rate_limits.LimitsUnavailable as trouble:
            log.warning("nobody can count tries: %s", trouble)
            return render(request, "lobby/unavailable.html", status=HTTP_UNAVAILABLE)
    response = await sync_to_async(admin.site.login)(request)
    if request.method == "POST" and response.status_code == HTTP_FOUND:
        await rate_limits.record_sign_in(rate_limits.address_of(request), name)
    return response


def add_limit_error(form: forms.Form, trouble: Exception) -> int:
    """Put it on the form that something cannot be done just now; the status for that."""
    if isinstance(trouble, rate_limits.TooOften):
        form.add_error(None, _("That was tried very often. Please wait a while, then try again."))
        return HTTP_TOO_MANY
    log.warning("nobody can count tries: %s", trouble)
    form.add_error(None, _("That is not possible at the moment. Please try again shortly."))
    return HTTP_UNAVAILABLE


def set_language_cookie(response: HttpResponse, language: str) -> None:
    """The pages are in that language from now on; empty: as the browser says."""
    if not language:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
        return
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )


async def _find_guest_table(request: HttpRequest) -> str:
    """Where a guest would leave a seat by signing in."""
    guest = visitor_of(request)
    if guest is None or guest.is_account:
        return ""
    try:
        return await find_running_table(request.session)
    except TableError:
        return ""


def _next(request: HttpRequest) -> str:
    """Where to go afterwards, if that is on this site."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else ""


def _redirect_next(request: HttpRequest) -> HttpResponse:
    return redirect(_next(request) or "lobby:home")
