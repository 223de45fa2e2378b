"""Measures whether the time from an open tile to the next draw reveals who could have called.

``python -m bench.timing_leak`` starts web servers, a worker and Redis, and plays at many tables
at once with every mix of people, bots and stand-ins, at the real reaction time. People
answer within it. For every discard that nobody called, one player who was not asked notes the time
until the draw, by arrival and by the time stamp of the question. Who could have called is then read
from the tables' logs. For each mix it prints the area under the curve (AUC) of each label against
the discards that nobody could have called: 0.5 means that the times reveal nothing.

A mix of three letters plays with three players. The first hand of a table is staged: East draws and
sets aside three norths, and at two tables of three another player waits for them. People let them
pass; bots and stand-ins win on them. The time from a north to its replacement is printed apart,
against the norths that nobody could have won on. Short rounds at many tables give most of them.

With ``--spectators 40`` so many sockets without a seat watch the first table of each mix, and ping
0.1 to 0.5 s after each discard, while those who could call it answer. Two more times are compared
then: what the pongs took, and how much later the discard reached the first spectator than a player.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import subprocess
import sys
import time
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from bench import report
from bench.loaded_site import Load, start_site
from bench.timing_crowd import STARTED, Seen, Watched
from game.engine.clock import ClockSettings
from game.engine.events import Answered, Discarded, Drawn, NorthSetAside
from game.engine.evolve import evolve
from game.engine.legal import pending_seats
from game.engine.presets import preset
from game.engine.rules import TENHOU
from game.engine.state import Phase, Table
from game.live.process import Process
from game.tables.codec import decode_commit
from game.tables.errors import TableError
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from tests.kit.tables import wall_of
from tests.web.site import RunningSite, SignedPerson

PERSON, BOT, STAND_IN, ABSENT = "person", "bot", "stand-in", "absent"
NOBODY, SEVERAL = "nobody", "several kinds"
_KIND_OF_LETTER: Final = {"p": PERSON, "b": BOT, "s": STAND_IN, "a": ABSENT}
MIXES: Final = (
    *("pppp", "pppb", "ppps", "ppbb", "ppbs"),
    *("ppss", "pbbb", "pbbs", "pbss", "psss", "pppa"),
)
"""Kinds of players by seat: p is a person, b a bot, s a stand-in, a a player whose pages are closed
and who is shown as absent. Each further table of a mix rotates the letters by one."""
_OF_THREE: Final = preset("tenhou-3")
_WAITS_FOR_NORTH: Final = "123456789p333sN"
_EAST_HAND: Final = "19m147p14778sEWP"
_IDLE_HANDS: Final = ("19m2457p36s8sFFWC", "19m1468p2579sSSC")
"""Hands of South and West that are not near tenpai."""
_DRAWS: Final = "N5p1sN5s9sN2s6p"
"""The first draws of a hand of three: a north for East in each of the first three turns."""
CLOCK: Final = ClockSettings(
    lead_ms=0,
    deal_ms=0,
    result_ms=1_000,
    result_pause_ms=300,
    bot_min_ms=50,
    bot_max_ms=200,
    away_ms=100,
    forced_ms=100,
)
"""The real reaction time; turns and results are short, since they reveal nothing."""
QUICK_CLOCK: Final = replace(CLOCK, base_ms=500, bank_ms=0)
"""For tables with an absent player, whose own turns take all of their time."""
_LOOKS_EVERY_S: Final = 0.3
"""How often stand-ins that have taken over from absent players are removed again."""
MAX_ROUND_S: Final = 500.0
"""Longest round. The logs that are read after it are removed ten minutes after a game."""
_Z95: Final = 1.96


class Plan(NamedTuple):
    """The tables and the length of a measurement."""

    mixes: Sequence[str] = MIXES
    tables: int = 6
    """Number of tables of each mix, which play at the same time."""
    seconds: float = 240.0
    """Length of a round."""
    rounds: int = 1
    """Number of rounds. Each round opens new tables."""
    daphnes: int = 1
    bot: str = "sensible"
    spectators: int = 0
    """Number of sockets that watch the first table of each mix."""


class CallChance(msgspec.Struct, array_like=True):
    """The seats that could have called a discard or won on a north that was set aside, and the
    times of their answers."""

    seats: tuple[int, ...]
    label: str
    """Kind of these seats: `NOBODY` without seats, `SEVERAL` for different kinds."""
    discarder: int
    discarded_by: str
    """Kind of the discarder's seat."""
    all_in_time: bool
    """Whether all answers came within the reaction time."""
    gap_ms: int = 0
    """Time between the stamps of the discard and of the draw that followed; 0 without a draw."""
    is_north: bool = False
    """Whether it is a north that was set aside."""


