"""Queues in Redis pair no player twice, whichever process dies."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async

from game.engine.rules import TENHOU as RULES
from game.models import Ladder, Rating
from game.results.players import list_player
from game.tables.errors import TablesUnavailable
from game.tables.requests import Leave
from game.tables.room import Room, SeatMeta, TableId
from game.tables.settings import TableSettings
from lobby.play import movements, player_location, queues
from lobby.play.backend import Backend
from lobby.play.queues import ABSENT_AFTER_MS, QUEUES, REMOVED_AFTER_MS, Queue
from lobby.play.table_access import TableAccess
from tests.lobby.backends import NewBackend, person_id
from tests.tables.staging import FakeTime

pytestmark = pytest.mark.django_db(transaction=True)

TENHOU = QUEUES["tenhou.east_south"]
EMA = QUEUES["ema-2025.east"]


async def enter(
    backend: Backend, number: int, queue: Queue = TENHOU, *, bots_after_s: int | None = None
) -> bool:
    return await queues.enter_queue(
        backend,
        queue,
        person=person_id(number),
        name=f"n{number}",
        rating=1000,
        bots_after_s=bots_after_s,
    )


async def rooms(backend: Backend) -> list[Room]:
    rows = await backend.process.service.list_tables()
    return [await backend.process.service.read_room(row.table_id) for row in rows]


def seats_by_person(found: list[Room]) -> Counter[str]:
    return Counter(seat.person for room in found for seat in room.meta.seats if seat.person)


class DyingBefore(TableAccess):
    """Access to tables that fails before the game is opened."""

    async def open_game(self, *plan: Any, **more: Any) -> None:
        raise TablesUnavailable("dies before")


class DyingAfter(TableAccess):
    """Access to tables that fails after the game has been opened."""

    async def open_game(self, *plan: Any, **more: Any) -> None:
        await super().open_game(*plan, **more)
        raise TablesUnavailable("dies after")


async def test_fifth_player_waits_in_the_queue(backend: Backend) -> None:
    for number in range(5):
        assert await enter(backend, number)
    await queues.process_queue(backend, TENHOU)
    (room,) = await rooms(backend)
    assert seats_by_person([room]) == Counter(person_id(n) for n in range(4))
    assert (room.table.rules.name, room.table.rules.length) == ("tenhou", "east_south")
    assert room.meta.settings.public
    assert not room.meta.settings.help
    location = player_location.Location("table", room.table_id)
    assert await player_location.find_location(backend, person_id(0)) == location
    assert [ticket.person for ticket in (await queues.read_queue(backend, TENHOU)).tickets] == [
        person_id(4)
    ]
    assert (await queues.count_waiting(backend))[TENHOU.name] == 1


@pytest.mark.parametrize(("accounts", "ladder"), [(3, "tenhou.east_south"), (2, "")])
async def test_queue_table_with_three_accounts_is_rated(
    backend: Backend, accounts: int, ladder: str
) -> None:
    for number in range(4):
        if number < accounts:
            await sync_to_async(list_player)(UUID(person_id(number)), f"n{number}")
        await enter(backend, number)
    await queues.process_queue(backend, TENHOU)
    (room,) = await rooms(backend)
    assert room.meta.ladder == ladder
    rated = {
        seat.person
        for seat, is_rated in zip(room.meta.seats, room.meta.rated, strict=True)
        if is_rated
    }
    assert rated == ({person_id(number) for number in range(3)} if ladder else set())


@pytest.mark.parametrize(("accounts", "ladder"), [(3, "tenhou-3.east"), (2, "")])
async def test_queue_of_three_opens_a_table_with_the_third(
    backend: Backend, accounts: int, ladder: str
) -> None:
    """It is rated in a ladder of its own, if all three have accounts."""
    queue = QUEUES["tenhou-3.east"]
    for number in range(accounts):
        await sync_to_async(list_player)(UUID(person_id(number)), f"n{number}")
    for number in range(2):
        await enter(backend, number, queue)
    await queues.process_queue(backend, queue)
    assert await rooms(backend) == []
    await enter(backend, 2, queue)
    await enter(backend, 3, queue)
    await queues.process_queue(backend, queue)
    (room,) = await rooms(backend)
    assert seats_by_person([room]) == Counter(person_id(n) for n in range(3))
    assert (room.table.rules.name, room.meta.ladder) == ("tenhou-3", ladder)
    assert len(room.meta.rated) == 3


@pytest.mark.parametrize("how", [{"clock": "none"}, {"help": True}, {"origin": ""}, {}])
async def test_only_queue_games_with_clock_and_without_help_are_rated(
    backend: Backend, how: dict[str, Any]
) -> None:
    names = [person_id(number) for number in range(4)]
    for name in names:
        await sync_to_async(list_player)(UUID(name), name)
    chosen: dict[str, Any] = {"rules": RULES, "help": False, **how}
    seats = [SeatMeta(name=name, person=name) for name in names]
    origin = chosen.pop("origin", "queue")
    await backend.tables.open_game("one", seats, TableSettings(**chosen), origin=origin)
    (room,) = await rooms(backend)
    assert room.meta.ladder == ("" if how else "tenhou.east_south")
    assert room.meta.settings.opens_after == ("hand" if how else "game"), (
        "when all hands may be shown"
    )


async def test_players_are_paired_by_rating_of_the_length(backend: Backend) -> None:
    one = UUID(person_id(1))
    await sync_to_async(list_player)(one, "n1")
    await Ladder.objects.acreate(name="tenhou.east")
    await Rating.objects.acreate(
        player_id=one, ladder_id="tenhou.east", mu=30, sigma=2, shown=1960, games=3
    )
    for queue, rating in ((QUEUES["tenhou.east"], 1960), (TENHOU, 1000)):
        await movements.move_to_queue(
            backend, queue, person=person_id(1), name="n1", bots_after_s=None
        )
        (ticket,) = (await queues.read_queue(backend, queue)).tickets
        assert ticket.rating == rating


async def test_each_preset_and_length_has_its_own_queue(backend: Backend) -> None:
    for number in range(4):
        await enter(backend, number, TENHOU if number % 2 else EMA)
    await queues.process_queues(backend)
    assert await rooms(backend) == []
    for number in range(4, 6):
        await enter(backend, number, EMA)
    await queues.process_queues(backend)
    (room,) = await rooms(backend)
    assert (room.table.rules.name, room.table.rules.length) == ("ema-2025", "east")


async def test_bots_come_after_the_chosen_wait(backend: Backend, time: FakeTime) -> None:
    await enter(backend, 0, bots_after_s=15)
    await enter(backend, 1)
    time.pass_ms(14_000)
    await queues.record_heartbeat(backend, person_id(0), TENHOU)
    await queues.process_queue(backend, TENHOU)
    assert await rooms(backend) == []
    time.pass_ms(1_000)
    await queues.process_queue(backend, TENHOU)
    (room,) = await rooms(backend)
    assert seats_by_person([room]) == Counter([person_id(0)])
    assert [seat.bot for seat in room.meta.seats].count("sensible") == 3


async def test_player_without_heartbeat_is_not_paired(backend: Backend, time: FakeTime) -> None:
    for number in range(4):
        await enter(backend, number)
    time.pass_ms(ABSENT_AFTER_MS + 1)
    for number in range(3):
        await queues.record_heartbeat(backend, person_id(number), TENHOU)
    await queues.process_queue(backend, TENHOU)
    assert await rooms(backend) == []
    await queues.record_heartbeat(backend, person_id(3), TENHOU)
    await queues.process_queue(backend, TENHOU)
    assert len(await rooms(backend)) == 1


async def test_player_without_heartbeat_is_removed_from_the_queue(
    backend: Backend, time: FakeTime
) -> None:
    await enter(backend, 0)
    time.pass_ms(REMOVED_AFTER_MS + 1)
    await queues.process_queue(backend, TENHOU)
    assert (await queues.read_queue(backend, TENHOU)).tickets == ()
    assert await player_location.find_location(backend, person_id(0)) is None


async def test_match_fails_if_a_heartbeat_or_ticket_is_gone(
    backend: Backend, time: FakeTime
) -> None:
    """The script in Redis itself checks that all players are present."""
    for number in range(4):
        await enter(backend, number)
    seen = await queues.read_queue(backend, TENHOU)
    match = queues.Match("table", seen.tickets)
    assert not await queues._store_match(backend, TENHOU, match, time.now + ABSENT_AFTER_MS + 1)
    assert len((await queues.read_queue(backend, TENHOU)).tickets) == 4
    await queues.leave_queue(backend, person_id(2))
    assert not await queues._store_match(backend, TENHOU, match, time.now)
    assert len((await queues.read_queue(backend, TENHOU)).tickets) == 3


async def test_concurrent_pairing_pairs_nobody_twice(new_backend: NewBackend) -> None:
    backends = [await new_backend() for _ in range(4)]
    for number in range(41):
        await enter(backends[0], number)
    await asyncio.gather(*(queues.process_queue(tables, TENHOU) for tables in backends * 3))
    found = await rooms(backends[0])
    assert len(found) == 10
    assert set(seats_by_person(found).values()) == {1}
    assert len((await queues.read_queue(backends[0], TENHOU)).tickets) == 1


@pytest.mark.parametrize("died", ["before", "after"])
async def test_match_of_a_dead_process_is_opened_by_the_next(
    new_backend: NewBackend, died: str
) -> None:
    backends = [await new_backend() for _ in range(3)]
    for number in range(4):
        await enter(backends[2], number)
    dying, process = backends[0], backends[0].process
    fault = DyingBefore if died == "before" else DyingAfter
    dying.tables = fault(process.service, process.redis)
    with pytest.raises(TablesUnavailable, match=died):
        await queues.process_queue(dying, TENHOU)
    assert len(await rooms(backends[2])) == (0 if died == "before" else 1)
    assert len((await queues.read_queue(backends[2], TENHOU)).matches) == 1
    await asyncio.gather(*(queues.process_queue(backends[2], TENHOU) for _ in range(5)))
    (room,) = await rooms(backends[2])
    assert seats_by_person([room]) == Counter(person_id(n) for n in range(4))
    assert len(await backends[2].process.store.read_entries(TableId(room.table_id), 1)) == 1
    assert (await queues.read_queue(backends[2], TENHOU)).matches == ()


async def test_queue_outlives_its_process(new_backend: NewBackend) -> None:
    first, second = await new_backend(), await new_backend()
    for number in range(4):
        await enter(first, number)
    await first.process.stop()
    await queues.process_queue(second, TENHOU)
    assert len(await rooms(second)) == 1


async def test_bot_replaces_a_player_leaving_after_the_match(backend: Backend) -> None:
    for number in range(4):
        await enter(backend, number)
    seen = await queues.read_queue(backend, TENHOU)
    match = queues.Match("table", seen.tickets)
    assert await queues._store_match(backend, TENHOU, match, backend.now_ms())
    await queues.leave_queue(backend, person_id(1))
    await queues.process_queue(backend, TENHOU)
    (room,) = await rooms(backend)
    assert seats_by_person([room]) == Counter(person_id(n) for n in (0, 2, 3))
    assert [seat.bot for seat in room.meta.seats].count("sensible") == 1


async def test_entering_another_queue_leaves_the_first(backend: Backend) -> None:
    await enter(backend, 0)
    await enter(backend, 0, EMA)
    assert (await queues.read_queue(backend, TENHOU)).tickets == ()
    assert len((await queues.read_queue(backend, EMA)).tickets) == 1


async def test_entering_two_queues_at_once_gives_one_table(new_backend: NewBackend) -> None:
    backends = [await new_backend() for _ in range(2)]
    for number in range(1, 4):
        await enter(backends[0], number)
        await enter(backends[0], number + 10, EMA)
    for _ in range(5):
        await asyncio.gather(enter(backends[0], 0), enter(backends[1], 0, EMA))
    await asyncio.gather(*(queues.process_queues(tables) for tables in backends))
    assert seats_by_person(await rooms(backends[0]))[person_id(0)] <= 1


async def test_player_at_a_running_table_cannot_enter_a_queue(backend: Backend) -> None:
    await enter(backend, 0, bots_after_s=0)
    await queues.process_queue(backend, TENHOU)
    assert not await enter(backend, 0)
    assert (await queues.read_queue(backend, TENHOU)).tickets == ()


async def test_player_who_left_a_running_table_can_enter_a_queue(backend: Backend) -> None:
    await enter(backend, 0, bots_after_s=0)
    await enter(backend, 1, bots_after_s=0)
    await queues.process_queue(backend, TENHOU)
    (room,) = await rooms(backend)
    seat = room.seat_of(person_id(0))
    assert seat is not None
    await backend.process.service.apply_request(room.table_id, Leave(seat))
    assert await enter(backend, 0)
    assert not await enter(backend, 1)


async def test_unrated_player_has_the_initial_rating(backend: Backend) -> None:
    await movements.move_to_queue(backend, EMA, person=person_id(0), name="n", bots_after_s=None)
    (ticket,) = (await queues.read_queue(backend, EMA)).tickets
    assert ticket.rating == 1000


async def test_keys_of_a_queue_share_a_slot() -> None:
    for queue in QUEUES.values():
        assert len({re.findall(r"\{(.+?)\}", key)[0] for key in queue.keys}) == 1
    tags = {re.findall(r"\{(.+?)\}", queue.keys[0])[0] for queue in QUEUES.values()}
    assert len(tags) == len(QUEUES)


async def test_only_queues_with_players_are_read_in_most_rounds(backend: Backend) -> None:
    async def reads() -> int:
        """Return the number of queues read so far."""
        stats = await backend.process.redis.info("commandstats")
        return int(stats.get("cmdstat_hvals", {"calls": 0})["calls"]) // 2

    before = await reads()
    for number in range(4):
        assert await enter(backend, number)
    for _ in range(queues.ALL_EVERY):
        await queues.process_queues(backend)
    assert seats_by_person(await rooms(backend)) == Counter(
        person_id(number) for number in range(4)
    )
    assert await reads() == before + len(QUEUES) + queues.ALL_EVERY - 1
    await backend.call("DEL", "queues")
    for number in range(4, 8):
        assert await enter(backend, number, EMA)
    await backend.call("DEL", "queues")
    before = await reads()
    for _ in range(queues.ALL_EVERY):
        await queues.process_queues(backend)
    assert await reads() == before + len(QUEUES)
    assert len(await rooms(backend)) == 2, "the list was incomplete"
