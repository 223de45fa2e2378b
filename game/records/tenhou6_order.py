"""Puts the draws and discards of tenhou.net/6, which are listed by seat, in the order of the hand.

After a discard, a seat acts whose next entry is a call of this tile; if there is none, the next
seat draws. A call may fit two equal discards, so all possibilities are tried until one uses all
entries.
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
    NorthSetAside,
    PonCalled,
    RiichiDeclared,
)
from game.engine.state import SEATS
from game.engine.tiles import NO_TILE, NORTH, kind_of
from game.records.recorded import Call, call_from_mjai

_SUIT_COUNT: Final = 3
_HONOURS_DIGIT: Final = 4
_RED_FIVES_DIGIT: Final = 5


def tile_from_number(number: Any) -> int:
    """Convert a tile number of tenhou.net/6 (such as 11 for 1m, 51 for a red 5m) to a tile of the
    engine."""
    if isinstance(number, int):
        suit, rank = divmod(number, 10)
        if 1 <= suit <= _SUIT_COUNT and 1 <= rank <= 9:
            return 2 * (9 * (suit - 1) + rank - 1)
        if suit == _HONOURS_DIGIT and 1 <= rank <= 7:
            return 2 * (27 + rank - 1)
        if suit == _RED_FIVES_DIGIT and 1 <= rank <= _SUIT_COUNT:
            return 2 * (9 * (rank - 1) + 4) + 1
    raise ValueError(f"there is no tile {number!r}")


def tiles_from_digits(digits: str) -> list[int]:
    """Return the tiles of a text with two digits for each tile."""
    if len(digits) % 2 or not digits.isdecimal():
        raise ValueError(f"there are no tiles {digits!r}")
    return [tile_from_number(int(digits[at : at + 2])) for at in range(0, len(digits), 2)]


_DRAWN_TILE: Final = 60
_AFTER_CALLED_KAN: Final = (0, _DRAWN_TILE)
_FROM_LEFT, _FROM_ACROSS, _FROM_RIGHT = 3, 2, 1
_CALLS_BY_LETTER: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "c": ("chi", (0,)),
    "p": ("pon", (0, 2, 4)),
    "m": ("daiminkan", (0, 2, 6)),
}
"""Calls by their letter, with the places that the letter may have."""

Move = Drawn | Discarded | RiichiDeclared | Call


class _State(NamedTuple):
    """A partial order: the entries used so far, and the moves that they give."""

    used_draws: tuple[int, ...]
    used_discards: tuple[int, ...]
    seat: int
    """The seat on turn."""
    moves: tuple[Move, ...]
    is_over: bool = False
    """All entries are used."""


def order_moves(
    dealer: int,
    hands: Sequence[Sequence[int]],
    draws: Sequence[Sequence[Any]],
    discards: Sequence[Sequence[Any]],
) -> list[Move]:
    """Return the moves of the hand in order, found by depth-first search. Raises ``ValueError`` if
    no order uses all entries."""
    entries = _Entries(
        hands,
        [[_read_draw_or_call(seat, draw) for draw in row] for seat, row in enumerate(draws)],
        discards,
    )
    nothing = (0,) * len(hands)
    open_states = [_State(nothing, nothing, dealer, ())]
    farthest, stuck = -1, ""
    while open_states:
        state = open_states.pop()
        if state.is_over:
            return list(state.moves)
        try:
            open_states += reversed(list(entries.next_states(state)))
        except ValueError as error:
            if len(state.moves) > farthest:
                farthest = len(state.moves)
                stuck = f"move {farthest}, seat {state.seat}: {error}"
    raise ValueError(f"the draws and discards fit no order; {stuck}")


class _Entries(NamedTuple):
    """The entries of the record, by seat."""

    hands: Sequence[Sequence[int]]
    draws: Sequence[Sequence[Drawn | Call]]
    discards: Sequence[Sequence[Any]]

    def next_states(self, state: _State) -> Iterator[_State]:
        """Yield the states that may follow, the likeliest first."""
        used_draws, used_discards = list(state.used_draws), list(state.used_discards)
        seat, moves = state.seat, list(state.moves)
        is_replacement = is_discarded = False
        while not is_discarded:
            taken = self._take_entry(self.draws[seat], used_draws, seat)
            if taken is None:
                break
            drawn = taken.pai if isinstance(taken, Drawn) else None
            moves.append(taken if drawn is None else Drawn(seat, drawn, is_replacement))
            discarded = self._take_entry(self.discards[seat], used_discards, seat)
            is_replacement = True
            if isinstance(taken, DaiminkanCalled):
                if discarded not in _AFTER_CALLED_KAN:
                    raise ValueError(f"{discarded!r}: a called kan has no discard")
                continue
            if discarded is None:
                break
            moves += self._moves_of_discard(seat, discarded, drawn, moves)
            is_discarded = isinstance(moves[-1], Discarded)
        after = _State(tuple(used_draws), tuple(used_discards), seat, tuple(moves))
        if is_discarded:
            yield from self._states_after_discard(after)
        else:
            self._check_all_used(after)
            yield after._replace(is_over=True)

    def _states_after_discard(self, after: _State) -> Iterator[_State]:
        """Yield the states for the seats that may act after the last discard: seats whose next
        entry is a fitting call, then the next seat."""
        seat, discard = after.seat, after.moves[-1]
        players = len(self.hands)
        neighbour = (seat + 1) % players
        for other in [(seat + distance) % players for distance in range(1, players)]:
            if after.used_draws[other] < len(self.draws[other]):
                entry = self.draws[other][after.used_draws[other]]
                if not isinstance(entry, ChiCalled | PonCalled | DaiminkanCalled):
                    continue
                if (entry.target, entry.pai) == (seat, _tile_of_move(discard)):
                    yield after._replace(seat=other)
        entries = self.draws[neighbour][after.used_draws[neighbour] :]
        if not entries or isinstance(entries[0], Drawn):
            yield after._replace(seat=neighbour)

    def _check_all_used(self, state: _State) -> None:
        """Raise ``ValueError`` if any entry is left over."""
        for other in range(len(self.hands)):
            draws = len(self.draws[other]) - state.used_draws[other]
            discards = len(self.discards[other]) - state.used_discards[other]
            if draws or discards:
                raise ValueError(f"{draws} draws and {discards} discards of seat {other} are left")

    @staticmethod
    def _take_entry(entries: Sequence[Any], used: list[int], seat: int) -> Any:
        if used[seat] == len(entries):
            return None
        used[seat] += 1
        return entries[used[seat] - 1]

    def _moves_of_discard(
        self, seat: int, entry: Any, drawn: int | None, moves: Sequence[Move]
    ) -> list[Move]:
        """Return the moves of one entry among the discards: a discard (with or without riichi), or
        an own kan or north."""
        if isinstance(entry, str) and not entry.startswith("r"):
            return [_read_own_call(seat, entry)]
        riichi: list[Move] = [RiichiDeclared(seat)] if isinstance(entry, str) else []
        number = int(entry[1:]) if isinstance(entry, str) else entry
        if number == _DRAWN_TILE:
            if drawn is None:
                raise ValueError("the drawn tile is discarded, but none was drawn")
            return [*riichi, Discarded(seat, drawn, True)]
        tile = tile_from_number(number)
        # Some writers name a drawn tile that is discarded. In riichi it is always the drawn one.
        tsumogiri = tile == drawn and (
            RiichiDeclared(seat) in moves or tile not in self._concealed_tiles(seat, moves[:-1])
        )
        return [*riichi, Discarded(seat, tile, tsumogiri)]

    def _concealed_tiles(self, seat: int, moves: Sequence[Move]) -> list[int]:
        """Return the concealed tiles that the seat holds after these moves."""
        tiles = list(self.hands[seat])
        for move in moves:
            if isinstance(move, RiichiDeclared) or move.actor != seat:
                continue
            match move:
                case Drawn(pai=pai):
                    tiles.append(pai)
                case Discarded(pai=pai) | KakanDeclared(pai=pai) | NorthSetAside(pai=pai):
                    _remove_tile(tiles, pai)
                case ChiCalled() | PonCalled() | DaiminkanCalled() | AnkanDeclared():
                    for tile in move.consumed:
                        _remove_tile(tiles, tile)
        return tiles


def _remove_tile(tiles: list[int], tile: int) -> None:
    if tile in tiles:
        tiles.remove(tile)


def _tile_of_move(move: Move) -> int:
    return move.pai if isinstance(move, Discarded) else -1


def _read_draw_or_call(seat: int, entry: Any) -> Drawn | Call:
    """Return the draw or call of one entry among the draws."""
    if isinstance(entry, int):
        return Drawn(seat, tile_from_number(entry))
    if not isinstance(entry, str):
        raise ValueError(f"seat {seat} draws {entry!r}")
    letter, at, tiles = _split_call(entry)
    name, places = _CALLS_BY_LETTER.get(letter, ("", ()))
    if at not in places:
        raise ValueError(f"unknown call {entry!r}")
    return call_from_mjai(name, seat, _called_seat(seat, at), *_split_called_tile(tiles, at))


def _read_own_call(seat: int, entry: str) -> Call:
    """Return the kan or north of one entry among the discards."""
    letter, at, tiles = _split_call(entry)
    if letter == "f" and len(tiles) == 1 and kind_of(tiles[0]) == NORTH:
        return call_from_mjai("kita", seat, seat, tiles[0], ())
    if letter == "a":
        return call_from_mjai("ankan", seat, seat, NO_TILE, tiles)
    if letter == "k":
        return call_from_mjai("kakan", seat, seat, *_split_called_tile(tiles, at))
    raise ValueError(f"unknown entry among the discards: {entry!r}")


def _split_called_tile(tiles: list[int], at: int) -> tuple[int, list[int]]:
    """Return the tile after the letter of a call, and the other tiles. `at` is the letter's index
    in the entry, in which each tile has two digits."""
    return tiles[at // 2], tiles[: at // 2] + tiles[at // 2 + 1 :]


def _split_call(entry: str) -> tuple[str, int, list[int]]:
    """Return the letter of a call, its index in the entry, and all tiles of the call."""
    letters = [at for at, sign in enumerate(entry) if sign.isalpha()]
    if len(letters) != 1:
        raise ValueError(f"unknown call {entry!r}")
    (at,) = letters
    return entry[at], at, tiles_from_digits(entry[:at] + entry[at + 1 :])


def _called_seat(seat: int, at: int) -> int:
    """Return the seat that discarded the called tile. The letter's text index `at` says whether it
    sits left, across or right. Three players sit as at a table of four."""
    offset = {0: _FROM_LEFT, 2: _FROM_ACROSS}.get(at, _FROM_RIGHT)
    return (seat + offset) % len(SEATS)
