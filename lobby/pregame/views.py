"""The pages of tables before their game: make one, sit there, play again."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.live.lobby_api import PRESETS, TableAccess, house
from lobby.accounts import passwords, rate_limits
from lobby.matchmaking import search
from lobby.matchmaking.quick_play import TABLE_KEY
from lobby.models import Person
from lobby.pages import fragments
from lobby.pages.requests import entered, led_nowhere, person_id, refusal, told_kindly
from lobby.pregame import repository, services
from lobby.pregame.forms import TableForm, clock_name
from lobby.pregame.model import SEATS, No, PregameTable
from lobby.pregame.rule_form import RuleForm

_SHOW_RULES = "show"


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@told_kindly
async def new(request: HttpRequest) -> HttpResponse:
    """Make a table: a preset as it is, or every switch as one wants it."""
    if request.method != "POST":
        form, rules = TableForm.at_first(), RuleForm(rules=PRESETS["tenhou"])
        return _form_shown(request, form, rules)
    form = TableForm(request.POST)
    preset = PRESETS.get(request.POST.get("preset", ""), PRESETS["tenhou"])
    if _SHOW_RULES in request.POST:
        kept = TableForm(initial=request.POST.dict())
        return _form_shown(request, kept, RuleForm(rules=preset), is_open=True)
    rules = RuleForm(request.POST, rules=preset)
    chosen = rules.chosen(preset, request.POST.get("length", ""), request.POST.get("base", ""))
    if not form.is_valid() or chosen is None:
        return _form_shown(request, form, rules, is_open=bool(rules.errors), status=422)
    person = await entered(request)
    await rate_limits.TABLES_OF_ADDRESS.count(rate_limits.address_of(request))
    await rate_limits.TABLES_OF_PERSON.count(str(person.pk))
    password = form.cleaned_data["password"]
    made = await services.make(
        await house(),
        person=str(person.pk),
        name=person.name,
        terms=form.terms(chosen),
        bots=form.bots(),
        password=await passwords.hashed(password) if password else "",
    )
    return redirect("lobby:gathering", gathering_id=made.id)


def _form_shown(
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
    """The switches as that preset has them: a part of the page above."""
    if preset not in PRESETS:
        raise await led_nowhere(request)
    rules = RuleForm(rules=PRESETS[preset])
    context = {"rules": rules, "base": rules.base}
    return render(request, "lobby/pregame/switches.html", context)


@never_cache
@require_safe
@told_kindly
async def gathering(request: HttpRequest, gathering_id: str, token: str = "") -> HttpResponse:
    """A table in the making, for who may know of it."""
    home, person = await house(), person_id(request)
    found = await _let_in(request, home, gathering_id, token)
    found = await services.begin(home, found)
    if found.seat_of(person) is not None:
        await services.look_after(home, found, person)
    context = await fragments.at_gathering(home, found, person)
    link = reverse("lobby:invited", args=[found.id, found.token])
    is_of_it = context["seat"] is not None or context["is_asked"]
    context |= {
        "token": token,
        "act": _address(found, token, "do"),
        "rules": fragments.rules_told(found.terms.rules),
        "changes": _changes(found),
        "clock": clock_name(found.terms.clock),
        "delay_min": found.terms.watch_delay_s // 60,
        "link": request.build_absolute_uri(link) if is_of_it or token else "",
        "wrong": refusal(request.GET.get("no", "")),
        "was": "gathering" if context["seat"] is not None and not found.is_open else "",
    }
    return render(request, "lobby/pregame/table.html", context)


@never_cache
@sensitive_post_parameters("password")
@require_POST
@told_kindly
async def do(request: HttpRequest, gathering_id: str, token: str = "") -> HttpResponse:
    """Whatever one does at such a table; `do` says what."""
    home = await house()
    found = await _let_in(request, home, gathering_id, token)
    person = await entered(request)
    verb, _, rest = request.POST.get("do", "").partition(":")
    at, _, bot = rest.partition(":")
    seat = int(at) if at.isdecimal() and len(at) == 1 and int(at) < SEATS else 0
    who = str(person.pk)
    match verb:
        case "sit":
            outcome = await _sit(request, home, found, person)
        case "rise":
            outcome = await services.stand_up(home, found.id, who)
        case "ready" | "unready":
            outcome = await services.get_ready(home, found.id, who, verb == "ready")
        case "bot":
            outcome = await services.place_bot(home, found.id, who, seat, bot)
        case "send":
            outcome = await services.send_away(home, found.id, who, seat)
        case "take":
            outcome = await _take(request, home, found, person, seat)
        case _:
            raise await led_nowhere(request)
    return await _onward(request, home, found, token, who, outcome)


@never_cache
@require_POST
@told_kindly
async def again(request: HttpRequest, table_id: str) -> HttpResponse:
    """The same people once more, after the game at that table."""
    home, who = await house(), person_id(request)
    room = await home.room(table_id)
    if room is None or room.seat_of(who) is None:
        return redirect(f"{reverse('lobby:lobby')}?no=late")
    if not home.is_over(room):
        return redirect(f"{reverse('lobby:lobby')}?no=playing")
    await entered(request)
    await rate_limits.TABLES_OF_PERSON.count(who)
    outcome = await services.play_again(home, room, who)
    if isinstance(outcome, No):
        return redirect(f"{reverse('lobby:lobby')}?no={outcome.code}")
    return await _onward(request, home, outcome, "", who, outcome)


async def _let_in(
    request: HttpRequest, home: TableAccess, gathering_id: str, token: str
) -> PregameTable:
    found = await repository.found(home, gathering_id)
    if found is None or not services.is_let_in(found, person_id(request), token):
        raise await led_nowhere(request)
    return found


async def _sit(
    request: HttpRequest, home: TableAccess, found: PregameTable, person: Person
) -> PregameTable | No:
    who = str(person.pk)
    if not await _knows_password(request, found, who):
        return No("password")
    return await services.sit(home, found.id, who, person.name)


async def _knows_password(request: HttpRequest, found: PregameTable, who: str) -> bool:
    """Whether that person needs none, or has given it. Raises TooOften."""
    if not found.password or found.seat_of(who) is not None or found.is_asked(who):
        return True
    await rate_limits.TABLE_PASSWORDS_OF_ADDRESS.count(rate_limits.address_of(request))
    await rate_limits.TABLE_PASSWORDS_OF_TABLE.count(found.id)
    given = request.POST.get("password", "")[: passwords.MAX_LENGTH]
    return await passwords.fits(given, found.password)


async def _take(
    request: HttpRequest, home: TableAccess, found: PregameTable, person: Person, seat: int
) -> PregameTable | No:
    """A seat that was left, at the running game."""
    if found.plan is None:
        return No("taken")
    who = str(person.pk)
    if not await _knows_password(request, found, who):
        return No("password")
    if not await home.sit_down(found.plan.table_id, seat, who, person.name):
        return No("taken")
    await search.seated(home, who, found.plan.table_id)
    return found


async def _onward(
    request: HttpRequest,
    home: TableAccess,
    before: PregameTable,
    token: str,
    who: str,
    outcome: PregameTable | No,
) -> HttpResponse:
    """To the table if it is open, back to the page if not, to the lobby if one has left."""
    if isinstance(outcome, No):
        if outcome == repository.GONE:
            return redirect("lobby:lobby")
        return redirect(f"{_address(before, token)}?no={outcome.code}")
    if outcome.plan is not None and await home.has_seat(outcome.plan.table_id, who):
        await request.session.aset(TABLE_KEY, outcome.plan.table_id)
        return redirect("game:table", table_id=outcome.plan.table_id)
    if outcome.seat_of(who) is None and not outcome.terms.public and not token:
        return redirect("lobby:lobby")
    return redirect(_address(outcome, token))


def _address(found: PregameTable, token: str, verb: str = "") -> str:
    if token:
        return reverse(f"lobby:invited{'_do' if verb else ''}", args=[found.id, token])
    return reverse("lobby:do" if verb else "lobby:gathering", args=[found.id])


def _changes(found: PregameTable) -> list[tuple[object, object]]:
    """Where own rules differ from the usual ones: the switch and its value."""
    return RuleForm(rules=found.terms.rules).differences()
