"""Reads player statistics, ratings and ladders for pages."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Subquery
from django.utils.translation import gettext as _

from game.engine.presets import ALL_PRESETS
from game.models import GamePlayer, GameSeat, Ladder, Player, PlayTotal, Rating, UnratedGame
from game.results.filters import NUMBERS, OWN_RULES, PlayFilter
from game.results.game_text import preset_name, rules_name
from game.results.ladders import BOT_LADDERS, LADDERS, MIN_GAMES, LadderKind
from game.results.months import DatedFigures
from game.results.play_figures import PlayFigures, decode_figures, sum_figures
from game.results.totals import SITE, figures_of, key_of

PER_PAGE: Final = 50
SITE_FIGURES_LAST_S: Final = 60.0
"""How old the figures of the site may be. Adding them up takes a third of a profile's time."""
ALL_OF_FOUR: Final = PlayFilter()
_site_figures: Final[dict[PlayFilter, tuple[float, PlayFigures]]] = {}
"""By filter without an opponent, the time of the last sum, and the sum. There are some hundreds of
entries."""


def find_public_players(people: list[UUID]) -> dict[UUID, str]:
    """Map those of the people who have a public page to their chosen avatar, '' for none."""
    found = Player.objects.filter(pk__in=people, is_listed=True).values_list("pk", "avatar")
    return dict(found)


def presets_of(person: UUID, players: int, *, only_public: bool) -> list[tuple[str, str]]:
    """Return the presets that the person has played with `players` players, as pairs of id and
    name; 'own' stands for custom rules."""
    rows = PlayFilter(players).of_totals(
        PlayTotal.objects.filter(person_id=person), only_public=only_public
    )
    played = set(rows.values_list("preset", flat=True).distinct())
    known = [preset for preset in (*ALL_PRESETS, "") if preset in played]
    return [(preset or OWN_RULES, preset_name(preset)) for preset in known]


def figures_of_player(
    person: UUID, *, only_public: bool, chosen: PlayFilter = ALL_OF_FOUR
) -> PlayFigures:
    """Return the sum of a player's figures in the games that match the filter."""
    dated = dated_figures(person, (), only_public=only_public, chosen=chosen)
    return sum_figures([figures for _month, figures in dated])


def dated_figures(
    person: UUID, latest: Sequence[str], *, only_public: bool, chosen: PlayFilter = ALL_OF_FOUR
) -> DatedFigures:
    """Return the figures of a player month by month, in no particular order.

    Reads some rows for each month; if the filter has an opponent, reads the rows of the games in
    `latest`.
    """
    if chosen.against:
        return _figures_of_games(person, latest)
    rows = chosen.of_totals(PlayTotal.objects.filter(person_id=person), only_public=only_public)
    found = rows.values_list("month", "figures")
    return [(month, decode_figures(bytes(data))) for month, data in found]


def figures_of_site(chosen: PlayFilter) -> PlayFigures:
    """Return the sum of the figures of everybody in public games, at most `SITE_FIGURES_LAST_S`
    old. The filter's opponent is ignored. The result is shared by all callers: do not change it."""
    chosen = replace(chosen, against="")
    made_at, figures = _site_figures.get(chosen, (-SITE_FIGURES_LAST_S, PlayFigures()))
    if time.monotonic() - made_at >= SITE_FIGURES_LAST_S:
        figures = figures_of_player(SITE, only_public=True, chosen=chosen)
        _site_figures[chosen] = time.monotonic(), figures
    return figures


def _figures_of_games(person: UUID, games: Sequence[str]) -> DatedFigures:
    parts = list(GamePlayer.objects.filter(person_id=person, game__in=games))
    results = GameSeat.objects.filter(person_id=person, game__in=games)
    seats = {seat.game_id: seat for seat in results}
    return [(key_of(part).month, figures_of(part, seats.get(part.game_id))) for part in parts]


def numbers_played(person: UUID, *, only_public: bool) -> list[int]:
    """Return which numbers of players the person's games had, in the order of `NUMBERS`; [] for no
    games."""
    rows = GamePlayer.objects.filter(person_id=person)
    if only_public:
        rows = rows.filter(is_public=True)
    # The two ends of an index. Distinct values would be read from all games of the person.
    lowest = Subquery(rows.order_by("seat_count").values("seat_count")[:1])
    found = rows.order_by("-seat_count").values_list("seat_count", lowest).first()
    return [number for number in NUMBERS if found is not None and number in found]


