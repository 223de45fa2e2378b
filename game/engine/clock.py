"""The time of the players: time per decision plus a bank per hand, as pure arithmetic.

Owns how a commit changes the clock and when the time of a seat is over. Must not read a clock: the
current time is an argument. Times are milliseconds since the epoch, durations milliseconds.
"""

from __future__ import annotations

from typing import Final

import msgspec

from game.engine.by_seat import BySeat
from game.engine.legal import pending_seats
from game.engine.state import DrawState, Phase, Table

NOT_ASKED: Final = 0
WAITING_PHASES: Final = (Phase.CLAIMS, Phase.SHOWING, Phase.RESULT)
"""Phases that last at least until ``Clock.closes_at``."""
EARLY_MS: Final = 100
"""How long before ``Clock.closes_at`` the table continues if all seats have answered, or half of
the phase's shortest duration if that is less. The next events are dated ``closes_at`` and shown
then, so that no reader sees how long the server took or which process acted."""


class ClockSettings(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The time settings of a table. The default is "5+20"."""

    base_ms: int = 5_000
    """Time for each decision; the rest is not carried over."""
    bank_ms: int = 20_000
    """Time for a whole hand, used after `base_ms` of a decision."""
    lead_ms: int = 400
    """Delay before a seat's time starts: the browser needs it to show the question."""
    deal_ms: int = 2_500
    """`lead_ms` for the first question of a hand."""
    lag_ms: int = 400
    """Tolerance for the network: the server answers for a seat this much after its deadline. An
    answer of the player counts until the server has answered."""
    reaction_ms: int = 600
    """The reaction time: from a discard to the next draw, whether or not anybody could call. Also
    the shortest time for which tenpai hands are shown."""
    result_ms: int = 15_000
    """Time to look at the result of a hand."""
    result_pause_ms: int = 3_000
    """Minimum time for which a result is shown, even if all confirm sooner."""
    bot_min_ms: int = 150
    bot_max_ms: int = 2_600
    """The limits of the time for which a bot thinks on its own turn, after `lead_ms`. Most times
    are near the lower limit. The mean time from the draw to the discard is about a second."""
    away_ms: int = 1_000
    """Delay after which a bot plays for an absent player."""
    forced_ms: int = 500
    """Delay after which the only legal move in riichi is made for the player."""
    is_unlimited: bool = False
    """Present players are never late. `base_ms` is then the time after which a player counts as
    absent."""
    wall_commit_ms: int = 5_000
    """How long the first draw of the wall waits for commitments of pages."""
    wall_reveal_ms: int = 2_000
    """How long it waits for reveals, and a later draw for commitments."""
    wall_draw_ms: int = 10_000
    """How long each draw waits in all for pages that are connected."""


class Clock(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """When the open question was asked and when it closes, with the time banks of the seats."""

    asked_at: BySeat[int] = (NOT_ASKED, NOT_ASKED, NOT_ASKED, NOT_ASKED)
    """When the time of each seat starts; ``NOT_ASKED`` if the seat is not asked."""
    bank: BySeat[int] = (0, 0, 0, 0)
    """The rest of each seat's bank when its question was put."""
    closes_at: int = 0
    """When everybody sees how the table continues, at the earliest (phases CLAIMS, SHOWING and
    RESULT). While the seed of the wall is drawn: the end of the step of that draw."""
    paused_at: int = 0
    """When the clock was paused; 0 while it runs."""
    pause_ends_at: int = 0
    """When a pause ends automatically."""
    round_ends_at: int = 0
    """When the time of the round is over and the last hand is called; 0 for never, and afterwards.
    Pauses move it."""
    extra_ms: int = 0
    """What officials have added to the time of the round."""
    draw_ends_at: int = 0
    """Until when the present draw of the wall waits for pages that are connected; 0 when none is
    open."""
    turn_at: int = 0
    """When the base time of the seat on turn starts, as everybody sees it; 0 outside turns. It
    follows from the draw or call alone, not from the question, which may be opened again."""


def next_clock(
    settings: ClockSettings,
    clock: Clock,
    before: Table,
    after: Table,
    now: int,
    not_charged: int = 0,
) -> Clock:
    """Return the clock after the table went from `before` to `after` at `now`.

    A seat that answered pays from its bank for the time beyond `base_ms`, less the `not_charged`
    milliseconds of server outages. The times of new questions start. A new hand refills the banks.
    """
    same_question = after.step == before.step and after.phase == before.phase
    new_hand = after.hands_dealt != before.hands_dealt
    asked_seats = pending_seats(after)
    asked, bank = [NOT_ASKED] * len(after.seats), list(clock.bank)
    lead = settings.deal_ms if new_hand else settings.lead_ms
    for seat in after.seats:
        since = clock.asked_at[seat]
        if same_question and seat in asked_seats:
            asked[seat] = since or now + lead
            continue
        if since and before.phase in (Phase.TURN, Phase.CLAIMS, Phase.SHOWING):
            used = now - since - not_charged - settings.base_ms - settings.lag_ms
            bank[seat] -= min(bank[seat], max(0, used))
        if seat in asked_seats:
            asked[seat] = now + lead
    if new_hand:
        bank = [settings.bank_ms] * len(after.seats)
    closes_at = clock.closes_at if same_question else now + _min_phase_ms(settings, after.phase)
    turn_at = clock.turn_at
    if not same_question:
        turn_at = now + lead if after.phase == Phase.TURN else 0
    draw_ends_at = 0
    if after.is_drawing_wall:
        draw_ends_at = clock.draw_ends_at
        if _wall_draw_step(before) != _wall_draw_step(after):
            closes_at = now + _wall_draw_ms(settings, after)
        if _wall_draw_number(before) != _wall_draw_number(after):
            draw_ends_at = now + settings.wall_draw_ms
    return Clock(
        asked_at=tuple(asked),
        bank=tuple(bank),
        closes_at=closes_at,
        paused_at=clock.paused_at,
        pause_ends_at=clock.pause_ends_at,
        round_ends_at=0 if after.last_hand else clock.round_ends_at,
        extra_ms=clock.extra_ms,
        draw_ends_at=draw_ends_at,
        turn_at=turn_at,
    )


def _wall_draw_number(table: Table) -> int:
    return 0 if table.wall_draw is None else table.wall_draw.number


def _wall_draw_step(table: Table) -> tuple[int, DrawState] | None:
    draw = table.wall_draw
    return None if draw is None else (draw.number, draw.state)


def _wall_draw_ms(settings: ClockSettings, table: Table) -> int:
    is_first = _wall_draw_step(table) == (1, DrawState.COMMIT)
    return settings.wall_commit_ms if is_first else settings.wall_reveal_ms


def _min_phase_ms(settings: ClockSettings, phase: Phase) -> int:
    match phase:
        case Phase.CLAIMS | Phase.SHOWING:
            return settings.reaction_ms
        case Phase.RESULT:
            return settings.result_pause_ms
        case _:
            return 0


def reopen_question(settings: ClockSettings, clock: Clock, seat: int, now: int) -> Clock:
    """Restart the time of `seat` at `now`; return the clock unchanged if the seat is not asked."""
    if clock.asked_at[seat] == NOT_ASKED:
        return clock
    asked = list(clock.asked_at)
    asked[seat] = (clock.paused_at or now) + settings.lead_ms
    return msgspec.structs.replace(clock, asked_at=tuple(asked))


def pause_clock(clock: Clock, now: int, until: int) -> Clock:
    """Return the clock paused until `until`. A pause that already ends later stays."""
    return msgspec.structs.replace(
        clock,
        paused_at=clock.paused_at or now,
        pause_ends_at=max(clock.pause_ends_at, until),
    )


def resume_clock(clock: Clock, now: int) -> Clock:
    """Return the clock running again, with all times moved by the length of the pause."""
    if not clock.paused_at:
        return clock
    span = now - clock.paused_at
    asked = [since + span if since != NOT_ASKED else since for since in clock.asked_at]
    return Clock(
        asked_at=tuple(asked),
        bank=clock.bank,
        closes_at=clock.closes_at + span,
        round_ends_at=clock.round_ends_at + span if clock.round_ends_at else 0,
        extra_ms=clock.extra_ms,
        draw_ends_at=clock.draw_ends_at + span if clock.draw_ends_at else 0,
        turn_at=clock.turn_at + span if clock.turn_at else 0,
    )


def extend_round(clock: Clock, extra_ms: int) -> Clock:
    """Return the clock with the extension of the round's time set to `extra_ms` in total."""
    if not clock.round_ends_at:
        return clock
    return msgspec.structs.replace(
        clock, round_ends_at=clock.round_ends_at + extra_ms - clock.extra_ms, extra_ms=extra_ms
    )


def round_left_ms(clock: Clock, now: int) -> int | None:
    """Return the milliseconds that are left of the round; None without a round clock."""
    if not clock.round_ends_at:
        return None
    return max(0, clock.round_ends_at - (clock.paused_at or now))


def deadline(settings: ClockSettings, clock: Clock, phase: Phase, seat: int) -> int | None:
    """Return the time (epoch milliseconds) at which the player's countdown ends. None if the seat
    is not asked, has unlimited time, or the clock is paused."""
    since = clock.asked_at[seat]
    if since == NOT_ASKED or clock.paused_at:
        return None
    if phase == Phase.RESULT:
        return since + settings.result_ms
    if settings.is_unlimited:
        return None
    return since + settings.base_ms + clock.bank[seat]


def continues_at(settings: ClockSettings, clock: Clock, phase: Phase) -> int:
    """Return the earliest time (epoch milliseconds) at which the table continues after all seats
    have answered."""
    return clock.closes_at - min(EARLY_MS, _min_phase_ms(settings, phase) // 2)


def may_continue(settings: ClockSettings, clock: Clock, table: Table, now: int) -> bool:
    """Return whether all seats have answered and it is time to continue."""
    if table.phase not in WAITING_PHASES or clock.paused_at:
        return False
    return continues_at(settings, clock, table.phase) <= now and not pending_seats(table)
