"""The measurement of the pause after a discard finds a difference only where there is one."""

from __future__ import annotations

import re
from random import Random

import pytest

from bench.timing_leak import _staged_wall, auc, call_chances
from game.engine.actions import Pass, SetNorthAside
from game.engine.clock import ClockSettings
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame
from game.engine.decide import Accepted, decide
from game.engine.evolve import evolve
from game.engine.legal import legal, pending_seats
from game.engine.presets import preset
from game.engine.rules import TENHOU
from game.engine.state import Phase, Table
from game.engine.tiles import TILE_TO_TEXT
from game.tables.codec import encode
from game.tables.commit_draft import Proposal, draft
from game.tables.room import Room, TableId, TableMeta
from tests.kit.long_form import IS_LONG
from tests.kit.modules import run_module
from tests.tables.staging import START, people


@pytest.mark.parametrize(
    ("against", "of", "area"),
    [
        ([1.0, 2.0], [3.0, 4.0], 1.0),
        ([3.0, 4.0], [1.0, 2.0], 0.0),
        ([1.0, 2.0, 3.0], [2.0], 0.5),
        ([1.0, 1.0], [1.0, 2.0], 0.75),
    ],
)
def test_area_under_the_curve(against: list[float], of: list[float], area: float) -> None:
    found = auc(against, of)
    assert found is not None
    assert found.value == area


def test_interval_of_random_values_contains_one_half() -> None:
    rng = Random(1)
    found = auc([rng.random() for _ in range(3_000)], [rng.random() for _ in range(3_000)])
    assert found is not None
    assert abs(found.value - 0.5) < found.half_width < 0.02


def test_area_without_values_is_none() -> None:
    assert auc([], [1.0]) is None
    assert auc([1.0], []) is None


def test_log_gives_possible_callers_and_late_answers() -> None:
    kinds = ("person", "bot", "person", "stand-in")
    table_meta = TableMeta(seats=people(), clock=ClockSettings(), opened_at=START)
    room, log, now = Room(TableId("t"), table_meta), list[bytes](), START
    expected: dict[int, tuple[tuple[int, ...], bool]] = {}

    def commit(*commands: StartGame | DealHand | Act | Proceed) -> None:
        nonlocal room
        drafted = draft(room, Proposal(commands=commands), now_ms=lambda: now, token=b"123456")
        room = drafted.after  # type: ignore[union-attr]
        log.append(encode(drafted.commit))  # type: ignore[union-attr]

    commit(StartGame(rules=TENHOU, names=("a", "b", "c", "d"), seed=bytes([7] * 32)), DealHand())
    while room.table.phase in (Phase.TURN, Phase.CLAIMS):
        table = room.table
        if table.phase == Phase.TURN:
            commit(Act(table.turn, table.step, legal(table, table.turn)[-1]))
            if room.table.phase == Phase.CLAIMS:
                is_late = len(expected) % 3 == 0
                asked = pending_seats(room.table)
                expected[room.table.step] = asked, not (asked and is_late)
                now += 700 if asked and is_late else 0
        elif asked := pending_seats(table):
            commit(Act(asked[0], table.step, Pass()))
        else:
            now += 600
            commit()
    found = call_chances(kinds, log)
    assert {q: (asked.seats, asked.all_in_time) for q, asked in found.items()} == expected
    assert any(asked.seats and not asked.all_in_time for asked in found.values())
    for asked_at_step in found.values():
        labels = {kinds[seat] for seat in asked_at_step.seats} or {"nobody"}
        assert asked_at_step.label == (labels.pop() if len(labels) == 1 else "several kinds")


@pytest.mark.parametrize("waiting", [0, 1, 2])
def test_staged_hand_of_three_has_norths_that_one_player_waits_for(waiting: int) -> None:
    """Everybody passes, discards what was drawn, and sets aside the norths that were drawn."""
    table = Table()
    wall = _staged_wall(waiting)
    found: list[tuple[int, ...]] = []

    def carry_out(*commands: Command) -> None:
        nonlocal table
        for command in commands:
            outcome = decide(table, command)
            assert isinstance(outcome, Accepted)
            for event in outcome.events:
                table = evolve(table, event)

    carry_out(StartGame(preset("tenhou-3"), ("a", "b", "c"), bytes(32)), DealHand(wall))
    for _ in range(24):
        asked = pending_seats(table)
        if table.phase == Phase.TURN:
            actions = legal(table, table.turn)
            norths = [action for action in actions if isinstance(action, SetNorthAside)]
            is_drawn = bool(norths) and TILE_TO_TEXT[table.drawn] == "N"
            action = norths[0] if is_drawn else actions[-1]
            carry_out(Act(table.turn, table.step, action))
            if is_drawn:
                found.append(pending_seats(table))
        elif asked:
            carry_out(Act(asked[0], table.step, Pass()))
        else:
            carry_out(Proceed(table.step))
    assert found == [(waiting,) if waiting else ()] * 3


@pytest.mark.skipif(not IS_LONG, reason="half a minute: LONG=1 runs it")
def test_short_measurement_prints_a_line_for_each_label() -> None:
    mixes = ("--mixes", "pppb", "ppss", "ppp")
    size = ("--tables", "2", "--seconds", "20", "--daphnes", "2", "--spectators", "10")
    done = run_module("bench.timing_leak", *mixes, *size)
    assert done.returncode == 0, done.stderr
    for line in (
        r"^pppb: +(\d+) discards",
        r"^ppss: +(\d+) discards",
        r"^ppp: +(\d+) norths",
        r"^  person +(\d+)( +0\.\d+ ±0\.\d+){2}( +(-|0\.\d+ ±0\.\d+)){3}",
        r"^  nobody: ([\d.]+) ms by arrival",
    ):
        found = re.search(line, done.stdout, re.MULTILINE)
        assert found, done.stdout
        assert float(found[1]) > 0
