"""A list of tables of four at which everybody plays the same number of games and pairs meet equally
often, as far as the search finds such.

Nobody is told when to play, so the tables form no rounds, and the number of players need not be a
multiple of four.
"""

from __future__ import annotations

import math
from itertools import combinations
from random import Random
from typing import Final

from lobby.events.balanced import balanced_groups

_SEATS: Final = 4
_SWAPS: Final = 120_000
_SWAPS_PER_PLAYER: Final = 2_000
"""Steps of the search, at most."""
_HOT: Final = 0.9
_COLD: Final = 0.12


def games_step(players: int) -> int:
    """Return the number whose multiples everybody can play, so that all tables are full."""
    return _SEATS // math.gcd(players, _SEATS)


def fixture_tables(players: int, games: int, rng: Random) -> list[list[int]]:
    """Return the tables: players from 1. `players` is at least four, `games` a multiple of
    `games_step(players)`."""
    if players < _SEATS or games % games_step(players):
        raise ValueError(f"{players} players cannot play {games} games each")
    order = list(range(1, players + 1))
    rng.shuffle(order)
    dealt = order * games
    tables = [dealt[at : at + _SEATS] for at in range(0, len(dealt), _SEATS)]
    if players % _SEATS == 0:
        seated = [table for one in balanced_groups(players, games, rng) for table in one]
        if _share_meetings(seated, players, rng, swaps=0) <= _share_meetings(tables, players, rng):
            tables = seated
    else:
        _share_meetings(tables, players, rng)
    rng.shuffle(tables)
    return tables


def _share_meetings(tables: list[list[int]], players: int, rng: Random, swaps: int = _SWAPS) -> int:
    """Swap players of two tables until few pairs meet more often than others: simulated annealing
    of so many steps at most. Return the repeated meetings."""
    met = [[0] * (players + 1) for _ in range(players + 1)]
    for table in tables:
        for a, b in combinations(table, 2):
            met[a][b] += 1
            met[b][a] += 1
    cost = sum(m * (m - 1) // 2 for row in met for m in row) // 2
    each, more = divmod(6 * len(tables), players * (players - 1) // 2)
    fewest = players * (players - 1) // 2 * (each * (each - 1) // 2) + more * each
    swaps = min(swaps, _SWAPS_PER_PLAYER * players)
    for step in range(swaps):
        if cost <= fewest or len(tables) == 1:
            break
        here, there = rng.sample(tables, 2)
        at, to = rng.randrange(_SEATS), rng.randrange(_SEATS)
        one, two = here[at], there[to]
        if one in there or two in here:
            continue
        change = _replace(met, here, at, two) + _replace(met, there, to, one)
        heat = _HOT * (_COLD / _HOT) ** (step / swaps)
        if change <= 0 or rng.random() < math.exp(-change / heat):
            cost += change
        else:
            _replace(met, here, at, one)
            _replace(met, there, to, two)
    return cost


def _replace(met: list[list[int]], table: list[int], at: int, player: int) -> int:
    """Put the player on that seat. Return by how much that changes the repeated meetings: of a pair
    that meets `m` times, m (m - 1) / 2."""
    before, change = table[at], 0
    for place, other in enumerate(table):
        if place != at:
            change += met[player][other] - met[before][other] + 1
            for one, step in ((before, -1), (player, 1)):
                met[one][other] += step
                met[other][one] += step
    table[at] = player
    return change
