"""Watchers of one table, in a process of their own: ``python -m bench.spectators ADDRESS COUNT``.

So what they take of a processor, and how long they are at work with a frame, is not that of the
players who are measured. Says when all have come; told to, leaves and says how late the frames
came.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import sys
import time
from collections.abc import Sequence
from typing import Final

from bench import report
from bench.clients import Counts, Watching, come, ended, keep_pinging

_AT_ONCE: Final = 10
"""Sockets that are being opened."""
_UNHURRIED: Final = 10
"""Niceness: the server and the players come first."""
_NOW: Final = re.compile(rb'"now":(\d+)')
HERE: Final = "here"


class Spectator(Watching):
    """Notes how late each frame of events is here, by the server's own clock."""

    def __init__(self, counts: Counts, late_s: list[float]) -> None:
        super().__init__(counts)
        self._late_s = late_s

    def take(self, payload: bytes) -> None:
        super().take(payload)
        if payload.startswith(b'{"t":"ev"') and (made := _NOW.search(payload)):
            self._late_s.append(time.time() - int(made[1]) / 1000)


async def watch(url: str, count: int) -> None:
    """Come, watch until told to go, and say how it was."""
    counts, late_s = Counts(), list[float]()
    crowd = [Spectator(counts, late_s) for _ in range(count)]
    to_come = iter(crowd)

    async def usher() -> None:
        for who in to_come:
            await come(url, "", who)

    await asyncio.gather(*(usher() for _ in range(_AT_ONCE)))
    pings = asyncio.create_task(keep_pinging(crowd))
    print(HERE, flush=True)
    late_s.clear()
    await asyncio.to_thread(sys.stdin.readline)
    pings.cancel()
    half, slow = report.percentile(late_s, 0.5), report.percentile(late_s, 0.99)
    found = {"frames": len(late_s), "half_s": half, "slow_s": slow, "ended": ended(crowd)}
    print(json.dumps(found), flush=True)


def main(arguments: Sequence[str]) -> None:
    url, count = arguments
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.nice(_UNHURRIED)
    asyncio.run(watch(url, int(count)))


if __name__ == "__main__":
    main(sys.argv[1:])
