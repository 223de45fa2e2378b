"""Distributes the winds of several rounds: in each four rounds a player has every wind once.

That is an edge colouring of a bipartite graph. Its nodes are the tables and the players of four
rounds, its edges the seats, its colours the winds. No node has more than four edges, and so four
colours suffice (Kőnig's theorem).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

_WINDS: Final = 4


def share_winds(
    rounds: Sequence[Sequence[Sequence[int]]], rng: Random
) -> list[list[tuple[int, int, int, int]]]:
    """Return the tables with their players in the order East, South, West, North. The counts of a
    player's winds differ by one at most."""
    shared = list[list[tuple[int, int, int, int]]]()
    for first in range(0, len(rounds), _WINDS):
        shared += _colour(rounds[first : first + _WINDS], rng)
    return shared


def _colour(
    rounds: Sequence[Sequence[Sequence[int]]], rng: Random
) -> list[list[tuple[int, int, int, int]]]:
    """Colour the seats of four rounds at most."""
    at_table: dict[tuple[int, int], dict[int, int]] = {}
    at_player: dict[int, dict[int, tuple[int, int]]] = {}
    seats = [
        ((number, at), player)
        for number, tables in enumerate(rounds)
        for at, players in enumerate(tables)
        for player in players
    ]
    rng.shuffle(seats)
    for table, player in seats:
        winds, own = at_table.setdefault(table, {}), at_player.setdefault(player, {})
        wind = _free(winds, rng)
        if wind in own:
            _exchange(at_table, at_player, player, wind, _free(own, rng))
        winds[wind], own[wind] = player, table
    return [
        [
            (row[0], row[1], row[2], row[3])
            for row in (at_table[number, at] for at in range(len(tables)))
        ]
        for number, tables in enumerate(rounds)
    ]


def _free(
    used: dict[int, object] | dict[int, int] | dict[int, tuple[int, int]], rng: Random
) -> int:
    return rng.choice([wind for wind in range(_WINDS) if wind not in used])


def _exchange(
    at_table: dict[tuple[int, int], dict[int, int]],
    at_player: dict[int, dict[int, tuple[int, int]]],
    player: int,
    wind: int,
    other: int,
) -> None:
    """Free `wind` of the player: exchange the two winds along the path that begins with it."""
    path = list[tuple[tuple[int, int], int, int]]()
    at, current = player, wind
    while current in at_player[at]:
        table = at_player[at][current]
        path.append((table, at, current))
        current = other if current == wind else wind
        if current not in at_table[table]:
            break
        at = at_table[table][current]
        path.append((table, at, current))
        current = other if current == wind else wind
    for table, seated, colour in path:
        del at_table[table][colour]
        del at_player[seated][colour]
    for table, seated, colour in path:
        changed = other if colour == wind else wind
        at_table[table][changed] = seated
        at_player[seated][changed] = table
