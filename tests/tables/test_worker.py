"""Any number of workers keeps tables running, whichever process dies."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec.structs import replace

from game.engine.legal import pending_seats
from game.engine.state import Phase
from game.live.process import Process
from game.tables.errors import TablesUnavailable
from game.tables.keys import due_key, shard_of
from game.tables.outcomes import Done
from game.tables.room import Room, TableId
from game.tables.worker import LEASE_MS, Worker
from tests.faults.redis_proxy import RedisProxies
from tests.kit.processes import RedisServer
from tests.tables.staging import (
    AT_ONCE,
    discards_quietly,
    open_people_table,
    quiet_answer,
    wait_for,
)

pytestmark = pytest.mark.asyncio
MakeReal = Callable[[str], Awaitable[Process]]


class Archived:
    """An archive that records each table and takes it off the index."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.table_ids: list[TableId] = []

    async def __call__(self, table_id: TableId) -> None:
        self.table_ids.append(table_id)
        await self.process.store.end_table(table_id, keep_s=600)


@pytest_asyncio.fixture
async def make_real() -> AsyncIterator[MakeReal]:
    """Yield a function that makes processes with heartbeats on the machine's own time."""
    made: list[Process] = []

    async def make(url: str) -> Process:
        process = Process(url)
        await process.start()
        made.append(process)
        return process

    yield make
    for process in made:
        await process.stop()


async def wait_for_room(
    process: Process, table_id: TableId, condition: Callable[[Room], bool], wait_s: float = 20
) -> Room:
    """Return the room as soon as the condition holds."""
    for _ in range(int(wait_s / 0.02)):
        try:
            room = await process.service.read_room(table_id)
            if condition(room):
                return room
        except TablesUnavailable:
            pass
        await asyncio.sleep(0.02)
    raise AssertionError(f"the condition did not hold: {room.version} {room.table.phase}")


async def next_turn(process: Process, table_id: TableId) -> Room:
    """Return the room when a seat is to discard; let everybody pass on open tiles."""
    room = await process.service.read_room(table_id)
    while room.table.phase == Phase.CLAIMS:
        for seat in pending_seats(room.table):
            await process.service.submit(
                table_id,
                seat=seat,
                cid=f"pass-{room.version}",
                step=room.table.step,
                action=quiet_answer(room, seat),
            )
        await asyncio.sleep(0.02)
        room = await process.service.read_room(table_id)
    return room


def has_ended(room: Room) -> bool:
    return room.table.phase == Phase.ENDED


async def test_two_workers_finish_tables_of_bots(redis_url: str, make_real: MakeReal) -> None:
    processes = [await make_real(redis_url) for _ in range(2)]
    archives = [Archived(process) for process in processes]
    stop = asyncio.Event()
    workers = [
        asyncio.create_task(
            Worker(process.service, process.due_work, process.worker_beats, archive).run(stop)
        )
        for process, archive in zip(processes, archives, strict=True)
    ]
    table_ids = [await open_people_table(processes[0], clock=AT_ONCE, count=0) for _ in range(2)]
    for table_id in table_ids:
        await wait_for_room(processes[1], table_id, has_ended, wait_s=60)

    def archived() -> set[TableId]:
        """Return the tables that the workers archived. Both may see the same end; the archive
        writes it once."""
        return {table_id for archive in archives for table_id in archive.table_ids}

    await wait_for(lambda: archived() == set(table_ids))
    stop.set()
    await asyncio.gather(*workers)
    assert await processes[0].service.list_tables() == []


async def test_tables_of_a_killed_worker_are_claimed_after_the_lease(
    redis_url: str, make_real: MakeReal
) -> None:
    web, lives = await make_real(redis_url), await make_real(redis_url)
    table_id = await open_people_table(web, clock=AT_ONCE, count=0)
    claimed, _ = await web.store.claim(now=web.service.now_ms(), lease_ms=600, at_most=9)
    assert claimed == [table_id]
    stop = asyncio.Event()
    worker = asyncio.create_task(
        Worker(lives.service, lives.due_work, lives.worker_beats, Archived(lives)).run(stop)
    )
    await asyncio.sleep(0.3)
    assert (await web.service.read_room(table_id)).version == 1
    await wait_for_room(web, table_id, lambda room: room.version > 5)
    stop.set()
    await worker


@pytest.mark.one_redis
async def test_tables_claimed_in_a_lost_reply_are_due_at_once(
    redis_url: str, make_real: MakeReal
) -> None:
    web = await make_real(redis_url)
    table_id = await open_people_table(web, clock=AT_ONCE, count=0)
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        proxies = RedisProxies(Path(directory), redis_url)
        proxy = proxies.add_proxy()
        process = await make_real(proxy.url)
        worker = Worker(process.service, process.due_work, process.worker_beats, Archived(process))
        # This claim lets Redis cache the script.
        await web.store.claim(now=0, lease_ms=1, at_most=1)
        try:
            proxy.drops_answers = True
            round_ = asyncio.create_task(worker.round())
            key = due_key(shard_of(table_id))
            now = web.service.now_ms()
            for _ in range(1_000):
                claimed_until = int(await web.redis.zscore(key, table_id))
                if claimed_until > now + LEASE_MS / 2:
                    break
                await asyncio.sleep(0.01)
            assert claimed_until > now + LEASE_MS / 2
            proxies.disconnect(proxy)
            with pytest.raises(TablesUnavailable):
                await round_
            proxy.drops_answers = False
            await worker.round()
            await worker.finish()
            assert (await web.service.read_room(table_id)).version > 1
        finally:
            await process.stop()
            proxies.close()


