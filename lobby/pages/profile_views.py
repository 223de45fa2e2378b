"""The page on which an account is changed, a form for each part of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from django.conf import settings as site
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language

from lobby.accounts import forms, rate_limits, services, table_settings
from lobby.accounts.visitors import visitor_of
from lobby.models import Person
from lobby.pages.account_views import (
    HTTP_TOO_MANY,
    HTTP_UNAVAILABLE,
    add_limit_error,
    set_language_cookie,
)

Given = dict[str, Any]
AccountView = Callable[[HttpRequest, Person], Awaitable[HttpResponse]]
_LANGUAGES = frozenset(code for code, name in site.LANGUAGES)
View = Callable[[HttpRequest], Coroutine[Any, Any, HttpResponse]]


@dataclass(frozen=True)
class _Section:
    """A section of the page: a form of its own."""

    id: str
    title: str
    url: str
    form: forms.Form
    is_saved: bool = False

    @property
    def action(self) -> str:
        return f"{reverse(self.url)}#{self.id}"

    def with_state(self, sent: forms.Form | None, saved: str | None) -> _Section:
        """With the form as it was sent, if it was this one."""
        form = sent if sent is not None and type(sent) is type(self.form) else self.form
        return replace(self, form=form, is_saved=saved == self.id and sent is None)


def account_required(view: AccountView) -> View:
    """The page is for who is signed in; everybody else is asked to."""

    @wraps(view)
    async def asked(request: HttpRequest) -> HttpResponse:
        person = visitor_of(request)
        if person is None or not person.is_account:
            return redirect(f"{reverse('lobby:sign_in')}?next={reverse('lobby:profile')}")
        return await view(request, person)

    return asked


@never_cache
@require_safe
@account_required
async def profile(request: HttpRequest, person: Person) -> HttpResponse:
    """Everything that can be changed."""
    return await _render_page(request, person)


@never_cache
@require_POST
@account_required
async def rename(request: HttpRequest, person: Person) -> HttpResponse:
    form = forms.Rename(request.POST)

    async def change(given: Given) -> None:
        await services.rename(person, given["name"])

    return await _save(request, person, form, change, "name")


@never_cache
@require_POST
@account_required
async def language(request: HttpRequest, person: Person) -> HttpResponse:
    form = forms.Language(request.POST)
    if not form.is_valid():
        return await _render_page(request, person, form=form)
    person.language = form.cleaned_data["language"]
    await person.asave(update_fields=["language"])
    response = _redirect_saved("language")
    set_language_cookie(response, person.language)
    return response


@never_cache
@require_POST
@account_required
async def table(request: HttpRequest, person: Person) -> HttpResponse:
    """The table settings, by the form."""
    form = forms.TableSettings(request.POST)
    if not form.is_valid():
        return await _render_page(request, person, form=form)
    person.table_settings = table_settings.merge(person.table_settings, form.given())
    await person.asave(update_fields=["table_settings"])
    return _redirect_saved("table")


@never_cache
@require_POST
async def settings(request: HttpRequest) -> HttpResponse:
    """The table settings, by the table itself."""
    person = visitor_of(request)
    if person is None or not person.is_account:
        return HttpResponse(status=403)
    try:
        await rate_limits.SETTINGS_OF_PERSON.count(str(person.pk))
        person.table_settings = table_settings.parse(request.body)
    except ValueError:
        return HttpResponse(status=400)
    except rate_limits.TooOften:
        return HttpResponse(status=HTTP_TOO_MANY)
    except rate_limits.LimitsUnavailable:
        return HttpResponse(status=HTTP_UNAVAILABLE)
    await person.asave(update_fields=["table_settings"])
    return HttpResponse(status=204)


@never_cache
@sensitive_post_parameters("old", "password")
@require_POST
@account_required
async def password(request: HttpRequest, person: Person) -> HttpResponse:
    form = forms.ChangePassword(request.POST, name=person.name)

    async def change(given: Given) -> None:
        await services.change_password(request, person, given["old"], given["password"])

    return await _save(request, person, form, change, "password")


@never_cache
@sensitive_post_parameters("old")
@require_POST
@account_required
async def mail(request: HttpRequest, person: Person) -> HttpResponse:
    form = forms.ChangeMail(request.POST)

    async def change(given: Given) -> None:
        await services.change_mail(person, given["old"], given["mail"])

    return await _save(request, person, form, change, "mail")


@never_cache
@sensitive_post_parameters("old")
@require_http_methods(["GET", "HEAD", "POST"])
@account_required
async def delete(request: HttpRequest, person: Person) -> HttpResponse:
    """Asks first, then deletes the account."""
    form = forms.Delete(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            await services.delete(request, person, form.cleaned_data["old"])
            return redirect("lobby:home")
        except services.WrongPassword:
            form.add_error("old", _("That is not your password."))
        except (rate_limits.TooOften, rate_limits.LimitsUnavailable) as trouble:
            status = add_limit_error(form, trouble)
    return render(request, "lobby/delete.html", {"form": form}, status=status)


def choose_language(request: HttpRequest) -> HttpResponse:
    """The choice at the foot of every page, which an account keeps as well."""
    response = set_language(request)
    person, chosen = visitor_of(request), request.POST.get("language", "")
    if person is not None and person.is_account and chosen in _LANGUAGES:
        Person.objects.filter(pk=person.pk).update(language=chosen)
    return response


async def _save(
    request: HttpRequest,
    person: Person,
    form: forms.Form,
    change: Callable[[Given], Awaitable[None]],
    section: str,
) -> HttpResponse:
    """Do what the form asks for, or show it again with what is wrong."""
    status = 200
    if form.is_valid():
        try:
            await change(form.cleaned_data)
            return _redirect_saved(section)
        except services.NameTaken:
            form.add_error("name", _("Somebody has this name, or one that looks like it."))
        except services.WrongPassword:
            form.add_error("old", _("That is not your password."))
        except (rate_limits.TooOften, rate_limits.LimitsUnavailable) as trouble:
            status = add_limit_error(form, trouble)
    return await _render_page(request, person, status, form=form)


async def _render_page(
    request: HttpRequest, person: Person, status: int = 200, *, form: forms.Form | None = None
) -> HttpResponse:
    """The page with that form as it was sent, and the others as they are found."""
    sections = [
        _Section("name", _("Name"), "lobby:rename", forms.Rename(initial={"name": person.name})),
        _Section(
            "language",
            _("Language"),
            "lobby:language",
            forms.Language(initial={"language": person.language}),
        ),
        _Section(
            "table",
            _("At the table"),
            "lobby:table_settings",
            forms.TableSettings.of(person.table_settings),
        ),
        _Section(
            "mail",
            _("E-mail address"),
            "lobby:mail",
            forms.ChangeMail(initial={"mail": await services.find_mail(person)}),
        ),
        _Section(
            "password", _("Password"), "lobby:password", forms.ChangePassword(name=person.name)
        ),
    ]
    saved = request.GET.get("saved")
    context = {"sections": [one.with_state(form, saved) for one in sections]}
    return render(request, "lobby/profile.html", context, status=status)


def _redirect_saved(section: str) -> HttpResponse:
    return redirect(f"{reverse('lobby:profile')}?saved={section}#{section}")
