"""Players at human pace: websocket clients that think, discard what they draw, and take
the time until the others have seen it.

They read of a frame only what they need, so that little of what is measured is their own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from tests.web.players import own_origin

OWN_TURN_S: Final = (1.0, 2.0)
OPEN_TILE_S: Final = (0.2, 0.8)
"""Between these a player thinks."""
PING_EVERY_S: Final = 10.0
_PREFERRED: Final = ("hora", "none", "confirm")


class Happened(msgspec.Struct):
    """What is read of an event."""

    type: str
    actor: int = -1


class Frame(msgspec.Struct):
    """What is read of a frame."""

    t: str
    seq: int = 0
    q: int = 0
    e: list[Happened] = []
    legal: list[dict[str, Any]] = []
    text: str = ""


_frame: Final = msgspec.json.Decoder(Frame)
_text: Final = msgspec.json.Encoder()


class Measured:
    """What the players of a site have seen together, while it counts."""

    def __init__(self) -> None:
        self.counts = False
        self.discards = 0
        self.waits: list[float] = []
        """Seconds from a discard to its receipt, one for each other seat."""


class Seated:
    """One player. `sent_at` is shared by the table: by seat, when it last sent a discard."""

    def __init__(self, seat: int, sent_at: list[float], measured: Measured, rng: Random) -> None:
        self._seat = seat
        self._sent_at = sent_at
        self._measured = measured
        self._rng = rng
        self._seq = 0
        self._q = 0
        self._thinking: asyncio.Task[None] | None = None

    async def play(self, url: str, cookie: str, sat_down: asyncio.Event) -> None:
        """Sit down and play until cancelled."""
        async with connect(
            url,
            additional_headers={"Cookie": cookie},
            origin=Origin(own_origin(url)),
            compression=None,
            ping_interval=None,
            proxy=None,
        ) as socket:
            await socket.send('{"t":"hello","seq":0}')
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._ping(socket))
                async for text in socket:
                    self._take_in(_frame.decode(text), socket, tasks)
                    sat_down.set()
                raise ConnectionError(f"the server has closed a socket: {socket.close_code}")

    async def _ping(self, socket: ClientConnection) -> None:
        while True:
            await asyncio.sleep(PING_EVERY_S)
            await socket.send(f'{{"t":"ping","seq":{self._seq},"at":0}}')

    def _take_in(self, frame: Frame, socket: ClientConnection, tasks: asyncio.TaskGroup) -> None:
        if frame.t == "error":
            raise ValueError(f"a player is refused: {frame.text}")
        if frame.t not in ("ev", "sync"):
            return
        self._seq, is_new = frame.seq, frame.q != self._q
        self._q = frame.q
        for event in frame.e:
            if event.type == "dahai" and event.actor != self._seat and self._measured.counts:
                self._measured.waits.append(time.perf_counter() - self._sent_at[event.actor])
        if frame.legal and (is_new or self._thinking is None or self._thinking.done()):
            self._thinking = tasks.create_task(self._answer(frame.q, frame.legal, socket))

    async def _answer(
        self, q: int, legal: Sequence[dict[str, Any]], socket: ClientConnection
    ) -> None:
        action = chosen(legal)
        is_open_tile = action["type"] == "none"
        await asyncio.sleep(self._rng.uniform(*(OPEN_TILE_S if is_open_tile else OWN_TURN_S)))
        if q != self._q:
            return
        act = {"t": "act", "cid": f"{self._seat}-{q}", "q": q, "a": action}
        if action["type"] == "dahai":
            self._sent_at[self._seat] = time.perf_counter()
            self._measured.discards += self._measured.counts
        await socket.send(_text.encode(act).decode())


def chosen(legal: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Win, let go by, look on; else discard what was drawn, or the last tile."""
    for action in legal:
        if action["type"] in _PREFERRED:
            return action
    return [action for action in legal if action["type"] == "dahai"][-1]
