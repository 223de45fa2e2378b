"""The clock of the players, as arithmetic."""

from __future__ import annotations

from msgspec.structs import replace

from game.engine.actions import Pass
from game.engine.clock import (
    EARLY_MS,
    Clock,
    ClockSettings,
    deadline,
    may_continue,
    next_clock,
    pause_clock,
    reopen_question,
    resume_clock,
)
from game.engine.state import Hand, Phase, Riichi, Table
from game.engine.tiles import NO_TILE
from game.tables.settings import CLOCKS

FIVE_PLUS_TWENTY = ClockSettings()
NOW = 1_000_000
ASKED = NOW + FIVE_PLUS_TWENTY.lead_ms


def on_turn(seat: int, step: int = 5) -> Table:
    return Table(phase=Phase.TURN, step=step, turn=seat, hands_dealt=1, drawn=0)


def claims(may_call: int, step: int = 6) -> Table:
    """Return a table at which these seats may call seat 0's discard."""
    return Table(
        phase=Phase.CLAIMS,
        step=step,
        hands_dealt=1,
        claimed=0,
        may_call=may_call,
        drawn=NO_TILE,
    )


def bank_after(clock: Clock, spent: int, not_charged: int = 0) -> int:
    """Return the bank of seat 1 after a discard that took that long."""
    after = claims(0)
    now = ASKED + spent
    return next_clock(FIVE_PLUS_TWENTY, clock, on_turn(1), after, now, not_charged).bank[1]


def asked_seat_1() -> Clock:
    clock = Clock(bank=(20_000,) * 4)
    return next_clock(FIVE_PLUS_TWENTY, clock, claims(0, 4), on_turn(1), NOW)


def test_a_quick_answer_costs_nothing() -> None:
    assert bank_after(asked_seat_1(), 5_000) == 20_000


def test_bank_is_charged_for_time_beyond_the_base() -> None:
    lag = FIVE_PLUS_TWENTY.lag_ms
    assert bank_after(asked_seat_1(), 8_000 + lag) == 17_000
    assert bank_after(asked_seat_1(), 5_000 + lag) == 20_000


def test_bank_never_goes_below_zero() -> None:
    assert bank_after(asked_seat_1(), 600_000) == 0


def test_an_outage_is_not_charged() -> None:
    lag = FIVE_PLUS_TWENTY.lag_ms
    assert bank_after(asked_seat_1(), 18_000 + lag, not_charged=10_000) == 17_000


def test_new_hand_refills_banks_and_shows_the_deal() -> None:
    before = Table(phase=Phase.RESULT, step=8, hands_dealt=1)
    after = replace(on_turn(1, 9), hands_dealt=2)
    clock = next_clock(FIVE_PLUS_TWENTY, Clock(bank=(1, 2, 3, 4)), before, after, NOW)
    assert clock.bank == (20_000,) * 4
    assert clock.asked_at == (0, NOW + FIVE_PLUS_TWENTY.deal_ms, 0, 0)


def test_only_asked_seats_have_a_deadline() -> None:
    clock = next_clock(FIVE_PLUS_TWENTY, Clock(bank=(9, 8, 7, 6)), on_turn(0), claims(0b0110), NOW)
    deadlines = [deadline(FIVE_PLUS_TWENTY, clock, Phase.CLAIMS, seat) for seat in range(4)]
    assert deadlines == [None, ASKED + 5_008, ASKED + 5_007, None]


def test_other_answers_do_not_change_an_open_question() -> None:
    before = claims(0b0110)
    clock = next_clock(FIVE_PLUS_TWENTY, Clock(bank=(9_000,) * 4), on_turn(0), before, NOW)
    after = replace(before, answers=(None, Pass(), None, None))
    later = next_clock(FIVE_PLUS_TWENTY, clock, before, after, NOW + 7_400 + 400)
    assert later.asked_at == (0, 0, ASKED, 0)
    assert later.bank == (9_000, 9_000 - 2_000, 9_000, 9_000)
    assert later.closes_at == clock.closes_at


def test_reaction_time_is_independent_of_calls() -> None:
    silent = next_clock(FIVE_PLUS_TWENTY, Clock(), on_turn(0), claims(0), NOW)
    asking = next_clock(FIVE_PLUS_TWENTY, Clock(), on_turn(0), claims(0b0010), NOW)
    assert silent.closes_at == asking.closes_at == NOW + FIVE_PLUS_TWENTY.reaction_ms


