"""Pages of pregame tables: create a table, take a seat, start a rematch."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.moderation.sanctions import banned_until
from game.tables.bridge import ask
from lobby.accounts import passwords, rate_limits
from lobby.accounts.refusals import (
    REFUSALS,
    TOO_MANY_TABLES,
    TOO_MANY_TRIES,
    count_not_found,
    with_error_pages,
)
from lobby.accounts.visitors import account_of, person_id, require_person, visitor_of
from lobby.bots import waiting
from lobby.bots.accounts import addable_bots
from lobby.clubs.members import ClubAccess, find_club
from lobby.models import Club, Event, Person
from lobby.play import (
    address_tables,
    chat,
    fragments,
    movements,
    pregame_services,
    pregame_store,
    saved_rules,
)
from lobby.play.backend import Backend, current_backend
from lobby.play.chat_form import answer_chat_form, chat_context
from lobby.play.forms import CLOCK_NAMES, TableForm, describe_watch
from lobby.play.player_location import PREGAME
from lobby.play.pregame import UNREADY_AFTER_MS, Change, PregameRefusal, PregameTable
from lobby.play.quick_play import TABLE_KEY
from lobby.play.rule_form import RuleForm
from lobby.play.rule_sheet import rules_label
from lobby.play.rules_views import render_sheet


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@with_error_pages(TOO_MANY_TABLES)
def new_table(request: HttpRequest) -> HttpResponse:
    """Create a table with a preset, with saved rules, or with changes to them.

    `rules` in the query chooses the rules that the form shows at first. `club` in the query or in
    the form makes it a table of that club.
    """
    access, form = _read_form(request)
    if not form.is_valid():
        if request.method != "POST":
            ask(ask(current_backend()).tables.maintenance())  # raises TableError without Redis
        return _render_form(request, access, form)
    person, address = require_person(request), rate_limits.address_of(request)
    rate_limits.TABLES_OF_ADDRESS.count(address)
    rate_limits.TABLES_OF_PERSON.count(str(person.pk))
    pregame = ask(
        pregame_services.create_table(
            ask(current_backend()),
            person=str(person.pk),
            name=person.name,
            settings=form.settings(),
            bots=form.bots(),
            opened_from=address_tables.key_of(address),
        )
    )
    return redirect("lobby:pregame_table", pregame_id=pregame.id)


@never_cache
@sensitive_post_parameters("password")
@require_POST
@with_error_pages(TOO_MANY_TRIES)
def save_rules(request: HttpRequest) -> HttpResponse:
    """Save the rules and the clock of the form of a new table for the visitor's account, or for the
    club."""
    access, form = _read_form(request)
    owner: Person | Club | None = account_of(request)
    if owner is not None and request.POST.get("save") == "club":
        if access is None or not access.is_officer:
            raise count_not_found(request)
        owner = access.club
    if not form.is_valid():
        return _render_form(request, access, form)
    chosen, name = form.cleaned_data, form.cleaned_data["rules_name"]
    if owner is None:
        form.add_error("rules_name", _("You need an account to save rules."))
    elif not name:
        form.add_error("rules_name", _("Please give the rules a name."))
    else:
        try:
            made = saved_rules.save_rules(owner, name, chosen["rules"], chosen["clock"])
        except saved_rules.NameInUse:
            form.add_error("rules_name", _("There are saved rules of this name."))
        except saved_rules.TooManySaved:
            text = _("There are %(count)d saved rule sets. Delete one first.")
            form.add_error("rules_name", text % {"count": saved_rules.MAX_SAVED})
        else:
            return redirect("lobby:rules", key=made.pk)
    return _render_form(request, access, form)


def _read_form(request: HttpRequest) -> tuple[ClubAccess | None, TableForm]:
    """Return the club that the request names, if any, and the form of a new table. Raises Http404
    unless the visitor is a member of the club."""
    given, person = request.POST, visitor_of(request)
    slug = given.get("club", "") or request.GET.get("club", "")
    access = find_club(slug, person_id(request)) if slug else None
    if slug and (access is None or not access.is_member):
        raise count_not_found(request)
    club = None if access is None else access.club
    key = given.get("preset", "") or request.GET.get("rules", "")
    if request.method != "POST" and not key and club is not None:
        key = club.default_rules_id or ""
    saved = saved_rules.offered_to(person, club, key, given.get("base", ""))
    data = given if request.method == "POST" else None
    return access, TableForm(data, key=key, saved=saved, club=club)


def _render_form(request: HttpRequest, access: ClubAccess | None, form: TableForm) -> HttpResponse:
    context = {
        "banned_until": _banned_until(request),
        "form": form,
        "rules": form.rules,
        "base": form.rules.base,
        "club": form.club,
        "is_officer": access is not None and access.is_officer,
    }
    status = 422 if form.is_bound else 200  # a form without errors is not shown again
    return render(request, "lobby/pregame/new.html", context, status=status)


@require_safe
def switches(request: HttpRequest, preset: str) -> HttpResponse:
    """Show the switches of that preset or of saved rules, as a fragment of the page that creates
    a table."""
    named = saved_rules.find_named(preset)
    if named is None:
        raise count_not_found(request)
    rules = RuleForm(rules=named.rules, key=named.key)
    context = {"rules": rules, "base": rules.base, "named": named}
    return render(request, "lobby/pregame/switches.html", context)


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TABLES)
def pregame_table(request: HttpRequest, pregame_id: str, token: str = "") -> HttpResponse:
    """Show a pregame table to a person who may see it."""
    backend, person = ask(current_backend()), person_id(request)
    pregame = _find_visible(request, backend, pregame_id, token)
    pregame = ask(pregame_services.start_planned_game(backend, pregame))
    if pregame.seat_of(person) is not None:
        ask(pregame_services.keep_alive(backend, pregame, person))
    context = ask(fragments.pregame_seats(backend, pregame, person))
    link = reverse("lobby:invited", args=[pregame.id, pregame.token])
    may_invite = context["seat"] is not None or context["is_invited"]
    context |= {
        "token": token,
        "banned_until": _banned_until(request),
        "form_url": _table_url(pregame, token, "do"),
        **_club_and_event(pregame, person),
        "rules_url": _table_url(pregame, token, "rules"),
        "rules": rules_label(pregame.settings.rules),
        "changes": RuleForm(rules=pregame.settings.rules).differences(),
        "clock": CLOCK_NAMES[pregame.settings.clock],
        "watching": describe_watch(pregame.settings.watch, pregame.settings.watch_delay_s),
        "link": request.build_absolute_uri(link) if may_invite or token else "",
        "wrong": REFUSALS.get(request.GET.get("no", ""), ""),
        "is_password_wrong": request.GET.get("no") == "password"
        and context["seat"] is None
        and not pregame.plan
        and pregame.has_free_seat,
        "last_place": PREGAME if context["seat"] is not None and not pregame.is_open else "",
    }
    if context["seat"] is not None:
        place = chat.at_pregame_table(pregame.id)
        context |= chat_context(place, person, _table_url(pregame, token, "chat"))
        context["chat_has_page"] = True
    return render(request, "lobby/pregame/table.html", context)


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TABLES)
def table_rules(request: HttpRequest, pregame_id: str, token: str = "") -> HttpResponse:
    """Show the rules of a pregame table in words, to a person who may see the table."""
    backend = ask(current_backend())
    chosen = _find_visible(request, backend, pregame_id, token).settings
    return render_sheet(
        request,
        chosen.rules,
        title=rules_label(chosen.rules),
        clock=chosen.clock,
        back_url=request.path.removesuffix("rules/"),
    )


@never_cache
@sensitive_post_parameters("password")
@require_POST
@with_error_pages(TOO_MANY_TABLES)
def act_at_table(request: HttpRequest, pregame_id: str, token: str = "") -> HttpResponse:
    """Carry out the action `do` at a pregame table."""
    backend = ask(current_backend())
    pregame = _find_visible(request, backend, pregame_id, token)
    person = require_person(request)
    verb, _, rest = request.POST.get("do", "").partition(":")
    at, _, bot = rest.partition(":")
    seat = int(at) if at in map(str, range(len(pregame.seats))) else 0
    who = str(person.pk)
    outcome: Change
    match verb:
        case "sit" | "take" if not _knows_password(request, pregame, who):
            outcome = PregameRefusal("password")
        case "sit":
            outcome = ask(pregame_services.sit_down(backend, pregame.id, who, person.name))
        case "take":
            outcome = ask(_take_left_seat(backend, pregame, person, seat))
        case "rise":
            outcome = ask(pregame_services.leave_table(backend, pregame.id, who))
        case "ready" | "unready":
            outcome = ask(pregame_services.set_ready(backend, pregame.id, who, verb == "ready"))
        case "bot":
            outcome = ask(pregame_services.place_bot(backend, pregame.id, who, seat, bot))
        case "program":
            outcome = _invite_bot(backend, pregame, person, request.POST.get("program", ""))
        case "send":
            outcome = ask(pregame_services.remove_player(backend, pregame.id, who, seat))
        case _:
            raise count_not_found(request)
    return _redirect_after(request, backend, pregame, token, who, outcome)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_error_pages(TOO_MANY_TABLES)
def table_chat(request: HttpRequest, pregame_id: str, token: str = "") -> HttpResponse:
    """Write a line to the chat of a pregame table at which the visitor sits, or report a line.

    A browser without scripts reloads the page of the table, which would lose a half-written line.
    There the visitor writes on this page, which does not reload.
    """
    backend, person = ask(current_backend()), person_id(request)
    pregame = _find_visible(request, backend, pregame_id, token)
    seat = pregame.seat_of(person)
    if seat is None:
        raise count_not_found(request)
    place, table_url = chat.at_pregame_table(pregame.id), _table_url(pregame, token)
    if request.method == "POST":
        return answer_chat_form(request, place, pregame.seats[seat].name, table_url)
    ask(pregame_services.keep_alive(backend, pregame, person))
    context = chat_context(place, person, request.path)
    context |= {"table_url": table_url, "unready_after": UNREADY_AFTER_MS // 1000}
    return render(request, "lobby/pregame/chat.html", context)


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TABLES)
def rematch(request: HttpRequest, table_id: str) -> HttpResponse:
    """Start a rematch after the game at that table."""
    backend, who = ask(current_backend()), person_id(request)
    room = ask(backend.tables.room(table_id))
    if room is None or room.seat_of(who) is None or room.meta.guided:
        return redirect(f"{reverse('lobby:lobby')}?no=late")
    if not room.meta.settings.is_archived:
        return redirect("lobby:lobby")
    if not backend.tables.is_over(room):
        return redirect(f"{reverse('lobby:lobby')}?no=playing")
    require_person(request)
    rate_limits.TABLES_OF_PERSON.count(who)
    outcome = ask(pregame_services.start_rematch(backend, room, who))
    if isinstance(outcome, PregameRefusal):
        return redirect(f"{reverse('lobby:lobby')}?no={outcome.code}")
    return _redirect_after(request, backend, outcome, "", who, outcome)


def _banned_until(request: HttpRequest) -> datetime | None:
    """Return the end of the visitor's ban from the tables, or None."""
    person = person_id(request)
    return banned_until(person) if person else None