class Sample(msgspec.Struct, array_like=True):
    """A discard that was followed by a draw, as one player saw it."""

    mix: str
    chance: CallChance
    seen: Seen
    watched: Watched | None = None
    """What spectators of the table saw of it."""

    @property
    def stratum(self) -> tuple[str, int, str]:
        """The mix, the distance to the discarder and the kind of the discarder. Players know these
        three, and the time of a frame depends on them. Only discards of the same stratum are
        compared."""
        distance = (self.seen.seat - self.chance.discarder) % len(self.mix)
        return self.mix, distance, self.chance.discarded_by


Measure = Callable[[Sample], float | None]
MEASURES: Final[dict[str, Measure]] = {
    "arrival": lambda sample: sample.seen.draw_arrived_s - sample.seen.opened_arrived_s,
    "asked_at": lambda sample: (
        sample.seen.draw_asked_at / 1000 - sample.seen.opened_arrived_s
        if sample.seen.draw_asked_at
        else None
    ),
    "stamps": lambda sample: sample.chance.gap_ms or None,
    "pongs": lambda sample: (
        fmean(sample.watched.pongs_s) if sample.watched and sample.watched.pongs_s else None
    ),
    "spectator": lambda sample: (
        sample.watched.arrived_s - sample.seen.opened_arrived_s if sample.watched else None
    ),
}
"""Time from discard to draw, None if it is unknown: between both arrivals (s), from the arrival of
the discard to `asked_at` of the draw (s), and between both stamps in the log (ms). What a pong
took in the mean (s), and from the discard's arrival at a player to that at a spectator (s)."""


class Auc(NamedTuple):
    """The area under the curve: the share of pairs in which the second value is greater, with ties
    as half."""

    value: float
    half_width: float
    """Half of the 95 % confidence interval (Hanley and McNeil, 1982)."""
    of: int
    """Number of values in the group that is separated."""
    against: int
    """Number of values in the group that it is separated from."""


def auc(against: Sequence[float], of: Sequence[float]) -> Auc | None:
    """Return the probability, with its confidence interval, that a value of `of` exceeds a value of
    `against`; None if either is empty."""
    if not of or not against:
        return None
    ordered = sorted(against)
    below = sum(bisect_left(ordered, value) + bisect_right(ordered, value) for value in of) / 2
    area = below / len(of) / len(ordered)
    q1, q2 = area / (2 - area), 2 * area * area / (1 + area)
    variance = (
        area * (1 - area)
        + (len(of) - 1) * (q1 - area * area)
        + (len(ordered) - 1) * (q2 - area * area)
    ) / (len(of) * len(ordered))
    return Auc(area, _Z95 * math.sqrt(max(0.0, variance)), len(of), len(ordered))


def stratified_auc(samples: Iterable[Sample], label: str, read: Measure) -> Auc | None:
    """Return the area under the curve of the discards with this label against discards that nobody
    could call: the weighted mean over the strata. None without pairs."""
    strata: defaultdict[tuple[str, int, str], tuple[list[float], list[float]]] = defaultdict(
        lambda: ([], [])
    )
    for sample in samples:
        value = read(sample)
        if value is not None and sample.chance.label in (NOBODY, label):
            strata[sample.stratum][sample.chance.label == label].append(value)
    areas = [area for row in strata.values() if (area := auc(*row)) is not None]
    if not areas:
        return None
    weights = [area.of * area.against / (area.of + area.against) for area in areas]
    pairs = list(zip(weights, areas, strict=True))
    return Auc(
        sum(weight * area.value for weight, area in pairs) / sum(weights),
        math.hypot(*(weight * area.half_width for weight, area in pairs)) / sum(weights),
        sum(area.of for area in areas),
        sum(area.against for area in areas),
    )


