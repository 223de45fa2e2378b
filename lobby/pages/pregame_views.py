"""Pages of pregame tables: create one, sit there, start a rematch."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.engine.presets import PRESETS
from lobby.accounts import passwords, rate_limits
from lobby.matchmaking.backend import Backend, current_backend
from lobby.matchmaking.player_location import PREGAME
from lobby.models import Person
from lobby.pages import fragments
from lobby.pages.quick_play import TABLE_KEY
from lobby.pages.requests import (
    REFUSALS,
    TOO_MANY_TABLES,
    count_not_found,
    person_id,
    require_person,
    with_error_pages,
)
from lobby.pregame import repository, seating, services
from lobby.pregame.forms import CLOCK_NAMES, TableForm
from lobby.pregame.model import SEATS, Change, PregameTable, Refusal
from lobby.pregame.rule_form import RuleForm

_SHOW_RULES = "show"


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@with_error_pages(TOO_MANY_TABLES)
async def new_table(request: HttpRequest) -> HttpResponse:
    """Create a table with a preset or with rules of one's own."""
    if request.method != "POST":
        form, rules = TableForm(), RuleForm(rules=PRESETS["tenhou"])
        return _render_form(request, form, rules)
    form = TableForm(request.POST)
    preset = PRESETS.get(request.POST.get("preset", ""), PRESETS["tenhou"])
    if _SHOW_RULES in request.POST:
        kept = TableForm(initial={"help": False, "may_join": False, **request.POST.dict()})
        return _render_form(request, kept, RuleForm(rules=preset), is_open=True)
    rules = RuleForm(request.POST, rules=preset)
    chosen = rules.chosen(preset, request.POST.get("length", ""), request.POST.get("base", ""))
    if not form.is_valid() or chosen is None:
        return _render_form(request, form, rules, is_open=bool(rules.errors), status=422)
    person = await require_person(request)
    await rate_limits.TABLES_OF_ADDRESS.count(rate_limits.address_of(request))
    await rate_limits.TABLES_OF_PERSON.count(str(person.pk))
    password = form.cleaned_data["password"]
    pregame = await services.create(
        await current_backend(),
        person=str(person.pk),
        name=person.name,
        terms=form.terms(chosen),
        bots=form.bots(),
        password=await passwords.hash_password(password) if password else "",
    )
    return redirect("lobby:pregame_table", pregame_id=pregame.id)


def _render_form(
    request: HttpRequest,
    form: TableForm,
    rules: RuleForm,
    *,
    is_open: bool = False,
    status: int = 200,
) -> HttpResponse:
    context = {"form": form, "rules": rules, "base": rules.base, "is_open": is_open}
    return render(request, "lobby/pregame/new.html", context, status=status)


@require_safe
async def switches(request: HttpRequest, preset: str) -> HttpResponse:
    """Show the switches of that preset, as a fragment of the page that creates a table."""
    if preset not in PRESETS:
        raise await count_not_found(request)
    rules = RuleForm(rules=PRESETS[preset])
    context = {"rules": rules, "base": rules.base}
    return render(request, "lobby/pregame/switches.html", context)


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TABLES)
async def pregame_table(request: HttpRequest, pregame_id: str, token: str = "") -> HttpResponse:
    """Show a pregame table to a person who may see it."""
    backend, person = await current_backend(), person_id(request)
    found = await _find_visible(request, backend, pregame_id, token)
    found = await services.start_planned_game(backend, found)
    if found.seat_of(person) is not None:
        await services.keep_alive(backend, found, person)
    context = await fragments.pregame_seats(backend, found, person)
    link = reverse("lobby:invited", args=[found.id, found.token])
    may_invite = context["seat"] is not None or context["is_invited"]
    context |= {
        "token": token,
        "form_url": _table_url(found, token, "do"),
        "rules": fragments.rules_label(found.terms.rules),
        "changes": RuleForm(rules=found.terms.rules).differences(),
        "clock": CLOCK_NAMES[found.terms.clock],
        "delay_min": found.terms.watch_delay_s // 60,
        "link": request.build_absolute_uri(link) if may_invite or token else "",
        "wrong": REFUSALS.get(request.GET.get("no", ""), ""),
        "last_place": PREGAME if context["seat"] is not None and not found.is_open else "",
    }
    return render(request, "lobby/pregame/table.html", context)


