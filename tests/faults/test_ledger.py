"""The ledger finds each kind of damage, done to a table that is in order."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import msgspec
import pytest
import pytest_asyncio

from game.engine.commands import TimeUp
from game.engine.legal import pending
from game.live import encoding, outbound
from game.live.process import Process
from game.tables.room import TableId
from tests.faults.ledger import (
    Books,
    Picture,
    books_of,
    deeds_of,
    faults_of_log,
    not_seen,
    rooms_of,
    time_burnt,
)
from tests.faults.lines import reply_end
from tests.faults.player import Steadfast
from tests.kit.processes import RedisServer
from tests.tables.staging import opened, quiet_answer
from tests.web.tables import AT_ONCE


async def _played(process: Process, table_id: TableId, player: Steadfast) -> None:
    """Some turns, of which the first seat's are told to `player` as the house would."""
    for number in range(40):
        room = await process.service.read_room(table_id)
        for seat in pending(room.table):
            cid, action = f"{seat}-{number}", quiet_answer(room, seat)
            await process.service.submit(
                table_id, seat=seat, cid=cid, step=room.table.step, action=action
            )
            if seat == 0:
                a = json.loads(msgspec.json.encode(encoding.action(action)))
                player.sent[cid] = {"t": "act", "cid": cid, "q": room.table.step, "a": a}
                player.acknowledged.add(cid)
        await process.due_work.run(table_id)


@pytest_asyncio.fixture
async def order(redis_server: RedisServer) -> AsyncIterator[tuple[Books, Steadfast]]:
    """The books of a table, and a player who was at it."""
    process, player = Process(redis_server.url), Steadfast("")
    try:
        table_id = await opened(process, clock=AT_ONCE)
        await _played(process, table_id, player)
        yield await books_of(process, table_id), player
    finally:
        await process.stop()


async def test_a_table_in_order_has_no_findings(order: tuple[Books, Steadfast]) -> None:
    books, player = order
    assert faults_of_log(books) == []
    assert time_burnt(books, 4) == []
    deeds = deeds_of(books, [player])
    assert (deeds.lost, deeds.doubled) == ([], [])
    assert len(player.acknowledged) > 3
    assert len(books.commits) > 20


async def test_a_log_that_lacks_a_commit_or_its_end_is_found(
    order: tuple[Books, Steadfast],
) -> None:
    books, _ = order
    assert faults_of_log(replace(books, commits=books.commits[:5] + books.commits[6:]))
    assert faults_of_log(replace(books, commits=books.commits[:-1]))
    *_, (_, _, last) = rooms_of(books)
    doctored = msgspec.structs.replace(last, seqs=(0, 0, 0, 0, 0))
    assert faults_of_log(replace(books, snapshot=doctored))


async def test_an_action_that_is_lost_doubled_or_another_is_found(
    order: tuple[Books, Steadfast],
) -> None:
    books, player = order
    acted = next(n for n, commit in enumerate(books.commits) if commit.seat == 0)
    mine = books.commits[acted]
    without = books.commits[:acted] + books.commits[acted + 1 :]
    assert deeds_of(replace(books, commits=without), [player]).lost
    assert deeds_of(replace(books, commits=(*books.commits, mine)), [player]).doubled
    player.sent[mine.cid]["q"] += 1
    assert deeds_of(books, [player]).lost


async def test_a_view_that_is_not_what_the_log_comes_to_is_found(
    order: tuple[Books, Steadfast],
) -> None:
    books, _ = order
    *_, (_, _, last) = rooms_of(books)
    frame = json.loads(outbound.encode("sync", last, 2))
    right = Picture(2, frame["seq"], frame["view"])
    assert not_seen(books, [right]) == []
    assert not_seen(books, [right, replace(right, view={**right.view, "left": 1})])
    assert not_seen(books, [replace(right, audience=1)])
    assert not_seen(books, [replace(right, seq=right.seq + 1)])


async def test_time_that_is_burnt_is_found(order: tuple[Books, Steadfast]) -> None:
    books, _ = order
    first, *others = books.commits
    late = next(n for n, commit in enumerate(others) if commit.seat == 0)
    played_for = msgspec.structs.replace(
        others[late], commands=(TimeUp(others[late].commands[0].step, (0,)),)
    )
    assert time_burnt(replace(books, commits=(first, *others[:late], played_for)), 4)
    clock = msgspec.structs.replace(others[0].clock, bank=(1, 1, 1, 1))
    charged = msgspec.structs.replace(others[0], clock=clock)
    assert time_burnt(replace(books, commits=(first, charged)), 4)


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
def test_replies_of_redis_are_taken_whole(reply: bytes) -> None:
    assert reply_end(reply + b"+NEXT\r\n", 0) == len(reply)
    assert all(reply_end(reply[:end], 0) is None for end in range(len(reply)))
