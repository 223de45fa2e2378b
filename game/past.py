"""What pages show of finished games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

from game.charts import Chart, place_chart, score_chart
from game.engine.commands import EndGame
from game.models import Game, GameSeat
from game.records.own import OwnGame, own_game
from game.rooms.archive import game_commits
from game.told import (
    details,
    ending,
    hand_name,
    place_name,
    plain,
    player_name,
    rules_name,
    signed,
)

GAMES_PER_PAGE: Final = 20
GAMES_IN_CHART: Final = 30
_SEATS: Final = range(4)


@dataclass(frozen=True, slots=True)
class Delta:
    """Points won or lost."""

    value: int

    @property
    def text(self) -> str:
        """With its sign; nothing is a dash."""
        return signed(self.value) if self.value else "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Ending:
    """One of the ways in which a hand ended: with several winners there are as many."""

    text: str
    details: str


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A line in the list of a finished game's hands."""

    round: str
    endings: tuple[Ending, ...]
    deltas: tuple[Delta, ...]
    """Riichi sticks laid are in them."""
    scores: tuple[int, ...]
    """After the hand."""


@dataclass(frozen=True, slots=True)
class RankedSeat:
    """A line of a final ranking."""

    seat: int
    place: int
    name: str
    bot: bool
    is_you: bool
    person: UUID | None
    """Where there is a page of theirs."""
    score: int
    points: str


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A line in the list of somebody's games."""

    table_id: str
    ended_at: datetime
    rules: str
    place: int
    place_name: str
    score: str
    points: str
    others: tuple[str, ...]
    is_public: bool


async def finished_game(table_id: str) -> Game | None:
    """The game that was played at that table, with its seats."""
    query = Game.objects.defer("log").prefetch_related("seats")
    return await query.filter(pk=table_id).afirst()


def recorded(game: Game, names: Sequence[str]) -> OwnGame:
    """The game as records tell it. Reads its log from the database. Raises `CannotHold` if
    there is nothing to tell."""
    commits = game_commits(game)
    one, two, three, four = names
    return own_game(
        (event for commit in commits for event in commit.events),
        (one, two, three, four),
        is_broken_off=any(
            isinstance(command, EndGame) for commit in commits for command in commit.commands
        ),
    )


def may_see(game: Game, seats: Sequence[GameSeat], person: str) -> bool:
    """A game of a private table is for those who played it."""
    return game.is_public or any(_is(seat, person) for seat in seats)


def ranking(seats: Sequence[GameSeat], person: str, listed: frozenset[UUID]) -> list[RankedSeat]:
    """The final ranking, the winner first. `listed` are those who have a page."""
    return [
        RankedSeat(
            seat=seat.seat,
            place=seat.place,
            name=player_name(seat.name),
            bot=bool(seat.bot),
            is_you=_is(seat, person),
            person=seat.person_id if seat.person_id in listed else None,
            score=seat.score,
            points=signed(seat.points, 1),
        )
        for seat in sorted(seats, key=lambda seat: seat.place)
    ]


def played_hands(game: Game, names: Sequence[str]) -> list[PlayedHand]:
    """What happened, hand by hand."""
    rows = _scores(game)
    return [
        PlayedHand(
            round=hand_name(hand["kyoku"], hand["honba"]),
            endings=tuple(
                Ending(ending(one, names), details(one, names)) for one in hand["results"]
            ),
            deltas=tuple(Delta(after[seat] - before[seat]) for seat in _SEATS),
            scores=after,
        )
        for hand, (before, after) in zip(game.hands, pairwise(rows), strict=True)
    ]


def chart_of_scores(game: Game, names: Sequence[str]) -> Chart | None:
    """How the points went; None if no hand was played."""
    rows = _scores(game)
    hands = [hand_name(hand["kyoku"], hand["honba"]) for hand in game.hands]
    return score_chart(names, rows, hands, rows[0][0]) if hands else None


def _scores(game: Game) -> list[tuple[int, ...]]:
    """The points at the start and after each hand."""
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
    """A page of somebody's games, the last one first, and whether there are more."""
    first = (page - 1) * GAMES_PER_PAGE
    rows = _seats_of(person, only_public=only_public, preset=preset)
    query = rows.select_related("game").defer("game__log", "game__hands")
    query = query.prefetch_related("game__seats")
    found = [seat async for seat in query[first : first + GAMES_PER_PAGE + 1]]
    return [_listed(seat) for seat in found[:GAMES_PER_PAGE]], len(found) > GAMES_PER_PAGE


async def chart_of_places(
    person: UUID, *, only_public: bool, preset: str | None = None
) -> Chart | None:
    """The places of the last games; None for somebody who has hardly played."""
    rows = _seats_of(person, only_public=only_public, preset=preset)
    places = [place async for place in rows.values_list("place", flat=True)[:GAMES_IN_CHART]]
    if len(places) < 2:
        return None
    return place_chart(places[::-1], [place_name(place) for place in range(1, 5)])


def _seats_of(person: UUID, *, only_public: bool, preset: str | None) -> Any:
    rows = GameSeat.objects.filter(person_id=person).order_by("-game__ended_at", "-game_id")
    if only_public:
        rows = rows.filter(game__is_public=True)
    return rows if preset is None else rows.filter(game__preset=preset)


def _listed(seat: GameSeat) -> ListedGame:
    game = seat.game
    others = sorted(game.seats.all(), key=lambda one: one.place)
    return ListedGame(
        table_id=game.pk,
        ended_at=game.ended_at,
        rules=rules_name(game.rules, game.preset),
        place=seat.place,
        place_name=place_name(seat.place),
        score=plain(seat.score),
        points=signed(seat.points, 1),
        others=tuple(player_name(one.name) for one in others if one.pk != seat.pk),
        is_public=game.is_public,
    )


def _is(seat: GameSeat, person: str) -> bool:
    return bool(person) and str(seat.person_id) == person
