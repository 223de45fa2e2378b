"""The commands that a table accepts or rejects.

Owns their fields. Must not know the time: the caller decides when `Timeout` and `Proceed` are due,
and `game.engine.decide` only whether they are possible.
"""

from __future__ import annotations

import msgspec

from game.engine.actions import Action
from game.engine.by_seat import BySeat
from game.engine.rules import RuleSet


class StartGame(msgspec.Struct, tag="start_game", frozen=True, gc=False, array_like=True):
    """Start the game. `seed` is 32 random bytes, from which every wall is derived, or empty if
    `DrawWall` follows."""

    rules: RuleSet
    names: BySeat[str]
    seed: bytes


class DealHand(msgspec.Struct, tag="deal", frozen=True, gc=False, array_like=True):
    """Deal the first or next hand. `wall`, if given, replaces the wall that is derived from the
    seed, and is laid out as `game.engine.wall` says. Recorded games and staged hands have such a
    wall."""

    wall: bytes = b""


class Act(msgspec.Struct, tag="act", frozen=True, gc=False, array_like=True):
    """Answer question `step` with `action` for seat `seat`."""

    seat: int
    step: int
    action: Action


class Timeout(msgspec.Struct, tag="time_up", frozen=True, gc=False, array_like=True):
    """Answer question `step` for seats whose time is over: take a win that is possible, else
    discard the drawn tile, else pass (`game.engine.legal.default_action`). Stored logs contain the
    tag of this class."""

    step: int
    seats: tuple[int, ...]


class Proceed(msgspec.Struct, tag="proceed", frozen=True, gc=False, array_like=True):
    """Continue after question `step`, which all seats have answered and whose shortest duration is
    over."""

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
    the backup. The current hand is dealt again. `reason` is that of `events.GameRestored`."""

    seed: bytes
    reason: str = ""


class CallLastHand(msgspec.Struct, tag="last_hand", frozen=True, gc=False, array_like=True):
    """Limit the game to one hand after the current one, because the time of the round is over.
    Before the first deal, limit it to the first hand."""


class DrawWall(msgspec.Struct, tag="draw_wall", frozen=True, gc=False, array_like=True):
    """Start to draw the seed together with the browser pages of these seats. The server's hash will
    bind `table_id`, `players` (by seat ``person:<id>`` or ``bot:<name>``) and the rules."""

    seats: tuple[int, ...]
    table_id: str
    players: BySeat[str]


class CommitWall(msgspec.Struct, tag="commit_wall", frozen=True, gc=False, array_like=True):
    """Store the commitment (a hash) of the page of `seat` to its contribution to draw number
    `draw`."""

    seat: int
    draw: int
    commitment: bytes


class BindWall(msgspec.Struct, tag="bind_wall", frozen=True, gc=False, array_like=True):
    """Close the commitments of draw number `draw`. `fresh` is 32 new random bytes: the server's
    secret, or the seed if no page has committed. `key` is the server's public key, `signature` its
    signature of the binding."""

    draw: int
    fresh: bytes
    key: bytes = b""
    signature: bytes = b""


class RevealWall(msgspec.Struct, tag="reveal_wall", frozen=True, gc=False, array_like=True):
    """Reveal the contribution of the page of `seat` to draw number `draw`. The last reveal leads to
    the deal."""

    seat: int
    draw: int
    contribution: bytes


class VoidWall(msgspec.Struct, tag="void_wall", frozen=True, gc=False, array_like=True):
    """Close draw number `draw` as void, because some pages have not revealed, and draw again
    without them. If no page is left, `fresh`, 32 new random bytes, becomes the seed."""

    draw: int
    fresh: bytes


Command = (
    StartGame
    | DealHand
    | Act
    | Timeout
    | Proceed
    | SetAway
    | EndGame
    | RestoreGame
    | CallLastHand
    | DrawWall
    | CommitWall
    | BindWall
    | RevealWall
    | VoidWall
)
