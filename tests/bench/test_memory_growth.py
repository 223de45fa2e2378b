"""The limit on growing memory compares the ends of the two halves of a run."""

from __future__ import annotations

import pytest

from bench.memory import growth, sparkline

_LENGTH_S = 100.0


@pytest.mark.parametrize(("last", "is_held"), [(103, True), (104, False)])
def test_three_percent_more_in_the_second_half_are_allowed(last: int, is_held: bool) -> None:
    samples = [(float(at_s), 100 if at_s <= 50 else last) for at_s in range(100)]
    assert growth(samples, _LENGTH_S).is_held is is_held


def test_growth_within_the_first_half_does_not_count() -> None:
    samples = [(float(at_s), min(at_s, 30)) for at_s in range(1, 100)]
    assert growth(samples, _LENGTH_S).share == 0


def test_one_high_sample_does_not_decide() -> None:
    samples = [(float(at_s), 900 if at_s == 99 else 100) for at_s in range(100)]
    assert growth(samples, _LENGTH_S).is_held


def test_sparkline_runs_from_the_least_to_the_greatest() -> None:
    assert sparkline([1, 2, 3, 4, 5, 6, 7, 8]) == "▁▂▃▄▅▆▇█"
    assert len(sparkline(range(1_000), 40)) == 40
