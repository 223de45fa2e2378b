"""The walls of Tenhou, derived from the seed in a record.

The seed initialises a Mersenne twister by its array routine. Each hand uses 288 of its 32-bit
numbers, which SHA-512 turns into 144 numbers in nine blocks. These numbers shuffle the tiles in
play, from the first place upward. The layouts are those of `game.engine.wall`.
"""

from __future__ import annotations

import base64
import binascii
from hashlib import sha512
from random import Random
from struct import unpack
from typing import Final

from game.engine.tiles import KINDS, NOT_IN_PLAY

SEED_PREFIX: Final = "mt19937ar-sha512-n288-base64,"
_STATE: Final = 624
_TAKEN: Final = 288
_BLOCK_BYTES: Final = 4 * 32


class TenhouWalls:
    """The walls of a game one after another, in Tenhou's tiles 0..135."""

    def __init__(self, seed: str, players: int) -> None:
        """Read the seed of a record. Raises ``ValueError`` if the text is not a seed."""
        try:
            key = base64.b64decode(seed.removeprefix(SEED_PREFIX), validate=True)
        except binascii.Error as error:
            raise ValueError(f"the seed of the walls is damaged: {error}") from None
        # Python seeds its twister with the words of a number, without zeros at the end.
        if not seed.startswith(SEED_PREFIX) or len(key) != 4 * _STATE or not any(key[-4:]):
            raise ValueError(f"the seed of the walls is not {_STATE} numbers")
        self._twister = Random(int.from_bytes(key, "little"))
        missing = NOT_IN_PLAY[players]
        self._tiles = [tile for tile in range(4 * KINDS) if not missing >> tile // 4 & 1]

    def next_wall(self) -> list[int]:
        """Return the wall of the next hand."""
        numbers = self._twister.getrandbits(32 * _TAKEN).to_bytes(4 * _TAKEN, "little")
        digest = b"".join(
            sha512(numbers[at : at + _BLOCK_BYTES]).digest()
            for at in range(0, len(numbers), _BLOCK_BYTES)
        )
        chosen = unpack(f"<{len(digest) // 4}I", digest)
        wall = list(self._tiles)
        for at in range(len(wall) - 1):
            other = at + chosen[at] % (len(wall) - at)
            wall[at], wall[other] = wall[other], wall[at]
        return wall
