"""The checks of a table find each kind of damage to its log."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import msgspec
import pytest
import pytest_asyncio

from game.engine.commands import Act, Timeout
from game.engine.legal import pending_seats
from game.live import encoding, outbound
from game.live.process import Process
from game.tables.room import TableId
from tests.faults.player import PersistentPlayer
from tests.faults.redis_proxy import reply_end
from tests.faults.table_checks import (
    SeenView,
    StoredTable,
    check_actions,
    find_log_errors,
    find_lost_time,
    find_view_errors,
    read_stored_table,
    replay_log,
)
from tests.kit.processes import RedisServer
from tests.tables.staging import open_people_table, quiet_answer
from tests.web.tables import AT_ONCE


async def _play_turns(process: Process, table_id: TableId, player: PersistentPlayer) -> None:
    """Play some turns; `player` records the answers of the first seat as acknowledged."""
    for number in range(40):
        room = await process.service.read_room(table_id)
        for seat in pending_seats(room.table):
            cid, action = f"{seat}-{number}", quiet_answer(room, seat)
            await process.service.submit(
                table_id, seat=seat, cid=cid, step=room.table.step, action=action
            )
            if seat == 0:
                a = json.loads(msgspec.json.encode(encoding.encode_action(action)))
                player.sent[cid] = {"t": "act", "cid": cid, "q": room.table.step, "a": a}
                player.acknowledged.add(cid)
        await process.due_work.run(table_id)


@pytest_asyncio.fixture
async def played_table(
    redis_server: RedisServer,
) -> AsyncIterator[tuple[StoredTable, PersistentPlayer]]:
    """Yield a stored table without damage, and the player of its first seat."""
    process, player = Process(redis_server.url), PersistentPlayer("")
    try:
        table_id = await open_people_table(process, clock=AT_ONCE)
        await _play_turns(process, table_id, player)
        yield await read_stored_table(process, table_id), player
    finally:
        await process.stop()


async def test_undamaged_table_has_no_errors(
    played_table: tuple[StoredTable, PersistentPlayer],
) -> None:
    stored, player = played_table
    assert find_log_errors(stored) == []
    assert find_lost_time(stored, 4) == []
    actions = check_actions(stored, [player], [player.acknowledged])
    assert (actions.lost, actions.doubled) == ([], [])
    assert len(player.acknowledged) > 3
    assert len(stored.commits) > 20


async def test_missing_commits_are_found(
    played_table: tuple[StoredTable, PersistentPlayer],
) -> None:
    stored, _ = played_table
    assert find_log_errors(replace(stored, commits=stored.commits[:5] + stored.commits[6:]))
    assert find_log_errors(replace(stored, commits=stored.commits[:-1]))
    *_, (_, _, last) = replay_log(stored)
    damaged = msgspec.structs.replace(last, seqs=(0, 0, 0, 0, 0))
    assert find_log_errors(replace(stored, snapshot=damaged))


async def test_lost_doubled_and_changed_actions_are_found(
    played_table: tuple[StoredTable, PersistentPlayer],
) -> None:
    stored, player = played_table
    index = next(n for n, commit in enumerate(stored.commits) if commit.seat == 0)
    acted = stored.commits[index]
    without = stored.commits[:index] + stored.commits[index + 1 :]
    assert check_actions(replace(stored, commits=without), [player], [player.acknowledged]).lost
    assert check_actions(
        replace(stored, commits=(*stored.commits, acted)), [player], [player.acknowledged]
    ).doubled
    player.sent[acted.cid]["q"] += 1
    assert check_actions(stored, [player], [player.acknowledged]).lost


async def test_action_acknowledged_while_the_log_was_read_is_not_lost(
    played_table: tuple[StoredTable, PersistentPlayer],
) -> None:
    stored, player = played_table
    earlier = set(player.acknowledged)
    player.acknowledged.add("0-later")
    assert check_actions(stored, [player], [earlier]).lost == []
    assert check_actions(stored, [player], [player.acknowledged]).lost


async def test_views_that_differ_from_the_log_are_found(
    played_table: tuple[StoredTable, PersistentPlayer],
) -> None:
    stored, _ = played_table
    *_, (_, _, last) = replay_log(stored)
    frame = json.loads(outbound.encode("sync", last, 2))
    right = SeenView(2, frame["seq"], frame["view"])
    assert find_view_errors(stored, [right]) == []
    assert find_view_errors(stored, [right, replace(right, view={**right.view, "left": 1})])
    assert find_view_errors(stored, [replace(right, viewer=1)])
    assert find_view_errors(stored, [replace(right, seq=right.seq + 1)])


async def test_lost_time_is_found(played_table: tuple[StoredTable, PersistentPlayer]) -> None:
    stored, _ = played_table
    first, *others = stored.commits
    late = next(n for n, commit in enumerate(others) if commit.seat == 0)
    act = others[late].commands[0]
    assert isinstance(act, Act)
    played_for = msgspec.structs.replace(others[late], commands=(Timeout(act.step, (0,)),))
    assert find_lost_time(replace(stored, commits=(first, *others[:late], played_for)), 4)
    clock = msgspec.structs.replace(others[0].clock, bank=(1, 1, 1, 1))
    charged = msgspec.structs.replace(others[0], clock=clock)
    assert find_lost_time(replace(stored, commits=(first, charged)), 4)


@pytest.mark.parametrize(
    "reply",
    [
        b"+OK\r\n",
        b"$5\r\nab\r\nc\r\n",
        b"$-1\r\n",
        b"*2\r\n$1\r\na\r\n:12\r\n",
        b"*0\r\n",
        b"*-1\r\n",
    ],
)
def test_redis_reply_ends_only_when_complete(reply: bytes) -> None:
    assert reply_end(reply + b"+NEXT\r\n", 0) == len(reply)
    assert all(reply_end(reply[:end], 0) is None for end in range(len(reply)))
