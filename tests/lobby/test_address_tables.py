"""How many unfinished tables one address may open."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.test import AsyncClient

from game.identity.sessions import SESSION_KEY
from game.tables.room import TableId
from lobby.accounts import rate_limits
from lobby.models import Person
from lobby.play.backend import current_backend
from tests.lobby.pages import create_table, text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]
OPEN_PAGES = ["/play/", "/learn/guided/pon/"]


@pytest.fixture(autouse=True)
def _limits(settings: Any) -> None:
    rate_limits.cache.clear()
    settings.EMPTY_TABLES_PER_ADDRESS, settings.TABLES_PER_ADDRESS = 2, 3


async def open_as_guest(path: str = "/play/", address: str = "127.0.0.1") -> Any:
    """Let a new guest open a table from that address."""
    return await _ClientAt(address).post(path)


class _ClientAt(AsyncClient):
    """A browser at that address."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def _base_scope(self, **request: Any) -> dict[str, Any]:
        scope: dict[str, Any] = super()._base_scope(**request)  # type: ignore[misc]  # not in the stubs
        return {**scope, "client": [self._address, 50_000]}


def table_of(answer: Any) -> TableId:
    assert answer.status_code == 302, text_of(answer)
    return TableId(answer.headers["Location"].removeprefix("/table/").strip("/"))


@pytest.mark.parametrize("path", OPEN_PAGES)
async def test_tables_without_a_socket_are_limited(path: str) -> None:
    for _ in range(2):
        table_of(await open_as_guest(path))
    refused = await open_as_guest(path)
    assert refused.status_code == 429
    assert "are not finished" in text_of(refused)
    table_of(await open_as_guest(path, "192.0.2.1"))


async def test_requests_at_once_cannot_pass_the_limit(settings: Any) -> None:
    # No request writes to the database: SQLite's tables in memory refuse a second writer at once.
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.cache"
    settings.SESSION_CACHE_ALIAS = "made"
    guests = [_ClientAt("127.0.0.1") for _ in range(6)]
    for guest in guests:
        session = await guest.asession()
        person = await Person.objects.acreate(name="Guest")
        await session.aset(SESSION_KEY, str(person.pk))
        await session.asave()
    answers = await asyncio.gather(*[guest.post("/play/") for guest in guests])
    assert sorted(answer.status_code for answer in answers) == [302, 302, 429, 429, 429, 429]


async def test_table_that_has_had_a_socket_counts_in_all_only() -> None:
    backend = await current_backend()
    for _ in range(3):
        table_id = table_of(await open_as_guest())
        await backend.process.service.add_socket(table_id, await person_seat(table_id))
        await backend.process.service.remove_socket(table_id, await person_seat(table_id))
    assert (await open_as_guest()).status_code == 429


async def person_seat(table_id: TableId) -> int:
    room = await (await current_backend()).process.service.read_room(table_id)
    (seat,) = room.people
    return seat


async def test_finished_tables_do_not_count() -> None:
    service = (await current_backend()).process.service
    tables = [table_of(await open_as_guest()) for _ in range(2)]
    await service.store.end_table(tables[0], keep_s=60)
    # A table that may not be open yet counts for a while: let that time pass.
    await age_entries()
    table_of(await open_as_guest())
    assert (await open_as_guest()).status_code == 429


async def age_entries() -> None:
    backend = await current_backend()
    (key,) = await backend.call("KEYS", "opened:*")
    for name in await backend.call("ZRANGE", key, 0, -1):
        await backend.call("ZINCRBY", key, -60_000, name)


async def test_table_of_the_lobby_does_not_begin_beyond_the_limit() -> None:
    host = AsyncClient()
    bots = {"seat_1": "sensible", "seat_2": "sensible", "seat_3": "sensible"}
    address = await create_table(host, **bots)
    for _ in range(2):
        table_of(await open_as_guest())
    refused = await host.post(f"{address}do/", {"do": "ready"}, follow=True)
    assert "are not finished" in text_of(refused)
    await age_entries()
    backend = await current_backend()
    for table_id in await backend.process.store.index.list_running():
        await backend.process.store.end_table(table_id, keep_s=60)
    begun = await host.post(f"{address}do/", {"do": "ready"})
    table_of(begun)
    assert len(await backend.process.store.index.list_running()) == 1
    table_of(await open_as_guest())
    assert (await open_as_guest()).status_code == 429


async def test_zero_is_no_limit(settings: Any) -> None:
    settings.EMPTY_TABLES_PER_ADDRESS = settings.TABLES_PER_ADDRESS = 0
    for _ in range(4):
        table_of(await open_as_guest())