def call_chances(kinds: Sequence[str], log: Iterable[bytes]) -> dict[int, CallChance]:
    """Map the number of each question in a table's log to the seats that could have called its
    discard. `kinds` are the kinds of the seats (person, bot, ...)."""
    found: dict[int, CallChance] = {}
    table, discard, discarded_at = Table(), 0, 0
    for data in log:
        commit = decode_commit(data)
        for event in commit.events:
            step = table.step
            table = evolve(table, event)
            if isinstance(event, Drawn) and step == discard and step in found:
                found[step].gap_ms = commit.at - discarded_at
            if isinstance(event, Discarded | NorthSetAside) and table.phase == Phase.CLAIMS:
                seats = pending_seats(table)
                labels = {kinds[seat] for seat in seats} or {NOBODY}
                label = labels.pop() if len(labels) == 1 else SEVERAL
                closes_at = commit.clock.closes_at
                discard, discarded_at = table.step, commit.at
                found[table.step] = CallChance(
                    seats,
                    label,
                    event.actor,
                    kinds[event.actor],
                    all_in_time=True,
                    is_north=isinstance(event, NorthSetAside),
                )
            elif isinstance(event, Answered) and step in found and commit.at > closes_at:
                found[step].all_in_time = False
    return found


def measure(plan: Plan) -> list[Sample]:
    """Start a site, play all rounds, and return the samples."""
    load = Load(len(plan.mixes) * plan.tables, daphnes=plan.daphnes)
    samples: list[Sample] = []
    with start_site(load) as running_site:
        for number in range(plan.rounds):
            samples += asyncio.run(_play_on_site(running_site, plan, number))
    return samples


class _OpenedTable(NamedTuple):
    """An open table with its players."""

    table_id: TableId
    letters: str
    people: dict[int, SignedPerson]
    """The people who play, by seat."""


