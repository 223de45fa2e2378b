"""A player's figures month by month, as charts and as a table. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from game.results.charts import Chart, course_chart
from game.results.figure_cards import Share
from game.results.game_text import format_number
from game.results.play_figures import PlayFigures

DatedFigures = Sequence[tuple[date, PlayFigures]]
"""Figures of a player, each with the first day of its month."""

MONTHS: Final = 24
"""The number of months that are shown: the latest ones."""
_MAX_LINES: Final = 5


@dataclass(slots=True)
class Month:
    """The sums of one month."""

    name: str
    """The name of the month in the reader's language, such as 'Nov 2026'."""
    games: int = 0
    places: int = 0
    """The sum of the places in the games of the month."""
    hands: int = 0
    wins: int = 0
    deal_ins: int = 0

    @property
    def mean_place(self) -> str:
        return format_number(Fraction(self.places, self.games), 2) if self.games else "\N{EN DASH}"

    @property
    def won(self) -> Share:
        return Share(self.wins, self.hands)

    @property
    def dealt_in(self) -> Share:
        return Share(self.deal_ins, self.hands)


@dataclass(frozen=True, slots=True)
class Course:
    """The chart of one figure, with a point for each month."""

    name: str
    chart: Chart


@dataclass(frozen=True, slots=True)
class CourseByMonth:
    """The charts, and the rows of the table, the latest month first. A month without a game of the
    player has no row."""

    courses: tuple[Course, ...]
    rows: tuple[Month, ...]


def course_by_month(dated: DatedFigures, players: int) -> CourseByMonth | None:
    """Chart the figures of games with `players` players: the `MONTHS` calendar months up to the
    last one with a game. None if fewer than two months have figures."""
    if not dated:
        return None
    last = max(_month_number(month) for month, _figures in dated)
    found: dict[int, Month] = {}
    for month, figures in dated:
        at = _month_number(month)
        if at > last - MONTHS:
            _add_figures(found.setdefault(at, Month(_month_name(at))), figures)
    played = {at: month for at, month in found.items() if month.games or month.hands}
    if len(played) < 2:
        return None
    numbers = range(min(played), max(played) + 1)
    months = [played.get(at, Month(_month_name(at))) for at in numbers]
    courses = (_games_course(months), _mean_place_course(months, players), _rates_course(months))
    return CourseByMonth(courses, tuple(played[at] for at in sorted(played, reverse=True)))


def _month_number(month: date) -> int:
    return 12 * month.year + month.month - 1


def _month_name(number: int) -> str:
    return date_format(date(number // 12, number % 12 + 1, 1), "YEAR_MONTH_FORMAT")


def _add_figures(month: Month, figures: PlayFigures) -> None:
    month.games += figures.games
    month.places += figures.sum_of_places
    month.hands += figures.hands
    month.wins += figures.wins
    month.deal_ins += figures.deal_ins


def _games_course(months: Sequence[Month]) -> Course:
    counts = [month.games for month in months]
    step = _axis_step(max(counts))
    top = step * max(1, -(-max(counts) // step))
    marks = {float(value): format_number(value) for value in range(0, top + 1, step)}
    return _make_course(_("Games"), months, {_("Games"): counts}, (0, top), marks)


def _mean_place_course(months: Sequence[Month], players: int) -> Course:
    means = [month.places / month.games if month.games else None for month in months]
    marks = {float(place): f"{place}" for place in range(1, players + 1)}
    return _make_course(_("Mean place"), months, {_("Mean place"): means}, (players, 1), marks)


def _rates_course(months: Sequence[Month]) -> Course:
    """Chart hands won and deal-ins in per cent of hands."""
    won = [_per_cent(month.won) for month in months]
    dealt_in = [_per_cent(month.dealt_in) for month in months]
    highest = int(max((share for share in (*won, *dealt_in) if share is not None), default=0))
    step = _axis_step(highest)
    top = step * (highest // step + 1)
    marks = {float(value): f"{value}" for value in range(0, top + 1, step)}
    name = _("Hands won and dealt in, in per cent")
    return _make_course(
        name, months, {_("Hands won"): won, _("Dealt in"): dealt_in}, (0, top), marks
    )


def _per_cent(share: Share) -> float | None:
    return 100 * share.part / share.whole if share.whole else None


def _axis_step(highest: int) -> int:
    """Return a step of 1, 2 or 5 times a power of ten that needs few steps up to `highest`."""
    power = 1
    while True:
        for times in (1, 2, 5):
            if highest <= _MAX_LINES * times * power:
                return times * power
        power *= 10


def _make_course(
    name: str,
    months: Sequence[Month],
    lines: dict[str, list[float | None]] | dict[str, list[int]],
    ends: tuple[float, float],
    marks: dict[float, str],
) -> Course:
    return Course(name, course_chart(lines, [month.name for month in months], ends, marks))
