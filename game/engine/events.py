"""What has happened at a table. Names, tags and fields are mjai's where mjai has them.

Every field declares who may see it (`game.engine.visibility`); events are private as a
whole only where the class says `private_to_actor`.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from game.engine.actions import Action
from game.engine.fu import FuPart
from game.engine.rules import RuleSet
from game.engine.visibility import (
    ACTOR_TILE,
    HIDDEN_ALWAYS,
    OWN_BIT,
    OWN_ROW_OF_TILES,
    PUBLIC,
)

FourInts = tuple[int, int, int, int]
FourRows = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]


class GameStarted(msgspec.Struct, tag="start_game", frozen=True, gc=False, array_like=True):
    names: Annotated[tuple[str, str, str, str], PUBLIC]
    rules: Annotated[RuleSet, PUBLIC]
    seed: Annotated[bytes, HIDDEN_ALWAYS]


class HandStarted(msgspec.Struct, tag="start_kyoku", frozen=True, gc=False, array_like=True):
    """A hand is dealt, 13 tiles to each seat; the dealer's first draw follows."""

    bakaze: Annotated[int, PUBLIC]
    """Prevailing wind, as a tile."""
    kyoku: Annotated[int, PUBLIC]
    """1..4 within the round."""
    honba: Annotated[int, PUBLIC]
    kyotaku: Annotated[int, PUBLIC]
    oya: Annotated[int, PUBLIC]
    dora_marker: Annotated[int, PUBLIC]
    scores: Annotated[FourInts, PUBLIC]
    tehais: Annotated[FourRows, OWN_ROW_OF_TILES]
    wall: Annotated[bytes, HIDDEN_ALWAYS]


