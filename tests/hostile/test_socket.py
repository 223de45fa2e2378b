"""Whatever a stranger sends to a table's socket is answered clearly or ends the connection; the
table stays as it was, and nobody at it hears of it."""

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
from tests.hostile.conftest import Place
from tests.hostile.messages import EDGES, TEXTS, written
from tests.hostile.stranger import CLOSE, CONTINUATION, PING, TEXT, Stranger, frame, handshake
from tests.web.players import own_origin
from tests.web.tables import commits_of

KNOWN: Final = frozenset(
    {"bad_json", "bad_message", "unknown_type", "too_large", "too_fast", "illegal", "not_seated"}
    | {"no_talk", "no_help"}
)
"""What may be wrong with a message; never the server itself."""
ANSWERS: Final = frozenset({"sync", "ack", "stale", "error", "pong", "study", "said", "windows"})
CLOSES: Final = frozenset({4400, 4413, 4429})
FUZZING: Final = settings(
    max_examples=int(os.environ.get("HOSTILE_EXAMPLES", "30")),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TURN: Final = 0
"""The seat on turn: whose player does nothing here."""


@contextmanager
def socket_of(place: Place, seat: int | None) -> Iterator[ClientConnection]:
    headers = {} if seat is None else {"Cookie": place.people[seat].cookie}
    with connect(
        place.url,
        additional_headers=headers,
        origin=Origin(own_origin(place.url)),
        ping_interval=None,
        proxy=None,
        close_timeout=1,
    ) as socket:
        yield socket


def log_of(place: Place) -> list[Commit]:
    return asyncio.run(commits_of(place.served.redis.url, place.table_id))


def answers_to(socket: ClientConnection, messages: list[str]) -> tuple[list[Any], int | None]:
    """All that comes back, and the code if the server closes."""
    heard = []
    try:
        for message in messages:
            socket.send(message)
        socket.send('{"t":"ping","seq":0,"at":7777}')
        while True:
            heard.append(json.loads(socket.recv(timeout=10)))
            if heard[-1]["t"] == "pong" and heard[-1]["at"] == 7777:
                return heard, None
    except ConnectionClosed as closed:
        return heard, closed.rcvd.code if closed.rcvd is not None else 1006


def heard_by(socket: ClientConnection) -> Iterator[str]:
    """The kinds of frames that have come by now."""
    with suppress(TimeoutError):
        while True:
            yield json.loads(socket.recv(timeout=0.3))["t"]


@pytest.mark.parametrize("seat", [2, None], ids=["out of turn", "a watcher"])
def test_no_message_out_of_turn_changes_anything(place: Place, seat: int | None) -> None:
    before = log_of(place)
    with socket_of(place, TURN) as bystander:
        bystander.send('{"t":"hello","seq":0}')
        assert json.loads(bystander.recv(timeout=10))["t"] == "sync"

        @FUZZING
        @given(st.lists(TEXTS | EDGES, min_size=1, max_size=4))
        def fuzz(messages: list[str]) -> None:
            harmless = [text for text in messages if '"vote"' not in text and '"say"' not in text]
            with socket_of(place, seat) as socket:
                heard, code = answers_to(socket, harmless)
            assert {frame["t"] for frame in heard} <= ANSWERS | {"watchers"}
            codes = {frame["code"] for frame in heard if frame["t"] == "error"}
            assert codes <= KNOWN
            assert code in CLOSES or code is None

        fuzz()
        assert set(heard_by(bystander)) <= {"watchers", "windows"}
    assert log_of(place) == before


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


@pytest.mark.parametrize("seat", [1, None], ids=["another seat", "a watcher"])
def test_what_is_forged_and_replayed_is_refused_each_time(place: Place, seat: int | None) -> None:
    before = log_of(place)
    for forged in FORGED:
        with socket_of(place, seat) as socket:
            heard, code = answers_to(socket, [written(forged)] * 3)
        told = [frame for frame in heard if frame["t"] in ("error", "stale")]
        assert told or forged == {"t": "resume"}, heard
        assert code in CLOSES or code is None
        assert not [frame for frame in heard if frame["t"] == "ack"]
    assert log_of(place) == before


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
    "a close with no code": frame(b"\x00\x01", CLOSE),
    "no UTF-8": frame(b"\xff\xfe\xfd"),
    "half a character": frame(b"\xe3\x81"),
    "an endless frame": frame(b"x", says_length=2**63 - 1),
    "a frame of a megabyte": frame(b"x" * 1_000_000),
    "a message of a megabyte in parts": frame(b"x" * 60_000, final=False)
    + frame(b"x" * 60_000, CONTINUATION, final=False) * 16,
}


@pytest.mark.parametrize("how", BROKEN)
async def test_broken_framing_ends_the_connection(place: Place, how: str) -> None:
    one = await Stranger.in_socket(place.url, cookie=place.people[1].cookie)
    try:
        await one.say(BROKEN[how])
        assert await one.is_turned_away(5.0)
    finally:
        one.go()


HALF_SAID: Final = [
    b"",
    b"GET / HTTP/1.1\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
    b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
    b"POST /play/ HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /play/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 2_000 + b"\r\n",
]


async def test_noise_and_half_sentences_leave_the_server_answering(place: Place) -> None:
    rng = Random(5)
    opening = handshake(place.url)
    noise = [
        *HALF_SAID,
        *(rng.randbytes(rng.randrange(1, 3_000)) for _ in range(20)),
        *(opening[: rng.randrange(len(opening))] for _ in range(10)),
        *(_damaged(opening, rng) for _ in range(20)),
    ]
    strangers = [await Stranger.at(place.url) for _ in noise]
    inside = [await Stranger.in_socket(place.url) for _ in range(20)]
    try:
        for stranger, data in zip(strangers, noise, strict=True):
            await stranger.say(data)
        for stranger in inside:
            await stranger.say(_damaged(frame(b'{"t":"hello","seq":0}', TEXT), rng))
        await asyncio.sleep(0.3)
        assert await asyncio.to_thread(_first_frame, place) == "sync"
    finally:
        for stranger in (*strangers, *inside):
            stranger.go()


def _damaged(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.randbytes(rng.randrange(1, 5)) + data[at + 1 :]


def _first_frame(place: Place) -> str:
    with socket_of(place, TURN) as socket:
        socket.send('{"t":"hello","seq":0}')
        return str(json.loads(socket.recv(timeout=5))["t"])
