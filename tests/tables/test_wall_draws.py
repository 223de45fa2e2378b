"""The draw of the seed at a table: when its steps close, and what survives the death of a
process."""

from __future__ import annotations

import asyncio
import json
import zlib
from random import Random
from typing import Final

import msgspec
import pytest
from asgiref.sync import sync_to_async
from msgspec.structs import replace

from game.archive.archive import read_log
from game.archive.game_log import LogEntry, StoredLog, decode_log, encode_log, entries_of
from game.engine.clock import ClockSettings
from game.engine.events import HandStarted
from game.engine.rules import TENHOU
from game.engine.state import DrawState, Phase
from game.engine.wall_proof import WallProof, commitment_of, proof_of, proof_problems, rules_text
from game.live.process import ARCHIVE, Process
from game.models import Game
from game.records.own import own_game, own_mark
from game.records.wall_check import is_signed
from game.tables.codec import decode_commit
from game.tables.outcomes import Done, Outcome, Refusal
from game.tables.requests import End, Hold, Leave, Resume
from game.tables.room import Commit, Room, TableId, TableMeta
from game.tables.scheduler import due_at
from game.tables.settings import TableSettings
from game.tables.wall_draws import OUTAGE_GRACE_MS, Commitment, Reveal
from game.tables.wall_signer import site_signer
from tests.tables.staging import FakeTime, MakeProcess, people, until_due

pytestmark = pytest.mark.asyncio
COMMIT_MS: Final = ClockSettings().wall_commit_ms
REVEAL_MS: Final = ClockSettings().wall_reveal_ms
DRAW_MS: Final = ClockSettings().wall_draw_ms


def bytes_of(seat: int, draw: int = 1) -> bytes:
    return Random(10 * draw + seat).randbytes(32)


async def open_with_wall_draw(process: Process, count: int = 4) -> TableId:
    """Open a table that asks that many pages, with their sockets at this process."""
    table_id = await process.service.open_table(
        TableMeta(seats=people(count), settings=TableSettings(watch="closed")), draws_wall=True
    )
    for seat in range(count):
        await process.service.add_socket(table_id, seat)
    return table_id


async def commit(process: Process, table_id: TableId, seat: int, draw: int = 1) -> Outcome:
    commitment = commitment_of(bytes_of(seat, draw))
    fresh = Random(99 + draw).randbytes(32)
    return await process.service.apply_request(table_id, Commitment(seat, draw, commitment, fresh))


async def reveal(process: Process, table_id: TableId, seat: int, draw: int = 1) -> Outcome:
    return await process.service.apply_request(table_id, Reveal(seat, draw, bytes_of(seat, draw)))


async def commits_of(process: Process, table_id: TableId) -> list[Commit]:
    return [decode_commit(data) for _, data in await process.store.read_entries(table_id, 1)]


async def proven(process: Process, table_id: TableId) -> WallProof:
    """Return the proof in the table's log, checked against the dealt wall."""
    commits = await commits_of(process, table_id)
    room = await process.service.read_room(table_id)
    proof = proof_of([event for commit in commits for event in commit.events])
    assert proof is not None
    assert proof_problems(proof, room.table.seed, json.loads(rules_text(TENHOU))) == []
    for draw in proof.draws:
        assert draw.key == site_signer().public_key
        assert is_signed(draw.binding, draw.key, draw.signature)
    assert room.table.phase == Phase.TURN
    return proof


async def alive(process: Process, time: FakeTime, span: int) -> None:
    """Let time pass while that process sends heartbeats."""
    until = time.now + span
    while time.now < until:
        time.now = min(until, time.now + 500)
        await process.heartbeat.beat()


async def close_draw_step(process: Process, time: FakeTime, table_id: TableId) -> Room:
    """Let time pass to the end of the draw's step, and close it."""
    room = await process.service.read_room(table_id)
    await alive(process, time, room.clock.closes_at - time.now)
    await process.due_work.run(table_id)
    return await process.service.read_room(table_id)


def state(room: Room) -> tuple[DrawState, int, int]:
    """Return the state, the number of the draw, and the number of void draws."""
    draw = room.table.wall_draw
    assert draw is not None
    return draw.state, draw.number, draw.void