class Drawn(msgspec.Struct, tag="tsumo", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    pai: Annotated[int, ACTOR_TILE]
    rinshan: Annotated[bool, PUBLIC] = False
    """A replacement tile: the kan before it stands."""


class Discarded(msgspec.Struct, tag="dahai", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    tsumogiri: Annotated[bool, PUBLIC]
    may_ron: Annotated[int, OWN_BIT] = 0
    may_call: Annotated[int, OWN_BIT] = 0
    waiting: Annotated[int, OWN_BIT] = 0
    """Bit per seat: the tile completes its hand, with or without a yaku."""
    may_foul: Annotated[int, OWN_BIT] = 0
    """Bit per seat: may declare a win that it does not have (`game.engine.fouls`)."""


class RiichiDeclared(msgspec.Struct, tag="reach", frozen=True, gc=False, array_like=True):
    """The next discard is the declaration tile."""

    actor: Annotated[int, PUBLIC]
    double: Annotated[bool, PUBLIC] = False


class RiichiAccepted(msgspec.Struct, tag="reach_accepted", frozen=True, gc=False, array_like=True):
    """Nobody won on the declaration tile: the stick is paid."""

    actor: Annotated[int, PUBLIC]


class ChiCalled(msgspec.Struct, tag="chi", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    target: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    consumed: Annotated[tuple[int, int], PUBLIC]
    liable_for: Annotated[tuple[str, ...], PUBLIC] = ()
    """Pao: what `target` is responsible for from now on (`game.engine.pao`)."""


class PonCalled(msgspec.Struct, tag="pon", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    target: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    consumed: Annotated[tuple[int, int], PUBLIC]
    liable_for: Annotated[tuple[str, ...], PUBLIC] = ()


class DaiminkanCalled(msgspec.Struct, tag="daiminkan", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    target: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    consumed: Annotated[tuple[int, int, int], PUBLIC]
    liable_for: Annotated[tuple[str, ...], PUBLIC] = ()


class AnkanDeclared(msgspec.Struct, tag="ankan", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    consumed: Annotated[FourInts, PUBLIC]
    may_ron: Annotated[int, OWN_BIT] = 0
    waiting: Annotated[int, OWN_BIT] = 0
    may_foul: Annotated[int, OWN_BIT] = 0


class KakanDeclared(msgspec.Struct, tag="kakan", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    consumed: Annotated[tuple[int, int, int], PUBLIC]
    """The pon it is added to."""
    may_ron: Annotated[int, OWN_BIT] = 0
    waiting: Annotated[int, OWN_BIT] = 0
    may_foul: Annotated[int, OWN_BIT] = 0


class DoraRevealed(msgspec.Struct, tag="dora", frozen=True, gc=False, array_like=True):
    dora_marker: Annotated[int, PUBLIC]


class Answered(msgspec.Struct, tag="answer", frozen=True, gc=False, array_like=True):
    """A seat answered an open question. Only that seat may know."""

    private_to_actor: ClassVar[bool] = True

    actor: Annotated[int, PUBLIC]
    action: Annotated[Action, PUBLIC]


class Won(msgspec.Struct, tag="hora", frozen=True, gc=False, array_like=True):
    """A win. With several winners one event each, the seat nearest after the discarder
    first. `deltas` hold honba and sticks; `scores` are the points after it."""

    actor: Annotated[int, PUBLIC]
    target: Annotated[int, PUBLIC]
    """Who dealt in; the winner itself on a self-draw."""
    pai: Annotated[int, PUBLIC]
    tehai: Annotated[tuple[int, ...], PUBLIC]
    """The winner's concealed tiles without the winning tile."""
    uradora_markers: Annotated[tuple[int, ...], PUBLIC]
    yaku: Annotated[tuple[tuple[str, int], ...], PUBLIC]
    """Yaku ids with their han (of a yakuman, how many times it counts)."""
    fan: Annotated[int, PUBLIC]
    fu: Annotated[int, PUBLIC]
    yakuman: Annotated[int, PUBLIC]
    """How many yakuman the hand counts; 0 for an ordinary hand."""
    limit: Annotated[str, PUBLIC]
    """'', 'mangan', 'haneman', 'baiman', 'sanbaiman', 'kazoe_yakuman' or 'yakuman'."""
    points: Annotated[int, PUBLIC]
    """The hand's worth from all payers, without honba and sticks."""
    liable: Annotated[int, PUBLIC]
    """Pao: the seat made responsible, or -1."""
    deltas: Annotated[FourInts, PUBLIC]
    scores: Annotated[FourInts, PUBLIC]
    fu_parts: Annotated[tuple[FuPart, ...], PUBLIC] = ()
    """What the fu are made of, before they are rounded up; none for a yakuman."""


class WallUsedUp(msgspec.Struct, tag="wall_used_up", frozen=True, gc=False, array_like=True):
    """The last discard has gone by, where who is tenpai may keep the hand closed."""

    may_show: Annotated[int, OWN_BIT] = 0


class HandDrawn(msgspec.Struct, tag="ryukyoku", frozen=True, gc=False, array_like=True):
    """The hand ends without a win: `exhaustive`, `nagashi_mangan`, one of the aborts
    `kyushu_kyuhai`, `sufon_renda`, `sucha_riichi`, `sukaikan`, `sanchaho`, `chombo`, or
    `abandoned`: the game was ended, or restored from a backup, in the middle of the hand."""

    reason: Annotated[str, PUBLIC]
    tehais: Annotated[FourRows, PUBLIC]
    """The hands laid open; an empty row for one that stays closed."""
    tenpais: Annotated[tuple[bool, bool, bool, bool], PUBLIC]
    deltas: Annotated[FourInts, PUBLIC]
    scores: Annotated[FourInts, PUBLIC]
    actor: Annotated[int, PUBLIC] = -1
    """Who declared kyushu kyuhai."""
    nagashi: Annotated[tuple[int, ...], PUBLIC] = ()
    """Seats whose discards made nagashi mangan."""
    foul: Annotated[str, PUBLIC] = ""
    """Of a chombo: '', 'false_win' or 'noten_riichi'."""
    offenders: Annotated[tuple[int, ...], PUBLIC] = ()
    """Of a chombo: who has committed it."""


class HandEnded(msgspec.Struct, tag="end_kyoku", frozen=True, gc=False, array_like=True):
    """The table now waits for the seats to confirm the result."""


class GameEnded(msgspec.Struct, tag="end_game", frozen=True, gc=False, array_like=True):
    scores: Annotated[FourInts, PUBLIC]
    """Final points, leftover riichi sticks given out."""
    placement: Annotated[tuple[tuple[int, float], ...], PUBLIC]
    """Per seat: place 1..4, and points in thousands with uma and oka."""
    bonus: Annotated[tuple[tuple[float, float], ...], PUBLIC] = ()
    """Per seat: the uma and the oka in the points, in thousands."""


class GameRestored(msgspec.Struct, tag="restored", frozen=True, gc=False, array_like=True):
    """The game goes on after it was restored from a backup: later walls follow from another
    seed, by the number of the hand as before."""

    seed: Annotated[bytes, HIDDEN_ALWAYS]


class AwayChanged(msgspec.Struct, tag="away", frozen=True, gc=False, array_like=True):
    """The player of a seat is gone and a stand-in plays on, or is back."""

    actor: Annotated[int, PUBLIC]
    away: Annotated[bool, PUBLIC]


Event = (
    GameStarted
    | HandStarted
    | Drawn
    | Discarded
    | RiichiDeclared
    | RiichiAccepted
    | ChiCalled
    | PonCalled
    | DaiminkanCalled
    | AnkanDeclared
    | KakanDeclared
    | DoraRevealed
    | Answered
    | Won
    | WallUsedUp
    | HandDrawn
    | HandEnded
    | GameEnded
    | AwayChanged
    | GameRestored
)
