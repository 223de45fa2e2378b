"""Only one service writes to tables; any process can act through it."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from django.conf import settings

from game.engine.actions import Pass
from game.engine.state import Phase
from game.tables import commit_draft
from game.tables.codec import decode_commit, decode_room
from game.tables.errors import NoSuchTable, TablesUnavailable, TableUnreadable
from game.tables.keys import TableKeys
from game.tables.outcomes import Done, Refusal, StaleAnswer
from game.tables.requests import Leave, Sit
from game.tables.room import Room, TableId, TableMeta, fold
from game.tables.sealing import site_sealer
from game.tables.settings import TableSettings
from game.tables.store import Append, Appended, Store
from tests.tables.staging import (
    FakeTime,
    MakeProcess,
    discards_quietly,
    open_people_table,
    people,
    submit_quietly,
    until_due,
)

pytestmark = pytest.mark.asyncio


async def test_an_opened_table_has_its_first_hand_dealt(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process)
    room = await process.service.read_room(table_id)
    assert room.version == 1
    assert room.table.phase == Phase.TURN
    assert room.table.names == ("p0", "p1", "p2", "p3")
    assert len(room.table.seed) == 32
    assert len(table_id) >= 16


async def test_unknown_table_is_not_found(make_process: MakeProcess) -> None:
    process = await make_process("a")
    with pytest.raises(NoSuchTable):
        await process.service.read_room(TableId("nowhere"))
    with pytest.raises(NoSuchTable):
        await process.service.submit(TableId("nowhere"), seat=0, cid="c", step=1, action=Pass())


async def test_the_same_command_id_twice_acts_once(make_process: MakeProcess) -> None:
    a, b = await make_process("a"), await make_process("b")
    room = await a.service.read_room(await open_people_table(a))
    first = await submit_quietly(a.service, room, "cid-1")
    again = await submit_quietly(a.service, room, "cid-1")
    elsewhere = await submit_quietly(b.service, room, "cid-1")
    assert isinstance(first, Done)
    assert isinstance(again, Done)
    assert isinstance(elsewhere, Done)
    assert (await b.service.read_room(room.table_id)).version == 2


async def test_concurrent_resends_act_once(make_process: MakeProcess) -> None:
    processes = [await make_process(name) for name in "abcd"]
    room = await processes[0].service.read_room(await open_people_table(processes[0]))
    tries = [submit_quietly(process.service, room, "same") for process in processes * 10]
    outcomes = await asyncio.gather(*tries)
    assert all(isinstance(outcome, Done) for outcome in outcomes)
    assert (await processes[0].service.read_room(room.table_id)).version == 2


async def test_one_of_forty_answers_to_a_question_is_accepted(make_process: MakeProcess) -> None:
    processes = [await make_process(name) for name in "abcd"]
    room = await processes[0].service.read_room(await open_people_table(processes[0]))
    tries = [
        submit_quietly(process.service, room, f"cid-{n}")
        for n, process in enumerate(processes * 10)
    ]
    outcomes = await asyncio.gather(*tries)
    assert sum(isinstance(outcome, Done) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, StaleAnswer) for outcome in outcomes) == 39
    assert (await processes[0].service.read_room(room.table_id)).version == 2


async def test_answer_to_an_old_question_changes_nothing(make_process: MakeProcess) -> None:
    process = await make_process("a")
    room = await process.service.read_room(await open_people_table(process))
    await submit_quietly(process.service, room, "cid-1")
    outcome = await submit_quietly(process.service, room, "cid-2")
    assert isinstance(outcome, StaleAnswer)
    assert outcome.room.version == 2


async def test_an_illegal_action_is_refused_with_a_reason(make_process: MakeProcess) -> None:
    process = await make_process("a")
    room = await process.service.read_room(await open_people_table(process))
    outcome = await process.service.submit(
        room.table_id, seat=room.table.turn, cid="c", step=room.table.step, action=Pass()
    )
    assert isinstance(outcome, Refusal)
    assert outcome.code
    assert outcome.text


async def test_process_with_an_old_room_decides_on_the_latest(
    make_process: MakeProcess, time: FakeTime
) -> None:
    old, busy = await make_process("old"), await make_process("busy")
    table_id = await open_people_table(busy)
    await old.service.read_room(table_id)
    await discards_quietly(busy, table_id)
    room = await until_due(busy, time, table_id)
    while room.table.phase == Phase.CLAIMS:
        room = await until_due(busy, time, table_id)
    assert old.rooms.get(table_id).version == 1  # type: ignore[union-attr]
    outcome = await submit_quietly(old.service, room, "cid-1")
    assert isinstance(outcome, Done)
    assert outcome.room.version == room.version + 1


async def test_snapshot_and_whole_log_give_the_same_room(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process)
    room = await process.service.read_room(table_id)
    while room.version < 40:
        if room.table.phase == Phase.TURN:
            room = await discards_quietly(process, table_id)
        else:
            room = await until_due(process, time, table_id)
    fresh = await make_process("fresh")
    assert await fresh.service.read_room(table_id) == room
    snapshot = await process.store.read_snapshot(table_id)
    assert snapshot is not None
    assert decode_room(snapshot).version >= room.version - 16
    folded = Room(table_id, room.meta)
    for _, data in await process.store.read_entries(table_id, 1):
        folded = fold(folded, decode_commit(data))
    assert folded == room


class BreakingStore(Store):
    """A store whose connection breaks around an append: after the append has reached Redis, or
    before it."""

    after = True
    times = 1
    broken = 0

    async def append(self, entry: Append) -> Appended:
        if self.broken == self.times:
            return await super().append(entry)
        self.broken += 1
        if self.after:
            await super().append(entry)
        raise TablesUnavailable("the connection broke")


async def breaking(process: Any, *, after: bool, times: int = 1) -> BreakingStore:
    store = BreakingStore(process.redis, pipeline=process.pipeline)
    store.after, store.times = after, times
    process.service.store = store
    return store


async def test_commit_with_unknown_outcome_is_found(make_process: MakeProcess) -> None:
    process = await make_process("a")
    room = await process.service.read_room(await open_people_table(process))
    store = await breaking(process, after=True)
    outcome = await submit_quietly(process.service, room, "cid-1")
    assert isinstance(outcome, Done)
    assert store.broken == 1
    assert (await process.service.read_room(room.table_id)).version == 2


async def test_lost_commit_is_appended_again(make_process: MakeProcess) -> None:
    process = await make_process("a")
    room = await process.service.read_room(await open_people_table(process))
    store = await breaking(process, after=False)
    assert isinstance(await submit_quietly(process.service, room, "cid-1"), Done)
    assert store.broken == 1
    assert (await process.service.read_room(room.table_id)).version == 2


async def test_commit_lost_twice_can_be_resent(make_process: MakeProcess) -> None:
    process = await make_process("a")
    room = await process.service.read_room(await open_people_table(process))
    await breaking(process, after=False, times=2)
    with pytest.raises(TablesUnavailable):
        await submit_quietly(process.service, room, "cid-1")
    assert isinstance(await submit_quietly(process.service, room, "cid-1"), Done)
    assert (await process.service.read_room(room.table_id)).version == 2


@pytest.mark.parametrize("where", ["decide", "due_at"])
async def test_engine_error_freezes_the_table(
    make_process: MakeProcess,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    where: str,
) -> None:
    a, b = await make_process("a"), await make_process("b")
    room = await a.service.read_room(await open_people_table(a))

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(commit_draft, where, broken)
        outcome = await submit_quietly(a.service, room, "cid-1")
    assert isinstance(outcome, Refusal)
    assert outcome.code == "frozen"
    assert f"table {room.table_id} is frozen: the engine failed at version 1" in caplog.text
    elsewhere = await submit_quietly(b.service, room, "cid-2")
    assert isinstance(elsewhere, Refusal)
    assert elsewhere.code == "frozen"
    assert (await b.service.read_room(room.table_id)).version == 1


async def test_listed_public_tables_show_public_data_only(
    make_process: MakeProcess, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await make_process("a")
    older = await open_people_table(process, count=1)
    time.pass_ms(1_000)
    newer = await open_people_table(process)
    rows = await process.service.list_tables()
    assert [row.table_id for row in rows] == [newer, older]
    assert rows[1].names == ("p0", "b1", "b2", "b3")
    assert rows[1].bots == (False, True, True, True)
    assert rows[1].scores == (25_000,) * 4
    monkeypatch.setattr("game.tables.service.MAX_LISTED", 1)
    assert await process.service.list_tables() == rows[:1]


async def test_list_marks_tables_with_a_left_seat(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await process.service.open_table(
        TableMeta(seats=people(), settings=TableSettings(may_join=True))
    )
    assert not any((await process.service.list_tables())[0].left)
    await process.service.apply_request(table_id, Leave(2))
    (row,) = await process.service.list_tables()
    assert row.left == (False, False, True, False)
    assert row.settings.may_join
    await process.service.apply_request(table_id, Sit(2, "somebody", "New"))
    (row,) = await process.service.list_tables()
    assert not any(row.left)
    assert row.names[2] == "New"


async def test_list_has_no_password_hash(make_process: MakeProcess) -> None:
    process = await make_process("a")
    settings = TableSettings(may_join=True, password="its hash")
    table_id = await process.service.open_table(TableMeta(seats=people(), settings=settings))
    (row,) = await process.service.list_tables()
    assert row.settings == TableSettings(may_join=True)
    room = await process.service.read_room(table_id)
    assert room.meta.settings.password == "its hash", "a rematch has it, too"


async def test_a_table_id_is_opened_once(make_process: MakeProcess) -> None:
    table_id = TableId("chosen-before")
    processes = [await make_process(name) for name in "abc"]
    opening = [
        process.service.open_table(TableMeta(seats=people()), table_id=table_id)
        for process in processes
    ]
    assert await asyncio.gather(*opening) == [table_id] * 3
    assert len(await processes[0].store.read_entries(table_id, 1)) == 1
    await discards_quietly(processes[1], table_id)
    await processes[2].service.open_table(TableMeta(seats=people()), table_id=table_id)
    assert (await processes[0].service.read_room(table_id)).version == 2


async def test_table_of_another_version_is_not_changed(
    make_process: MakeProcess, caplog: pytest.LogCaptureFixture
) -> None:
    process = await make_process("a")
    room = await process.service.read_room(await open_people_table(process))
    keys = TableKeys.of(room.table_id)
    kept = await process.redis.get(keys.snap)
    other = site_sealer().seal(b"\x93 of tomorrow", "snapshot", room.table_id, room.version)
    await process.redis.set(keys.snap, other)
    newcomer = await make_process("b")
    for _ in range(2):
        with pytest.raises(TableUnreadable):
            await newcomer.service.read_room(room.table_id)
    (line,) = [record for record in caplog.records if "cannot be read" in record.getMessage()]
    assert (line.levelname, line.exc_info) == ("WARNING", None), "an upgrade is no error"
    assert not await process.store.is_frozen(room.table_id)
    await process.redis.set(keys.snap, kept)
    assert (await newcomer.service.read_room(room.table_id)).head == room.head


_FORKED = """
import os
from game.tables import service
for _ in range(2):
    if os.fork() == 0:
        print(service._tokens.randbytes(6).hex())
        break
    os.wait()
else:
    print(service._tokens.randbytes(6).hex())
"""


async def test_forked_processes_draw_different_tokens() -> None:
    done = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _FORKED), cwd=settings.BASE_DIR, stdout=asyncio.subprocess.PIPE
    )
    tokens = (await done.communicate())[0].split()
    assert len(tokens) == len({*tokens}) == 3
