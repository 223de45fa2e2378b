"""Hands with rare results, written in each format, are replayed without a difference."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from game.engine.rules import TENHOU
from game.records.reading import read_recorded_game
from game.records.validate import HandReport, validate_game
from tests.kit.play import Play
from tests.records.rare_ends import (
    ENDS,
    four_riichi,
    four_winds,
    hands_of,
    kyushu,
    liable_for_half,
    three_rons,
)
from tests.records.writing import mjai, mjlog, tenhou6


@pytest.mark.parametrize("stage", ENDS, ids=lambda stage: stage.__name__)
def test_a_rare_end_is_replayed_from_every_format(stage: Callable[[], Play]) -> None:
    hands = hands_of(stage())
    reports: list[HandReport] = []
    for text in (mjlog(hands, TENHOU), tenhou6(hands, TENHOU), mjai(hands)):
        report = validate_game("own", read_recorded_game(text.encode()))
        assert not report.differences, report.differences[0]
        assert not report.faults
        reports += report.hands
    assert reports[0] == reports[1] == reports[2]
    outcome, winners, deltas = ENDS[stage]
    assert reports[0].outcome == outcome
    assert tuple(winner.seat for winner in reports[0].winners) == winners
    assert reports[0].deltas == deltas


@pytest.mark.parametrize(
    ("stage", "name"),
    [
        (kyushu, "yao9"),
        (four_winds, "kaze4"),
        (four_riichi, "reach4"),
        (three_rons, "ron3"),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_mjai_may_use_tenhou_abort_names_without_payments(
    stage: Callable[[], Play], name: str
) -> None:
    reason = ENDS[stage][0]
    *before, end, after = mjai(hands_of(stage())).splitlines()
    event = json.loads(end)
    assert event["type"] == "ryukyoku"
    del event["scores"]
    other = json.dumps(event | {"reason": name, "deltas": []})
    report = validate_game("own", read_recorded_game("\n".join([*before, other, after]).encode()))
    assert not report.differences
    assert not report.faults
    assert [hand.outcome for hand in report.hands] == [reason]


def test_the_liable_seat_is_named() -> None:
    hands = hands_of(liable_for_half())
    (report,) = validate_game("own", read_recorded_game(tenhou6(hands, TENHOU).encode())).hands
    assert report.winners[0].pao == 2
    wrong = mjlog(hands, TENHOU).replace('paoWho="2"', 'paoWho="3"')
    (found,) = validate_game("own", read_recorded_game(wrong.encode())).differences
    assert (found.what, found.ours, found.theirs) == ("liable seat", "2", "3")


def test_false_abort_is_a_difference() -> None:
    """The record claims an abort whose conditions were not met at the table."""
    text = mjlog(hands_of(three_rons()), TENHOU)
    wrong = text.replace('type="ron3"', 'type="kan4"')
    report = validate_game("own", read_recorded_game(wrong.encode()))
    assert report.differences
