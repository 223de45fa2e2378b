"""Lines of charts stay within the chart for all points."""

from __future__ import annotations

from itertools import pairwise

import pytest

from game.results.charts import HEIGHT, WIDTH, Chart, place_chart, score_chart, share_chart

NAMES = ("Anna", "Ben", "Chika", "Dora")


def assert_in_the_picture(chart: Chart) -> None:
    for line in chart.lines:
        for dot in line.dots:
            assert chart.left <= dot.x <= chart.right <= WIDTH
            assert 0 <= dot.y <= chart.bottom <= HEIGHT
    assert all(0 <= mark.at <= chart.bottom for mark in chart.across)


@pytest.mark.parametrize(
    "scores",
    [
        [[0, 0, 0, 0]],
        [[0, 0, 0, 0], [0, 0, 0, 0]],
        [[0, 0, 0, 0], [1_500, 1_500, -1_500, -1_500]],
        [[25_000] * 4, [25_000] * 4],
        [[25_000] * 4, [24_000, 24_000, 24_000, 28_000], [-31_000, 24_000, 24_000, 83_000]],
        [[30_000] * 4, [-450_000, 190_000, 190_000, 190_000]],
    ],
)
def test_points_of_every_kind_have_a_chart(scores: list[list[int]]) -> None:
    hands = [f"E{number}" for number in range(1, len(scores))]
    chart = score_chart(NAMES, scores, hands, scores[0][0])
    assert [line.name for line in chart.lines] == list(NAMES)
    assert all(len(line.dots) == len(scores) for line in chart.lines)
    assert sum(mark.is_special for mark in chart.across) == 1, "zero has a mark"
    assert_in_the_picture(chart)


@pytest.mark.parametrize("places", [[1], [4, 4], [1, 2, 3, 4], [3, 1, 4, 2], [3, 1, 2]])
def test_better_place_is_drawn_higher(places: list[int]) -> None:
    names = ("1st", "2nd", "3rd", "4th")[: max(3, *places)]
    chart = place_chart(places, names)
    assert_in_the_picture(chart)
    assert [mark.text for mark in chart.across] == list(names)
    heights = [dot.y for dot in chart.lines[0].dots]
    games = range(len(places))
    assert sorted(games, key=lambda game: heights[game]) == sorted(games, key=places.__getitem__)


def test_missing_shares_are_left_out_of_a_chart() -> None:
    chart = share_chart({"one": [0.0, 0.5, 1.0], "two": [None, 0.25, None]})
    assert_in_the_picture(chart)
    one, two = chart.lines
    nought, half, whole = (dot.y for dot in one.dots)
    assert nought - half == pytest.approx(half - whole)
    assert nought == chart.bottom
    assert [dot.x for dot in two.dots] == [one.dots[1].x]
    assert half < two.dots[0].y < nought


@pytest.mark.parametrize("number", [1, 3, 4, 8, 13, 24])
def test_hands_have_labels_that_do_not_touch(number: int) -> None:
    scores = [[25_000] * 4] * (number + 1)
    hands = [f"E{at}" for at in range(1, number + 1)]
    chart = score_chart(NAMES, scores, hands, 25_000)
    assert chart.along[-1].text == hands[-1]
    assert chart.along[-1].at == chart.lines[0].dots[-1].x
    assert all(after.at - mark.at >= 22 for mark, after in pairwise(chart.along))
    if number <= 13:
        assert [mark.text for mark in chart.along] == hands


def test_repeated_hands_have_no_labels() -> None:
    scores = [[25_000] * 4] * 5
    chart = score_chart(NAMES, scores, ["E1", "", "", "E2"], 25_000)
    assert [mark.text for mark in chart.along] == ["E1", "E2"]


def test_points_are_written_out_unless_another_unit_is_asked_for() -> None:
    scores = [[25_000] * 4, [33_000, 25_000, 25_000, 17_000]]
    written = [mark.text for mark in score_chart(NAMES, scores, ["E1"], 25_000).across]
    assert written == ["0", "10,000", "20,000", "30,000", "40,000"]
    in_thousands = score_chart(NAMES, scores, ["E1"], 25_000, unit=1_000)
    assert [mark.text for mark in in_thousands.across] == ["0", "10", "20", "30", "40"]
