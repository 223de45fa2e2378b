"""Puts the draws and discards of tenhou.net/6, told seat by seat, in the order of the hand.

After a discard the next to act is whoever has a call that fits it as its next entry, else the
right neighbour. A call may fit two equal discards of a hand, so all ways are tried until one
uses up every entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    Drawn,
    KakanDeclared,
    PonCalled,
    RiichiDeclared,
)
from game.engine.state import SEATS
from game.records.tenhou6_tiles import tile_of, tiles_of

_DRAWN_TILE: Final = 60
_AFTER_CALLED_KAN: Final = (0, _DRAWN_TILE)
_FROM_LEFT, _FROM_ACROSS, _FROM_RIGHT = 3, 2, 1

Call = ChiCalled | PonCalled | DaiminkanCalled
Kan = AnkanDeclared | KakanDeclared
Move = Drawn | Discarded | RiichiDeclared | Call | Kan


class _State(NamedTuple):
    """Where the hand stands, with everything told up to here."""

    took: tuple[int, ...]
    threw: tuple[int, ...]
    seat: int
    """Whose turn it is."""
    moves: tuple[Move, ...]
    is_over: bool = False
    """Every entry is used up."""


def in_order(
    dealer: int,
    hands: Sequence[Sequence[int]],
    takes: Sequence[Sequence[Any]],
    throws: Sequence[Sequence[Any]],
) -> list[Move]:
    """The moves of the hand. Raises ``ValueError`` if there is no such order."""
    return _Order(hands, takes, throws).found(dealer)


class _Order:
    def __init__(
        self,
        hands: Sequence[Sequence[int]],
        takes: Sequence[Sequence[Any]],
        throws: Sequence[Sequence[Any]],
    ) -> None:
        self.hands = hands
        self.takes = [[_take(seat, entry) for entry in takes[seat]] for seat in SEATS]
        self.throws = throws
        self.farthest = -1
        self.stuck = ""

    def found(self, dealer: int) -> list[Move]:
        """Tries the ways in turn; the last choice is taken back first."""
        nothing = (0, 0, 0, 0)
        open_states = [_State(nothing, nothing, dealer, ())]
        while open_states:
            state = open_states.pop()
            if state.is_over:
                return list(state.moves)
            try:
                open_states += reversed(list(self._after(state)))
            except ValueError as error:
                if len(state.moves) > self.farthest:
                    self.farthest = len(state.moves)
                    self.stuck = f"move {len(state.moves)}, seat {state.seat}: {error}"
        raise ValueError(f"the draws and discards fit no order; {self.stuck}")

    def _after(self, state: _State) -> Iterator[_State]:
        """What may have followed, the likeliest first."""
        took, threw = list(state.took), list(state.threw)
        seat, moves = state.seat, list(state.moves)
        is_replacement = False
        while True:
            taken = self._next(self.takes[seat], took, seat)
            if taken is None:
                yield self._used_up(took, threw, seat, moves)
                return
            if isinstance(taken, Drawn):
                moves.append(Drawn(seat, taken.pai, is_replacement))
            else:
                moves.append(taken)
            drawn = taken.pai if isinstance(taken, Drawn) else None
            thrown = self._next(self.throws[seat], threw, seat)
            if isinstance(taken, DaiminkanCalled):
                if thrown not in _AFTER_CALLED_KAN:
                    raise ValueError(f"{thrown!r} stands where a called kan has no discard")
                is_replacement = True
                continue
            if thrown is None:
                yield self._used_up(took, threw, seat, moves)
                return
            told = self._thrown(seat, thrown, drawn, moves)
            moves += told
            if isinstance(told[-1], Discarded):
                break
            is_replacement = True
        yield from self._takers(seat, moves, tuple(took), tuple(threw))

    def _takers(
        self, seat: int, moves: list[Move], took: tuple[int, ...], threw: tuple[int, ...]
    ) -> Iterator[_State]:
        """Who may act after the last discard: those whose call fits, then the neighbour."""
        discard = moves[-1]
        told = tuple(moves)
        neighbour = (seat + 1) % 4
        for other in (neighbour, (seat + 2) % 4, (seat + 3) % 4):
            if took[other] < len(self.takes[other]):
                entry = self.takes[other][took[other]]
                if isinstance(entry, Drawn):
                    continue
                if (entry.target, entry.pai) == (seat, _tile(discard)):
                    yield _State(took, threw, other, told)
        entries = self.takes[neighbour][took[neighbour] :]
        if not entries or isinstance(entries[0], Drawn):
            yield _State(took, threw, neighbour, told)

    def _used_up(
        self, took: Sequence[int], threw: Sequence[int], seat: int, moves: Sequence[Move]
    ) -> _State:
        """The end of the hand. Raises ``ValueError`` if anything is left over."""
        for other in SEATS:
            left = len(self.takes[other]) - took[other], len(self.throws[other]) - threw[other]
            if any(left):
                raise ValueError(f"{left[0]} draws and {left[1]} discards of seat {other} are left")
        return _State(tuple(took), tuple(threw), seat, tuple(moves), True)

    @staticmethod
    def _next(entries: Sequence[Any], used: list[int], seat: int) -> Any:
        if used[seat] == len(entries):
            return None
        used[seat] += 1
        return entries[used[seat] - 1]

    def _thrown(
        self, seat: int, entry: Any, drawn: int | None, moves: Sequence[Move]
    ) -> list[Move]:
        """What an entry of the discards tells: a discard, with riichi, or a kan."""
        if isinstance(entry, str) and not entry.startswith("r"):
            return [_own_kan(seat, entry)]
        riichi: list[Move] = [RiichiDeclared(seat)] if isinstance(entry, str) else []
        number = int(entry[1:]) if isinstance(entry, str) else entry
        if number == _DRAWN_TILE:
            if drawn is None:
                raise ValueError("the drawn tile is discarded, but none was drawn")
            return [*riichi, Discarded(seat, drawn, True)]
        tile = tile_of(number)
        # Some writers name a drawn tile that is discarded.
        tsumogiri = tile == drawn and tile not in self._held(seat, moves[:-1])
        return [*riichi, Discarded(seat, tile, tsumogiri)]

    def _held(self, seat: int, moves: Sequence[Move]) -> list[int]:
        """The concealed tiles of the seat after these moves."""
        tiles = list(self.hands[seat])
        for move in moves:
            if isinstance(move, RiichiDeclared) or move.actor != seat:
                continue
            match move:
                case Drawn(pai=pai):
                    tiles.append(pai)
                case Discarded(pai=pai) | KakanDeclared(pai=pai):
                    _drop(tiles, pai)
                case ChiCalled() | PonCalled() | DaiminkanCalled() | AnkanDeclared():
                    for tile in move.consumed:
                        _drop(tiles, tile)
        return tiles


def _drop(tiles: list[int], tile: int) -> None:
    if tile in tiles:
        tiles.remove(tile)


def _tile(move: Move) -> int:
    return move.pai if isinstance(move, Discarded) else -1


def _take(seat: int, entry: Any) -> Drawn | Call:
    """A draw, or a call with the tiles that it takes."""
    if isinstance(entry, int):
        return Drawn(seat, tile_of(entry))
    if not isinstance(entry, str):
        raise ValueError(f"seat {seat} draws {entry!r}")
    letter, at, tiles = _split(entry)
    pai, consumed = tiles[at // 2], tuple(sorted(tiles[: at // 2] + tiles[at // 2 + 1 :]))
    match letter, at, consumed:
        case "c", 0, (one, two):
            return ChiCalled(seat, (seat + _FROM_LEFT) % 4, pai, (one, two))
        case "p", 0 | 2 | 4, (one, two):
            return PonCalled(seat, _target(seat, at), pai, (one, two))
        case "m", 0 | 2 | 6, (one, two, three):
            return DaiminkanCalled(seat, _target(seat, at), pai, (one, two, three))
    raise ValueError(f"unknown call {entry!r}")


def _own_kan(seat: int, entry: str) -> Kan:
    letter, at, tiles = _split(entry)
    match letter, tuple(sorted(tiles)):
        case "a", (one, two, three, four):
            return AnkanDeclared(seat, (one, two, three, four))
        case "k", _ if len(tiles) == 4:
            one, two, three = sorted(tiles[: at // 2] + tiles[at // 2 + 1 :])
            return KakanDeclared(seat, tiles[at // 2], (one, two, three))
    raise ValueError(f"unknown entry among the discards: {entry!r}")


def _split(entry: str) -> tuple[str, int, list[int]]:
    """The letter of a call, its place, and all the tiles."""
    letters = [at for at, sign in enumerate(entry) if sign.isalpha()]
    if len(letters) != 1:
        raise ValueError(f"unknown call {entry!r}")
    (at,) = letters
    return entry[at], at, tiles_of(entry[:at] + entry[at + 1 :])


def _target(seat: int, at: int) -> int:
    """Whose tile it is, by the place of the letter: left, across, right."""
    offset = {0: _FROM_LEFT, 2: _FROM_ACROSS}.get(at, _FROM_RIGHT)
    return (seat + offset) % 4
