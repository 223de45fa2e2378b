"""In a restored game players gain nothing from tiles that they saw after the backup."""

from __future__ import annotations

from random import Random

import pytest

from game.engine.actions import DeclareRiichi
from game.engine.commands import Act, DealHand, EndGame, RestoreGame, StartGame
from game.engine.decide import Accepted, Rejected, decide
from game.engine.events import Event, GameRestored, HandDrawn, HandStarted
from game.engine.evolve import evolve
from game.engine.legal import legal
from game.engine.perspective import OPEN_SPECTATOR, SPECTATOR, redact, view
from game.engine.rules import TENHOU
from game.engine.state import SEATS, Phase, Riichi, Table
from game.engine.wall import shuffled_wall
from tests.kit.random_games import play_random_game
from tests.kit.tables import wall_of

SEED, NEW_SEED = bytes(range(32)), bytes(range(32, 64))


def done(table: Table, command: object) -> tuple[Table, tuple[Event, ...]]:
    verdict = decide(table, command)  # type: ignore[arg-type]
    assert isinstance(verdict, Accepted), verdict
    for event in verdict.events:
        table = evolve(table, event)
    return table, verdict.events


def begin(wall: bytes = b"") -> Table:
    table, _ = done(Table(), StartGame(TENHOU, ("a", "b", "c", "d"), SEED))
    return done(table, DealHand(wall))[0]


def test_the_running_hand_is_dealt_again_from_a_new_seed() -> None:
    before = begin()
    after, events = done(before, RestoreGame(NEW_SEED))
    assert [type(event).__name__ for event in events] == [
        *("HandDrawn", "HandEnded", "GameRestored", "HandStarted", "Drawn")
    ]
    abandoned = events[0]
    assert isinstance(abandoned, HandDrawn)
    assert (abandoned.reason, abandoned.tehais) == ("abandoned", ((), (), (), ()))
    assert (after.kyoku, after.honba, after.phase) == (before.kyoku, before.honba, Phase.TURN)
    assert after.step > before.step
    assert after.wall == shuffled_wall(TENHOU, NEW_SEED, 1)
    assert after.wall != before.wall


def test_later_hands_follow_from_the_new_seed_too() -> None:
    """Between the backup and the restore, players may have seen later hands as well."""
    for table, _, _ in play_random_game(Random(3), hands=4):
        if table.phase == Phase.RESULT and table.hands_dealt == 2:
            break
    after, events = done(table, RestoreGame(NEW_SEED))
    assert [type(event) for event in events] == [GameRestored]
    assert (after.phase, after.step, after.scores) == (table.phase, table.step, table.scores)
    dealt, events = done(after, DealHand())
    assert isinstance(events[0], HandStarted)
    assert dealt.wall == shuffled_wall(table.rules, NEW_SEED, 2)
    assert dealt.wall != shuffled_wall(table.rules, table.seed, 2)


def test_riichi_sticks_of_the_hand_are_given_back() -> None:
    tenpai = "123m456p789sEESS"
    table = begin(wall_of([tenpai], draws="N"))
    riichi = next(action for action in legal(table, 0) if isinstance(action, DeclareRiichi))
    table, _ = done(table, Act(0, table.step, riichi))
    while table.hands[0].riichi != Riichi.ACCEPTED:
        table = let_pass(table)
    assert (table.scores[0], table.kyotaku) == (24_000, 1)
    after, _ = done(table, RestoreGame(NEW_SEED))
    assert (after.scores, after.kyotaku) == ((25_000,) * 4, 0)
    assert all(hand.riichi == Riichi.NONE for hand in after.hands)


def let_pass(table: Table) -> Table:
    """Let all asked seats pass, then proceed."""
    from game.engine.commands import Proceed, Timeout
    from game.engine.legal import pending_seats

    if owing := pending_seats(table):
        return done(table, Timeout(table.step, tuple(owing)))[0]
    return done(table, Proceed(table.step))[0]


@pytest.mark.parametrize("viewer", [*SEATS, SPECTATOR, OPEN_SPECTATOR])
def test_view_evolves_like_the_table_when_a_game_is_restored(viewer: int) -> None:
    table = begin()
    for event in done(table, RestoreGame(NEW_SEED))[1]:
        shown = redact(event, viewer)
        assert shown is not None
        if isinstance(shown, GameRestored):
            assert shown.seed == b""
        after = evolve(table, event)
        assert evolve(view(table, viewer), shown) == view(after, viewer)
        table = after


def test_only_a_game_that_goes_on_can_be_restored() -> None:
    table = begin()
    assert isinstance(decide(table, RestoreGame(b"short")), Rejected)
    ended, _ = done(table, EndGame())
    assert isinstance(decide(ended, RestoreGame(NEW_SEED)), Rejected)
    assert isinstance(decide(Table(), RestoreGame(NEW_SEED)), Rejected)
