"""Laws that hold after every event, tested on random hands.

``LAW_HANDS=2000 pytest tests/engine/test_laws.py`` plays more hands than the default run.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec.structs import replace

from game.engine import actions as can
from game.engine.actions import Action
from game.engine.commands import Act, Proceed, Timeout
from game.engine.decide import Accepted, Rejected, Stale, decide
from game.engine.events import (
    Answered,
    Drawn,
    Event,
    GameEnded,
    GameStarted,
    HandDrawn,
    HandStarted,
    Won,
)
from game.engine.evolve import evolve
from game.engine.legal import choices, legal, pending_seats
from game.engine.perspective import OPEN_SPECTATOR, SPECTATOR, redact, view
from game.engine.presets import PRESETS, PRESETS_OF_THREE, preset
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import RIVER_TAKEN, RIVER_TILE, SEATS, Phase, Table
from game.engine.tiles import HIDDEN, NO_TILE, NORTH
from game.engine.wall import LAYOUTS, tile_set
from tests.kit.random_games import Step, play_random_game

HANDS: Final = int(os.environ.get("LAW_HANDS", "150"))
VIEWERS: Final = (*SEATS, SPECTATOR, OPEN_SPECTATOR)
ELSEWHERE: Final = {"AwayChanged", "GameRestored", "LastHandCalled", "WallUsedUp"} | {
    *("WallDrawOpened", "WallCommitted", "WallBound", "WallRevealed", "WallVoided", "WallSeeded")
}
"""Events that no game under Tenhou's rules contains by itself. `test_wall_draw` tests those of the
draw of the wall."""
_SHARES: Final = 5
"""The number of tests that share the hands, so that they can run in parallel."""


def steps(seed: int, hands: int) -> Iterator[Step]:
    """Yield the steps of games of up to eight hands, until that many hands have begun."""
    chance = Random(seed)
    left = hands
    while left > 0:
        for step in play_random_game(chance, hands=min(8, left)):
            left -= any(type(event).__name__ == "HandStarted" for event in step[2])
            yield step


def tables(seed: int, hands: int) -> Iterator[tuple[Table, Event, Table]]:
    """Yield every event with the table before and after it."""
    for table, _, events in steps(seed, hands):
        before = table
        for event in events:
            after = evolve(before, event)
            yield before, event, after
            before = after


shares = pytest.mark.parametrize("seed", range(_SHARES))
hands_each = max(1, HANDS // _SHARES)


@shares
@pytest.mark.timeout(1_800)
def test_view_evolves_like_the_table(seed: int) -> None:
    for before, event, after in tables(seed, hands_each):
        for viewer in VIEWERS:
            shown = redact(event, viewer)
            seen = view(before, viewer)
            if shown is not None:
                seen = evolve(seen, shown)
            expected = view(after, viewer)
            assert seen == expected, f"viewer {viewer} after {event}"


@shares
@pytest.mark.timeout(1_800)
def test_view_offers_the_same_actions_as_the_table(seed: int) -> None:
    for _, _, after in tables(100 + seed, hands_each):
        for seat in SEATS:
            seen = view(after, seat)
            assert legal(seen, seat) == legal(after, seat)
            assert choices(seen, seat) == choices(after, seat)
            assert (seat in pending_seats(seen)) == (seat in pending_seats(after))
            assert bool(legal(after, seat)) == (seat in pending_seats(after))


@shares
@pytest.mark.timeout(1_800)
def test_number_of_each_tile_stays_the_same(seed: int) -> None:
    everything = tile_set(TENHOU)
    for _, event, after in tables(200 + seed, hands_each):
        if after.wall:
            assert sorted(all_tiles(after)) == everything, f"after {event}"


def all_tiles(table: Table) -> list[int]:
    """Return all tiles of the table: drawn, held, in melds, discarded, or in the wall."""
    tiles = [table.drawn] if table.drawn != NO_TILE else []
    for hand in table.hands:
        tiles += hand.tiles
        tiles += [tile for meld in hand.melds for tile in meld.tiles]
        tiles += [entry & RIVER_TILE for entry in hand.river if not entry & RIVER_TAKEN]
        tiles += [2 * NORTH] * hand.norths
    if table.robbing and table.results:
        robbed = [won.actor != won.target for won in table.results if isinstance(won, Won)]
        tiles += [table.claimed] * (any(robbed) and not _is_in_a_meld(table))
    layout = LAYOUTS[table.rules.players]
    drawn = layout.live - table.left - table.supplements
    gone = {*layout.replacements[: table.supplements], *(at for row in layout.deal for at in row)}
    gone |= {layout.first_draw - number for number in range(drawn)}
    return tiles + [tile for at, tile in enumerate(table.wall) if at not in gone]


def _is_in_a_meld(table: Table) -> bool:
    """Return whether the robbed tile lies in a kan of its owner, and not beside a hand as a robbed
    north does."""
    return any(table.claimed in meld.tiles for meld in table.hands[table.turn].melds)


@shares
@pytest.mark.timeout(1_800)
def test_sum_of_points_stays_the_same(seed: int) -> None:
    for _, event, after in tables(300 + seed, hands_each):
        if after.hands_dealt:
            on_table = 1_000 * after.kyotaku
            assert sum(after.scores) + on_table == 100_000, f"after {event}"


@shares
@pytest.mark.timeout(1_800)
def test_only_legal_actions_are_accepted(seed: int) -> None:
    chance = Random(seed)
    refused: Counter[str] = Counter()
    for table, _, _ in steps(400 + seed, hands_each):
        for seat in SEATS:
            allowed = legal(table, seat)
            for action in allowed:
                assert isinstance(decide(table, Act(seat, table.step, action)), Accepted)
            for action in islice(unlike(allowed, chance), 3):
                verdict = decide(table, Act(seat, table.step, action))
                if table.answers[seat] is not None:
                    assert isinstance(verdict, Stale)
                    continue
                assert isinstance(verdict, Rejected), f"{action} by {seat} at {table}"
                assert verdict.text
                refused[verdict.code] += 1
    assert len(refused) > 12, refused


def unlike(allowed: tuple[Action, ...], chance: Random) -> Iterator[Action]:
    """Yield actions that are not among these."""
    while True:
        action = any_action(chance)
        if action not in allowed:
            yield action


def any_action(chance: Random) -> Action:
    kind = chance.choice(get_args(Action))
    tile = chance.randrange(68)
    if kind in (can.Discard, can.DeclareRiichi):
        return kind(tile, chance.random() < 0.5)
    if kind is can.DeclareKakan:
        return can.DeclareKakan(tile)
    count = {can.CallChi: 2, can.CallPon: 2, can.CallKan: 3, can.DeclareAnkan: 4}.get(kind)
    if count is None:
        return kind()
    step = 2 if kind is can.CallChi else 0
    return kind(tuple(tile + step * number for number in range(count)))


@shares
def test_old_questions_are_stale(seed: int) -> None:
    for table, _, _ in steps(500 + seed, 3):
        old = table.step - 1
        assert isinstance(decide(table, Act(table.turn, old, can.Pass())), Stale)
        assert isinstance(decide(table, Proceed(old)), Stale)
        assert isinstance(decide(table, Timeout(old, SEATS)), Stale)


@shares
@pytest.mark.timeout(1_800)
def test_view_hides_closed_hands_and_offers_of_other_seats(seed: int) -> None:
    """The expected views are derived here by hand: the law above would also hold for a view and
    events that both show too much."""
    for _, event, after in tables(600 + seed, hands_each):
        for viewer in (*SEATS, SPECTATOR):
            assert_closed(view(after, viewer), viewer)
            assert_covered(redact(event, viewer), viewer)


def assert_closed(seen: Table, viewer: int) -> None:
    assert not seen.wall
    assert not seen.seed
    own = 1 << viewer if viewer in SEATS else 0
    assert not (seen.may_ron | seen.may_call | seen.may_show) & ~own
    for seat, hand in enumerate(seen.hands):
        if seat == viewer:
            continue
        assert seen.answers[seat] is None
        assert not hand.missed
        assert hand.shown or set(hand.tiles) <= {HIDDEN}
        if seat == seen.turn and not hand.shown:
            assert seen.drawn in (NO_TILE, HIDDEN)


def assert_covered(shown: Event | None, viewer: int) -> None:
    own = 1 << viewer if viewer in SEATS else 0
    for mask in ("may_ron", "may_call", "may_show", "waiting"):
        assert not getattr(shown, mask, 0) & ~own, shown
    match shown:
        case Answered(actor=actor):
            assert actor == viewer
        case Drawn(actor=actor, pai=pai):
            assert actor == viewer or pai == HIDDEN
        case HandStarted(tehais=rows, wall=wall):
            assert not wall
            assert all(seat == viewer or set(row) == {HIDDEN} for seat, row in enumerate(rows))
        case GameStarted(seed=seed):
            assert not seed


EVERY_PRESET: Final = PRESETS | PRESETS_OF_THREE


@pytest.mark.parametrize("rules", EVERY_PRESET.values(), ids=EVERY_PRESET)
def test_the_laws_hold_under_every_preset(rules: RuleSet) -> None:
    everything = tile_set(rules)
    for seed in range(max(2, HANDS // 50)):
        for table, _, events in play_random_game(Random(900 + seed), rules, hands=8):
            before = table
            for event in events:
                after = evolve(before, event)
                for viewer in VIEWERS:
                    shown = redact(event, viewer)
                    seen = view(before, viewer)
                    seen = seen if shown is None else evolve(seen, shown)
                    assert seen == view(after, viewer), f"viewer {viewer} after {event}"
                for seat in after.seats:
                    assert legal(view(after, seat), seat) == legal(after, seat)
                    assert_closed(view(after, seat), seat)
                    assert_covered(redact(event, seat), seat)
                if after.hands_dealt and not isinstance(event, GameEnded):
                    assert sorted(all_tiles(after)) == everything, f"after {event}"
                    total = sum(after.scores) + 1_000 * after.kyotaku
                    assert total == rules.players * rules.start_points, f"after {event}"
                before = after


def test_played_hands_contain_nearly_all_events() -> None:
    """The laws are tested only on events that occur."""
    seen: Counter[str] = Counter()
    yaku: Counter[str] = Counter()
    for seed in range(_SHARES):
        for _, event, _ in tables(seed, max(30, hands_each)):
            seen[type(event).__name__] += 1
            if isinstance(event, HandDrawn):
                seen[event.reason] += 1
            if isinstance(event, Won):
                yaku.update(name for name, _ in event.yaku)
    for _, _, events in play_random_game(Random(1), preset("tenhou-3"), hands=8):
        seen.update(type(event).__name__ for event in events)
    missing = {kind.__name__ for kind in get_args(Event)} - ELSEWHERE - set(seen)
    assert not missing, seen
    assert {"exhaustive", "sukaikan"} <= set(seen), seen
    assert len(yaku) > 15, yaku


def test_every_field_declares_who_may_see_it() -> None:
    from game.engine.perspective import field_visibilities
    from game.engine.state import Hand

    structs: tuple[type[msgspec.Struct], ...] = (*get_args(Event), Table, Hand)
    silent = [
        f"{struct.__name__}.{name}"
        for struct in structs
        for name, visibility in field_visibilities(struct).items()
        if visibility is None
    ]
    assert silent == []


def test_undeclared_field_is_hidden_from_everybody() -> None:
    from game.engine.perspective import _redactor

    class Careless(msgspec.Struct, frozen=True):
        actor: int
        secret: tuple[int, ...]

    shown: Any = _redactor(Careless)(Careless(2, (1, 2, 3)), 2)
    assert shown == Careless(0, ())


def test_viewers_without_a_seat_see_the_spectators_view() -> None:
    for _, event, after in tables(7, 1):
        for viewer in (-1, 4, 17, -5):
            assert view(after, viewer) == view(after, SPECTATOR)
            assert redact(event, viewer) == redact(event, SPECTATOR)


def test_open_spectator_sees_hands_and_nothing_else_hidden() -> None:
    """Questions, answers, passed wins, the wall and the seed stay hidden."""
    hidden_from_all = {"wall": b"", "seed": b"", "may_ron": 0, "may_call": 0, "may_show": 0}
    asked = 0
    for _, event, after in tables(8, 20):
        seen, shut = view(after, OPEN_SPECTATOR), view(after, SPECTATOR)
        open_hands = [hand.tiles for hand in after.hands]
        assert ([hand.tiles for hand in seen.hands], seen.drawn) == (open_hands, after.drawn)
        closed = [
            replace(hand, tiles=other.tiles)
            for hand, other in zip(seen.hands, shut.hands, strict=True)
        ]
        east, south, west, north = closed
        assert replace(seen, hands=(east, south, west, north), drawn=shut.drawn) == shut
        assert {name: getattr(seen, name) for name in hidden_from_all} == hidden_from_all
        assert not any(seen.answers)
        shown = redact(event, OPEN_SPECTATOR)
        if isinstance(event, Answered):
            assert shown is None
        for name in ("wall", "seed", "may_ron", "may_call", "waiting", "may_foul", "may_show"):
            assert not getattr(shown, name, None)
        asked += bool(after.may_ron or after.may_call or any(after.answers))
    assert asked > 50


def test_order_of_answers_does_not_change_the_claim() -> None:
    """Any order of the same answers leads to the same table."""
    compared = 0
    for table, _, _ in tables(11, 40):
        owing = pending_seats(table)
        if table.phase != Phase.CLAIMS or len(owing) < 2:
            continue
        chance = Random(table.step)
        answers = {seat: chance.choice(legal(table, seat)) for seat in owing}
        ends = {answer_all(table, answers, order) for order in (owing, owing[::-1])}
        assert len(ends) == 1, f"{answers} at {table}"
        compared += 1
    assert compared > 20


def answer_all(table: Table, answers: dict[int, Action], order: tuple[int, ...]) -> Table:
    step = table.step
    for seat in order:
        if table.step != step:
            break
        verdict = decide(table, Act(seat, step, answers[seat]))
        assert isinstance(verdict, Accepted)
        for event in verdict.events:
            table = evolve(table, event)
    if table.step == step:
        verdict = decide(table, Proceed(step))
        assert isinstance(verdict, Accepted)
        for event in verdict.events:
            table = evolve(table, event)
    return table
