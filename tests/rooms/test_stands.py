"""A thousand watchers at one table: players are served first, and nobody waits for the rest."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
import pytest_asyncio

from game.engine.perspective import WATCHER
from game.rooms.hub import Hub
from game.rooms.process import Process
from game.rooms.room import TableId
from game.rooms.stands import AT_ONCE, REST_S, Stands
from tests.rooms.conftest import MakeProcess
from tests.rooms.staging import Socket, discards_quietly, opened, plain_frame, settled

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

    def __init__(self, audience: int, turns: Turns, told: list[tuple[int, int]]) -> None:
        super().__init__(audience)
        self._turns = turns
        self._told = told

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
def told() -> list[tuple[int, int]]:
    """In which turn who was told something."""
    return []


@pytest_asyncio.fixture
async def table(process: Process) -> TableId:
    return await opened(process)


@pytest_asyncio.fixture
async def players(
    hub: Hub, table: TableId, turns: Turns, told: list[tuple[int, int]]
) -> list[Onlooker]:
    return [await seated(hub, table, Onlooker(seat, turns, told)) for seat in range(4)]


@pytest_asyncio.fixture
async def crowd(
    players: list[Onlooker],
    hub: Hub,
    table: TableId,
    turns: Turns,
    told: list[tuple[int, int]],
) -> list[Onlooker]:
    """They have come after the players."""
    return [await seated(hub, table, Onlooker(WATCHER, turns, told)) for _ in range(MANY)]


async def seated(hub: Hub, table: TableId, one: Onlooker) -> Onlooker:
    await hub.join(table, one)
    return one


async def test_players_are_told_first_and_the_others_a_few_at_a_time_with_rests_between(
    process: Process,
    table: TableId,
    players: list[Onlooker],
    crowd: list[Onlooker],
    told: list[tuple[int, int]],
) -> None:
    await discards_quietly(process, table)
    assert sorted(audience for _, audience in told[:4]) == [0, 1, 2, 3]
    await settled(lambda: all(one.frames for one in crowd))
    in_each = Counter(turn for turn, audience in told if audience == WATCHER)
    assert sum(in_each.values()) == MANY
    assert max(in_each.values()) <= AT_ONCE
    turns = [told[3][0], *sorted(in_each)]
    assert min(later - turn for turn, later in pairwise(turns)) > 1, "others have had a turn"


async def test_who_watches_is_told_everything_once_and_in_its_order(
    process: Process, table: TableId, crowd: list[Onlooker]
) -> None:
    first = await process.service.room(table)
    for seat in range(4):
        await process.service.seat_away(table, seat, True)
    last = await process.service.room(table)
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
    await process.service.seat_away(table, 0, True)
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
    hub: Hub, table: TableId, crowd: list[Onlooker], told: list[tuple[int, int]]
) -> None:
    await hub._count_watchers([table])
    await settled(lambda: all(one.watchers == MANY for one in crowd))
    in_each = Counter(turn for turn, _ in told)
    assert max(in_each.values()) <= AT_ONCE + 4


async def test_rounds_that_begin_faster_than_turns_go_by_do_not_pile_up() -> None:
    stands = Stands[int]()
    told = Counter[str]()

    def tell(table: str, watchers: int) -> None:
        stands.tell(TableId(table), range(watchers), lambda _: told.update([table]))

    tell("of many", AT_ONCE + 1)
    for _ in range(200):
        for _ in range(5):
            tell("of many", 1)
        await asyncio.sleep(REST_S)
    waiting = 1_000 + AT_ONCE + 1 - told.total()
    assert waiting <= 10
    await stands.stop()


async def test_nobody_waits_for_the_many_at_another_table() -> None:
    stands = Stands[int]()
    told = list[str]()
    stands.tell(TableId("of many"), range(MANY), lambda _: told.append("of many"))
    for table in ("of few", "of few", "of others"):
        stands.tell(TableId(table), range(AT_ONCE), lambda _, table=table: told.append(table))
    assert told == ["of few"] * (2 * AT_ONCE) + ["of others"] * AT_ONCE
    await settled(lambda: len(told) == 3 * AT_ONCE + MANY)
    await stands.stop()


async def test_who_leaves_while_another_is_told_is_told_nothing() -> None:
    stands = Stands[int]()
    told = list[int]()

    def hand(watcher: int) -> None:
        told.append(watcher)
        stands.leave(TableId("a"), watcher + 1)

    stands.tell(TableId("a"), range(2 * AT_ONCE), hand)
    await settled(lambda: len(told) == AT_ONCE)
    assert told == list(range(0, 2 * AT_ONCE, 2))
    await stands.stop()
