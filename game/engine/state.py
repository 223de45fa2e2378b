"""The state of a table: one immutable value.

Owns the fields of tables, hands and melds. `Table` is the fold of the events of a game, and no
state is kept beside it. The view of a viewer is a `Table` too, with blanks in the fields that the
viewer may not see. Each field declares who may see it (`Annotated[..., PUBLIC]`). A field without a
declaration is hidden, and a test fails.

Seats are absolute: seat 0 is the first dealer of the game. Winds are derived. A tuple by seat has
one entry for each player.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final, NamedTuple

import msgspec

from game.engine.actions import Action
from game.engine.by_seat import BySeat
from game.engine.events import HandDrawn, Won
from game.engine.rules import RuleSet
from game.engine.tiles import EAST, NO_TILE
from game.engine.visibility import (
    HIDDEN_ALWAYS,
    OWN_BIT,
    OWN_ENTRY,
    OWNER_ONLY,
    OWNER_OR_SHOWN,
    PUBLIC,
    TILE_ON_TURN,
)

SEATS: Final = (0, 1, 2, 3)
"""The seats of a table of four."""
SEATS_OF: Final = {4: SEATS, 3: SEATS[:3]}
"""The seats of a table, by the number of its players."""
DEALS_PER_ROUND: Final = 4
"""What a round adds to the number of a deal (`Table.kyoku`). With three players the fourth deal of
a round does not exist."""
NOBODY: Final = -1
STICK_POINTS: Final = 1_000
"""Points of a riichi stick."""


class Phase(IntEnum):
    """What the table is waiting for."""

    IDLE = 0
    """Nothing dealt yet."""
    TURN = 1
    """The seat on turn acts: it discards, declares a kan, wins or aborts."""
    CLAIMS = 2
    """A tile is open. The seats that may take it answer, then the hand continues."""
    RESULT = 3
    """The hand is over; seats confirm, then the next hand is dealt."""
    ENDED = 4
    """The game is over."""
    SHOWING = 5
    """The wall is used up. Tenpai seats show their hands or keep them closed."""


class Riichi(IntEnum):
    """The state of a seat's riichi."""

    NONE = 0
    DECLARED = 1
    """The declaration tile is open and may still be ronned."""
    ACCEPTED = 2


class MeldType(IntEnum):
    CHI = 0
    PON = 1
    DAIMINKAN = 2
    ANKAN = 3
    KAKAN = 4


KAN_TYPES: Final = (MeldType.DAIMINKAN, MeldType.ANKAN, MeldType.KAKAN)


