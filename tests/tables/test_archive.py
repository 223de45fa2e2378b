"""A finished game is archived once, despite crashes and races."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest
from asgiref.sync import sync_to_async
from django.db.models.signals import post_save

from game.archive import archive
from game.archive.archive import KEPT_AFTER_END_S, read_log
from game.engine.state import Phase
from game.live.process import ARCHIVE, Process
from game.models import Game, GameSeat
from game.tables.codec import decode_commit
from game.tables.keys import TableKeys
from game.tables.requests import End
from game.tables.room import TableId, TableMeta
from game.tables.settings import TableSettings
from tests.tables.staging import (
    AT_ONCE,
    FakeTime,
    MakeProcess,
    open_people_table,
    people,
    seconds_kept,
    until_due,
)

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


async def play_bots_to_end(process: Process, time: FakeTime) -> TableId:
    """Return a table of bots, played to its end."""
    table_id = await open_people_table(process, clock=AT_ONCE, count=0)
    room = await process.service.read_room(table_id)
    while room.table.phase != Phase.ENDED:
        room = await until_due(process, time, table_id)
    return table_id


async def test_finished_game_is_archived_completely(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await play_bots_to_end(process, time)
    room = await process.service.read_room(table_id)
    rows = await process.store.read_entries(table_id, 1)
    commits = [decode_commit(data) for _, data in rows]
    await ARCHIVE.archive_game(process.service, table_id)
    game = await Game.objects.aget(pk=table_id)
    assert game.rules["name"] == "tenhou"
    assert game.is_public
    assert len(game.hands) == room.table.hands_dealt
    assert all(hand["results"] for hand in game.hands)
    assert len(commits) == room.version
    kept = await sync_to_async(read_log)(game)
    assert [entry.events for entry in kept] == [
        commit.events for commit in commits if commit.events
    ]
    times = [commit.at for commit in commits if commit.events]
    assert all(abs(entry.at - at) <= 50 for entry, at in zip(kept, times, strict=True))
    assert kept[0].seats == commits[0].seats
    seats = [row async for row in GameSeat.objects.filter(game=game).order_by("seat")]
    assert [row.name for row in seats] == ["b0", "b1", "b2", "b3"]
    assert [row.score for row in seats] == list(room.table.scores)
    assert [(row.place, float(row.points)) for row in seats] == list(room.table.placement)
    assert await seconds_kept(process.redis, TableKeys.of(table_id).log) > 0
    assert await process.service.list_tables() == []


async def test_archived_game_is_freed_without_the_garbage_collector(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await play_bots_to_end(process, time)
    saved = list[weakref.ref[Game]]()

    def note(instance: Game, **_: object) -> None:
        saved.append(weakref.ref(instance))

    post_save.connect(note, sender=Game)
    gc.disable()
    try:
        await ARCHIVE.archive_game(process.service, table_id)
        assert saved
        assert [game() for game in saved] == [None] * len(saved)
    finally:
        gc.enable()
        post_save.disconnect(note, sender=Game)


@pytest.mark.postgresql
async def test_two_workers_archive_a_game_once(make_process: MakeProcess, time: FakeTime) -> None:
    a, b = await make_process("a"), await make_process("b")
    table_id = await play_bots_to_end(a, time)
    await asyncio.gather(*(ARCHIVE.archive_game(p.service, table_id) for p in (a, b, a, b)))
    assert await Game.objects.acount() == 1
    assert await GameSeat.objects.acount() == 4


async def test_a_game_stays_due_until_it_is_archived(
    make_process: MakeProcess, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await make_process("a")
    table_id = await play_bots_to_end(process, time)

    async def died(*_: object, **__: object) -> None:
        raise ConnectionResetError

    with monkeypatch.context() as patch:
        patch.setattr(process.store, "end_table", died)
        with pytest.raises(ConnectionResetError):
            await ARCHIVE.archive_game(process.service, table_id)
    assert await Game.objects.acount() == 1
    time.pass_ms(10_000)
    claimed, _ = await process.store.claim(now=time.now, lease_ms=5_000, at_most=9)
    assert claimed == [table_id]
    assert await process.due_work.run(table_id)
    await ARCHIVE.archive_game(process.service, table_id)
    assert await Game.objects.acount() == 1
    assert await GameSeat.objects.acount() == 4
    time.pass_ms(10_000)
    assert await process.store.claim(now=time.now, lease_ms=5_000, at_most=9) == ([], None)


async def test_a_failed_archive_leaves_no_rows(
    make_process: MakeProcess, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await make_process("a")
    table_id = await play_bots_to_end(process, time)

    def died(*_: object) -> None:
        raise ConnectionResetError

    with monkeypatch.context() as patch:
        patch.setattr(archive, "_seat_row", died)
        with pytest.raises(ConnectionResetError):
            await ARCHIVE.archive_game(process.service, table_id)
    assert await Game.objects.acount() == 0
    await ARCHIVE.archive_game(process.service, table_id)
    assert await GameSeat.objects.acount() == 4


async def test_finished_table_is_kept_until_shown_open(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await process.service.open_table(
        TableMeta(
            seats=people(0),
            settings=TableSettings(watch="open_delayed", watch_delay_s=300, opens_after="game"),
        )
    )
    room = await process.service.read_room(table_id)
    while room.table.hands_dealt < 2:
        room = await until_due(process, time, table_id)
    played_s = (time.now - room.meta.opened_at) // 1000
    await process.service.apply_request(table_id, End())
    await ARCHIVE.archive_game(process.service, table_id)
    kept_s = await seconds_kept(process.redis, TableKeys.of(table_id).log)
    assert played_s > 60
    assert 300 + played_s + KEPT_AFTER_END_S <= kept_s + 10 <= 320 + played_s + KEPT_AFTER_END_S
