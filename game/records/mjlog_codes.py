"""Decodes the numbers of an mjlog: tiles 0..135 and the codes of calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from game.engine.state import SEATS_OF
from game.engine.tiles import KINDS, NO_TILE
from game.records.recorded import Call, call_from_mjai

_RED_FIVE_NUMBERS: Final = (16, 52, 88)
_CHI_BIT, _PON_BIT, _ADDED_KAN_BIT, _NORTH_BIT = 4, 8, 16, 32
NORTH_SET_ASIDE: Final = "kita"


def tile_from_number(number: int, has_reds: bool) -> int:
    """Convert a tile number of Tenhou (0..135) to a tile of the engine."""
    if not 0 <= number < 4 * KINDS:
        raise ValueError(f"there is no tile {number}")
    return number // 4 * 2 + (has_reds and number in _RED_FIVE_NUMBERS)


def tiles_from_numbers(numbers: Iterable[int], has_reds: bool) -> list[int]:
    return [tile_from_number(number, has_reds) for number in numbers]


def parse_numbers(text: str) -> list[int]:
    """Return the integers of a comma-separated list; an empty text gives an empty list."""
    return [int(part) for part in text.split(",")] if text else []


def read_seat(text: str, players: int) -> int:
    """Return the seat as an integer. Raises ``ValueError`` if the table has no such seat."""
    seat = int(text)
    if seat not in SEATS_OF[players]:
        raise ValueError(f"there is no seat {seat}")
    return seat


class MjlogMeld(NamedTuple):
    """A call decoded from its number in an mjlog. Tiles are Tenhou's, 0 to 135."""

    name: str
    """The name of the call in mjai."""
    offset: int
    """Offset from the caller to the seat called from: 1 is the next seat, 0 the caller itself."""
    called: int
    """The called or added tile, or the north set aside; -1 in a closed kan."""
    rest: tuple[int, ...]
    """The other tiles of the meld; for an added kan those of the pon."""

    @property
    def from_hand(self) -> tuple[int, ...]:
        """Tiles of the call that leave the caller's hand."""
        return (self.called,) if self.name in ("kakan", NORTH_SET_ASIDE) else self.rest


def decode_meld(code: int) -> MjlogMeld:
    """Decode the integer that an mjlog writes for a call."""
    offset = code % 4
    if code & _CHI_BIT:
        run, place = divmod(code >> 10, 3)
        low = run // 7 * 9 + run % 7
        tiles = [4 * (low + number) + (code >> (3 + 2 * number)) % 4 for number in range(3)]
        return MjlogMeld("chi", offset, tiles.pop(place), tuple(tiles))
    if code & (_PON_BIT | _ADDED_KAN_BIT):
        kind, place = divmod(code >> 9, 3)
        left_out = 4 * kind + (code >> 5) % 4
        tiles = [4 * kind + copy for copy in range(4) if 4 * kind + copy != left_out]
        if not code & _PON_BIT:
            return MjlogMeld("kakan", offset, left_out, tuple(tiles))
        return MjlogMeld("pon", offset, tiles.pop(place), tuple(tiles))
    if code & _NORTH_BIT:
        return MjlogMeld(NORTH_SET_ASIDE, 0, code >> 8, ())
    called = code >> 8
    tiles = [called // 4 * 4 + copy for copy in range(4)]
    if not offset:
        return MjlogMeld("ankan", offset, -1, tuple(tiles))
    tiles.remove(called)
    return MjlogMeld("daiminkan", offset, called, tuple(tiles))


def pon_code_of_kan(code: int) -> int:
    """Return the code of the pon that the added kan with this code extends."""
    return code & ~_ADDED_KAN_BIT | _PON_BIT


def call_event(seat: int, meld: MjlogMeld, has_reds: bool) -> Call:
    """Return the engine's event for a call by this seat."""
    pai = NO_TILE if meld.name == "ankan" else tile_from_number(meld.called, has_reds)
    rest = tiles_from_numbers(meld.rest, has_reds)
    return call_from_mjai(meld.name, seat, (seat + meld.offset) % 4, pai, rest)


def decode_meld_tiles(codes: Iterable[int], has_reds: bool) -> tuple[tuple[int, ...], ...]:
    """Return the sorted tiles of each meld, without norths set aside."""
    melds = [decode_meld(code) for code in codes]
    return tuple(
        sorted(_meld_tiles(meld, has_reds) for meld in melds if meld.name != NORTH_SET_ASIDE)
    )


def _meld_tiles(meld: MjlogMeld, has_reds: bool) -> tuple[int, ...]:
    called = [] if meld.name == "ankan" else [meld.called]
    return tuple(sorted(tiles_from_numbers((*called, *meld.rest), has_reds)))
