"""A site with as many tables as it can serve opens no more, and says so where games are found."""

from __future__ import annotations

import pytest
from django.test import AsyncClient

from game.live.process import current
from lobby.play.backend import current_backend
from tests.lobby.pages import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]


async def tell_busy(is_busy: bool) -> None:
    """Let this process, the only web server, say whether it keeps up with its work."""
    process = await current()
    process.lag.is_busy = is_busy
    await process.heartbeat.register()
    await process.heartbeat.beat()
    (await current_backend()).cache.clear()


@pytest.mark.parametrize("path", ["/play/", "/learn/guided/pon/"])
async def test_busy_site_opens_no_table_until_there_is_room(path: str) -> None:
    await tell_busy(True)
    client = AsyncClient()
    refused = await client.post(path)
    assert refused.status_code == 503
    assert "This site is busy" in text_of(refused)
    assert not await (await current_backend()).tables.opens_tables()
    assert "This site is busy" in text_of(await client.get("/lobby/"))
    await tell_busy(False)
    assert (await client.post(path)).status_code == 302
    assert "This site is busy" not in text_of(await client.get("/lobby/"))


async def test_readiness_names_a_busy_process_and_keeps_its_status() -> None:
    status = (await AsyncClient().get("/readyz")).status_code
    await tell_busy(True)
    busy = await AsyncClient().get("/readyz")
    assert (busy.status_code, busy.json()["keeps_up"]) == (status, False)
    await tell_busy(False)
    assert (await AsyncClient().get("/readyz")).json()["keeps_up"] is True
