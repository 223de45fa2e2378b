"""Makes tables of several rounds at which no pair meets twice, if the search finds such.

With `n` tables the players are four classes of `n`, and each table has one player of each class.
Round `r` shifts the classes against each other by elements of an abelian group of order `n`. Two
players of different classes meet once at most if the differences of the shifts differ in all
rounds: a difference matrix. Players of one class meet in further rounds, which are made in the same
way within the classes. For some numbers of players a known design has more rounds
(`lobby.events.designs`). Missing rounds are found by simulated annealing, which minimises repeated
meetings. Every search is bounded by a number of steps, so that the result depends on the seed
alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Final

from lobby.events.annealing import SEATS, Groups, count_repeats, fewest_repeats, share_meetings
from lobby.events.designs import known_rounds

_SEARCHES: Final = 12
_NODES: Final = 6_000
"""The most steps of one search for shifts."""
_Shift = tuple[int, int, int, int]


def balanced_groups(seats: int, rounds: int, rng: Random) -> list[Groups]:
    """Return the tables of that many rounds with few repeated meetings, if any. `seats` is a
    multiple of four."""
    clean = _clean_rounds(seats // SEATS, rounds, rng)
    if len(clean) < rounds:
        clean = max(clean, known_rounds(seats, rounds, rng), key=len)
    if len(clean) == rounds:
        return clean
    found = _anneal(clean, rounds, rng)
    if count_repeats(found, seats) > fewest_repeats(rounds * seats // SEATS, seats):
        fresh = _anneal(clean[:1], rounds, rng)
        found = min(found, fresh, key=lambda rounds_so_far: count_repeats(rounds_so_far, seats))
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
    if len(found) < rounds and tables % SEATS == 0:
        inner = _clean_rounds(tables // SEATS, rounds - len(found), rng)
        found += [
            [
                [player + tables * place for player in group]
                for place in range(SEATS)
                for group in groups
            ]
            for groups in inner
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
    elements = list(product(*(range(modulus) for modulus in moduli)))
    number = {element: at for at, element in enumerate(elements)}
    return [
        [
            number[tuple((a + b) % m for a, b, m in zip(first, second, moduli, strict=True))]
            for second in elements
        ]
        for first in elements
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
        if len(chosen) == len(open_levels):  # backtrack: remove the last choice
            _, a, b, c = chosen.pop()
            for seen, shift in zip(used, differences(a, b, c), strict=True):
                seen.remove(shift)
        step = next(open_levels[-1], None)
        if step is None:
            open_levels.pop()
            continue
        a, (b, c) = seconds[len(chosen)], step
        for seen, shift in zip(used, differences(a, b, c), strict=True):
            seen.add(shift)
        chosen.append((0, a, b, c))
        if len(chosen) > len(best):
            best = list(chosen)
        if len(chosen) == rounds:
            break
        open_levels.append(candidates(seconds[len(chosen)]))
    return best


def _anneal(fixed: list[Groups], rounds: int, rng: Random) -> list[Groups]:
    """Return the fixed rounds and further ones, made from random ones by swaps of two players."""
    seats = SEATS * len(fixed[0])
    plan = [[list(group) for group in groups] for groups in fixed]
    while len(plan) < rounds:
        players = list(range(1, seats + 1))
        rng.shuffle(players)
        plan.append([players[at : at + SEATS] for at in range(0, seats, SEATS)])
    share_meetings(plan, len(fixed), seats, rng)
    return plan
