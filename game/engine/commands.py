"""What can be asked of a table. Time is not in here: whoever owns the clock decides when
`TimeUp` and `Proceed` are due, the table only whether they are possible."""

from __future__ import annotations

import msgspec

from game.engine.actions import Action
from game.engine.rules import RuleSet


class StartGame(msgspec.Struct, tag="start_game", frozen=True, gc=False, array_like=True):
    """Open the game. `seed` is 32 random bytes, from which every wall follows."""

    rules: RuleSet
    names: tuple[str, str, str, str]
    seed: bytes


class DealHand(msgspec.Struct, tag="deal", frozen=True, gc=False, array_like=True):
    """Deal the first or next hand. `wall` replaces the one that follows from the seed
    (136 tiles, laid out as `game.engine.wall` says), to replay a game recorded elsewhere."""

    wall: bytes = b""


class Act(msgspec.Struct, tag="act", frozen=True, gc=False, array_like=True):
    """Seat `seat` answers question `step` with `action`."""

    seat: int
    step: int
    action: Action


class TimeUp(msgspec.Struct, tag="time_up", frozen=True, gc=False, array_like=True):
    """These seats have not answered in time: they discard what they drew, take a win on
    offer, and let everything else go by."""

    step: int
    seats: tuple[int, ...]


class Proceed(msgspec.Struct, tag="proceed", frozen=True, gc=False, array_like=True):
    """Everybody has answered question `step` and its pause is over: go on."""

    step: int


class SetAway(msgspec.Struct, tag="set_away", frozen=True, gc=False, array_like=True):
    """The player of `seat` is gone, or back."""

    seat: int
    away: bool


class EndGame(msgspec.Struct, tag="end_game", frozen=True, gc=False, array_like=True):
    """End the game here and now: the hand being played counts for nothing."""


class RestoreGame(msgspec.Struct, tag="restore_game", frozen=True, gc=False, array_like=True):
    """Go on with a game that was restored from a backup. Every wall from now on follows from
    `seed`, 32 new random bytes: after the backup players may have seen tiles of the hand that
    is being played and of later ones. A hand that is being played is dealt again."""

    seed: bytes


Command = StartGame | DealHand | Act | TimeUp | Proceed | SetAway | EndGame | RestoreGame
