"""The common form of a recorded game, whatever system wrote it.

What happens at the table is told in the engine's own events; how a hand ended is told by
`RecordedWin` and `RecordedDraw`, in which `None` stands for what the record does not say.
Tiles are the engine's, seats are absolute with seat 0 the first dealer, points are whole.
"""

from __future__ import annotations

from typing import Final

import msgspec

from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    KakanDeclared,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
)
from game.engine.rules import RuleSet

FourInts = tuple[int, int, int, int]
Versions = tuple[tuple[str, RuleSet], ...]
"""Names of versions of the rules, and what each plays."""
Rows = tuple[tuple[int, ...] | None, ...]
"""Tiles by seat; None for a seat whose tiles the record does not show."""


class RecordError(ValueError):
    """The record is damaged: says what, and where in the file."""


class UnsupportedRecord(ValueError):
    """The record is sound as far as it was read, but of a game that the engine does not play."""


class RecordedWin(msgspec.Struct, frozen=True, gc=False):
    """A win as the record has it."""

    actor: int
    target: int
    """Who dealt in; the winner itself on a self-draw."""
    pai: int | None = None
    tehai: tuple[int, ...] | None = None
    """The concealed tiles without the winning one, sorted."""
    melds: tuple[tuple[int, ...], ...] | None = None
    """The tiles of each meld, sorted, in ascending order."""
    dora: tuple[int, ...] | None = None
    ura: tuple[int, ...] | None = None
    """Indicators."""
    yaku: tuple[tuple[str, int], ...] | None = None
    """Ids of the engine with their han; of a yakuman, how often it counts."""
    fan: int | None = None
    fu: int | None = None
    yakuman: bool | None = None
    limit: str | None = None
    """As in the engine's event, but that a counted yakuman is a `yakuman`."""
    points: int | None = None
    liable: int | None = None
    """The seat made responsible, -1 for nobody."""
    honba: int | None = None
    kyotaku: int | None = None
    deltas: FourInts | None = None
    scores: FourInts | None = None
    """After the win."""


class RecordedDraw(msgspec.Struct, frozen=True, gc=False):
    """A hand that ended without a win, as the record has it."""

    reason: str = ""
    """As in the engine's event; empty if the record does not say."""
    tehais: Rows | None = None
    """The hands laid open; an empty row for one that stays closed."""
    tenpais: tuple[bool, ...] | None = None
    honba: int | None = None
    kyotaku: int | None = None
    deltas: FourInts | None = None
    scores: FourInts | None = None
    foul: str | None = None
    offenders: tuple[int, ...] | None = None
    """Of a chombo: who has committed it."""


Told = (
    Drawn
    | Discarded
    | RiichiDeclared
    | RiichiAccepted
    | ChiCalled
    | PonCalled
    | DaiminkanCalled
    | AnkanDeclared
    | KakanDeclared
    | DoraRevealed
    | RecordedWin
    | RecordedDraw
)

MOVES: Final[frozenset[type]] = frozenset(
    {
        Drawn,
        Discarded,
        RiichiDeclared,
        ChiCalled,
        PonCalled,
        DaiminkanCalled,
        AnkanDeclared,
        KakanDeclared,
    }
)
"""What every format tells of."""
EVERYTHING: Final[frozenset[type]] = MOVES | {RiichiAccepted, DoraRevealed}


class RecordedHand(msgspec.Struct, frozen=True):
    """One recorded hand, with a wall that deals it."""

    number: int
    """Within the file, from 0."""
    kyoku: int
    """0 is East 1, 4 South 1."""
    honba: int
    kyotaku: int
    scores: FourInts
    dora_marker: int
    tehais: Rows
    """The 13 tiles dealt to each seat, sorted."""
    wall: bytes
    story: tuple[Told, ...]
    places: tuple[int, ...]
    """Where in the file each part of the story stands, as `RecordedGame.unit` counts."""
    scores_after: tuple[tuple[int, FourInts], ...] = ()
    """Scores told on the way: after which part of the story, and what they are."""
    indicators: tuple[int, ...] | None = None
    """All that lay open in the end, where the record does not tell when they were turned."""
    contradictions: tuple[tuple[int, str], ...] = ()
    """Where the record contradicts itself in what the engine does not know, copies of a tile:
    after how many parts of the story, and what does not fit."""
    broken_off: str = ""
    """Why the record ends before the hand does; empty if it does not."""


class BadHand(msgspec.Struct, frozen=True):
    """A hand that cannot be read, and why."""

    number: int
    fault: str


class RecordedGame(msgspec.Struct, frozen=True):
    """One recorded game."""

    format: str
    unit: str
    """What is counted in `RecordedHand.places`: elements, lines."""
    rules: RuleSet
    hands: tuple[RecordedHand | BadHand, ...]
    other_rules: tuple[RuleSet, ...] = ()
    """What the rules may be as well, where only the end of the game tells."""
    versions: Versions = ()
    """The versions of the rules that it may have been played by, `rules` among them, in the order
    of preference; empty if they have none."""
    tells: frozenset[type] = EVERYTHING
    """The events that this kind of record tells of."""
    is_over: bool = False
    """The record says that the game ended."""
    final_scores: FourInts | None = None
    final_points: tuple[float, ...] | None = None
    """By seat, in thousands, with uma and oka."""
    plays_on: str = ""
    """Why the game may go on after these rules end it; empty if it may not."""
    own_rules: str = ""
    """Why it may have been played by rules that the record does not tell; empty if it may not."""
    may_omit_sticks: bool = False
    """Some writers of this format leave the riichi sticks out of the payments of wins."""
    coarse_yaku: dict[str, str] = {}
    """Yaku ids of the engine that the record has only a more general name for."""
