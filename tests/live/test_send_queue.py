"""The send queue of a socket keeps the order, sends the close code last, and is bounded."""

from __future__ import annotations

import asyncio
import logging

import pytest

from game.live.send_queue import CLOSE_SLOW, MAX_WAITING, SendQueue


class Pipe:
    """A socket that records what it is sent. Writes wait until it is writable."""

    def __init__(self, *, is_writable: bool = True) -> None:
        self.sent: list[str | int] = []
        self.may_continue = asyncio.Event()
        if is_writable:
            self.may_continue.set()

    async def send(self, frame: str) -> None:
        await self.may_continue.wait()
        self.sent.append(frame)

    async def close(self, code: int) -> None:
        self.sent.append(code)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_frames_leave_in_order_and_the_close_code_last() -> None:
    async def scene() -> list[str | int]:
        pipe = Pipe()
        queue = SendQueue(pipe.send, pipe.close)
        queue.put("a")
        queue.put("b")
        queue.put("c")
        queue.flush()
        await settle()
        queue.put("d")
        queue.close_after_frames(4404)
        queue.put("too late")
        await settle()
        return pipe.sent

    assert asyncio.run(scene()) == ["a", "b", "c", "d", 4404]


def test_first_close_code_counts() -> None:
    async def scene() -> list[str | int]:
        pipe = Pipe()
        queue = SendQueue(pipe.send, pipe.close)
        queue.close_after_frames(4404)
        queue.close_after_frames(4503)
        queue.close_at_once(4429)
        await settle()
        queue.flush()
        await settle()
        return pipe.sent

    assert asyncio.run(scene()) == [4404]


def test_full_queue_closes_its_socket_as_too_slow() -> None:
    async def scene() -> list[str | int]:
        pipe = Pipe(is_writable=False)
        queue = SendQueue(pipe.send, pipe.close)
        queue.put("on its way")
        queue.flush()
        await settle()
        for number in range(MAX_WAITING):
            queue.put(str(number))
        assert not queue.is_closed
        queue.put("one too many")
        pipe.may_continue.set()
        await settle()
        return pipe.sent

    assert asyncio.run(scene()) == ["on its way", CLOSE_SLOW]


def test_closed_socket_logs_no_error(caplog: pytest.LogCaptureFixture) -> None:
    async def gone(frame: str | int) -> None:
        raise ConnectionResetError

    async def scene() -> bool:
        queue = SendQueue(gone, gone)
        queue.put("a")
        queue.flush()
        await settle()
        queue.put("b")
        await settle()
        return queue.is_closed

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(scene())
    assert caplog.text == ""


def test_abandoned_queue_sends_nothing_more() -> None:
    async def scene() -> list[str | int]:
        pipe = Pipe(is_writable=False)
        queue = SendQueue(pipe.send, pipe.close)
        queue.put("a")
        queue.flush()
        await settle()
        queue.abandon()
        pipe.may_continue.set()
        queue.put("b")
        await settle()
        return pipe.sent

    assert asyncio.run(scene()) == []


def test_server_that_writes_directly_gets_frames_at_each_flush() -> None:
    async def scene() -> list[str | int]:
        pipe = Pipe()
        queue = SendQueue(pipe.send, pipe.close)
        queue.write = lambda *frames: pipe.sent.extend(frames)
        queue.put("a")
        queue.put("b")
        assert pipe.sent == []
        queue.flush()
        assert pipe.sent == ["a", "b"]
        queue.put("c")
        queue.close_after_frames(4404)
        await settle()
        return pipe.sent

    assert asyncio.run(scene()) == ["a", "b", "c", 4404]
