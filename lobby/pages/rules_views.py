"""Pages of rule sets: one in words, to print or to link to, and those that an account has saved."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from game.results.game_text import preset_name
from lobby.accounts.forms import Form
from lobby.accounts.visitors import visitor_of
from lobby.models import Person
from lobby.pages.fragments import rules_label
from lobby.pages.requests import (
    TOO_MANY_TRIES,
    count_not_found,
    require_person,
    with_error_pages,
)
from lobby.pregame import saved_rules
from lobby.pregame.forms import CLOCK_NAMES, rules_name_field
from lobby.pregame.rule_sheet import rule_sheet


class RenameRules(Form):
    name = rules_name_field(is_required=True)


def render_sheet(
    request: HttpRequest,
    rules: RuleSet,
    *,
    title: str,
    clock: str = "",
    key: str = "",
) -> HttpResponse:
    """Show all switches of the rules in words. `language` in the query chooses the language, so
    that a link can. `key` is that of saved rules or of a preset, '' for the rules of a table."""
    languages = dict(settings.LANGUAGES)
    language = request.GET.get("language", "")
    if language not in languages:
        language = translation.get_language() or settings.LANGUAGE_CODE
    with translation.override(language):
        context = {
            "title": title,
            "groups": rule_sheet(rules),
            "label": rules_label(rules),
            "version": rules.version,
            "clock": CLOCK_NAMES[clock] if clock else "",
            "key": key,
            "is_preset": key in PRESETS,
            "languages": [translation.get_language_info(code) for code in languages],
        }
        response = render(request, "lobby/rules.html", context)
    response.headers["Content-Language"] = language
    return response


@require_safe
@with_error_pages(TOO_MANY_TRIES)
async def rules(request: HttpRequest, key: str) -> HttpResponse:
    """Show a preset or saved rules in words. Whoever knows the key of saved rules may see them."""
    named = await saved_rules.find_named(key)
    if named is None:
        raise await count_not_found(request)
    return render_sheet(
        request, named.rules, title=str(named.name), clock=named.clock, key=named.key
    )


@never_cache
@require_safe
async def all_rules(request: HttpRequest) -> HttpResponse:
    """Show the presets, and the rules that the visitor has saved."""
    return await _render_list(request)


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TRIES)
async def rename(request: HttpRequest, key: str) -> HttpResponse:
    """Rename rules of the visitor."""
    person = await _require_owner(request, key)
    form = RenameRules(request.POST)
    if form.is_valid():
        try:
            await saved_rules.rename_rules(person, key, form.cleaned_data["name"])
        except saved_rules.NameInUse:
            form.add_error("name", _("You have saved rules under this name."))
        else:
            return redirect(f"{reverse('lobby:all_rules')}#{key}")
    return await _render_list(request, sent=(key, form), status=422)


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TRIES)
async def delete(request: HttpRequest, key: str) -> HttpResponse:
    """Delete rules of the visitor."""
    await saved_rules.delete_rules(await _require_owner(request, key), key)
    return redirect("lobby:all_rules")


async def _require_owner(request: HttpRequest, key: str) -> Person:
    """Return the visitor's person, who has saved these rules. Raises Http404, TooOften."""
    person = visitor_of(request)
    if person is None or all(one.key != key for one in await saved_rules.saved_by(person)):
        raise await count_not_found(request)
    return await require_person(request)


async def _render_list(
    request: HttpRequest, *, sent: tuple[str, Form | None] = ("", None), status: int = 200
) -> HttpResponse:
    person = visitor_of(request)
    own = [
        {
            "key": one.key,
            "name": one.name,
            "label": rules_label(one.rules),
            "clock": CLOCK_NAMES[one.clock],
            "form": (sent[1] if one.key == sent[0] else None)
            or RenameRules(initial={"name": one.name}),
            "is_open": one.key == sent[0],
        }
        for one in await saved_rules.saved_by(person)
    ]
    context = {
        "presets": [(name, preset_name(name)) for name in PRESETS],
        "own": own,
        "is_account": person is not None and person.is_account,
    }
    return render(request, "lobby/all_rules.html", context, status=status)