async def _play_on_site(running_site: RunningSite, plan: Plan, number: int) -> list[Sample]:
    process, rng = Process(running_site.redis.url), Random(number)
    try:
        opened = await _open_tables(running_site, process, plan, number)
        removing = asyncio.create_task(_remove_stand_ins(process, opened))
        try:
            seen, watched = await asyncio.to_thread(_play_round, running_site, plan, opened)
        finally:
            removing.cancel()
        samples: list[Sample] = []
        for table, seats in enumerate(opened):
            rows = await process.store.read_entries(seats.table_id, 1)
            kinds = [_KIND_OF_LETTER[letter] for letter in seats.letters]
            chances = call_chances(kinds, (data for _, data in rows))
            mix = plan.mixes[table // plan.tables]
            samples += _draw_samples(mix, chances, seen[table], watched[table], rng)
        return samples
    finally:
        await process.stop()


def _draw_samples(
    mix: str,
    chances: dict[int, CallChance],
    seen: list[Seen],
    watched: dict[int, Watched],
    rng: Random,
) -> Iterable[Sample]:
    """Yield one sample for each discard, seen by a random player who could not call it.
    ``draw_asked_at`` comes from the player who drew next, if that player could not call the discard
    either."""
    seen.sort(key=lambda row: row.q)
    for q, group in groupby(seen, lambda row: row.q):
        if q not in chances:
            continue
        uninvolved = [row for row in group if row.seat not in chances[q].seats]
        if uninvolved:
            asked_at = max(row.draw_asked_at for row in uninvolved)
            chosen = replace(rng.choice(uninvolved), draw_asked_at=asked_at)
            yield Sample(mix, chances[q], chosen, watched.get(q))


async def _open_tables(
    running_site: RunningSite, process: Process, plan: Plan, number: int
) -> list[_OpenedTable]:
    """Open the tables of a round. Mark the players with stand-ins as away, and close the pages of
    absent players."""
    letters = [
        mix[table % len(mix) :] + mix[: table % len(mix)]
        for mix in plan.mixes
        for table in range(plan.tables)
    ]
    names = [f"r{number}p{place}" for place in range(4 * len(letters))]
    people = running_site.sign_in(*names)
    opened: list[_OpenedTable] = []
    for table, row in enumerate(letters):
        four = people[4 * table : 4 * table + 4]
        seats = tuple(
            SeatMeta(name=f"b{seat}", bot=plan.bot)
            if letter == "b"
            else SeatMeta(name=f"p{seat}", person=four[seat].person)
            for seat, letter in enumerate(row)
        )
        is_of_three = len(row) == _OF_THREE.players
        table_id = await process.service.open_table(
            TableMeta(
                seats=seats,
                clock=QUICK_CLOCK if "a" in row else CLOCK,
                settings=TableSettings(rules=_OF_THREE if is_of_three else TENHOU),
            ),
            wall=_staged_wall(table // len(row) % 3) if is_of_three else b"",
        )
        for seat, letter in enumerate(row):
            if letter == "s":
                await process.service.set_away(table_id, seat, True)
            elif letter == "a":
                await process.service.add_socket(table_id, seat)
                await process.service.remove_socket(table_id, seat)
        seated = {seat: four[seat] for seat, letter in enumerate(row) if letter == "p"}
        opened.append(_OpenedTable(table_id, row, seated))
    return opened


def _staged_wall(waiting: int) -> bytes:
    """Return the wall of a first hand of three in which seat `waiting` waits for a north; for 0 no
    seat does."""
    hands = [_EAST_HAND, *_IDLE_HANDS]
    if waiting:
        hands[waiting] = _WAITS_FOR_NORTH
    return wall_of(hands, _DRAWS, rinshan="SSC", rules=_OF_THREE)


async def _remove_stand_ins(process: Process, opened: Sequence[_OpenedTable]) -> None:
    """Remove the stand-ins that have taken over from absent players in their own turns, so that
    their claims are those of absent players again."""
    absent = [
        (seats.table_id, seats.letters.index("a")) for seats in opened if "a" in seats.letters
    ]
    while absent:
        await asyncio.sleep(_LOOKS_EVERY_S)
        for table_id, seat in absent:
            with contextlib.suppress(TableError):
                if (await process.service.read_room(table_id)).table.away[seat]:
                    await process.service.set_away(table_id, seat, False)


def _play_round(
    running_site: RunningSite, plan: Plan, opened: Sequence[_OpenedTable]
) -> tuple[defaultdict[int, list[Seen]], defaultdict[int, dict[int, Watched]]]:
    """Play a round in one process for each seat, and one for all spectators. Return what the
    players saw, by table, and what the spectators saw, by table and question."""
    jobs: list[dict[str, Any]] = []
    for seat in range(max(len(seats.letters) for seats in opened)):
        places = [
            (
                table,
                len(seats.letters),
                running_site.socket_url(seats.table_id, (table + seat) % plan.daphnes),
                seats.people[seat].cookie,
            )
            for table, seats in enumerate(opened)
            if seat in seats.people
        ]
        jobs.append({"seat": seat, "places": places})
    if plan.spectators:
        tables = range(0, len(opened), plan.tables)
        urls = [
            (table, running_site.socket_url(opened[table].table_id, table % plan.daphnes))
            for table in tables
        ]
        jobs.append({"watched": urls, "spectators": plan.spectators})
    children = [
        subprocess.Popen(
            [sys.executable, "-m", "bench.timing_crowd"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in jobs
    ]
    found: defaultdict[int, list[Seen]] = defaultdict(list)
    watched: defaultdict[int, dict[int, Watched]] = defaultdict(dict)
    try:
        for job, child in zip(jobs, children, strict=True):
            assert child.stdin is not None
            child.stdin.write(json.dumps(job) + "\n")
            child.stdin.flush()
        for child in children:
            assert child.stdout is not None
            if child.stdout.readline().strip() != STARTED:
                raise RuntimeError("the players could not connect")
        time.sleep(plan.seconds)
        for job, child in zip(jobs, children, strict=True):
            text, _ = child.communicate("stop\n", timeout=60)
            if "watched" in job:
                for discard in msgspec.json.decode(text, type=list[Watched]):
                    watched[discard.table][discard.q] = discard
            else:
                for seen in msgspec.json.decode(text, type=list[Seen]):
                    found[seen.table].append(seen)
    finally:
        for child in children:
            child.kill()
            child.wait()
    return found, watched


def print_aucs(samples: Sequence[Sample]) -> None:
    """Print the area under the curve of each label, by mix and for all mixes together."""
    norths = [sample for sample in samples if sample.chance.is_north]
    discards = [sample for sample in samples if not sample.chance.is_north]
    for what, kept in (("discards", discards), ("norths", norths)):
        mixes = list(dict.fromkeys(sample.mix for sample in kept))
        for mix in mixes:
            _print_aucs(mix, what, [sample for sample in kept if sample.mix == mix])
        if len(mixes) > 1:
            _print_aucs("all mixes", what, kept)


def _print_aucs(title: str, what: str, samples: Sequence[Sample]) -> None:
    in_time = [sample for sample in samples if sample.chance.all_in_time]
    print(f"{title}: {len(in_time):,} {what}; {len(samples) - len(in_time):,} with a late answer")
    for label in (PERSON, BOT, STAND_IN, ABSENT, SEVERAL):
        cells = list[str]()
        for read in MEASURES.values():
            area = stratified_auc(in_time, label, read)
            cells.append("-" if area is None else f"{area.value:.3f} ±{area.half_width:.3f}")
        count = sum(sample.chance.label == label for sample in in_time)
        if count:
            cells = [f"{cell:>20}" for cell in cells]
            print(f"  {label:<14}{count:>7,}{''.join(cells)}")
    arrival = [value * 1000 for value in _measured_values(in_time, NOBODY, MEASURES["arrival"])]
    median_ms, p99_ms = report.percentile(arrival, 0.5), report.percentile(arrival, 0.99)
    print(f"  nobody: {median_ms:.1f} ms by arrival (p99 {p99_ms:.1f})")


def _measured_values(samples: Iterable[Sample], label: str, read: Measure) -> list[float]:
    found = [read(sample) for sample in samples if sample.chance.label == label]
    return [value for value in found if value is not None]


def run(plan: Plan, keep: Path | None = None) -> None:
    """Play, print the figures, and write the samples to the file `keep` if one is given."""
    report.print_heading(
        f"timing leak: {len(plan.mixes)} mixes, {plan.tables} tables of each, {plan.daphnes} web "
        f"server(s), {plan.bot} bots, reaction time {CLOCK.reaction_ms} ms (TABLE_PACE=1), "
        f"{plan.rounds} x {plan.seconds:g} s"
    )
    samples = measure(plan)
    if keep is not None:
        keep.write_bytes(msgspec.json.encode(samples))
    print(f"AUC against discards that nobody could call: {', '.join(MEASURES)}")
    print_aucs(samples)


def main() -> None:
    """Run one measurement from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.timing_leak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    defaults = Plan()
    parser.add_argument("--mixes", nargs="+", default=defaults.mixes, help="such as ppbs")
    parser.add_argument(
        "--tables", type=int, default=defaults.tables, help="number of tables of each mix"
    )
    parser.add_argument("--seconds", type=float, default=defaults.seconds)
    parser.add_argument("--rounds", type=int, default=defaults.rounds)
    parser.add_argument("--daphnes", type=int, default=defaults.daphnes)
    parser.add_argument("--bot", default=defaults.bot)
    parser.add_argument(
        "--spectators", type=int, default=0, help="sockets that watch the first table of each mix"
    )
    parser.add_argument("--keep", type=Path, help="write the samples to this file, as JSON")
    parser.add_argument("--read", type=Path, nargs="+", help="print the figures of these files")
    options = vars(parser.parse_args())
    if options["seconds"] > MAX_ROUND_S:
        parser.error(f"a round takes at most {MAX_ROUND_S:g} s; --rounds plays several")
    files, keep = options.pop("read"), options.pop("keep")
    if files is None:
        run(Plan(**options), keep)
    else:
        kept = [msgspec.json.decode(file.read_bytes(), type=list[Sample]) for file in files]
        print_aucs([sample for samples in kept for sample in samples])


if __name__ == "__main__":
    main()
