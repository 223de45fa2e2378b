"""Clients that keep to the protocol while connections break.

A command without an acknowledgement is sent again with the same id, to whichever server answers.
The player remembers its commands, so that they can be compared with the table's log.
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
"""A connection counts as dead after this time without a frame."""
CONNECT_TIMEOUT_S: Final = 2.0
"""The time after which a player tries the next server. A page waits eight seconds, but its player
has at least 25 seconds to answer; here a player has five."""
ALLOWED_ERRORS: Final = frozenset({"unavailable"})
"""Errors that a player may get while something is broken."""

Cut = Literal["", "half a frame", "after the frame"]


@dataclass
class PersistentPlayer(Client):
    """A player who connects again whenever a connection breaks, to the end of the game."""

    urls: list[str] = field(default_factory=list)
    """The servers; the next one is tried when one does not answer."""
    connect_timeout_s: float = CONNECT_TIMEOUT_S
    sends_twice: bool = False
    cut_next: Cut = ""
    """The way in which the connection breaks at the next command."""
    sent: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The commands sent, by command id."""
    connections: int = 0
    unexpected_errors: list[str] = field(default_factory=list)
    """Error frames that the server should not have sent."""
    slowest_ms: int = 0
    """The longest time from the start of this player's clock until the question arrived."""
    _must_resend: bool = False

    @property
    def is_synced(self) -> bool:
        return self._is_synced and self.view is not None

    def _apply_frame(self, frame: dict[str, Any]) -> None:
        if frame["t"] == "error":
            if frame["code"] not in ALLOWED_ERRORS:
                self.unexpected_errors.append(json.dumps(frame))
            elif self._pending is not None and frame.get("cid") == self._pending["cid"]:
                self._must_resend = True
                return
        super()._apply_frame(frame)
        self.frames.clear()
        if frame["t"] == "ev" and "clock" in frame and "legal" in frame:
            late = time.time() * 1000 - frame["clock"]["asked_at"]
            self.slowest_ms = max(self.slowest_ms, int(late))

    async def play(self, *, until_seq: int | None = None) -> None:
        self.keeps_pace = True
        while not self.has_ended:
            try:
                if self.socket is None:
                    await self._reconnect()
                else:
                    await self._play_step()
            except (ConnectionClosed, OSError, InvalidHandshake, TimeoutError, EOFError):
                self._disconnect()
                await asyncio.sleep(AGAIN_AFTER_S)

    async def _reconnect(self) -> None:
        self.url = self.urls[self.connections % len(self.urls)]
        self.connections += 1
        async with asyncio.timeout(self.connect_timeout_s):
            await self.open()
            await self.until("sync")
        if self._pending is not None:
            await self.send(self._pending)

    def _disconnect(self) -> None:
        if self.socket is not None:
            self.socket.transport.abort()
        self.socket = None
        self._is_synced = False

    async def _play_step(self) -> None:
        answer = self.next_answer()
        if answer is not None:
            self.sent[answer["cid"]] = answer
            await self._send_answer(answer)
        elif self._must_resend and self._pending is not None:
            self._must_resend = False
            await asyncio.sleep(AGAIN_AFTER_S)
            await self.send(self._pending)
        await self.receive(SILENCE_S)
        await self.beat()

    async def _send_answer(self, answer: dict[str, Any]) -> None:
        assert self.socket is not None
        if self.cut_next:
            frame = Frame(Opcode.TEXT, json.dumps(answer).encode()).serialize(mask=True)
            is_whole = self.cut_next == "after the frame"
            self.cut_next = ""
            self.socket.transport.write(frame if is_whole else frame[: len(frame) // 2])
            if is_whole:
                await asyncio.sleep(0)
            raise ConnectionResetError("cut by the test")
        await self.send(answer)
        if self.sends_twice:
            await self.send(answer)


class NonReadingClient(Client):
    """A client that connects and reads nothing until `read_until`."""

    async def connect(self) -> None:
        await self.open()
        assert self.socket is not None
        self.socket.transport.pause_reading()

    async def read_until(self, seq: int) -> None:
        """Read the frames up to that number without a gap, or until the server disconnects."""
        assert self.socket is not None
        self.socket.transport.resume_reading()
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            while self.seq < seq:
                await self.receive(SILENCE_S)
