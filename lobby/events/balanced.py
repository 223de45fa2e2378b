"""Makes tables of several rounds at which no pair meets twice, if the search finds such.

With `n` tables the players are divided into classes of `n`, as many as a table has seats, and each
table has one player of each class. Round `r` shifts the classes against each other by elements of
an abelian group of order `n`. Two players of different classes meet once at most if the differences
of the shifts differ in all rounds: a difference matrix. Players of one class meet in further
rounds, which are made in the same way within the classes. For some numbers of players at tables of
four a known design has more rounds. Missing rounds are found by simulated annealing, which
minimises repeated meetings. Every search is bounded by a number of steps, so that the result
depends on the seed alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import Final

from game.engine.by_seat import BySeat
from lobby.events.annealing import (
    Groups,
    count_repeats,
    cut_into_tables,
    even_out_meetings,
    fewest_repeats,
)
from lobby.events.apart import Pair, keep_apart, pairs_at

_DESIGNS: Final = {  # by the number of players, all for tables of four
    # The first round has three classes of seven players and three fixed players. The others follow
    # from it by adding 1 to 6, modulo 7, in each class.
    24: """
        ABCD EFGH IJKL MNOP QRST UVWX
        AGNX BFMW CJPS DLOT EKQU HIRV
        AKOW BIPU CGTV DFQX EJMR HLNS
        AFLR BGKS CHOU DEPV IMTX JNQW
        AHPQ BENT CKRX DISW FJOV GLMU
        AJTU BLQV CFIN DHKM EOSX GPRW
        AMSV BHJX CELW DNRU FKPT GIOQ
    """,
    # The Hermitian unital over GF(9): its 28 points and 63 secants. Each point of a tangent,
    # except the point of contact, gives a round: the six secants through it, and its polar line.
    # Everybody meets everybody once in nine rounds.
    28: """
        ABCD EFGH IJKL MNOP QRST UVWX YZ01
        ANT1 BFJO CKVY DGRX ELSZ HPW0 IMQU
        AFQW BLUY CGIP DMS1 EOX0 HKTZ JNRV
        AJXY BPQ1 CETU DHLN FIRZ GMV0 KOSW
        APVZ BERW CFLM DKQ0 GOTY HJU1 INSX
        AHIO BMXZ CJS0 DFTV ENQY GLW1 KPRU
        AEKM BHSV COR1 DIWY FNU0 GJQZ LPTX
        AGSU BIT0 CNWZ DEJP FKX1 HMRY LOQV
        ALR0 BGKN CHQX DOUZ EIV1 FPSY JMTW
    """,
    # Three classes of eleven and three fixed players, as for 24.
    36: """
        ABCD EFGH IJKL MNOP QRST UVWX YZ01 2345 6789
        AFU9 BL47 CEY2 DN56 GIV8 HMQX JPR1 KOSZ TW03
        AQY6 BFJ0 CO19 DET8 GLN2 HPWZ ISX5 KMV4 RU37
        AP58 BNX9 CGJS DQV1 ERZ4 FI36 HOU0 KW27 LMTY
        ALW1 BMR6 CX48 DFKP EV05 GOY7 HS39 INTZ JQU2
        AGM3 BPSY CHIR DX07 EKQ9 FLO5 JNW8 TU14 VZ26
        ANR0 BOTV CMW5 DGZ9 ELX3 FS12 HJ46 IPQ7 KUY8
        ASV7 BH28 CLQZ DIMU EOW6 FRXY GP04 JT59 KN13
        AJXZ BEI1 CFT7 DSW4 GKR5 HNVY LPU6 M029 OQ38
        AHKT BUZ5 CPV3 DOR2 EJM7 FNQ4 GX16 IWY9 LS08
        AIO4 BGQW CK06 DJY3 ENSU FMZ8 H157 LRV9 PTX2
    """,
    # Three classes of thirteen players and one fixed player. The other rounds follow from the first
    # by adding 1 to 12, modulo 13, in each class. Everybody meets everybody once in 13 rounds.
    40: """
        ABCD EFGH IJKL MNOP QRST UVWX YZ01 2345 6789 abcd
        AEOc BSZ4 CFIP DMR5 GKX9 HT8b JY2a LQV7 NU0d W136
        AFW2 BJ15 CT3d DK4b EMX0 GRV6 HNZ7 IOQa LPS8 UY9c
        AGI4 BRW8 CHJM DEV9 FSY5 KO1d LX3c NQ26 PUZb T07a
        APQX BM3a COVY DL12 ETU4 FZ8c GJNb H56d IR09 KSW7
        ANSa BFXd C19b DG7c EKY6 HL04 IMTW JPV3 ORZ2 QU58
        AJ06 BNT9 CX57 DO38 EIS1 FLRb GMU2 HPWc KVZa QY4d
        AV5b BGPY CW4a DFQ0 EJ8d HOS9 IU37 KT2c LMZ6 NRX1
        AZ39 BHKQ C028 DJSU EPRa FTV1 GLWd IN5c MY7b OX46
        AKM8 BV0c CELN DIZd FU6a GOT5 HRY3 JQW9 P147 SX2b
        ALTY BI6b CKRU DHXa EWZ5 FJO7 GS03 MQ1c NV48 P29d
        AR7d BLOU CS6c DNWY EQ3b FM49 G18a HIV2 JTXZ KP05
        AHU1 BE27 CGQZ DPT6 FKN3 IXY8 JR4c L59a MSVd OW0b
    """,
}


def rounds_of_known_design(seats: int, table_size: int, rounds: int, rng: Random) -> list[Groups]:
    """Return `rounds` rounds of the known design for this number of seats, or all of them if the
    design has fewer; [] without a design. The order of the rounds and the numbers of the players
    (from 1) are drawn by lot.
    """
    players = list(range(1, seats + 1))
    rng.shuffle(players)
    lines = _DESIGNS.get(seats, "").strip().splitlines()
    if not lines or len(lines[0].split()[0]) != table_size:
        return []
    numbers = dict(zip("".join(lines[0].split()), players, strict=True))
    chosen = rng.sample(lines, min(rounds, len(lines)))
    return [[[numbers[letter] for letter in table] for table in line.split()] for line in chosen]


_SEARCHES: Final = 12
_NODES: Final = 6_000
"""The most steps of one search for shifts."""
_Shift = BySeat[int]


def plan_balanced_groups(
    seats: int, table_size: int, rounds: int, rng: Random, apart: Collection[Pair] = ()
) -> list[Groups]:
    """Group the seats for `rounds` rounds with few repeated meetings. `seats` is a multiple of
    `table_size`.

    Pairs in `apart` are separated by renumbering the players; rounds where that fails are searched
    again.
    """
    plan = _balanced(seats, table_size, rounds, rng)
    if not apart:
        return plan
    plan = keep_apart(plan, apart, rng)
    kept = [tables for tables in plan if not any(pairs_at(table, apart) for table in tables)]
    missing = rounds - len(kept)
    return kept + plan_further_groups(kept, range(1, seats + 1), table_size, missing, rng, apart)


def _balanced(seats: int, table_size: int, rounds: int, rng: Random) -> list[Groups]:
    tables = seats // table_size
    clean = _rounds_without_repeats(tables, table_size, rounds, rng)
    if len(clean) < rounds:
        clean = max(clean, rounds_of_known_design(seats, table_size, rounds, rng), key=len)
    if len(clean) == rounds:
        return clean
    players = range(1, seats + 1)
    found = clean + plan_further_groups(clean, players, table_size, rounds - len(clean), rng)
    if count_repeats(found, seats) > fewest_repeats(rounds * tables, table_size, seats):
        fresh = clean[:1] + plan_further_groups(clean[:1], players, table_size, rounds - 1, rng)
        found = min(found, fresh, key=lambda rounds_so_far: count_repeats(rounds_so_far, seats))
    return found


def _rounds_without_repeats(tables: int, table_size: int, rounds: int, rng: Random) -> list[Groups]:
    """Return rounds in which no pair meets twice: at least one, at most `rounds`."""
    found = [
        [
            [1 + tables * place + shifted[at] for place, shifted in enumerate(round_)]
            for at in range(tables)
        ]
        for round_ in _shift_classes(tables, table_size, rounds, rng)
    ]
    if len(found) < rounds and tables % table_size == 0:
        inner = _rounds_without_repeats(tables // table_size, table_size, rounds - len(found), rng)
        found += [
            [
                [player + tables * place for player in group]
                for place in range(table_size)
                for group in groups
            ]
            for groups in inner
        ]
    return found


def _shift_classes(
    tables: int, classes: int, rounds: int, rng: Random
) -> Iterator[list[list[int]]]:
    """Divide the players into classes of `tables` each. For each round, yield one list per class:
    its players by table, shifted by that round's number for the class."""
    best: list[_Shift] = []
    best_add: list[list[int]] = [[0]]
    for moduli in _group_moduli(tables):
        add = _addition_table(moduli)
        for _ in range(_SEARCHES):
            found = _find_shifts(add, classes, min(rounds, tables), rng)
            if len(found) > len(best):
                best, best_add = found, add
            if len(best) == min(rounds, tables):
                break
        if len(best) == min(rounds, tables):
            break
    for shift in best:
        yield [[best_add[at][by] for at in range(tables)] for by in shift]


