"""The chances by draw of every discard at one decision, which a stored review leaves out. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from game.engine.events import Event
from game.engine.legal import legal
from game.engine.perspective import view
from game.reviews.figures import ChanceCurves
from game.reviews.game_review import weigh
from game.reviews.moments import moments_of, split_hands


class AllCurves(msgspec.Struct, frozen=True):
    """The curves of the choices of a decision, in their order."""

    curves: list[ChanceCurves | None]
    worth_most: list[int]
    """The choices that are worth most alone, as places."""


def curves_at(events: Iterable[Event], at: int, seat: int) -> AllCurves | None:
    """Return the curves at the decision of the seat at this position of a finished game; None if
    there is none."""
    hands = [hand for hand in split_hands(events) if hand.at <= at + 1]
    found = (moment for hand in hands[-1:] for moment in moments_of(hand))
    for moment in found:
        if (moment.at, moment.seat) == (at, seat):
            own = view(moment.table, seat)
            choices = weigh(own, seat, legal(own, seat), with_curves=True).choices
            return AllCurves(
                [choice.curves for choice in choices],
                [at for at, choice in enumerate(choices) if "worth_most" in choice.labels],
            )
    return None
