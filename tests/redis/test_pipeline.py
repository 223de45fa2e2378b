"""The pipeline sends commands in batches, and each caller gets the reply to its own command."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import hiredis
import pytest
from redis.exceptions import (
    ConnectionError,
    InvalidResponse,
    ReadOnlyError,
    ResponseError,
    TimeoutError,
)

from game.redis.clients import connect
from game.redis.errors import ProcessLate
from game.redis.pipeline import Pipeline
from tests.kit.processes import RedisServer

pytestmark = pytest.mark.asyncio


async def test_replies_match_commands_in_order(redis_url: str) -> None:
    redis = connect(redis_url)
    pipeline = Pipeline(redis)
    replies = await asyncio.gather(*(pipeline.call("RPUSH", "list", n) for n in range(50)))
    assert replies == list(range(1, 51))
    assert await pipeline.call("LRANGE", "list", 0, -1) == [str(n).encode() for n in range(50)]
    await redis.aclose()


async def test_every_kind_of_argument_arrives(redis_url: str) -> None:
    redis = connect(redis_url)
    parts = ("text", "ä 東", b"\x00\r\n\xff", b"", -7, 2**53, "x" * 100_000, b"y" * 100_000)
    await Pipeline(redis).call("RPUSH", "parts", *parts)
    stored = await redis.lrange("parts", 0, -1)
    assert stored == [part if isinstance(part, bytes) else str(part).encode() for part in parts]
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
    await redis.aclose()


async def test_late_replies_after_a_timeout_are_dropped(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("game.redis.pipeline.ANSWER_WITHIN_S", 1.0)
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
    await redis.aclose()


async def test_command_that_timed_out_is_executed_at_most_once(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("game.redis.pipeline.ANSWER_WITHIN_S", 1.0)
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
    await redis.aclose()


async def test_callers_are_cancelled_when_the_program_ends() -> None:
    async with fake_redis() as (url, fake):
        fake.is_silent = True
        redis = connect(url)
        pipeline = Pipeline(redis)
        others = asyncio.all_tasks()
        waits = asyncio.create_task(pipeline.call("ECHO", "a"))
        await asyncio.sleep(0.05)
        for task in asyncio.all_tasks() - others - {waits} - fake.serving:
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits
        fake.is_silent = False
        assert await pipeline.call("ECHO", "b") == b"b"
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
    await redis.aclose()
    await other.aclose()


async def test_malformed_reply_does_not_shift_later_replies() -> None:
    async with fake_redis() as (url, fake):
        redis = connect(url)
        pipeline = Pipeline(redis)
        fake.may_go_on.clear()
        replies = await asyncio.gather(
            pipeline.call("ZADD", "word"), pipeline.call("ECHO", "a"), return_exceptions=True
        )
        assert [type(reply) for reply in replies] == [InvalidResponse, InvalidResponse]
        later = asyncio.create_task(pipeline.calls([("ECHO", "b"), ("ECHO", "c")]))
        await asyncio.wait([later], timeout=0.1)
        fake.may_go_on.set()
        assert await later == [b"b", b"c"]
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
async def fake_redis() -> AsyncIterator[tuple[str, FakeServer]]:
    fake = FakeServer()
    server = await asyncio.start_server(fake.serve, "127.0.0.1", 0)
    async with server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0", fake


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
    monkeypatch.setattr("game.redis.pipeline._LATE_AT_MOST_S", 0.5)
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
