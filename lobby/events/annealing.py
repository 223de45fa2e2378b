"""Simulated annealing of tables: players change places until few pairs meet more often than others.

The number of steps is bounded, so that the result depends on the seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import combinations
from random import Random
from typing import Final

_STEPS: Final = 120_000
_STEPS_PER_PLAYER: Final = 2_000
_START_TEMPERATURE: Final = 0.9
_END_TEMPERATURE: Final = 0.12
_APART: Final = 20
"""The earlier meetings of a pair that must not meet, as the search counts them."""

Groups = list[list[int]]
"""Tables of equally many players, who are numbers from 1, without winds."""


def cut_into_tables(players: Sequence[int], table_size: int) -> Groups:
    """Cut the list of players into tables of `table_size`, in this order."""
    return [list(players[at : at + table_size]) for at in range(0, len(players), table_size)]


def even_out_meetings(
    rounds: Sequence[Groups],
    fixed: int,
    players: int,
    rng: Random,
    apart: Collection[tuple[int, int]] = (),
) -> None:
    """Change the seats of `rounds` in place, by swaps of two players within a round, so that pairs
    meet about equally often. The first `fixed` rounds stay as they are. No player sits twice at
    one table. A pair of `apart` counts as one that has met often.
    """
    if all(len(tables) == 1 for tables in rounds[fixed:]):
        return
    met = _meetings(rounds, players)
    table_size = len(rounds[fixed][0])
    repeats = count_repeats(rounds, players)
    fewest = fewest_repeats(sum(map(len, rounds)), table_size, players)
    for a, b in apart:
        repeats += _APART * met[a][b]
        met[a][b] += _APART
        met[b][a] += _APART
    steps = min(_STEPS, _STEPS_PER_PLAYER * players)
    for step in range(steps):
        if repeats <= fewest:
            break
        temperature = _START_TEMPERATURE * (_END_TEMPERATURE / _START_TEMPERATURE) ** (step / steps)
        one, other = rng.sample(rounds[rng.randrange(fixed, len(rounds))], 2)
        at, to = rng.randrange(table_size), rng.randrange(table_size)
        if one[at] in other or other[to] in one:
            continue
        change = _swap_cost(met, one, at, other, to)
        if change <= 0 or rng.random() < math.exp(-change / temperature):
            _swap_players(met, one, at, other, to)
            repeats += change


def count_repeats(rounds: Sequence[Groups], players: int) -> int:
    """Count the repeated meetings in these rounds: m (m - 1) / 2 for a pair that meets
    `m` times.
    """
    return sum(m * (m - 1) // 2 for row in _meetings(rounds, players) for m in row) // 2


def fewest_repeats(tables: int, table_size: int, players: int) -> int:
    """Return a lower bound of `count_repeats`: the number if all pairs met equally often."""
    pairs = players * (players - 1) // 2
    each, more = divmod(tables * math.comb(table_size, 2), pairs)
    return pairs * (each * (each - 1) // 2) + more * each


def _meetings(rounds: Sequence[Groups], players: int) -> list[list[int]]:
    """Return a matrix: how often players `i` and `j` meet."""
    met = [[0] * (players + 1) for _ in range(players + 1)]
    for tables in rounds:
        for table in tables:
            for a, b in combinations(table, 2):
                met[a][b] += 1
                met[b][a] += 1
    return met


def _swap_cost(
    met: list[list[int]], table: list[int], place: int, other_table: list[int], other_place: int
) -> int:
    """Return by how much the swap of `table[place]` and `other_table[other_place]` changes the
    number of repeated meetings.
    """
    met_by_one, met_by_other = met[table[place]], met[other_table[other_place]]
    change = 0
    for index in range(len(table)):
        # A player who sits at both tables meets the others before and after the swap.
        if index != place and (player := table[index]) not in other_table:
            change += met_by_other[player] - met_by_one[player] + 1
        if index != other_place and (player := other_table[index]) not in table:
            change += met_by_one[player] - met_by_other[player] + 1
    return change


def _swap_players(
    met: list[list[int]], table: list[int], place: int, other_table: list[int], other_place: int
) -> None:
    """Swap the players of the two places, and update their meetings in `met`."""
    for players, index in ((table, place), (other_table, other_place)):
        _add_meetings(met, players, index, -1)
    table[place], other_table[other_place] = other_table[other_place], table[place]
    for players, index in ((table, place), (other_table, other_place)):
        _add_meetings(met, players, index, 1)


def _add_meetings(met: list[list[int]], table: list[int], place: int, step: int) -> None:
    """Add `step` to the meetings of the player on that seat with the others at the table."""
    player = table[place]
    for other in table:
        if other != player:
            met[player][other] += step
            met[other][player] += step
