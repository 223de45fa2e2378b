"""The queue between a connection and its application."""

from __future__ import annotations

import asyncio

import pytest

from mahjong_site.receive_queue import ReceiveQueue


async def test_messages_are_read_in_the_order_in_which_they_came() -> None:
    inbox = ReceiveQueue()
    for number in range(3):
        inbox.put_nowait(number)
    assert inbox.qsize() == 3
    assert [await inbox.get() for _ in range(3)] == [0, 1, 2]
    assert inbox.qsize() == 0


async def test_the_reader_waits_for_a_message() -> None:
    inbox = ReceiveQueue()
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait("first")
    inbox.put_nowait("second")
    assert await reading == "first"
    assert await inbox.get() == "second"


async def test_a_wait_that_is_cancelled_loses_nothing() -> None:
    inbox = ReceiveQueue()
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait("kept")
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await asyncio.wait_for(inbox.get(), 1) == "kept"


async def test_who_reads_when_another_wait_was_cancelled_is_woken() -> None:
    inbox = ReceiveQueue()
    cancelled = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    cancelled.cancel()
    asyncio.get_running_loop().call_later(0.02, inbox.put_nowait, "for the other")
    async with asyncio.timeout(1):
        assert await inbox.get() == "for the other"
