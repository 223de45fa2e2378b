"""The numbers of an mjlog: tiles 0..135 and the code of a call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    DaiminkanCalled,
    KakanDeclared,
    PonCalled,
)
from game.engine.wall import TILES
from game.records.recorded import FourInts

_REDS: Final = (16, 52, 88)
_CHI, _PON, _ADDED, _NORTH = 4, 8, 16, 32

Call = ChiCalled | PonCalled | DaiminkanCalled | AnkanDeclared | KakanDeclared


def tile_of(number: int, has_reds: bool) -> int:
    """The engine's tile for Tenhou's."""
    if not 0 <= number < TILES:
        raise ValueError(f"there is no tile {number}")
    return number // 4 * 2 + (has_reds and number in _REDS)


def tiles_of(numbers: Iterable[int], has_reds: bool) -> list[int]:
    return [tile_of(number, has_reds) for number in numbers]


def numbers(text: str) -> list[int]:
    """The numbers of a list with commas; an empty text is an empty list."""
    return [int(part) for part in text.split(",")] if text else []


def four(values: Sequence[int]) -> FourInts:
    """One value a seat."""
    if len(values) != 4:
        raise ValueError(f"there are {len(values)} values for four seats")
    return values[0], values[1], values[2], values[3]


def call_of(seat: int, code: int, thrown: int, has_reds: bool) -> tuple[Call, bool]:
    """The call of that code, and whether a replacement tile follows. `thrown` is the last
    discard, which any call but a kan of the seat's own takes."""
    target = (seat + code % 4) % 4
    if code & _CHI:
        return _chi(seat, target, code, thrown, has_reds), False
    if code & (_PON | _ADDED):
        kind, called = divmod(code >> 9, 3)
        left_out = 4 * kind + (code >> 5) % 4
        tiles = [4 * kind + copy for copy in range(4) if 4 * kind + copy != left_out]
        if not code & _PON:
            one, two, three = _sorted(tiles, has_reds)
            return KakanDeclared(seat, tile_of(left_out, has_reds), (one, two, three)), True
        pai = _thrown(tiles.pop(called), thrown, has_reds)
        low, high = _sorted(tiles, has_reds)
        return PonCalled(seat, target, pai, (low, high)), False
    if code & _NORTH:
        raise ValueError("a North is set aside, which four players do not do")
    tile = code >> 8
    tiles = [tile // 4 * 4 + copy for copy in range(4)]
    if target == seat:
        one, two, three, four = _sorted(tiles, has_reds)
        return AnkanDeclared(seat, (one, two, three, four)), True
    tiles.remove(tile)
    pai = _thrown(tile, thrown, has_reds)
    one, two, three = _sorted(tiles, has_reds)
    return DaiminkanCalled(seat, target, pai, (one, two, three)), True


def meld_of(code: int, has_reds: bool) -> tuple[int, ...]:
    """The tiles of the meld of that code, sorted."""
    call, _ = call_of(0, code, -1, has_reds)
    tiles = call.consumed if isinstance(call, AnkanDeclared) else (call.pai, *call.consumed)
    return tuple(sorted(tiles))


def _chi(seat: int, target: int, code: int, thrown: int, has_reds: bool) -> ChiCalled:
    run, called = divmod(code >> 10, 3)
    low = run // 7 * 9 + run % 7
    tiles = [4 * (low + number) + (code >> (3 + 2 * number)) % 4 for number in range(3)]
    pai = _thrown(tiles.pop(called), thrown, has_reds)
    one, other = _sorted(tiles, has_reds)
    return ChiCalled(seat, target, pai, (one, other))


def _thrown(number: int, thrown: int, has_reds: bool) -> int:
    if thrown not in (-1, number):
        raise ValueError(f"tile {number} is called, but {thrown} was discarded last")
    return tile_of(number, has_reds)


def _sorted(values: Sequence[int], has_reds: bool) -> list[int]:
    return sorted(tiles_of(values, has_reds))
