"""Clients of a table's websocket that follow `docs/protocol.md`.

They fold `sync` and `ev` into a view, check every sequence number, answer with an offered
action, and keep every frame.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin
from xiangting import PlayerCount, calculate_replacement_number

from tests.web.folding import View, differences, fold
from tests.web.short_forms import full_clock, full_legal_of
from tests.web.wall_pages import fold_wall, wall_messages

Action = dict[str, Any]

KINDS = [*(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)), *"ESWNPFC"]
ANSWER_WITHIN_S = 60.0
AGAIN_AFTER_S = 0.1
RESEND_AFTER_S = 2.0
MESSAGES_PER_S = 7.0
BURST = 8
"""Messages that a client may send at once. The server takes twenty, of which `hello` counts as
four; the rest may arrive together after a stall."""


def own_origin(url: str) -> str:
    """Return the Origin header of pages of that server."""
    return "http://" + urlsplit(url).netloc


def choose_at_random(client: Client) -> Action:
    """Win if possible, call or declare riichi in half of the cases, else discard any tile."""
    return _win_or_call(client, 0.5) or client.rng.choice(_passive(client.legal) or client.legal)


def choose_to_win(client: Client) -> Action:
    """Win if possible, discard for the least shanten, declare riichi, and seldom call."""
    declared = _win_or_call(client, 0.2)
    if declared is not None:
        return declared
    if riichi := [action for action in client.legal if action["type"] == "reach"]:
        return client.rng.choice(riichi)
    discards = _passive(client.legal) or list(client.legal)
    client.rng.shuffle(discards)
    return min(discards, key=lambda action: _distance(client, action))


def _win_or_call(client: Client, chance: float) -> Action | None:
    """Return a win if there is one; with that probability a call, kan or riichi."""
    for action in client.legal:
        if action["type"] == "hora":
            return action
    passive = _passive(client.legal)
    calls = [action for action in client.legal if action not in passive]
    return client.rng.choice(calls) if calls and client.rng.random() < chance else None


def _passive(offered: list[Action]) -> list[Action]:
    return [action for action in offered if action["type"] in ("dahai", "none", "confirm")]


def _distance(client: Client, action: Action) -> int:
    """Return the shanten of the hand after that discard."""
    if action["type"] != "dahai":
        return 0
    assert client.view is not None
    assert client.you is not None
    drawn = client.view["drawn"]
    tiles = [*client.view["hands"][client.you]["tiles"], *([drawn] if drawn else [])]
    tiles.remove(action["pai"])
    counts = [0] * len(KINDS)
    for tile in tiles:
        counts[KINDS.index(tile[:2])] += 1
    return calculate_replacement_number(counts, PlayerCount.FOUR)


@dataclass
class Client:
    """One browser tab at a table."""

    url: str
    """The address to connect to, with the version of the protocol. It may change between
    connections."""
    cookie: str = ""
    origin: str = ""
    """The origin of the page; by default that of the server."""
    seed: int = 0
    choose: Callable[[Client], Action] = choose_at_random
    frames: list[str] = field(default_factory=list)
    """All received frames, over all connections."""
    syncs_compared: int = 0
    seq: int = 0
    q: int = 0
    you: int | None = None
    view: View | None = None
    legal: list[dict[str, Any]] = field(default_factory=list)
    clock: dict[str, int] | None = None
    time_control: dict[str, int] = field(default_factory=dict)
    errors: list[dict[str, Any]] = field(default_factory=list)
    stale: int = 0
    windows: int = 1
    """The last received number of sockets of the person at the seat."""
    absent: list[bool] = field(default_factory=list)
    """By seat, whose players have no connection."""
    acknowledged: set[str] = field(default_factory=set)
    """The ids of the commands that the server has carried out."""
    keeps_pace: bool = False
    """Send fewer messages than the server takes for a flood."""
    close_code: int | None = None
    socket: ClientConnection | None = None
    takes_part: bool = True
    """Take part in the draw of the wall, if there is one."""
    reveals: bool = True
    """Reveal the bytes of the draw after having committed to them."""
    wall: dict[str, Any] | None = None
    """The draw of the wall, as received."""
    _pending: dict[str, Any] | None = None
    _sent_at: float = 0.0
    _counter: int = 0
    _is_synced: bool = False
    _acknowledged_seq: int = 0
    _sends: deque[float] = field(default_factory=lambda: deque(maxlen=BURST))

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    @property
    def has_ended(self) -> bool:
        return self.view is not None and self.view["phase"] == "ended"

    async def open(self) -> None:
        """Connect and send `hello`."""
        await self.open_silently()
        await self.send({"t": "hello", "seq": self.seq})

    async def open_silently(self) -> None:
        """Connect without sending `hello`."""
        headers = {"Cookie": self.cookie} if self.cookie else {}
        self.socket = await connect(
            self.url,
            additional_headers=headers,
            origin=Origin(self.origin or own_origin(self.url)),
            max_size=None,
            ping_interval=None,
            proxy=None,
        )
        self._is_synced = False
        self._sends.clear()  # the server counts the messages of each socket

    async def cut(self) -> None:
        """Break the connection without a close frame."""
        if self.socket is not None:
            self.socket.transport.abort()
            await self.socket.wait_closed()
            self.socket = None

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()
            self.socket = None

    async def send(self, message: dict[str, Any]) -> None:
        assert self.socket is not None
        if self.keeps_pace:
            await self._wait_for_rate()
        with self._noting_close_code():
            await self.socket.send(json.dumps(message))

    async def _wait_for_rate(self) -> None:
        now = asyncio.get_running_loop().time()
        if len(self._sends) == self._sends.maxlen:
            free_at = self._sends[0] + len(self._sends) / MESSAGES_PER_S
            if free_at > now:
                await asyncio.sleep(free_at - now)
                now = free_at
        self._sends.append(now)

    async def receive(self, within_s: float = ANSWER_WITHIN_S) -> dict[str, Any]:
        """Return the next frame, after applying it."""
        assert self.socket is not None
        with self._noting_close_code():
            async with asyncio.timeout(within_s):
                text = await self.socket.recv()
        assert isinstance(text, str)
        self.frames.append(text)
        frame: dict[str, Any] = json.loads(text)
        self._apply_frame(frame)
        if self.takes_part:
            for message in wall_messages(self):
                if self.reveals or message["t"] != "wall_reveal":
                    await self.send(message)
        return frame

    @contextmanager
    def _noting_close_code(self) -> Iterator[None]:
        try:
            yield
        except ConnectionClosed:
            self.close_code = None if self.socket is None else self.socket.close_code
            raise

    async def until(self, kind: str) -> dict[str, Any]:
        """Return the next frame of that kind, after applying it and those before it."""
        while True:
            frame = await self.receive()
            if frame["t"] == kind:
                return frame

    def _apply_frame(self, frame: dict[str, Any]) -> None:
        match frame["t"]:
            case "sync":
                self._apply_sync(frame)
            case "ev":
                self._apply_event(frame)
            case "ack":
                self.acknowledged.add(frame["cid"])
                self._settle(frame)
            case "stale":
                self.stale += 1
                self._settle(frame)
            case "error":
                self.errors.append(frame)
                self._settle(frame)
            case "seat_sockets":
                self.windows = frame["count"]
            case "absent":
                self.absent = frame["seats"]
            case "pong" | "study" | "spectators" | "chat" | "reported":
                pass
            case unknown:
                raise AssertionError(f"a frame that the protocol does not name: {unknown}")

    def _settle(self, frame: dict[str, Any]) -> None:
        """Forget the pending answer once the server has acknowledged or refused it."""
        if self._pending is not None and self._pending["cid"] == frame.get("cid"):
            self._pending = None

    def _apply_sync(self, frame: dict[str, Any]) -> None:
        if self.view is not None and frame["seq"] == self.seq:
            found = differences(self.view, frame["view"])
            assert not found, f"the folded view differs from the sent one: {found}"
            assert frame["q"] == self.q
            assert full_legal_of(frame, frame["view"], self.you) == self.legal
            self.syncs_compared += 1
        self._is_synced = True
        self.view, self.seq, self.you = frame["view"], frame["seq"], frame["you"]
        self.time_control = frame["time_control"]
        self.wall = frame.get("wall")  # an older server does not send this field
        self._note_question(frame)

    def _apply_event(self, frame: dict[str, Any]) -> None:
        if not self._is_synced:
            return
        assert self.view is not None
        first = frame["seq"] - len(frame["e"])
        assert first == self.seq, f"a gap: at {self.seq}, sent {first}..{frame['seq']}"
        self.view = fold(self.view, frame["e"])
        for event in frame["e"]:
            self.wall = fold_wall(self.wall, event)
        if self.you is not None:
            self.view["hands"][self.you]["furiten"] = frame.get("furiten", False)
        self.seq = frame["seq"]
        self._note_question(frame)

    def _note_question(self, frame: dict[str, Any]) -> None:
        assert self.view is not None
        self.q = frame["q"]
        self.legal = full_legal_of(frame, self.view, self.you)
        self.clock = full_clock(frame.get("clock"), self.time_control)
        if self._pending is not None and self._pending["q"] < self.q:
            self._pending = None

    def next_answer(self) -> dict[str, Any] | None:
        """Return the answer to the open question; None without one, or if the answer was sent."""
        if not self.legal or self._pending is not None or not self._is_synced:
            return None
        self._counter += 1
        action = self.choose(self)
        self._pending = {"t": "act", "cid": f"{self.you}-{self._counter}", "q": self.q, "a": action}
        return self._pending

    async def play(self, *, until_seq: int | None = None) -> None:
        """Answer every question until the game ends, or until `until_seq` events are seen.
        Reconnect when the connection breaks."""
        while not self.has_ended and (until_seq is None or self.seq < until_seq):
            self.keeps_pace = True
            try:
                if self.socket is None:
                    await self.open()
                    if self._pending is not None:
                        await self.send(self._pending)
                await self._one_step()
            except (ConnectionClosed, OSError, InvalidHandshake, TimeoutError):
                self.socket = None
                await asyncio.sleep(AGAIN_AFTER_S)

    async def _one_step(self) -> None:
        answer = self.next_answer()
        if answer is not None:
            await self.send(answer)
            self._sent_at = asyncio.get_running_loop().time()
        frame = await self.receive(RESEND_AFTER_S * 5)
        if frame["t"] == "error" and frame["code"] == "unavailable":
            await asyncio.sleep(AGAIN_AFTER_S)
        await self.beat()

    async def beat(self) -> None:
        """Acknowledge every fifty events."""
        if self.seq - self._acknowledged_seq >= 50:
            self._acknowledged_seq = self.seq
            await self.send({"t": "ping", "seq": self.seq, "at": 0})


NewClient = Callable[..., Client]
"""Makes a client (url, cookie, and details) that does not outlive its test."""
