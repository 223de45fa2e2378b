"""Makes a list of tables of four at which everybody plays the same number of games, and pairs meet
equally often as far as the search finds it.

There are no rounds, because players agree on times themselves. So the number of players need not be
a multiple of four.
"""

from __future__ import annotations

import math
from random import Random

from lobby.events.annealing import SEATS, count_repeats, share_meetings
from lobby.events.balanced import balanced_groups


def games_step(players: int) -> int:
    """Return the number whose multiples everybody can play, so that all tables are full."""
    return SEATS // math.gcd(players, SEATS)


def fixture_tables(players: int, games: int, rng: Random) -> list[list[int]]:
    """Return the tables: players from 1. `players` is at least four, `games` a multiple of
    `games_step(players)`."""
    if players < SEATS or games % games_step(players):
        raise ValueError(f"{players} players cannot play {games} games each")
    order = list(range(1, players + 1))
    rng.shuffle(order)
    dealt = order * games
    tables = [dealt[at : at + SEATS] for at in range(0, len(dealt), SEATS)]
    share_meetings([tables], 0, players, rng)
    if players % SEATS == 0:
        seated = [table for group in balanced_groups(players, games, rng) for table in group]
        tables = min(seated, tables, key=lambda tables: count_repeats([tables], players))
    rng.shuffle(tables)
    return tables