@pytest.mark.parametrize("count", [4, 3, 1])
async def test_deal_follows_at_once_when_all_pages_have_revealed(
    make_process: MakeProcess, time: FakeTime, count: int
) -> None:
    process = await make_process("a")
    table_id = await open_with_wall_draw(process, count)
    room = await process.service.read_room(table_id)
    assert (room.table.phase, room.table.seed, room.version) == (Phase.IDLE, b"", 1)
    assert due_at(room) == time.now + COMMIT_MS
    for seat in range(count):
        await commit(process, table_id, seat)
    room = await process.service.read_room(table_id)
    assert state(room) == (DrawState.REVEAL, 1, 0)
    assert due_at(room) == time.now + REVEAL_MS
    for seat in reversed(range(count)):
        await reveal(process, table_id, seat)
    proof = await proven(process, table_id)
    assert proof.pages == tuple(range(count))
    assert proof.seats[0] == f"person:{people()[0].person}"
    assert proof.table_id == table_id


async def test_table_of_bots_and_other_tables_deal_without_a_draw(
    make_process: MakeProcess,
) -> None:
    process = await make_process("a")
    for count, draws_wall in ((0, True), (4, False)):
        table_id = await process.service.open_table(
            TableMeta(seats=people(count)), draws_wall=draws_wall
        )
        room = await process.service.read_room(table_id)
        assert (room.table.phase, room.table.wall_draw) == (Phase.TURN, None)


