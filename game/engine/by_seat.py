"""Values with one entry for each seat, in the order of the seats.

Owns the types of such values and makes them from sequences. Must not know what the entries mean.
"""

from __future__ import annotations

from collections.abc import Sequence

FourInts = tuple[int, int, int, int]
FourRows = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""A row of tiles for each seat."""
FourBytes = tuple[bytes, bytes, bytes, bytes]
FourTexts = tuple[str, str, str, str]


def ints_by_seat(values: Sequence[int]) -> FourInts:
    """Turn four numbers into a tuple of known length."""
    east, south, west, north = values
    return east, south, west, north


def bytes_by_seat(values: Sequence[bytes]) -> FourBytes:
    """Turn four byte strings into a tuple of known length."""
    east, south, west, north = values
    return east, south, west, north


def rows_by_seat(rows: Sequence[tuple[int, ...]]) -> FourRows:
    """Turn four rows of tiles into a tuple of known length."""
    east, south, west, north = rows
    return east, south, west, north
