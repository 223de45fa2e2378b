"""The state of a table: one immutable value that holds all there is to know.

`Table` is the fold of a game's events and nothing is kept beside it. A viewer's picture
of a table is again a `Table`, in which what the viewer may not see is blank; how each
field is shown is declared on the field (`Annotated[..., SHOWN]`), and a field
without a declaration is hidden and fails a test.

Seats are absolute: seat 0 is the first dealer of the game. Winds are derived.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final, NamedTuple, NewType, TypeVar

import msgspec

from game.engine.actions import Action
from game.engine.events import HandDrawn, Won
from game.engine.rules import RuleSet
from game.engine.tiles import NO_TILE
from game.engine.visibility import (
    HIDDEN_ALWAYS,
    OWN_BIT,
    OWN_ENTRY,
    OWNER_ONLY,
    OWNER_OR_SHOWN,
    PUBLIC,
    TILE_ON_TURN,
)

Seat = NewType("Seat", int)
SEATS: Final = (0, 1, 2, 3)
NOBODY: Final = -1
_Enum = TypeVar("_Enum", bound=IntEnum)


def _plainly_looked_up(enum: type[_Enum]) -> type[_Enum]:
    """Make `Phase.TURN` a plain attribute, as it is from Python 3.12 on. Before, each look-up
    is a function call, and the engine makes dozens of them for every event."""
    for member in enum:
        type.__setattr__(enum, member.name, member)
    return enum


@_plainly_looked_up
class Phase(IntEnum):
    """What the table is waiting for."""

    IDLE = 0
    """Nothing dealt yet."""
    TURN = 1
    """The seat on turn acts: it discards, declares a kan, wins or aborts."""
    CLAIMS = 2
    """A tile lies open; whoever may take it answers, then the hand goes on."""
    RESULT = 3
    """The hand is over; seats confirm, then the next hand is dealt."""
    ENDED = 4
    """The game is over."""
    SHOWING = 5
    """The wall is used up; who is tenpai lays the hand open or keeps it closed."""


@_plainly_looked_up
class Riichi(IntEnum):
    """How far a seat's riichi has come."""

    NONE = 0
    DECLARED = 1
    """The declaration tile lies there and may still be ronned."""
    ACCEPTED = 2


@_plainly_looked_up
class MeldType(IntEnum):
    CHI = 0
    PON = 1
    DAIMINKAN = 2
    ANKAN = 3
    KAKAN = 4


