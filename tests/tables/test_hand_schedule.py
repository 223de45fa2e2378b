"""The times at which finished hands are shown, computed by hand from small logs."""

from __future__ import annotations

from game.archive.hand_schedule import MAX_GAP_MS, HandSchedule, delay_minutes
from game.engine.clock import Clock
from game.engine.events import Event, GameEnded, HandEnded, HandStarted
from game.tables.room import Commit
from game.tables.settings import OpensAfter

DELAY_MS = 180_000
NOBODY = ((), (), (), ())
DEAL = HandStarted(0, 1, 0, 0, 0, 0, (0, 0, 0, 0), NOBODY, b"")
OVER = HandEnded()
GAME_OVER = GameEnded((0, 0, 0, 0), ())

Step = tuple[int, tuple[Event, ...]]
"""The second of an event, and the event."""


def schedule(*steps: Step, opens_after: OpensAfter = "hand") -> HandSchedule:
    made = HandSchedule(DELAY_MS, opens_after)
    for version, (second, events) in enumerate(steps, start=1):
        made.add(Commit(version, bytes([version]), 1000 * second, (), events, Clock()))
    return made


def take_all_hands(made: HandSchedule) -> list[tuple[int, int, int]]:
    """Return for each hand that may be shown its versions, and the second at which it starts."""
    found = list[tuple[int, int, int]]()
    while made.next_start() is not None:
        hand, starts_at = made.take()
        found.append((hand.first, hand.last, starts_at // 1000))
    return found


def test_hand_starts_after_its_end_and_the_delay() -> None:
    assert take_all_hands(schedule((0, (DEAL,)), (30, ()))) == []
    assert take_all_hands(schedule((0, (DEAL,)), (30, ()), (50, (OVER,)))) == [(1, 3, 230)]


def test_next_hand_starts_after_delay_and_previous_hand() -> None:
    """The first hand takes 100 s to show. The second hand is over 10 s after it, the third 300 s
    after it."""
    first: tuple[Step, ...] = ((0, (DEAL,)), (50, ()), (100, (OVER,)))
    second: tuple[Step, ...] = ((105, (DEAL,)), (110, (OVER,)))
    third: tuple[Step, ...] = ((115, (DEAL,)), *((s, ()) for s in range(150, 401, 50)))
    made = schedule(*first, *second, *third, (410, (OVER,)))
    assert take_all_hands(made) == [(1, 3, 280), (4, 5, 380), (6, 13, 590)]


def test_running_hand_and_its_deal_are_shown_after_its_end() -> None:
    assert take_all_hands(schedule((0, (DEAL,)), (9, (OVER,)), (12, (DEAL,)), (15, ()))) == [
        (1, 2, 189)
    ]


def test_commit_that_deals_a_hand_is_shown_after_that_hand() -> None:
    steps: tuple[Step, ...] = ((0, (DEAL,)), (9, (OVER, DEAL)), (20, ()))
    assert take_all_hands(schedule(*steps)) == []
    assert take_all_hands(schedule(*steps, (40, (OVER,)))) == [(1, 4, 220)]


def test_a_rated_game_waits_for_its_end() -> None:
    steps: tuple[Step, ...] = ((0, (DEAL,)), (9, (OVER,)), (12, (DEAL,)), (20, (OVER,)))
    assert take_all_hands(schedule(*steps, opens_after="game")) == []
    made = schedule(*steps, (25, (GAME_OVER,)), opens_after="game")
    assert made.ends_at() == 1000 * (205 + 9 + 11 + 5)
    assert take_all_hands(made) == [(1, 2, 205), (3, 4, 214), (5, 5, 225)]


def test_gaps_are_shown_for_a_minute_at_most() -> None:
    made = schedule((100, (DEAL,)), (90, ()), (9_000, ()), (9_001, (OVER,)))
    hand, starts_at = made.take()
    assert (starts_at, hand.length_ms) == (9_001_000 + DELAY_MS, MAX_GAP_MS + 1_000)


def test_delay_is_written_in_the_nearest_minutes() -> None:
    assert [delay_minutes(seconds) for seconds in (0, 180, 209, 210, 239)] == [0, 3, 3, 4, 4]
