"""The course of a player's figures by month: which months are shown, with which figures."""

from __future__ import annotations

from datetime import date

from game.results.months import MONTHS, course_by_month
from game.results.play_figures import PlayFigures


def figures(places: list[int], hands: int = 0, wins: int = 0, deal_ins: int = 0) -> PlayFigures:
    games = sum(places)
    return PlayFigures(games=games, places=places, hands=hands, wins=wins, deal_ins=deal_ins)


def test_one_month_has_no_course() -> None:
    march = date(2026, 3, 1)
    assert course_by_month([], 4) is None
    assert course_by_month([(march, figures([1, 0, 0, 0], 8))], 4) is None
    assert course_by_month([(march, figures([1, 0, 0, 0], 8))] * 2, 4) is None
    empty = date(2026, 4, 1), PlayFigures()
    assert course_by_month([(march, figures([1, 0, 0, 0], 8)), empty], 4) is None


def test_rows_of_a_month_are_added_and_empty_ones_have_no_dot() -> None:
    course = course_by_month(
        [
            (date(2026, 1, 1), figures([0, 0, 1, 1], 16, 4, 2)),
            (date(2025, 11, 1), figures([1, 0, 0, 0], 8, 1, 4)),
            (date(2026, 1, 1), figures([1, 0, 0, 0], 4, 1, 0)),
        ],
        4,
    )
    assert course is not None
    rows = [
        (month.name, month.games, month.mean_place, month.won.part, month.dealt_in.whole)
        for month in course.rows
    ]
    assert rows == [("Jan 2026", 3, "2.67", 5, 20), ("Nov 2025", 1, "1.00", 1, 8)]
    games, places, rates = (course_of_figure.chart for course_of_figure in course.courses)
    assert [mark.text for mark in games.along] == ["Nov 2025", "Dec 2025", "Jan 2026"]
    assert len(games.lines[0].dots) == 3, "zero games are shown as a number"
    assert games.lines[0].dots[1].y == games.bottom
    first, last = places.lines[0].dots
    assert first.y < last.y, "the better place is higher"
    won, dealt_in = (line.dots for line in rates.lines)
    assert len(won) == len(dealt_in) == 2
    assert won[1].y < dealt_in[1].y, "25 per cent are higher than 10"
    assert dealt_in[0].y < won[1].y, "25 per cent are lower than 50"
    for chart in (games, places, rates):
        for dot in (dot for line in chart.lines for dot in line.dots):
            assert chart.left <= dot.x <= chart.right
            assert 0 <= dot.y <= chart.bottom


def test_a_long_history_shows_its_latest_months() -> None:
    months = [date(2020 + at // 12, at % 12 + 1, 1) for at in range(60)]
    course = course_by_month([(month, figures([0, 1, 0, 0], 8, 2, 1)) for month in months], 4)
    assert course is not None
    assert len(course.rows) == MONTHS
    assert (course.rows[0].name, course.rows[-1].name) == ("Dec 2024", "Jan 2023")


def test_months_without_hands_have_no_rates() -> None:
    dated = [(date(2026, month, 1), figures([1, 0, 0, 0])) for month in (1, 2)]
    course = course_by_month(dated, 4)
    assert course is not None
    assert all(not line.dots for line in course.courses[2].chart.lines)
    assert course.rows[0].won.text == "\N{EN DASH}"


def test_course_of_games_of_three_ends_at_the_third_place() -> None:
    months = [(date(2026, 1, 1), [1, 0, 0, 0]), (date(2026, 2, 1), [0, 0, 1, 0])]
    dated = [(month, figures(places, 8)) for month, places in months]
    charts = [
        next(course.chart for course in found.courses if course.name == "Mean place")
        for found in (course_by_month(dated, players) for players in (3, 4))
        if found is not None
    ]
    assert [[mark.text for mark in chart.across] for chart in charts] == [
        ["1", "2", "3"],
        ["1", "2", "3", "4"],
    ]
    assert charts[0].lines[0].dots[1].y == charts[0].bottom
