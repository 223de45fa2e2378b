"""By how much one choice is worth less than another, in points and in places.

Strong players' choices are the measure where the networks know the options: discards, chi, pon and
passing. Elsewhere, and for riichi, it is the bot's rating in points. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from game.analysis.severity import LEAST_LOSSES
from game.bots.planning import Ratings
from game.engine.actions import Pass
from game.engine.presets import preset
from game.engine.rules import RuleSet
from game.engine.tiles import tile_to_text
from game.reviews.choices import place_of
from game.reviews.figures import Choice, Scale

NOT_RATED: Final = 255
_STEPS: Final = 25
"""Steps of `Decision.standing` in a unit of the network's rating."""
_POINTS_PER_RATING: Final = {4: 136, 3: 136}
"""The points that a unit of the rating is worth, by the number of players: the slope of the bot's
points over the network's ratings, in the discards of strong players in games of four that the fit
had not seen."""
_FITTED_RULES: Final = {4: "tenhou", 3: "tenhou-3"}
"""The presets of the games to which the networks were fitted, by the number of players."""
_TELLING: Final = (
    *("start_points", "return_points", "oka", "uma", "floating_uma", "length", "renchan"),
    *("red_fives", "kuitan", "ippatsu", "ura_dora", "kan_dora", "minimum_han", "multi_ron"),
    *("kuikae_same_tile", "kuikae_other_end", "tobi", "noten_payments", "tsumo_with_three"),
)
_MIN_RATED: Final = 2
_SHARE_OF_SILENCE: Final = 0.2
"""The part of riichi's gain that a turn without it costs: it may still be declared later, and a
hand goes on for five turns in the mean."""


def scale_of(players: int) -> Scale:
    """Return the constants of losses in games of so many players."""
    return Scale(_POINTS_PER_RATING[players] / _STEPS, _SHARE_OF_SILENCE, LEAST_LOSSES)


def is_unlike_fitted(rules: RuleSet) -> bool:
    """Return whether rules that change what is best differ from those of the games to which the
    networks were fitted."""
    fitted = preset(_FITTED_RULES[rules.players])
    return any(getattr(rules, name) != getattr(fitted, name) for name in _TELLING)


def standing_of(choices: Sequence[Choice], ratings: Ratings) -> bytes:
    """Return `Decision.standing` of the choices."""
    found: dict[int, float] = {}
    calls = {**ratings.calls, Pass(): 0.0} if ratings.calls else {}
    for action, rating in calls.items():
        if (place := place_of(choices, action)) is not None:
            found[place] = rating
    discards = {tile_to_text(tile): rating for tile, rating in ratings.discards.items()}
    for place, choice in enumerate(choices):
        if choice.action == "discard":
            found[place] = discards[choice.tile]
    if len(found) < _MIN_RATED:
        return b""
    best = max(found.values())
    return bytes(
        min(NOT_RATED - 1, round(_STEPS * (best - found[place]))) if place in found else NOT_RATED
        for place in range(len(choices))
    )


def shares_of(standing: bytes) -> list[float | None]:
    """Return for each choice the probability that a strong player makes it; None where it is not
    known."""
    weights = [None if step == NOT_RATED else math.exp(-step / _STEPS) for step in standing]
    total = sum(weight for weight in weights if weight is not None)
    return [None if weight is None else weight / total for weight in weights]


def loss_in_points(
    choices: Sequence[Choice],
    standing: bytes,
    best: tuple[int, bool],
    made: tuple[int, bool],
    players: int,
) -> int:
    """Return by how many points `made` is worth less than `best`, at least 0. Each is a place in
    `choices` and whether it declares riichi. An abort has no worth, so that its loss is 0."""
    first, second = choices[best[0]], choices[made[0]]
    if "abort" in (first.action, second.action):
        return 0
    gained = _riichi_gain(first, is_riichi=best[1]) - _riichi_gain(second, is_riichi=made[1])
    if best[1] and not made[1]:
        gained *= _SHARE_OF_SILENCE
    steps = standing or bytes([NOT_RATED]) * len(choices)
    if NOT_RATED in (steps[best[0]], steps[made[0]]):
        apart: float = first.score - second.score
    else:
        apart = (steps[made[0]] - steps[best[0]]) * _POINTS_PER_RATING[players] / _STEPS
    return max(0, round(apart + gained))


def _riichi_gain(choice: Choice, *, is_riichi: bool) -> float:
    return choice.riichi.gain if is_riichi and choice.riichi else 0


def expected_loss(
    choices: Sequence[Choice], standing: bytes, best: tuple[int, bool], players: int
) -> float:
    """Return the mean loss in points of strong players at this decision; 0 where they are not
    known."""
    return sum(
        share * loss_in_points(choices, standing, best, (place, best[1]), players)
        for place, share in enumerate(shares_of(standing))
        if share
    )


def stake_of(choices: Sequence[Choice], made: Choice) -> float:
    """Return what is at stake between the choices, in points: the best score less the mean score. 0
    for a win that is made, and where there is only one choice."""
    scores = [choice.score for choice in choices if choice.action != "abort"]
    if made.action in ("win", "abort") or len(scores) < _MIN_RATED:
        return 0.0
    return max(scores) - sum(scores) / len(scores)
