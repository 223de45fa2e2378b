"""The common form of recorded games of all formats.

Owns the structs of games, hands and results. Events at the table are events of the engine.
`RecordedWin` and `RecordedDraw` are the results of hands, in which `None` means that the record
does not contain the value. Tiles are those of the engine, seats are absolute with seat 0 the first
dealer, points are integers. `engine_event` converts recorded events to events of the engine; it
serves for the rest of a hand that no longer follows the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar

import msgspec

from game.engine.by_seat import BySeat
from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    Event,
    HandDrawn,
    KakanDeclared,
    NorthSetAside,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    Won,
)
from game.engine.rules import RuleSet
from game.engine.state import SEATS, Table

_T = TypeVar("_T")

Versions = tuple[tuple[str, RuleSet], ...]
"""The names of versions of the rules, with their rules."""
Rows = tuple[tuple[int, ...] | None, ...]
"""Tiles by seat; None for a seat whose tiles the record does not show."""


class RecordError(ValueError):
    """The record is damaged. The message gives the reason and the place in the file."""


class UnsupportedRecord(ValueError):
    """The record is readable, but the engine does not play such a game."""


class OtherFile(UnsupportedRecord):
    """The file is of a known kind that cannot be read as a record. The message tells the user how
    to get a record."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class RecordedWin(msgspec.Struct, frozen=True, gc=False):
    """A recorded win."""

    actor: int
    target: int
    """The seat that dealt in; the winner itself on a self-draw."""
    pai: int | None = None
    tehai: tuple[int, ...] | None = None
    """The concealed tiles without the winning one, sorted."""
    melds: tuple[tuple[int, ...], ...] | None = None
    """The tiles of each meld, sorted, in ascending order."""
    dora: tuple[int, ...] | None = None
    ura: tuple[int, ...] | None = None
    """Dora indicators."""
    norths: int | None = None
    """How many norths the winner has set aside."""
    yaku: tuple[tuple[str, int], ...] | None = None
    """Ids of the engine with their han; of a yakuman, how often it counts."""
    fan: int | None = None
    fu: int | None = None
    yakuman: bool | None = None
    limit: str | None = None
    """As in the engine's event, except that a counted yakuman is a `yakuman`."""
    points: int | None = None
    liable: int | None = None
    """Pao: the liable seat, or -1."""
    honba: int | None = None
    kyotaku: int | None = None
    deltas: BySeat[int] | None = None
    scores: BySeat[int] | None = None
    """Scores after the win."""


class RecordedDraw(msgspec.Struct, frozen=True, gc=False):
    """A recorded hand without a win."""

    reason: str = ""
    """As in the engine's event; empty if the record does not say."""
    tehais: Rows | None = None
    """The hands that are shown; an empty row for a hand that stays closed."""
    tenpais: tuple[bool, ...] | None = None
    honba: int | None = None
    kyotaku: int | None = None
    deltas: BySeat[int] | None = None
    scores: BySeat[int] | None = None
    foul: str | None = None
    offenders: tuple[int, ...] | None = None
    """The seats that committed a chombo."""


Call = ChiCalled | PonCalled | DaiminkanCalled | AnkanDeclared | KakanDeclared | NorthSetAside
RecordedEvent = (
    Drawn
    | Discarded
    | RiichiDeclared
    | RiichiAccepted
    | Call
    | DoraRevealed
    | RecordedWin
    | RecordedDraw
)

MOVE_TYPES: Final[frozenset[type]] = frozenset(
    {
        Drawn,
        Discarded,
        RiichiDeclared,
        ChiCalled,
        PonCalled,
        DaiminkanCalled,
        AnkanDeclared,
        KakanDeclared,
        NorthSetAside,
    }
)
"""The types of events that every format contains."""
ALL_EVENT_TYPES: Final[frozenset[type]] = MOVE_TYPES | {RiichiAccepted, DoraRevealed}


def call_from_mjai(name: str, seat: int, target: int, pai: int, consumed: Iterable[int]) -> Call:
    """Return the call, kan or north with this mjai type. `target` is ignored except for calls,
    `pai` is ignored for a closed kan. Raises ``ValueError`` if the type or the number of tiles is
    wrong."""
    tiles = sorted(consumed)
    match name, tiles:
        case "chi", [one, two]:
            return ChiCalled(seat, target, pai, (one, two))
        case "pon", [one, two]:
            return PonCalled(seat, target, pai, (one, two))
        case "daiminkan", [one, two, three]:
            return DaiminkanCalled(seat, target, pai, (one, two, three))
        case "kakan", [one, two, three]:
            return KakanDeclared(seat, pai, (one, two, three))
        case "ankan", [one, two, three, four]:
            return AnkanDeclared(seat, (one, two, three, four))
        case "kita", []:
            return NorthSetAside(seat, pai)
    raise ValueError(f"a {name} with {len(tiles)} tiles")


def read_numbers_by_seat(values: Sequence[int], players: int) -> BySeat[int]:
    """Return one number for each seat. Raises ``ValueError`` for a wrong count or type. A record of
    three players may have a fourth number, which must be 0."""
    fits = len(values) == players or (len(values) == len(SEATS) and not any(values[players:]))
    if not fits or not all(isinstance(value, int) for value in values):
        raise ValueError(f"these are not numbers for {players} seats: {values}")
    return tuple(values[:players])


def fill_four_slots(values: Sequence[_T], nothing: _T) -> list[_T]:
    """Return the values by seat, with `nothing` added for the missing fourth player. Tenhou's
    formats always have four slots. The opposite of `read_numbers_by_seat`."""
    return [*values, *[nothing] * (len(SEATS) - len(values))]