class Meld(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An open set or a closed kan.

    `tiles` are sorted. `called` is the claimed tile (``NO_TILE`` in a closed kan), `target` the
    seat that discarded it (the owner in a closed kan), `added` the fourth tile of an added kan.
    """

    type: MeldType
    tiles: tuple[int, ...]
    called: int
    target: int
    added: int = NO_TILE


RIVER_TSUMOGIRI: Final = 1 << 8
RIVER_RIICHI: Final = 1 << 9
RIVER_TAKEN: Final = 1 << 10
RIVER_TILE: Final = 0xFF
"""A river entry is the tile with these flags added."""


class Hand(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The tiles, melds and discards of one seat in the current hand."""

    tiles: Annotated[tuple[int, ...], OWNER_OR_SHOWN] = ()
    """Concealed tiles, sorted, without the tile just drawn."""
    melds: Annotated[tuple[Meld, ...], PUBLIC] = ()
    river: Annotated[tuple[int, ...], PUBLIC] = ()
    riichi: Annotated[Riichi, PUBLIC] = Riichi.NONE
    double_riichi: Annotated[bool, PUBLIC] = False
    ippatsu: Annotated[bool, PUBLIC] = False
    missed: Annotated[bool, OWNER_ONLY] = False
    """The seat did not win on a winning tile. It is furiten until its next draw or call or, in
    riichi, for the rest of the hand."""
    liable: Annotated[tuple[tuple[str, int], ...], PUBLIC] = ()
    """Pao: yaku ids, each with the seat that is liable for it."""
    shown: Annotated[bool, PUBLIC] = False
    """The tiles were shown at the end of the hand."""
    norths: Annotated[int, PUBLIC] = 0
    """How many norths the seat has set aside."""


class DrawState(IntEnum):
    """The state of the draw of the wall."""

    COMMIT = 0
    """Pages send their commitments."""
    REVEAL = 1
    """Pages reveal their contributions."""
    FIXED = 2
    """The seed follows from the contributions."""
    NONE = 3
    """The seed is the server's own: no page took part."""


class WallDraw(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The latest draw of the wall. Everybody may see it."""

    number: int
    """From 1."""
    seats: tuple[int, ...]
    """The seats whose pages are asked."""
    state: DrawState = DrawState.COMMIT
    commitments: BySeat[bytes] = (b"", b"", b"", b"")
    """By seat; empty for none."""
    binding: bytes = b""
    contributions: BySeat[bytes] = (b"", b"", b"", b"")
    """By seat; empty for none."""
    void: int = 0
    """How many draws were void."""
    left_out: tuple[int, ...] = ()
    """The seats whose pages did not reveal in an earlier draw."""
    previous: bytes = b""
    """The binding of the draw before; empty in the first draw."""
    terms: bytes = b""
    """As `WallBound` has it, like what follows."""
    secret_hash: bytes = b""
    key: bytes = b""
    signature: bytes = b""


class WallTerms(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The players, rules and table that the server's hash binds together with its secret."""

    table_id: str
    players: BySeat[str]
    rules: str
    version: int = 1
    """The version of the proof (`game.engine.wall_proof`)."""


class Dealt(NamedTuple):
    """A hand that was dealt, and the scores before it."""

    kyoku: int
    """0 is East 1, 4 South 1."""
    honba: int
    scores: BySeat[int]


class Table(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One table, from the deal of its first hand to its final ranking. The defaults are those of a
    table of four; `game.engine.evolve` starts games of three."""

    rules: Annotated[RuleSet, PUBLIC] = RuleSet()
    names: Annotated[BySeat[str], PUBLIC] = ("", "", "", "")
    seed: Annotated[bytes, HIDDEN_ALWAYS] = b""
    away: Annotated[BySeat[bool], PUBLIC] = (False, False, False, False)
    """Seats whose player is away, so that a bot plays for them."""

    phase: Annotated[Phase, PUBLIC] = Phase.IDLE
    step: Annotated[int, PUBLIC] = 0
    """The number of the open question. It counts the public events that put a new question, and
    never depends on who was asked or who passed."""

    kyoku: Annotated[int, PUBLIC] = 0
    """0 is East 1, 4 South 1, 8 West 1."""
    honba: Annotated[int, PUBLIC] = 0
    kyotaku: Annotated[int, PUBLIC] = 0
    """Riichi sticks on the table."""
    scores: Annotated[BySeat[int], PUBLIC] = (0, 0, 0, 0)
    """Points of each seat, without the sticks that it has paid."""
    hands_dealt: Annotated[int, PUBLIC] = 0

    wall: Annotated[bytes, HIDDEN_ALWAYS] = b""
    """All tiles of the hand, laid out as `game.engine.wall` says."""
    left: Annotated[int, PUBLIC] = 0
    """Tiles that can still be drawn from the live wall."""
    supplements: Annotated[int, PUBLIC] = 0
    """Replacement tiles drawn after kans and norths."""
    dora: Annotated[tuple[int, ...], PUBLIC] = ()
    """Open dora indicators."""
    dora_due: Annotated[int, PUBLIC] = 0
    """How many kan dora indicators are still to be turned."""

    hands: Annotated[BySeat[Hand], PUBLIC] = (Hand(), Hand(), Hand(), Hand())
    """Each hand is redacted as the fields of `Hand` declare."""
    turn: Annotated[int, PUBLIC] = 0
    """The seat on turn; during claims, the seat whose tile is being claimed."""
    drawn: Annotated[int, TILE_ON_TURN] = NO_TILE
    """The tile just drawn by the seat on turn; ``NO_TILE`` after a call."""
    rinshan: Annotated[bool, PUBLIC] = False
    """The tile just drawn is a replacement tile, with which a win is rinshan kaihou."""
    unbroken: Annotated[bool, PUBLIC] = True
    """No call, no kan and no north set aside yet: the first go-around is uninterrupted."""
    forbidden: Annotated[int, PUBLIC] = 0
    """Kuikae: mask of the kinds that may not be discarded after this call."""
    robbing: Annotated[bool, PUBLIC] = False
    """The open tile belongs to a kan that is being declared or is a north that is set aside, so it
    can only be ronned."""
    claimed: Annotated[int, PUBLIC] = NO_TILE
    """The open tile while the table waits for claims."""
    may_ron: Annotated[int, OWN_BIT] = 0
    """Bit per seat: may win on the open tile."""
    may_call: Annotated[int, OWN_BIT] = 0
    """Bit per seat: may call the open tile."""
    answers: Annotated[BySeat[Action | None], OWN_ENTRY] = (None, None, None, None)
    """What each seat has answered to the open question."""
    results: Annotated[tuple[Won | HandDrawn, ...], PUBLIC] = ()
    """How the hand ended: one or more wins, or a draw."""
    placement: Annotated[tuple[tuple[int, float], ...], PUBLIC] = ()
    """After the game, per seat: place 1..4 and final points (thousands, uma and oka in)."""
    may_show: Annotated[int, OWN_BIT] = 0
    """Bit per seat: is tenpai and may choose whether to show its hand."""
    history: Annotated[tuple[Dealt, ...], PUBLIC] = ()
    """Every hand dealt so far, with the scores before it."""
    bonus: Annotated[tuple[tuple[float, float], ...], PUBLIC] = ()
    """After the game, per seat: the uma and the oka in the points of `placement`."""
    may_foul: Annotated[int, OWN_BIT] = 0
    """Bit per seat: the rules let it declare a false win on the open tile."""
    chombos: Annotated[BySeat[int], PUBLIC] = (0, 0, 0, 0)
    """Number of chombo of each seat in this game."""
    wall_draw: Annotated[WallDraw | None, PUBLIC] = None
    """None if the seed was not drawn with the pages of the players."""
    wall_secret: Annotated[bytes, HIDDEN_ALWAYS] = b""
    """The server's secret, until the seed is fixed."""
    wall_terms: Annotated[WallTerms | None, HIDDEN_ALWAYS] = None
    """Until the seed is fixed."""
    last_hand: Annotated[int, PUBLIC] = 0
    """The number of hands after which the game ends; 0 for no limit."""
    broken_off: Annotated[bool, PUBLIC] = False
    """The game was ended before the rules end it, so that it does not count."""

    @property
    def seats(self) -> BySeat[int]:
        """All seats of the table."""
        return SEATS_OF[self.rules.players]

    @property
    def dealer(self) -> int:
        """The seat that is East in this hand."""
        return self.kyoku % DEALS_PER_ROUND

    @property
    def is_drawing_wall(self) -> bool:
        """Whether the seed is being drawn, so that no hand is dealt yet."""
        draw = self.wall_draw
        if draw is None or self.phase != Phase.IDLE:
            return False
        return draw.state in (DrawState.COMMIT, DrawState.REVEAL)

    @property
    def in_riichi(self) -> tuple[int, ...]:
        """The seats that have paid a riichi stick in this hand."""
        return tuple(
            [seat for seat, hand in enumerate(self.hands) if hand.riichi == Riichi.ACCEPTED]
        )

    def wind_of(self, seat: int) -> int:
        """Return the seat wind as a kind, 27..30."""
        return EAST + (seat - self.dealer) % self.rules.players

    @property
    def round_wind(self) -> int:
        """The prevailing wind as a kind, 27..30."""
        return EAST + self.kyoku // DEALS_PER_ROUND % 4
