"""Records of this site with any rules and walls are replayed without a difference, or the format
says why it cannot express them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain
from random import Random
from urllib.parse import unquote

import pytest
from msgspec.structs import replace

from bench.bots.games import play_game
from game.engine.actions import StopGame
from game.engine.events import Answered, GameEnded
from game.engine.presets import PRESETS
from game.engine.rules import TENHOU, RuleSet
from game.engine.wall_proof import WallProof, rules_text
from game.records.formats import FORMATS
from game.records.own import FormatCannotExpress, OwnGame, own_game, own_mark, read_own_mark
from game.records.reading import read_recorded_game
from game.records.recorded import RecordError
from game.records.validate import FileReport, validate_game
from tests.kit.random_games import TEMPERS
from tests.records.own_games import Hands, random_game

NAMES = ("Анна", 'B "&<', "Clara", "")
_ODD = replace(
    PRESETS["classic"],
    name="own",
    fifth_kan="use_ura",
    red_fives=(1, 2, 0),
    renho="yakuman",
    nagashi_mangan="win",
    sukaikan="on_declaration",
    open_kan_dora="after_discard_passes",
)
RULES = {**PRESETS, "odd": _ODD, "odd, other red fives": replace(_ODD, red_fives=(1, 1, 1))}
SEEDS = range(2)


def validate_own(text: str) -> FileReport:
    report = validate_game("own", read_recorded_game(text.encode()))
    assert not report.unsupported
    assert not report.faults, report.faults
    assert not report.differences, report.differences[0]
    assert not report.notes, report.notes
    return report


@pytest.mark.parametrize("name", RULES)
def test_records_are_played_by_the_rules_of_their_mark(name: str) -> None:
    refused: Counter[tuple[str, str]] = Counter()
    for seed in SEEDS:
        hands = tuple([tuple(hand) for hand in random_game(seed, RULES[name])])
        game = OwnGame(NAMES, RULES[name], hands)
        for kind, form in FORMATS.items():
            try:
                text = form.write(game)
            except FormatCannotExpress as reason:
                refused[kind, reason.code] += 1
                continue
            report = validate_own(text)
            assert len(report.hands) == len(hands)
            assert report.hands[-1].final is not None
    assert "mjai" not in {kind for kind, _ in refused}
    assert {code for _, code in refused} <= {"chombo", "showing", "red_fives"}
    if not RULES[name].false_declarations and name != "odd":
        assert sum(refused.values()) < len(SEEDS) * len(FORMATS) / 2


def play_from_seed(rules: RuleSet = TENHOU) -> OwnGame:
    chance = Random(7)
    tempers = [chance.choice(TEMPERS) for _ in range(4)]
    events = play_game(3, tempers, rules).events
    return own_game(events, NAMES, is_broken_off=False)


@pytest.mark.parametrize("kind", FORMATS)
def test_walls_can_be_checked_with_the_record(kind: str) -> None:
    game = play_from_seed()
    text = FORMATS[kind].write(game)
    assert len(validate_own(text).hands) == len(game.hands)
    if kind == "tenhou6_hands":  # a hand alone does not have the number from which its wall follows
        assert game.seed.hex() not in text
        return
    other = text.replace(game.seed.hex(), bytes(32).hex())
    assert other != text
    assert validate_game("own", read_recorded_game(other.encode())).differences


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(("good", "bad"), [("east_south", "west_west"), ("seed", "saed")])
def test_the_mark_is_read_or_refused(kind: str, good: str, bad: str) -> None:
    game = play_from_seed()
    text = FORMATS[kind].write(game)
    assert read_recorded_game(text.encode()).rules == game.rules
    # One of the formats escapes quotes as %22.
    for quoted in ('"{}"', "%22{}%22"):
        text = text.replace(quoted.format(good), quoted.format(bad))
    if bad == "saed":  # this is the mark of another site
        assert read_recorded_game(text.encode()).rules.name == "tenhou"
        return
    with pytest.raises(RecordError, match="mark of this site"):
        read_recorded_game(text.encode())


@pytest.mark.parametrize("kind", FORMATS)
def test_unfinished_hand_is_left_out(kind: str) -> None:
    whole = play_from_seed()
    ended = [event for event in whole.hands[-1] if isinstance(event, GameEnded)]
    cut = replace(whole, hands=(*whole.hands[:2], (*whole.hands[2], *ended)), is_broken_off=True)
    game = read_recorded_game(FORMATS[kind].write(cut).encode())
    assert not game.is_over
    assert len(validate_own(FORMATS[kind].write(cut)).hands) == 3


def test_a_game_without_a_hand_has_no_record() -> None:
    events = list(chain(*random_game(1)))
    with pytest.raises(FormatCannotExpress, match="no hand"):
        own_game(
            [event for event in events if isinstance(event, GameEnded)], NAMES, is_broken_off=True
        )


def test_names_are_in_every_format() -> None:
    game = play_from_seed()
    mjai = json.loads(FORMATS["mjai"].write(game).splitlines()[0])
    assert mjai["names"] == list(NAMES)
    assert json.loads(FORMATS["tenhou6"].write(game))["name"] == list(NAMES)
    mjlog = FORMATS["mjlog"].write(game)
    start = mjlog.index("<UN ")
    assert unquote(mjlog[start : mjlog.index("/>", start)]).startswith(f'<UN n0="{NAMES[0]}"')


def test_record_of_a_game_that_its_dealer_ended_is_replayed() -> None:
    rules = replace(TENHOU, name="own", length="east", goal_points=0, dealer_stops="choice")
    games = (random_game(seed, rules) for seed in range(60))
    hands = next(hands for hands in games if _is_ended_by_choice(hands))
    game = OwnGame(NAMES, rules, tuple([tuple(hand) for hand in hands]))
    for form in FORMATS.values():
        assert validate_own(form.write(game)).hands[-1].final is not None


def _is_ended_by_choice(hands: Hands) -> bool:
    return any(
        isinstance(event, Answered) and isinstance(event.action, StopGame) for event in hands[-1]
    )


def test_record_with_a_proof_has_the_rules_as_the_proof_binds_them() -> None:
    """A game that was begun before `noten_payments` were three numbers binds one."""
    bound = {**json.loads(rules_text(TENHOU)), "noten_payments": 3_000}
    proof = WallProof("table", NAMES, json.dumps(bound), ())
    mark = own_mark(OwnGame(NAMES, TENHOU, (), bytes(32), proof=proof))
    assert mark is not None
    assert mark["rules"] == bound
    text = json.dumps({"house": mark})
    own = read_own_mark(json.loads(text)["house"], text)
    assert own is not None
    assert own.rules == TENHOU


@pytest.mark.parametrize("reds", [-1, 5, 10**9])
def test_mark_with_an_impossible_number_of_red_fives_is_refused(reds: int) -> None:
    """The wall of such rules would fill the memory of the web server."""
    mark = own_mark(replace(play_from_seed(), hands=()))
    assert mark is not None
    mark["rules"]["red_fives"] = [reds, 1, 1]
    with pytest.raises(RecordError, match="a suit has 4 fives"):
        read_own_mark(mark, json.dumps(mark))


@pytest.mark.parametrize("name", ["uma", "floating_uma"])
def test_mark_with_uma_of_another_number_of_places_is_refused(name: str) -> None:
    mark = own_mark(replace(play_from_seed(), hands=()))
    assert mark is not None
    mark["rules"][name] = [10, 0, -10] if name == "uma" else [[0]] * 5
    with pytest.raises(RecordError):
        read_own_mark(mark, json.dumps(mark))
