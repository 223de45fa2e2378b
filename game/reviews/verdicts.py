"""The verdict on each seat of a reviewed game: accuracy, luck and the habit that cost most.

Owns these measures. Pure.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from game.analysis.placement import expected_place
from game.analysis.severity import DIGITS, SEVERITIES, is_at_least
from game.engine.events import GameEnded
from game.engine.evolve import evolve
from game.engine.state import Table
from game.reviews.figures import Decision, PhaseAccuracy, Verdict
from game.reviews.moments import HandEvents

PHASES: Final = ("efficiency", "calls", "riichi", "defence", "last")
HABITS: Final = ("calls", "passes", "riichi", "silent", "win", "folds", "danger", "speed", "value")
"""calls, passes: too many or too few calls. riichi, silent: riichi where the bot stays silent, or
the reverse. win: a win that was not taken. folds: safety at the price of the hand. danger: more
danger than the bot accepts. speed, value: a slower or a cheaper hand."""
_SCALE: Final = 0.002
"""Loss in places at which a decision counts for 1/e."""
_NORMAL_95: Final = 1.96
_MIN_HABIT: Final = 2
"""Decisions that make a habit."""


def accuracy_in(decisions: Iterable[Decision]) -> list[PhaseAccuracy]:
    """Return the accuracy in all and in each phase: the mean of exp(-loss / scale), weighted by
    what was at stake. It does not depend on the number of decisions, and decisions without a choice
    weigh nothing."""
    goods: defaultdict[str, float] = defaultdict(float)
    stakes: defaultdict[str, float] = defaultdict(float)
    numbers: defaultdict[str, int] = defaultdict(int)
    for decision in decisions:
        if decision.stake <= 0:
            continue
        for phase in ("all", decision.phase):
            goods[phase] += decision.stake * math.exp(-decision.place_loss / _SCALE)
            stakes[phase] += decision.stake
            numbers[phase] += 1
    return [
        PhaseAccuracy(phase, round(100 * goods[phase] / stakes[phase], 1), numbers[phase])
        for phase in ("all", *PHASES)
        if numbers[phase]
    ]


def verdict_of(decisions: Sequence[Decision], places: Sequence[float]) -> Verdict:
    """Return the verdict on a seat from its decisions, and from its expected place before each hand
    and at the end."""
    lost = sum(decision.place_loss - decision.usual_loss for decision in decisions)
    error = math.sqrt(sum(_difference(decision) ** 2 / 2 for decision in decisions))
    habit, times, loss = _habit(decisions)
    return Verdict(
        accuracy=accuracy_in(decisions),
        severities={
            name: sum(decision.severity == name for decision in decisions) for name in SEVERITIES
        },
        luck=round(places[0] - places[-1] + lost, 2),
        luck_error=round(_NORMAL_95 * error, 2),
        habit=habit,
        habit_times=times,
        habit_loss=round(loss, DIGITS),
    )


def _difference(decision: Decision) -> float:
    """Return by how much two measures of the loss differ, in places: the one that counts, and the
    bot's rating in points. Half of the mean square is the variance of either."""
    if decision.loss <= 0 or decision.place_loss <= 0:
        return 0.0
    best, made = decision.choices[decision.bot.place], decision.choices[decision.chosen]
    return decision.place_loss * ((best.score - made.score) / decision.loss - 1)


def _habit(decisions: Iterable[Decision]) -> tuple[str, int, float]:
    """Return the habit that cost most, how often, and how much in places."""
    times: defaultdict[str, int] = defaultdict(int)
    losses: defaultdict[str, float] = defaultdict(float)
    for decision in decisions:
        name = habit_in(decision)
        if name and is_at_least(decision.severity, "inaccuracy"):
            times[name] += 1
            losses[name] += decision.place_loss
    found = [name for name in HABITS if times[name] >= _MIN_HABIT]
    if not found:
        return "", 0, 0.0
    dearest = max(found, key=losses.__getitem__)
    return dearest, times[dearest], losses[dearest]


def habit_in(decision: Decision) -> str:
    """Return the kind of deviation from the bot's choice, of `HABITS`; '' if it is another."""
    best, made = decision.choices[decision.bot.place], decision.choices[decision.chosen]
    gained, given_up = decision.gained, decision.given_up
    if best.action == "win" != made.action:
        return "win"
    if decision.claimed and best.action != made.action and "pass" in (best.action, made.action):
        return "passes" if made.action == "pass" else "calls"
    if decision.bot.riichi != decision.riichi:
        return "riichi" if decision.riichi else "silent"
    if "safe" in gained or "cheap" in gained:
        return "folds"
    if "safe" in given_up or "cheap" in given_up:
        return "danger"
    if "near" in given_up or "wide" in given_up:
        return "speed"
    return "value" if "value" in given_up else ""


def expected_places(hands: Sequence[HandEvents]) -> list[list[float]]:
    """Return the expected place of each seat before each hand, and as the last row the places of
    the final ranking; of a game that was broken off, the expected places then."""
    rows: list[list[float]] = []
    table = Table()
    for hand in hands:
        table = evolve(evolve(Table(), hand.start), hand.events[0])
        rows.append(_row(table))
    ended = [event for event in hands[-1].events if isinstance(event, GameEnded)][-1]
    if ended.broken_off or not ended.placement:
        return [*rows, rows[-1]]
    return [*rows, [float(place) for place, _ in ended.placement]]


def _row(table: Table) -> list[float]:
    return [
        round(expected_place(table.rules, table.scores, table.kyoku, table.honba, seat), 3)
        for seat in table.seats
    ]
