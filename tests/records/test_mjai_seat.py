"""The mjai that a seat is sent, and its answers, are correct for games of bots and recorded
games."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from game.engine.actions import (
    Action,
    CallChi,
    CallKan,
    CallPon,
    DeclareAnkan,
    DeclareKakan,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    SetNorthAside,
    Win,
)
from game.engine.commands import Act
from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    Event,
    HandDrawn,
    KakanDeclared,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    Won,
)
from game.engine.evolve import evolve
from game.engine.legal import legal
from game.engine.perspective import redact, view
from game.engine.presets import PRESETS, PRESETS_OF_THREE, preset
from game.engine.state import SEATS, SEATS_OF, Phase, Table
from game.records.mjai_answers import AskedSeat, RiichiAnnounced, WrongAnswer, is_asked
from game.records.mjai_seat import SeatLines
from game.records.reading import read_recorded_game
from game.records.validate import validate_game
from tests.kit import replay_states
from tests.kit.play import stage
from tests.kit.random_games import play_random_game

EVERY = 25
"""This number of recorded games is skipped between two tested ones."""


def lines_of(events: Iterable[Event], seat: int) -> list[dict[str, Any]]:
    """Return the lines that the seat gets of these events."""
    stream = SeatLines(seat)
    seen = [shown for event in events if (shown := redact(event, seat)) is not None]
    return [line for event in seen for line in stream.lines(event)]


def merge_seats(of_seats: list[list[dict[str, Any]]]) -> str:
    """Return the record of the game, put together from what each seat has seen."""
    rows = []
    for number, seen in enumerate(zip(*of_seats, strict=True)):
        line = dict(seen[0])
        assert all(shown["type"] == line["type"] for shown in seen), number
        if line["type"] == "tsumo":
            line = dict(seen[line["actor"]])
            assert all(shown["pai"] == "?" for shown in seen if shown["pai"] != line["pai"])
        if line["type"] == "start_kyoku":
            seats = range(len(of_seats))
            line["tehais"] = [seen[seat]["tehais"][seat] for seat in seats]
            hidden = [row for seat in seats for row in seen[seat]["tehais"] if "?" in row]
            assert hidden == [["?"] * 13] * len(seats) * (len(seats) - 1)
        rows.append(json.dumps(line))
    return "\n".join(rows)


def some_record_files() -> Iterator[Path]:
    yield from sorted(replay_states.record_files())[::EVERY]


@pytest.mark.parametrize("name", ["tenhou", "tenhou-3"])
def test_all_seats_together_have_seen_the_whole_game(name: str) -> None:
    rules = preset(name)
    for seed in range(3):
        events = [
            event for _, _, some in play_random_game(Random(seed), rules, 99) for event in some
        ]
        text = merge_seats([lines_of(events, seat) for seat in SEATS_OF[rules.players]])
        report = validate_game("merged", read_recorded_game(text.encode()))
        assert not report.differences, report.differences[:3]


@pytest.mark.skipif(not replay_states.RECORDS.is_dir(), reason="needs recorded games")
def test_recorded_games_are_rebuilt_from_the_views_of_the_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for path in some_record_files():
        events = replay_states.recorded_game(path, monkeypatch)
        text = merge_seats([lines_of(events, seat) for seat in SEATS])
        found = validate_game(path.name, read_recorded_game(text.encode()))
        original = validate_game(path.name, read_recorded_game(path.read_bytes()))
        assert len(found.hands) == len(original.hands)
        assert not found.differences or original.differences, (path, found.differences[:3])


def test_new_dora_is_sent_when_people_see_it() -> None:
    """The lines have the order of the events under every preset."""
    kinds = {
        DoraRevealed: "dora",
        Drawn: "tsumo",
        Discarded: "dahai",
        RiichiAccepted: "reach_accepted",
    }
    indicators = 0
    for seed, rules in enumerate(PRESETS.values()):
        events = [
            event for _, _, some in play_random_game(Random(seed), rules, 6) for event in some
        ]
        expected = [kinds[type(event)] for event in events if type(event) in kinds]
        for seat in SEATS:
            types = [line["type"] for line in lines_of(events, seat)]
            assert [kind for kind in types if kind in kinds.values()] == expected
        indicators += expected.count("dora")
    assert indicators > 5


# Answers


def question_to(table: Table, seat: int) -> AskedSeat | None:
    """Return the question that the seat is asked by mjai, from its view; None without one."""
    seen = view(table, seat)
    actions = legal(seen, seat)
    return AskedSeat(seen, seat, actions) if is_asked(seen, actions) else None


def action_after_answer(question: AskedSeat, action: Action) -> Action:
    """Return the action that results when a bot answers with this one, in as many steps as mjai
    needs."""
    option = json.loads(json.dumps(question.as_mjai(action)))
    assert option in question.options
    found = question.read(option)
    if isinstance(action, DeclareRiichi):
        assert isinstance(found, RiichiAnnounced)
        question = question.after_riichi()
        (option,) = [
            option
            for option in question.options
            if question.read(option) == action and option["tsumogiri"] is action.tsumogiri
        ]
        found = question.read(option)
    assert not isinstance(found, RiichiAnnounced | WrongAnswer), found
    return found


def test_every_possible_action_survives_the_round_trip() -> None:
    kinds: set[type] = set()
    for seed, rules in enumerate((PRESETS | PRESETS_OF_THREE).values()):
        for table, command, _ in play_random_game(Random(seed), rules, 8):
            for seat in SEATS_OF[rules.players]:
                question = question_to(table, seat)
                if question is None:
                    continue
                for action in question.actions:
                    assert action_after_answer(question, action) == action
                    kinds.add(type(action))
            if isinstance(command, Act) and table.phase in (Phase.TURN, Phase.CLAIMS):
                question = question_to(table, command.seat)
                assert question is not None
    assert len(kinds) >= 10, kinds
    assert SetNorthAside in kinds


def test_north_is_set_aside_under_both_of_its_names() -> None:
    play = stage(("19m147p147s2sESWN", "", ""), "9s", rules=preset("tenhou-3"))
    question = question_to(play.table, 0)
    assert question is not None
    assert {"type": "kita", "actor": 0, "pai": "N"} in question.options
    for name in ("kita", "nukidora"):
        assert question.read({"type": name, "actor": 0}) == SetNorthAside()
    four = question_to(stage(("19m147p147s2sESWN", "", "", ""), "9s").table, 0)
    assert four is not None
    assert isinstance(four.read({"type": "kita", "actor": 0}), WrongAnswer)


def action_of(event: Event, in_riichi: bool) -> Action | None:
    """Return the action that led to this event of a record; None for other events."""
    match event:
        case Discarded(pai=pai, tsumogiri=tsumogiri):
            return DeclareRiichi(pai, tsumogiri) if in_riichi else Discard(pai, tsumogiri)
        case ChiCalled(consumed=tiles):
            return CallChi(tiles)
        case PonCalled(consumed=tiles):
            return CallPon(tiles)
        case DaiminkanCalled(consumed=tiles):
            return CallKan(tiles)
        case AnkanDeclared(consumed=tiles):
            return DeclareAnkan(tiles)
        case KakanDeclared(pai=pai):
            return DeclareKakan(pai)
        case Won():
            return Win()
        case HandDrawn(reason="kyushu_kyuhai"):
            return DeclareKyushu()
    return None


@pytest.mark.skipif(not replay_states.RECORDS.is_dir(), reason="needs recorded games")
def test_recorded_actions_of_people_are_valid_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    understood = 0
    for path in some_record_files():
        table, before_riichi = Table(), Table()
        for event in replay_states.recorded_game(path, monkeypatch):
            if isinstance(event, RiichiDeclared):
                before_riichi = table
            in_riichi = before_riichi is not Table() and _is_declaring(table, event)
            action = action_of(event, in_riichi)
            seat = getattr(event, "actor", -1)
            question = question_to(before_riichi if in_riichi else table, seat) if action else None
            if question is not None and action in question.actions:
                if in_riichi:
                    assert question.read({"type": "reach", "actor": seat}) == RiichiAnnounced()
                    question = question.after_riichi()
                (line,) = lines_of([event], seat)
                assert question.read(line) == action, (path, line)
                understood += 1
            table = evolve(table, event)
    assert understood > 1_000


def _is_declaring(table: Table, event: Event) -> bool:
    return (
        isinstance(event, Discarded)
        and table.hands[event.actor].riichi.name == "DECLARED"
        and table.turn == event.actor
        and table.phase == Phase.TURN
    )


@pytest.fixture(scope="module")
def own_turn() -> AskedSeat:
    for table, _, _ in play_random_game(Random(1), PRESETS["tenhou"], 1):
        if table.phase == Phase.TURN:
            question = question_to(table, table.turn)
            assert question is not None
            return question
    raise AssertionError


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (17, "object with a type"),
        ({"pai": "5m"}, "object with a type"),
        ({"type": ["dahai"]}, "object with a type"),
        ({"type": "dance"}, "is not known"),
        ({"type": "dahai", "actor": 9, "pai": "1m"}, "your seat"),
        ({"type": "dahai", "pai": "0m"}, "has to be a tile"),
        ({"type": "dahai", "pai": "?"}, "do not hold"),
        ({"type": "dahai"}, "has to be a tile"),
        ({"type": "none"}, "not possible now"),
        ({"type": "hora"}, "not possible now"),
        ({"type": "reach"}, "not possible now"),
        ({"type": "pon", "consumed": ["1m", "1m"]}, "not possible now"),
        ({"type": "kakan", "pai": "1m"}, "not possible now"),
        ({"type": "ryukyoku"}, "not possible now"),
    ],
)
def test_wrong_answer_is_explained(own_turn: AskedSeat, answer: Any, text: str) -> None:
    found = own_turn.read(answer)
    assert isinstance(found, WrongAnswer)
    assert text in found.text


def test_own_riichi_is_reported_once() -> None:
    stream = SeatLines(2)
    assert stream.announce_riichi() == {"type": "reach", "actor": 2}
    assert stream.lines(RiichiDeclared(actor=2)) == []
    assert stream.lines(RiichiDeclared(actor=1)) == [{"type": "reach", "actor": 1}]
    stream.lines(Discarded(actor=2, pai=0, tsumogiri=False))
    assert stream.lines(RiichiDeclared(actor=2)) == [{"type": "reach", "actor": 2}]
