"""Pairs that must not meet, in random fields: no method of seating lets them meet while there are
seats without such a meeting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from random import Random

import pytest

from lobby.events.apart import Pair, find_places, keep_apart
from lobby.events.seating import Method, Round, plan_rounds

METHODS: tuple[Method, ...] = ("random", "swiss", "interval", "balanced")


def meetings(rounds: list[Round], apart: list[Pair]) -> list[Pair]:
    """Return the pairs that meet although they must not, once for each meeting."""
    return [
        pair
        for tables in rounds
        for table in tables
        for pair in apart
        if pair[0] in table and pair[1] in table
    ]


def families(players: int, rng: Random) -> list[Pair]:
    """Draw families of two or three, to which about half of the players belong."""
    drawn = rng.sample(range(1, players + 1), players // 2)
    pairs = list[Pair]()
    while drawn:
        family = [drawn.pop() for _ in range(min(len(drawn), rng.choice((2, 2, 3))))]
        pairs += combinations(family, 2)
    return pairs


def seats_everybody(rounds: list[Round], players: int) -> bool:
    wanted = list(range(1, players + 1))
    return all(sorted(chain.from_iterable(tables)) == wanted for tables in rounds)


@pytest.mark.parametrize("method", METHODS)
def test_families_never_meet(method: Method) -> None:
    """Sixteen players or more are always room enough for families of two and three."""
    rng = Random(method)
    for turn in range(12):
        size = 3 + turn % 2
        players = size * rng.randint(18 // size, 16)
        rounds, apart = rng.randint(1, 6), families(players, rng)
        standing = rng.sample(range(1, players + 1), players) if method != "balanced" else ()
        found = plan_rounds(
            method, players, size, rounds, rng.randrange(1_000), standing=standing, apart=apart
        )
        assert seats_everybody(found, players)
        assert not meetings(found, apart), (players, rounds, apart)


def partitions(players: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to seat these players at tables of four."""
    if not players:
        yield []
        return
    first, *others = players
    for table in combinations(others, 3):
        rest = tuple(player for player in others if player not in table)
        for tables in partitions(rest):
            yield [(first, *table), *tables]


@pytest.mark.parametrize("method", ["random", "swiss", "interval"])
@pytest.mark.parametrize("players", [8, 12])
def test_search_finds_seats_whenever_there_are_some(method: Method, players: int) -> None:
    """A round is compared with all possible rounds; where no round is without a meeting, the search
    finds one of the fewest."""
    rng = Random(players)
    possible = list(partitions(tuple(range(1, players + 1))))
    pairs = list(combinations(range(1, players + 1), 2))
    for _ in range(12):
        apart = rng.sample(pairs, rng.randint(1, 2 * players))
        fewest = min(
            sum(a in table and b in table for table in tables for a, b in apart)
            for tables in possible
        )
        found = plan_rounds(method, players, 4, 1, rng.randrange(1_000), apart=apart)
        assert len(meetings(found, apart)) == fewest


@pytest.mark.parametrize(("players", "rounds"), [(24, 6), (28, 8), (36, 10), (40, 12), (64, 8)])
def test_exchanged_numbers_keep_a_design_without_repeated_meetings(
    players: int, rounds: int
) -> None:
    rng = Random(players)
    drawn = rng.sample(range(1, players + 1), 8)
    apart = [(drawn[at], drawn[at + 1]) for at in range(0, 8, 2)]
    found = plan_rounds("balanced", players, 4, rounds, 3, apart=apart)
    met = Counter(
        pair for tables in found for table in tables for pair in combinations(sorted(table), 2)
    )
    assert seats_everybody(found, players)
    assert not meetings(found, apart)
    assert max(met.values()) == 1


def test_full_design_gives_up_only_the_rounds_of_the_pairs() -> None:
    """In nine rounds of 28 players everybody meets everybody, so that a pair can be kept apart only
    by another round."""
    found = plan_rounds("balanced", 28, 4, 9, 1, apart=[(3, 17)])
    assert seats_everybody(found, 28)
    assert not meetings(found, [(3, 17)])
    met = Counter(
        pair for tables in found for table in tables for pair in combinations(sorted(table), 2)
    )
    kept = [
        tables
        for tables in found
        if all(met[pair] == 1 for table in tables for pair in combinations(sorted(table), 2))
    ]
    assert sum(count - 1 for count in met.values()) <= 12
    assert len(found) == 9
    assert len(kept) < 9


@pytest.mark.parametrize("method", METHODS)
def test_later_rounds_of_other_players_keep_pairs_apart(method: Method) -> None:
    """Player 3 has left, and 17 and 18 have come late."""
    rng = Random(5)
    played = plan_rounds(method, 16, 4, 2, 1)
    players = [*(player for player in range(1, 17) if player != 3), 17]
    rng.shuffle(players)
    apart = [(17, 1), (2, 4), (5, 6)]
    found = plan_rounds(method, 16, 4, 3, 7, standing=players, played=played, apart=apart)
    for tables in found:
        assert sorted(chain.from_iterable(tables)) == sorted(players)
    assert not meetings(found, apart)


def test_exchanges_prefer_neighbours_of_the_standing() -> None:
    order = list(range(1, 33))
    tables = [order[at : at + 4] for at in range(0, 32, 4)]
    (found,) = keep_apart([tables], [(15, 16)], Random(1), order)
    moved = [one for at, table in enumerate(found) for one in table if one not in tables[at]]
    assert len(moved) == 2
    assert max(moved) - min(moved) <= 3


def test_search_ends_where_pairs_have_to_meet() -> None:
    """An unbounded search would run into the time limit of the test."""
    everybody = list(combinations(range(1, 201), 2))
    tables = [[list(range(at, at + 4)) for at in range(1, 1_025, 4)]]
    assert len(find_places(tables, everybody, Random(1))) == 1_024
    assert sorted(find_places([[[1, 2, 3, 4]]], [(1, 2)], Random(1))) == [1, 2, 3, 4]
