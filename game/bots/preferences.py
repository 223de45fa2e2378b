"""The discard and the call that a strong player would most likely make.

Owns how the networks' ratings become a choice. `game.bots.features` and
`game.bots.call_features` say what the networks look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from game.analysis.danger import Threat
from game.analysis.visible_tiles import VisibleTiles
from game.bots.call_features import call_features, passing_features
from game.bots.calling import call_option
from game.bots.features import discard_features
from game.engine.actions import Action, CallChi, CallPon

_MIN_CALL_RATING: Final = -0.7
"""Rating above which a bot calls. With this bound it calls as often as the players; with a bound of
0, the rating of passing, it would make seven tenths of their calls. Against a serious threat the
bound is 0."""


def ratings_of_discards(
    visible: VisibleTiles, candidates: Iterable[int], against: tuple[Threat, ...]
) -> dict[int, float]:
    """Return the network's rating of each discard, by tile in ascending order. The probability that
    a strong player makes it is proportional to the exponential of its rating."""
    tiles = sorted(set(candidates))
    if len(tiles) == 1:
        return {tiles[0]: 0.0}
    features = discard_features(visible, visible.tiles, visible.hand.melds, tiles, against)
    return dict(zip(tiles, rate_options("discards", visible, features, tiles), strict=True))


def preferred_discard(ratings: Mapping[int, float]) -> int:
    """Return the discard that a strong player would most likely make, of `ratings_of_discards`."""
    return max(ratings, key=ratings.__getitem__)


def ratings_of_calls(
    visible: VisibleTiles, actions: Iterable[Action], against: tuple[Threat, ...]
) -> dict[Action, float]:
    """Return the network's rating of each chi and pon that leads to a yaku; passing is rated 0."""
    calls, features = features_of_calls(visible, actions, against)
    if not calls:
        return {}
    claimed = [visible.table.claimed] * len(calls)
    return dict(zip(calls, rate_options("calls", visible, features, claimed), strict=True))


def preferred_call(ratings: Mapping[Action, float], against: tuple[Threat, ...]) -> Action | None:
    """Return the chi or pon that a strong player would most likely make, of `ratings_of_calls`;
    None for a pass."""
    if not ratings:
        return None
    best = max(ratings, key=ratings.__getitem__)
    is_threatened = any(threat.is_serious for threat in against)
    least = 0.0 if is_threatened else _MIN_CALL_RATING
    return best if ratings[best] > least else None


def load_networks() -> None:
    """Import NumPy and read the networks now. Otherwise the first decision does, which then takes a
    third of a second longer."""
    from game.bots.network import network
    from game.bots.table_network import table_weights

    table_weights()
    for players, name in ((4, "calls"), (3, "discards"), (3, "calls")):
        network(name, players)


def rate_options(
    name: str, visible: VisibleTiles, features: list[list[float]], tiles: Sequence[int]
) -> list[float]:
    """Return the rating of each option by its features and its tile. Discards at tables of four
    have the network that sees the whole table; for calls it is no better than the small one."""
    # Not at the top, since the modules import NumPy. Web servers import the bots for their names
    # and never ask them: without NumPy they start in five sixths of the time, with 17 MB less.
    if visible.players == 4 and name == "discards":
        from game.bots.table_network import Question, rate_questions

        return rate_questions(name, [Question(visible, features, tiles)])[0]
    from game.bots.network import network

    return network(name, visible.players).rate(features)


def features_of_calls(
    visible: VisibleTiles, actions: Iterable[Action], against: tuple[Threat, ...]
) -> tuple[list[CallChi | CallPon], list[list[float]]]:
    """Return the calls that lead to a yaku, with their features."""
    calls: list[CallChi | CallPon] = []
    features: list[list[float]] = []
    shared: list[float] = []
    for action in actions:
        if not isinstance(action, CallChi | CallPon):
            continue
        option = call_option(visible, action, against)
        if option is None or option.discard.estimate.goal is None:
            continue
        shared = shared or passing_features(visible, against)
        calls.append(action)
        features.append([*shared, *call_features(visible, *option)])
    return calls, features