def _club_and_event(pregame: PregameTable, person: str) -> dict[str, Club | Event | None]:
    """Return the club and the event of the table, each None if the person may not see it."""
    access = find_club(pregame.settings.club, person) if pregame.settings.club else None
    if access is None:
        return {"club": None, "event": None}
    events = Event.objects.filter(club=access.club, pk=pregame.settings.event)
    if not access.is_member:
        events = events.filter(is_public=True)
    return {"club": access.club, "event": events.first()}


def _find_visible(
    request: HttpRequest, backend: Backend, pregame_id: str, token: str
) -> PregameTable:
    pregame = ask(pregame_store.find(backend, pregame_id))
    if pregame is None or not pregame_services.can_see(pregame, person_id(request), token):
        raise count_not_found(request)
    return pregame


def _knows_password(request: HttpRequest, pregame: PregameTable, who: str) -> bool:
    """Return whether the person needs no password or has sent the correct one. Raises TooOften."""
    if not pregame.settings.password or pregame.seat_of(who) is not None or pregame.is_invited(who):
        return True
    rate_limits.TABLE_PASSWORDS_OF_ADDRESS.count(rate_limits.address_of(request))
    rate_limits.TABLE_PASSWORDS_OF_TABLE.count(pregame.id)
    given = request.POST.get("password", "")[: passwords.MAX_LENGTH]
    return passwords.matches_hash(given, pregame.settings.password)


