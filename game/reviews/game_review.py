"""Computes the review of a game: the decisions of each seat with their figures.

Owns the measures of loss and accuracy, and what the strongest bot does and why. Pure. Works on what
the seat could see at that moment, never on hidden tiles.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from game.analysis.danger import Threat
from game.analysis.deal_in_rates import riichi_seats
from game.analysis.severity import DIGITS, severity_of
from game.analysis.visible_tiles import VisibleTiles
from game.bots.planning import choose_from_visible, rate_options, seen_by, threats_to
from game.engine.actions import Action, DeclareRiichi
from game.engine.events import Event
from game.engine.legal import legal
from game.engine.perspective import view
from game.engine.progress import last_regular_kyoku
from game.engine.state import Phase, Riichi, Table
from game.engine.tiles import tile_to_text
from game.reviews.choices import (
    choices_of,
    name_of,
    place_of,
    rated_discards,
    with_curves_of,
)
from game.reviews.dangers import is_open_without_riichi, is_under_threat
from game.reviews.figures import (
    COSTLIEST_LISTED,
    VERSION,
    Accuracy,
    BotChoice,
    Choice,
    Decision,
    GameReview,
)
from game.reviews.losses import (
    expected_loss,
    is_unlike_fitted,
    loss_in_points,
    scale_of,
    stake_of,
    standing_of,
)
from game.reviews.moments import HandEvents, Moment, moments_of, split_hands
from game.reviews.reasons import reasons_of
from game.reviews.verdicts import expected_places, verdict_of

_FOLDING_SHANTEN: Final = 2
"""From this shanten on, a discard against a riichi counts for the accuracy of defence."""
_SAFE_MARGIN: Final = 0.01
"""A discard is as safe as the safest if its deal-in rate is higher by at most this."""


def review_game(events: Iterable[Event], *, with_curves: bool = True) -> GameReview:
    """Return the review of a finished game. Raises NotFinished."""
    hands = split_hands(events)
    reviewed = (review_hand(hand, with_curves=with_curves) for hand in hands)
    return join_hands(reviewed, hands)


def join_hands(reviewed: Iterable[Iterable[Decision]], hands: Sequence[HandEvents]) -> GameReview:
    """Return the review of a game from the decisions of its hands, in their order."""
    rules = hands[0].start.rules
    places = expected_places(hands)
    decisions = [decision for hand in reviewed for decision in hand]
    seats = range(rules.players)
    own = [[decision for decision in decisions if decision.seat == seat] for seat in seats]
    return GameReview(
        VERSION,
        decisions,
        [_costliest(decisions, seat) for seat in seats],
        [accuracy_of(made) for made in own],
        [verdict_of(own[seat], [row[seat] for row in places]) for seat in seats],
        places,
        scale_of(rules.players),
        unlike_fitted=is_unlike_fitted(rules),
    )


def _costliest(decisions: Sequence[Decision], seat: int) -> list[int]:
    found = [
        place
        for place, decision in enumerate(decisions)
        if decision.seat == seat and decision.loss > 0
    ]
    return sorted(found, key=lambda place: _worst_first(decisions, place))[:COSTLIEST_LISTED]


def _worst_first(decisions: Sequence[Decision], place: int) -> tuple[float, int, int]:
    decision = decisions[place]
    return -decision.place_loss, -decision.loss, place


def accuracy_of(decisions: Iterable[Decision]) -> Accuracy:
    """Return the accuracy of these decisions together."""
    counts = [0, 0, 0, 0]
    for decision in decisions:
        if decision.efficient is not None:
            counts[0] += decision.efficient
            counts[1] += 1
        if decision.safe is not None:
            counts[2] += decision.safe
            counts[3] += 1
    return Accuracy(*counts)


def review_hand(hand: HandEvents, *, with_curves: bool = True) -> list[Decision]:
    """Return the decisions of one hand."""
    found = (_decision(hand.number, moment, with_curves) for moment in moments_of(hand))
    return [decision for decision in found if decision is not None]


def _decision(hand: int, moment: Moment, with_curves: bool) -> Decision | None:
    """Return the decision with its figures. None if there was nothing to decide, or if the seat did
    something illegal."""
    seat = moment.seat
    own = view(moment.table, seat)
    actions = legal(own, seat)
    if not _is_choice(own, seat, actions):
        return None
    weighed = weigh(own, seat, actions, with_curves=False)
    choices, against = weighed.choices, weighed.against
    chosen = place_of(choices, moment.action)
    if chosen is None:
        return None
    is_riichi = isinstance(moment.action, DeclareRiichi)
    bot = _bot_choice(weighed.bot, choices, chosen, is_riichi=is_riichi)
    if with_curves:
        choices = with_curves_of(weighed.visible, choices, {bot.place, chosen})
    discards = [choice for choice in choices if choice.action == "discard"]
    best, made = choices[bot.place], choices[chosen]
    riichi = list(riichi_seats(own, seat))
    loss = loss_in_points(
        choices,
        weighed.standing,
        (bot.place, bot.riichi),
        (chosen, is_riichi),
        own.rules.players,
    )
    place_loss = round(loss * weighed.place_per_point, DIGITS)
    usual = expected_loss(choices, weighed.standing, (bot.place, bot.riichi), own.rules.players)
    reasons = reasons_of(best, made, best_riichi=bot.riichi, made_riichi=is_riichi)
    return Decision(
        at=moment.at,
        hand=hand,
        dealer=own.dealer,
        seat=seat,
        turn=len(own.hands[seat].river) + 1,
        chosen=chosen,
        choices=choices,
        bot=bot,
        loss=loss,
        place_loss=place_loss,
        worth=round(1_000 * weighed.place_per_point, DIGITS),
        usual_loss=round(usual * weighed.place_per_point, DIGITS),
        stake=round(stake_of(choices, made) * weighed.place_per_point, DIGITS),
        phase=_phase(own, seat, choices),
        severity=severity_of(place_loss),
        standing=weighed.standing,
        gained=reasons.gained if loss else [],
        given_up=reasons.given_up if loss else [],
        riichi=is_riichi,
        claimed="" if own.phase == Phase.TURN else tile_to_text(own.claimed),
        riichi_against=riichi,
        open_against=[
            opponent.seat for opponent in against if is_open_without_riichi(own, opponent.seat)
        ],
        efficient=_is_efficient(own, seat, made),
        safe=_is_safe(discards, made) if riichi else None,
    )


def _phase(own: Table, seat: int, choices: Iterable[Choice]) -> str:
    """Return the phase of a decision: the first of these that applies."""
    if own.kyoku >= last_regular_kyoku(own.rules):
        return "last"
    if own.phase == Phase.CLAIMS:
        return "calls"
    if any(choice.riichi is not None for choice in choices):
        return "riichi"
    return "defence" if is_under_threat(own, seat) else "efficiency"


class Weighed(NamedTuple):
    """The possible choices of a seat, and what the strongest bot would do."""

    choices: list[Choice]
    bot: Action
    against: tuple[Threat, ...]
    """The seats that the bot defends against."""
    visible: VisibleTiles
    standing: bytes
    """As in `Decision.standing`."""

    @property
    def place_per_point(self) -> float:
        """What a point is worth, in places."""
        stakes = self.visible.stakes
        return 0.0 if stakes is None else stakes.place_per_point


def weigh(own: Table, seat: int, actions: tuple[Action, ...], *, with_curves: bool) -> Weighed:
    """Return the figures of these actions. `own` is the view of the seat."""
    visible = seen_by(own, seat)
    against = threats_to(visible)
    rated = rated_discards(visible, actions, against)
    choices = choices_of(visible, actions, against, rated)
    if with_curves:
        choices = with_curves_of(visible, choices, range(len(choices)))
    ratings = rate_options(visible, actions, against)
    bot = choose_from_visible(visible, actions, random.Random(0), ratings=ratings)
    return Weighed(choices, bot, against, visible, standing_of(choices, ratings))


def _is_choice(own: Table, seat: int, actions: Sequence[Action]) -> bool:
    """Return whether the seat decides something. Each discard without riichi counts, and every
    other question with more than one possible action."""
    if own.phase == Phase.TURN and own.hands[seat].riichi == Riichi.NONE:
        return True
    return own.phase in (Phase.TURN, Phase.CLAIMS) and len(actions) > 1


def _is_efficient(own: Table, seat: int, made: Choice) -> bool | None:
    if made.action != "discard" or own.hands[seat].riichi != Riichi.NONE:
        return None
    return None if is_under_threat(own, seat) else "fastest" in made.labels


def _is_safe(discards: Sequence[Choice], made: Choice) -> bool | None:
    shanten = min(
        (discard.shanten for discard in discards if discard.shanten is not None), default=0
    )
    if made.action != "discard" or made.danger is None or shanten < _FOLDING_SHANTEN:
        return None
    least = min(discard.danger for discard in discards if discard.danger is not None)
    return made.danger <= least + _SAFE_MARGIN


def _bot_choice(
    action: Action,
    choices: Sequence[Choice],
    chosen: int,
    *,
    is_riichi: bool,
) -> BotChoice:
    """Return the bot's action with the reason for it."""
    place = place_of(choices, action)
    if place is None:
        raise ValueError(f"the bot chose {name_of(action) or action}, which is not offered")
    has_riichi = isinstance(action, DeclareRiichi)
    best, made = choices[place], choices[chosen]
    is_same = best.action == made.action and best.laid == made.laid
    if place == chosen and has_riichi != is_riichi:
        gain = made.riichi.gain if made.riichi else 0
        is_ahead = gain > 0 if has_riichi else gain < 0
        why = ("riichi" if has_riichi else "silent") if is_ahead else "rule"
    elif place == chosen or (is_same and has_riichi == is_riichi and best.score == made.score):
        why = "same"
    else:
        why = _why(best, made)
    return BotChoice(place, why, has_riichi)


def _why(best: Choice, made: Choice) -> str:
    """Return the term in which the bot's choice is ahead."""
    if best.action in ("win", "abort"):
        return best.action
    if made.shanten is None or best.shanten is None:
        return "players"
    saved, gained = made.cost - best.cost, best.value - made.value
    if max(saved, gained) < 1 or saved + gained <= 0:
        is_shape = best.action == made.action == "discard" and best.score > made.score
        return "shape" if is_shape else "players"
    if saved >= gained:
        return "danger"
    is_faster = (best.shanten, -best.unseen) < (made.shanten, -made.unseen)
    return "speed" if is_faster else "value"
