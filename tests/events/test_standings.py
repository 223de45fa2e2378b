"""The standings of a league agree with a plain recount."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest

from lobby.events.standings import (
    TIE_BREAKS,
    Result,
    StandingsRow,
    Terms,
    event_standings,
    team_standings,
)

POINTS = [Decimal("45.5"), Decimal("5"), Decimal("-15.5"), Decimal("-35")]


def test_criteria_decide_in_turn_between_equal_players() -> None:
    points = {
        "a": [(2, "10"), (2, "10"), (2, "10")],
        "b": [(1, "20"), (1, "20"), (4, "-10")],
        "c": [(1, "25"), (1, "15"), (4, "-10")],
        "d": [(3, "30"), (3, "0"), (3, "0")],
        "e": [(3, "30"), (3, "0"), (3, "0")],
    }
    games = [
        [Result(player, own[at][0], Decimal(own[at][1])) for player, own in points.items()]
        for at in range(3)
    ]
    shared = event_standings(games, Terms("points"))
    assert [row.place for row in shared] == [1, 1, 1, 1, 1]
    broken = event_standings(games, Terms("points", tie_breaks=TIE_BREAKS))
    # a, b and c have the same average place; b and c have more first places, c the best game
    assert [(row.player, row.place) for row in broken] == [
        *(("c", 1), ("b", 2), ("a", 3)),
        *(("d", 4), ("e", 4)),
    ]


def season(seed: int, games: int = 40, players: int = 12) -> list[list[Result]]:
    rng = Random(seed)
    names = [f"p{number:02}" for number in range(players)]
    found = []
    for _ in range(games):
        four = rng.sample(names, 4)
        shift = Decimal(rng.randrange(-50, 50)) / 10
        found.append(
            [
                Result(name, place, POINTS[place - 1] + (shift if place in (1,) else 0))
                for place, name in enumerate(four, start=1)
            ]
        )
    return found


@pytest.mark.parametrize("ranking", ["points", "places"])
@pytest.mark.parametrize(("least", "most", "best"), [(0, 0, 0), (10, 12, 8), (0, 5, 0), (14, 0, 3)])
def test_standings_equal_a_plain_recount(ranking: str, least: int, most: int, best: int) -> None:
    games = season(3)
    rows = event_standings(games, Terms(ranking, least, most, best))  # type: ignore[arg-type]
    values = {}
    for row in rows:
        own = [result for game in games for result in game if result.player == row.player]
        assert row.played == len(own)
        counted = own[:most] if most else own
        if ranking == "points":
            counted = sorted(counted, key=lambda result: result.points, reverse=True)
        else:
            counted = sorted(counted, key=lambda result: (result.place, -result.points))
        counted = counted[:best] if best else counted
        total = sum(result.points for result in counted)
        mean = Fraction(sum(result.place for result in counted), len(counted))
        assert (row.counted, row.points, row.mean_place) == (len(counted), total, mean)
        assert row.places == tuple(
            len([result for result in counted if result.place == place]) for place in (1, 2, 3, 4)
        )
        if row.played >= least:
            values[row.player] = -total if ranking == "points" else mean
    assert [row.place for row in rows if row.player not in values] == [None] * (
        len(rows) - len(values)
    )
    for row in rows:
        if row.player in values:
            better = [value for value in values.values() if value < values[row.player]]
            assert row.place == 1 + len(better)


def places_of(rows: list[StandingsRow]) -> dict[str, int | None]:
    return {row.player: row.place for row in rows}


def test_equal_players_share_a_place() -> None:
    games = [
        [Result(name, place, POINTS[place - 1]) for place, name in enumerate(order, start=1)]
        for order in ("abcd", "bacd")
    ]
    for ranking in ("points", "places"):
        rows = event_standings(games, Terms(ranking))
        assert places_of(rows) == {"a": 1, "b": 1, "c": 3, "d": 4}


def test_players_with_too_few_games_follow_without_a_place() -> None:
    games = [
        [Result("a", 1, POINTS[0]), Result("b", 4, POINTS[3])],
        [Result("b", 2, POINTS[1])],
    ]
    rows = event_standings(games, Terms("points", min_games=2))
    assert [(row.player, row.place) for row in rows] == [("b", 1), ("a", None)]


def test_games_after_the_greatest_number_do_not_count() -> None:
    games = [[Result("a", place, POINTS[place - 1])] for place in (4, 4, 1)]
    (row,) = event_standings(games, Terms("points", max_games=2))
    assert (row.points, row.counted, row.played) == (Decimal(-70), 2, 3)


def test_no_games_give_no_standings() -> None:
    assert event_standings([], Terms("points")) == []


@pytest.mark.parametrize("ranking", ["points", "places"])
def test_teams_equal_a_plain_recount_of_their_games(ranking: str) -> None:
    terms = Terms(ranking, 0, 12, 8)  # type: ignore[arg-type]
    rows = event_standings(season(5), terms)
    teams = {f"team {at}": [f"p{at:02}", f"p{at + 4:02}", f"p{at + 8:02}"] for at in range(4)}
    found = team_standings(rows, teams, terms)
    values = {}
    for row in found:
        own = [own_row for own_row in rows if own_row.player in teams[row.player]]
        assert row.points == sum(own_row.points for own_row in own)
        assert row.counted == sum(own_row.counted for own_row in own)
        placed = sum(
            place * sum(own_row.places[place - 1] for own_row in own) for place in (1, 2, 3, 4)
        )
        assert row.mean_place == Fraction(placed, row.counted)
        values[row.player] = -row.points if ranking == "points" else row.mean_place
    assert len(found) == 4
    for row in found:
        assert row.place == 1 + sum(value < values[row.player] for value in values.values())


def test_equal_teams_share_a_place_unless_criteria_decide() -> None:
    games = [
        [Result(name, place, POINTS[place - 1]) for place, name in enumerate(order, start=1)]
        for order in ("abcd", "dcba")
    ]
    teams = {"one": ["a", "d"], "two": ["b", "c"], "three": ["x"], "four": []}
    shared = team_standings(event_standings(games, Terms("places")), teams, Terms("places"))
    assert places_of(shared) == {"one": 1, "two": 1, "three": None, "four": None}
    terms = Terms("places", tie_breaks=TIE_BREAKS)
    broken = team_standings(event_standings(games, terms), teams, terms)
    assert places_of(broken) == {"one": 1, "two": 2, "three": None, "four": None}


def test_penalties_of_the_players_count_for_the_team() -> None:
    games = [[Result("a", 1, Decimal(30)), Result("b", 2, Decimal(10))]]
    rows = event_standings(games, Terms("points"), {"a": Decimal(20), "c": Decimal(5)})
    (team,) = team_standings(rows, {"one": ["a", "b", "c"]}, Terms("points"))
    assert (team.points, team.deducted, team.counted) == (Decimal(15), Decimal(25), 2)
