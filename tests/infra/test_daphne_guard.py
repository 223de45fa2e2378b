"""How much of what a socket sends is taken at a time, without a Daphne."""

from __future__ import annotations

import asyncio

from mahjong_site.daphne_guard import MAX_WAITING, guarded


class Transport:
    """Knows whether it is being read."""

    def __init__(self) -> None:
        self.is_read = True
        self.bufferSize = 65_536

    def pauseProducing(self) -> None:
        self.is_read = False

    def resumeProducing(self) -> None:
        self.is_read = True


class Protocol:
    """As much of Daphne's protocol as is guarded: a frame is one byte."""

    def __init__(self) -> None:
        self.transport = Transport()
        self.application_queue: asyncio.Queue[int] = asyncio.Queue()
        self.data = b""

    def onOpen(self) -> None:
        """Nothing to do."""

    def serverClose(self, code: int | None = None) -> None:
        """Nothing to do."""

    def processData(self) -> bool:
        if not self.data:
            return False
        self.application_queue.put_nowait(self.data[0])
        self.data = self.data[1:]
        return True

    def consumeData(self) -> None:
        while self.processData():
            pass


def opened() -> Protocol:
    socket: Protocol = guarded(Protocol)()
    socket.onOpen()
    return socket


async def test_who_sends_faster_than_is_read_has_to_wait_and_loses_nothing() -> None:
    socket = opened()
    sent = list(range(200))
    socket.data = bytes(sent)
    socket.consumeData()
    assert socket.application_queue.qsize() <= MAX_WAITING + 1
    assert not socket.transport.is_read
    async with asyncio.timeout(5):
        assert [await socket.application_queue.get() for _ in sent] == sent
    await asyncio.sleep(0.1)
    assert socket.transport.is_read


async def test_what_an_honest_page_sends_at_once_is_taken_at_once() -> None:
    socket = opened()
    socket.data = bytes(20)
    socket.consumeData()
    assert socket.application_queue.qsize() == 20
    assert socket.transport.is_read


async def test_after_a_close_for_abuse_nothing_more_is_taken() -> None:
    socket = opened()
    socket.data = bytes(200)
    socket.consumeData()
    socket.serverClose(4429)
    taken = socket.application_queue.qsize()
    while not socket.application_queue.empty():
        socket.application_queue.get_nowait()
    await asyncio.sleep(0.1)
    socket.data += bytes(200)
    socket.consumeData()
    assert taken > 0
    assert socket.application_queue.empty()
    assert not socket.transport.is_read
