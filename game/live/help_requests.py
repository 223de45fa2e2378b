"""Computes answers to `study` in a thread, and caches them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec

from game.analysis.study import SeatView, study
from game.analysis.study_answer import Study

REMEMBERED: Final = 512
"""The number of answers that are cached: enough for some hundred tables."""

_encoder: Final = msgspec.json.Encoder()


class HelpCache:
    """Computes each answer once, one after the other.

    Most take 0.1 ms, a hand of one suit some 10 ms. In one thread they delay the event loop only by
    the interpreter's switch interval and leave it at least half of the processor.
    """

    def __init__(self, remembered: int = REMEMBERED) -> None:
        self._remembered = remembered
        self._frames: dict[SeatView, str] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="study")

    async def frame(self, seen: SeatView) -> str:
        """Return the frame that answers a seat with that view."""
        known = self._frames.get(seen)
        if known is not None:
            return known
        found = await asyncio.get_running_loop().run_in_executor(self._thread, _frame, seen)
        self._frames[seen] = found
        while len(self._frames) > self._remembered:
            del self._frames[next(iter(self._frames))]
        return found


def encode_study(answer: Study) -> str:
    """Return the frame with this answer."""
    return _encoder.encode(answer).decode()


def _frame(seen: SeatView) -> str:
    return encode_study(study(seen))