def test_table_continues_after_the_reaction_time_without_pending_answers() -> None:
    table = claims(0b0010)
    clock = next_clock(FIVE_PLUS_TWENTY, Clock(), on_turn(0), table, NOW)
    answered = replace(table, answers=(None, Pass(), None, None))
    settings, goes_on = FIVE_PLUS_TWENTY, clock.closes_at - EARLY_MS
    assert not may_continue(settings, clock, answered, goes_on - 1)
    assert may_continue(settings, clock, answered, goes_on)
    assert not may_continue(settings, clock, table, clock.closes_at)


def test_discard_and_draw_share_a_commit_without_reaction_time() -> None:
    table = claims(0)
    for reaction_ms in (2, 50, 150, 600):
        settings = replace(FIVE_PLUS_TWENTY, reaction_ms=reaction_ms)
        clock = next_clock(settings, Clock(), on_turn(0), table, NOW)
        assert not may_continue(settings, clock, table, NOW)
        assert may_continue(settings, clock, table, NOW + reaction_ms)
    settings = replace(FIVE_PLUS_TWENTY, reaction_ms=0)
    assert may_continue(settings, next_clock(settings, Clock(), on_turn(0), table, NOW), table, NOW)


def test_turn_waits_for_its_player() -> None:
    assert not may_continue(FIVE_PLUS_TWENTY, asked_seat_1(), on_turn(1), NOW + 10**9)


def test_a_question_can_be_opened_again() -> None:
    clock = reopen_question(FIVE_PLUS_TWENTY, asked_seat_1(), 1, NOW + 50_000)
    assert clock.asked_at == (0, NOW + 50_000 + FIVE_PLUS_TWENTY.lead_ms, 0, 0)
    assert reopen_question(FIVE_PLUS_TWENTY, clock, 2, NOW) == clock


def test_a_question_opened_again_during_a_pause_starts_after_it() -> None:
    still = pause_clock(asked_seat_1(), NOW + 1_000, NOW + 600_000)
    clock = resume_clock(reopen_question(FIVE_PLUS_TWENTY, still, 1, NOW + 200_000), NOW + 300_000)
    assert clock.asked_at[1] == NOW + 300_000 + FIVE_PLUS_TWENTY.lead_ms


def test_a_result_has_its_own_deadline_and_is_not_charged() -> None:
    result = Table(phase=Phase.RESULT, step=7, hands_dealt=1)
    clock = next_clock(FIVE_PLUS_TWENTY, Clock(bank=(20_000,) * 4), claims(0), result, NOW)
    assert deadline(FIVE_PLUS_TWENTY, clock, Phase.RESULT, 3) == ASKED + 15_000
    ended = Table(phase=Phase.ENDED, step=8, hands_dealt=1)
    assert next_clock(FIVE_PLUS_TWENTY, clock, result, ended, NOW + 60_000).bank == (20_000,) * 4


def test_turn_clock_starts_with_the_draw_or_call_and_stops_with_the_discard() -> None:
    clock = asked_seat_1()
    assert clock.turn_at == ASKED
    assert reopen_question(FIVE_PLUS_TWENTY, clock, 1, NOW + 9_000).turn_at == ASKED
    assert resume_clock(pause_clock(clock, NOW, NOW + 60_000), NOW + 7_000).turn_at == ASKED + 7_000
    waiting = next_clock(FIVE_PLUS_TWENTY, clock, on_turn(1), claims(0b100), NOW + 2_000)
    assert waiting.turn_at == 0
    robbing = replace(claims(0b100), robbing=True)
    assert next_clock(FIVE_PLUS_TWENTY, clock, on_turn(1), robbing, NOW + 2_000).turn_at == 0


def test_turn_clock_in_riichi_does_not_tell_whether_there_is_a_choice() -> None:
    no_kan, kan = (Hand(tiles, riichi=Riichi.ACCEPTED) for tiles in ((2, 4, 6, 18), (0, 0, 0, 18)))
    clocks = [
        next_clock(
            FIVE_PLUS_TWENTY,
            Clock(bank=(20_000,) * 4),
            claims(0, 4),
            replace(on_turn(1), hands=(Hand(), hand, Hand(), Hand())),
            NOW,
        )
        for hand in (no_kan, kan)
    ]
    assert [clock.turn_at for clock in clocks] == [ASKED, ASKED]


def test_result_can_be_read_as_long_as_a_decision_may_take() -> None:
    assert all(clock.result_ms >= clock.base_ms for clock in CLOCKS.values())
