"""The queue before a socket: order, its end, and a reader that takes nothing."""

from __future__ import annotations

import asyncio
import logging

import pytest

from game.live.send_queue import MAX_WAITING, SendQueue


class Pipe:
    """A socket that writes down what it is sent, once it is let."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.sent: list[str | int] = []
        self.may_continue = asyncio.Event()
        if is_open:
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
        outbox = SendQueue(pipe.send, pipe.close)
        outbox.put("a")
        outbox.put("b", "c")
        await settle()
        outbox.put("d")
        outbox.end(4404)
        outbox.put("too late")
        await settle()
        return pipe.sent

    assert asyncio.run(scene()) == ["a", "b", "c", "d", 4404]


def test_the_first_close_code_counts() -> None:
    async def scene() -> list[str | int]:
        pipe = Pipe()
        outbox = SendQueue(pipe.send, pipe.close)
        outbox.end(4404)
        outbox.end(4503)
        outbox.cut(4429)
        await settle()
        return pipe.sent

    assert asyncio.run(scene()) == [4404]


def test_a_socket_that_takes_nothing_fills_its_queue_and_is_cut() -> None:
    async def scene() -> list[str | int]:
        pipe = Pipe(is_open=False)
        outbox = SendQueue(pipe.send, pipe.close)
        outbox.put("on its way")
        await settle()
        assert all(outbox.put(str(number)) for number in range(MAX_WAITING))
        assert not outbox.put("one too many")
        outbox.cut(4408)
        pipe.may_continue.set()
        await settle()
        return pipe.sent

    assert asyncio.run(scene()) == ["on its way", 4408]


def test_a_socket_that_is_gone_is_no_fault_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    async def gone(frame: str | int) -> None:
        raise ConnectionResetError

    async def scene() -> bool:
        outbox = SendQueue(gone, gone)
        outbox.put("a")
        await settle()
        outbox.put("b")
        await settle()
        return outbox.is_closed

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(scene())
    assert caplog.text == ""


def test_an_abandoned_socket_is_sent_nothing_more() -> None:
    async def scene() -> list[str | int]:
        pipe = Pipe(is_open=False)
        outbox = SendQueue(pipe.send, pipe.close)
        outbox.put("a")
        await settle()
        outbox.abandon()
        pipe.may_continue.set()
        outbox.put("b")
        await settle()
        return pipe.sent

    assert asyncio.run(scene()) == []
