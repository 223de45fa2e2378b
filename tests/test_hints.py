"""Help at a table agrees with the engine and uses nothing that the reader may not see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from game.analysis.study import seat_view, study
from game.analysis.study_answer import Prospect, Study, StudyChoice
from game.engine.actions import Discard
from game.engine.commands import Act
from game.engine.evolve import evolve
from game.engine.furiten import is_furiten
from game.engine.legal import legal
from game.engine.presets import preset
from game.engine.rules import RuleSet
from game.engine.state import SEATS, Phase, Riichi, Table
from game.engine.tiles import NO_TILE, tile_to_text
from game.live.process import HelpCache
from tests.kit.play import Play, stage
from tests.kit.random_games import play_random_game

GAMES = 6


def moments() -> Iterator[tuple[Table, Act | None, Table]]:
    """Yield tables of random games: a table, the action taken there, and the table after it."""
    for seed in range(GAMES):
        for table, command, events in play_random_game(Random(400 + seed), hands=3):
            after = table
            for event in events:
                after = evolve(after, event)
            yield table, command if isinstance(command, Act) else None, after


def with_other_hidden_tiles(table: Table, seat: int, chance: Random) -> Table:
    """Return another table with the same view for the seat: all tiles hidden from it are dealt
    again."""
    others = [other for other in SEATS if other != seat and not table.hands[other].shown]
    hidden = [tile for other in others for tile in table.hands[other].tiles] + list(table.wall)
    if table.turn in others and table.drawn != NO_TILE:
        hidden.append(table.drawn)
    chance.shuffle(hidden)
    hands = list(table.hands)
    for other in others:
        count = len(hands[other].tiles)
        hands[other] = replace(hands[other], tiles=tuple(sorted(hidden[:count])), missed=True)
        del hidden[:count]
    drawn = table.drawn
    if table.turn in others and drawn != NO_TILE:
        drawn = hidden.pop()
    bits = 0b1111 & ~(1 << seat)
    return replace(
        table,
        hands=(hands[0], hands[1], hands[2], hands[3]),
        wall=bytes(hidden),
        drawn=drawn,
        may_ron=table.may_ron | bits,
        may_call=table.may_call | bits,
    )


def test_equal_views_get_equal_answers() -> None:
    chance = Random(6)
    compared = 0
    for table, _, _ in moments():
        if table.phase not in (Phase.TURN, Phase.CLAIMS) or chance.random() < 0.8:
            continue
        seat = chance.choice(SEATS)
        other = with_other_hidden_tiles(table, seat, chance)
        assert other != table
        assert seat_view(other, seat) == seat_view(table, seat)
        assert study(seat_view(other, seat)) == study(seat_view(table, seat))
        compared += 1
    assert compared > 100


def test_discard_is_described_by_the_hand_it_leaves() -> None:
    compared = 0
    for table, act, after in moments():
        if act is None or not isinstance(act.action, Discard) or after.phase != Phase.CLAIMS:
            continue
        if after.dora != table.dora or table.hands[act.seat].riichi != Riichi.NONE:
            continue
        then = choice(study(seat_view(table, act.seat)), act.action).then
        now = study(seat_view(after, act.seat)).hand
        assert now is not None
        waits = tuple(replace(wait, riichi=None) for wait in then.waits)
        assert replace(then, waits=waits) == now, f"{act} at {table}"
        compared += 1
    assert compared > 200


def choice(answer: Study, discard: Discard) -> StudyChoice:
    wanted = (tile_to_text(discard.pai), discard.tsumogiri)
    (found,) = (
        discard for discard in answer.discards if (discard.pai, discard.tsumogiri) == wanted
    )
    return found


def test_every_legal_discard_is_studied() -> None:
    for table, _, _ in moments():
        if table.phase != Phase.TURN:
            continue
        answer = study(seat_view(table, table.turn))
        actions = [action for action in legal(table, table.turn) if isinstance(action, Discard)]
        assert [(discard.pai, discard.tsumogiri) for discard in answer.discards] == [
            (tile_to_text(action.pai), action.tsumogiri) for action in actions
        ]
        assert answer.q == table.step
        assert answer.hand is None


def test_ron_is_shown_exactly_when_it_is_legal() -> None:
    seen: Counter[str] = Counter()
    for table, act, after in moments():
        is_discard = act is not None and isinstance(act.action, Discard)
        if not is_discard or after.phase != Phase.CLAIMS or after.left == 0:
            continue
        for seat in SEATS:
            if seat == after.turn:
                continue
            hand = study(seat_view(table, seat)).hand
            assert hand is not None
            found = [wait for wait in hand.waits if wait.pai == kind_text(after.claimed)]
            wins = bool(found) and found[0].ron is not None and not hand.furiten
            assert wins == bool(after.may_ron >> seat & 1), f"seat {seat} at {after}"
            seen["wins" if wins else "waits" if found else "nothing"] += 1
    assert seen["wins"] > 5
    assert seen["waits"] > 0


def kind_text(tile: int) -> str:
    return tile_to_text(tile & ~1)


def test_furiten_has_its_reasons() -> None:
    reasons: Counter[str] = Counter()
    for table, _, _ in moments():
        if table.phase not in (Phase.TURN, Phase.CLAIMS):
            continue
        for seat in SEATS:
            seen = seat_view(table, seat)
            hand = study(seen).hand
            if hand is not None:
                assert bool(hand.furiten) == is_furiten(seen.table, seat), f"{seat} at {table}"
                reasons.update(hand.furiten)
    assert {"own_discard", "temporary"} <= set(reasons)


def test_missed_win_in_riichi_is_furiten_for_the_hand() -> None:
    play = stage(("123m456m789p23sEE", "", "", ""), "N 4s")
    play.riichi(0, "N")
    play.discard(1, "4s")
    play.let_pass(0)
    play.proceed()
    hand = study(seat_view(play.table, 0)).hand
    assert hand is not None
    assert hand.furiten == ("riichi",)


def dealer(play: Play) -> Study:
    return study(seat_view(play.table, 0))


def after(answer: Study, pai: str) -> Prospect:
    return next(discard.then for discard in answer.discards if discard.pai == pai)


def test_distant_hand_has_shanten_and_useful_tiles() -> None:
    then = after(dealer(stage(("123m456m78p24sEES",), "N")), "N")
    assert (then.shanten, then.waits) == (1, ())
    assert then.useful == (("6p", 4), ("9p", 4), ("3s", 4))


def test_visible_tiles_are_not_left() -> None:
    play = stage(("123m456m789p13sEE", "", "", ""), "N", dora="2s")
    (wait,) = after(dealer(play), "N").waits
    assert (wait.pai, wait.left) == ("2s", 3)


OF_THREE = replace(preset("tenhou-3"), red_fives=(0, 0, 0))


def stage_three(hands: Sequence[str], draws: str, rinshan: str) -> Play:
    scores = (35_000, 35_000, 35_000)
    return stage(hands, draws, rinshan=rinshan, dora="P", rules=OF_THREE, scores=scores)


def test_norths_set_aside_are_not_left_and_a_self_draw_has_two_payers() -> None:
    hands = ("19m147p147s2sESWN", "123p456p123s99sNN", "")
    play = stage_three(hands, "9s E 9m 9m", "F")
    play.discard(0, "9s")
    play.discard_in_turn("E 9m")
    play.set_north_aside(0)
    play.proceed()
    now = study(seat_view(play.table, 1)).hand
    assert now is not None
    assert [(wait.pai, wait.left, wait.ron) for wait in now.waits] == [
        ("9s", 1, None),
        ("N", 1, None),
    ]
    assert [wait.tsumo and wait.tsumo.points for wait in now.waits] == [800, 800]


def test_own_norths_count_as_dora_in_the_help() -> None:
    play = stage_three(("123p456p789p99s12s", "", ""), "N", "F")
    play.set_north_aside(0)
    play.proceed()
    (wait,) = after(dealer(play), "F").waits
    assert wait.riichi is not None
    assert wait.riichi.ron is not None
    assert ("nukidora", 1) in wait.riichi.ron.yaku


def test_help_of_three_names_no_missing_tiles() -> None:
    then = after(dealer(stage_three(("19m123p456p789p14s", "", ""), "E", "F")), "E")
    useful = {pai for pai, _ in then.useful}
    assert {"1m", "9m", "2s", "3s"} <= useful
    assert not useful & {f"{rank}m" for rank in range(2, 9)}


def test_closed_hand_without_yaku_shows_the_value_of_riichi() -> None:
    play = stage(("123m456m789p13sEE",), "N", rules=RuleSet(red_fives=(0, 0, 0)))
    answer = study(seat_view(play.table, 0))
    (wait,) = after(answer, "N").waits
    assert wait.ron is None
    assert wait.tsumo is not None
    assert wait.tsumo.yaku == (("tsumo", 1),)
    assert wait.riichi is not None
    assert wait.riichi.ron is not None
    assert ("daburu", 2) in wait.riichi.ron.yaku
    assert wait.riichi.ron.points == 3_900


def test_discarding_a_wait_makes_furiten() -> None:
    answer = dealer(stage(("123m456m789p23sEE",), "4s"))
    assert after(answer, "4s").furiten == ("own_discard",)
    assert [wait.pai for wait in after(answer, "4s").waits] == ["1s", "4s"]


def test_kuikae_names_the_tile_and_the_reason() -> None:
    play = stage(("", "2345m789p13sEEWW", "", ""), "1m", dora="N")
    play.discard(0, "1m")
    play.chi(1, "23m")
    answer = study(seat_view(play.table, 1))
    assert [(discard.pai, discard.why) for discard in answer.kuikae] == [("4m", "other_end")]
    assert "4m" not in [discard.pai for discard in answer.discards]


@pytest.mark.parametrize("phase", [Phase.RESULT, Phase.ENDED, Phase.IDLE])
def test_study_is_empty_between_hands(phase: Phase) -> None:
    table = replace(stage().table, phase=phase)
    assert study(seat_view(table, 0)) == Study(table.step, None, (), ())


async def test_answer_is_computed_once() -> None:
    studies = HelpCache(remembered=2)
    tables = [stage(draws=draw).table for draw in ("1m", "5p", "9s")]
    first = await studies.frame(seat_view(tables[0], 0))
    assert await studies.frame(seat_view(tables[0], 0)) is first
    for table in tables[1:]:
        await studies.frame(seat_view(table, 0))
    assert await studies.frame(seat_view(tables[0], 0)) is not first, "forgotten, the oldest first"
