"""All running tables at once: found, stopped with a notice, let run, ended."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command

from game import running
from game.engine.state import Phase
from game.rooms.matters import Resume
from game.rooms.room import TableId
from game.rooms.schedule import due_at
from game.wire import outbound
from tests.rooms.conftest import MakeProcess
from tests.rooms.staging import FakeTime, Socket, opened, until_due

NOTICE = "Back in <five> minutes"


async def test_all_running_tables_are_found_and_no_others(make_process: MakeProcess) -> None:
    process = await make_process("a")
    tables = [await opened(process, count=count) for count in (1, 2, 4)]
    over = await opened(process)
    assert await running.games_ended(process.service, [over]) == (1, 0)
    await process.store.retire(over, keep_s=60)
    frozen = await opened(process)
    await process.store.freeze(frozen)
    assert {one.table_id for one in await running.running_tables(process.service)} == set(tables)
    assert await running.running_table(process.service, over) is None
    assert await running.running_table(process.service, "nothing") is None


async def test_clocks_of_all_tables_stop_with_a_notice_and_run_again(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process, other = await make_process("a"), await make_process("b")
    tables = [await opened(process) for _ in range(3)]
    asked = {one: (await process.service.room(one)).clock.asked_at for one in tables}
    hub = await process.hub(outbound.encode)
    socket = Socket(0)
    await hub.join(tables[0], socket)

    assert await running.tables_held(other.service, 10, NOTICE) == (3, 0)
    for one in tables:
        room = await process.service.room(one)
        assert (due_at(room), room.notice) == (time.now + 600_000, NOTICE)
    assert socket.frames[-1]["t"] == "sync"
    assert socket.frames[-1]["house"]["notice"] == NOTICE
    assert socket.frames[-1]["house"]["resumes_at"] == time.now + 600_000

    time.now += 60_000
    assert await running.tables_held(other.service, 20, "Later") == (3, 0)
    await process.service.room(tables[0])
    assert socket.frames[-1]["house"]["notice"] == "Later"
    assert socket.frames[-1]["house"]["resumes_at"] == time.now + 1_200_000

    assert await running.tables_resumed(other.service) == (3, 0)
    for one in tables:
        room = await process.service.room(one)
        charged = [
            after - before for after, before in zip(room.clock.asked_at, asked[one], strict=True)
        ]
        assert {span for span in charged if span} == {60_000}, "nobody pays for the time it stood"
        assert (room.clock.paused_at, room.notice) == (0, "")
    assert socket.frames[-1]["house"]["notice"] == ""


async def test_the_clocks_run_again_by_themselves_and_a_player_may_let_them(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    first, second = await opened(process), await opened(process)
    await running.tables_held(process.service, 1, NOTICE)
    await process.service.settle(second, Resume())
    assert (await process.service.room(second)).notice == ""
    room = await until_due(process, time, first)
    assert (room.clock.paused_at, room.notice) == (0, "")


async def test_a_notice_is_kept_with_the_table(make_process: MakeProcess) -> None:
    table_id = await opened(await make_process("a"))
    await running.tables_held((await make_process("a2")).service, 5, NOTICE)
    fresh = await make_process("b")
    assert (await fresh.service.room(table_id)).notice == NOTICE


async def test_what_operators_are_shown_of_a_table_holds_no_tile(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await opened(process, count=2)
    shown = await running.running_table(process.service, table_id)
    assert shown is not None
    assert [seat.played_by for seat in shown.seats] == ["person", "person", "bot", "bot"]
    fields = set(shown.__slots__) | set(shown.seats[0].__slots__)
    assert fields == {
        *("table_id", "rules", "round", "honba", "seats", "is_public", "opened_at", "version"),
        *("step", "resumes_at", "notice", "name", "played_by", "is_away", "score"),
    }


async def test_a_game_that_the_house_ends_is_over(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await opened(process)
    await running.tables_held(process.service, 5, NOTICE)
    assert await running.games_ended(process.service, [table_id, TableId("gone")]) == (1, 0)
    assert (await process.service.room(table_id)).table.phase == Phase.ENDED


async def told(*words: str) -> str:
    out = StringIO()
    await sync_to_async(call_command, thread_sensitive=False)("tables", *words, stdout=out)
    return out.getvalue()


async def test_the_command_lists_holds_and_resumes(
    make_process: MakeProcess, redis_url: str, settings: Any
) -> None:
    settings.REDIS_URL = redis_url
    process = await make_process("a")
    assert await told("list") == "0 running\n"
    table_id = await opened(process, count=2)
    assert await told("hold", "--minutes", "3", "--notice", NOTICE) == (
        "The clocks stand at 1 table.\n"
    )
    assert (await process.service.room(table_id)).notice == NOTICE
    listed = await told("list")
    assert listed.startswith(table_id)
    assert "2 people" in listed
    assert "stopped" in listed
    assert await told("resume") == "The clocks run at 1 table.\n"
    assert not (await process.service.room(table_id)).clock.paused_at


@pytest.mark.parametrize(
    "words",
    [["hold", "--minutes", "0"], ["hold", "--notice", "a\nb"], ["hold", "--minutes", "x"], []],
)
async def test_the_command_refuses_what_makes_no_sense(words: list[str]) -> None:
    with pytest.raises(CommandError):
        await told(*words)


async def test_without_redis_the_command_says_so(redis_url: str, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with pytest.raises(CommandError, match="Redis cannot be reached"):
        await told("list")
