"""The page on which an account is changed. Each section is a form of its own."""

from __future__ import annotations

from functools import wraps
from typing import Any, Final
from urllib.parse import quote

from django.conf import settings as site
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language

from lobby.accounts import forms, rate_limits, services, table_settings
from lobby.accounts.refusals import HTTP_TOO_MANY, HTTP_UNAVAILABLE, View, submit_form
from lobby.accounts.views import set_language_cookie
from lobby.accounts.visitors import account_of
from lobby.bots.accounts import forget_bots_of
from lobby.friends.friendships import forget_friends
from lobby.models import Person

_LANGUAGES = frozenset(code for code, name in site.LANGUAGES)
SECTIONS: Final = {
    "name": _("Name"),
    "avatar": _("Avatar"),
    "language": _("Language"),
    "table": _("At the table"),
    "friends": _("Friends"),
    "replays": _("Replays"),
    "mail": _("E-mail address"),
    "password": _("Password"),
}
"""Titles of the sections by id, which is part of the URL of their form."""

_SAVE: Final = {
    "name": _("Save the name"),
    "avatar": _("Save the avatar"),
    "language": _("Save the language"),
    "table": _("Save the table settings"),
    "friends": _("Save the friend settings"),
    "replays": _("Save the replay settings"),
    "mail": _("Save the address"),
    "password": _("Change the password"),
}
"""Texts of the buttons of the sections. Each saves its section only."""

_TITLED: Final = frozenset({"name", "language", "mail"})
"""Sections whose title is the label of their first field."""


def account_required(view: View) -> View:
    """Pass the visitor's account to the view; redirect other visitors to the page to sign in. It
    leads back to the requested page, or to the profile after a form."""

    @wraps(view)
    def with_account(request: HttpRequest, **named: object) -> HttpResponse:
        person = account_of(request)
        if person is None:
            is_page = request.method in ("GET", "HEAD")
            page = request.get_full_path() if is_page else reverse("lobby:profile")
            return redirect(f"{reverse('lobby:sign_in')}?next={quote(page)}")
        return view(request, person, **named)

    return with_account


@never_cache
@require_safe
@account_required
def profile(request: HttpRequest, person: Person) -> HttpResponse:
    """Show all sections."""
    return _render_page(request, person)


@never_cache
@sensitive_post_parameters("old", "password")
@require_POST
@account_required
def change(request: HttpRequest, person: Person, section: str) -> HttpResponse:
    """Save the form of that section."""
    form = _make_form(section, person, request.POST)
    status = submit_form(
        request, form, lambda given: _save_section(request, person, section, given)
    )
    if status is not None:
        return _render_page(request, person, status, sent=(section, form))
    response = redirect(f"{reverse('lobby:profile')}?saved={section}#{section}")
    if section == "language":
        set_language_cookie(response, person.language)
    return response


@never_cache
@require_POST
def settings(request: HttpRequest) -> HttpResponse:
    """Store the table settings that a table sends."""
    person = account_of(request)
    if person is None:
        return HttpResponse(status=403)
    try:
        rate_limits.SETTINGS_OF_PERSON.count(str(person.pk))
        person.table_settings = table_settings.parse_settings(request.body)
    except ValueError:
        return HttpResponse(status=400)
    except rate_limits.TooOften:
        return HttpResponse(status=HTTP_TOO_MANY)
    except rate_limits.LimitsUnavailable:
        return HttpResponse(status=HTTP_UNAVAILABLE)
    person.save(update_fields=["table_settings"])
    return HttpResponse(status=204)


@never_cache
@sensitive_post_parameters("old")
@require_http_methods(["GET", "HEAD", "POST"])
@account_required
def delete(request: HttpRequest, person: Person) -> HttpResponse:
    """Ask for the password, then delete the account."""
    form = forms.DeleteAccount(request.POST or None)
    status = submit_form(
        request, form, lambda given: _delete_account(request, person, given["old"])
    )
    if status is None:
        return redirect("lobby:home")
    return render(request, "lobby/delete.html", {"form": form}, status=status)


def _delete_account(request: HttpRequest, person: Person, password: str) -> None:
    def forget_more(one: Person) -> None:
        forget_bots_of(one)
        forget_friends(one)

    services.delete_account(request, person, password, forget_more=forget_more)


def choose_language(request: HttpRequest) -> HttpResponse:
    """Set the language of the pages, and of the account if there is one."""
    response = set_language(request)
    person, chosen = account_of(request), request.POST.get("language", "")
    if person is not None and chosen in _LANGUAGES:
        Person.objects.filter(pk=person.pk).update(language=chosen)
    return response


def _make_form(
    section: str,
    person: Person,
    data: Any = None,
    *,
    mail: str = "",
    is_named: bool = False,
    avatar: str = "",
) -> forms.Form:
    """Return the form of that section with the sent data or, without data, the present values."""
    match section:
        case "name":
            return forms.Rename(data, initial={"name": person.name})
        case "avatar":
            return forms.ChooseAvatar(data, name=person.name, avatar=avatar)
        case "language":
            return forms.LanguagePreference(data, initial={"language": person.language})
        case "table":
            return forms.TablePreferences(data, settings=person.table_settings)
        case "friends":
            shown = {
                "takes_requests": person.takes_requests,
                "is_shown_online": person.is_shown_online,
            }
            return forms.FriendPreferences(data, initial=shown)
        case "replays":
            return forms.ReplayPreferences(data, initial={"named_in_links": is_named})
        case "mail":
            return forms.ChangeMail(data, initial={"mail": mail})
    return forms.ChangePassword(data, user=User(username=person.name))


def _save_section(
    request: HttpRequest, person: Person, section: str, given: dict[str, Any]
) -> None:
    match section:
        case "name":
            services.rename(person, given["name"])
        case "avatar":
            services.choose_avatar(person, given["tile"], given["colour"])
        case "language":
            person.language = given["language"]
            person.save(update_fields=["language"])
        case "table":
            chosen = {**given, "motion": "on" if given["motion"] else "off"}
            person.table_settings = table_settings.merge_settings(person.table_settings, chosen)
            person.save(update_fields=["table_settings"])
        case "friends":
            services.choose_friend_settings(person, **given)
        case "replays":
            services.agree_to_links(person, given["named_in_links"])
        case "mail":
            services.change_mail(person, given["old"], given["mail"])
        case "password":
            services.change_password(request, person, given["old"], given["password"])


def _render_page(
    request: HttpRequest,
    person: Person,
    status: int = 200,
    *,
    sent: tuple[str, forms.Form | None] = ("", None),
) -> HttpResponse:
    """Show all sections. `sent` is the name of the section whose form was sent, and that form."""
    mail, saved = services.find_mail(person), request.GET.get("saved")
    is_named = services.has_agreed_to_links(person)
    avatar = services.find_avatar(person)
    sections = [
        {
            "id": id,
            "title": title,
            "save": _SAVE[id],
            "form": (sent[1] if id == sent[0] else None)
            or _make_form(id, person, mail=mail, is_named=is_named, avatar=avatar),
            "is_saved": id == saved and not sent[0],
            "is_titled": id in _TITLED,
        }
        for id, title in SECTIONS.items()
    ]
    context = {"sections": sections, "avatar": avatar}
    return render(request, "lobby/profile.html", context, status=status)
