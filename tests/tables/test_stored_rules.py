"""Games that were stored under version 1 of the rules are read and replayed by those rules.

Each line of `stored_version_1.txt` was written by the code that played version 1: a name, the room
and its commits. `tests/records/version_1` holds the records of the same games, and
`presets_version_1.json` the presets as that code stored them.

- `true`: South discards so that 5p beside its pon 555p is all that it waits with, and the wall is
  used up. `own_four_is_noten` was `true`: South is noten.
- `false`: East declares riichi with 1111m234p567p789s. `own_four_is_noten` was `false`: tenpai.
- `west_4`: the dealer of West 4 wins and leads with 26,500. The game ends, and final points are
  rounded.
"""

from __future__ import annotations

import base64
import zlib
from pathlib import Path

import msgspec
import pytest

from game.engine.decide import Accepted, decide
from game.engine.evolve import evolve
from game.engine.presets import PRESETS, preset
from game.engine.rules import RuleSet
from game.engine.state import Phase, Table
from game.records.reading import read
from game.records.validate import validate_game
from game.results.ladders import preset_of
from game.tables.codec import decode_commits, decode_room

STORED = Path(__file__).with_name("stored_version_1.txt")
PRESETS_1 = Path(__file__).with_name("presets_version_1.json")
RECORDS = Path(__file__).parents[1] / "records" / "version_1"


def replay_stored_game(name: str) -> Table:
    """Return the table after the stored game; check that every command produces the stored
    events."""
    lines = [line.split() for line in STORED.read_text().splitlines()]
    ((room, commits),) = [
        [zlib.decompress(base64.b64decode(text)) for text in texts]
        for found, *texts in lines
        if found == name
    ]
    table = decode_room(room).table
    for commit in decode_commits(commits):
        events = []
        for command in commit.commands:
            verdict = decide(table, command)
            assert isinstance(verdict, Accepted), f"{command}: {verdict}"
            events += verdict.events
            for event in verdict.events:
                table = evolve(table, event)
        assert tuple(events) == commit.events
    return table


def presets_of_version_1() -> dict[str, RuleSet]:
    return msgspec.json.decode(PRESETS_1.read_bytes(), type=dict[str, RuleSet])


def rules_of(name: str) -> RuleSet:
    return replay_stored_game(name).rules


@pytest.mark.parametrize(("stored", "value"), [("true", "all"), ("false", "off")])
def test_boolean_own_four_is_noten_is_read(stored: str, value: str) -> None:
    assert rules_of(stored).own_four_is_noten == value


def test_own_four_is_noten_true_counts_tiles_in_melds() -> None:
    assert replay_stored_game("true").results[0].deltas == (0, 0, 0, 0)


def test_own_four_is_noten_false_makes_the_wait_tenpai() -> None:
    assert replay_stored_game("false").results[0].deltas == (3_000, -1_000, -1_000, -1_000)


def test_leading_west_4_dealer_below_the_goal_ends_old_games() -> None:
    table = replay_stored_game("west_4")
    assert table.phase == Phase.ENDED
    assert table.scores == (25_000, 25_000, 23_500, 26_500)
    assert table.placement == ((2, 5.0), (3, -15.0), (4, -26.0), (1, 36.0))


@pytest.mark.parametrize("name", ["own_four_true", "own_four_false", "west_4"])
def test_records_of_version_1_are_replayed_without_a_difference(name: str) -> None:
    report = validate_game(name, read((RECORDS / f"{name}.mjson").read_bytes()))
    assert len(report.hands) == 1
    assert not report.differences
    assert not report.faults


@pytest.mark.parametrize("name", PRESETS)
def test_a_stored_preset_of_version_1_is_still_that_preset(name: str) -> None:
    stored = presets_of_version_1()[name]
    assert stored == preset(name, 1)
    assert preset_of(stored) == name
    assert preset_of(msgspec.structs.replace(stored, length="east")) == name
    assert preset_of(msgspec.structs.replace(stored, honba_points=600)) == ""
    assert preset(name).version == 2


def test_switches_that_no_longer_exist_are_ignored() -> None:
    dropped = {"atozuke": True, "ankan_dora": "before_replacement"}
    stored = msgspec.json.decode(PRESETS_1.read_bytes())
    assert all(rules.items() >= dropped.items() for rules in stored.values())
    assert not dropped.keys() & set(RuleSet.__struct_fields__)
    (log,) = [line for line in STORED.read_text().splitlines() if line.startswith("true ")]
    assert b"atozuke" in zlib.decompress(base64.b64decode(log.split()[1]))


def test_version_1_of_tenhou_differs_in_three_switches() -> None:
    now, before = preset("tenhou"), preset("tenhou", 1)
    names = [name for name in RuleSet.__struct_fields__ if name != "version"]
    assert {name for name in names if getattr(now, name) != getattr(before, name)} == {
        "rounding",
        "dealer_stops_below_goal",
        "own_four_is_noten",
    }
