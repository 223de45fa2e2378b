"""The networks of the strongest bot: their file, their fit, and what they learned."""

from __future__ import annotations

import io
import math
import os
import subprocess
import sys
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random

import numpy as np
import pytest
from django.core.management import call_command

from bench.bots.__main__ import Refused, main
from bench.bots.danger_check import games_in
from bench.bots.fitting import LEFT_OUT, agreement, collect, fit, parts_of
from bench.bots.games import play_game
from bench.bots.recorded_decisions import (
    PASSED,
    RecordedDecision,
    calls_of,
    discards_of,
    seen_discards_of,
)
from game.bots import bot_named
from game.bots.network import NETWORKS, Network, network, read_networks, write_networks
from game.bots.table_network import Question, rate_questions, table_weights
from game.engine.events import Answered, ChiCalled, Discarded, Event, PonCalled
from game.engine.rules import TENHOU
from game.management.commands import worker
from tests.kit.replay_states import RECORDS

_JUDGING_GAMES = 3


def _decision(random: Random, can_pass: bool) -> RecordedDecision:
    """A decision for the option whose first feature is the highest; a pass if none is above 0."""
    options = [[random.uniform(-1, 1) for _ in range(6)] for _ in range(random.randint(2, 5))]
    firsts = [option[0] for option in options]
    chosen = firsts.index(max(firsts))
    if can_pass and max(firsts) <= 0:
        chosen = PASSED
    return RecordedDecision(np.array(options, np.float32), chosen)


@pytest.mark.parametrize("can_pass", [False, True])
def test_fit_finds_the_feature_that_decides(can_pass: bool) -> None:
    random = Random(1)
    games = [[_decision(random, can_pass) for _ in range(200)] for _ in range(12)]
    fitted, judging = parts_of(collect(games))
    assert len(judging.chosen) * LEFT_OUT == len(fitted.chosen) + len(judging.chosen)
    assert agreement(fit(fitted), judging) > 0.93


def test_records_without_decisions_are_refused() -> None:
    with pytest.raises(ValueError, match="no decisions"):
        collect([[], []])


def test_file_keeps_the_ratings() -> None:
    random = np.random.default_rng(3)
    written = Network(
        [random.normal(0, 1, shape).astype(np.float32) for shape in ((5, 8), (8, 1))],
        [random.normal(0, 1, 8).astype(np.float32), np.zeros(1, np.float32)],
    )
    file = io.BytesIO()
    write_networks(file, {"discards": written, "calls": written})
    file.seek(0)
    networks = read_networks(file)
    assert set(networks) == {"discards", "calls"}
    options = random.normal(0, 1, (7, 5)).tolist()
    assert networks["calls"].rate(options) == pytest.approx(written.rate(options), abs=0.05)


@cache
def _bot_game() -> tuple[Event, ...]:
    choose = bot_named("sensible").choose
    return tuple(play_game(5, [choose] * 4, TENHOU).events)


def test_every_discard_without_riichi_is_a_decision() -> None:
    decisions = list(discards_of(_bot_game()))
    assert 0 < len(decisions) < sum(isinstance(event, Discarded) for event in _bot_game())
    assert all(0 <= decision.chosen < len(decision.features) for decision in decisions)


def test_bot_takes_the_discard_that_its_network_rates_highest() -> None:
    for seen in seen_discards_of(_bot_game()):
        question = Question(seen.visible, seen.decision.features.tolist(), seen.tiles)
        (ratings,) = rate_questions("discards", [question])
        assert ratings[seen.decision.chosen] == max(ratings)


def test_calls_made_and_passed_are_decisions() -> None:
    chosen = [decision.chosen for decision in calls_of(_bot_game())]
    called = sum(isinstance(event, ChiCalled | PonCalled) for event in _bot_game())
    assert PASSED in chosen
    assert 0 < sum(option != PASSED for option in chosen) <= called


def test_features_are_finite_and_as_many_for_every_option() -> None:
    for name, decisions in (("discards", discards_of), ("calls", calls_of)):
        for decision in decisions(_bot_game()):
            assert decision.features.shape[1] == network(name, 4).weights[0].shape[0]
            assert all(map(math.isfinite, decision.features.ravel().tolist()))


def test_answers_do_not_change_what_is_read() -> None:
    without = [event for event in _bot_game() if not isinstance(event, Answered)]
    assert len(list(calls_of(without))) == len(list(calls_of(_bot_game())))


@pytest.mark.skipif(not RECORDS.is_dir(), reason="needs recorded games")
@pytest.mark.parametrize(
    ("name", "players", "least"),
    [("discards", 4, 0.64), ("calls", 4, 0.87), ("discards", 3, 0.66), ("calls", 3, 0.8)],
)
def test_networks_agree_with_strong_players_in_games_left_out_of_the_fit(
    name: str, players: int, least: float
) -> None:
    folder = RECORDS if players == 4 else RECORDS.parent / "sanma"
    files = sorted((folder / "mjlog").iterdir())[::LEFT_OUT][:_JUDGING_GAMES]
    decisions_of = discards_of if name == "discards" else calls_of
    assert agreement(network(name, players), collect(map(decisions_of, games_in(files)))) > least


@pytest.mark.skipif(not RECORDS.is_dir(), reason="needs recorded games")
def test_command_writes_networks_and_says_how_far_they_agree(tmp_path: Path) -> None:
    files = sorted((RECORDS / "mjlog").iterdir())[:3]
    out = tmp_path / "networks.npz"
    with redirect_stdout(StringIO()) as printed:
        main(["fit", *map(str, files), "--out", str(out)])
    with out.open("rb") as file:
        fitted = read_networks(file)
    with NETWORKS[4].open("rb") as file:
        kept = read_networks(file)
    assert {name: each.weights[0].shape for name, each in fitted.items()} == {
        name: each.weights[0].shape for name, each in kept.items()
    }
    assert "discards: " in printed.getvalue()
    assert "calls: " in printed.getvalue()


@pytest.mark.django_db
def test_worker_reads_the_networks_before_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    async def work() -> None:
        read.append((network.cache_info().currsize, table_weights.cache_info().currsize))

    monkeypatch.setattr(worker, "_work", work)
    for changes_the_interpreter in ("collect_garbage_rarely", "take_short_turns"):
        monkeypatch.setattr(worker, changes_the_interpreter, lambda: None)
    network.cache_clear()
    table_weights.cache_clear()
    call_command("worker")
    assert read == [(3, 1)]


def test_command_says_which_path_does_not_exist() -> None:
    with pytest.raises(Refused, match="nowhere"):
        main(["fit", "nowhere"])


def test_a_process_with_bots_has_one_thread() -> None:
    """OpenBLAS would start a thread for each processor when NumPy is loaded."""
    count = "import numpy, os; print(len(os.listdir('/proc/self/task')))"
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}

    def threads(code: str) -> int:
        ran = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        )
        return int(ran.stdout)

    assert (threads(count) > 1) == (len(os.sched_getaffinity(0)) > 1), "NumPy starts no threads"
    assert threads(f"import game.bots; {count}") == 1
