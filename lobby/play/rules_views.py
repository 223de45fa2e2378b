"""Pages of rule sets: a rule set in words, to print or to link to, and the saved rules."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from game.engine.presets import ALL_PRESETS
from game.engine.rules import RuleSet
from game.results.game_text import preset_name
from lobby.accounts.forms import Form
from lobby.accounts.refusals import TOO_MANY_TRIES, count_not_found, with_error_pages
from lobby.accounts.visitors import person_id, require_person, visitor_of
from lobby.clubs.members import ClubAccess, find_club
from lobby.models import SavedRules
from lobby.play import saved_rules
from lobby.play.forms import CLOCK_NAMES, rules_name_field
from lobby.play.rule_sheet import main_values, rule_sheet, rules_label, value_text


class RenameRules(Form):
    name = rules_name_field(is_required=True)


def render_sheet(
    request: HttpRequest,
    rules: RuleSet,
    *,
    title: str,
    clock: str = "",
    key: str = "",
    back_url: str = "",
) -> HttpResponse:
    """Show all switches of the rules in words. `language` in the query chooses the language, so
    that links can. `key` is the key of saved rules or of a preset, '' for the rules of a table, to
    which `back_url` leads."""
    languages = dict(settings.LANGUAGES)
    language = request.GET.get("language", "")
    if language not in languages:
        language = translation.get_language() or settings.LANGUAGE_CODE
    is_preset = key in ALL_PRESETS
    with translation.override(language):
        context = {
            "title": title,
            "rules": rules,
            "groups": lambda: rule_sheet(rules),
            "label": value_text(rules, "length") if is_preset else rules_label(rules),
            "version": rules.version,
            "clock": CLOCK_NAMES[clock] if clock else "",
            "key": key,
            "back_url": back_url,
            "is_preset": is_preset,
            "languages": [translation.get_language_info(code) for code in languages],
        }
        response = render(request, "lobby/rules.html", context)
    response.headers["Content-Language"] = language
    return response


@require_safe
@with_error_pages(TOO_MANY_TRIES)
def rules(request: HttpRequest, key: str) -> HttpResponse:
    """Show a preset or saved rules in words. Everybody with the key of saved rules may see them."""
    named = saved_rules.find_named(key)
    if named is None:
        raise count_not_found(request)
    return render_sheet(
        request, named.rules, title=str(named.name), clock=named.clock, key=named.key
    )


@never_cache
@require_safe
def all_rules(request: HttpRequest) -> HttpResponse:
    """Show the presets, and the rules that the visitor has saved."""
    return render_rules_list(request, None)


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TRIES)
def rename(request: HttpRequest, key: str) -> HttpResponse:
    """Rename saved rules of the visitor or of a club in which the visitor is an officer."""
    _require_owner(request, key)
    form = RenameRules(request.POST)
    if form.is_valid():
        try:
            saved_rules.rename_rules(key, form.cleaned_data["name"])
        except saved_rules.NameInUse:
            form.add_error("name", _("There are saved rules of this name."))
        else:
            return redirect(f"{_list_url(key)}#{key}")
    return render_rules_list(request, _club_of(request, key), (key, form), status=422)


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TRIES)
def delete(request: HttpRequest, key: str) -> HttpResponse:
    """Delete saved rules of the visitor or of a club in which the visitor is an officer."""
    _require_owner(request, key)
    address = _list_url(key)
    saved_rules.delete_rules(key)
    return redirect(address)


def _require_owner(request: HttpRequest, key: str) -> None:
    """Check that the rules are the visitor's, or of a club whose officer the visitor is. Raises
    Http404, TooOften."""
    person = visitor_of(request)
    own = SavedRules.objects.filter(pk=key, owner=person)
    if person is None or not (own.exists() or _club_of(request, key)):
        raise count_not_found(request)
    require_person(request)


def _club_of(request: HttpRequest, key: str) -> ClubAccess | None:
    """Return the club that has saved the rules, if the visitor is one of its officers."""
    saved = SavedRules.objects.select_related("club").filter(pk=key).first()
    if saved is None or saved.club is None:
        return None
    access = find_club(saved.club.slug, person_id(request))
    return access if access is not None and access.is_officer else None


def _list_url(key: str) -> str:
    """Return the address of the page that lists these rules."""
    saved = SavedRules.objects.select_related("club").get(pk=key)
    if saved.club is None:
        return reverse("lobby:all_rules")
    return reverse("lobby:club_rules", args=[saved.club.slug])


def render_rules_list(
    request: HttpRequest,
    access: ClubAccess | None,
    sent: tuple[str, Form | None] = ("", None),
    status: int = 200,
) -> HttpResponse:
    """Show the rules of that club, or without a club those of the visitor and the presets. `sent`
    is the key and the form of rules that could not be renamed."""
    person = visitor_of(request)
    own = [
        {
            "key": named.key,
            "name": named.name,
            "label": rules_label(named.rules),
            "clock": CLOCK_NAMES[named.clock],
            "form": (sent[1] if named.key == sent[0] else None)
            or RenameRules(initial={"name": named.name}),
            "is_open": named.key == sent[0],
        }
        for named in saved_rules.saved_by(access.club if access is not None else person)
    ]
    context = {
        "presets": [
            (name, preset_name(name), main_values(rules)) for name, rules in ALL_PRESETS.items()
        ],
        "own": own,
        "is_account": person is not None and person.is_account,
        "access": access,
        "may_change": access is None or access.is_officer,
    }
    if access is not None:
        context["club"] = access.club
        return render(request, "lobby/clubs/rules.html", context, status=status)
    return render(request, "lobby/all_rules.html", context, status=status)