def _invite_bot(backend: Backend, pregame: PregameTable, person: Person, name: str) -> Change:
    """Reserve the first free seat for the bot account of that name."""
    bots = addable_bots([name[:40]], str(person.pk))
    if not bots:
        return PregameRefusal("no_bot")
    return ask(waiting.invite(backend, pregame.id, str(person.pk), bots[0]))


async def _take_left_seat(
    backend: Backend, pregame: PregameTable, person: Person, seat: int
) -> Change:
    """Take a seat that a player has left at the running game."""
    who = str(person.pk)
    if pregame.plan is None or not await backend.tables.sit_down(
        pregame.plan.table_id, seat, who, person.name
    ):
        return PregameRefusal("taken")
    await movements.record_seat(backend, who, pregame.plan.table_id)
    return pregame


def _redirect_after(
    request: HttpRequest,
    backend: Backend,
    before: PregameTable,
    token: str,
    who: str,
    outcome: Change,
) -> HttpResponse:
    """Redirect to the running table, to the page of the pregame table, or after leaving to the
    lobby or the club."""
    if isinstance(outcome, PregameRefusal):
        if outcome == pregame_store.GONE:
            return redirect("lobby:lobby")
        return redirect(f"{_table_url(before, token)}?no={outcome.code}")
    if outcome.plan is not None and ask(backend.tables.has_seat(outcome.plan.table_id, who)):
        request.session[TABLE_KEY] = outcome.plan.table_id
        return redirect("game:table", table_id=outcome.plan.table_id)
    if outcome.seat_of(who) is None and outcome.settings.club and not token:
        return redirect("lobby:club", slug=outcome.settings.club)
    if outcome.seat_of(who) is None and not outcome.settings.public and not token:
        return redirect("lobby:lobby")
    return redirect(_table_url(outcome, token))


def _table_url(pregame: PregameTable, token: str, verb: str = "") -> str:
    names = {"": "pregame_table", "do": "act", "rules": "table_rules", "chat": "table_chat"}
    if token:
        names = {
            "": "invited",
            "do": "invited_act",
            "rules": "invited_rules",
            "chat": "invited_chat",
        }
        return reverse(f"lobby:{names[verb]}", args=[pregame.id, token])
    return reverse(f"lobby:{names[verb]}", args=[pregame.id])
