"""Spectators of one table: ``python -m bench.spectators ADDRESS COUNT``.

They run in a process of their own, so that their CPU time does not delay the measured players.
Prints `READY` when all have connected. Then reads one line of JSON: for the number of each question
the time when a player received its frame, in seconds since the epoch. Prints how much later
spectators received it, and ends.
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
from bench.socket_clients import Counts, SpectatorClient, closing_reasons, keep_pinging, open_socket

_CONNECTED_AT_ONCE: Final = 10
"""Sockets that are opened at the same time."""
_NICENESS: Final = 10
"""The server and the players have priority."""
_QUESTION_ID: Final = re.compile(rb'"q":(\d+)')
READY: Final = "ready"


class Spectator(SpectatorClient):
    """Notes when the first frame of each question arrives."""

    def __init__(self, counts: Counts) -> None:
        super().__init__(counts)
        self.received_at: dict[int, float] = {}

    def take(self, payload: bytes) -> None:
        super().take(payload)
        if payload.startswith(b'{"t":"ev"') and (asks := _QUESTION_ID.search(payload)):
            self.received_at.setdefault(int(asks[1]), time.time())


async def watch(url: str, count: int) -> None:
    """Connect, watch until a line of input comes, and print the figures."""
    counts = Counts()
    clients = [Spectator(counts) for _ in range(count)]
    new = iter(clients)

    async def connect() -> None:
        for client in new:
            await open_socket(url, "", client)

    await asyncio.gather(*(connect() for _ in range(_CONNECTED_AT_ONCE)))
    pings = asyncio.create_task(keep_pinging(clients))
    print(READY, flush=True)
    players = json.loads(await asyncio.to_thread(sys.stdin.readline))
    pings.cancel()
    late_s = [
        client.received_at[q] - at
        for q, at in ((int(q), at) for q, at in players.items())
        for client in clients
        if q in client.received_at
    ]
    found = {
        "frames": len(late_s),
        "median_s": report.percentile(late_s, 0.5),
        "p99_s": report.percentile(late_s, 0.99),
        "ended": closing_reasons(clients),
    }
    print(json.dumps(found), flush=True)


def main(arguments: Sequence[str]) -> None:
    url, count = arguments
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.nice(_NICENESS)
    asyncio.run(watch(url, int(count)))


if __name__ == "__main__":
    main(sys.argv[1:])
