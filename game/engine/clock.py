"""The players' time: per-decision time plus a bank per hand, as pure arithmetic.

Owns what a commit does to the clock and when a seat's time is over. Knows no clock of
its own: the time comes in. Times are milliseconds since the epoch, spans milliseconds.
"""

from __future__ import annotations

from typing import Final

import msgspec

from game.engine.legal import pending
from game.engine.state import SEATS, Phase, Table

FourInts = tuple[int, int, int, int]
NOT_ASKED: Final = 0
WAITING: Final = (Phase.CLAIMS, Phase.SHOWING, Phase.RESULT)
"""Phases that last until ``Clock.closes_at`` at least."""
EARLY_MS: Final = 100
"""So long before ``Clock.closes_at`` the table goes on, or half of the pause before it if that is
less, if all have answered. What follows is dated
``closes_at`` and shown then, so that no reader sees how long the server took, or which process
went on."""


class ClockSettings(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """How much time a table gives. The default is "5+20"."""

    base_ms: int = 5_000
    """For every decision; what is left of it is not carried over."""
    bank_ms: int = 20_000
    """For a whole hand, used when the time of a decision is over."""
    lead_ms: int = 400
    """Before a seat's time begins to run: what the browser needs to show the question."""
    deal_ms: int = 2_500
    """The same for the first question of a hand."""
    lag_ms: int = 400
    """How late an answer may come in without being late: the way through the network."""
    pause_ms: int = 600
    """Between a discard and the next draw, whether or not anybody could call."""
    result_ms: int = 15_000
    """To look at the result of a hand."""
    result_pause_ms: int = 3_000
    """The least time a result is shown, however quickly all confirm."""
    bot_min_ms: int = 300
    bot_max_ms: int = 1_600
    """A bot thinks for between these on its own turn."""
    away_ms: int = 1_000
    """After which the stand-in of an absent player plays."""
    forced_ms: int = 500
    """After which the only move there is in riichi is made for the player."""
    is_unlimited: bool = False
    """Nobody is ever late who is there. `base_ms` is then how soon an absent player is missed."""


class Clock(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What the open question has to do with time."""

    asked_at: FourInts = (NOT_ASKED, NOT_ASKED, NOT_ASKED, NOT_ASKED)
    """When the time of a seat begins to run; ``NOT_ASKED`` if it owes no answer."""
    bank: FourInts = (0, 0, 0, 0)
    """What is left of each seat's bank when its question is put."""
    closes_at: int = 0
    """Nobody is shown before this how the table goes on (phases CLAIMS, SHOWING and RESULT)."""
    paused_at: int = 0
    """When the clocks were stopped; 0 while they run."""
    pause_ends_at: int = 0
    """When they go on by themselves."""


def opened(
    settings: ClockSettings,
    clock: Clock,
    before: Table,
    after: Table,
    now: int,
    not_charged: int = 0,
) -> Clock:
    """The clock after the table went from `before` to `after` at `now`.

    Whoever answered pays from the bank for the time beyond `base_ms`, less `not_charged`
    (the server's own outages). New questions begin; a new hand fills the banks.
    """
    same_question = after.step == before.step and after.phase == before.phase
    new_hand = after.hands_dealt != before.hands_dealt
    owing = pending(after)
    asked, bank = [NOT_ASKED] * 4, list(clock.bank)
    lead = settings.deal_ms if new_hand else settings.lead_ms
    for seat in SEATS:
        since = clock.asked_at[seat]
        if same_question and seat in owing:
            asked[seat] = since or now + lead
            continue
        if since and before.phase in (Phase.TURN, Phase.CLAIMS, Phase.SHOWING):
            used = now - since - not_charged - settings.base_ms - settings.lag_ms
            bank[seat] -= min(bank[seat], max(0, used))
        if seat in owing:
            asked[seat] = now + lead
    if new_hand:
        bank = [settings.bank_ms] * 4
    closes_at = clock.closes_at if same_question else now + _pause_ms(settings, after.phase)
    return Clock(
        asked_at=(asked[0], asked[1], asked[2], asked[3]),
        bank=(bank[0], bank[1], bank[2], bank[3]),
        closes_at=closes_at,
        paused_at=clock.paused_at,
        pause_ends_at=clock.pause_ends_at,
    )


def _pause_ms(settings: ClockSettings, phase: Phase) -> int:
    match phase:
        case Phase.CLAIMS | Phase.SHOWING:
            return settings.pause_ms
        case Phase.RESULT:
            return settings.result_pause_ms
        case _:
            return 0


def reopened(settings: ClockSettings, clock: Clock, seat: int, now: int) -> Clock:
    """The clock with the question of `seat`, if one is open, put afresh at `now`."""
    if clock.asked_at[seat] == NOT_ASKED:
        return clock
    asked = list(clock.asked_at)
    asked[seat] = (clock.paused_at or now) + settings.lead_ms
    return msgspec.structs.replace(clock, asked_at=(asked[0], asked[1], asked[2], asked[3]))


def paused(clock: Clock, now: int, until: int) -> Clock:
    """The clock stopped; if it stands already, until then at least."""
    return msgspec.structs.replace(
        clock,
        paused_at=clock.paused_at or now,
        pause_ends_at=max(clock.pause_ends_at, until),
    )


def resumed(clock: Clock, now: int) -> Clock:
    """The clock running again, as if the pause had not been."""
    if not clock.paused_at:
        return clock
    span = now - clock.paused_at
    asked = [since + span if since != NOT_ASKED else since for since in clock.asked_at]
    return Clock(
        asked_at=(asked[0], asked[1], asked[2], asked[3]),
        bank=clock.bank,
        closes_at=clock.closes_at + span,
    )


def deadline(settings: ClockSettings, clock: Clock, phase: Phase, seat: int) -> int | None:
    """When the time of `seat` is over, as its player is told; None if it is not asked, has
    all the time there is, or the clocks are stopped."""
    since = clock.asked_at[seat]
    if since == NOT_ASKED or clock.paused_at:
        return None
    if phase == Phase.RESULT:
        return since + settings.result_ms
    if settings.is_unlimited:
        return None
    return since + settings.base_ms + clock.bank[seat]


def goes_on_at(settings: ClockSettings, clock: Clock, phase: Phase) -> int:
    """When the table goes on, if all have answered by then."""
    return clock.closes_at - min(EARLY_MS, _pause_ms(settings, phase) // 2)


def may_go_on(settings: ClockSettings, clock: Clock, table: Table, now: int) -> bool:
    """Whether nobody is waited for, and it is time to go on."""
    if table.phase not in WAITING or clock.paused_at:
        return False
    return goes_on_at(settings, clock, table.phase) <= now and not pending(table)
