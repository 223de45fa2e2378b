"""Files of events for spreadsheets: standings, teams, points by round, seating."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.models import Game, GamePlayer, GameSeat
from game.operations.game_export import ArchivePart, archive_parts
from game.records.formats import FORMATS
from game.results.made_once import with_etag
from lobby.accounts import rate_limits
from lobby.accounts.refusals import count_not_found
from lobby.accounts.visitors import person_id
from lobby.clubs.members import ClubAccess
from lobby.events import event_data, results
from lobby.events.fixtures import fixtures_of
from lobby.events.registration import table_size_of
from lobby.events.seating import csv_columns
from lobby.events.views import event_address, visible_event
from lobby.models import Event
from lobby.play.club_tables import counted_tables, table_ids_of

Lines = list[list[Any]]
_ROUND_COLUMNS: Final = (
    *("missed_rounds", "missed_points", "is_withdrawn"),
    *("sat_out_rounds", "sat_out_points"),
)
_SUM_COLUMNS: Final = ("played", "counted", "points", "deducted", "mean_place")


def file_addresses(access: ClubAccess, event: Event) -> dict[str, str]:
    """Return the addresses of the files of the event, by part."""
    missing = {
        Event.OPEN_FORMAT: {"seating", "fixtures"},
        Event.LIST_FORMAT: {"seating"},
        Event.ROUNDS: {"fixtures"},
    }
    return {
        part: event_address(access, event, f"{part}_csv")
        for part in PARTS
        if part not in missing[event.format]
    }


@require_safe
@visible_event
def event_file(request: HttpRequest, access: ClubAccess, event: Event, part: str) -> HttpResponse:
    """Return a part of the event as a CSV file. Its first line has the names of the columns."""
    text = io.StringIO()
    writer = csv.writer(text)
    for line in _PARTS[part](event):
        writer.writerow([_quote_formula(value) for value in line])
    name = f"{access.club.slug}-{event.slug}"
    name = f"{name}.csv" if part == "standings" else f"{name}-{part}.csv"
    response = HttpResponse(
        "\N{BOM}" + text.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
    return with_etag(request, response)


def _place_columns(event: Event) -> tuple[str, ...]:
    return ("firsts", "seconds", "thirds", "fourths")[: table_size_of(event)]


def _standings_lines(event: Event) -> Lines:
    of_rounds = _ROUND_COLUMNS if event.has_rounds else ()
    lines: Lines = [["place", "name", "player", *_SUM_COLUMNS, *_place_columns(event), *of_rounds]]
    for row in event_data.standing_items(event):
        own = [row[name] for name in ("place", "name", "player", *_SUM_COLUMNS)]
        lines.append([*own, *row["places"], *(row[name] for name in of_rounds)])
    return lines


def _teams_lines(event: Event) -> Lines:
    lines: Lines = [["place", "name", *_SUM_COLUMNS, *_place_columns(event), "players"]]
    for row in event_data.team_items(event):
        own = [row[name] for name in ("place", "name", *_SUM_COLUMNS)]
        lines.append([*own, *row["places"], " ".join(row["players"])])
    return lines


def _rounds_lines(event: Event) -> Lines:
    """Return a line for each player with the points by round. In an event without rounds, a column
    stands for the player's first, second, ... game.
    """
    by_round = event_data.points_by_round(event)
    standings = results.standings_of(event)
    lines: Lines = [["name", "player", *by_round.columns]]
    for row in standings.rows:
        if row.player in by_round.rows:
            points = by_round.rows[row.player]
            lines.append([standings.names.get(row.player, ""), row.player, *points])
    return lines


def _seating_lines(event: Event) -> Lines:
    """Return a line for each table that has been seated: the numbers of the players, then their
    names. The name of a bot that fills a table is ''."""
    entrants = event.entrants.filter(number__isnull=False)
    names = dict(entrants.values_list("number", "person__name"))
    columns = csv_columns(table_size_of(event))
    lines: Lines = [[*columns, *(f"{wind}_name" for wind in columns[2:])]]
    for row in event.tables.filter(round__gt=0):
        people = [names.get(number, "") for number in row.seats]
        lines.append([row.round, row.number, *row.seats, *people])
    return lines


def _fixtures_lines(event: Event) -> Lines:
    """Return a line for each table of the list: the number, then the players' names, as officers
    type them to add tables.
    """
    players = [f"player_{number}" for number in range(1, 1 + table_size_of(event))]
    lines: Lines = [["table", *players, "state", "game"]]
    for fixture in fixtures_of(event) if event.has_fixtures else ():
        names = [player.name for player in fixture.players]
        lines.append([fixture.number, *names, fixture.state, fixture.table_id])
    return lines


def _quote_formula(value: Any) -> Any:
    """Return the value for a cell. Quote a text that a spreadsheet would run as a formula."""
    if isinstance(value, str) and value.startswith(_FORMULA_SIGNS) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return "" if value is None else int(value) if isinstance(value, bool) else value


_NUMBER: Final = re.compile(r"-?[0-9]+([.][0-9]+)?")
_FORMULA_SIGNS: Final = tuple("=@+-\t\r")


_PARTS: Final[dict[str, Callable[[Any], Lines]]] = {
    "standings": _standings_lines,
    "teams": _teams_lines,
    "rounds": _rounds_lines,
    "seating": _seating_lines,
    "fixtures": _fixtures_lines,
}
PARTS: Final = tuple(_PARTS)


@never_cache
@require_safe
@visible_event
def records(request: HttpRequest, access: ClubAccess, event: Event, form: str) -> HttpResponse:
    """Return a zip file with a list of the games and the records that the visitor may see. The file
    is sent while it is written."""
    tables = table_ids_of(event) if event.has_rounds else counted_tables(event)
    games = _filter_visible(Game.objects.filter(pk__in=tables), access, person_id(request))
    if form not in FORMATS or not games.exists():
        raise count_not_found(request)
    rate_limits.ARCHIVES_OF_ADDRESS.count(rate_limits.address_of(request))
    response = StreamingHttpResponse(
        _stream_parts(archive_parts(games, [form])),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{event.slug}-{form}.zip"'},
    )
    # The decorators pass the response through without reading it.
    return cast("HttpResponse", response)


def _filter_visible(games: QuerySet[Game], access: ClubAccess, person: str) -> QuerySet[Game]:
    """Return the games that the person may see, by the rule of `game.results.history.can_see`."""
    if access.is_officer:
        return games
    if not person:
        return games.filter(is_public=True)
    own = (
        model.objects.filter(person_id=person).values("game") for model in (GamePlayer, GameSeat)
    )
    began, played = own
    return games.filter(Q(is_public=True) | Q(pk__in=began) | Q(pk__in=played))


def _stream_parts(parts: Iterator[ArchivePart]) -> Iterator[bytes]:
    """Yield the bytes of the parts. Make each part only after the one before has been sent."""
    for part in parts:
        if part.data:
            yield part.data