def read_player_names(value: object, players: int) -> tuple[str, ...]:
    """Return the names of the players; empty if the value is not a list of names. A record of three
    players may have a fourth name."""
    if not isinstance(value, list) or len(value) not in (players, len(SEATS)):
        return ()
    return tuple([name if isinstance(name, str) else "" for name in value[:players]])


class RecordedHand(msgspec.Struct, frozen=True):
    """One recorded hand, with a complete wall that deals its tiles."""

    number: int
    """Number of the hand in the file, from 0."""
    kyoku: int
    """0 is East 1, 4 South 1."""
    honba: int
    kyotaku: int | None
    scores: BySeat[int] | None
    """Sticks and scores are None if the record does not contain them."""
    dora_marker: int
    tehais: Rows
    """The 13 tiles dealt to each seat, sorted."""
    wall: bytes
    events: tuple[RecordedEvent, ...]
    places: tuple[int, ...]
    """The place of each event in the file, counted in `RecordedGame.unit`."""
    scores_after: tuple[tuple[int, BySeat[int]], ...] = ()
    """Scores within the hand: the number of the event, and the scores after it."""
    indicators: tuple[int, ...] | None = None
    """All indicators that were open at the end, if the record does not contain when they were
    turned."""
    contradictions: tuple[tuple[int, str], ...] = ()
    """Contradictions of the record about copies of a tile, which the engine does not distinguish:
    after how many events, and what contradicts."""
    knows_ura: bool = False
    """The wall has the recorded ura indicators, whether or not a winner has shown them."""
    broken_off: str = ""
    """The reason why the record ends before the hand does; empty if it does not."""


class OwnMark(msgspec.Struct, frozen=True):
    """The rules and the seed that this site writes into its records. Other programs ignore them."""

    rules: RuleSet
    seed: bytes
    """Empty if the record has none."""
    json: dict[str, Any]
    """The mark as the record has it, with the proof of the walls if there is one."""


class BadHand(msgspec.Struct, frozen=True):
    """A hand that cannot be read, and the reason."""

    number: int
    fault: str
    is_cut_off: bool = False
    """The record ends within this hand."""


class CutOff(ValueError):
    """The record ends within the hand."""


class RecordedGame(msgspec.Struct, frozen=True):
    """One recorded game."""

    format: str
    unit: str
    """The unit of `RecordedHand.places`: elements, lines."""
    rules: RuleSet
    hands: tuple[RecordedHand | BadHand, ...]
    other_rules: tuple[RuleSet, ...] = ()
    """Other possible rules, which only the end of the game can tell apart."""
    versions: Versions = ()
    """The versions of the rules by which the game may have been played, including `rules`, in the
    order of preference; empty if there are none."""
    event_types: frozenset[type] = ALL_EVENT_TYPES
    """The types of events that this record contains."""
    names: tuple[str, ...] = ()
    """The names of the players by seat, as the record has them; empty if it has none."""
    is_over: bool = False
    """The record contains the end of the game."""
    final_scores: BySeat[int] | None = None
    final_points: tuple[float, ...] | None = None
    """Final points of each seat in thousands, with uma and oka."""
    plays_on: str = ""
    """The reason why the game may continue after these rules end it; empty if it may not."""
    own_rules: str = ""
    """The reason why the game may have been played by unknown rules; empty if there is none."""
    unknown: frozenset[str] = frozenset()
    """What the whole record leaves out, of "kan_dora" and "scores"."""
    may_omit_sticks: bool = False
    """The payments of wins may leave out the riichi sticks, as some writers of this format do."""
    coarse_yaku: dict[str, str] = {}
    """Yaku ids of the engine for which the record has only a more general name."""
    mark: OwnMark | None = None
    """The mark from which `rules` and the walls are; None in a record of another program."""


def engine_event(recorded: RecordedEvent, table: Table) -> Event:
    """Convert a recorded event to an event of the engine. `table` is the table before the event."""
    if isinstance(recorded, RecordedWin):
        return _won_event(recorded, table)
    if isinstance(recorded, RecordedDraw):
        return _hand_drawn_event(recorded, table)
    return recorded


def _won_event(win: RecordedWin, table: Table) -> Won:
    taken = table.drawn if win.actor == win.target else table.claimed
    deltas = win.deltas or (0,) * len(table.scores)
    return Won(
        actor=win.actor,
        target=win.target,
        pai=taken if win.pai is None else win.pai,
        tehai=table.hands[win.actor].tiles if win.tehai is None else win.tehai,
        uradora_markers=win.ura or (),
        yaku=win.yaku or (),
        fan=win.fan or 0,
        fu=win.fu or 0,
        yakuman=int(win.yakuman or 0),
        limit=win.limit or "",
        points=win.points or 0,
        liable=-1 if win.liable is None else win.liable,
        deltas=deltas,
        scores=win.scores or _add_scores(table.scores, deltas),
    )


def _hand_drawn_event(draw: RecordedDraw, table: Table) -> HandDrawn:
    deltas = draw.deltas or (0,) * len(table.scores)
    shown = tuple([row or () for row in draw.tehais or ((),) * len(table.scores)])
    return HandDrawn(
        reason=draw.reason or "exhaustive",
        tehais=shown,
        tenpais=tuple(map(bool, shown)),
        deltas=deltas,
        scores=draw.scores or _add_scores(table.scores, deltas),
        foul=draw.foul or "",
        offenders=draw.offenders or (),
    )


def _add_scores(scores: BySeat[int], deltas: BySeat[int]) -> BySeat[int]:
    return tuple([now + delta for now, delta in zip(scores, deltas, strict=True)])
