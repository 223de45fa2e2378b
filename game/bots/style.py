"""The style of a bot: what it pays attention to.

Owns the styles of the bots that plan their hands (`game.bots.planning`).
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec


class Style(msgspec.Struct, frozen=True, gc=False):
    """What a bot pays attention to. The default is the strongest bot."""

    fears: Literal["all", "riichi"] = "all"
    """Seats that the bot defends against: all that may be tenpai, or only those in riichi."""
    follows_players: bool = True
    """Whether the bot discards and calls what strong players prefer. Otherwise it takes what is
    worth most points, and calls only triplets of dragons."""
    weighs_riichi: bool = True
    """Whether the bot compares riichi with the hand without riichi; otherwise it declares riichi at
    once."""
    weighs_places: bool = True
    """Whether the bot values points by their effect on its final place; otherwise as they are."""


STRONGEST: Final = Style()
