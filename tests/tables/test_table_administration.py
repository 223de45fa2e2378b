"""The administration of all running tables: list, hold with a notice, resume, end."""

from __future__ import annotations

import asyncio
from io import StringIO
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command

from game.engine.rules import TENHOU
from game.engine.state import Phase
from game.live import outbound
from game.live.process import Process
from game.operations import table_administration
from game.tables.keys import TableKeys
from game.tables.outcomes import Done, Refusal
from game.tables.requests import Resume, Vote
from game.tables.room import Room, SeatMeta, TableId
from game.tables.scheduler import due_at
from game.tables.settings import TableSettings
from lobby.play.table_access import TableAccess
from tests.tables.staging import (
    FakeSocket,
    FakeTime,
    MakeProcess,
    open_people_table,
    seconds_kept,
    until_due,
)

PERSON = "0b0c1f6e-52a0-4d3c-9d3e-6f4f3f0a7f11"
NOTICE = "Back in <five> minutes"


async def test_list_has_all_running_tables_only(make_process: MakeProcess) -> None:
    process = await make_process("a")
    tables = [await open_people_table(process, count=count) for count in (1, 2, 4)]
    over = await open_people_table(process)
    assert await table_administration.end_games(process.service, [over]) == (1, 0)
    await process.store.end_table(over, keep_s=60)
    found = await table_administration.list_tables(process.service)
    assert {listed.table_id for listed in found} == set(tables)
    assert await table_administration.find_table(process.service, over) is None
    assert await table_administration.find_table(process.service, "nothing") is None


async def test_hold_stops_and_resumes_all_clocks(make_process: MakeProcess, time: FakeTime) -> None:
    process, other = await make_process("a"), await make_process("b")
    tables = [await open_people_table(process) for _ in range(3)]
    asked = {
        table_id: (await process.service.read_room(table_id)).clock.asked_at for table_id in tables
    }
    hub = await process.hub(outbound.encode)
    socket = FakeSocket(0)
    await hub.join(tables[0], socket)

    assert await table_administration.hold_tables(other.service, 10, NOTICE) == (3, 0)
    for table in tables:
        room = await process.service.read_room(table)
        assert (due_at(room), room.notice) == (time.now + 600_000, NOTICE)
    assert socket.frames[-1]["t"] == "sync"
    assert socket.frames[-1]["requests"]["notice"] == NOTICE
    assert socket.frames[-1]["requests"]["resumes_at"] == time.now + 600_000

    time.now += 60_000
    assert await table_administration.hold_tables(other.service, 20, "DelayedView") == (3, 0)
    await process.service.read_room(tables[0])
    assert socket.frames[-1]["requests"]["notice"] == "DelayedView"
    assert socket.frames[-1]["requests"]["resumes_at"] == time.now + 1_200_000

    assert await table_administration.resume_tables(other.service) == (3, 0)
    for table_id in tables:
        room = await process.service.read_room(table_id)
        charged = [
            after - before
            for after, before in zip(room.clock.asked_at, asked[table_id], strict=True)
        ]
        assert {span for span in charged if span} == {60_000}, (
            "nobody is charged for the time of the hold"
        )
        assert (room.clock.paused_at, room.notice) == (0, "")
    assert socket.frames[-1]["requests"]["notice"] == ""


@pytest.mark.parametrize("notice", [NOTICE, ""])
async def test_hold_ends_by_time_or_by_an_operator(
    make_process: MakeProcess, time: FakeTime, notice: str
) -> None:
    process = await make_process("a")
    first, second = await open_people_table(process), await open_people_table(process)
    await table_administration.hold_tables(process.service, 1, notice)
    refused = await process.service.apply_request(second, Resume(0))
    assert isinstance(refused, Refusal)
    assert refused.code == "held"
    assert (await process.service.read_room(second)).clock.paused_at
    await table_administration.resume_tables(process.service, [second])
    assert not (await process.service.read_room(second)).clock.paused_at
    room = await until_due(process, time, first)
    assert (room.clock.paused_at, room.notice) == (0, "")


