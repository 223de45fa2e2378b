"""Commands that are asked for together travel together, and each gets its own reply."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
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
from game.redis.pipeline import Pipeline
from tests.kit.processes import RedisServer

pytestmark = pytest.mark.asyncio


async def test_each_gets_its_own_reply_in_the_order_of_asking(redis_url: str) -> None:
    redis = connect(redis_url)
    lane = Pipeline(redis)
    replies = await asyncio.gather(*(lane.call("RPUSH", "list", n) for n in range(50)))
    assert replies == list(range(1, 51))
    assert await lane.call("LRANGE", "list", 0, -1) == [str(n).encode() for n in range(50)]
    await redis.aclose()


async def test_a_wrong_command_is_nobody_elses_concern(redis_url: str) -> None:
    redis = connect(redis_url)
    lane = Pipeline(redis)
    calls = (lane.call("SET", "a", 1), lane.call("LPUSH", "a", 1), lane.call("GET", "a"))
    replies: list[Any] = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(replies[1], ResponseError)
    assert replies[2] == b"1"
    await redis.aclose()


async def test_who_gives_up_waiting_keeps_nobody_from_a_reply(redis_url: str) -> None:
    redis = connect(redis_url)
    lane = Pipeline(redis)
    given_up = asyncio.create_task(lane.call("INCR", "n"))
    waits = asyncio.create_task(lane.call("INCR", "n"))
    await asyncio.sleep(0)
    given_up.cancel()
    assert await waits == 2
    await redis.aclose()


async def test_all_on_the_way_learn_of_a_broken_connection_and_the_next_are_served(
    redis_server: RedisServer,
) -> None:
    redis = connect(redis_server.url)
    lane = Pipeline(redis)
    await lane.call("SET", "a", 1)
    redis_server.kill()
    replies = await asyncio.gather(
        *(lane.call("GET", "a") for _ in range(3)), return_exceptions=True
    )
    assert all(isinstance(reply, ConnectionError) for reply in replies)
    redis_server.start()
    assert await lane.call("GET", "a") == b"1"
    await redis.aclose()


async def test_who_asks_after_a_connection_has_ended_unused_is_served(
    redis_server: RedisServer,
) -> None:
    redis = connect(redis_server.url)
    lane = Pipeline(redis)
    assert await lane.call("ECHO", "a") == b"a"
    redis_server.kill()
    redis_server.start()
    await asyncio.sleep(0.1)
    assert await asyncio.gather(*(lane.call("ECHO", word) for word in "bcd")) == [b"b", b"c", b"d"]
    await redis.aclose()


async def test_a_redis_that_says_nothing_is_given_up_and_its_late_answers_are_nobodys(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("game.redis.connection.ANSWER_WITHIN_S", 1.0)
    redis = connect(redis_server.url)
    lane = Pipeline(redis)
    await lane.call("SET", "a", "late")
    with standing_still(redis_server):
        replies = await asyncio.gather(
            lane.call("GET", "a"), lane.call("GET", "a"), return_exceptions=True
        )
    assert [type(reply) for reply in replies] == [TimeoutError, TimeoutError]
    assert await asyncio.gather(lane.call("ECHO", "b"), lane.call("ECHO", "c")) == [b"b", b"c"]
    await redis.aclose()


async def test_what_has_not_gone_out_when_a_connection_is_given_up_never_does(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("game.redis.connection.ANSWER_WITHIN_S", 1.0)
    redis = connect(redis_server.url)
    lane = Pipeline(redis)
    await lane.call("SET", "a", "before")
    with standing_still(redis_server), pytest.raises(TimeoutError):
        await lane.call("SET", "a", b"x" * 20_000_000)
    await asyncio.sleep(0.2)
    assert await lane.call("GET", "a") == b"before"
    assert not caplog.records
    await redis.aclose()


async def test_a_server_that_may_not_write_any_more_is_asked_for_its_successor(
    redis_url: str,
) -> None:
    redis = connect(redis_url)
    lane = Pipeline(redis)
    first = await lane.call("CLIENT", "ID")
    assert await lane.call("CLIENT", "ID") == first
    await lane.call("REPLICAOF", "127.0.0.1", 1)
    try:
        with pytest.raises(ReadOnlyError):
            await lane.call("SET", "a", 1)
    finally:
        await lane.call("REPLICAOF", "NO", "ONE")
    assert await lane.call("CLIENT", "ID") != first, "whoever is master by then"
    await redis.aclose()


async def test_what_gathers_while_a_connection_breaks_is_tried_on_the_next(
    redis_url: str,
) -> None:
    redis = connect(redis_url)
    lane = Pipeline(redis)
    mine = await lane.call("CLIENT", "ID")
    other = connect(redis_url)
    waits = asyncio.create_task(lane.call("BLPOP", "nothing", 0))
    await asyncio.sleep(0.05)
    gathered = asyncio.create_task(lane.call("ECHO", "next"))
    await asyncio.sleep(0)
    await other.execute_command("CLIENT", "KILL", "ID", mine)
    with pytest.raises(ConnectionError):
        await waits
    assert await gathered == b"next"
    await redis.aclose()
    await other.aclose()


async def test_what_cannot_be_said_to_redis_is_nobody_elses_concern(redis_url: str) -> None:
    redis = connect(redis_url)
    lane = Pipeline(redis)
    mine = await lane.call("CLIENT", "ID")
    wrong: Any = None
    replies = await asyncio.gather(
        lane.call("CLIENT", "ID"), lane.call("ECHO", wrong), return_exceptions=True
    )
    assert replies[0] == mine
    assert isinstance(replies[1], TypeError)
    await redis.aclose()


async def test_a_connection_that_ends_as_the_pool_gives_it_is_opened_anew(redis_url: str) -> None:
    redis = connect(redis_url)
    pool = redis.connection_pool
    connection = await pool.get_connection()  # type: ignore[no-untyped-call]
    assert connection._writer is not None
    await pool.release(connection)
    gets = pool.get_connection

    async def one_that_ends() -> Any:
        given = await gets()  # type: ignore[no-untyped-call]
        given._writer.transport.abort()
        pool.get_connection = gets  # type: ignore[method-assign]
        return given

    pool.get_connection = one_that_ends  # type: ignore[method-assign, assignment]
    lane = Pipeline(redis)
    assert await asyncio.gather(lane.call("ECHO", "a"), lane.call("ECHO", "b")) == [b"a", b"b"]
    await redis.aclose()


async def test_whoever_waits_while_the_program_ends_is_told() -> None:
    async with strange_redis() as (url, strange):
        strange.is_silent = True
        redis = connect(url)
        lane = Pipeline(redis)
        others = asyncio.all_tasks()
        waits = asyncio.create_task(lane.call("ECHO", "a"))
        await asyncio.sleep(0.05)
        for task in asyncio.all_tasks() - others - {waits} - strange.serving:
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits
        strange.is_silent = False
        assert await lane.call("ECHO", "b") == b"b"
        await redis.aclose()


async def test_no_answer_that_nobody_asked_for_is_anybodys() -> None:
    async with strange_redis() as (url, strange):
        redis = connect(url)
        lane = Pipeline(redis)
        assert await lane.call("ECHO", "a") == b"a"
        strange.adds = b"$4\r\nmore\r\n"
        assert await lane.call("ECHO", "b") == b"b", "with one more behind it"
        strange.adds = b""
        for word in ("c", "d"):
            assert await lane.call("ECHO", word) == word.encode()
        await redis.aclose()


async def test_what_redis_says_unasked_is_no_answer(redis_url: str) -> None:
    redis = connect(f"{redis_url}{'&' if '?' in redis_url else '?'}protocol=3")
    other = connect(redis_url)
    lane = Pipeline(redis)
    mine = await lane.call("CLIENT", "ID")
    await lane.call("CLIENT", "TRACKING", "ON")
    for word in ("a", "b"):
        await lane.call("GET", "tracked")
        await other.set("tracked", word)
        await asyncio.sleep(0.05)
        assert await lane.call("GET", "tracked") == word.encode()
    assert await lane.call("CLIENT", "ID") == mine, "and no reason to leave"
    await redis.aclose()
    await other.aclose()


async def test_an_answer_that_makes_no_sense_is_an_error_of_who_asked() -> None:
    async with strange_redis() as (url, _):
        redis = connect(url)
        lane = Pipeline(redis)
        replies = await asyncio.gather(
            lane.call("ZADD", "word"), lane.call("ECHO", "a"), return_exceptions=True
        )
        assert isinstance(replies[0], InvalidResponse)
        assert replies[1] == b"a"
        assert await lane.call("ECHO", "b") == b"b"
        await redis.aclose()


@contextmanager
def standing_still(server: RedisServer) -> Iterator[None]:
    server.stand_still()
    try:
        yield
    finally:
        server.go_on()


class Strange:
    """What answers like Redis, the last word of each command, but for what it is told to do."""

    def __init__(self) -> None:
        self.is_silent = False
        self.adds = b""
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
        writer.close()


@asynccontextmanager
async def strange_redis() -> AsyncIterator[tuple[str, Strange]]:
    strange = Strange()
    server = await asyncio.start_server(strange.serve, "127.0.0.1", 0)
    async with server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0", strange
