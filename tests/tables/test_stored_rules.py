"""Games that were stored under earlier versions of the rules are read and replayed by those rules.

Each line of `stored_version_1.txt` was written by the code that played version 1: a name, the room
and its commits. `tests/records/version_1` holds the records of the same games.
`presets_version_1.json` and `presets_version_2.json` hold the presets as the code of that version
stored them.

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
from game.engine.presets import EARLIER_VERSIONS, PRESETS, preset
from game.engine.rules import RuleSet
from game.engine.state import Phase, Table
from game.records.reading import read_recorded_game
from game.records.validate import validate_game
from game.results.ladders import preset_of
from game.tables.codec import decode_commits, decode_room

STORED = Path(__file__).with_name("stored_version_1.txt")
PRESETS_OF = {n: Path(__file__).with_name(f"presets_version_{n}.json") for n in (1, 2)}
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


def stored_presets(version: int) -> dict[str, RuleSet]:
    return msgspec.json.decode(PRESETS_OF[version].read_bytes(), type=dict[str, RuleSet])


def rules_of(name: str) -> RuleSet:
    return replay_stored_game(name).rules


@pytest.mark.parametrize(("stored", "value"), [("true", "all"), ("false", "off")])
def test_boolean_own_four_is_noten_is_read(stored: str, value: str) -> None:
    assert rules_of(stored).own_four_is_noten == value


def test_number_of_noten_payments_is_read() -> None:
    assert rules_of("true").noten_payments == (1_000, 1_500, 3_000)
    for total, payments in ((1_200, (400, 600, 1_200)), (0, (0, 0, 0))):
        stored = msgspec.json.encode({"noten_payments": total})
        assert msgspec.json.decode(stored, type=RuleSet).noten_payments == payments


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
    report = validate_game(name, read_recorded_game((RECORDS / f"{name}.mjson").read_bytes()))
    assert len(report.hands) == 1
    assert not report.differences
    assert not report.faults


@pytest.mark.parametrize("version", PRESETS_OF)
def test_stored_presets_are_still_those_presets(version: int) -> None:
    stored = stored_presets(version)
    assert len(stored) == 10
    for name, rules in stored.items():
        assert rules == preset(name, version)
        assert preset_of(rules) == name
        assert preset_of(msgspec.structs.replace(rules, length="east")) == name
        assert preset_of(msgspec.structs.replace(rules, honba_points=600)) == ""


def test_every_version_since_a_preset_was_first_stored_is_known() -> None:
    first = {name: version for version in (2, 1) for name in stored_presets(version)}
    assert set(EARLIER_VERSIONS) == {
        (name, version)
        for name, rules in PRESETS.items()
        for version in range(first.get(name, rules.version), rules.version)
    }


def test_switches_that_no_longer_exist_are_ignored() -> None:
    dropped = {"atozuke": True, "ankan_dora": "before_replacement"}
    stored = msgspec.json.decode(PRESETS_OF[1].read_bytes())
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
