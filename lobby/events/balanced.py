"""Tables of several rounds at which no pair meets twice, where the search finds such.

With `n` tables the players are four classes of `n`, and each table has one player of each class.
Round `r` shifts the classes against each other by elements of an abelian group of order `n`. Two
players of different classes meet once at most if the differences of the shifts differ in all
rounds: a difference matrix. Players of one class meet in further rounds, which are made in the same
way within the classes. For some numbers of players a known design has more rounds
(`lobby.events.designs`). What is still missing is found by simulated annealing, which makes the
repeated meetings few. Every search is bounded by a number of steps, so that the result depends on
the seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Final

from lobby.events.designs import known_rounds

_SEATS: Final = 4
_SEARCHES: Final = 12
_NODES: Final = 6_000
"""Steps of one search for shifts."""
_SWAPS: Final = 120_000
_SWAPS_PER_SEAT: Final = 2_000
"""Steps of one annealing, at most."""
_HOT: Final = 0.9
_COLD: Final = 0.12

Groups = list[list[int]]
"""The tables of a round: players from 1 without winds."""
_Shift = tuple[int, int, int, int]


def balanced_groups(seats: int, rounds: int, rng: Random) -> list[Groups]:
    """Return the tables of that many rounds with few repeated meetings, if any. `seats` is a
    multiple of four."""
    clean = _clean_rounds(seats // _SEATS, rounds, rng)
    if len(clean) < rounds:
        clean = max(clean, known_rounds(seats, rounds, rng), key=len)
    if len(clean) == rounds:
        return clean
    found = _anneal(clean, rounds, rng)
    if _repeats(found, seats) > _fewest_repeats(seats, rounds):
        fresh = _anneal(clean[:1], rounds, rng)
        found = min(found, fresh, key=lambda one: _repeats(one, seats))
    return found


def _clean_rounds(tables: int, rounds: int, rng: Random) -> list[Groups]:
    """Return rounds in which no pair meets twice, at most that many, at least one."""
    found = [
        [
            [1 + tables * place + shifted[at] for place, shifted in enumerate(round_)]
            for at in range(tables)
        ]
        for round_ in _shifted_classes(tables, rounds, rng)
    ]
    if len(found) < rounds and tables % _SEATS == 0:
        inner = _clean_rounds(tables // _SEATS, rounds - len(found), rng)
        found += [
            [
                [player + tables * place for player in group]
                for place in range(_SEATS)
                for group in one
            ]
            for one in inner
        ]
    return found


def _shifted_classes(tables: int, rounds: int, rng: Random) -> Iterator[list[list[int]]]:
    """Yield for each round and class the player (from 0) of each table."""
    best: list[_Shift] = []
    best_add: list[list[int]] = [[0]]
    for moduli in _group_moduli(tables):
        add = _addition(moduli)
        for _ in range(_SEARCHES):
            found = _find_shifts(add, min(rounds, tables), rng)
            if len(found) > len(best):
                best, best_add = found, add
            if len(best) == min(rounds, tables):
                break
        if len(best) == min(rounds, tables):
            break
    for shift in best:
        yield [[best_add[at][by] for at in range(tables)] for by in shift]


def _group_moduli(order: int) -> list[list[int]]:
    """Return the groups to try: products of cyclic groups, the one of primes first."""
    primes, rest = list[int](), order
    for prime in range(2, order + 1):
        while rest % prime == 0:
            primes.append(prime)
            rest //= prime
    return [primes, [order]] if len(primes) > 1 else [[order]]


def _addition(moduli: list[int]) -> list[list[int]]:
    """Return the table of the group's addition; 0 is neutral."""
    elements = list(product(*(range(one) for one in moduli)))
    number = {element: at for at, element in enumerate(elements)}
    return [
        [
            number[tuple((a + b) % m for a, b, m in zip(one, two, moduli, strict=True))]
            for two in elements
        ]
        for one in elements
    ]


