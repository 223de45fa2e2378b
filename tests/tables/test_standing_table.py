"""The site's table of bots goes on while somebody watches; nobody else's game depends on that."""

from __future__ import annotations

import pytest

from game.engine.commands import EndGame
from game.engine.state import Phase
from game.live.process import Process
from game.live.spectator_counts import VALID_MS
from game.tables.abandonment import UNWATCHED_MS
from game.tables.codec import decode_commit
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import Purpose, TableSettings
from tests.tables.staging import FakeTime, MakeProcess, run_for

pytestmark = pytest.mark.asyncio

BOTS = tuple(SeatMeta(name=name, bot="tsumogiri") for name in ("Aki", "Fuyu", "Haru", "Natsu"))


async def open_bots(process: Process, purpose: Purpose) -> TableId:
    meta = TableMeta(seats=BOTS, settings=TableSettings(purpose=purpose))
    return await process.service.open_table(meta)


async def test_bots_play_while_there_are_spectators(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    table_id = await open_bots(process, "standing")
    opened = await process.service.read_room(table_id)
    assert await run_for(10_000, process, time, table_id) == opened, "nobody watches"
    await process.spectator_counts.store({table_id: 1})
    played = await run_for(10_000, process, time, table_id)
    moves = sum(len(hand.river) for hand in played.table.hands)
    assert 4 <= moves <= 12, "about one discard a second"
    time.now += VALID_MS
    still = await run_for(10_000, process, time, table_id)
    assert still == played, "the count of a process that has died is no spectator"


async def test_bots_play_while_a_page_shows_their_board(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    table_id = await open_bots(process, "standing")
    await process.spectator_counts.note_board(table_id)
    room = await run_for(5_000, process, time, table_id)
    assert room.version > 1


async def test_game_is_ended_when_nobody_has_watched_for_a_minute(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("web")
    table_id, other = await open_bots(process, "standing"), await open_bots(process, "")
    await run_for(UNWATCHED_MS - 1_000, process, time, table_id)
    room = await run_for(3_000, process, time, table_id)
    assert room.table.phase == Phase.ENDED
    rows = await process.store.read_entries(table_id, room.version)
    assert decode_commit(rows[-1][1]).commands == (EndGame(),)
    played = await run_for(UNWATCHED_MS + 3_000, process, time, other)
    assert played.table.phase != Phase.ENDED, "games of bots that count are played to their end"
