"""Any input to a table's socket gets a documented answer or ends the connection. The table does not
change, and the other clients get nothing."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from game.tables.room import Commit
from tests.hostile.conftest import TargetTable
from tests.hostile.messages import EXTREME_TEXTS, TEXTS, to_json
from tests.hostile.raw_client import CLOSE, CONTINUATION, PING, TEXT, RawClient, frame, handshake
from tests.web.players import own_origin
from tests.web.tables import commits_of

KNOWN: Final = frozenset(
    {"bad_json", "bad_message", "unknown_type", "too_large", "too_fast", "illegal", "not_seated"}
    | {"no_talk", "no_help"}
)
"""Error codes that blame the message, not the server."""
ANSWERS: Final = frozenset(
    {"sync", "ack", "stale", "error", "pong", "study", "chat", "seat_sockets", "absent"}
)
CLOSES: Final = frozenset({4400, 4413, 4429})
FUZZING: Final = settings(
    max_examples=int(os.environ.get("HOSTILE_EXAMPLES", "30")),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TURN: Final = 0
"""The seat on turn; its player does nothing in these tests."""


@contextmanager
def connect_to(target: TargetTable, seat: int | None) -> Iterator[ClientConnection]:
    headers = {} if seat is None else {"Cookie": target.people[seat].cookie}
    with connect(
        target.url,
        additional_headers=headers,
        origin=Origin(own_origin(target.url)),
        ping_interval=None,
        proxy=None,
        close_timeout=1,
    ) as socket:
        yield socket


def read_log(target: TargetTable) -> list[Commit]:
    """Return the commits of the table, but for those that show whose sockets are closed."""
    commits = asyncio.run(commits_of(target.running_site.redis.url, target.table_id))
    return [commit for commit in commits if commit.absent_since is None]


def exchange(socket: ClientConnection, messages: list[str]) -> tuple[list[Any], int | None]:
    """Send the messages; return all answers, and the close code if the server disconnects."""
    answers = []
    try:
        for message in messages:
            socket.send(message)
        socket.send('{"t":"ping","seq":0,"at":7777}')
        while True:
            answers.append(json.loads(socket.recv(timeout=60)))
            if answers[-1]["t"] == "pong" and answers[-1]["at"] == 7777:
                return answers, None
    except ConnectionClosed as closed:
        return answers, closed.rcvd.code if closed.rcvd is not None else 1006


def read_kinds(socket: ClientConnection) -> Iterator[str]:
    """Yield the kinds of the frames that have arrived."""
    with suppress(TimeoutError):
        while True:
            yield json.loads(socket.recv(timeout=0.3))["t"]


@pytest.mark.parametrize("seat", [2, None], ids=["out of turn", "a spectator"])
def test_fuzzed_messages_change_nothing(target: TargetTable, seat: int | None) -> None:
    before = read_log(target)
    with connect_to(target, TURN) as bystander:
        bystander.send('{"t":"hello","seq":0}')
        assert json.loads(bystander.recv(timeout=60))["t"] == "sync"

        @FUZZING
        @given(st.lists(TEXTS | EXTREME_TEXTS, min_size=1, max_size=4))
        def fuzz(messages: list[str]) -> None:
            harmless = [text for text in messages if '"vote"' not in text and '"say"' not in text]
            with connect_to(target, seat) as socket:
                answers, code = exchange(socket, harmless)
            assert {frame["t"] for frame in answers} <= ANSWERS | {"spectators"}
            codes = {frame["code"] for frame in answers if frame["t"] == "error"}
            assert codes <= KNOWN
            assert code in CLOSES or code is None

        fuzz()
        assert set(read_kinds(bystander)) <= {"spectators", "seat_sockets", "absent"}
    assert read_log(target) == before


FORGED: Final = [
    {"t": "act", "cid": "0-1", "q": 1, "a": {"type": "none"}},
    {"t": "act", "cid": "0-1", "q": 1, "a": {"type": "hora"}},
    {"t": "act", "cid": "k", "q": 9_999_999, "a": {"type": "confirm"}},
    {"t": "act", "cid": "k", "q": 1, "a": {"type": "dahai", "pai": "1m", "tsumogiri": True}},
    {"t": "act", "cid": "k", "q": 1, "seat": 0, "a": {"type": "none"}},
    {"t": "hello", "seq": 0, "you": 0},
    {"t": "report", "line": "t1-0"},
    {"t": "resume"},
]


@pytest.mark.parametrize("seat", [1, None], ids=["another seat", "a spectator"])
def test_forged_messages_are_refused_each_time(target: TargetTable, seat: int | None) -> None:
    before = read_log(target)
    for forged in FORGED:
        with connect_to(target, seat) as socket:
            answers, code = exchange(socket, [to_json(forged)] * 3)
        refusals = [frame for frame in answers if frame["t"] in ("error", "stale")]
        assert refusals or forged == {"t": "resume"}, answers
        assert code in CLOSES or code is None
        assert not [frame for frame in answers if frame["t"] == "ack"]
    assert read_log(target) == before


BROKEN: Final[dict[str, bytes]] = {
    "not masked": frame(b"{}", masked=False),
    "a reserved bit": frame(b"{}", reserved=4),
    "an unknown opcode": frame(b"{}", 3),
    "an unknown control frame": frame(b"", 11),
    "a continuation of nothing": frame(b"{}", CONTINUATION),
    "a message within a message": frame(b"{", final=False) + frame(b"{}"),
    "a ping in parts": frame(b"x", PING, final=False),
    "a ping that is too long": frame(b"x" * 126, PING),
    "a close of one byte": frame(b"\x03", CLOSE),
    "a close with an invalid code": frame(b"\x00\x01", CLOSE),
    "no UTF-8": frame(b"\xff\xfe\xfd"),
    "half a character": frame(b"\xe3\x81"),
    "an endless frame": frame(b"x", stated_length=2**63 - 1),
    "a frame of a megabyte": frame(b"x" * 1_000_000),
    "a message of a megabyte in parts": frame(b"x" * 60_000, final=False)
    + frame(b"x" * 60_000, CONTINUATION, final=False) * 16,
}


@pytest.mark.parametrize("how", BROKEN)
async def test_broken_framing_ends_the_connection(target: TargetTable, how: str) -> None:
    client = await RawClient.open_websocket(target.url, cookie=target.people[1].cookie)
    try:
        await client.send(BROKEN[how])
        assert await client.is_disconnected(5.0)
    finally:
        client.abort()


BROKEN_REQUESTS: Final = [
    b"",
    b"GET / HTTP/1.1\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
    b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
    b"POST /play/ HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /play/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 2_000 + b"\r\n",
]


async def test_server_answers_after_noise_and_broken_requests(target: TargetTable) -> None:
    rng = Random(5)
    opening = handshake(target.url)
    noise = [
        *BROKEN_REQUESTS,
        *(rng.randbytes(rng.randrange(1, 3_000)) for _ in range(20)),
        *(opening[: rng.randrange(len(opening))] for _ in range(10)),
        *(_damage(opening, rng) for _ in range(20)),
    ]
    clients = [await RawClient.connect(target.url) for _ in noise]
    in_websocket = [await RawClient.open_websocket(target.url) for _ in range(20)]
    try:
        for client, data in zip(clients, noise, strict=True):
            await client.send(data)
        for client in in_websocket:
            await client.send(_damage(frame(b'{"t":"hello","seq":0}', TEXT), rng))
        await asyncio.sleep(0.3)
        assert await asyncio.to_thread(_kind_of_first_frame, target) == "sync"
    finally:
        for client in (*clients, *in_websocket):
            client.abort()


def _damage(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.randbytes(rng.randrange(1, 5)) + data[at + 1 :]


def _kind_of_first_frame(target: TargetTable) -> str:
    with connect_to(target, TURN) as socket:
        socket.send('{"t":"hello","seq":0}')
        return str(json.loads(socket.recv(timeout=60))["t"])
