"""The network that sees the whole table: what it sees, its ratings in play, and its fit."""

from __future__ import annotations

import gzip
import io
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from bench.bots.danger_check import games_in
from bench.bots.games import play_game
from bench.bots.recorded_decisions import (
    SeenDecision,
    discards_of,
    seen_calls_of,
    seen_discards_of,
)
from bench.bots.table_cache import LEFT_OUT, group_of, judges, read_into, tunes
from game.bots import bot_named
from game.bots.table_network import (
    CHECK,
    FILE,
    Question,
    Sizes,
    Weights,
    rate,
    rate_questions,
    read_weights,
    see,
    shapes,
    write_weights,
)
from game.bots.table_planes import PLANE_SCALES, PLANES, globals_of, planes_of
from game.engine.events import Event
from game.engine.rules import TENHOU
from game.engine.state import RIVER_TILE
from game.engine.tiles import KINDS, count_kinds, is_red
from tests.kit.replay_states import RECORDS

_NUMBERS = 12
_FEATURES = 5


@cache
def _bot_game() -> tuple[Event, ...]:
    choose = bot_named("sensible").choose
    return tuple(play_game(5, [choose] * 4, TENHOU).events)


@cache
def _decisions() -> tuple[SeenDecision, ...]:
    return tuple(seen_discards_of(_bot_game()))


def _random_weights() -> Weights:
    random = np.random.default_rng(1)
    found = shapes(PLANES, _NUMBERS, {"discards": _FEATURES}, Sizes(24, 16, 8, 6, 12, 6))
    return {name: random.normal(0, 0.3, shape).astype(np.float32) for name, shape in found.items()}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_suits_are_equal(order: tuple[int, ...]) -> None:
    random = np.random.default_rng(2)
    weights = _random_weights()
    planes = random.integers(0, 3, (4, KINDS, PLANES)).astype(np.float32)
    numbers = random.normal(0, 1, (4, _NUMBERS)).astype(np.float32)
    features = random.normal(0, 1, (40, _FEATURES)).astype(np.float32)
    kinds, where = random.integers(0, KINDS, 40), np.repeat(np.arange(4), 10)
    to = np.array([9 * order[kind // 9] + kind % 9 if kind < 27 else kind for kind in range(KINDS)])
    moved = np.empty_like(planes)
    moved[:, to] = planes
    plain = rate(weights, "discards", see(weights, planes, numbers), features, kinds, where)
    other = rate(weights, "discards", see(weights, moved, numbers), features, to[kinds], where)
    assert other == pytest.approx(plain, abs=1e-3)
    assert np.ptp(plain) > 0.1


def test_planes_show_the_own_hand_and_the_rivers() -> None:
    for seen in _decisions()[::20]:
        visible = seen.visible
        planes = planes_of(visible)
        assert planes[:, 0].tolist() == count_kinds(visible.tiles)
        assert planes[:, 1].sum() == sum(map(is_red, visible.tiles))
        for step in range(4):
            hand = visible.table.hands[(visible.seat + step) % 4]
            river = planes[:, 11 + 10 * step]
            assert river.tolist() == count_kinds([tile & RIVER_TILE for tile in hand.river])


def test_hidden_tiles_change_nothing() -> None:
    seen = _decisions()[60]
    table = seen.visible.table
    others = [hand for seat, hand in enumerate(table.hands) if seat != seen.visible.seat]
    full = [hand for seat, hand in enumerate(seen.table.hands) if seat != seen.visible.seat]
    assert all(mine.tiles != theirs.tiles for mine, theirs in zip(others, full, strict=True))
    assert not table.wall


def test_numbers_are_small_and_finite() -> None:
    for seen in _decisions()[::10]:
        numbers = globals_of(seen.visible)
        assert np.isfinite(numbers).all()
        assert np.abs(numbers).max() < 6


@pytest.mark.parametrize("name", ["discards", "calls"])
def test_many_questions_have_the_ratings_of_each(name: str) -> None:
    found = seen_discards_of(_bot_game()) if name == "discards" else seen_calls_of(_bot_game())
    questions = [
        Question(seen.visible, seen.decision.features.tolist(), seen.tiles)
        for _, seen in zip(range(12), found, strict=False)
    ]
    together = rate_questions(name, questions)
    for question, ratings in zip(questions, together, strict=True):
        assert ratings == pytest.approx(rate_questions(name, [question])[0], abs=2e-3)
        assert len(ratings) == len(question.tiles)


@pytest.mark.parametrize("name", ["discards", "calls"])
def test_ratings_are_those_of_the_fit(name: str) -> None:
    with FILE.open("rb") as file:
        weights = read_weights(file)
    with np.load(FILE) as arrays:
        stored = {
            part: arrays[f"{CHECK}{name} {part}"]
            for part in ("planes", "numbers", "features", "kinds", "where", "ratings")
        }
    seen = see(weights, stored["planes"] * PLANE_SCALES, stored["numbers"].astype(np.float32))
    features = stored["features"].astype(np.float32)
    kinds, where = stored["kinds"].astype(int), stored["where"].astype(int)
    ratings = rate(weights, name, seen, features, kinds, where)
    assert ratings == pytest.approx(stored["ratings"], abs=1e-3)
    assert len(ratings) > 12


def test_file_is_small() -> None:
    assert FILE.stat().st_size <= 1_500_000


def test_file_keeps_the_weights_without_the_checks() -> None:
    weights = _random_weights()
    file = io.BytesIO()
    write_weights(file, weights, {f"{CHECK}planes": np.zeros(3)})
    file.seek(0)
    found = read_weights(file)
    assert set(found) == set(weights)
    assert found["suit w"] == pytest.approx(weights["suit w"], abs=1e-3)


def test_pieces_of_one_game_are_in_one_group() -> None:
    first = gzip.compress(b'<mjloggm ver="2.3"><SHUFFLE seed="abc" ref=""/><GO type="169"/>')
    second = gzip.compress(b'<mjloggm ver="2.3"><SHUFFLE seed="abc" ref=""/><GO type="9"/>')
    other = gzip.compress(b'<mjloggm ver="2.3"><SHUFFLE seed="abd" ref=""/><GO type="169"/>')
    assert group_of(first) == group_of(second) != group_of(other)


def test_parts_do_not_overlap() -> None:
    groups = range(24 * LEFT_OUT)
    assert not any(judges(group) and tunes(group) for group in groups)
    assert sum(map(judges, groups)) == 24


@pytest.mark.skipif(not RECORDS.is_dir(), reason="needs recorded games")
def test_cache_has_every_decision_and_is_read_once(tmp_path: Path) -> None:
    paths = sorted((RECORDS / "mjlog").iterdir())[:2]
    assert list(read_into(tmp_path, paths, 1)) == [(1, 1)]
    (file,) = tmp_path.iterdir()
    written = file.stat().st_mtime_ns
    with np.load(file) as arrays:
        options = arrays["discards options"]
        assert len(arrays["discards features"]) == options.sum()
        assert (arrays["discards chosen"] < options).all()
        assert set(arrays["calls chosen"].tolist()) >= {-1, 0}
        assert len(np.unique(arrays["discards group"])) == 2
        tenpai = arrays["discards waits"].any(2)
        assert 0.05 < tenpai.mean() < 0.4
        assert (arrays["discards dealt_in"] <= tenpai).all()
        number = len(options)
    assert number == sum(len(list(discards_of(game))) for game in games_in(paths))
    list(read_into(tmp_path, paths, 1))
    assert file.stat().st_mtime_ns == written
