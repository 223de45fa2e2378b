"""Which hands of a draw are sent with their waits."""

from __future__ import annotations

import pytest

from game.engine.events import HandDrawn
from game.engine.tiles import TEXT_TO_TILE
from game.live import encoding


def tiles(text: str) -> tuple[int, ...]:
    return tuple(sorted(TEXT_TO_TILE[name] for name in text.split()))


def draw_event(reason: str, hand: str, *, is_tenpai: bool) -> HandDrawn:
    return HandDrawn(
        reason=reason,
        tehais=(tiles(hand), (), (), ()),
        tenpais=(is_tenpai, False, False, False),
        deltas=(0, 0, 0, 0),
        scores=(25000, 25000, 25000, 25000),
    )


@pytest.mark.parametrize(
    ("hand", "waits"),
    [
        ("1m 2m 3m 4m 5mr 6m 7m 8m 9m 4p 5p E E", "3p 6p"),
        ("4p 4p 5p 6p", "4p 7p"),
        ("C", "C"),
        ("1m 9m 1p 9p 1s 9s E S W N P F C", "1m 9m 1p 9p 1s 9s E S W N P F C"),
    ],
)
def test_shown_tenpai_hand_has_its_waits(hand: str, waits: str) -> None:
    written = encoding.encode_event(draw_event("exhaustive", hand, is_tenpai=True))
    assert written["waits"] == [waits.split(), [], [], []]


def test_hand_that_is_not_shown_as_tenpai_has_none() -> None:
    nine_kinds = "1m 9m 1p 9p 1s 9s E S W N P F C C"
    written = encoding.encode_event(draw_event("kyushu_kyuhai", nine_kinds, is_tenpai=False))
    assert written["waits"] == [[], [], [], []]
    assert encoding.encode_event(draw_event("abandoned", "", is_tenpai=False))["waits"] == [
        [],
        [],
        [],
        [],
    ]
