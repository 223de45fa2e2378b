"""Plays people's bots at the socket of bots, in a process of their own.

``python -m bench.bot_players`` reads ``{"url", "tokens"}`` from stdin, connects one bot for each
token, prints `READY`, and answers every question at once until the process is ended. The bots win
when they can, pass on calls, and discard the drawn tile.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any, Final

import websockets

READY: Final = "ready"


def choose(options: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a win if there is one, else a pass, else the discard of the drawn tile."""
    for action_type in ("hora", "none"):
        for option in options:
            if option["type"] == action_type:
                return option
    discards = [option for option in options if option["type"] == "dahai"]
    return next((discard for discard in discards if discard["tsumogiri"]), discards[-1])


async def play(url: str, token: str, connected: asyncio.Event) -> None:
    """Connect one bot, set `connected`, and answer every question at once."""
    headers = {"Authorization": f"Bearer {token}"}
    async with websockets.connect(url, additional_headers=headers, open_timeout=60) as socket:
        async for text in socket:
            frame = json.loads(text)
            connected.set()
            if frame["type"] == "request_action":
                answer = choose(frame["possible_actions"])
                await socket.send(json.dumps({**answer, "request_id": frame["request_id"]}))


async def main() -> None:
    """Connect the bots one after the other, print `READY`, and play."""
    job = json.loads(sys.stdin.readline())
    events = [asyncio.Event() for _ in job["tokens"]]
    async with asyncio.TaskGroup() as group:
        for token, connected in zip(job["tokens"], events, strict=True):
            group.create_task(play(job["url"], token, connected))
            await connected.wait()
        print(READY, flush=True)


if __name__ == "__main__":
    asyncio.run(main())
