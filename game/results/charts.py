"""Computes the coordinates of charts. Pure.

Templates draw the SVG, and show the same figures in a table beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from game.results.game_text import format_number

WIDTH: Final = 400
HEIGHT: Final = 240
_LEFT: Final = 56
_RIGHT: Final = 24
_TOP: Final = 12
_BOTTOM: Final = 28
_SCORE_STEPS: Final = (5_000, 10_000, 20_000, 50_000, 100_000)
_RATING_STEPS: Final = (10, 20, 50, 100, 200, 500, 1_000)
_SHARE_LINES: Final = (0, 2, 4, 6, 8, 10)
"""The shares at which a chart of shares has lines."""
_MAX_LINES: Final = 6
_MAX_LABELS: Final = 4
_MIN_LABEL_DISTANCE: Final = 22
"""The smallest distance between short labels, such as 'E1', on a narrow page."""
_MAX_DOTS: Final = 40
"""The most games of a rating chart with dots. A longer one has a line only."""


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ChartLine:
    """The line of one player."""

    number: int
    name: str
    points: str
    """The points of the line, as the attribute `points` of an SVG `polyline`."""
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class AxisLabel:
    """A value on an axis."""

    at: float
    text: str
    is_special: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    lines: tuple[ChartLine, ...]
    across: tuple[AxisLabel, ...]
    """Horizontal lines with their values."""
    along: tuple[AxisLabel, ...]
    """Labels below the chart."""
    left: float = _LEFT
    right: float = WIDTH - _RIGHT
    bottom: float = HEIGHT - _BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


def score_chart(
    names: Sequence[str],
    scores: Sequence[Sequence[int]],
    hands: Sequence[str],
    start: int,
    *,
    unit: int = 1,
) -> Chart:
    """Chart the points of each player. `scores` has one row for the start of the game and one for
    each hand, with points by seat. `hands` are the labels of the hands ('' for no label), `start`
    the points that each player started with. The axis is labelled in units of `unit` points."""
    lowest = min(0, *(min(row) for row in scores))
    highest = max(start, *(max(row) for row in scores))
    step = next(
        (step for step in _SCORE_STEPS if (highest - lowest) / step <= _MAX_LINES), _SCORE_STEPS[-1]
    )
    low = lowest // step * step
    high = max(-(-highest // step) * step, low + step)
    lines = tuple(
        _chart_line(seat, name, [row[seat] for row in scores], low, high)
        for seat, name in enumerate(names)
    )
    across = tuple(
        AxisLabel(_y_of(value, low, high), format_number(value // unit), is_special=value == 0)
        for value in range(low, high + 1, step)
    )
    return Chart(lines, across, _labels_apart(("", *hands)))


def place_chart(places: Sequence[int], names: Sequence[str]) -> Chart:
    """Chart one player's places, the oldest game first. `names` are the labels of the places, from
    the first to the last."""
    last = len(names)
    line = _chart_line(0, "", [-place for place in places], -last, -1)
    across = tuple(
        AxisLabel(_y_of(-place, -last, -1), name) for place, name in enumerate(names, start=1)
    )
    return Chart((line,), across, ())


def rating_chart(ratings: Sequence[int], days: Sequence[str]) -> Chart:
    """Chart one player's ratings, the oldest first. `days` are the dates of their games."""
    lowest, highest = min(ratings), max(ratings)
    step = next(
        (step for step in _RATING_STEPS if (highest - lowest) / step <= _MAX_LINES),
        _RATING_STEPS[-1],
    )
    low = lowest // step * step
    high = max(-(-highest // step) * step, low + step)
    across = tuple(
        AxisLabel(_y_of(value, low, high), format_number(value))
        for value in range(low, high + 1, step)
    )
    line = _chart_line(0, "", ratings, low, high)
    if len(ratings) > _MAX_DOTS:
        line = replace(line, dots=())
    return Chart((line,), across, _labels(days))


def share_chart(lines: Mapping[str, Sequence[float | None]]) -> Chart:
    """Chart named series of shares (0 to 1), the oldest first. None, for a share of nothing, gets
    no dot."""
    return course_chart(
        lines, (), (0, 1), {tenths / 10: f"{10 * tenths}" for tenths in _SHARE_LINES}
    )


def course_chart(
    lines: Mapping[str, Sequence[float | None]],
    times: Sequence[str],
    ends: tuple[float, float],
    marks: Mapping[float, str],
) -> Chart:
    """Chart named series of values, the oldest first; None gets no dot. `times` are the labels
    below, `ends` the values at the lower and the upper edge; `marks` maps values with a line across
    to their labels."""
    drawn = []
    for number, (name, values) in enumerate(lines.items()):
        dots = tuple(
            Dot(_x_of(at, len(values)), _y_of(value, *ends))
            for at, value in enumerate(values)
            if value is not None
        )
        drawn.append(ChartLine(number, name, _points_text(dots), dots))
    across = tuple(
        AxisLabel(_y_of(value, *ends), text, is_special=value == 0) for value, text in marks.items()
    )
    return Chart(tuple(drawn), across, _labels(times))


def _labels(texts: Sequence[str]) -> tuple[AxisLabel, ...]:
    """Return some of the texts as labels below the chart: the last, and others at equal distances
    before it."""
    every = -(-len(texts) // _MAX_LABELS)
    return tuple(
        AxisLabel(_x_of(at, len(texts)), text)
        for at, text in enumerate(texts)
        if text and (len(texts) - 1 - at) % every == 0
    )


def _labels_apart(texts: Sequence[str]) -> tuple[AxisLabel, ...]:
    """Return all short texts as labels below the chart, except those that would touch a later
    one."""
    marks = list[AxisLabel]()
    for at, text in reversed(tuple(enumerate(texts))):
        x = _x_of(at, len(texts))
        if text and (not marks or marks[-1].at - x >= _MIN_LABEL_DISTANCE):
            marks.append(AxisLabel(x, text))
    return tuple(reversed(marks))


def _points_text(dots: Iterable[Dot]) -> str:
    return " ".join(f"{dot.x},{dot.y}" for dot in dots)


def _chart_line(number: int, name: str, values: Sequence[int], low: int, high: int) -> ChartLine:
    dots = tuple(
        Dot(_x_of(at, len(values)), _y_of(value, low, high)) for at, value in enumerate(values)
    )
    return ChartLine(number, name, _points_text(dots), dots)


def _x_of(at: int, count: int) -> float:
    room = WIDTH - _LEFT - _RIGHT
    return round(_LEFT + room * (at / (count - 1) if count > 1 else 0.5), 1)


def _y_of(value: float, low: float, high: float) -> float:
    room = HEIGHT - _TOP - _BOTTOM
    return round(_TOP + room * (high - value) / (high - low), 1)