@never_cache
@sensitive_post_parameters("password")
@require_POST
@with_error_pages(TOO_MANY_TABLES)
async def act(request: HttpRequest, pregame_id: str, token: str = "") -> HttpResponse:
    """Do the action that `do` names at a pregame table."""
    backend = await current_backend()
    found = await _find_visible(request, backend, pregame_id, token)
    person = await require_person(request)
    verb, _, rest = request.POST.get("do", "").partition(":")
    at, _, bot = rest.partition(":")
    seat = int(at) if at.isdecimal() and len(at) == 1 and int(at) < SEATS else 0
    who = str(person.pk)
    outcome: Change
    match verb:
        case "sit" | "take" if not await _knows_password(request, found, who):
            outcome = Refusal("password")
        case "sit":
            outcome = await services.sit(backend, found.id, who, person.name)
        case "take":
            outcome = await _take_left_seat(backend, found, person, seat)
        case "rise":
            outcome = await services.leave(backend, found.id, who)
        case "ready" | "unready":
            outcome = await services.set_ready(backend, found.id, who, verb == "ready")
        case "bot":
            outcome = await services.place_bot(backend, found.id, who, seat, bot)
        case "send":
            outcome = await services.remove_player(backend, found.id, who, seat)
        case _:
            raise await count_not_found(request)
    return await _redirect_after(request, backend, found, token, who, outcome)


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TABLES)
async def rematch(request: HttpRequest, table_id: str) -> HttpResponse:
    """Start a rematch after the game at that table."""
    backend, who = await current_backend(), person_id(request)
    room = await backend.tables.room(table_id)
    if room is None or room.seat_of(who) is None:
        return redirect(f"{reverse('lobby:lobby')}?no=late")
    if not backend.tables.is_over(room):
        return redirect(f"{reverse('lobby:lobby')}?no=playing")
    await require_person(request)
    await rate_limits.TABLES_OF_PERSON.count(who)
    outcome = await services.start_rematch(backend, room, who)
    if isinstance(outcome, Refusal):
        return redirect(f"{reverse('lobby:lobby')}?no={outcome.code}")
    return await _redirect_after(request, backend, outcome, "", who, outcome)


async def _find_visible(
    request: HttpRequest, backend: Backend, pregame_id: str, token: str
) -> PregameTable:
    found = await repository.find(backend, pregame_id)
    if found is None or not services.can_see(found, person_id(request), token):
        raise await count_not_found(request)
    return found


async def _knows_password(request: HttpRequest, found: PregameTable, who: str) -> bool:
    """Return whether the person needs no password or has sent the right one. Raises TooOften."""
    if not found.password or found.seat_of(who) is not None or found.is_invited(who):
        return True
    await rate_limits.TABLE_PASSWORDS_OF_ADDRESS.count(rate_limits.address_of(request))
    await rate_limits.TABLE_PASSWORDS_OF_TABLE.count(found.id)
    given = request.POST.get("password", "")[: passwords.MAX_LENGTH]
    return await passwords.is_password(given, found.password)


async def _take_left_seat(
    backend: Backend, found: PregameTable, person: Person, seat: int
) -> Change:
    """Take a seat that a player has left at the running game."""
    who = str(person.pk)
    if found.plan is None or not await backend.tables.sit_down(
        found.plan.table_id, seat, who, person.name
    ):
        return Refusal("taken")
    await seating.record_seat(backend, who, found.plan.table_id)
    return found


async def _redirect_after(
    request: HttpRequest,
    backend: Backend,
    before: PregameTable,
    token: str,
    who: str,
    outcome: Change,
) -> HttpResponse:
    """Redirect to the table if it is open, to its page if not, to the lobby after leaving."""
    if isinstance(outcome, Refusal):
        if outcome == repository.GONE:
            return redirect("lobby:lobby")
        return redirect(f"{_table_url(before, token)}?no={outcome.code}")
    if outcome.plan is not None and await backend.tables.has_seat(outcome.plan.table_id, who):
        await request.session.aset(TABLE_KEY, outcome.plan.table_id)
        return redirect("game:table", table_id=outcome.plan.table_id)
    if outcome.seat_of(who) is None and not outcome.terms.public and not token:
        return redirect("lobby:lobby")
    return redirect(_table_url(outcome, token))


def _table_url(found: PregameTable, token: str, verb: str = "") -> str:
    if token:
        return reverse(f"lobby:invited{'_act' if verb else ''}", args=[found.id, token])
    return reverse("lobby:act" if verb else "lobby:pregame_table", args=[found.id])
