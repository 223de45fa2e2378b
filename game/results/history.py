"""Reads finished games for pages: final rankings, hands, charts, lists of games.

Logs of games are read by the archive, which hands the events over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

from game.engine.events import Event
from game.models import Game, GamePlayer, GameSeat
from game.records.own import OwnGame, own_game
from game.results.charts import Chart, place_chart, score_chart
from game.results.game_text import (
    describe_details,
    describe_result,
    format_number,
    format_signed,
    hand_name,
    join_list,
    place_name,
    player_name,
    rules_name,
)
from game.results.statistics import filter_rows

GAMES_PER_PAGE: Final = 20
GAMES_IN_CHART: Final = 30
_SEATS: Final = range(4)


@dataclass(frozen=True, slots=True)
class Delta:
    """Points won or lost."""

    value: int

    @property
    def text(self) -> str:
        """The number with its sign; a dash for 0."""
        return format_signed(self.value) if self.value else "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Ending:
    """A result of a hand. A hand with several winners has one for each."""

    text: str
    details: str


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A row in the list of hands. The last row may describe leftover riichi sticks."""

    round: str
    endings: tuple[Ending, ...]
    deltas: tuple[Delta, ...]
    """Deposited riichi sticks are included."""
    scores: tuple[int, ...]
    """After the hand."""


@dataclass(frozen=True, slots=True)
class RankedSeat:
    """A row of a final ranking, for the player who began the game in that seat."""

    seat: int
    place: int
    name: str
    bot: bool
    is_you: bool
    person: UUID | None
    """None if the player has no public page."""
    score: int
    points: str
    is_absent: bool
    """The player was absent in the last hand."""
    replaced_by: tuple[str, ...]
    """The names of those who took the seat later."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A row in the list of a player's games."""

    table_id: str
    ended_at: datetime
    rules: str
    place: int
    """0 if the player has no place: the game was broken off, or the player took over a seat."""
    place_name: str
    """Or the reason why there is no place."""
    score: str
    points: str
    others: tuple[str, ...]
    is_public: bool
    is_absent: bool


async def find_game(table_id: str) -> Game | None:
    """Return the finished game of that table, with its seats."""
    query = Game.objects.prefetch_related("seats", "players")
    return await query.filter(pk=table_id).afirst()


def game_record(game: Game, events: Iterable[Event], names: Sequence[str]) -> OwnGame:
    """Return the game in the common form of records. `names` are by seat, `events` all of the
    game. Raises `CannotHold` if no hand was played to its end."""
    one, two, three, four = names
    return own_game(events, (one, two, three, four), is_broken_off=game.is_broken_off)


def can_see(game: Game, person: str) -> bool:
    """Whether that person may see the game. A private game is visible to its players only."""
    rows: list[GameSeat | GamePlayer] = [*game.seats.all(), *game.players.all()]
    return game.is_public or any(_is_person(row, person) for row in rows)


def ranking(game: Game, person: str, listed: frozenset[UUID]) -> list[RankedSeat]:
    """Return the final ranking, the winner first. `listed` are those who have a public page."""
    seats = game.seats.all()
    later: dict[int, list[str]] = {}
    for part in game.players.all():
        if not part.has_result:
            later.setdefault(part.seat, []).append(player_name(part.name))
    return [
        RankedSeat(
            seat=seat.seat,
            place=seat.place,
            name=player_name(seat.name),
            bot=bool(seat.bot),
            is_you=_is_person(seat, person),
            person=seat.person_id if seat.person_id in listed else None,
            score=seat.score,
            points=format_signed(seat.points, 1),
            is_absent=seat.is_absent,
            replaced_by=tuple(later.get(seat.seat, ())),
        )
        for seat in sorted(seats, key=lambda seat: seat.place)
    ]


def played_hands(game: Game, names: Sequence[str]) -> list[PlayedHand]:
    """Return a row for each hand, up to the final scores."""
    rows = _scores(game)
    hands = [
        _hand_row(
            hand_name(hand["kyoku"], hand["honba"]),
            tuple(
                Ending(describe_result(one, names), describe_details(one, names))
                for one in hand["results"]
            ),
            before,
            after,
        )
        for hand, (before, after) in zip(game.hands, pairwise(rows), strict=True)
    ]
    if hands and (final := _final_scores(game)) != rows[-1]:
        gains = [name for name, was, now in zip(names, rows[-1], final, strict=True) if now > was]
        left_over = Ending(_("Riichi sticks left over"), join_list(gains))
        hands.append(_hand_row(_("End"), (left_over,), rows[-1], final))
    return hands


