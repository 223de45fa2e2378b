"""Chooses the decisions of a game that may become puzzles, and makes a puzzle of one.

A decision is thrown out for the first of the reasons in `REASONS` that holds. The network of the
strongest bot says what strong players do; the points model has to agree, or its figures have to
show what speaks for the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from game.analysis.danger import Threat
from game.analysis.deal_in_rates import riichi_seats
from game.analysis.visible_tiles import VisibleTiles
from game.bots import bot_named
from game.bots.planning import seen_by, threats_to
from game.bots.preferences import ratings_of_calls, ratings_of_discards
from game.engine.actions import Action, Discard, Pass
from game.engine.legal import legal
from game.engine.perspective import view
from game.engine.progress import last_regular_kyoku
from game.engine.state import Phase, Riichi, Table
from game.engine.tiles import kind_of
from game.puzzles.playouts import Comparison, NoHand, compare
from game.puzzles.puzzle import LEVELS, Puzzle
from game.reviews.choices import choices_of, place_of, rated_discards
from game.reviews.figures import Choice
from game.reviews.moments import HandEvents, moments_of

LEAST_CHANCE: Final = 0.7
"""How likely a strong player has to take the answer."""
_LEAST_GAP: Final = 250
"""By how many points the model rates the answer above the rival, so that playouts can tell them
apart."""
_WEAKER: Final = ("novice", "hasty", "careful")
"""The bots that try the puzzle. It is of interest if one of them errs."""
_SAFER: Final = 0.02
"""By how much less likely an answer has to deal in to be explained by its safety."""
REASONS: Final = {
    "unsure": "no answer of at least 70 %",
    "alike": "the two best answers are a red five and a plain one",
    "unexplained": "the points model prefers another answer, and no figure speaks for this one",
    "close": "the points model rates the two answers about equal",
    "obvious": "all weaker bots find the answer",
    "no_hand": "no hand could be drawn for a seat in riichi",
    "first_seed": "the playouts do not tell the two answers apart",
    "second_seed": "the second seed does not confirm the first",
}
"""Why a decision is thrown out, in the order of the checks."""
_DEALS_LEFT: Final = 1
"""The last hand is left out: there places count, and playouts count points."""


class ThrownOut(Exception):
    """The decision becomes no puzzle; `reason` is a key of `REASONS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Position(NamedTuple):
    """A decision of a seat in a played game."""

    seen: Table
    """The view of the seat."""
    seat: int
    source: str


def positions_of(hand: HandEvents, source: str) -> Iterator[Position]:
    """Yield the decisions of a hand that have two answers, without those of the last hand."""
    for moment in moments_of(hand):
        table, seat = moment.table, moment.seat
        if table.kyoku + _DEALS_LEFT > last_regular_kyoku(table.rules) or table.robbing:
            continue
        if table.hands[seat].riichi == Riichi.NONE:
            yield Position(view(table, seat), seat, f"{source}:{moment.at}")


def make_puzzle(position: Position, seed: int) -> Puzzle:
    """Return the decision as a puzzle. Raises ThrownOut."""
    seen, seat, source = position
    visible = seen_by(seen, seat)
    against = threats_to(visible)
    chances = chances_of(visible, legal(seen, seat), against)
    ranked = sorted(chances, key=lambda action: -chances[action])
    if len(ranked) < 2 or chances[ranked[0]] < LEAST_CHANCE:
        raise ThrownOut("unsure")
    answer, rival = ranked[0], ranked[1]
    if _are_alike(answer, rival):
        raise ThrownOut("alike")
    choices = [
        replace(choice, dangers=[], riichi=None)
        for choice in choices_of(
            visible,
            list(chances),
            against,
            rated_discards(visible, list(chances), against),
        )
    ]
    best, second = place_of(choices, answer), place_of(choices, rival)
    assert best is not None
    assert second is not None
    _check_figures(choices, best, second)
    level = _level(seen, seat, answer, list(chances))
    gains, errors = _playout_gains(seen, seat, (answer, rival), seed)
    by_place = {place_of(choices, action): chance for action, chance in chances.items()}
    return Puzzle(
        position=seen,
        seat=seat,
        theme=_theme(seen, seat, choices, best),
        level=level,
        choices=choices,
        chances=[round(100 * by_place[place]) for place in range(len(choices))],
        best=best,
        rival=second,
        gains=gains,
        errors=errors,
        source=source,
    )


def chances_of(
    visible: VisibleTiles, actions: tuple[Action, ...], against: tuple[Threat, ...]
) -> dict[Action, float]:
    """Return how likely a strong player takes each answer, from 0 to 1.

    On the own turn these are the discards, one of each tile; on an open tile passing and the calls
    that lead to a yaku. Empty if something else could be chosen, such as a win, riichi or a kan."""
    if visible.table.phase == Phase.TURN:
        discards = {action.pai: action for action in actions if isinstance(action, Discard)}
        if len(discards) < 2 or any(not isinstance(action, Discard) for action in actions):
            return {}
        ratings = ratings_of_discards(visible, discards, against)
        return dict(zip([discards[tile] for tile in ratings], _softmax(ratings), strict=True))
    calls = ratings_of_calls(visible, actions, against)
    if not calls or len(calls) + 1 != len(actions):
        return {}
    rated: dict[Action, float] = {Pass(): 0.0, **calls}
    return dict(zip(rated, _softmax(rated), strict=True))


def _are_alike(one: Action, other: Action) -> bool:
    """Whether both are discards of one kind of tile, of which one is red."""
    if not isinstance(one, Discard) or not isinstance(other, Discard):
        return False
    return kind_of(one.pai) == kind_of(other.pai)


def _softmax(ratings: Mapping[Any, float]) -> list[float]:
    best = max(ratings.values())
    weights = [exp(rating - best) for rating in ratings.values()]
    return [weight / sum(weights) for weight in weights]


def _check_figures(choices: list[Choice], best: int, rival: int) -> None:
    """Raise ThrownOut unless the points model agrees by enough, or the answer is safer than what
    the model prefers."""
    top = max(choices, key=lambda choice: choice.score)
    answer = choices[best]
    if top.score > answer.score:
        saved = (top.danger or 0.0) - (answer.danger or 0.0)
        if saved < _SAFER or answer.cost >= top.cost:
            raise ThrownOut("unexplained")
    elif answer.score - choices[rival].score < _LEAST_GAP:
        raise ThrownOut("close")


def _level(seen: Table, seat: int, answer: Action, actions: list[Action]) -> str:
    """Return the level by the number of weaker bots that err. Raises ThrownOut if none does."""
    wrong = 0
    for name in _WEAKER:
        chosen = bot_named(name).choose(seen, seat, tuple(actions), Random(0))
        if isinstance(chosen, Discard) and isinstance(answer, Discard):
            wrong += chosen.pai != answer.pai
        else:
            wrong += chosen != answer
    if not wrong:
        raise ThrownOut("obvious")
    return LEVELS[wrong - 1]


def _playout_gains(
    seen: Table, seat: int, answers: tuple[Action, Action], seed: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the gains and standard errors with two seeds. Raises ThrownOut."""
    found: list[Comparison] = []
    for number, reason in enumerate(("first_seed", "second_seed")):
        try:
            compared = compare(seen, seat, answers, 2 * seed + number)
        except NoHand:
            raise ThrownOut("no_hand") from None
        if not compared.is_clear:
            raise ThrownOut(reason)
        found.append(compared)
    first, second = found
    return (round(first.gain), round(second.gain)), (round(first.error), round(second.error))


def _theme(seen: Table, seat: int, choices: list[Choice], best: int) -> str:
    if seen.phase == Phase.CLAIMS:
        return "call"
    if not riichi_seats(seen, seat):
        return "efficiency"
    safest = min(choice.danger or 0.0 for choice in choices)
    return "fold" if (choices[best].danger or 0.0) <= safest + 0.01 else "push"
