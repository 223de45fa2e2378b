"""The methods of seating are checked by an independent count of pairs and winds."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from game.engine.by_seat import BySeat
from lobby.events.seating import (
    Method,
    SeatingError,
    draw_sitting_out,
    interval_round,
    plan_rounds,
    read_prescribed,
    seats_needed,
)

Rounds = list[list[BySeat[int]]]
METHODS: list[Method] = ["random", "swiss", "interval", "balanced"]


def pairs_of(rounds: Rounds) -> dict[frozenset[int], int]:
    counts: dict[frozenset[int], int] = {}
    for tables in rounds:
        for table in tables:
            for pair in combinations(table, 2):
                counts[frozenset(pair)] = counts.get(frozenset(pair), 0) + 1
    return counts


def winds_of(rounds: Rounds) -> dict[int, list[int]]:
    counts: dict[int, list[int]] = {}
    for tables in rounds:
        for table in tables:
            for wind, player in enumerate(table):
                counts.setdefault(player, [0] * len(table))[wind] += 1
    return counts


def seats_everybody_once(rounds: Rounds, players: int, size: int = 4) -> bool:
    everybody = list(range(1, players + 1))
    return all(
        sorted(player for table in tables for player in table) == everybody
        and all(len(table) == size for table in tables)
        for tables in rounds
    )


@dataclass(frozen=True)
class Answer:
    """The output and the error output of the command."""

    stdout: str
    stderr: str


def command(*args: str) -> Answer:
    """Return the output of the command `seating`, and its reason if it refuses."""
    stdout, stderr = io.StringIO(), io.StringIO()
    try:
        call_command("seating", *args, stdout=stdout, stderr=stderr)
    except CommandError as error:
        return Answer(stdout.getvalue(), str(error))
    return Answer(stdout.getvalue(), stderr.getvalue())


def test_command_prints_balanced_rounds_as_json() -> None:
    asked = ("--players", "64", "--rounds", "8", "--method", "balanced", "--seed", "1", "--json")
    answer = subprocess.run(
        [sys.executable, "manage.py", "seating", *asked],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    printed = json.loads(answer.stdout)
    assert list(printed) == ["rounds"]
    rounds = printed["rounds"]
    assert len(rounds) == 8
    assert seats_everybody_once(rounds, 64)
    assert rounds[0][0] == [1, 17, 33, 49]
    assert max(pairs_of(rounds).values()) == 1
    assert all(winds == [2, 2, 2, 2] for winds in winds_of(rounds).values())
    assert answer.stdout.count("\n") == 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("players", "size", "rounds"), [(4, 4, 3), (16, 4, 4), (64, 4, 8), (3, 3, 3), (24, 3, 9)]
)
def test_every_method_seats_everybody_once_a_round(
    method: Method, players: int, size: int, rounds: int
) -> None:
    found = plan_rounds(method, players, size, rounds, 5)
    assert len(found) == rounds
    assert seats_everybody_once(found, players, size)
    assert found == plan_rounds(method, players, size, rounds, 5)
    if method in {"random", "balanced"} and players > size:
        assert found != plan_rounds(method, players, size, rounds, 6)


@pytest.mark.parametrize("method", METHODS)
def test_rounds_go_on_for_random_numbers_of_players(method: Method) -> None:
    """After any rounds, of tables of three or four, everybody is seated once more; with seats that
    are planned at once, the winds of a player differ by one at most."""
    rng = Random(method)
    for _ in range(12):
        size, tables, rounds = rng.choice((3, 4)), rng.randint(1, 12), rng.randint(1, 7)
        players, seed = size * tables, rng.randrange(1_000)
        found = plan_rounds(method, players, size, rounds, seed)
        assert seats_everybody_once(found, players, size)
        if method in {"random", "balanced"}:
            spread = [max(winds) - min(winds) for winds in winds_of(found).values()]
            assert max(spread) <= 1
        standing = rng.sample(range(1, players + 1), players)
        more = plan_rounds(method, players, size, 2, seed, standing=standing, played=found)
        assert seats_everybody_once(more, players, size)


@pytest.mark.parametrize("method", ["random", "balanced"])
@pytest.mark.parametrize(("players", "rounds"), [(16, 5), (20, 3), (64, 8)])
def test_winds_are_shared_evenly(method: Method, players: int, rounds: int) -> None:
    for winds in winds_of(plan_rounds(method, players, 4, rounds, 2)).values():
        assert max(winds) - min(winds) <= 1


@pytest.mark.parametrize(
    ("players", "rounds"),
    [
        *((16, 5), (20, 5), (24, 6), (24, 7), (28, 7), (28, 8), (28, 9), (32, 8)),
        *((36, 10), (36, 11)),
        *((40, 8), (40, 10), (40, 13), (48, 8), (64, 8), (100, 10)),
    ],
)
def test_balanced_lets_no_pair_meet_twice(players: int, rounds: int) -> None:
    found = plan_rounds("balanced", players, 4, rounds, 9)
    assert seats_everybody_once(found, players)
    assert max(pairs_of(found).values()) == 1


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(12, 4), (15, 5), (18, 6), (21, 7), (24, 9), (30, 10), (36, 16), (48, 16), (69, 16)],
)
def test_balanced_tables_of_three_let_no_pair_meet_twice(players: int, rounds: int) -> None:
    found = plan_rounds("balanced", players, 3, rounds, 9)
    assert seats_everybody_once(found, players, 3)
    assert max(pairs_of(found).values()) == 1


@pytest.mark.parametrize(
    ("players", "size", "rounds"), [(28, 4, 9), (40, 4, 13), (9, 3, 4), (27, 3, 13)]
)
def test_everybody_meets_everybody_once(players: int, size: int, rounds: int) -> None:
    for seed in range(5):
        found = plan_rounds("balanced", players, size, rounds, seed)
        assert seats_everybody_once(found, players, size)
        assert set(pairs_of(found).values()) == {1}
        assert len(pairs_of(found)) == players * (players - 1) // 2


def test_balanced_shares_unavoidable_meetings_evenly() -> None:
    """Each of eight players can meet each other three times in seven rounds."""
    found = plan_rounds("balanced", 8, 4, 7, 1)
    assert seats_everybody_once(found, 8)
    assert set(pairs_of(found).values()) == {3}


def test_swiss_seats_neighbours_of_the_standing() -> None:
    standing = list(range(1, 17))
    Random(3).shuffle(standing)
    (first,) = plan_rounds("swiss", 16, 4, 1, 1, standing=standing)
    assert [set(table) for table in first] == [set(standing[at : at + 4]) for at in (0, 4, 8, 12)]


def test_swiss_avoids_players_who_have_met() -> None:
    first = plan_rounds("swiss", 64, 4, 1, 1)
    second = plan_rounds("swiss", 64, 4, 1, 2, played=first)
    assert max(pairs_of([*first, *second]).values()) == 1
    assert 1 in second[0][0]


def test_swiss_gives_winds_that_a_player_has_not_had() -> None:
    rounds = plan_rounds("swiss", 32, 4, 4, 1)
    for winds in winds_of(rounds).values():
        assert max(winds) <= 2


def test_interval_takes_equal_steps_of_the_standing() -> None:
    order = list(range(1, 21))
    assert interval_round(order, 4, 3) == [
        [1, 4, 7, 10],
        [2, 5, 8, 11],
        [3, 6, 9, 12],
        [13, 15, 17, 19],
        [14, 16, 18, 20],
    ]
    assert interval_round(order, 4)[0] == [1, 6, 11, 16]


def test_turns_to_sit_out_differ_by_one_at_most() -> None:
    rng = Random(1)
    for _ in range(20):
        players, count = rng.randint(5, 30), rng.randint(0, 3)
        sat_out: dict[int, list[int]] = {player: [] for player in range(1, players + 1)}
        for number in range(1, 21):
            drawn = draw_sitting_out(sat_out, count, rng)
            assert len(drawn) == count
            for player in drawn:
                sat_out[player].append(number)
            times = {len(rounds) for rounds in sat_out.values()}
            assert max(times) - min(times) <= 1
        for rounds in sat_out.values():
            assert all(later - before > 1 for before, later in pairwise(rounds))


@pytest.mark.parametrize("method", METHODS)
def test_first_round_can_leave_players_out(method: Method) -> None:
    order = [1, 2, 4, 5, 6, 8, 9, 10]
    (tables,) = plan_rounds(method, 8, 4, 1, 1, standing=order)
    assert sorted(player for table in tables for player in table) == order


def test_rounds_with_other_tables_are_refused() -> None:
    played = plan_rounds("random", 12, 4, 1, 1)
    with pytest.raises(SeatingError, match="does not have tables of 3"):
        plan_rounds("swiss", 12, 3, 1, 1, played=played)


def test_left_over_seats_are_refused_or_filled() -> None:
    with pytest.raises(SeatingError, match="2 more are needed, or 2 fewer"):
        seats_needed(62, 4, 8, "refuse")
    assert seats_needed(10, 3, 8, "bots") == seats_needed(12, 3, 8, "refuse") == 12
    assert seats_needed(11, 3, 8, "sit_out") == 9
    assert seats_needed(62, 4, 8, "bots") == seats_needed(61, 4, 8, "substitutes") == 64
    answer = command("--players", "63", "--rounds", "2", "--fill", "bots", "--json")
    assert seats_everybody_once(json.loads(answer.stdout)["rounds"], 64)


def test_command_keeps_pairs_apart() -> None:
    asked = ("--players", "8", "--rounds", "1", "--method", "swiss", "--json")
    assert sorted(json.loads(command(*asked).stdout)["rounds"][0][0])[:2] == [1, 2]
    (tables,) = json.loads(command(*asked, "--apart", "1-2", "3-4").stdout)["rounds"]
    assert [sum(one in table for one in (1, 2)) for table in tables] == [1, 1]
    assert [sum(one in table for one in (3, 4)) for table in tables] == [1, 1]
    assert "3- has to be two numbers" in command(*asked, "--apart", "3-").stderr


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("players", [5, 6, 7])
def test_no_count_of_players_hangs_the_search(method: Method, players: int) -> None:
    """Each search is bounded; an unbounded one would run into the time limit of the test."""
    seats = seats_needed(players, 4, 6, "substitutes")
    assert seats_everybody_once(plan_rounds(method, seats, 4, 6, 1), seats)


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("--players", "3", "--rounds", "1"), "4 to 1024 players"),
        (("--players", "64", "--rounds", "0"), "1 to 64 rounds"),
        (("--players", "65", "--rounds", "8"), "3 more are needed, or 1 fewer"),
        (("--rounds", "8"), "--players and --rounds"),
        (("--players", "8", "--method", "prescribed"), "need --csv"),
    ],
)
def test_wrong_counts_are_refused_with_the_reason(args: tuple[str, ...], text: str) -> None:
    answer = command(*args)
    assert text in answer.stderr
    assert answer.stdout == ""


def test_command_reads_and_makes_tables_of_three(tmp_path: Path) -> None:
    path = tmp_path / "seats.csv"
    path.write_text("round,table,east,south,west\n1,1,1,2,3\n1,2,6,5,4\n", encoding="utf-8")
    asked = ("--table-size", "3", "--json")
    answer = command("--method", "prescribed", "--csv", str(path), *asked)
    assert json.loads(answer.stdout)["rounds"] == [[[1, 2, 3], [6, 5, 4]]]
    assert "6 numbers" in command("--method", "prescribed", "--csv", str(path)).stderr
    answer = command("--players", "9", "--rounds", "4", *asked)
    assert seats_everybody_once(json.loads(answer.stdout)["rounds"], 9, 3)
    assert answer.stderr.startswith("0 pairs meet more than once")


PRESCRIBED = """round,table,east,south,west,north
1,1,1,2,3,4
1,2,5,6,7,8
2,2,2,1,6,5
2,1,8,7,4,3
"""


def test_prescribed_seats_are_read_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "seats.csv"
    path.write_text("\N{BOM}" + PRESCRIBED, encoding="utf-8")
    answer = command("--method", "prescribed", "--csv", str(path), "--json")
    assert json.loads(answer.stdout)["rounds"] == [
        [[1, 2, 3, 4], [5, 6, 7, 8]],
        [[8, 7, 4, 3], [2, 1, 6, 5]],
    ]
    answer = command("--method", "prescribed", "--csv", str(path), "--players", "12")
    assert "seats 8 players, not 12" in answer.stderr


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (("8,7,4,3", "8,7,4,4"), "round 2 seats player 4 twice"),
        (("8,7,4,3", "8,7,4,9"), "round 2 does not seat player 3"),
        (("2,1,8,7,4,3\n", ""), "round 2 does not seat player 3"),
        (("2,1,8,7,4,3", "2,2,8,7,4,3"), "line 5: round 2 has table 2 twice"),
        (("2,1,8", "3,1,8"), "round 2 does not seat player 3"),
        (("1,1,1,2,3,4", "1,1,1,2,3"), "line 2"),
        (("1,1,1,2,3,4", "1,1,a,2,3,4"), "line 2"),
    ],
)
def test_wrong_prescribed_seats_are_refused(wrong: tuple[str, str], text: str) -> None:
    with pytest.raises(SeatingError, match=text):
        read_prescribed(PRESCRIBED.replace(*wrong), 4)
