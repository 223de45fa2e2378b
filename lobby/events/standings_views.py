"""The page of an event's standings: finished and provisional, teams, points by round, a chart, and
how often players have met. It can be printed. And all of the event as JSON."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.results.charts import Chart, score_chart
from game.results.game_text import format_signed, player_name
from game.results.made_once import with_etag
from game.tables.bridge import ask
from lobby.accounts.visitors import person_id
from lobby.clubs.members import ClubAccess
from lobby.events import event_data, results
from lobby.events.download_views import file_addresses
from lobby.events.event_data import PointsByRound
from lobby.events.teams import team_rows
from lobby.events.views import event_context, visible_event
from lobby.models import Event
from lobby.play.backend import current_backend
from lobby.play.fragments import standing_row, standing_rows

_FILE_NAMES: Final = {
    "standings": _("Standings (CSV)"),
    "teams": _("Teams (CSV)"),
    "rounds": _("Points by round (CSV)"),
    "seating": _("Seating (CSV)"),
    "fixtures": _("List of tables (CSV)"),
}
_MAX_CHART_LINES: Final = 4
"""The most lines of a chart. More could not be distinguished."""
_MAX_ROUNDS: Final = 40
_MAX_MEETING_PLAYERS: Final = 40
"""The most players of the table of meetings."""


@never_cache
@require_safe
@visible_event
def standings(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Show the standings of the event."""
    person = person_id(request)
    finished = results.standings_of(event)
    running = ask(event_data.provisional_results(ask(current_backend()), event))
    provisional = results.standings_of(event, running)
    names = {player: player_name(name) for player, name in provisional.names.items()}
    by_round = event_data.points_by_round(event)
    order = [row.player for row in finished.rows]
    met = event_data.meetings_of(event)
    shown = order[:_MAX_MEETING_PLAYERS]
    sums, teams = team_rows(event, finished.rows)
    context = {
        **event_context(access, event),
        "files": [
            {"name": _FILE_NAMES[part], "address": address}
            for part, address in file_addresses(access, event).items()
            if part != "teams" or teams
        ],
        "running_count": len(running),
        "rows": standing_rows(finished, person),
        "provisional": standing_rows(provisional, person) if running else [],
        "teams": [
            {
                **standing_row(row, teams[row.player][0].name),
                "players": [player_name(player.name) for player in teams[row.player][1]],
            }
            for row in sums
        ],
        "columns": by_round.columns[:_MAX_ROUNDS],
        "by_round": [
            {
                "name": names.get(player, ""),
                "is_you": player == person,
                "cells": [
                    "" if points is None else format_signed(points, 1)
                    for points in by_round.rows[player][:_MAX_ROUNDS]
                ],
            }
            for player in order
            if player in by_round.rows
        ],
        "chart": _chart(order, names, by_round),
        "meetings": [
            {
                "number": at,
                "name": names.get(player, ""),
                "cells": [
                    "" if player == opponent else met[frozenset((player, opponent))]
                    for opponent in shown
                ],
            }
            for at, player in enumerate(shown, start=1)
        ],
        "numbers": range(1, len(shown) + 1),
    }
    return render(request, "lobby/clubs/standings.html", context)


@require_safe
@visible_event
def standings_json(request: HttpRequest, access: ClubAccess, event: Event) -> HttpResponse:
    """Return the event with its players, tables, games and standings as JSON."""
    games = results.games_of(event)
    finished = results.standings_of(event, games=games)
    data = {
        "version": 2,
        **event_data.event_item(access.club, event),
        "players": event_data.player_items(event),
        "rounds": event_data.round_items(event),
        "standings": [event_data.row_item(row, finished) for row in finished.rows],
        "teams": event_data.team_items(event, finished.rows),
        "games": [event_data.game_item(game) for game in games],
    }
    return with_etag(request, JsonResponse(data, json_dumps_params={"ensure_ascii": False}))


def _chart(order: list[str], names: dict[str, str], by_round: PointsByRound) -> Chart | None:
    """Make a chart of the best players' sums after each round; None before the second round."""
    best = [player for player in order if player in by_round.rows][:_MAX_CHART_LINES]
    if not best or len(by_round.columns) < 2:
        return None
    sums = [[0] * len(best)]
    for at in range(len(by_round.columns)):
        points = [by_round.rows[player][at] or 0 for player in best]
        sums.append(
            [was + int(1000 * gained) for was, gained in zip(sums[-1], points, strict=True)]
        )
    labels = [str(column) for column in by_round.columns]
    return score_chart([names.get(player, "") for player in best], sums, labels, 0, unit=1_000)
