"""Bots of people at the socket of bots, in a process of their own: ``python -m bench.bot_players``
reads ``{"url", "tokens"}`` from stdin, connects, prints `READY`, and answers at once until it ends.

They win when they can, pass on calls, and discard what they draw.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any, Final

import websockets

READY: Final = "ready"


def choose(options: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a win, a pass or the discard of the drawn tile."""
    for wanted in ("hora", "none"):
        for option in options:
            if option["type"] == wanted:
                return option
    discards = [option for option in options if option["type"] == "dahai"]
    return next((discard for discard in discards if discard["tsumogiri"]), discards[-1])


async def play(url: str, token: str, connected: asyncio.Event) -> None:
    """Answer every question at once."""
    headers = {"Authorization": f"Bearer {token}"}
    async with websockets.connect(url, additional_headers=headers, open_timeout=60) as socket:
        async for text in socket:
            frame = json.loads(text)
            connected.set()
            if frame["type"] == "request_action":
                answer = choose(frame["possible_actions"])
                await socket.send(json.dumps({**answer, "request_id": frame["request_id"]}))


async def main() -> None:
    """Connect all bots, report that they are connected, and play."""
    asked = json.loads(sys.stdin.readline())
    events = [asyncio.Event() for _ in asked["tokens"]]
    async with asyncio.TaskGroup() as group:
        for token, connected in zip(asked["tokens"], events, strict=True):
            group.create_task(play(asked["url"], token, connected))
            await connected.wait()
        print(READY, flush=True)


if __name__ == "__main__":
    asyncio.run(main())
