"""Games under random rule sets that the form accepts never raise an exception, and the laws hold.

``RULE_SETS=5000 pytest tests/engine/test_random_rules.py`` plays more rule sets than the default
run. ``RULE_SET=N`` plays rule set number N of a failure again.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Final

import pytest

from game.engine.commands import Act, DealHand, EndGame
from game.engine.decide import Accepted, decide
from game.engine.events import Event, GameEnded, HandDrawn, HandStarted, Won
from game.engine.evolve import evolve
from game.engine.legal import choices, pending_seats
from game.engine.perspective import SPECTATOR, redact, view
from game.engine.rules import RuleSet
from game.engine.state import SEATS_OF, Phase, Table
from game.engine.wall import LAYOUTS, is_complete_wall
from tests.kit.random_games import idle, keen_on_kans, keen_on_sets, play_random_game
from tests.kit.random_rules import random_rules, random_start, staged_wall

SETS: Final = int(os.environ.get("RULE_SETS", "400"))
ONLY: Final = os.environ.get("RULE_SET", "")
_SHARES: Final = 4
_HANDS: Final = 2
"""The number of hands of a rule set. The first one may be in any round, so that some games end."""


def numbers(share: int) -> range:
    """Return the numbers of the rule sets in this share of the test."""
    if ONLY:
        return range(int(ONLY), int(ONLY) + (share == 0))
    return range(share, SETS, _SHARES)


def changed_switches(rules: RuleSet) -> dict[str, object]:
    """Return the switches whose values are not the defaults."""
    default = RuleSet()
    fields = RuleSet.__struct_fields__
    return {
        name: getattr(rules, name)
        for name in fields
        if getattr(rules, name) != getattr(default, name)
    }


@pytest.mark.parametrize("share", range(_SHARES))
@pytest.mark.timeout(3_600)
def test_accepted_rules_never_raise_or_lose_points(share: int) -> None:
    for number in numbers(share):
        chance = Random(number)
        rules = random_rules(chance, 3 if number % 2 else 4)
        try:
            play(chance, rules, Counter())
        except Exception as error:
            raise AssertionError(f"rule set {number}: {changed_switches(rules)}") from error


def test_random_games_have_many_kans_and_wins() -> None:
    """The test above covers only what occurs in its games."""
    seen: Counter[str] = Counter()
    for number in range(150):
        chance = Random(number)
        play(chance, random_rules(chance), seen)
    assert seen["most kans"] == len(LAYOUTS[4].replacements), seen
    assert seen["Won"] > 50, seen
    assert seen["AnkanDeclared"] + seen["DaiminkanCalled"] + seen["KakanDeclared"] > 300, seen
    assert min(seen["yakuman"], seen["chombo"]) > 3, seen


def test_random_games_of_three_set_many_norths_aside() -> None:
    seen: Counter[str] = Counter()
    for number in range(150):
        chance = Random(number)
        play(chance, random_rules(chance, 3), seen)
    assert seen["most kans"] > 5, seen
    assert min(seen["Won"], seen["NorthSetAside"]) > 50, seen


def play(chance: Random, rules: RuleSet, seen: Counter[str]) -> None:
    """Play some hands, and check the laws for every table, view and event."""
    alike = chance.choice((None, None, None, *[keen_on_kans] * 2, *[keen_on_sets] * 2, idle))
    tempers = [alike] * 4 if alike else []
    viewer = chance.choice((*SEATS_OF[rules.players], SPECTATOR))
    game = play_random_game(
        chance, rules, _HANDS, wall=staged_wall, start=random_start, tempers=tempers
    )
    table = Table()
    total = 0
    for table, command, events in game:
        if isinstance(command, DealHand) and command.wall:
            assert is_complete_wall(rules, command.wall)
        for event in events:
            table = _evolve_and_check(table, event, viewer)
            note(seen, event, table)
            if isinstance(event, HandStarted):
                total = sum(event.scores) + 1_000 * event.kyotaku
            if isinstance(event, GameEnded):
                assert_is_ranked(table, total)
            elif table.hands_dealt:
                assert sum(table.scores) + 1_000 * table.kyotaku == total, event
        if chance.random() < 0.03:
            assert_is_answerable(table)
    if table.phase != Phase.ENDED:
        verdict = decide(table, EndGame())
        assert isinstance(verdict, Accepted)
        for event in verdict.events:
            table = _evolve_and_check(table, event, viewer)
        assert_is_ranked(table, total)


def _evolve_and_check(table: Table, event: Event, viewer: int) -> Table:
    """Return the table after the event; check that what the viewer is sent leads to the viewer's
    new view."""
    after = evolve(table, event)
    shown = redact(event, viewer)
    seen = view(table, viewer)
    assert (seen if shown is None else evolve(seen, shown)) == view(after, viewer), event
    return after


def assert_is_answerable(table: Table) -> None:
    """Check that the table accepts every action that it offers to a seat."""
    for seat in pending_seats(table):
        options = choices(table, seat)
        assert options, f"seat {seat} is asked and has no legal action"
        for action in options:
            verdict = decide(table, Act(seat, table.step, action))
            assert isinstance(verdict, Accepted), f"{action}: {verdict}"
            for event in verdict.events:
                table_after = evolve(table, event)
            assert table_after != table


def assert_is_ranked(table: Table, total: int) -> None:
    """Check that places follow from the scores before leftover sticks are given away, and that
    points sum to zero, except for void sticks, lost decimals, fouls and a missing oka."""
    rules = table.rules
    void = rules.leftover_sticks == "void"
    lost = total - sum(table.scores)
    if rules.leftover_sticks == "split_rounded_down":
        assert 0 <= lost < rules.players
    else:
        assert lost % 1_000 == 0
        assert void or lost == 0
    places = [place for place, _ in table.placement]
    assert sorted(places)[0] == 1
    assert rules.ties == "share" or sorted(places) == list(range(1, rules.players + 1))
    points = sum(round(1_000 * points) for _, points in table.placement)
    if rules.chombo == "after_game":
        points += rules.chombo_points * sum(table.chombos)
    expected = rules.oka - rules.players * (rules.return_points - rules.start_points)
    if rules.rounding == "none":
        expected += total - rules.players * rules.start_points - lost
    assert points == expected


def note(seen: Counter[str], event: Event, table: Table) -> None:
    """Count the event by its type, and what the tests ask for."""
    seen[type(event).__name__] += 1
    if isinstance(event, HandDrawn):
        seen[event.reason] += 1
    if isinstance(event, Won):
        seen["yakuman"] += event.yakuman > 0
        seen["liable"] += event.liable >= 0
    seen["most kans"] = max(seen["most kans"], table.supplements)