def _group_moduli(order: int) -> list[list[int]]:
    """Return the groups of this order to try, each as the moduli of a product of cyclic groups.
    The group of prime moduli comes first.
    """
    primes, rest = list[int](), order
    for prime in range(2, order + 1):
        while rest % prime == 0:
            primes.append(prime)
            rest //= prime
    return [primes, [order]] if len(primes) > 1 else [[order]]


def _addition_table(moduli: list[int]) -> list[list[int]]:
    """Return the addition table of the group: row `a`, column `b` has the number of the sum of the
    elements `a` and `b`. Element 0 is neutral.
    """
    elements = list(product(*(range(modulus) for modulus in moduli)))
    number = {element: at for at, element in enumerate(elements)}
    return [
        [
            number[tuple((a + b) % m for a, b, m in zip(first, second, moduli, strict=True))]
            for second in elements
        ]
        for first in elements
    ]


def _find_shifts(add: list[list[int]], classes: int, rounds: int, rng: Random) -> list[_Shift]:
    """Search, in a bounded number of steps, for rounds in which no pair meets twice, at most
    `rounds`. Return for each of them the shift of every class. In the first round, and for the
    first class, all shifts are 0.
    """
    order = len(add)
    minus = [row.index(0) for row in add]
    seconds = [0, *rng.sample(range(1, order), order - 1)][:rounds]
    pairs, later = list(combinations(range(classes), 2)), range(2, classes)
    used: dict[tuple[int, int], set[int]] = {pair: set() for pair in pairs}
    chosen, best, nodes = list[_Shift](), list[_Shift](), 0

    def difference(shift: Sequence[int], one: int, other: int) -> int:
        return add[shift[other]][minus[shift[one]]]

    def candidates(second: int) -> Iterator[_Shift]:
        if not chosen:
            yield (0,) * classes
            return
        choices = [
            [
                by
                for by in range(order)
                if by not in used[0, at] and add[by][minus[second]] not in used[1, at]
            ]
            for at in later
        ]
        for shifts in choices:
            rng.shuffle(shifts)
        for rest in product(*choices):
            shift = (0, second, *rest)
            if all(difference(shift, *pair) not in used[pair] for pair in combinations(later, 2)):
                yield shift

    open_levels = [candidates(seconds[0])]
    while open_levels and nodes < _NODES:
        nodes += 1
        if len(chosen) == len(open_levels):  # backtrack: remove the last choice
            shift = chosen.pop()
            for pair in pairs:
                used[pair].remove(difference(shift, *pair))
        step = next(open_levels[-1], None)
        if step is None:
            open_levels.pop()
            continue
        for pair in pairs:
            used[pair].add(difference(step, *pair))
        chosen.append(step)
        if len(chosen) > len(best):
            best = list(chosen)
        if len(chosen) == rounds:
            break
        open_levels.append(candidates(seconds[len(chosen)]))
    return best


def plan_further_groups(
    before: Sequence[Groups],
    players: Sequence[int],
    table_size: int,
    rounds: int,
    rng: Random,
    apart: Collection[Pair] = (),
) -> list[Groups]:
    """Return that many more rounds of these players. They start at random and are improved by
    swaps of two players, so that few pairs meet who have met in the rounds `before`.
    """
    plan = [[list(group) for group in groups] for groups in before]
    plan += [cut_into_tables(rng.sample(players, len(players)), table_size) for _ in range(rounds)]
    everybody = {*players, *(player for groups in plan for group in groups for player in group)}
    seated = set(players)
    known = [(a, b) for a, b in apart if a in seated and b in seated]
    even_out_meetings(plan, len(before), max(everybody), rng, known)
    further = plan[len(before) :]
    return [keep_apart([groups], known, rng)[0] for groups in further] if known else further
