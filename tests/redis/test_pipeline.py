"""The pipeline sends commands in batches, and each caller gets the reply to its own command."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import hiredis
import pytest
from redis.exceptions import (
    ConnectionError,
    InvalidResponse,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,
)

from game.redis.clients import connect
from game.redis.errors import ProcessLate
from game.redis.pipeline import Pipeline
from tests.infra.nginx import certificate
from tests.kit.processes import RedisServer

pytestmark = pytest.mark.asyncio


async def test_replies_match_commands_in_order(redis_url: str) -> None:
    redis = connect(redis_url)
    pipeline = Pipeline(redis)
    replies = await asyncio.gather(*(pipeline.call("RPUSH", "list", n) for n in range(50)))
    assert replies == list(range(1, 51))
    assert await pipeline.call("LRANGE", "list", 0, -1) == [str(n).encode() for n in range(50)]
    assert await pipeline.calls([]) == []
    await pipeline.stop()
    await redis.aclose()


async def test_every_kind_of_argument_arrives(redis_url: str) -> None:
    redis = connect(redis_url)
    parts = ("text", "ä 東", b"\x00\r\n\xff", b"", -7, 2**53, "x" * 100_000, b"y" * 100_000)
    pipeline = Pipeline(redis)
    await pipeline.call("RPUSH", "parts", *parts)
    stored = await redis.lrange("parts", 0, -1)
    assert stored == [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    await pipeline.stop()
    await redis.aclose()


async def test_refused_command_does_not_affect_others(redis_url: str) -> None:
    redis = connect(redis_url)
    pipeline = Pipeline(redis)
    calls = (
        pipeline.call("SET", "a", 1),
        pipeline.call("LPUSH", "a", 1),
        pipeline.call("GET", "a"),
    )
    replies: list[Any] = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(replies[1], ResponseError)
    assert replies[2] == b"1"
    await pipeline.stop()
    await redis.aclose()


async def test_stopped_pipeline_leaves_no_task_and_no_connection(redis_url: str) -> None:
    redis = connect(redis_url)
    pipeline = Pipeline(redis)
    waits = asyncio.create_task(pipeline.call("BLPOP", "nothing", 1))
    await asyncio.sleep(0.05)
    later = asyncio.create_task(pipeline.call("PING"))
    await asyncio.sleep(0)
    for caller in (waits, later):
        caller.cancel()
    await pipeline.stop()
    await redis.aclose()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_cancelled_caller_does_not_affect_others(redis_url: str) -> None:
    redis = connect(redis_url)
    pipeline = Pipeline(redis)
    given_up = asyncio.create_task(pipeline.call("INCR", "n"))
    waits = asyncio.create_task(pipeline.call("INCR", "n"))
    await asyncio.sleep(0)
    given_up.cancel()
    assert await waits == 2
    await pipeline.stop()
    await redis.aclose()


async def test_broken_connection_fails_the_batch_and_serves_the_next(
    redis_server: RedisServer,
) -> None:
    redis = connect(redis_server.url)
    pipeline = Pipeline(redis)
    await pipeline.call("SET", "a", 1)
    redis_server.kill()
    replies = await asyncio.gather(
        *(pipeline.call("GET", "a") for _ in range(3)), return_exceptions=True
    )
    assert all(isinstance(reply, ConnectionError) for reply in replies)
    redis_server.start()
    assert await pipeline.call("GET", "a") == b"1"
    await pipeline.stop()
    await redis.aclose()


async def test_connection_signs_in_as_its_address_says(redis_server: RedisServer) -> None:
    everybody = connect(redis_server.url)
    await everybody.execute_command("ACL", "SETUSER", "page", "on", ">secret", "~*", "+@all")
    path = redis_server.url.removeprefix("unix://")
    url = f"unix://page:secret@{path}?db=3&client_name=table"
    for signed_in in (url, f"{url}&protocol=3"):
        redis = connect(signed_in)
        pipeline = Pipeline(redis)
        assert await pipeline.call("CLIENT", "GETNAME") == b"table"
        assert await pipeline.call("ACL", "WHOAMI") == b"page"
        assert await pipeline.call("INCR", "n") > 0
        await pipeline.stop()
        await redis.aclose()
    assert await everybody.get("n") is None, "it is in another database"
    for refused in (url.replace("secret", "guessed"), url.replace("db=3", "db=99")):
        redis = connect(refused)
        pipeline = Pipeline(redis)
        with pytest.raises(RedisError):
            await pipeline.call("SET", "refused", 1)
        await pipeline.stop()
        await redis.aclose()
    assert await everybody.get("refused") is None
    await everybody.aclose()


async def test_connection_is_encrypted_for_a_server_whose_certificate_is_trusted(
    tmp_path: Path,
) -> None:
    chain, key = certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain, key)
    async with fake_redis(context) as (url, _):
        url = url.replace("redis://127.0.0.1", "rediss://localhost")
        redis = connect(f"{url}?ssl_ca_certs={chain}")
        pipeline = Pipeline(redis)
        assert await pipeline.call("ECHO", "a") == b"a"
        await pipeline.stop()
        await redis.aclose()
        redis = connect(url)
        pipeline = Pipeline(redis)
        with pytest.raises(ConnectionError, match="certificate"):
            await pipeline.call("ECHO", "a")
        await pipeline.stop()
        await redis.aclose()


async def test_connection_that_ended_while_idle_is_replaced(redis_server: RedisServer) -> None:
    redis = connect(redis_server.url)
    pipeline = Pipeline(redis)
    assert await pipeline.call("ECHO", "a") == b"a"
    redis_server.kill()
    redis_server.start()
    await asyncio.sleep(0.1)
    assert await asyncio.gather(*(pipeline.call("ECHO", word) for word in "bcd")) == [
        b"b",
        b"c",
        b"d",
    ]
    await pipeline.stop()
    await redis.aclose()


async def test_late_replies_after_a_timeout_are_dropped(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("game.redis.held_connection.ANSWER_WITHIN_S", 1.0)
    redis = connect(redis_server.url)
    pipeline = Pipeline(redis)
    await pipeline.call("SET", "a", "late")
    with pause_server(redis_server):
        replies = await asyncio.gather(
            pipeline.call("GET", "a"), pipeline.call("GET", "a"), return_exceptions=True
        )
    assert [type(reply) for reply in replies] == [TimeoutError, TimeoutError]
    assert await pipeline.calls([("ECHO", "b"), ("ECHO", "c")]) == [
        b"b",
        b"c",
    ]
    await pipeline.stop()
    await redis.aclose()


async def test_command_that_timed_out_is_executed_at_most_once(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("game.redis.held_connection.ANSWER_WITHIN_S", 1.0)
    redis = connect(redis_server.url)
    pipeline = Pipeline(redis)
    await pipeline.call("SET", "a", "")
    with pause_server(redis_server), pytest.raises(TimeoutError):
        await pipeline.call("APPEND", "a", b"x" * 20_000_000)
    async with asyncio.timeout(30):
        size = 0
        while not size:  # the rest of the command is still unsent
            with suppress(TimeoutError):
                size = await pipeline.call("STRLEN", "a")
    assert size == 20_000_000
    assert await pipeline.call("APPEND", "a", b"y") == size + 1
    assert not caplog.records
    await pipeline.stop()
    await redis.aclose()


async def test_read_only_reply_opens_a_new_connection(redis_url: str) -> None:
    redis = connect(redis_url)
    pipeline = Pipeline(redis)
    first = await pipeline.call("CLIENT", "ID")
    assert await pipeline.call("CLIENT", "ID") == first
    await pipeline.call("REPLICAOF", "127.0.0.1", 1)
    try:
        with pytest.raises(ReadOnlyError):
            await pipeline.call("SET", "a", 1)
    finally:
        await pipeline.call("REPLICAOF", "NO", "ONE")
    assert await pipeline.call("CLIENT", "ID") != first, (
        "the new connection leads to the present master"
    )
    await pipeline.stop()
    await redis.aclose()


async def test_commands_queued_during_a_failure_use_a_new_connection(redis_url: str) -> None:
    redis = connect(redis_url)
    pipeline = Pipeline(redis)
    mine = await pipeline.call("CLIENT", "ID")
    other = connect(redis_url)
    waits = asyncio.create_task(pipeline.call("BLPOP", "nothing", 0))
    await asyncio.sleep(0.05)
    gathered = asyncio.create_task(pipeline.call("ECHO", "next"))
    await asyncio.sleep(0)
    await other.execute_command("CLIENT", "KILL", "ID", mine)
    with pytest.raises(ConnectionError):
        await waits
    assert await gathered == b"next"
    await pipeline.stop()
    await redis.aclose()
    await other.aclose()


async def test_command_of_a_wrong_type_does_not_affect_others(redis_url: str) -> None:
    redis = connect(redis_url)
    pipeline = Pipeline(redis)
    mine = await pipeline.call("CLIENT", "ID")
    wrong: Any = None
    replies = await asyncio.gather(
        pipeline.call("CLIENT", "ID"), pipeline.call("ECHO", wrong), return_exceptions=True
    )
    assert replies[0] == mine
    assert isinstance(replies[1], TypeError)
    await pipeline.stop()
    await redis.aclose()


async def test_unrequested_reply_is_dropped() -> None:
    async with fake_redis() as (url, fake):
        redis = connect(url)
        pipeline = Pipeline(redis)
        assert await pipeline.call("ECHO", "a") == b"a"
        fake.adds = b"$4\r\nmore\r\n"
        assert await pipeline.call("ECHO", "b") == b"b", "another reply follows"
        fake.adds = b""
        for word in ("c", "d"):
            assert await pipeline.call("ECHO", word) == word.encode()
        await pipeline.stop()
        await redis.aclose()


async def test_push_message_is_no_reply(redis_url: str) -> None:
    redis = connect(f"{redis_url}{'&' if '?' in redis_url else '?'}protocol=3")
    other = connect(redis_url)
    pipeline = Pipeline(redis)
    for word in ("a", "b"):
        await pipeline.call("CLIENT", "TRACKING", "ON")
        await pipeline.call("GET", "tracked")
        await other.set("tracked", word)
        await asyncio.sleep(0.05)
        assert await pipeline.call("GET", "tracked") == word.encode()
    await pipeline.stop()
    await redis.aclose()
    await other.aclose()


async def test_malformed_reply_does_not_shift_later_replies() -> None:
    async with fake_redis() as (url, fake):
        redis = connect(url)
        pipeline = Pipeline(redis)
        fake.may_go_on.clear()
        replies = await pipeline.try_all([("ZADD", "word"), ("ECHO", "a")], within_s=1)
        assert [type(reply) for reply in replies] == [InvalidResponse, InvalidResponse]
        later = asyncio.create_task(pipeline.calls([("ECHO", "b"), ("ECHO", "c")]))
        await asyncio.wait([later], timeout=0.1)
        fake.may_go_on.set()
        assert await later == [b"b", b"c"]
        await pipeline.stop()
        await redis.aclose()


@contextmanager
def pause_server(server: RedisServer) -> Iterator[None]:
    server.pause()
    try:
        yield
    finally:
        server.resume()


class FakeServer:
    """A server that answers each command with its last word, or as the test sets it."""

    def __init__(self) -> None:
        self.is_silent = False
        self.adds = b""
        self.may_go_on = asyncio.Event()
        """While this event is cleared, a connection is silent after a reply to ZADD."""
        self.may_go_on.set()
        self.serving: set[asyncio.Task[Any]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.serving.add(task)
        commands = hiredis.Reader(notEnoughData=None)
        while data := await reader.read(1000):
            commands.feed(data)
            while command := commands.gets():
                word: Any = command[-1]
                answer = b"+OK\r\n" if command[0] == b"CLIENT" else b"$%d\r\n%s\r\n"
                if b"%" in answer:
                    answer = answer % (len(word), word) + self.adds
                if not self.is_silent:
                    writer.write(answer)
                if command[0] == b"ZADD":
                    await self.may_go_on.wait()
        writer.close()


@asynccontextmanager
async def fake_redis(
    context: ssl.SSLContext | None = None,
) -> AsyncIterator[tuple[str, FakeServer]]:
    fake = FakeServer()
    server = await asyncio.start_server(fake.serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0", fake
        await asyncio.wait(fake.serving)


async def test_batch_that_takes_too_long_is_an_error(redis_url: str) -> None:
    redis = connect(redis_url)
    pipeline = Pipeline(redis)
    with pytest.raises(TimeoutError):
        await pipeline.call("BLPOP", "nothing", 0)
    assert await pipeline.call("PING"), "a new connection serves the next command"
    await pipeline.stop()
    await redis.aclose()


async def test_time_in_which_the_process_cannot_run_is_not_charged_to_redis(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pipeline, "is_of_cluster", True)
    monkeypatch.setattr("game.redis.pipeline._MAX_LATE_S", 0.5)
    redis = connect(redis_url)
    pipeline = Pipeline(redis)
    await pipeline.call("SET", "a", 1)
    asyncio.get_running_loop().call_soon(time.sleep, 0.3)
    assert await pipeline.try_all([("GET", "a")], within_s=0.2) == [b"1"]
    (never,) = await pipeline.try_all([("BLPOP", "nothing", 0)], within_s=0.2)
    assert isinstance(never, TimeoutError)
    assert not isinstance(never, ProcessLate), "the process was punctual"
    asyncio.get_running_loop().call_soon(time.sleep, 0.6)
    (never,) = await pipeline.try_all([("BLPOP", "nothing", 0)], within_s=0.2)
    assert isinstance(never, ProcessLate)
    await pipeline.stop()
    await redis.aclose()
