"""The metrics of the site, and who may read them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.request import urlopen

import pytest
import pytest_asyncio
from django.test import AsyncClient
from prometheus_client import REGISTRY

from game.engine.legal import pending_seats
from game.live import outbound
from game.live.process import close_current, current
from game.tables.errors import TablesUnavailable
from mahjong_site.origin_check import SOCKETS
from tests.kit.processes import RedisServer, Site, free_port, wait_until
from tests.tables.staging import FakeSocket, open_people_table, quiet_answer

TOKEN = "a-token-of-the-operators"


@pytest_asyncio.fixture(autouse=True)
async def _local_site(redis_server: RedisServer, settings: Any) -> AsyncIterator[None]:
    settings.REDIS_URL = redis_server.url
    yield
    await close_current()


class At(AsyncClient):
    """A client at that address."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address

    def _base_scope(self, **request: Any) -> dict[str, Any]:
        return {**super()._base_scope(**request), "client": [self.address, 40_000]}


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("192.0.2.7", {}, 404),
        ("", {}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, 404),
        ("127.0.0.1", {"Forwarded": "for=192.0.2.7"}, 404),
        ("192.0.2.7", {"Authorization": "Bearer "}, 404),
    ],
)
async def test_without_a_token_metrics_are_local(
    address: str, headers: dict[str, str], status: int
) -> None:
    assert (await At(address).get("/metrics", headers=headers)).status_code == status


@pytest.mark.parametrize(
    ("given", "status"), [(f"Bearer {TOKEN}", 200), ("Bearer x", 404), (TOKEN, 404), ("", 404)]
)
async def test_token_opens_the_metrics(settings: Any, given: str, status: int) -> None:
    settings.METRICS_TOKEN = TOKEN
    for address in ("127.0.0.1", "192.0.2.7"):
        answer = await At(address).get("/metrics", headers={"Authorization": given})
        assert answer.status_code == status


def metric_value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_metrics_count_actions_without_names() -> None:
    names = {
        "commits": ("mahjong_commits_total", {}),
        "done": ("mahjong_answers_total", {"ended": "done"}),
        "stale": ("mahjong_answers_total", {"ended": "stale"}),
        "committed": ("mahjong_action_committed_seconds_count", {}),
        "delivered": ("mahjong_commit_delivered_seconds_count", {}),
        "lag": ("mahjong_worker_lag_seconds_count", {}),
    }
    before = {key: metric_value(name, **labels) for key, (name, labels) in names.items()}
    process = await current()
    table_id = await open_people_table(process)
    assert metric_value("mahjong_commits_total") == before["commits"] + 1, (
        "the visitor who opens the page"
    )
    hub = await process.hub(outbound.encode)
    await hub.join(table_id, FakeSocket(0))
    await process.service.add_socket(table_id, 0)
    room = await process.service.read_room(table_id)
    (seat,) = pending_seats(room.table)
    for cid in ("a", "b"):
        await process.service.submit(
            table_id,
            seat=seat,
            cid=cid,
            step=room.table.step,
            action=quiet_answer(room, seat),
        )
    await process.store.claim(now=process.service.now_ms() + 3_600_000, lease_ms=1, at_most=9)
    rise = {
        key: metric_value(name, **labels) - before[key] for key, (name, labels) in names.items()
    }
    assert rise.pop("commits") >= 1
    assert rise.pop("delivered") >= 1
    assert rise == {"done": 1, "stale": 1, "committed": 2, "lag": 1}

    text = (await AsyncClient().get("/metrics")).content.decode()
    assert re.search(r"^mahjong_tables 1\.0$", text, re.MULTILINE)
    assert re.search(r"^mahjong_seats 1\.0$", text, re.MULTILINE)
    assert SOCKETS.describe()[0].name in text
    assert "mahjong_conflicts_total" in text
    for private in (table_id, "p0", "00000000-0000"):
        assert private not in text


@pytest.mark.django_db
async def test_full_redis_is_not_ready_and_its_claims_grow_old() -> None:
    process = await current()
    await open_people_table(process)
    assert (await At("127.0.0.1").get("/readyz")).json()["redis"] is True
    await process.redis.config_set("maxmemory", 1)
    assert await process.redis.ping()
    page = await At("127.0.0.1").get("/readyz")
    assert (page.status_code, page.json()["redis"]) == (503, False)
    ages = [process.store.claim_age_s(), process.heartbeat.age_s]
    tomorrow = process.service.now_ms() + 86_400_000
    with pytest.raises(TablesUnavailable):
        await process.store.claim(now=tomorrow, lease_ms=1, at_most=9)
    with pytest.raises(TablesUnavailable):
        await process.heartbeat.beat()
    grown = [process.store.claim_age_s(), process.heartbeat.age_s]
    assert all(after >= before for after, before in zip(grown, ages, strict=True))
    await process.redis.config_set("maxmemory", 0)
    claimed, _ = await process.store.claim(now=tomorrow, lease_ms=1, at_most=9)
    assert len(claimed) == 1
    assert process.store.claim_age_s() < grown[0]
    assert (await At("127.0.0.1").get("/readyz")).json()["redis"] is True


def test_worker_serves_metrics_on_its_own_port(site: Site) -> None:
    port = free_port()
    site.env = {**site.env, "METRICS_PORT": str(port)}
    site.start_worker()

    def answers() -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as page:
                return b"mahjong_worker_lag_seconds" in page.read()
        except OSError:
            return False

    wait_until(answers, within_s=60, what="the worker says what it has counted")