@pytest.mark.django_db(transaction=True)
async def test_table_opened_during_a_hold_is_held_too(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    access = TableAccess(process.service, process.redis)
    await table_administration.hold_tables(process.service, 10, NOTICE)
    time.now += 60_000
    room = await _open_by(access, "one")
    assert (room.notice, room.clock.pause_ends_at) == (NOTICE, time.now + 540_000)
    await table_administration.hold_tables(process.service, 1, "Only this one", ["one"])
    assert (await _open_by(access, "two")).notice == NOTICE
    await table_administration.hold_tables(process.service, 1, "Shorter")
    three = await _open_by(access, "three")
    assert (three.notice, three.clock.pause_ends_at) == ("Shorter", time.now + 540_000)
    await table_administration.resume_tables(process.service)
    four = await _open_by(access, "four")
    assert (four.notice, four.clock.paused_at) == ("", 0)


async def _open_by(access: TableAccess, name: str) -> Room:
    seats = [SeatMeta(name="p", person=PERSON), *(SeatMeta(f"b{at}", bot="b") for at in range(3))]
    await access.open_game(name, seats, TableSettings(rules=TENHOU))
    room = await access.room(name)
    assert room is not None
    return room


async def test_notice_is_stored_with_the_table(make_process: MakeProcess) -> None:
    table_id = await open_people_table(await make_process("a"))
    await table_administration.hold_tables((await make_process("a2")).service, 5, NOTICE)
    fresh = await make_process("b")
    assert (await fresh.service.read_room(table_id)).notice == NOTICE


async def test_listed_table_contains_no_tile(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process, count=2)
    shown = await table_administration.find_table(process.service, table_id)
    assert shown is not None
    assert [seat.played_by for seat in shown.seats] == ["person", "person", "bot", "bot"]
    fields = set(shown.__slots__) | set(shown.seats[0].__slots__)
    assert fields == {
        *("table_id", "rules", "round", "honba", "seats", "is_public", "opened_at", "version"),
        *("step", "resumes_at", "notice", "name", "played_by", "is_away", "score", "is_frozen"),
    }


async def test_operator_ends_a_game(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_people_table(process)
    await table_administration.hold_tables(process.service, 5, NOTICE)
    assert await table_administration.end_games(process.service, [table_id, TableId("gone")]) == (
        1,
        0,
    )
    assert (await process.service.read_room(table_id)).table.phase == Phase.ENDED


async def frozen(process: Process, *, count: int = 1) -> list[TableId]:
    tables = [await open_people_table(process, count=2) for _ in range(count)]
    for table_id in tables:
        await process.store.freeze(table_id)
    return tables


async def test_frozen_table_is_listed_first_and_can_be_thawed(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    running_one = await open_people_table(process)
    (table_id,) = await frozen(process)
    listed = await table_administration.list_tables(process.service)
    assert [(row.table_id, row.is_frozen) for row in listed] == [
        (table_id, True),
        (running_one, False),
    ]
    assert [seat.played_by for seat in listed[0].seats] == ["person", "person", "bot", "bot"]
    assert not [
        table for table in await process.service.list_tables() if table.table_id == table_id
    ]
    assert await table_administration.hold_tables(process.service, 1, NOTICE, [table_id]) == (0, 1)
    assert await table_administration.thaw_tables(process.service, [table_id, running_one]) == (
        1,
        1,
    )
    assert [table.table_id for table in await process.service.list_tables()].count(table_id) == 1
    assert not any(
        table.is_frozen for table in await table_administration.list_tables(process.service)
    )
    assert isinstance(await process.service.apply_request(table_id, Vote(0, "pause")), Done)


async def test_frozen_game_can_be_ended(make_process: MakeProcess) -> None:
    process = await make_process("a")
    (table_id,) = await frozen(process)
    assert await table_administration.end_games(process.service, [table_id]) == (1, 0)
    assert (await process.service.read_room(table_id)).table.phase == Phase.ENDED
    assert not await process.store.index.list_frozen()


async def test_discarded_table_is_kept_unlisted_for_a_week(make_process: MakeProcess) -> None:
    process = await make_process("a")
    running_one = await open_people_table(process)
    first, second = await frozen(process, count=2)
    await process.redis.delete(TableKeys.of(second).snap)
    unreadable = (await table_administration.list_tables(process.service))[:2]
    assert {row.table_id for row in unreadable} == {first, second}
    assert await table_administration.thaw_tables(process.service, [second]) == (0, 1)
    given_up = await table_administration.give_up_tables(
        process.service, [first, second, running_one]
    )
    assert given_up == (2, 1), "a running table cannot be discarded"
    left = await table_administration.list_tables(process.service)
    assert [row.table_id for row in left] == [running_one]
    for key in (TableKeys.of(first).log, TableKeys.of(first).meta, TableKeys.of(second).log):
        assert 0 < await seconds_kept(process.redis, key) <= 7 * 86_400


@pytest.mark.django_db(transaction=True)
async def test_frozen_table_keeps_no_player(make_process: MakeProcess) -> None:
    process = await make_process("a")
    access = TableAccess(process.service, process.redis)
    room = await _open_by(access, "one")
    assert await access.has_seat(room.table_id, PERSON)
    await process.store.freeze(room.table_id)
    assert not await access.has_seat(room.table_id, PERSON)
    assert not await access.awaits(room.table_id, PERSON)


async def run_command(*words: str) -> str:
    out = StringIO()
    await sync_to_async(call_command, thread_sensitive=False)("tables", *words, stdout=out)
    return out.getvalue()


async def test_command_lists_holds_and_resumes(
    make_process: MakeProcess, redis_url: str, settings: Any
) -> None:
    settings.REDIS_URL = redis_url
    process = await make_process("a")
    assert await run_command("list") == "0 running\n"
    table_id = await open_people_table(process, count=2)
    assert await run_command("hold", "--minutes", "3", "--notice", NOTICE) == (
        "The clocks stand at 1 table.\n"
    )
    assert (await process.service.read_room(table_id)).notice == NOTICE
    listed = await run_command("list")
    assert listed.startswith(table_id)
    assert "East 1, 0 honba  2 people" in listed
    assert "stopped" in listed
    assert await run_command("resume") == "The clocks run at 1 table.\n"
    assert not (await process.service.read_room(table_id)).clock.paused_at


@pytest.mark.parametrize(
    "words",
    [["hold", "--minutes", "0"], ["hold", "--notice", "a\nb"], ["hold", "--minutes", "x"], []],
)
async def test_command_refuses_wrong_arguments(words: list[str]) -> None:
    with pytest.raises(CommandError):
        await run_command(*words)


async def test_command_reports_that_redis_is_unreachable(redis_url: str, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with pytest.raises(CommandError, match="Redis cannot be reached"):
        await run_command("list")


async def test_stopped_process_leaves_no_task_and_no_timer(redis_url: str, time: FakeTime) -> None:
    process = Process(redis_url, now_ms=time, name="a")
    process.due_work.start_timers(plays_bots=True)
    table_id = await open_people_table(process, count=1)
    time.now += 60_000
    reads = [asyncio.create_task(process.service.read_room(table_id)) for _ in range(3)]
    process.due_work._on_due(table_id, (await process.service.read_room(table_id)).head)
    await asyncio.sleep(0)
    before = {asyncio.current_task(), *reads}
    await process.stop()
    await asyncio.gather(*reads, return_exceptions=True)
    await asyncio.sleep(0.05)
    assert asyncio.all_tasks() <= before
