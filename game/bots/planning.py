"""Bots that plan a win with a yaku, and fold when another hand is too dangerous.

Owns the order of their decisions: win if possible, then calls (`calling`), then a north to set
aside (`norths`), discards (`discards`), kans and riichi (`riichi`). The strongest bot discards and
calls what strong players prefer (`preferences`). `game.analysis` rates hands, danger and places. A
`Style` says what a bot pays attention to.
"""

from __future__ import annotations

import random
from typing import Final, Literal, NamedTuple

import msgspec

from game.analysis.danger import Threat, threats
from game.analysis.hand_value import Estimate, count_dora, estimate_best_goal, has_discarded_a_wait
from game.analysis.placement import stakes_of
from game.analysis.shape import count_outs, kokushi_shanten, orphan_kinds, shanten
from game.analysis.visible_tiles import VisibleTiles, count_visible
from game.bots import tsumogiri
from game.bots.calling import best_call
from game.bots.discards import RatedDiscard, rate_discards
from game.bots.norths import is_north_better_aside
from game.bots.preferences import (
    preferred_call,
    preferred_discard,
    ratings_of_calls,
    ratings_of_discards,
)
from game.bots.riichi import is_riichi_better
from game.engine.actions import (
    Action,
    Confirm,
    DeclareAnkan,
    DeclareKakan,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    Pass,
    SetNorthAside,
    ShowTenpai,
    StopGame,
    Win,
)
from game.engine.state import Meld, MeldType, Riichi, Table
from game.engine.tiles import EAST, HAKU, NO_TILE, kind_of

_MIN_VALUE_SHARE: Final = 0.97
"""Share of the value of the hand that must remain after the kan."""


def free_kan(
    visible: VisibleTiles,
    actions: tuple[Action, ...],
    best: Estimate,
    against: tuple[Threat, ...],
) -> Action | None:
    """Return a kan after which shanten and value are about as good as after the best discard.

    Return None if another seat is a serious threat, unless the hand is tenpai: the new dora would
    help the other seat.
    """
    if any(threat.is_serious for threat in against) and best.shanten > 0:
        return None
    for action in actions:
        after = _estimate_after(visible, action)
        if after is None:
            continue
        if visible.hand.riichi == Riichi.ACCEPTED:
            return action
        if after.shanten <= best.shanten and after.value >= _MIN_VALUE_SHARE * best.value:
            return action
    return None


def _estimate_after(visible: VisibleTiles, action: Action) -> Estimate | None:
    counts = visible.counts.copy()
    match action:
        case DeclareAnkan(consumed=consumed):
            kind = kind_of(consumed[0])
            counts[kind] -= 4
            meld = Meld(MeldType.ANKAN, consumed, NO_TILE, visible.seat)
            melds = (*visible.hand.melds, meld)
        case DeclareKakan(pai=pai):
            kind = kind_of(pai)
            counts[kind] -= 1
            melds = visible.hand.melds
        case _:
            return None
    dora = count_dora(visible, visible.tiles, visible.hand.melds)
    return estimate_best_goal(visible, counts, melds, dora)


class Style(msgspec.Struct, frozen=True, gc=False):
    """What a bot pays attention to. The default is the strongest bot."""

    fears: Literal["all", "riichi"] = "all"
    """Seats that the bot defends against: all that may be tenpai, or only those in riichi."""
    follows_players: bool = True
    """Whether the bot discards and calls what strong players prefer. Otherwise it takes what is
    worth most points, and calls only triplets of dragons, with three players of other honours
    too."""
    weighs_riichi: bool = True
    """Whether the bot compares riichi with the hand without riichi; otherwise it declares riichi at
    once."""
    weighs_places: bool = True
    """Whether the bot values points by their effect on its final place; otherwise as they are."""


STRONGEST: Final = Style()


_CALLED_FROM: Final = {4: HAKU, 3: EAST}
"""The first kind that a bot calls that does not follow players, by the number of players. Closed
hands of three are overtaken too often."""
_KOKUSHI_KINDS: Final = 11
"""Number of kinds of terminals and honours from which a bot plays for kokushi."""
_FAR_SHANTEN: Final = 3
"""Shanten from which a bot aborts a hand with nine kinds of terminals and honours."""


class Ratings(NamedTuple):
    """The networks' ratings of the options of a question (`game.bots.preferences`)."""

    discards: dict[int, float]
    calls: dict[Action, float]
    """Of chi and pon; passing is rated 0."""


class PlanningBot:
    """A bot of one style."""

    def __init__(self, style: Style) -> None:
        self.style = style

    def choose(
        self, table: Table, seat: int, actions: tuple[Action, ...], rng: random.Random
    ) -> Action:
        """Return the action that the bot takes in this seat."""
        return choose(table, seat, actions, rng, self.style)


def seen_by(table: Table, seat: int, style: Style = STRONGEST) -> VisibleTiles:
    """Return the visible tiles as a bot of that style considers them. `table` is the view of
    `seat`."""
    return count_visible(table, seat, stakes_of(table, seat) if style.weighs_places else None)


def threats_to(visible: VisibleTiles, style: Style = STRONGEST) -> tuple[Threat, ...]:
    """Return the seats that a bot of that style defends against."""
    found = threats(visible)
    if style.fears == "all":
        return found
    hands = visible.table.hands
    return tuple(threat for threat in found if hands[threat.seat].riichi != Riichi.NONE)


