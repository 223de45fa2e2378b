"""Pages to sign up, sign in, sign out and reset a password."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from game.identity import seat_proofs
from game.identity.sessions import person_of
from game.tables.errors import TableError
from lobby.accounts import forms, password_reset, rate_limits, services
from lobby.accounts.names import name_key
from lobby.accounts.refusals import TOO_MANY_TRIES, submit_form, with_error_pages
from lobby.accounts.visitors import visitor_of
from lobby.play.quick_play import find_running_table

HTTP_FOUND = 302


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Create an account, which takes over the games of the visitor's guest."""
    guest = visitor_of(request)
    if guest is not None and guest.is_account:
        return redirect("lobby:profile")
    form = forms.SignUp(request.POST or None)
    status = submit_form(
        request,
        form,
        lambda given: services.sign_up(request, given["name"], given["password"], given["mail"]),
    )
    if status is None:
        return redirect(_with_welcome(_next_path(request) or reverse("lobby:home")))
    context = {"form": form, "guest": guest, "next": _next_path(request)}
    return render(request, "lobby/sign_up.html", context, status=status)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Show the form to sign in, and sign the visitor in with name and password."""
    form = forms.SignIn(request.POST or None)
    response = redirect(_next_path(request) or "lobby:home")

    def enter(given: dict[str, str]) -> None:
        person = services.sign_in(request, given["name"], given["password"])
        if person.language:
            set_language_cookie(response, person.language)

    status = submit_form(request, form, enter)
    if status is None:
        return response
    context = {
        "form": form,
        "next": _next_path(request),
        "is_reset": "reset" in request.GET,
        "table_id": _find_guest_table(request),
    }
    return render(request, "lobby/sign_in.html", context, status=status)


@never_cache
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session of the account or guest."""
    services.sign_out(request)
    return redirect("lobby:home")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgot_password(request: HttpRequest) -> HttpResponse:
    """Send a link to reset the password. The answer does not show whether the account exists."""
    form = forms.ForgottenPassword(request.POST or None)
    status = submit_form(
        request, form, lambda given: password_reset.request_reset(request, given["mail"])
    )
    context = {"form": form, "is_requested": status is None}
    return render(request, "lobby/forgot_password.html", context, status=status or 200)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def reset_link(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    """Set a new password by a link that works once."""
    user = password_reset.find_user(uid, token)
    if user is None:
        return render(request, "lobby/expired_link.html", status=410)
    form = forms.NewPassword(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        password_reset.set_password(request, user, form.cleaned_data["password"])
        return redirect(f"{reverse('lobby:sign_in')}?reset")
    return render(request, "lobby/new_password.html", {"form": form, "name": user.username})


@never_cache
@sensitive_post_parameters("password")
@with_error_pages(TOO_MANY_TRIES)
def sign_in_admin(request: HttpRequest) -> HttpResponse:
    """Sign in to the admin site, with the rate limits of the sign-in page."""
    name = name_key(request.POST.get("username", "")[: forms.MAX_INPUT])
    if request.method == "POST":
        rate_limits.count_sign_in(rate_limits.address_of(request), name)
        with seat_proofs.revoking(person_of(request.session)):
            response = admin.site.login(request)
    else:
        response = admin.site.login(request)
    if request.method == "POST" and response.status_code == HTTP_FOUND:
        rate_limits.record_sign_in(rate_limits.address_of(request), name)
    return response


@never_cache
def sign_out_admin(request: HttpRequest) -> HttpResponse:
    """End a session on the admin site."""
    view = admin.site.admin_view(admin.site.logout)
    if request.method != "POST":
        return view(request)
    with seat_proofs.revoking(person_of(request.session)):
        return view(request)


def set_language_cookie(response: HttpResponse, language: str) -> None:
    """Keep the language of the pages in a cookie. '' deletes the cookie: pages then follow the
    browser's language.
    """
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


def _find_guest_table(request: HttpRequest) -> str:
    """Return the running table of the visitor's guest, or ''. By signing in the guest would lose
    the seat there.
    """
    guest = visitor_of(request)
    if guest is None or guest.is_account:
        return ""
    try:
        return find_running_table(request.session)
    except TableError:
        return ""


def _next_path(request: HttpRequest) -> str:
    """Return the path to which the visitor goes afterwards (`next` in the request), '' if it is on
    another site.
    """
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours and wanted.startswith("/") else ""


def _with_welcome(path: str) -> str:
    """Add `welcome` to the query of the path: the page then greets the new account."""
    parts = urlsplit(path)
    query = f"{parts.query}&welcome" if parts.query else "welcome"
    return urlunsplit(parts._replace(query=query))


COOKIE: Final = "scheme"
SCHEMES: Final = ("light", "dark")
_YEAR_S: Final = 365 * 86_400


@require_POST
def choose_scheme(request: HttpRequest) -> HttpResponse:
    """Keep the chosen scheme in a cookie; any other value deletes the cookie. Redirect to `next`, a
    path on this site."""
    back = request.POST.get("next", "")
    if not back.startswith("/") or not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = reverse("lobby:home")
    response: HttpResponse = HttpResponseRedirect(back)
    chosen = request.POST.get("scheme", "")
    if chosen in SCHEMES:
        response.set_cookie(
            COOKIE,
            chosen,
            max_age=_YEAR_S,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
