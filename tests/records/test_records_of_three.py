"""Records of three players: given games of Tenhou, own games in each format, proofs of walls."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from game.engine.events import NorthSetAside
from game.engine.presets import PRESETS_OF_THREE, preset
from game.engine.wall import shuffled_wall
from game.engine.wall_proof import (
    BoundFacts,
    ProvedDraw,
    WallProof,
    commitment_of,
    rules_text,
    seed_of,
    terms_of,
)
from game.records.mjlog_codes import tiles_from_numbers
from game.records.own import OwnGame
from game.records.reading import read_recorded_game, record_paths, unpack_text
from game.records.recorded import RecordedHand, RecordError
from game.records.tenhou_versions import USUAL_REDS
from game.records.tenhou_walls import SEED_PREFIX, TenhouWalls
from game.records.validate import validate_file, validate_game
from game.records.wall_check import check_record
from game.records.writing_mjai import write_mjai
from game.records.writing_mjlog import write_mjlog
from game.records.writing_tenhou6 import write_tenhou6
from tests.records.own_games import game_on, random_game
from tests.records.proved_games import SIGNER
from tests.records.wall_programs import CHECK_SEED, node_verdicts, python_verdict

RECORDS: Final = Path(__file__).resolve().parents[3] / "shared" / "sanma"
FILES: Final = list(record_paths([RECORDS])) if RECORDS.is_dir() else []
NAMES: Final = ("A", "B", "C")
RULES: Final = preset("tenhou-3")
SEATS: Final = ("person:a", "person:b", "bot:sensible")

EXPLAINED: Final = {
    "four_hands_unusual.json": ["hand 3: the record's payments leave the riichi sticks out"]
}
"""The notes of records whose writers leave something out."""

given = pytest.mark.skipif(not FILES, reason=f"no recorded games in {RECORDS}")


@given
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:24])
def test_recorded_game_of_three_is_replayed_without_difference(path: Path) -> None:
    report = validate_file(path)
    assert not report.differences, report.differences[0]
    assert (report.faults, report.unsupported) == ((), "")
    assert list(report.notes) == EXPLAINED.get(path.name, [])
    assert report.versions
    assert all(hand.outcome for hand in report.hands)


@given
def test_walls_of_all_games_with_a_seed_are_rebuilt() -> None:
    """Where each tile lies that a player has seen is part of the test above."""
    seeds = 0
    for path in FILES:
        text = unpack_text(path.read_bytes())
        found = re.search(rf'seed="({SEED_PREFIX}[^"]+)"', text)
        if found is None:
            continue
        seeds += 1
        walls = TenhouWalls(found[1], 3)
        for hand in read_recorded_game(path.read_bytes()).hands:
            assert isinstance(hand, RecordedHand)
            assert [*hand.wall] == tiles_from_numbers(walls.next_wall(), has_reds=True)
    assert seeds == 209


@pytest.mark.parametrize("name", PRESETS_OF_THREE)
@pytest.mark.parametrize("write", [write_mjlog, write_tenhou6, write_mjai])
def test_own_game_of_three_is_read_again(name: str, write: Callable[[OwnGame], str]) -> None:
    rules = PRESETS_OF_THREE[name]
    if write is write_mjlog and rules.red_fives == (0, 4, 4):
        rules = replace(rules, red_fives=USUAL_REDS[3])  # the format cannot hold four
    norths = 0
    for seed in range(3):
        hands = tuple(tuple(hand) for hand in random_game(seed, rules))
        norths += sum(isinstance(event, NorthSetAside) for hand in hands for event in hand)
        game = read_recorded_game(write(OwnGame(NAMES, rules, hands)).encode())
        report = validate_game(name, game)
        assert report.agrees, report.differences or report.faults
        assert report.rules == rules
        assert game.names == NAMES
    assert norths > 5


def test_other_spellings_of_mjai_are_read() -> None:
    hands = random_game(1, RULES)
    text = write_mjai(OwnGame(NAMES, RULES, tuple(map(tuple, hands)), is_marked=False))
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        if line["type"] == "kita":
            line["type"] = "nukidora"
        for name, nothing in (("scores", 0), ("deltas", 0), ("tehais", []), ("tenpais", False)):
            if name in line:
                line[name] = [*line[name], nothing]
    other = validate_game("", read_recorded_game("\n".join(map(json.dumps, lines)).encode()))
    assert other.agrees, other.differences or other.faults


def with_winner(text: str, seat: int) -> str:
    """Return a record of tenhou.net/6 in which that seat wins the hands by self-draw."""
    record = json.loads(text)
    for *_, result in record["log"]:
        if result[0] == "和了":
            result[2][:2] = [seat, seat]
    return json.dumps(record)


def test_fourth_seat_is_damage() -> None:
    game = proved_game(1)
    in_mjlog, in_tenhou6, in_mjai = write_mjlog(game), write_tenhou6(game), write_mjai(game)
    for text in (
        in_mjlog.replace('who="2"', 'who="3"'),
        in_mjlog.replace('fromWho="2"', 'fromWho="3"'),
        re.sub(r'<INIT seed="2,(.*?) oya="2"', r'<INIT seed="3,\1 oya="3"', in_mjlog),
        with_winner(in_tenhou6, 3),
        in_tenhou6.replace("[[[0,", "[[[3,"),
        in_mjai.replace('"kyoku":3', '"kyoku":4').replace('"oya":2', '"oya":3'),
    ):
        assert any("there is no seat 3" in fault for fault in faults_of(text)), text[:200]
        assert check_record(text.encode()).problems


def faults_of(text: str) -> tuple[str, ...]:
    return validate_game("", read_recorded_game(text.encode())).faults


def proved_game(number: int) -> OwnGame:
    """Return a game whose seed was drawn with the pages of two of three seats."""
    rng = Random(number)
    given_bytes = (rng.randbytes(32), rng.randbytes(32), b"")
    commitments = tuple(commitment_of(data) if data else b"" for data in given_bytes)
    secret, rules = rng.randbytes(32), rules_text(RULES)
    facts = BoundFacts(
        "table", terms_of(SEATS, rules), 1, commitments, sha256(secret).digest(), (), b""
    )
    key, signature = SIGNER.sign(facts.binding)
    draw = ProvedDraw(commitments, secret, facts.binding, given_bytes, key, signature)
    seed = seed_of("table", facts.binding, secret, given_bytes)
    hands = game_on((shuffled_wall(RULES, seed, hand) for hand in count()), rng, RULES)
    proof = WallProof("table", SEATS, rules, (draw,))
    return OwnGame(NAMES, RULES, tuple(map(tuple, hands)), seed, proof=proof)


def server_verdict(text: str) -> str:
    try:
        return "DOES NOT FIT" if check_record(text.encode()).problems else "FITS"
    except RecordError:
        return "DOES NOT FIT"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_all_verifiers_know_the_wall_of_three(tmp_path: Path) -> None:
    """A reader who follows the tiles finds a north that was not set aside, a draw from the wrong
    end, and a number of players that is not the proof's."""
    game = next(
        game
        for game in map(proved_game, count())
        if sum(isinstance(event, NorthSetAside) for hand in game.hands for event in hand) > 3
    )
    for write in (write_mjlog, write_tenhou6):
        report = check_record(write(game).encode())
        assert (report.problems, report.pages, report.is_over) == ((), (0, 1), True)
    text = write_mjai(game)
    lines = text.splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if '"kita"' in line)
    cases = {
        "unchanged": text,
        "no north": "".join([*lines[:at], *lines[at + 1 :]]),
        "another tile": "".join([*lines[:at], lines[at].replace('"N"', '"E"'), *lines[at + 1 :]]),
        "no replacement": "".join([*lines[: at + 1], *lines[at + 2 :]]),
        "four players": text.replace('"players":3', '"players":4', 1),
    }
    found = node_verdicts([*cases.items()], tmp_path)
    file = tmp_path / "game.jsonl"
    for name, changed in cases.items():
        file.write_text(changed)
        verdicts = {
            "server": server_verdict(changed),
            "python": python_verdict(file),
            "page": found["page"][name],
            "node": found["program"][name],
        }
        assert set(verdicts.values()) == {"FITS" if name == "unchanged" else "DOES NOT FIT"}, (
            name,
            verdicts,
        )
        seeds = {python_verdict(file, CHECK_SEED), found["seed"][name]}
        assert seeds == {"DOES NOT FIT" if name == "four players" else "FITS"}