class Meld(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A set laid open. `tiles` are sorted; `called` is the claimed tile (``NO_TILE`` in a
    closed kan), `target` the seat it came from (the owner in a closed kan), `added` the
    fourth tile of an added kan."""

    type: MeldType
    tiles: tuple[int, ...]
    called: int
    target: int
    added: int = NO_TILE


RIVER_TSUMOGIRI: Final = 1 << 8
RIVER_RIICHI: Final = 1 << 9
RIVER_TAKEN: Final = 1 << 10
RIVER_TILE: Final = 0xFF
"""A river entry is the tile, with these bits added to it."""


class Hand(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What one seat holds and has done in this hand."""

    tiles: Annotated[tuple[int, ...], OWNER_OR_SHOWN] = ()
    """Concealed tiles, sorted, without the tile just drawn."""
    melds: Annotated[tuple[Meld, ...], PUBLIC] = ()
    river: Annotated[tuple[int, ...], PUBLIC] = ()
    riichi: Annotated[Riichi, PUBLIC] = Riichi.NONE
    double_riichi: Annotated[bool, PUBLIC] = False
    ippatsu: Annotated[bool, PUBLIC] = False
    missed: Annotated[bool, OWNER_ONLY] = False
    """Let a winning tile go by: furiten until the seat's next draw or call, and, in
    riichi, for the rest of the hand."""
    liable: Annotated[tuple[tuple[str, int], ...], PUBLIC] = ()
    """Pao: for a yakuman (its yaku id), the seat that is responsible for it."""
    shown: Annotated[bool, PUBLIC] = False
    """The tiles were laid open at the end of the hand."""


class Dealt(NamedTuple):
    """A hand that was dealt, and what everybody had before it."""

    kyoku: int
    """0 is East 1, 4 South 1."""
    honba: int
    scores: tuple[int, int, int, int]


class Table(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One table, from the deal of its first hand to its final ranking."""

    rules: Annotated[RuleSet, PUBLIC] = RuleSet()
    names: Annotated[tuple[str, str, str, str], PUBLIC] = ("", "", "", "")
    seed: Annotated[bytes, HIDDEN_ALWAYS] = b""
    away: Annotated[tuple[bool, bool, bool, bool], PUBLIC] = (False, False, False, False)
    """Seats whose player is gone and which are played on by a stand-in."""

    phase: Annotated[Phase, PUBLIC] = Phase.IDLE
    step: Annotated[int, PUBLIC] = 0
    """Counts the public events that put a new question: the number of the open question.
    It never counts who was asked or who passed."""

    kyoku: Annotated[int, PUBLIC] = 0
    """0 is East 1, 4 South 1, 8 West 1."""
    honba: Annotated[int, PUBLIC] = 0
    kyotaku: Annotated[int, PUBLIC] = 0
    """Riichi sticks on the table."""
    scores: Annotated[tuple[int, int, int, int], PUBLIC] = (0, 0, 0, 0)
    """Points in hand, the deposit of an accepted riichi taken off."""
    hands_dealt: Annotated[int, PUBLIC] = 0

    wall: Annotated[bytes, HIDDEN_ALWAYS] = b""
    """All 136 tiles of the hand, laid out as `game.engine.wall` says."""
    left: Annotated[int, PUBLIC] = 0
    """Tiles that can still be drawn from the live wall."""
    supplements: Annotated[int, PUBLIC] = 0
    """Replacement tiles drawn after kans."""
    dora: Annotated[tuple[int, ...], PUBLIC] = ()
    """Open dora indicators."""
    dora_due: Annotated[int, PUBLIC] = 0
    """Kan dora whose indicator is still to be turned."""

    hands: Annotated[tuple[Hand, Hand, Hand, Hand], PUBLIC] = (Hand(), Hand(), Hand(), Hand())
    """Shown hand by hand, as the fields of `Hand` say."""
    turn: Annotated[int, PUBLIC] = 0
    """The seat on turn; during claims, the seat whose tile is being claimed."""
    drawn: Annotated[int, TILE_ON_TURN] = NO_TILE
    """The tile just drawn by the seat on turn; ``NO_TILE`` after a call."""
    rinshan: Annotated[bool, PUBLIC] = False
    """The tile just drawn is a replacement tile."""
    unbroken: Annotated[bool, PUBLIC] = True
    """No call and no kan yet: the first go-around is uninterrupted."""
    forbidden: Annotated[int, PUBLIC] = 0
    """Kuikae: mask of the kinds that may not be discarded after this call."""
    robbing: Annotated[bool, PUBLIC] = False
    """The open tile is that of a kan being declared: it can only be ronned."""
    claimed: Annotated[int, PUBLIC] = NO_TILE
    """The open tile while the table waits for claims."""
    may_ron: Annotated[int, OWN_BIT] = 0
    """Bit per seat: may win on the open tile."""
    may_call: Annotated[int, OWN_BIT] = 0
    """Bit per seat: may call the open tile."""
    answers: Annotated[tuple[Action | None, ...], OWN_ENTRY] = (None, None, None, None)
    """What each seat has answered to the open question."""
    results: Annotated[tuple[Won | HandDrawn, ...], PUBLIC] = ()
    """How the hand ended: one or more wins, or a draw."""
    placement: Annotated[tuple[tuple[int, float], ...], PUBLIC] = ()
    """After the game, per seat: place 1..4 and final points (thousands, uma and oka in)."""
    may_show: Annotated[int, OWN_BIT] = 0
    """Bit per seat: is tenpai and may choose whether to show it."""
    history: Annotated[tuple[Dealt, ...], PUBLIC] = ()
    """Every hand dealt so far, with the points before it."""
    bonus: Annotated[tuple[tuple[float, float], ...], PUBLIC] = ()
    """After the game, per seat: the uma and the oka in the points of `placement`."""
    may_foul: Annotated[int, OWN_BIT] = 0
    """Bit per seat: may wrongly declare a win on the open tile, where the rules let it."""
    chombos: Annotated[tuple[int, int, int, int], PUBLIC] = (0, 0, 0, 0)
    """Fouls of each seat since the game began."""

    @property
    def dealer(self) -> int:
        """The seat that is East in this hand."""
        return self.kyoku % 4

    @property
    def in_riichi(self) -> tuple[int, ...]:
        """The seats whose riichi is valid, so that each has laid a stick in this hand."""
        return tuple([seat for seat in SEATS if self.hands[seat].riichi == Riichi.ACCEPTED])

    def wind_of(self, seat: int) -> int:
        """The seat wind as a kind, 27..30."""
        return 27 + (seat - self.kyoku) % 4

    @property
    def round_wind(self) -> int:
        """The prevailing wind as a kind, 27..30."""
        return 27 + self.kyoku // 4 % 4
