"""Lines of chat reach all readers of a process."""

from __future__ import annotations

import json
from typing import cast

import pytest

from game.engine.perspective import OPEN_SPECTATOR
from game.live import chat as chat_module
from game.live.chat import TableChat
from game.live.chat_store import ChatMessage, append_line
from game.live.delayed_view import DelayedView
from game.live.spectator_pacer import SpectatorPacer
from game.live.subscribers import Subscribers
from game.tables.room import TableId
from tests.tables.staging import FakeSocket, MakeProcess, wait_for

pytestmark = pytest.mark.asyncio
TABLE = TableId("table-a")


class DelayedViewAt:
    """A delayed view that has reached that moment."""

    def __init__(self, until: int) -> None:
        self.until = until

    def seen_until(self, table_id: TableId) -> int:
        return self.until


class Reader(FakeSocket):
    """A spectator with open hands."""

    def __init__(self) -> None:
        super().__init__(OPEN_SPECTATOR)
        self.texts: list[str] = []

    def deliver_chat(self, frame: str) -> None:
        self.texts += [line["text"] for line in json.loads(frame)["lines"]]


class BrokenReader(Reader):
    """A spectator whose socket fails."""

    def deliver_chat(self, frame: str) -> None:
        raise ValueError("this socket is broken")


async def no_blocks(writers: set[str], readers: set[str]) -> set[tuple[str, str]]:
    return set()


async def test_broken_socket_keeps_no_line_from_others(
    make_process: MakeProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(chat_module, "_REFRESH_EVERY_S", 0.01)
    process, view, subscribers = await make_process("a"), DelayedViewAt(0), Subscribers()
    reader = Reader()
    for subscriber in (BrokenReader(), reader):
        subscribers.add(TABLE, subscriber)
    chat = TableChat(
        process.redis,
        subscribers,
        SpectatorPacer(),
        cast(DelayedView, view),
        now_ms=lambda: 0,
        read_blocks=no_blocks,
    )
    for at, text in ((1, "first"), (2, "second")):
        await append_line(process.redis, TABLE, "table", ChatMessage(at, "p", "Anna", 0, text))
    try:
        await chat.join(TABLE)
        view.until = 1
        await wait_for(lambda: reader.texts == ["first"])
        view.until = 2
        await wait_for(lambda: reader.texts == ["first", "second"])
    finally:
        await chat.stop()
    assert "a line of chat was not delivered" in caplog.text


async def test_last_known_blocks_count_without_a_database(
    make_process: MakeProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_module, "_REFRESH_EVERY_S", 0.01)
    process, view, subscribers = await make_process("a"), DelayedViewAt(0), Subscribers()
    blocker, other = Reader(), Reader()
    blocker.person, other.person = "blocker", "other"
    for person in (blocker, other):
        subscribers.add(TABLE, person)
    answers: list[set[tuple[str, str]] | None] = [set(), {("blocker", "p")}, None, set()]

    async def read_blocks(writers: set[str], readers: set[str]) -> set[tuple[str, str]] | None:
        assert (writers, readers) == ({"p"}, {"blocker", "other"})
        return answers[len(other.texts)]

    chat = TableChat(
        process.redis,
        subscribers,
        SpectatorPacer(),
        cast(DelayedView, view),
        now_ms=lambda: 0,
        read_blocks=read_blocks,
    )
    for at in range(1, 5):
        await append_line(process.redis, TABLE, "table", ChatMessage(at, "p", "Anna", 0, str(at)))
    try:
        await chat.join(TABLE)
        for at in range(1, 5):
            view.until = at
            await wait_for(lambda at=at: len(other.texts) == at)  # type: ignore[misc]
    finally:
        await chat.stop()
    assert other.texts == ["1", "2", "3", "4"]
    assert blocker.texts == ["1", "4"]