def _hand_row(
    title: str, endings: tuple[Ending, ...], before: tuple[int, ...], after: tuple[int, ...]
) -> PlayedHand:
    deltas = tuple(Delta(now - was) for was, now in zip(before, after, strict=True))
    return PlayedHand(round=title, endings=endings, deltas=deltas, scores=after)


def chart_scores(game: Game, names: Sequence[str]) -> Chart | None:
    """Chart the points up to the final scores; None if no hand was played to its end."""
    rows = _scores(game)
    points, titles = [rows[0]], list[str]()
    for hand, after in zip(game.hands, rows[1:], strict=True):
        if not _is_broken_off(hand):
            points.append(after)
            titles.append(hand_name(hand["kyoku"], hand["honba"]))
    if not titles:
        return None
    if (final := _final_scores(game)) != points[-1]:
        points.append(final)
        titles.append(_("End"))
    return score_chart(names, points, titles, rows[0][0])


def _is_broken_off(hand: dict[str, Any]) -> bool:
    return all(result.get("reason") == "abandoned" for result in hand["results"])


def _final_scores(game: Game) -> tuple[int, ...]:
    """Return the scores by seat, with leftover sticks."""
    return tuple(seat.score for seat in sorted(game.seats.all(), key=lambda one: one.seat))


def _scores(game: Game) -> list[tuple[int, ...]]:
    """Return the points by seat at the start and after each hand."""
    start = game.rules.get("start_points", 25_000)
    rows = [(start,) * len(_SEATS)]
    for hand in game.hands:
        rows.append(_after(rows[-1], hand["results"]))
    return rows


def _after(before: tuple[int, ...], results: Sequence[dict[str, Any]]) -> tuple[int, ...]:
    if results and "scores" in results[-1]:
        return tuple(results[-1]["scores"])
    return tuple(
        points + sum(int(result["deltas"][seat]) for result in results)
        for seat, points in enumerate(before)
    )


async def games_of(
    person: UUID, *, only_public: bool, preset: str | None = None, page: int = 1
) -> tuple[list[ListedGame], bool]:
    """Return a page of that person's games, the latest first, and whether there are more."""
    first = (page - 1) * GAMES_PER_PAGE
    rows = GamePlayer.objects.filter(person_id=person).order_by("-ended_at", "-game_id")
    rows = filter_rows(rows, only_public=only_public, preset=preset)
    query = rows.select_related("game").defer("game__hands")
    query = query.prefetch_related("game__seats")
    found = [part async for part in query[first : first + GAMES_PER_PAGE + 1]]
    return [_game_row(part) for part in found[:GAMES_PER_PAGE]], len(found) > GAMES_PER_PAGE


async def chart_places(
    person: UUID, *, only_public: bool, preset: str | None = None
) -> Chart | None:
    """Chart the places in the latest games; None for fewer than two games."""
    rows = GameSeat.objects.filter(person_id=person, is_broken_off=False)
    rows = filter_rows(rows, only_public=only_public, preset=preset)
    rows = rows.order_by("-ended_at", "-game_id")
    places = [place async for place in rows.values_list("place", flat=True)[:GAMES_IN_CHART]]
    if len(places) < 2:
        return None
    return place_chart(places[::-1], [place_name(place) for place in range(1, 5)])


def _game_row(part: GamePlayer) -> ListedGame:
    game = part.game
    seats = sorted(game.seats.all(), key=lambda one: one.place)
    own = next(one for one in seats if one.seat == part.seat)
    has_place = part.has_result and not game.is_broken_off
    if has_place:
        place = place_name(own.place)
    else:
        place = _("Broken off") if game.is_broken_off else _("Took over a seat")
    return ListedGame(
        table_id=game.pk,
        ended_at=game.ended_at,
        rules=rules_name(game.rules, game.preset),
        place=own.place if has_place else 0,
        place_name=place,
        score=format_number(own.score) if part.has_result else "",
        points=format_signed(own.points, 1) if has_place else "",
        others=tuple(player_name(one.name) for one in seats if one.person_id != part.person_id),
        is_public=game.is_public,
        is_absent=part.has_result and own.is_absent,
    )


def _is_person(row: GameSeat | GamePlayer, person: str) -> bool:
    return bool(person) and str(row.person_id) == person
