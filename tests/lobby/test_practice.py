"""While somebody waits in a queue they may play a practice table, which gives way."""

from __future__ import annotations

import pytest
from django.test import AsyncClient

from game.engine.state import Phase
from game.live.process import ARCHIVE
from game.models import Game
from game.tables.room import TableId
from lobby.accounts import rate_limits
from lobby.play import queues
from lobby.play.backend import current_backend
from lobby.play.player_location import find_location
from lobby.play.queue_times import Wait, usual_times
from lobby.play.queues import QUEUES
from tests.lobby.pages import room_at, text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

SEEK = {"preset": "tenhou", "length": "east", "bots": "never"}
HOUR = 3_600_000


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def practise(client: AsyncClient) -> str:
    """Press the button in the lobby; return the address to which it leads."""
    assert "Practise meanwhile" in text_of(await client.get("/lobby/"))
    return (await client.post("/lobby/practice/")).headers["Location"]


async def test_practice_table_is_broken_off_when_the_table_of_the_queue_is_ready() -> None:
    backend, people = await current_backend(), [AsyncClient() for _ in range(4)]
    await people[0].post("/lobby/seek/", SEEK)
    address = await practise(people[0])
    room = await room_at(address)
    (seat,) = room.people
    person = room.meta.seats[seat].person
    assert (room.table.rules.length, room.meta.ladder) == ("east", "")
    location = await find_location(backend, person)
    assert location is not None
    assert location.kind == "queue"
    assert await practise(people[0]) == address, "there is one practice table"
    assert room.table_id not in text_of(await people[1].get("/watch/"))
    page = text_of(await people[0].get(address))
    assert "Your table is ready: this practice game is over." in page
    assert 'id="site-script"' in page, "it keeps the place in the queue"
    assert 'id="rematch"' not in page
    for other in people[1:]:
        await other.post("/lobby/seek/", SEEK)
    await queues.process_queue(backend, QUEUES["tenhou.east"])
    location = await find_location(backend, person)
    assert location is not None
    assert location.kind == "table"
    assert location.name != room.table_id
    assert (await room_at(address)).table.phase == Phase.ENDED
    await ARCHIVE.archive_game(backend.process.service, TableId(room.table_id))
    assert not await Game.objects.aexists()
    again = await people[0].post(f"/tables/again/{room.table_id}/")
    assert again.headers["Location"] == "/lobby/", "there is no rematch"
    assert await backend.call("ZCARD", "queue-waits") == 4


async def test_practice_ends_with_the_wait() -> None:
    client = AsyncClient()
    await client.post("/lobby/seek/", SEEK)
    address = await practise(client)
    await client.post("/lobby/stop/")
    assert (await room_at(address)).table.phase == Phase.ENDED
    assert (await client.post("/lobby/practice/")).headers["Location"] == "/lobby/"


def test_usual_wait_is_that_of_the_hour() -> None:
    day = 24 * HOUR
    evening = [Wait(number * day + 20 * HOUR, 200) for number in range(5)]
    morning = [Wait(number * day + 9 * HOUR, 3_000) for number in range(3)]
    now = 6 * day + 21 * HOUR
    times = usual_times([*evening, *morning], now)
    assert times.usual_min == 3
    assert times.busy_from is not None
    assert times.busy_from <= 20 < times.busy_from + 3
    assert times.busy_until == (times.busy_from + 3) % 24
    assert usual_times(morning, now).usual_min is None, "nobody has waited at this hour"
    assert usual_times([], now).busy_from is None
    midnight = [Wait(number * day + 23 * HOUR, 30) for number in range(3)]
    assert usual_times(midnight, 9 * day).usual_min == 1