async def test_table_claimed_twice_is_processed_twice(redis_url: str, make_real: MakeReal) -> None:
    process = await make_real(redis_url)
    table_id = await open_people_table(process, clock=AT_ONCE, count=0)
    tick = process.due_work.run
    done, may_end = asyncio.Event(), asyncio.Event()

    async def lingering(table_id: TableId) -> bool:
        is_over = await tick(table_id)
        done.set()
        await may_end.wait()
        return is_over

    process.due_work.run = lingering  # type: ignore[method-assign]
    worker = Worker(process.service, process.due_work, process.worker_beats, Archived(process))
    await worker.round()
    await done.wait()
    first = (await process.service.read_room(table_id)).version
    await worker.round()
    may_end.set()
    await worker.finish()
    assert (await process.service.read_room(table_id)).version > first


async def test_failed_table_is_due_soon(redis_url: str, make_real: MakeReal) -> None:
    process = await make_real(redis_url)
    table_id = await open_people_table(process, clock=AT_ONCE, count=0)
    tick = process.due_work.run

    async def out_of_reach(table_id: TableId) -> bool:
        process.due_work.run = tick  # type: ignore[method-assign]
        raise TablesUnavailable("the connection broke")

    process.due_work.run = out_of_reach  # type: ignore[method-assign]
    stop = asyncio.Event()
    worker = asyncio.create_task(
        Worker(process.service, process.due_work, process.worker_beats, Archived(process)).run(stop)
    )
    await wait_for_room(process, table_id, lambda room: room.version > 1, wait_s=LEASE_MS / 2000)
    stop.set()
    await worker


async def test_table_continues_after_a_redis_restart(
    redis_server: RedisServer, make_real: MakeReal, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    web, server = await make_real(redis_server.url), await make_real(redis_server.url)
    table_id = await open_people_table(web, clock=replace(AT_ONCE, reaction_ms=50))
    stop = asyncio.Event()
    worker = asyncio.create_task(
        Worker(server.service, server.due_work, server.worker_beats, Archived(server)).run(stop)
    )
    await discards_quietly(web, table_id)
    before = await next_turn(web, table_id)
    redis_server.kill()
    with pytest.raises(TablesUnavailable):
        await discards_quietly(web, table_id)
    await asyncio.sleep(1.0)
    redis_server.start()
    after = await wait_for_room(web, table_id, lambda room: True)
    assert after == before
    on = await discards_quietly(web, table_id)
    assert on.version == before.version + 1
    assert on.table.phase == Phase.CLAIMS, "only the worker ends the reaction time"
    assert (await next_turn(web, table_id)).version > on.version
    stop.set()
    await worker
    assert caplog.text.count("waiting for Redis") == 1


async def test_a_commit_stored_after_a_time_out_is_not_repeated(
    redis_server: RedisServer, make_real: MakeReal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("game.redis.held_connection.ANSWER_WITHIN_S", 0.3)
    web = await make_real(redis_server.url)
    table_id = await open_people_table(web, clock=AT_ONCE)
    room = await web.service.read_room(table_id)
    redis_server.pause()
    with pytest.raises(TablesUnavailable):
        await submit_same(web, room)
    redis_server.resume()
    outcome = await submit_same(web, room)
    assert isinstance(outcome, Done)
    await asyncio.sleep(0.1)
    log = await web.store.read_entries(table_id, 1)
    assert [version for version, _ in log] == list(range(1, len(log) + 1))
    assert (await web.service.read_room(table_id)).cids[room.table.turn] == ("once",)


async def submit_same(web: Process, room: Room) -> object:
    seat = room.table.turn
    return await web.service.submit(
        room.table_id,
        seat=seat,
        cid="once",
        step=room.table.step,
        action=quiet_answer(room, seat),
    )


async def test_a_failing_table_does_not_stop_the_others(
    redis_url: str, make_real: MakeReal, caplog: pytest.LogCaptureFixture
) -> None:
    process = await make_real(redis_url)
    broken = await open_people_table(process, clock=AT_ONCE, count=0)
    sound = await open_people_table(process, clock=AT_ONCE, count=0)
    tick = process.due_work.run

    async def failing(table_id: TableId) -> bool:
        if table_id == broken:
            raise ZeroDivisionError
        return await tick(table_id)

    process.due_work.run = failing  # type: ignore[method-assign]
    worker = Worker(process.service, process.due_work, process.worker_beats, Archived(process))
    await worker.round()
    await worker.finish()
    assert (await process.service.read_room(sound)).version > 1
    assert broken in caplog.text
