"""Staged hands with rare results, written in each format and replayed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from game.engine.events import HandStarted
from game.engine.rules import TENHOU
from game.records.reading import read
from game.records.validate import HandReport, validate_game
from tests.kit.play import Play, staged
from tests.records.own_games import Hands
from tests.records.writing import mjai, mjlog, tenhou6

FIRST = "234567m345p67s99s"
SECOND = "234678m456p67s11s"
THIRD = "345m123789p67s22p"
"""Three hands that wait for 5s and 8s with pinfu."""


def kyushu() -> Play:
    play = staged(("19m19p19sESW2345m",), "5p", honba=2, kyotaku=1)
    play.kyushu(0)
    return play


def four_winds() -> Play:
    play = staged(("147m258p369sESWN",), "1p E E E")
    play.discards("EEEE")
    return play


def four_riichi() -> Play:
    play = staged((FIRST, SECOND, THIRD, "EEESSSWWW78m99p"), "F C P N", kyotaku=1, honba=1)
    for seat, thrown in enumerate("FCPN"):
        play.riichi(seat, thrown)
    play.goes_on()
    return play


def _three_wait() -> Play:
    play = staged(("", FIRST, SECOND, THIRD), "8s", honba=2, kyotaku=1)
    play.discard(0, "8s")
    return play


def three_rons() -> Play:
    play = _three_wait()
    play.ron(1, 2, 3)
    return play


def two_rons_of_three() -> Play:
    play = _three_wait()
    play.ron(3, 2)
    return play


def robbed_kan() -> Play:
    hands = ("35m456p789p456s11s", "", "44m147p258sESWNP")
    play = staged(hands, "9s 4m 9m 1p 9s 4m")
    play.discard(0, "9s")
    play.discard(1, "4m")
    play.pon(2, "44m")
    play.discard(2, "N")
    play.discards("9m 1p 9s")
    play.kakan(2, "4m")
    play.ron(0)
    return play


def _three_dragons(draws: str) -> Play:
    """Seat 2 has fed seat 1 the last of three dragons."""
    play = staged(("", "PPFFCC11m45p159s"), f"P F C {draws}", honba=2)
    for feeder, dragon, thrown in ((0, "P", "1s"), (2, "F", "5s"), (2, "C", "9s")):
        play.discard(feeder, dragon)
        play.pon(1, dragon * 2)
        play.discard(1, thrown)
        play.goes_on()
    return play


def liable_for_a_self_draw() -> Play:
    play = _three_dragons("9m 9m 1m 6p")
    play.discards("9m 9m 1m")
    play.tsumo(1)
    return play


def liable_for_half() -> Play:
    play = _three_dragons("9m 6p")
    play.discards("9m")
    play.discard(3, "6p")
    play.ron(1)
    return play


ENDS: dict[Callable[[], Play], tuple[str, tuple[int, ...], tuple[int, ...]]] = {
    kyushu: ("kyushu_kyuhai", (), (0, 0, 0, 0)),
    four_winds: ("sufon_renda", (), (0, 0, 0, 0)),
    four_riichi: ("sucha_riichi", (), (0, 0, 0, 0)),
    three_rons: ("sanchaho", (), (0, 0, 0, 0)),
    two_rons_of_three: ("ron", (2, 3), (-2_600, 0, 2_600, 1_000)),
    robbed_kan: ("ron", (0,), (2_000, 0, -2_000, 0)),
    liable_for_a_self_draw: ("tsumo", (1,), (0, 32_600, -32_600, 0)),
    liable_for_half: ("ron", (1,), (0, 32_600, -16_600, -16_000)),
}


def _hands(play: Play) -> Hands:
    start = next(at for at, event in enumerate(play.events) if isinstance(event, HandStarted))
    return [play.events[start:]]


@pytest.mark.parametrize("stage", ENDS, ids=lambda stage: stage.__name__)
def test_a_rare_end_is_replayed_from_every_format(stage: Callable[[], Play]) -> None:
    hands = _hands(stage())
    reports: list[HandReport] = []
    for text in (mjlog(hands, TENHOU), tenhou6(hands, TENHOU), mjai(hands)):
        report = validate_game("own", read(text.encode()))
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
def test_mjai_may_use_tenhous_names_of_aborts_and_omit_payments(
    stage: Callable[[], Play], name: str
) -> None:
    reason = ENDS[stage][0]
    *before, end, after = mjai(_hands(stage())).splitlines()
    told = json.loads(end)
    assert told["type"] == "ryukyoku"
    del told["scores"]
    other = json.dumps(told | {"reason": name, "deltas": []})
    report = validate_game("own", read("\n".join([*before, other, after]).encode()))
    assert not report.differences
    assert not report.faults
    assert [hand.outcome for hand in report.hands] == [reason]


def test_the_liable_seat_is_named() -> None:
    hands = _hands(liable_for_half())
    (report,) = validate_game("own", read(tenhou6(hands, TENHOU).encode())).hands
    assert report.winners[0].pao == 2
    wrong = mjlog(hands, TENHOU).replace('paoWho="2"', 'paoWho="3"')
    (found,) = validate_game("own", read(wrong.encode())).differences
    assert (found.what, found.ours, found.theirs) == ("liable seat", "2", "3")


def test_a_call_of_a_draw_that_was_none_is_objected_to() -> None:
    """An end that did not happen: what the record says of the table cannot have been."""
    text = mjlog(_hands(three_rons()), TENHOU)
    wrong = text.replace('type="ron3"', 'type="kan4"')
    report = validate_game("own", read(wrong.encode()))
    assert report.differences
