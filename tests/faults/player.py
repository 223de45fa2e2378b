"""A player who keeps to the protocol whatever happens to their connection.

What was not acknowledged is sent again under its id, at whatever server answers. Remembers what
was asked of the house, so that its books can be compared with the table's log.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.frames import Frame, Opcode

from tests.web.players import AGAIN_AFTER_S, Client

SILENCE_S: Final = 10.0
"""After which a connection on which nothing comes is taken for dead."""
ARRIVES_WITHIN_S: Final = 2.0
"""Or else another server is tried. A page does so after eight seconds, of some 25 that a player has
at least; here a player has five."""
KNOWN_FAULTS: Final = frozenset({"unavailable"})
"""What a player may be told while something is broken."""

Cut = Literal["", "half a frame", "after the frame"]


@dataclass
class Steadfast(Client):
    """Plays to the end of the game."""

    urls: list[str] = field(default_factory=list)
    """The servers; the next one is tried when one does not answer."""
    sends_twice: bool = False
    cut_next: Cut = ""
    """How the connection breaks at the next message."""
    sent: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What was asked for, by command id."""
    connections: int = 0
    complaints: list[str] = field(default_factory=list)
    """What the server should never have said."""
    slowest_ms: int = 0
    """From when an answer's time began to run until the question was here."""
    _is_to_repeat: bool = False

    @property
    def is_in_step(self) -> bool:
        return self._in_step and self.view is not None

    def _take_in(self, frame: dict[str, Any]) -> None:
        if frame["t"] == "error":
            if frame["code"] not in KNOWN_FAULTS:
                self.complaints.append(json.dumps(frame))
            elif self._pending is not None and frame.get("cid") == self._pending["cid"]:
                self._is_to_repeat = True
                return
        super()._take_in(frame)
        self.frames.clear()
        if frame["t"] == "ev" and frame["clock"] is not None and frame["legal"]:
            late = time.time() * 1000 - frame["clock"]["asked_at"]
            self.slowest_ms = max(self.slowest_ms, int(late))

    async def play(self, *, until_seq: int | None = None) -> None:
        self.keeps_pace = True
        while not self.has_ended:
            try:
                if self.socket is None:
                    await self._come_back()
                else:
                    await self._one_step()
            except (ConnectionClosed, OSError, InvalidHandshake, TimeoutError, EOFError):
                await self._lose()
                await asyncio.sleep(AGAIN_AFTER_S)

    async def _come_back(self) -> None:
        self.url = self.urls[self.connections % len(self.urls)]
        self.connections += 1
        async with asyncio.timeout(ARRIVES_WITHIN_S):
            await self.open()
            await self.until("sync")
        if self._pending is not None:
            await self.send(self._pending)

    async def _lose(self) -> None:
        if self.socket is not None:
            self.socket.transport.abort()
        self.socket = None
        self._in_step = False

    async def _one_step(self) -> None:
        answer = self.next_answer()
        if answer is not None:
            self.sent[answer["cid"]] = answer
            await self._say(answer)
        elif self._is_to_repeat and self._pending is not None:
            self._is_to_repeat = False
            await asyncio.sleep(AGAIN_AFTER_S)
            await self.send(self._pending)
        await self.receive(SILENCE_S)
        await self.beat()

    async def _say(self, answer: dict[str, Any]) -> None:
        assert self.socket is not None
        if self.cut_next:
            frame = Frame(Opcode.TEXT, json.dumps(answer).encode()).serialize(mask=True)
            whole = self.cut_next == "after the frame"
            self.cut_next = ""
            self.socket.transport.write(frame if whole else frame[: len(frame) // 2])
            if whole:
                await asyncio.sleep(0)
            raise ConnectionResetError("cut by the test")
        await self.send(answer)
        if self.sends_twice:
            await self.send(answer)


class Deaf(Client):
    """Is sent everything and reads nothing, until told to listen."""

    async def sit(self) -> None:
        await self.open()
        assert self.socket is not None
        self.socket.transport.pause_reading()

    async def listen(self, *, until_seq: int) -> None:
        """Read what has come, without a gap, up to there or to where the server has given up."""
        assert self.socket is not None
        self.socket.transport.resume_reading()
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            while self.seq < until_seq:
                await self.receive(SILENCE_S)
