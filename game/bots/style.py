"""The style of a bot: what it pays attention to.

Owns the styles of the bots that plan their hands (`game.bots.planning`).
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec


class Style(msgspec.Struct, frozen=True, gc=False):
    """What a bot pays attention to. The default is the strongest bot."""

    fears: Literal["all", "riichi"] = "all"
    """The seats that it defends against: all that may be tenpai, or only those in riichi."""
    follows_players: bool = True
    """Whether it discards and calls what strong players prefer; otherwise what is worth most points
    with triplets of dragons as the only calls."""
    weighs_riichi: bool = True
    """Whether it compares riichi with a closed hand; otherwise it declares riichi at once."""
    weighs_places: bool = True
    """Whether points are worth what they do for its final place."""


STRONGEST: Final = Style()
