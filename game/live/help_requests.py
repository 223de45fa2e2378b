"""The answers to `study` of one process: worked out beside its event loop, and remembered."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec

from game.analysis.help import Study
from game.analysis.seat_help import SeatView, study

REMEMBERED: Final = 512
"""Answers of some hundred tables."""

_encoder: Final = msgspec.json.Encoder()


class HelpCache:
    """Each answer is worked out once, one after the other.

    Most take a tenth of a millisecond, a hand full of one suit some tens. In a thread of their
    own they keep no table waiting for longer than the interpreter takes to change threads, and
    being one at a time they leave it half of the processor at least.
    """

    def __init__(self, remembered: int = REMEMBERED) -> None:
        self._remembered = remembered
        self._frames: dict[SeatView, str] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="study")

    async def frame(self, seen: SeatView) -> str:
        """The frame that answers whoever sees that."""
        known = self._frames.get(seen)
        if known is not None:
            return known
        found = await asyncio.get_running_loop().run_in_executor(self._thread, _frame, seen)
        self._frames[seen] = found
        while len(self._frames) > self._remembered:
            del self._frames[next(iter(self._frames))]
        return found


def encode_study(answer: Study) -> str:
    """Return the frame that carries this answer."""
    return _encoder.encode(answer).decode()


def _frame(seen: SeatView) -> str:
    return encode_study(study(seen))
