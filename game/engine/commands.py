"""The commands that a table accepts or rejects.

Owns their fields. Must not know the time: the caller decides when `TimeUp` and `Proceed` are due,
and `game.engine.decide` only whether they are possible.
"""

from __future__ import annotations

import msgspec

from game.engine.actions import Action
from game.engine.rules import RuleSet


class StartGame(msgspec.Struct, tag="start_game", frozen=True, gc=False, array_like=True):
    """Start the game. `seed` is 32 random bytes; every wall is derived from it."""

    rules: RuleSet
    names: tuple[str, str, str, str]
    seed: bytes


class DealHand(msgspec.Struct, tag="deal", frozen=True, gc=False, array_like=True):
    """Deal the first or next hand. `wall`, if given, replaces the wall that is derived from the
    seed: 136 tiles, laid out as `game.engine.wall` says. It serves to replay recorded games."""

    wall: bytes = b""


class Act(msgspec.Struct, tag="act", frozen=True, gc=False, array_like=True):
    """Answer question `step` with `action` for seat `seat`."""

    seat: int
    step: int
    action: Action


class TimeUp(msgspec.Struct, tag="time_up", frozen=True, gc=False, array_like=True):
    """Answer question `step` for seats that are late: take a win that is possible, else discard
    the drawn tile, else pass (`game.engine.legal.default_action`)."""

    step: int
    seats: tuple[int, ...]


class Proceed(msgspec.Struct, tag="proceed", frozen=True, gc=False, array_like=True):
    """Continue after question `step`, which all seats have answered and whose pause is over."""

    step: int


class SetAway(msgspec.Struct, tag="set_away", frozen=True, gc=False, array_like=True):
    """Mark the player of `seat` as away, or as back."""

    seat: int
    away: bool


class EndGame(msgspec.Struct, tag="end_game", frozen=True, gc=False, array_like=True):
    """End the game at once. The current hand is abandoned and changes no scores."""


class RestoreGame(msgspec.Struct, tag="restore_game", frozen=True, gc=False, array_like=True):
    """Continue a game that was restored from a backup. Later walls are derived from `seed`, 32 new
    random bytes, because players may have seen tiles of the current hand and of later hands after
    the backup. The current hand is dealt again."""

    seed: bytes


Command = StartGame | DealHand | Act | TimeUp | Proceed | SetAway | EndGame | RestoreGame
