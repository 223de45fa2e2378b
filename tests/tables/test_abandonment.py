"""Tables that their players have abandoned pause, go on when one returns, and are ended later."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from game.engine.clock import ClockSettings
from game.engine.commands import EndGame
from game.engine.state import Phase
from game.live.process import Process
from game.tables.codec import decode_commit
from game.tables.guided_hands import GUIDED_HANDS
from game.tables.requests import Hold, Leave, Resume
from game.tables.room import Room, SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from game.tables.timeouts import RECONNECTS_WITHIN_MS
from tests.tables.staging import FakeTime, MakeProcess, people, person_at, run_for

pytestmark = pytest.mark.asyncio

PAUSE_AFTER: Final = 20_000
PAUSE: Final = 60_000
MOVES_WITHIN: Final = 10_000
"""A stand-in moves at least once in this time, and only then is the table looked at."""
QUICK: Final = ClockSettings(base_ms=1_000, bank_ms=0)


@pytest.fixture(autouse=True)
def _short_times(settings: Any) -> None:
    settings.ABANDONED_PAUSE_SECONDS = PAUSE_AFTER // 1000
    settings.ABANDONED_END_MINUTES = PAUSE // 60_000


async def open_table(process: Process, count: int = 1, **terms: Any) -> TableId:
    """Open a table with that many people, who can connect to this process."""
    await process.heartbeat.register()
    meta = replace(TableMeta(seats=people(count), clock=QUICK), **terms)
    return await process.service.open_table(meta)


async def open_paused_table(process: Process, time: FakeTime) -> tuple[TableId, Room]:
    """Return a table that nobody has opened, and that has just paused."""
    table_id = await open_table(process)
    room = await run_for(PAUSE_AFTER + MOVES_WITHIN, process, time, table_id)
    assert room.clock.paused_at
    return table_id, room


async def test_table_that_nobody_opens_pauses_and_is_ended(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    table_id = await open_table(process)
    room = await run_for(PAUSE_AFTER - 500, process, time, table_id)
    assert room.table.away[0]
    assert not room.clock.paused_at
    room = await run_for(MOVES_WITHIN, process, time, table_id)
    assert room.clock.paused_at
    still = await run_for(PAUSE - MOVES_WITHIN, process, time, table_id)
    assert still == room
    room = await run_for(MOVES_WITHIN, process, time, table_id)
    assert room.table.phase == Phase.ENDED
    rows = await process.store.read_entries(table_id, room.version)
    assert decode_commit(rows[-1][1]).commands == (EndGame(),)


async def test_time_runs_from_the_last_closed_socket(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    table_id = await open_table(process, 2)
    for seat in range(2):
        await process.service.add_socket(table_id, seat)
    await process.service.remove_socket(table_id, 0)
    await run_for(PAUSE_AFTER // 2, process, time, table_id)
    await process.service.remove_socket(table_id, 1)
    room = await run_for(PAUSE_AFTER - 500, process, time, table_id)
    assert not room.clock.paused_at
    assert (await run_for(MOVES_WITHIN, process, time, table_id)).clock.paused_at


async def test_table_goes_on_when_a_player_returns(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    table_id, before = await open_paused_table(process, time)
    await process.service.add_socket(table_id, 0)
    room = await process.service.read_room(table_id)
    assert not room.clock.paused_at
    assert not room.table.away[0]
    room = await run_for(2 * PAUSE_AFTER, process, time, table_id)
    assert not room.clock.paused_at
    assert room.version > before.version + 2


async def test_table_of_others_goes_on_when_one_who_left_returns(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    table_id = await open_table(process, 2)
    await process.service.apply_request(table_id, Leave(1))
    assert (await run_for(PAUSE_AFTER + MOVES_WITHIN, process, time, table_id)).clock.paused_at
    await process.service.add_socket(table_id, 1)
    assert not (await process.service.read_room(table_id)).clock.paused_at


async def test_table_with_one_connected_player_goes_on(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    table_id = await open_table(process, 2)
    await process.service.add_socket(table_id, 1)
    assert not (await run_for(2 * PAUSE_AFTER, process, time, table_id)).clock.paused_at


_BOT = SeatMeta("BOT a", person_at(0), is_program=True)
UNTOUCHED: Final[dict[str, dict[str, Any]]] = {
    "rated": {"ladder": "tenhou.east_south", "rated": (True, False, False, False)},
    "of a tournament": {"settings": TableSettings(has_officials=True)},
    "of an event": {"settings": TableSettings(event=1)},
    "of bots": {"seats": (_BOT, *people(0)[1:])},
}


@pytest.mark.parametrize("kind", UNTOUCHED)
async def test_other_tables_are_played_to_the_end(
    make_process: MakeProcess, time: FakeTime, kind: str
) -> None:
    process = await make_process("web")
    table_id = await open_table(process, **UNTOUCHED[kind])
    room = await run_for(2 * PAUSE_AFTER, process, time, table_id)
    assert not room.clock.paused_at


async def test_guided_table_waits_for_its_learner(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    await process.heartbeat.register()
    learner = people(1)[0]
    name = next(iter(GUIDED_HANDS))
    table_id = await process.service.open_guided(name, learner, ("a", "b", "c"), QUICK)
    room = await run_for(2 * PAUSE_AFTER, process, time, table_id)
    assert not room.clock.paused_at


async def test_outage_of_all_web_servers_does_not_count(
    make_process: MakeProcess, time: FakeTime
) -> None:
    worker, web = await make_process("worker"), await make_process("web")
    table_id = await open_table(web)
    await run_for(PAUSE_AFTER // 2, worker, time, table_id, web)
    room = await run_for(2 * PAUSE_AFTER, worker, time, table_id)
    assert not room.clock.paused_at, "no player can come back"
    room = await run_for(PAUSE_AFTER // 2 - 1_000, worker, time, table_id, web)
    assert not room.clock.paused_at
    assert (await run_for(2 * MOVES_WITHIN, worker, time, table_id, web)).clock.paused_at


async def test_time_after_a_crash_runs_from_the_loss_of_the_player(
    make_process: MakeProcess, time: FakeTime
) -> None:
    dead, web = await make_process("dead"), await make_process("web")
    table_id = await open_table(web)
    await dead.service.add_socket(table_id, 0)
    await run_for(2 * PAUSE_AFTER, web, time, table_id, dead)
    room = await run_for(RECONNECTS_WITHIN_MS + PAUSE_AFTER - 1_000, web, time, table_id)
    assert not room.clock.paused_at
    assert (await run_for(2 * MOVES_WITHIN, web, time, table_id)).clock.paused_at


async def test_pause_of_the_operator_is_not_ended_by_a_return(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    table_id = await open_table(process)
    await process.service.set_away(table_id, 0, True)
    await process.service.apply_request(table_id, Hold(10 * PAUSE, "maintenance"))
    await process.service.add_socket(table_id, 0)
    assert (await process.service.read_room(table_id)).clock.paused_at


async def test_operator_can_end_the_pause_of_an_abandoned_table(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    table_id, _ = await open_paused_table(process, time)
    await process.service.apply_request(table_id, Resume())
    room = await process.service.read_room(table_id)
    assert not room.clock.paused_at


async def test_setting_lets_abandoned_tables_play_on(
    make_process: MakeProcess, time: FakeTime, settings: Any
) -> None:
    settings.ABANDONED_PAUSE_SECONDS = 0
    process = await make_process("web")
    table_id = await open_table(process)
    assert not (await run_for(2 * PAUSE_AFTER, process, time, table_id)).clock.paused_at
