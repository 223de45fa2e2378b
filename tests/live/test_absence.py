"""Everybody is shown which players have no connection, and nothing of the hands follows from it."""

from __future__ import annotations

from typing import NamedTuple

import pytest
import pytest_asyncio

from game.engine.legal import pending_seats
from game.engine.perspective import SPECTATOR
from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase
from game.live.hub import Hub
from game.live.process import Process
from game.tables.room import Room, TableId
from tests.tables.staging import (
    FakeSocket,
    FakeTime,
    MakeProcess,
    discards_quietly,
    open_people_table,
    plain_frame,
    submit_answer,
    until_due,
    wait_for,
)

pytestmark = pytest.mark.asyncio
BOTH = pytest.mark.parametrize(
    "pages", [TENHOU, preset("tenhou-3")], ids=["four", "three"], indirect=True
)
"""Runs a test at a table of four players and at one of three."""


class Pages(NamedTuple):
    """A table whose players have their sockets at one web server, while a spectator's is at
    another."""

    web: Process
    other: Process
    hubs: list[Hub]
    table_id: TableId
    sockets: list[FakeSocket]

    async def beat(self) -> None:
        """Let the web servers do what follows their heartbeats."""
        for process in (self.web, self.other):
            await process.heartbeat.beat()
            await process.presence.report_departures()
            await process.seat_sockets.count_again()
            await self.wait_until_counted(process)

    async def wait_until_counted(self, process: Process) -> None:
        await wait_for(lambda: self.table_id not in process.seat_sockets._table_tasks)

    async def close(self, seat: int) -> None:
        """Close the only socket of that player."""
        self.hubs[0].leave(self.table_id, self.sockets[seat])
        await self.web.service.remove_socket(self.table_id, seat)

    async def open_again(self, seat: int) -> None:
        await self.hubs[0].join(self.table_id, self.sockets[seat])
        await self.web.service.add_socket(self.table_id, seat)

    async def room(self) -> Room:
        return await self.web.service.read_room(self.table_id)

    async def wait_until_shown(self, absent: list[int], *, but: int | None = None) -> None:
        shown = [socket for socket in self.sockets if socket.viewer != but]
        await wait_for(lambda: all(socket.absent == absent for socket in shown))


@pytest_asyncio.fixture
async def pages(make_process: MakeProcess, request: pytest.FixtureRequest) -> Pages:
    rules: RuleSet = getattr(request, "param", TENHOU)
    web, other = await make_process("web"), await make_process("other")
    hubs = [await process.hub(plain_frame) for process in (web, other)]
    table_id = await open_people_table(web, rules=rules)
    seats = range(rules.players)
    sockets = [FakeSocket(viewer) for viewer in (*seats, SPECTATOR)]
    for socket in sockets:
        await hubs[socket.viewer == SPECTATOR].join(table_id, socket)
    for seat in seats:
        await web.service.add_socket(table_id, seat)
    return Pages(web, other, hubs, table_id, sockets)


async def asks_absent(pages: Pages, time: FakeTime, seat: int) -> Room:
    """Play on until that player could call a discard."""
    room = await pages.room()
    while not (room.table.phase == Phase.CLAIMS and seat in pending_seats(room.table)):
        if pending_seats(room.table):
            room = await submit_answer(pages.web, room)
        else:
            room = await until_due(pages.web, time, pages.table_id)
    return room


@BOTH
async def test_every_page_shows_a_closed_socket_and_its_return(
    pages: Pages, time: FakeTime
) -> None:
    await pages.close(2)
    time.pass_ms(999)
    await pages.beat()
    assert not any((await pages.room()).absent_since), "it may be a reload"
    time.pass_ms(1)
    await pages.beat()
    await pages.wait_until_shown([2], but=2)
    time.pass_ms(4_000)
    await pages.open_again(2)
    await pages.beat()
    await pages.wait_until_shown([])
    assert all(frame["e"] == [] for frame in pages.sockets[0].frames), "no event tells it"


async def test_reload_shows_nothing(pages: Pages, time: FakeTime) -> None:
    before = await pages.room()
    await pages.close(2)
    time.pass_ms(900)
    await pages.beat()
    await pages.open_again(2)
    for _ in range(4):
        time.pass_ms(500)
        await pages.beat()
    assert await pages.room() == before


async def test_closing_one_of_two_windows_shows_nothing(pages: Pages, time: FakeTime) -> None:
    await pages.other.service.add_socket(pages.table_id, 2)
    await pages.close(2)
    time.pass_ms(3_000)
    await pages.beat()
    assert not any((await pages.room()).absent)


async def test_mark_neither_appears_nor_goes_before_what_follows_a_discard(
    pages: Pages, time: FakeTime
) -> None:
    room = await discards_quietly(pages.web, pages.table_id)
    assert room.table.phase == Phase.CLAIMS
    await pages.close(2)
    for _ in range(3):
        time.pass_ms(1_000)
        await pages.beat()
    assert (await pages.room()).table.phase == Phase.CLAIMS
    assert not any((await pages.room()).absent)
    while (room := await pages.room()).table.phase == Phase.CLAIMS:
        if pending_seats(room.table):
            await submit_answer(pages.web, room)
        else:
            await until_due(pages.web, time, pages.table_id)
    await pages.beat()
    await pages.wait_until_shown([2], but=2)
    room = await discards_quietly(pages.web, pages.table_id)
    await pages.open_again(2)
    await pages.beat()
    room = await pages.room()
    if room.table.phase == Phase.CLAIMS:
        assert room.absent[2]


async def test_sockets_of_a_dead_process_show_nothing_until_they_are_given_up(
    pages: Pages, time: FakeTime
) -> None:
    time.pass_ms(5_000)  # `web` has died
    await pages.other.heartbeat.beat()
    pages.other.seat_sockets.request_count(pages.table_id)
    await pages.wait_until_counted(pages.other)
    assert not any((await pages.room()).absent)
    await pages.other.presence.forget(pages.table_id, 2, ["web"])
    time.pass_ms(1_000)
    await pages.other.heartbeat.beat()
    await pages.other.seat_sockets.count_again()
    spectator = pages.sockets[-1]
    await wait_for(lambda: spectator.absent == [2])


@BOTH
async def test_stand_in_passes_for_an_absent_player_within_the_reaction_time(
    pages: Pages, time: FakeTime, make_process: MakeProcess
) -> None:
    await pages.close(2)
    time.pass_ms(1_000)
    await pages.beat()
    assert (await pages.room()).absent[2]
    for _ in range(10):
        time.pass_ms(500)
        await pages.beat()
    room = await asks_absent(pages, time, 2)
    while any(seat != 2 for seat in pending_seats(room.table)):
        room = await submit_answer(pages.web, room)
    closes_at = room.clock.closes_at
    after = await until_due(pages.web, time, pages.table_id)
    assert time.now < closes_at
    assert 2 not in pending_seats(after.table)
    assert not after.table.away[2], "that a stand-in plays would tell who was asked"
    if after.table.phase == Phase.CLAIMS:
        after = await until_due(pages.web, time, pages.table_id)
    assert after.at == closes_at
