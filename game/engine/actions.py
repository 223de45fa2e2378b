"""The actions of a seat.

Owns their fields; `game.engine.legal` lists those that are legal. The tags are mjai's names of
actions, tiles are the integers of `game.engine.tiles`.
"""

from __future__ import annotations

import msgspec


class _Action(msgspec.Struct, frozen=True, gc=False, array_like=True):
    pass


class Discard(_Action, tag="dahai", frozen=True, gc=False, array_like=True):
    """Discard `pai`; `tsumogiri` when it is the tile just drawn."""

    pai: int
    tsumogiri: bool


class DeclareRiichi(_Action, tag="reach", frozen=True, gc=False, array_like=True):
    """Declare riichi with this discard."""

    pai: int
    tsumogiri: bool


class CallChi(_Action, tag="chi", frozen=True, gc=False, array_like=True):
    consumed: tuple[int, int]


class CallPon(_Action, tag="pon", frozen=True, gc=False, array_like=True):
    consumed: tuple[int, int]


class CallKan(_Action, tag="daiminkan", frozen=True, gc=False, array_like=True):
    consumed: tuple[int, int, int]


class DeclareAnkan(_Action, tag="ankan", frozen=True, gc=False, array_like=True):
    consumed: tuple[int, int, int, int]


class DeclareKakan(_Action, tag="kakan", frozen=True, gc=False, array_like=True):
    """Add `pai` to the seat's own pon."""

    pai: int


class SetNorthAside(_Action, tag="kita", frozen=True, gc=False, array_like=True):
    """Set a north of the own hand aside."""


class Win(_Action, tag="hora", frozen=True, gc=False, array_like=True):
    """Declare tsumo on one's own turn, or ron on an open tile."""


class DeclareKyushu(_Action, tag="ryukyoku", frozen=True, gc=False, array_like=True):
    """Abort the hand for nine kinds of terminals and honours."""


class Pass(_Action, tag="none", frozen=True, gc=False, array_like=True):
    """Leave the open tile, or keep a tenpai hand closed."""


class ShowTenpai(_Action, tag="tenpai", frozen=True, gc=False, array_like=True):
    """Show a tenpai hand when the wall is used up. `Pass` keeps it closed."""


class StopGame(_Action, tag="stop", frozen=True, gc=False, array_like=True):
    """End the game as the leading dealer of the last hand. `Confirm` plays on."""


class Confirm(_Action, tag="confirm", frozen=True, gc=False, array_like=True):
    """Confirm the result of the hand, so that the next one is dealt."""


Action = (
    Discard
    | DeclareRiichi
    | CallChi
    | CallPon
    | CallKan
    | DeclareAnkan
    | DeclareKakan
    | SetNorthAside
    | Win
    | DeclareKyushu
    | Pass
    | ShowTenpai
    | StopGame
    | Confirm
)
