"""A thousand watchers at one table: players are served first, and nobody waits for the rest."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from typing import Any

import pytest
import pytest_asyncio

from game.engine.perspective import WATCHER
from game.live import inbound
from game.live.consumer import TableConsumer
from game.live.hub import Hub
from game.live.process import Process
from game.live.spectator_queue import AT_ONCE, REST_S, RESTS, SpectatorQueue
from game.tables.room import TableId
from tests.tables.conftest import MakeProcess
from tests.tables.staging import Socket, discards_quietly, opened, plain_frame, settled

pytestmark = pytest.mark.asyncio

MANY = 400


class Turns:
    """Counts the turns of the event loop."""

    def __init__(self) -> None:
        self.now = 0
        self._task = asyncio.create_task(self._run())

    def end(self) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(0)
            self.now += 1


class Onlooker(Socket):
    """Notes in which turn of the loop it is told something, and in what order."""

    def __init__(self, audience: int, turns: Turns, received: list[tuple[int, int]]) -> None:
        super().__init__(audience)
        self._turns = turns
        self._told = received

    def deliver(self, frame: str, seq: int) -> None:
        self._told.append((self._turns.now, self.audience))
        super().deliver(frame, seq)

    def tell_of_watchers(self, count: int) -> None:
        self._told.append((self._turns.now, self.audience))
        super().tell_of_watchers(count)


@pytest_asyncio.fixture
async def turns() -> AsyncIterator[Turns]:
    counted = Turns()
    yield counted
    counted.end()


@pytest_asyncio.fixture
async def process(make_process: MakeProcess) -> Process:
    return await make_process("web")


@pytest_asyncio.fixture
async def hub(process: Process) -> Hub:
    return await process.hub(plain_frame)


@pytest.fixture
def received() -> list[tuple[int, int]]:
    """In which turn who was told something."""
    return []


@pytest_asyncio.fixture
async def table(process: Process) -> TableId:
    return await opened(process)


@pytest_asyncio.fixture
async def players(
    hub: Hub, table: TableId, turns: Turns, received: list[tuple[int, int]]
) -> list[Onlooker]:
    return [await seated(hub, table, Onlooker(seat, turns, received)) for seat in range(4)]


@pytest_asyncio.fixture
async def crowd(
    players: list[Onlooker],
    hub: Hub,
    table: TableId,
    turns: Turns,
    received: list[tuple[int, int]],
) -> list[Onlooker]:
    """They have come after the players."""
    return [await seated(hub, table, Onlooker(WATCHER, turns, received)) for _ in range(MANY)]


async def seated(hub: Hub, table: TableId, one: Onlooker) -> Onlooker:
    await hub.join(table, one)
    return one


async def test_players_are_told_first_and_the_others_a_few_at_a_time_with_rests_between(
    process: Process,
    table: TableId,
    players: list[Onlooker],
    crowd: list[Onlooker],
    received: list[tuple[int, int]],
) -> None:
    began = asyncio.get_running_loop().time()
    await discards_quietly(process, table)
    assert sorted(audience for _, audience in received[:4]) == [0, 1, 2, 3]
    await settled(lambda: all(one.frames for one in crowd))
    rests = MANY // AT_ONCE
    assert asyncio.get_running_loop().time() - began > 0.9 * rests * REST_S
    in_each = Counter(turn for turn, audience in received if audience == WATCHER)
    assert sum(in_each.values()) == MANY
    assert max(in_each.values()) <= AT_ONCE
    turns = [received[3][0], *sorted(in_each)]
    assert min(later - turn for turn, later in pairwise(turns)) > 1, "others have had a turn"


async def test_who_watches_is_told_everything_once_and_in_its_order(
    process: Process, table: TableId, crowd: list[Onlooker]
) -> None:
    first = await process.service.read_room(table)
    for seat in range(4):
        await process.service.set_away(table, seat, True)
    last = await process.service.read_room(table)
    assert last.seq(WATCHER) == first.seq(WATCHER) + 4
    await settled(lambda: all(len(one.frames) == 4 for one in crowd))
    for one in crowd:
        assert [frame["seq"] for frame in one.frames] == [
            first.seq(WATCHER) + n for n in (1, 2, 3, 4)
        ]


async def test_who_is_shown_the_whole_table_or_leaves_is_told_nothing_older(
    process: Process, hub: Hub, table: TableId, crowd: list[Onlooker]
) -> None:
    shown, gone = (one for one in crowd if not one.frames and one in crowd[-2:])
    await discards_quietly(process, table)
    assert not shown.frames, "the others have not been reached"
    assert not gone.frames
    hub.has_been_shown(table, shown)
    hub.leave(table, gone)
    await settled(lambda: all(one.frames for one in crowd if one not in (shown, gone)))
    assert not shown.frames
    assert not gone.frames
    await process.service.set_away(table, 0, True)
    await settled(lambda: shown.frames)
    assert not gone.frames


async def test_one_who_cannot_be_told_keeps_it_from_nobody_else(
    process: Process, table: TableId, crowd: list[Onlooker], caplog: pytest.LogCaptureFixture
) -> None:
    del crowd[1].frames
    await discards_quietly(process, table)
    await settled(lambda: all(one.frames for one in crowd if one is not crowd[1]))
    assert "not told to a watcher" in caplog.text


async def test_how_many_watch_is_told_a_few_at_a_time_as_well(
    hub: Hub, table: TableId, crowd: list[Onlooker], received: list[tuple[int, int]]
) -> None:
    await hub._count_watchers([table])
    await settled(lambda: all(one.watchers == MANY for one in crowd))
    in_each = Counter(turn for turn, _ in received)
    assert max(in_each.values()) <= AT_ONCE + 4


async def test_who_pings_while_something_is_on_its_way_is_not_taken_to_have_lost_it(
    process: Process, hub: Hub, table: TableId, crowd: list[Onlooker]
) -> None:
    page = TableConsumer()
    written = list[dict[str, Any]]()
    page.outbox.write = lambda *texts: written.extend(map(json.loads, texts))
    page._table_id, page._hub = table, hub
    await hub.join(table, page)
    room = await process.service.read_room(table)
    page._sync(room)
    before = room.seq(page.audience)

    async def ping(seq: int) -> None:
        await page._ping(inbound.Ping(seq=seq, at=1), time.monotonic())

    def kinds() -> list[str]:
        return [frame["t"] for frame in written if frame["t"] != "watchers"]

    await discards_quietly(process, table)
    await ping(before)
    await ping(before)
    assert kinds() == ["sync", "pong", "pong"]
    await settled(lambda: not hub.has_waiting(table, page))
    assert kinds()[3:] == ["ev"]
    await ping(before)
    await ping(before)
    assert kinds()[4:] == ["pong", "sync", "pong"], "what was sent and not seen was lost"


async def test_rounds_that_begin_faster_than_they_end_do_not_pile_up() -> None:
    stands = SpectatorQueue[int]()
    received = Counter[int]()
    for _ in range(400):
        stands.tell(TableId("a"), range(MANY), lambda watcher: received.update([watcher]))
        await asyncio.sleep(REST_S)
    assert 400 * MANY - received.total() < 2 * RESTS * MANY
    assert max(received.values()) - min(received.values()) <= 1, "in their order"
    await stands.stop()


async def test_a_little_round_does_not_overtake_a_great_one() -> None:
    stands = SpectatorQueue[int]()
    received = list[str]()
    last = 5 * AT_ONCE - 1

    def hand(what: str) -> Callable[[int], None]:
        return lambda watcher: received.append(what) if watcher == last else None

    stands.tell(TableId("a"), range(last + 1), hand("first"))
    stands.tell(TableId("a"), [last], hand("second"))
    stands.tell(TableId("b"), range(last + 1), hand("beside the game"), is_of_game=False)
    assert stands.has_waiting(TableId("a"), last)
    assert not stands.has_waiting(TableId("b"), last)
    await settled(lambda: len(received) == 3)
    assert [what for what in received if what != "beside the game"] == ["first", "second"]
    assert not stands.has_waiting(TableId("a"), last)
    await stands.stop()


async def test_nobody_waits_for_the_many_at_another_table() -> None:
    stands = SpectatorQueue[int]()
    received = list[str]()

    def tell(table: str, watchers: int) -> None:
        stands.tell(TableId(table), range(watchers), lambda _: received.append(table))

    tell("of many", 5_000)
    tell("of few", AT_ONCE)
    assert received == ["of few"] * AT_ONCE
    tell("of some", AT_ONCE + 1)
    await settled(lambda: received.count("of some") == AT_ONCE + 1)
    assert received[:200].count("of some") == AT_ONCE + 1
    await settled(lambda: received.count("of many") == 5_000)
    await stands.stop()


async def test_nothing_else_waits_for_more_than_a_few_watchers(turns: Turns) -> None:
    stands = SpectatorQueue[int]()
    in_each = Counter[int]()
    for table in range(20):
        for _ in range(5):
            stands.tell(TableId(str(table)), range(MANY), lambda _: in_each.update([turns.now]))
    await settled(lambda: in_each.total() == 20 * 5 * MANY)
    assert max(in_each.values()) <= AT_ONCE
    await stands.stop()


async def test_who_leaves_while_another_is_told_is_told_nothing() -> None:
    stands = SpectatorQueue[int]()
    received = list[int]()

    def hand(watcher: int) -> None:
        received.append(watcher)
        stands.leave(TableId("a"), watcher + 1)

    stands.tell(TableId("a"), range(2 * AT_ONCE), hand)
    await settled(lambda: len(received) == AT_ONCE)
    assert received == list(range(0, 2 * AT_ONCE, 2))
    await stands.stop()
