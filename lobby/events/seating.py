"""The methods of seating: random, Swiss, interval, prescribed and balanced.

A round is a list of tables; a table has its players in the order of their winds, East first. All
tables of an event have equally many players, `table_size`. Players are numbers from 1. All
functions are deterministic for a seed and end after a bounded search.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Final, Literal

from game.engine.by_seat import BySeat
from lobby.events.annealing import cut_into_tables
from lobby.events.apart import Pair, keep_apart
from lobby.events.balanced import plan_balanced_groups, plan_further_groups


def assign_winds(rounds: Sequence[Sequence[Sequence[int]]], rng: Random) -> list[list[BySeat[int]]]:
    """Return the tables with their players in the order of their winds. The counts of a player's
    winds differ by one at most."""
    winds = len(rounds[0][0]) if rounds else 1
    shared = list[list[BySeat[int]]]()
    for first in range(0, len(rounds), winds):
        shared += _share_each_wind_once(rounds[first : first + winds], winds, rng)
    return shared


def _share_each_wind_once(
    rounds: Sequence[Sequence[Sequence[int]]], wind_count: int, rng: Random
) -> list[list[BySeat[int]]]:
    """Seat each player with a different wind in each of these rounds, which are at most as many as
    the winds. This colours the edges of a graph of tables and players.
    """
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
        wind = _find_free_wind(winds, wind_count, rng)
        if wind in own:
            _exchange_winds(
                at_table, at_player, player, wind, _find_free_wind(own, wind_count, rng)
            )
        winds[wind], own[wind] = player, table
    return [
        [
            tuple(row[wind] for wind in range(wind_count))
            for row in (at_table[number, at] for at in range(len(tables)))
        ]
        for number, tables in enumerate(rounds)
    ]


def _find_free_wind(used: Collection[int], wind_count: int, rng: Random) -> int:
    return rng.choice([wind for wind in range(wind_count) if wind not in used])


def _exchange_winds(
    at_table: dict[tuple[int, int], dict[int, int]],
    at_player: dict[int, dict[int, tuple[int, int]]],
    player: int,
    wind: int,
    other: int,
) -> None:
    """Free `wind` for the player: exchange `wind` and `other` along the alternating path of seats
    that begins at the player.
    """
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


MAX_PLAYERS: Final = 1024
MAX_ROUNDS: Final = 64
_NEVER: Final = 1_000
"""The earlier meetings of a pair that must not meet, as `swiss_round` counts them."""

Seats = BySeat[int]
"""The players of a table by wind, East first."""
Round = list[Seats]
Method = Literal["random", "swiss", "interval", "prescribed", "balanced"]
Fill = Literal["refuse", "substitutes", "bots", "sit_out"]
"""What to do if the players do not fill the tables: refuse them, give the leftover seats to
substitutes or bots, or let players sit out by turns."""
_WINDS: Final = ("east", "south", "west", "north")


def csv_columns(table_size: int) -> tuple[str, ...]:
    """Return the columns of prescribed seats."""
    return ("round", "table", *_WINDS[:table_size])


class SeatingError(ValueError):
    """The numbers or the prescribed seats cannot be used. The text says why, in English."""


def seats_needed(players: int, table_size: int, rounds: int, fill: Fill) -> int:
    """Return the number of seats of a round, those of substitutes or bots included, which have the
    numbers after those of the players. Raises SeatingError."""
    if not 1 <= rounds <= MAX_ROUNDS:
        raise SeatingError(f"there can be 1 to {MAX_ROUNDS} rounds, not {rounds}")
    missing = -players % table_size
    if players < table_size or players + missing > MAX_PLAYERS:
        raise SeatingError(f"there can be {table_size} to {MAX_PLAYERS} players, not {players}")
    if fill == "sit_out":
        return players - players % table_size
    if missing and fill == "refuse":
        raise SeatingError(
            f"{players} players do not fill tables of {table_size}: "
            f"{missing} more are needed, or {table_size - missing} fewer"
        )
    return players + missing


def draw_sitting_out(sat_out: Mapping[int, Sequence[int]], count: int, rng: Random) -> set[int]:
    """Draw `count` players who get no seat in a round. Those who have sat out least often come
    first, among them those whose last time is longest ago. `sat_out` maps each player to the
    numbers of the rounds in which the player sat out.
    """
    drawn = rng.sample(sorted(sat_out), len(sat_out))
    drawn.sort(key=lambda player: (len(sat_out[player]), max(sat_out[player], default=0)))
    return set(drawn[:count])


def plan_rounds(
    method: Method,
    seats: int,
    table_size: int,
    rounds: int,
    seed: int,
    *,
    standing: Sequence[int] = (),
    played: Sequence[Round] = (),
    step: int = 0,
    apart: Collection[Pair] = (),
) -> list[Round]:
    """Plan `rounds` rounds by `random`, `swiss`, `interval` or `balanced`.

    `seats` is a multiple of `table_size`. `standing` has the players, the best first; without it
    they are the numbers from 1. It is the same for all rounds, so an event plans Swiss and
    interval rounds one at a time. `played` are the earlier rounds, in which others may have
    played. `step` is that of `interval_round`. Pairs of `apart` do not meet if a bounded search
    finds such seats.
    """
    if seats < table_size or seats % table_size:
        raise SeatingError(f"{seats} seats do not make tables of {table_size}")
    order = list(standing) or list(range(1, seats + 1))
    is_whole = max(order) == seats
    if len(order) != seats or len(set(order)) != seats:
        raise SeatingError(f"the standing has to name {seats} players once")
    for number, tables in enumerate(played, start=1):
        name = f"round {number} of those that were played"
        if any(len(table) != table_size for table in tables):
            raise SeatingError(f"{name} does not have tables of {table_size}")
        _check_nobody_twice(tables, name)
    if method == "prescribed":
        raise SeatingError("prescribed seats are read from a file")
    rng = Random(seed)
    if method in ("swiss", "interval"):
        return _plan_by_standing(method, order, table_size, rounds, rng, played, step, apart)
    if method == "random":
        drawn = (cut_into_tables(rng.sample(order, seats), table_size) for _ in range(rounds))
        planned = [keep_apart([groups], apart, rng)[0] for groups in drawn]
    elif played or not is_whole:
        before = [_groups(tables) for tables in played]
        planned = plan_further_groups(before, order, table_size, rounds, rng, apart)
    else:
        planned = plan_balanced_groups(seats, table_size, rounds, rng, apart)
    if not played:
        shared = assign_winds(planned, rng)
        is_numbered = method == "balanced" and is_whole and not apart
        return _number_by_first_round(shared, rng) if is_numbered else shared
    dealt = list(played)
    for groups in planned:
        dealt.append(_deal_winds(groups, dealt, rng))
    return dealt[len(played) :]


def _plan_by_standing(
    method: Method,
    order: Sequence[int],
    table_size: int,
    rounds: int,
    rng: Random,
    played: Sequence[Round],
    step: int,
    apart: Collection[Pair],
) -> list[Round]:
    before = list(played)
    for _ in range(rounds):
        if method == "swiss":
            met = _meetings(before)
            for a, b in apart:
                met[min(a, b), max(a, b)] += _NEVER
            groups = swiss_round(order, table_size, met)
        else:
            groups = interval_round(order, table_size, step)
        (groups,) = keep_apart([groups], apart, rng, order)
        before.append(_deal_winds(groups, before, rng))
    return before[len(played) :]


def _groups(tables: Round) -> list[list[int]]:
    return [list(table) for table in tables]


def swiss_round(
    order: Sequence[int], table_size: int, met: Counter[tuple[int, int]]
) -> list[list[int]]:
    """Seat neighbours of the standing together, and avoid players who have met.

    `met` counts the meetings of pairs, the smaller number first. Each table gets the best player
    without a seat. Its other seats go, one by one, to the player who has met those at the table
    least often.
    """
    left, tables = list(order), list[list[int]]()
    while left:
        table = [left.pop(0)]
        while len(table) < table_size:
            fewest = min(
                range(len(left)), key=lambda at: (_count_meetings_with(left[at], table, met), at)
            )
            table.append(left.pop(fewest))
        tables.append(table)
    _swap_repeats(tables, met)
    return tables


def interval_round(order: Sequence[int], table_size: int, step: int = 0) -> list[list[int]]:
    """Seat players at equal intervals of the standing together.

    With `step` 3 and tables of four, the places 1, 4, 7 and 10 are a table, then 2, 5, 8, 11 and
    3, 6, 9, 12. The next twelve places follow in the same way. The last group has a smaller step
    if necessary. With `step` 0 all players are one group.
    """
    tables, first = list[list[int]](), 0
    while first < len(order):
        left = (len(order) - first) // table_size
        width = min(step or left, left)
        tables += [
            [order[first + at + width * place] for place in range(table_size)]
            for at in range(width)
        ]
        first += table_size * width
    return tables


def read_prescribed(text: str, table_size: int) -> list[Round]:
    """Read rounds from CSV with a line for each table, with the `csv_columns`.

    A first line with the names of the columns is allowed. Raises SeatingError, with the line.
    """
    found: dict[int, dict[int, Seats]] = {}
    columns = csv_columns(table_size)
    for line, row in enumerate(csv.reader(text.lstrip("\N{BOM}").splitlines()), start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (line == 1 and tuple(cell.lower() for cell in cells) == columns):
            continue
        if len(cells) != len(columns) or not all(
            cell.isascii() and cell.isdigit() and len(cell) <= 6 for cell in cells
        ):
            raise SeatingError(
                f"line {line}: there have to be {len(columns)} numbers: {','.join(columns)}"
            )
        number, table, *seats = map(int, cells)
        tables = found.setdefault(number, {})
        if table in tables:
            raise SeatingError(f"line {line}: round {number} has table {table} twice")
        tables[table] = tuple(seats)
    if not found or sorted(found) != list(range(1, len(found) + 1)):
        raise SeatingError("the rounds have to be numbered from 1 without a gap")
    rounds = [[tables[table] for table in sorted(tables)] for _, tables in sorted(found.items())]
    for number, seated in enumerate(rounds, start=1):
        _check_round(seated, table_size * len(rounds[0]), f"round {number}")
    return rounds


def count_pairs(rounds: Sequence[Round]) -> Counter[tuple[int, int]]:
    """Return how often each pair meets, the smaller number first."""
    return _meetings(rounds)


def count_winds(rounds: Sequence[Round]) -> dict[int, list[int]]:
    """Map each player to the number of seats with each wind, East first."""
    counts: dict[int, list[int]] = {}
    for tables in rounds:
        for table in tables:
            for wind, player in enumerate(table):
                counts.setdefault(player, [0] * len(table))[wind] += 1
    return counts


def _check_nobody_twice(one: Round, name: str) -> None:
    players = Counter(player for table in one for player in table)
    twice = sorted(player for player, count in players.items() if count > 1)
    if twice:
        raise SeatingError(f"{name} seats player {twice[0]} twice")


def _check_round(one: Round, seats: int, name: str) -> None:
    _check_nobody_twice(one, name)
    players = sorted(player for table in one for player in table)
    if players == list(range(1, seats + 1)):
        return
    missing = sorted(set(range(1, seats + 1)) - set(players))
    if missing:
        raise SeatingError(f"{name} does not seat player {missing[0]}")
    raise SeatingError(f"{name} seats player {players[-1]}, but there are {seats} seats")


def _meetings(rounds: Sequence[Round]) -> Counter[tuple[int, int]]:
    return Counter(
        pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2)
    )


def _count_meetings_with(player: int, table: Sequence[int], met: Counter[tuple[int, int]]) -> int:
    """Count how often the player has met the players of that table."""
    return sum(
        met[min(player, opponent), max(player, opponent)]
        for opponent in table
        if opponent != player
    )


def _swap_repeats(tables: list[list[int]], met: Counter[tuple[int, int]]) -> None:
    """Swap players of near tables while that removes meetings of players who have met."""
    is_better = True
    while is_better:  # the loop ends because each swap lowers the sum of the meetings
        is_better = False
        for at, table in enumerate(tables):
            if any(_count_meetings_with(player, table, met) for player in table):
                others = sorted(range(len(tables)), key=lambda other: (abs(other - at), other))
                is_better |= any(
                    _swap_once(table, tables[other], met) for other in others if other != at
                )


def _swap_once(table: list[int], other: list[int], met: Counter[tuple[int, int]]) -> bool:
    """Make the first swap of two players of these tables that lowers the number of repeated
    meetings. Return False if there is none.
    """
    for here, there in product(range(len(table)), range(len(other))):
        before = _count_meetings_with(table[here], table, met) + _count_meetings_with(
            other[there], other, met
        )
        table[here], other[there] = other[there], table[here]
        if (
            _count_meetings_with(table[here], table, met)
            + _count_meetings_with(other[there], other, met)
            < before
        ):
            return True
        table[here], other[there] = other[there], table[here]
    return False


def _deal_winds(groups: list[list[int]], before: Sequence[Round], rng: Random) -> Round:
    """Give the winds of one round to the players who have had them least often, otherwise by
    lot."""
    had = count_winds(before)
    dealt = Round()
    for group in groups:
        orders = list(permutations(group))
        rng.shuffle(orders)
        dealt.append(
            min(
                orders,
                key=lambda order: sum(
                    2 * had[player][wind] + 1 for wind, player in enumerate(order) if player in had
                ),
            )
        )
    return dealt


def _number_by_first_round(rounds: list[Round], rng: Random) -> list[Round]:
    """Number the players by their seats in the first round: all East seats first, then South, and
    so on. Shuffle the tables of the later rounds."""
    tables = len(rounds[0])
    number = {
        player: 1 + at + tables * wind
        for at, table in enumerate(rounds[0])
        for wind, player in enumerate(table)
    }
    for later in rounds[1:]:
        rng.shuffle(later)
    return [
        [tuple(number[player] for player in table) for table in round_tables]
        for round_tables in rounds
    ]
