"""Perft: counts of possible lines are as recorded, and a plain second computation gives the same
counts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import pytest

from game.engine import actions
from game.engine.commands import Act
from game.engine.decide import Accepted, decide
from game.engine.evolve import evolve
from game.engine.legal import legal, pending_seats
from game.engine.presets import preset
from game.engine.state import Phase, Table
from tests.engine.plain_legality import accepted_actions, conceivable, plainly_legal
from tests.kit.perft import (
    POSITIONS,
    count_by_first_move,
    move_text,
    next_moves,
    open_position,
    perft,
    proceed_until_asked,
)
from tests.kit.play import Play, stage
from tests.kit.random_games import play_random_game
from tests.kit.tables import picture

CONCEIVABLE = conceivable()
RANDOM_GAMES = int(os.environ.get("PLAIN_GAMES", "4"))


def stage_robbery() -> Play:
    """Stage an added kan of South, whose tile East in riichi and North wait for."""
    play = stage(
        ("234567m345p6s99sP", "88s147m258p14sNSW", "", "345m123789p67s22p"),
        "N F 8s 9m 1p 7s 8s",
    )
    play.discard_in_turn("NF")
    play.discard(2, "8s")
    play.pon(1, "88s")
    play.discard(1, "N")
    play.discard_in_turn("9m1p")
    play.riichi(0, "P")
    play.kakan(1, "8s")
    return play


def stage_riichi_kan() -> Play:
    """Stage a turn of East in riichi, who draws the fourth tile of a triplet."""
    play = stage(("234567m999p67s11s",), "P F C N F 9m 1p 1p 9p")
    play.discard_in_turn("PFCN")
    play.riichi(0, "F")
    play.discard_in_turn("9m1p1p")
    return play


def stage_run() -> Play:
    """Stage a hand in which South has called 4m with 56m and holds 4m and 7m."""
    play = stage(("", "4567m147p258sESW"), "4m")
    play.discard(0, "4m")
    play.chi(1, "56m")
    return play


def stage_norths() -> Play:
    """Stage a turn of East with two norths and a closed kan, while South in riichi waits for one
    north and holds two."""
    play = stage(
        ("19m147p1111sSWNN", "123p456p789p99sNN", "19m258p258s36pSPF"),
        "9s E 9m 9m",
        rules=preset("tenhou-3"),
    )
    play.discard(0, "9s")
    play.riichi(1, "E")
    play.discard_in_turn("9m")
    return play


STAGED = {
    "robbery": stage_robbery,
    "riichi_kan": stage_riichi_kan,
    "run": stage_run,
    "norths": stage_norths,
}


def table_of(name: str, rules: str = "tenhou") -> Table:
    if name in STAGED:
        return STAGED[name]().table
    return open_position(POSITIONS[name], preset(rules))


@pytest.mark.parametrize(
    ("name", "rules", "counts"),
    [
        ("deal", "tenhou", (11, 112, 1247)),
        ("deal", "ema-2012", (11, 112, 1248)),
        ("deal", "m-league", (11, 112, 1247)),
        ("calls", "tenhou", (14, 162, 1907)),
        ("calls", "ema-2012", (14, 162, 1907)),
        ("calls", "m-league", (14, 162, 1907)),
        ("kans", "tenhou", (11, 120, 1406)),
        ("kans", "ema-2012", (11, 120, 1406)),
        ("kans", "m-league", (11, 120, 1406)),
        ("riichi", "tenhou", (14, 90, 696)),
        ("riichi", "ema-2012", (14, 90, 706)),
        ("riichi", "m-league", (14, 90, 696)),
        ("orphans", "tenhou", (30, 682, 7530)),
        ("orphans", "ema-2012", (30, 682, 7530)),
        ("orphans", "m-league", (29, 657, 7501)),
        ("robbery", "tenhou", (2, 4, 14, 146)),
        ("riichi_kan", "tenhou", (2, 15, 210, 2436)),
        ("run", "tenhou", (9, 126, 1764, 24696)),
        ("norths", "tenhou-3", (12, 32, 171, 1551)),
    ],
)
def test_counts_are_unchanged(name: str, rules: str, counts: tuple[int, ...]) -> None:
    table = table_of(name, rules)
    found = tuple(perft(table, depth) for depth in range(1, len(counts) + 1))
    parts = "\n".join(
        f"{move}: {count}" for move, count in count_by_first_move(table, len(counts)).items()
    )
    assert found == counts, f"{parts}\n{picture(table)}"


def lines(table: Table, depth: int) -> Iterator[Table]:
    """Yield the tables at which somebody is asked, up to that depth, the first one included."""
    if depth == 0 or table.phase not in (Phase.TURN, Phase.CLAIMS):
        return
    yield table
    for _, _, after in next_moves(table):
        yield from lines(after, depth - 1)


NAMES = [*POSITIONS, *STAGED]


@pytest.mark.parametrize("name", NAMES)
def test_exactly_the_listed_actions_are_accepted(name: str) -> None:
    table = table_of(name)
    for seat in table.seats:
        assert accepted_actions(table, seat, CONCEIVABLE) == set(legal(table, seat)), picture(table)


@pytest.mark.parametrize("name", NAMES)
def test_counting_all_accepted_actions_gives_the_same(name: str) -> None:
    table = table_of(name)
    assert perft(table, 2) == _plain_perft(table, 2), picture(table)


def _plain_perft(table: Table, depth: int) -> int:
    """Return the perft count over all conceivable actions."""
    if depth == 0 or table.phase not in (Phase.TURN, Phase.CLAIMS):
        return 1
    players = len(table.seats)
    order = [(table.turn + place) % players for place in range(1, players + 1)]
    seat = next(seat for seat in order if seat in pending_seats(table))
    total = 0
    for action in accepted_actions(table, seat, CONCEIVABLE):
        verdict = decide(table, Act(seat, table.step, action))
        assert isinstance(verdict, Accepted)
        after = table
        for event in verdict.events:
            after = evolve(after, event)
        total += _plain_perft(proceed_until_asked(after), depth - 1)
    return total


@pytest.mark.parametrize("rules", ["tenhou", "ema-2012", "jpml-a"])
@pytest.mark.parametrize("name", list(POSITIONS))
def test_legal_actions_agree_with_the_plain_rules(name: str, rules: str) -> None:
    for table in lines(table_of(name, rules), 3):
        for seat in pending_seats(table):
            listed = legal(table, seat)
            assert len(set(listed)) == len(listed)
            assert set(listed) == plainly_legal(table, seat), f"seat {seat}\n{picture(table)}"


@pytest.mark.parametrize("name", list(STAGED))
def test_legal_actions_in_staged_hands_agree_with_the_plain_rules(name: str) -> None:
    for table in lines(table_of(name), 4):
        for seat in pending_seats(table):
            assert set(legal(table, seat)) == plainly_legal(table, seat), picture(table)


@pytest.mark.parametrize("rules", ["tenhou", "mahjong-soul", "jpml-a"])
def test_legal_actions_in_random_hands_agree_with_the_plain_rules(rules: str) -> None:
    chance = Random(f"plain {rules}")
    asked = 0
    for _ in range(RANDOM_GAMES):
        for table, _, _ in play_random_game(chance, preset(rules), hands=2):
            for seat in pending_seats(table) if table.phase in (Phase.TURN, Phase.CLAIMS) else ():
                asked += 1
                assert set(legal(table, seat)) == plainly_legal(table, seat), picture(table)
    assert asked > 100 * RANDOM_GAMES


def test_seats_asked_together_answer_in_turn_order() -> None:
    play = stage_robbery()
    assert set(pending_seats(play.table)) == {0, 3}
    first, then = count_by_first_move(play.table, 1), count_by_first_move(play.table, 2)
    assert list(first) == ["3 hora", "3 none"]
    assert then == {"3 hora": 2, "3 none": 2}


def test_moves_are_named_as_in_mjai() -> None:
    assert move_text(0, actions.Discard(2, True)) == "0 dahai 2m *"
    assert move_text(1, actions.CallChi((2, 9))) == "1 chi 2m 5mr"
    assert move_text(2, actions.Pass()) == "2 none"
