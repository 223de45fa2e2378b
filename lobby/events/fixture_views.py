"""The list of tables of an event: its page, the forms of officers, and the button that opens a
table."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from game.results.game_text import player_name
from game.tables.bridge import ask
from lobby.accounts import rate_limits
from lobby.accounts.refusals import count_not_found, read_key
from lobby.accounts.visitors import person_id, require_person
from lobby.clubs.members import ClubAccess
from lobby.events import fixtures
from lobby.events.fixtures import (
    MAX_FIXTURES,
    MAX_GAMES,
    FixturesRefused,
    ListedFixture,
    step_of_games,
)
from lobby.events.offline import players_of
from lobby.events.registration import settings_of, table_size_of
from lobby.events.views import event_address, event_context, visible_event
from lobby.models import Event
from lobby.play import pregame_services
from lobby.play.backend import current_backend
from lobby.play.club_tables import may_play
from lobby.play.fragments import progress_rows
from lobby.play.notifications import LOBBY_GROUP, notify
from lobby.play.pregame import PregameRefusal

_NOTES: Final[dict[str, Any]] = {
    "few": _("At least %(players)s players are needed."),
    "step": _(
        "So that all tables are full, the number of games has to be a multiple of %(number)s."
    ),
    "games": _("Between 1 and %(games)s games for each player."),
    "open": _("There are open tables. Delete them first, or let them be played."),
    "many": _("The list can have %(tables)s tables at most."),
    "names": _("Line %(number)s does not have the names of %(players)s players."),
    "name": _("Line %(number)s: a name is not that of exactly one player."),
    "twice": _("Line %(number)s has a player twice."),
    "empty": _("There are no names."),
}
"""Texts that say why the list was not changed, by code."""
_MAX_TEXT: Final = 100_000


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
def fixture_list(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show the list of tables. Officers change it by the action `do`."""
    if not event.has_fixtures or (request.method == "POST" and not access.is_officer):
        raise count_not_found(request)
    note: Any = ""
    if request.method == "POST":
        require_person(request)
        try:
            if not _change(event, request.POST):
                raise count_not_found(request)
        except FixturesRefused as refusal:
            note = _NOTES[refusal.code] % {
                "number": refusal.number,
                "players": table_size_of(event),
                "games": MAX_GAMES,
                "tables": MAX_FIXTURES,
            }
        else:
            ask(notify(LOBBY_GROUP))
            return redirect(event_address(access, event, "fixtures"))
    listed = fixtures.fixtures_of(event)
    players, table_size = players_of(event), table_size_of(event)
    context = {
        **event_context(access, event),
        "note": note,
        "fixtures": [_row(fixture, {player.pk for player in players}) for fixture in listed],
        "has_open": any(fixture.state == "open" for fixture in listed),
        "progress": progress_rows(listed, person_id(request)),
        "player_count": len(players),
        "step": step_of_games(len(players), table_size),
        "max_games": MAX_GAMES,
        "example": ", ".join(("Anna", "Ben", "Cleo", "Dora")[:table_size]),
        "given": request.POST,
    }
    return render(request, "lobby/clubs/fixtures.html", context, status=422 if note else 200)


@never_cache
@require_POST
@visible_event
def open_fixture(
    request: HttpRequest, access: ClubAccess, event: Event, number: int
) -> HttpResponse:
    """Open that table of the list, or sit down at it. For its players."""
    visitor, backend = person_id(request), ask(current_backend())
    listed = fixtures.fixtures_of(event)
    fixture = next(
        (fixture for fixture in listed if fixture.number == number and fixture.has(visitor)), None
    )
    if fixture is None:
        raise count_not_found(request)
    person = require_person(request)
    if fixture.state == "running":
        return redirect("game:table", table_id=fixture.table_id)
    if not may_play(event.pk, visitor, fixture.key):
        return redirect(f"{event_address(access, event)}?note=fixture")
    rate_limits.TABLES_OF_ADDRESS.count(rate_limits.address_of(request))
    rate_limits.TABLES_OF_PERSON.count(visitor)
    outcome = ask(
        pregame_services.open_fixture(
            backend,
            person=visitor,
            name=person.name,
            settings=settings_of(
                event, club=access.club.slug, event=event.pk, event_table=fixture.key
            ),
            former=fixture.void_table_id,
            players={str(player.pk): player.name for player in fixture.players},
        )
    )
    if isinstance(outcome, PregameRefusal):
        return redirect(f"{event_address(access, event)}?note={outcome.code}")
    if outcome.plan is not None:
        return redirect("game:table", table_id=outcome.plan.table_id)
    return redirect("lobby:pregame_table", pregame_id=outcome.id)


def _change(event: Event, form: QueryDict) -> bool:
    """Carry out the action `do`, such as `delete:` and the number of a table. Return False if the
    action is unknown. Raises FixturesRefused."""
    verb, _sep, number = form.get("do", "").partition(":")
    match verb:
        case "make":
            games = form.get("games", "")
            is_number = games.isascii() and games.isdecimal() and len(games) < 4
            fixtures.make_list(event, int(games) if is_number else 0)
        case "add":
            fixtures.add_lines(event, form.get("lines", "")[:_MAX_TEXT])
        case "delete":
            return fixtures.delete_fixture(event, read_key(number))
        case "delete_open":
            fixtures.delete_open(event)
        case _:
            return False
    return True


def _row(fixture: ListedFixture, players: set[Any]) -> dict[str, Any]:
    return {
        "number": fixture.number,
        "names": [player_name(player.name) for player in fixture.players],
        "state": fixture.state,
        "table_id": fixture.table_id,
        "left": [
            player_name(player.name) for player in fixture.players if player.pk not in players
        ],
    }