def choose(
    table: Table,
    seat: int,
    actions: tuple[Action, ...],
    rng: random.Random,
    style: Style = STRONGEST,
) -> Action:
    """Return the action that a bot of that style takes in this seat."""
    if (plain := _plain_choice(actions)) is not None:
        return plain
    return choose_from_visible(seen_by(table, seat, style), actions, rng, style)


def _plain_choice(actions: tuple[Action, ...]) -> Action | None:
    """Return an action that needs no plan: the only action, or a win. None otherwise."""
    if len(actions) == 1:
        return actions[0]
    for action in actions:
        if isinstance(action, Win | ShowTenpai | StopGame | Confirm):
            return action
    return None


def choose_from_visible(
    visible: VisibleTiles,
    actions: tuple[Action, ...],
    rng: random.Random,
    style: Style = STRONGEST,
    ratings: Ratings | None = None,
) -> Action:
    """Return the action that a bot of that style takes. `visible` comes from `seen_by`, and
    `ratings` from `rate_options`; without them they are computed if they are needed."""
    if (plain := _plain_choice(actions)) is not None:
        return plain
    passing = next((action for action in actions if isinstance(action, Pass)), None)
    if passing is not None:
        return _chosen_call(visible, actions, style, ratings) or passing
    return _own_turn(visible, actions, rng, style, ratings)


def rate_options(
    visible: VisibleTiles, actions: tuple[Action, ...], against: tuple[Threat, ...]
) -> Ratings:
    """Return how strong players would rate these actions."""
    tiles = [action.pai for action in actions if isinstance(action, Discard)]
    return Ratings(
        ratings_of_discards(visible, tiles, against) if tiles else {},
        ratings_of_calls(visible, actions, against),
    )


def _chosen_call(
    visible: VisibleTiles, actions: tuple[Action, ...], style: Style, ratings: Ratings | None
) -> Action | None:
    if style.follows_players:
        against = threats_to(visible, style)
        found = ratings or rate_options(visible, actions, against)
        return preferred_call(found.calls, against)
    if kind_of(visible.table.claimed) < _CALLED_FROM[visible.players]:
        return None
    return best_call(visible, actions, threats_to(visible, style))


def _own_turn(
    visible: VisibleTiles,
    actions: tuple[Action, ...],
    rng: random.Random,
    style: Style,
    ratings: Ratings | None,
) -> Action:
    for action in actions:
        if isinstance(action, DeclareKyushu) and _is_hopeless(visible):
            return action
    tiles = [action.pai for action in actions if isinstance(action, Discard)]
    if not tiles:
        return tsumogiri.choose(visible.table, visible.seat, actions, rng)
    against = threats_to(visible, style)
    if SetNorthAside() in actions:
        is_threatened = any(threat.is_serious for threat in against)
        if is_north_better_aside(visible, is_threatened=is_threatened):
            return SetNorthAside()
    if style.follows_players:
        discards = (
            ratings_of_discards(visible, tiles, against) if ratings is None else ratings.discards
        )
        tiles = [preferred_discard(discards)]
    rated = rate_discards(visible, visible.tiles, visible.hand.melds, tiles, against)
    best = _choose_among_best(rated, rng)
    kan = free_kan(visible, actions, best.estimate, against)
    if kan is not None:
        return kan
    riichi = _riichi_with(actions, best.tile)
    if riichi is not None and _wants_riichi(visible, best, against, style):
        return riichi
    return _discard_of(actions, best.tile)


def _is_hopeless(visible: VisibleTiles) -> bool:
    """Return whether a hand with nine kinds of terminals and honours should be aborted: it is too
    far from an ordinary win and from kokushi."""
    counts = visible.counts
    hand_shanten = shanten(counts, visible.players)
    if orphan_kinds(counts) >= _KOKUSHI_KINDS:
        return False
    return hand_shanten >= _FAR_SHANTEN or hand_shanten == kokushi_shanten(counts)


def _choose_among_best(rated: list[RatedDiscard], rng: random.Random) -> RatedDiscard:
    """Return one of the discards with the best score, at random."""
    return rng.choice([option for option in rated if option.score == rated[0].score])


def _riichi_with(actions: tuple[Action, ...], tile: int) -> Action | None:
    """Return riichi with this discard, if it is legal."""
    riichi = [
        action for action in actions if isinstance(action, DeclareRiichi) and action.pai == tile
    ]
    return riichi[-1] if riichi else None


def _wants_riichi(
    visible: VisibleTiles, best: RatedDiscard, against: tuple[Threat, ...], style: Style
) -> bool:
    goal = best.estimate.goal
    if goal is None or goal.shanten > 0:
        return False
    if style.weighs_riichi:
        return is_riichi_better(visible, best, against)
    waits = best.estimate.useful
    return count_outs(waits, visible.unseen) > 0 and not has_discarded_a_wait(visible, waits)


def _discard_of(actions: tuple[Action, ...], tile: int) -> Action:
    """Return the discard of this tile. Prefer tsumogiri, which reveals least about the hand."""
    same = [action for action in actions if isinstance(action, Discard) and action.pai == tile]
    return max(same, key=lambda action: action.tsumogiri)
