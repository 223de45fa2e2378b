"""Keeps pairs of players apart, such as members of one family: players exchange their places in
planned rounds until no such pair meets.

The search is bounded by a number of steps, so that the result depends on the seed alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from random import Random
from typing import Final

Pair = tuple[int, int]
_STEPS: Final = 1_500
_COMPARISONS: Final = 1_000_000
"""The most meetings that are compared, so that a thousand players take about two seconds."""
_ANY_PLACE: Final = 0.2
"""The share of steps in a dead end that exchange with any player."""


def find_places(
    rounds: Sequence[Sequence[Sequence[int]]],
    apart: Iterable[Pair],
    rng: Random,
    order: Sequence[int] = (),
) -> dict[int, int]:
    """Exchange players so that no pair of `apart` meets in these rounds, or as few as the search
    finds. Map each player to the player whose places they take in all rounds.

    Players exchange with others who stand near to them in `order`; if `order` is empty, with
    anybody.
    """
    met = _meetings(rounds)
    players = sorted(met)
    partners: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in apart:
        if a in met and b in met:
            partners[a].add(b)
            partners[b].add(a)
    rank = {player: at for at, player in enumerate(order)}
    place = {player: player for player in players}
    best, fewest = dict(place), -1
    width = len(players) * (1 + max(map(len, partners.values()), default=0))
    for _ in range(min(_STEPS, _COMPARISONS // max(1, width))):
        cost = {
            player: _count_forbidden(player, place, partners, met) for player in sorted(partners)
        }
        unhappy = [player for player, meetings in cost.items() if meetings]
        if fewest < 0 or sum(cost.values()) < fewest:
            best, fewest = dict(place), sum(cost.values())
        if not unhappy:
            break
        player = rng.choice(unhappy)
        others = [other for other in players if other != player]
        rng.shuffle(others)
        change, _, other = min(
            (
                (
                    _cost_of_exchange(player, other, place, partners, met),
                    abs(rank.get(other, 0) - rank.get(player, 0)),
                    other,
                )
                for other in others
            ),
            key=lambda row: row[:2],
        )
        if change >= 0 and rng.random() < _ANY_PLACE:
            other = others[0]
        _exchange_places(player, other, place)
    return best


def keep_apart(
    rounds: Sequence[Sequence[Sequence[int]]],
    apart: Iterable[Pair],
    rng: Random,
    order: Sequence[int] = (),
) -> list[list[list[int]]]:
    """Return these rounds after the exchanges of `find_places`."""
    places = find_places(rounds, apart, rng, order)
    player = {place: player for player, place in places.items()}
    return [[[player[place] for place in table] for table in tables] for tables in rounds]


def pairs_at(table: Sequence[int], apart: Iterable[Pair]) -> list[Pair]:
    """Return the pairs of `apart` of which both players sit at this table."""
    return [(a, b) for a, b in apart if a in table and b in table]


def _meetings(rounds: Sequence[Sequence[Sequence[int]]]) -> dict[int, Counter[int]]:
    """Map each place to the places that it meets, with the number of meetings."""
    met = {player: Counter[int]() for tables in rounds for player in chain.from_iterable(tables)}
    for tables in rounds:
        for table in tables:
            for a, b in combinations(table, 2):
                met[a][b] += 1
                met[b][a] += 1
    return met


def _count_forbidden(
    player: int,
    place: Mapping[int, int],
    partners: Mapping[int, set[int]],
    met: Mapping[int, Counter[int]],
) -> int:
    """Count how often the player meets somebody whom they must not meet."""
    own = met[place[player]]
    return sum(own[place[other]] for other in partners.get(player, ()))


def _cost_of_exchange(
    one: int,
    other: int,
    place: dict[int, int],
    partners: Mapping[int, set[int]],
    met: Mapping[int, Counter[int]],
) -> int:
    """Return by how much the exchange of these players changes their forbidden meetings."""
    before = _count_forbidden(one, place, partners, met) + _count_forbidden(
        other, place, partners, met
    )
    _exchange_places(one, other, place)
    after = _count_forbidden(one, place, partners, met) + _count_forbidden(
        other, place, partners, met
    )
    _exchange_places(one, other, place)
    return after - before


def _exchange_places(one: int, other: int, place: dict[int, int]) -> None:
    place[one], place[other] = place[other], place[one]