def _find_shifts(add: list[list[int]], rounds: int, rng: Random) -> list[_Shift]:
    """Return the shifts of the four classes for that many rounds, or the most that one bounded
    search has found. The first class is not shifted, and the first round shifts none."""
    order = len(add)
    minus = [row.index(0) for row in add]
    seconds = [0, *rng.sample(range(1, order), order - 1)][:rounds]
    used: list[set[int]] = [set() for _ in range(5)]  # third, fourth, and three differences
    chosen, best, nodes = list[_Shift](), list[_Shift](), 0

    def differences(a: int, b: int, c: int) -> tuple[int, int, int, int, int]:
        return b, c, add[b][minus[a]], add[c][minus[a]], add[c][minus[b]]

    def candidates(a: int) -> Iterator[tuple[int, int]]:
        if not chosen:
            yield 0, 0
            return
        thirds = [b for b in range(order) if b not in used[0] and add[b][minus[a]] not in used[2]]
        fourths = [c for c in range(order) if c not in used[1] and add[c][minus[a]] not in used[3]]
        rng.shuffle(thirds)
        rng.shuffle(fourths)
        for b in thirds:
            for c in fourths:
                if add[c][minus[b]] not in used[4]:
                    yield b, c

    open_levels = [candidates(seconds[0])]
    while open_levels and nodes < _NODES:
        nodes += 1
        if len(chosen) == len(open_levels):  # come back: take the last choice away
            _, a, b, c = chosen.pop()
            for seen, one in zip(used, differences(a, b, c), strict=True):
                seen.remove(one)
        step = next(open_levels[-1], None)
        if step is None:
            open_levels.pop()
            continue
        a, (b, c) = seconds[len(chosen)], step
        for seen, one in zip(used, differences(a, b, c), strict=True):
            seen.add(one)
        chosen.append((0, a, b, c))
        if len(chosen) > len(best):
            best = list(chosen)
        if len(chosen) == rounds:
            break
        open_levels.append(candidates(seconds[len(chosen)]))
    return best


def _anneal(fixed: list[Groups], rounds: int, rng: Random) -> list[Groups]:
    """Return the fixed rounds and further ones, made from random ones by swaps of two players."""
    tables = len(fixed[0])
    seats = _SEATS * tables
    plan = [[list(group) for group in one] for one in fixed]
    while len(plan) < rounds:
        players = list(range(1, seats + 1))
        rng.shuffle(players)
        plan.append([players[at : at + _SEATS] for at in range(0, seats, _SEATS)])
    if tables == 1:
        return plan
    met = _meetings(plan, seats)
    cost, goal = _repeats(plan, seats), _fewest_repeats(seats, rounds)
    swaps = min(_SWAPS, _SWAPS_PER_SEAT * seats)
    for step in range(swaps):
        if cost <= goal:
            break
        heat = _HOT * (_COLD / _HOT) ** (step / swaps)
        one = plan[rng.randrange(len(fixed), rounds)]
        here, there = rng.sample(one, 2)
        at, to = rng.randrange(_SEATS), rng.randrange(_SEATS)
        change = _swap_cost(met, here, at, there, to)
        if change <= 0 or rng.random() < math.exp(-change / heat):
            _swap(met, here, at, there, to)
            cost += change
    return plan


def _swap_cost(met: list[list[int]], here: list[int], at: int, there: list[int], to: int) -> int:
    """Return by how much the swap of `here[at]` and `there[to]` changes the repeats."""
    one, two = met[here[at]], met[there[to]]
    change = 0
    for place in range(_SEATS):
        if place != at:
            change += two[here[place]] - one[here[place]] + 1
        if place != to:
            change += one[there[place]] - two[there[place]] + 1
    return change


def _swap(met: list[list[int]], here: list[int], at: int, there: list[int], to: int) -> None:
    for group, place, sign in ((here, at, -1), (there, to, -1)):
        _count(met, group, place, sign)
    here[at], there[to] = there[to], here[at]
    for group, place, sign in ((here, at, 1), (there, to, 1)):
        _count(met, group, place, sign)


def _count(met: list[list[int]], group: list[int], place: int, sign: int) -> None:
    player = group[place]
    for other in group:
        if other != player:
            met[player][other] += sign
            met[other][player] += sign


def _meetings(plan: list[Groups], seats: int) -> list[list[int]]:
    """Return how often each two players meet."""
    met = [[0] * (seats + 1) for _ in range(seats + 1)]
    for one in plan:
        for group in one:
            for a, b in combinations(group, 2):
                met[a][b] += 1
                met[b][a] += 1
    return met


def _repeats(plan: list[Groups], seats: int) -> int:
    """Return the repeated meetings: of a pair that meets `m` times, m (m - 1) / 2."""
    return sum(m * (m - 1) // 2 for row in _meetings(plan, seats) for m in row) // 2


def _fewest_repeats(seats: int, rounds: int) -> int:
    """Return the repeats if all meetings were shared evenly by all pairs, a lower bound."""
    pairs = seats * (seats - 1) // 2
    each, more = divmod(rounds * seats // _SEATS * 6, pairs)
    return pairs * (each * (each - 1) // 2) + more * each
