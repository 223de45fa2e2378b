"""The verdict of a review: severity, accuracy, habits and luck."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean

import pytest
from django.utils import translation
from msgspec.structs import replace

from bench.bots.games import play_game
from game.analysis.placement import expected_place
from game.analysis.severity import LEAST_LOSSES, SEVERITIES, is_at_least, severity_of
from game.bots import bot_named
from game.engine.events import GameEnded
from game.engine.presets import preset
from game.engine.rules import TENHOU
from game.records.reading import read_recorded_game
from game.records.validate import engine_events, validate_game
from game.results.review_sentences import sentence_of
from game.reviews.figures import BotChoice, Choice, Decision, GameReview, RiichiFigures
from game.reviews.game_review import review_game
from game.reviews.losses import is_unlike_fitted
from game.reviews.moments import NotFinished
from game.reviews.reasons import CODES, reasons_of
from game.reviews.verdicts import accuracy_in, habit_in, verdict_of
from tests.kit.replay_states import RECORDS
from tests.reviews.games import bot_game

HOUOU = RECORDS.parent / "houou"
LEVELS = ("careful", "novice", "careful", "novice")


@pytest.fixture(scope="module")
def mixed() -> list[GameReview]:
    """Return reviews of games of two Careful bots and two Beginners."""
    choosers = [bot_named(level).choose for level in LEVELS]
    return [
        review_game(play_game(seed, choosers).events, with_curves=False) for seed in range(40, 46)
    ]


def percents(reviews: Iterable[GameReview], level: str) -> list[float]:
    return [
        review.verdicts[seat].accuracy[0].percent
        for review in reviews
        for seat, name in enumerate(LEVELS)
        if name == level
    ]


def own(review: GameReview, seat: int) -> list[Decision]:
    return [decision for decision in review.decisions if decision.seat == seat]


def test_names_of_losses_begin_at_their_least_loss() -> None:
    assert severity_of(0.0) == "best"
    for name, least in LEAST_LOSSES.items():
        assert severity_of(least) == name
    assert [severity_of(least - 1e-9) for least in list(LEAST_LOSSES.values())[1:]] == list(
        SEVERITIES[:-1]
    )
    assert is_at_least("blunder", "mistake")
    assert not is_at_least("good", "mistake")


def test_expected_places_of_all_seats_add_up_and_follow_the_points() -> None:
    for rules in (TENHOU, preset("tenhou-3")):
        seats = range(rules.players)
        even = [
            expected_place(rules, (rules.start_points,) * len(seats), 0, 0, seat) for seat in seats
        ]
        assert even == pytest.approx([(1 + len(seats)) / 2] * len(seats), abs=0.01)
        scores = tuple(40_000 - 9_000 * seat for seat in seats)
        uneven = [expected_place(rules, scores, 3, 0, seat) for seat in seats]
        assert sum(uneven) == pytest.approx(sum(seats) + len(seats), abs=0.15)
        assert uneven == sorted(uneven)
        assert 1 <= uneven[0] < uneven[-1] <= len(seats)


def test_bots_of_the_game_reach_the_whole_accuracy() -> None:
    review = review_game(bot_game(11), with_curves=False)
    for verdict in review.verdicts:
        assert verdict.accuracy[0].phase == "all"
        assert {figure.percent for figure in verdict.accuracy} == {100}
        assert verdict.habit == ""
    ended = next(event for event in bot_game(11) if isinstance(event, GameEnded))
    assert review.places[-1] == [place for place, _ in ended.placement]
    assert review.places[0] == pytest.approx([2.5] * 4, abs=0.01)


def test_beginner_is_below_careful_in_all_and_in_defence(mixed: list[GameReview]) -> None:
    assert fmean(percents(mixed, "novice")) + 5 < fmean(percents(mixed, "careful"))
    defence = defaultdict[str, list[float]](list)
    for review in mixed:
        for seat, level in enumerate(LEVELS):
            defence[level] += [
                figure.percent
                for figure in review.verdicts[seat].accuracy
                if figure.phase == "defence"
            ]
    assert fmean(defence["novice"]) < fmean(defence["careful"])


@pytest.mark.skipif(not HOUOU.is_dir(), reason="needs recorded games")
def test_seats_of_seven_dan_are_above_careful_and_careful_above_beginner(
    mixed: list[GameReview],
) -> None:
    found: list[float] = []
    for path in sorted(HOUOU.iterdir())[::20][:12]:
        game = read_recorded_game(path.read_bytes())
        try:
            review = review_game(engine_events(game, validate_game("", game)), with_curves=False)
        except NotFinished:
            continue
        found += [verdict.accuracy[0].percent for verdict in review.verdicts]
    assert fmean(found) > fmean(percents(mixed, "careful")) > fmean(percents(mixed, "novice"))


def test_accuracy_is_unmoved_by_length_and_forced_moves(mixed: list[GameReview]) -> None:
    decisions = own(mixed[0], 1)
    plain = {figure.phase: figure.percent for figure in accuracy_in(decisions)}
    twice = {figure.phase: figure.percent for figure in accuracy_in([*decisions, *decisions])}
    assert plain == twice
    forced = [replace(decision, stake=0.0, place_loss=0.0) for decision in decisions]
    assert accuracy_in([*decisions, *forced]) == accuracy_in(decisions)
    worse = [replace(decision, place_loss=decision.place_loss + 0.001) for decision in decisions]
    assert accuracy_in(worse)[0].percent < plain["all"]


def test_luck_is_what_choices_do_not_explain(mixed: list[GameReview]) -> None:
    for review in mixed:
        for seat, verdict in enumerate(review.verdicts):
            decisions = own(review, seat)
            beyond = sum(decision.place_loss - decision.usual_loss for decision in decisions)
            change = review.places[0][seat] - review.places[-1][seat]
            assert verdict.luck == pytest.approx(change + beyond, abs=0.01)
            assert verdict.luck_error >= 0
            worse = [replace(decisions[0], place_loss=decisions[0].place_loss + 0.5)]
            lucky = verdict_of([*worse, *decisions[1:]], [row[seat] for row in review.places])
            assert lucky.luck == pytest.approx(verdict.luck + 0.5, abs=0.02)


def test_habit_is_the_dearest_kind_of_deviation(mixed: list[GameReview]) -> None:
    seen = set()
    for review in mixed:
        for seat, verdict in enumerate(review.verdicts):
            losses = defaultdict[str, list[float]](list)
            for decision in own(review, seat):
                if is_at_least(decision.severity, "inaccuracy") and habit_in(decision):
                    losses[habit_in(decision)].append(decision.place_loss)
            often = {name: found for name, found in losses.items() if len(found) > 1}
            if not often:
                assert verdict.habit == ""
                continue
            most = max(map(sum, often.values()))
            assert sum(often[verdict.habit]) == pytest.approx(most)
            assert verdict.habit_times == len(often[verdict.habit])
            seen.add(verdict.habit)
    assert len(seen) > 1


WIDE = Choice("discard", tile="1m", shanten=1, unseen=28, danger=0.11, value=2_000, cost=900)
SAFE = Choice("discard", tile="E", shanten=1, unseen=20, danger=0.02, value=1_100, cost=0)
READY = Choice(
    "discard", tile="E", shanten=0, unseen=4, value=3_000, riichi=RiichiFigures(5_200, 2_600, 800)
)


def test_reasons_say_what_is_gained_and_what_is_given_up() -> None:
    assert reasons_of(SAFE, WIDE) == (["wide", "value"], ["safe"])
    assert reasons_of(WIDE, SAFE) == (["safe"], ["wide", "value"])
    assert reasons_of(READY, READY, best_riichi=True) == (["free"], ["riichi"])
    assert reasons_of(READY, READY) == ([], [])
    assert reasons_of(replace(SAFE, danger=None, cost=0), replace(WIDE, danger=None)) == (
        ["wide", "value"],
        ["cheap"],
    )


def test_sentence_has_the_figures_of_both_choices_in_every_language() -> None:
    said = set()
    for language in ("en", "fr", "ja"):
        with translation.override(language):
            text = sentence_of(SAFE, WIDE, ["wide", "value"], ["safe"])
            said.add(text)
            assert all(figure in text for figure in ("28", "20", "11", "2")), text
            assert "{" not in text
            for code in CODES:
                only = sentence_of(READY, READY, [code], [])
                given = sentence_of(READY, READY, [], [code])
                assert "{" not in only + given
                assert only != given
            assert "7" in sentence_of(SAFE, WIDE, [], [], 0.07)
            assert sentence_of(SAFE, WIDE, [], [])
    assert len(said) == 3
    with translation.override("en"):
        assert sentence_of(SAFE, WIDE, ["wide"], ["safe"]) == (
            "For more useful tiles (28 instead of 20) it accepts more danger to deal in "
            "(11.0% instead of 2.0%)."
        )


def test_habits_of_calls_riichi_and_wins() -> None:
    passing, win = Choice("pass", shanten=1), Choice("win", value=3_900, score=3_900)
    pon = Choice("pon", laid=["P", "P"], shanten=0)

    def habit(best: Choice, made: Choice, *, claimed: str = "", riichi: bool = False) -> str:
        bot = BotChoice(0, "value", riichi)
        decision = Decision(0, 0, 0, 0, 1, 1, [best, made], bot, claimed=claimed)
        reasons = reasons_of(best, made, best_riichi=riichi)
        return habit_in(replace(decision, gained=reasons.gained, given_up=reasons.given_up))

    assert habit(pon, passing, claimed="P") == "passes"
    assert habit(passing, pon, claimed="P") == "calls"
    assert habit(win, passing, claimed="P") == "win"
    assert habit(READY, READY, riichi=True) == "silent"
    assert habit(SAFE, WIDE) == "danger"
    assert habit(WIDE, SAFE) == "folds"


def test_rules_unlike_those_of_the_fitted_games_are_named() -> None:
    assert not is_unlike_fitted(preset("tenhou"))
    assert not is_unlike_fitted(preset("tenhou-3"))
    assert is_unlike_fitted(replace(TENHOU, kuitan=False))
    assert is_unlike_fitted(replace(TENHOU, uma=(30, 10, -10, -30)))
