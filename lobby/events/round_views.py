"""The page of the seats of the next round: draw them, exchange players, and start the round."""

from __future__ import annotations

from itertools import chain

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from game.results.game_text import player_name
from game.tables.bridge import ask
from lobby.accounts.refusals import count_not_found
from lobby.accounts.visitors import require_person
from lobby.clubs.members import ClubAccess
from lobby.events import rounds
from lobby.events.offline_views import winds_of
from lobby.events.results import names_by_number
from lobby.events.seating import SeatingError
from lobby.events.views import event_address, event_context, visible_event
from lobby.models import Event


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_event
def next_round(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show the seats of the round of that number before it starts; draw them again, exchange two
    players, or start the round. For officers."""
    given = request.POST if request.method == "POST" else request.GET
    number = given.get("round", "")
    if not (access.is_officer and event.has_rounds and number.isdecimal() and len(number) < 3):
        raise count_not_found(request)
    require_person(request)
    address = event_address(access, event, "officials")
    try:
        match given.get("do", "start") if request.method == "POST" else "":
            case "":
                return _show_seats(request, access, event, int(number))
            case "draw":
                rounds.draw_seats(event, int(number), again=True)
                return redirect(f"{request.path}?round={number}")
            case "swap":
                players = [given.get(name, "") for name in ("first", "second")]
                if all(player.isdecimal() and len(player) < 4 for player in players):
                    rounds.swap_players(event, int(number), *map(int, players))
                return redirect(f"{request.path}?round={number}")
            case "start":
                rounds.start_round(event, int(number))
            case _:
                raise count_not_found(request)
    except rounds.RoundRefused as refusal:
        return redirect(f"{event_address(access, event)}?note={refusal.code}")
    except SeatingError:
        return redirect(f"{event_address(access, event)}?note=seats")
    ask(rounds.open_tables(event))
    return redirect(address)


def _show_seats(
    request: HttpRequest, access: ClubAccess, event: Event, number: int
) -> HttpResponse:
    seats = rounds.draw_seats(event, number)
    if not seats:
        return redirect(event_address(access, event, "officials"))
    names = names_by_number(event)
    sitting_out = rounds.numbers_sitting_out(event, seats)
    people = rounds.seated_substitutes(event)
    spare = [player_name(person.name) for person in people]
    for at, player in enumerate(sorted({*chain.from_iterable(seats)} - names.keys())):
        names[player] = spare[at] if spare else _("bot %(number)s") % {"number": at + 1}
    context = {
        **event_context(access, event),
        "number": number,
        "tables": [
            [(wind, names[player]) for wind, player in zip(winds_of(event), table, strict=True)]
            for table in seats
        ],
        "forbidden": [
            (at_round, table, sorted(names[player] for player in pair))
            for at_round, table, pair in rounds.forbidden_meetings(event, number)
        ],
        "sitting_out": [names[number] for number in sitting_out],
        "players": sorted(names.items(), key=lambda row: row[1].casefold()),
    }
    return render(request, "lobby/clubs/next_round.html", context)