def ratings_of(person: UUID, players: int) -> list[dict[str, Any]]:
    """Return a row for each of the person's ratings in ladders with `players` players, in the order
    of the presets."""
    rows = {row.ladder_id: row for row in Rating.objects.filter(player_id=person, games__gt=0)}
    return [
        {
            "ladder": kind,
            "ladder_name": ladder_name(kind),
            "rating": rows[name].shown,
            "games": rows[name].games,
            "is_listed": rows[name].games >= MIN_GAMES,
        }
        for name, kind in {**LADDERS, **BOT_LADDERS}.items()
        if name in rows and kind.players == players
    ]


def listed_ratings(ladders: Collection[str], people: Collection[str]) -> dict[tuple[str, str], int]:
    """Return the ratings of these people that these ladders list, by pairs of ladder and person."""
    if not ladders:
        return {}
    rows = Rating.objects.filter(
        ladder__in=ladders,
        player__in=[UUID(player) for player in people if player],
        games__gte=MIN_GAMES,
    ).values_list("ladder_id", "player_id", "shown")
    return {(ladder, str(person)): shown for ladder, person, shown in rows}


def is_queued(table_id: str) -> bool:
    """Return whether that game waits to be rated."""
    return UnratedGame.objects.filter(pk=table_id).exists()


def has_queued_games(person: UUID, players: int) -> bool:
    """Return whether games of that person with `players` players wait to be rated."""
    own = GameSeat.objects.filter(game=OuterRef("game"), person_id=person, is_rated=True)
    own = own.filter(seat_count=players)
    # Not a join, for which a database may read all games of the person instead of the queue.
    return UnratedGame.objects.filter(Exists(own)).exists()


def ladder_name(kind: LadderKind) -> str:
    """Return a name such as 'Tenhou, East only'."""
    name = rules_name({"length": kind.length}, kind.preset)
    return _("Bots: %(rules)s") % {"rules": name} if kind.bots else name


def ladder_links(current: LadderKind) -> list[dict[str, Any]]:
    """Return a row for each ladder that has ratings, and for the current one."""
    ratings = Rating.objects.filter(ladder=OuterRef("pk"), games__gt=0)
    rows = Ladder.objects.filter(Exists(ratings)).values_list("pk", flat=True)
    known = set(rows) | {current.name}
    return [
        {"ladder": kind, "name": ladder_name(kind), "is_current": kind == current}
        for name, kind in {**LADDERS, **BOT_LADDERS}.items()
        if name in known
    ]


def ladder_page(ladder: str, you: str, page: int) -> tuple[list[dict[str, Any]], bool]:
    """Return one page of a ladder as rows, and whether there are more. Players with equal ratings
    share a place. `you` is the reader's id. Only accounts have a rating, so that their rows need
    not be read."""
    first = (page - 1) * PER_PAGE
    listed = Rating.objects.filter(ladder_id=ladder, games__gte=MIN_GAMES)
    on_page = listed.order_by("-shown", "pk")[first : first + PER_PAGE + 1]  # from the index alone
    query = Rating.objects.filter(pk__in=on_page.values("pk")).select_related("player")
    found = list(query.order_by("-shown", "pk"))
    rows = list[dict[str, Any]]()
    for at, rating in enumerate(found[:PER_PAGE]):
        place = first + at + 1
        if rows and rows[-1]["rating"] == rating.shown:
            place = rows[-1]["place"]
        elif not rows:
            tied = listed.filter(shown=rating.shown, pk__lt=rating.pk)  # on pages before this
            place -= tied.count()
        rows.append(
            {
                "place": place,
                "person": rating.player.person_id,
                "name": rating.player.name,
                "avatar": rating.player.avatar,
                "rating": rating.shown,
                "games": rating.games,
                "is_you": str(rating.player.person_id) == you,
            }
        )
    return rows, len(found) > PER_PAGE


def filter_rows(rows: Any, *, only_public: bool, preset: str | None) -> Any:
    """Return those of the rows that are of public games (if `only_public`) and of that preset
    (unless it is None)."""
    if only_public:
        rows = rows.filter(is_public=True)
    return rows if preset is None else rows.filter(preset=preset)