async def test_commitments_close_after_five_seconds(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_with_wall_draw(process)
    await commit(process, table_id, 2)
    await alive(process, time, COMMIT_MS - 1)
    await process.due_work.run(table_id)
    assert state(await process.service.read_room(table_id)) == (DrawState.COMMIT, 1, 0)
    room = await close_draw_step(process, time, table_id)
    assert state(room) == (DrawState.REVEAL, 1, 0)
    late = await commit(process, table_id, 1)
    assert isinstance(late, Refusal)
    assert late.code == "wall_commit_late"
    await reveal(process, table_id, 2)
    assert (await proven(process, table_id)).pages == (2,)


async def test_game_without_pages_is_dealt_without_proof(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_with_wall_draw(process)
    room = await close_draw_step(process, time, table_id)
    assert (room.table.phase, room.at - room.meta.opened_at) == (Phase.TURN, COMMIT_MS)
    assert state(room)[0] == DrawState.NONE
    assert len(room.table.seed) == 32
    late = await commit(process, table_id, 1)
    assert isinstance(late, Refusal)
    assert late.code == "no_wall_draw"


async def draw_with_slow_page(
    process: Process, time: FakeTime, *, is_answering: bool, commits: bool = True
) -> tuple[TableId, int]:
    """Open a table whose second page is slow, in the step of the reveals or of the commitments, and
    let time pass until that step ends without it. Return the table and how long the draw was open
    until then."""
    table_id = await open_with_wall_draw(process, 2)
    await commit(process, table_id, 0)
    if commits:
        await commit(process, table_id, 1)
        await reveal(process, table_id, 0)
    opened_at, step = time.now, state(await process.service.read_room(table_id))
    while state(await process.service.read_room(table_id)) == step:
        await alive(process, time, 250)
        if is_answering:
            await process.presence.note_pongs({(table_id, 1): 0})
        due = due_at(await process.service.read_room(table_id))
        if due is not None and due <= time.now:
            await process.due_work.run(table_id)
    return table_id, time.now - opened_at


@pytest.mark.parametrize(
    ("is_answering", "commits", "open_ms"),
    [
        (False, False, COMMIT_MS),
        (False, True, REVEAL_MS),
        (True, False, DRAW_MS - REVEAL_MS),
        (True, True, DRAW_MS),
    ],
)
async def test_draw_waits_longer_for_a_page_that_answers_pings(
    make_process: MakeProcess, time: FakeTime, is_answering: bool, commits: bool, open_ms: int
) -> None:
    process = await make_process("a")
    _, passed = await draw_with_slow_page(process, time, is_answering=is_answering, commits=commits)
    assert passed == open_ms


async def test_later_draw_also_waits_for_a_slow_page(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id, _ = await draw_with_slow_page(process, time, is_answering=False)
    await alive(process, time, DRAW_MS - REVEAL_MS - 1)
    await process.presence.note_pongs({(table_id, 0): 0})
    await process.due_work.run(table_id)
    assert isinstance(await commit(process, table_id, 0, draw=2), Done)
    await alive(process, time, REVEAL_MS)
    await process.presence.note_pongs({(table_id, 0): 0})
    await process.due_work.run(table_id)
    await reveal(process, table_id, 0, draw=2)
    assert (await proven(process, table_id)).pages == (0,)


async def test_draw_goes_on_when_the_slow_page_has_gone(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_with_wall_draw(process, 2)
    await commit(process, table_id, 0)
    await alive(process, time, COMMIT_MS)
    await process.presence.note_pongs({(table_id, 1): 0})
    await process.due_work.run(table_id)
    assert state(await process.service.read_room(table_id)) == (DrawState.COMMIT, 1, 0)
    await process.service.remove_socket(table_id, 1)
    await process.due_work.run(table_id)
    assert state(await process.service.read_room(table_id)) == (DrawState.REVEAL, 1, 0)


async def test_page_without_reveal_is_left_out_of_the_next_draw(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_with_wall_draw(process, 3)
    for seat in range(3):
        await commit(process, table_id, seat)
    for seat in (0, 2):
        await reveal(process, table_id, seat)
    room = await close_draw_step(process, time, table_id)
    assert state(room) == (DrawState.COMMIT, 2, 1)
    assert due_at(room) == time.now + REVEAL_MS
    late = await commit(process, table_id, 1, draw=2)
    assert isinstance(late, Refusal)
    assert late.code == "not_in_wall_draw"
    for seat in (0, 2):
        await commit(process, table_id, seat, draw=2)
    for seat in (0, 2):
        await reveal(process, table_id, seat, draw=2)
    proof = await proven(process, table_id)
    assert (len(proof.draws), proof.pages) == (2, (0, 2))
    assert proof.draws[0].contributions[1] == b""


async def test_same_message_again_changes_nothing(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_with_wall_draw(process, 2)
    for send in (commit, reveal):
        await send(process, table_id, 0)
        before = await process.service.read_room(table_id)
        again = await send(process, table_id, 0)
        assert again == Done(before)
        await send(process, table_id, 1)
    again = await reveal(process, table_id, 1)
    assert isinstance(again, Done), "the same message changes nothing after the deal either"
    await proven(process, table_id)


async def test_all_pages_at_once_from_two_processes(make_process: MakeProcess) -> None:
    a, b = await make_process("a"), await make_process("b")
    table_id = await open_with_wall_draw(a)
    for send in (commit, reveal):
        sent = [send((a, b)[seat % 2], table_id, seat) for seat in (*range(4), *range(4))]
        outcomes = await asyncio.gather(*sent)
        assert all(isinstance(outcome, Done) for outcome in outcomes)
    assert (await proven(b, table_id)).pages == (0, 1, 2, 3)
    (bound,) = [
        commit
        for commit in await commits_of(a, table_id)
        if "WallBound" in map(_kind, commit.events)
    ]
    assert len(bound.events) == 2, "the last commitment closes the list"


def _kind(event: object) -> str:
    return type(event).__name__


@pytest.mark.parametrize("dies_after", range(6))
async def test_draw_continues_in_another_process(
    make_process: MakeProcess, time: FakeTime, dies_after: int
) -> None:
    """The log contains everything that is known, so that nothing is lost and the secret stays the
    same."""
    processes = [await make_process("first"), await make_process("second")]
    table_id = await open_with_wall_draw(processes[0], 3)
    steps = [(commit, 0), (commit, 1), (commit, 2), (reveal, 0), (reveal, 1), (reveal, 2)]
    for number, (send, seat) in enumerate(steps):
        process = processes[number > dies_after]
        if number == dies_after + 1:
            before = await processes[0].service.read_room(table_id)
            assert await process.service.read_room(table_id) == before
            for player in range(3):
                await process.service.add_socket(table_id, player)
        assert isinstance(await send(process, table_id, seat), Done)
    assert len((await proven(processes[1], table_id)).draws) == 1


async def test_draw_waits_for_pages_whose_server_died(
    make_process: MakeProcess, time: FakeTime
) -> None:
    """The pages reconnect within a moment; they are not left out because of the server."""
    web, other = await make_process("web"), await make_process("other")
    table_id = await open_with_wall_draw(web, 2)
    await commit(web, table_id, 0)
    await commit(web, table_id, 1)
    await alive(other, time, REVEAL_MS)  # the process `web` is dead
    await other.due_work.run(table_id)
    assert state(await other.service.read_room(table_id)) == (DrawState.REVEAL, 1, 0)
    await other.service.add_socket(table_id, 0)
    await reveal(other, table_id, 0)
    await alive(other, time, OUTAGE_GRACE_MS - 1)
    await other.due_work.run(table_id)
    assert state(await other.service.read_room(table_id)) == (DrawState.REVEAL, 1, 0)
    await alive(other, time, 1)
    await other.due_work.run(table_id)
    assert state(await other.service.read_room(table_id)) == (DrawState.COMMIT, 2, 1)


async def test_pause_stops_the_clocks_of_the_draw(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await open_with_wall_draw(process, 2)
    await process.service.apply_request(table_id, Hold(60_000, "maintenance"))
    await commit(process, table_id, 0)
    await alive(process, time, 30_000)
    await process.due_work.run(table_id)
    assert state(await process.service.read_room(table_id)) == (DrawState.COMMIT, 1, 0)
    await process.service.apply_request(table_id, Resume())
    room = await process.service.read_room(table_id)
    assert due_at(room) == time.now + COMMIT_MS
    await commit(process, table_id, 1)
    for seat in range(2):
        await reveal(process, table_id, seat)
    assert (await proven(process, table_id)).pages == (0, 1)


async def test_draw_does_not_wait_for_a_player_who_has_left(make_process: MakeProcess) -> None:
    process = await make_process("a")
    table_id = await open_with_wall_draw(process, 2)
    await process.service.apply_request(table_id, Leave(1))
    refused = await commit(process, table_id, 1)
    assert isinstance(refused, Refusal)
    assert refused.code == "left"
    await commit(process, table_id, 0)
    await reveal(process, table_id, 0)
    assert (await proven(process, table_id)).pages == (0,)


async def test_game_ends_when_everybody_leaves_during_the_draw(
    make_process: MakeProcess,
) -> None:
    process = await make_process("a")
    table_id = await open_with_wall_draw(process, 1)
    await process.service.apply_request(table_id, Leave(0))
    room = await process.service.read_room(table_id)
    assert (room.table.phase, room.table.scores) == (Phase.ENDED, (25_000,) * 4)


@pytest.mark.django_db(transaction=True)
async def test_archived_game_has_the_proof_and_the_derived_walls(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    table_id = await process.service.open_table(
        TableMeta(seats=people(1), settings=TableSettings(rules=replace(TENHOU, length="east"))),
        draws_wall=True,
    )
    await commit(process, table_id, 0)
    await reveal(process, table_id, 0)
    room = await process.service.read_room(table_id)
    while room.table.hands_dealt < 2:
        room = await until_due(process, time, table_id)
    await process.service.apply_request(table_id, End())
    await ARCHIVE.archive_game(process.service, table_id)
    game = await Game.objects.aget(pk=table_id)
    commits = await commits_of(process, table_id)
    entries = entries_of(commits)
    kept = decode_log(encode_log(entries))
    assert [entry.events for entry in kept] == [entry.events for entry in entries]
    stored = msgspec.msgpack.decode(zlib.decompress(encode_log(entries)), type=StoredLog)
    deals = [event for event in stored.events if isinstance(event, HandStarted)]
    assert [event.wall for event in deals] == [b"seed", b"seed"]
    events = [event for entry in await _read_log(game) for event in entry.events]
    own = own_game(events, ("a", "b", "c", "d"), is_broken_off=True)
    assert own.seed == room.table.seed
    assert own.proof is not None
    mark = own_mark(own)
    assert mark is not None
    assert mark["proof"]["table"] == table_id
    assert mark["proof"]["draws"][0]["contributions"][0] == bytes_of(0).hex()


async def _read_log(game: Game) -> tuple[LogEntry, ...]:
    return await sync_to_async(read_log)(game)
