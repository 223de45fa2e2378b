"""The staged hands of the guided first game: the tiles that are dealt and drawn.

The learner is East. The other three discard what they draw, so that a learner who follows the
explanations gets the hand that they describe. The page has the steps
(`static/js/guided/guide_steps.js`).
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from game.engine.rules import TENHOU, RuleSet
from game.engine.tiles import NO_TILE, kind_of, tile_from_text
from game.engine.wall import LAYOUTS, tile_set

RULES: Final[RuleSet] = TENHOU
BOT: Final = "tsumogiri"
LEARNER_SEAT: Final = 0

_OTHER_HANDS: Final = (
    "1m 3m 7m 9m 1p 3p 6p 9p 1s 3s 8s E S",
    "2m 4m 6m 8m 2p 5p 8p 4s 7s E S W 1s",
    "1m 6m 8m 9m 3p 6p 9p 2s 5s 8s S W C",
)
"""The hands of South, West and North in every hand: far from tenpai, and never changed."""


class GuidedHand(NamedTuple):
    """A staged hand. Tiles are those of `game.engine.tiles`, separated by spaces."""

    dealt: str
    """The learner's thirteen tiles."""
    draws: str
    """The first tiles of the live wall, in the order in which they are drawn."""
    dora: str
    """The first dora indicator."""


GUIDED_HANDS: Final[dict[str, GuidedHand]] = {
    # Discard, pon of the white dragon, tsumo.
    "pon": GuidedHand(
        dealt="2m 3m 4m 5p 6p 7p 4s 5s 9s 9s P P N",
        draws="9p P 1m 9m 1p 6s",
        dora="1p",
    ),
    # Discard, pass of a chi, riichi in furiten, tsumo.
    "riichi": GuidedHand(
        dealt="2m 3m 4m 5m 6m 7m 3p 3p 4p 5p 6p 9s W",
        draws="N 1m 2m F 8s 4s 1m 8m 7s S 6s C 6s",
        dora="1p",
    ),
}
"""The staged hands by name, in the order in which they are played."""


def staged_wall(name: str) -> bytes:
    """Return the wall that deals the hand `name`, as the bytes of all tiles. Raises KeyError for an
    unknown name."""
    hand = GUIDED_HANDS[name]
    rest = tile_set(RULES)

    def take_tile(text: str) -> int:
        """Take a tile of that kind from those left; a red five only if no other is left."""
        kind = kind_of(tile_from_text(text))
        tile = next(left for left in rest if kind_of(left) == kind)
        rest.remove(tile)
        return tile

    layout = LAYOUTS[RULES.players]
    wall = [NO_TILE] * layout.tiles
    for places, dealt in zip(layout.deal, (hand.dealt, *_OTHER_HANDS), strict=True):
        for place, text in zip(places, dealt.split(), strict=True):
            wall[place] = take_tile(text)
    for number, text in enumerate(hand.draws.split()):
        wall[layout.first_draw - number] = take_tile(text)
    wall[layout.indicators[0]] = take_tile(hand.dora)
    random.Random(name).shuffle(rest)
    return bytes(rest.pop() if tile == NO_TILE else tile for tile in wall)
