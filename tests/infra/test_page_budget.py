"""The budget of processor time for pages."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mahjong_site import page_budget
from mahjong_site.page_budget import ACCOUNT_FACTOR, Budget, Reader
from tests.lobby.conftest import pages, redis_url, shared_redis
from tests.tables.staging import wait_for

__all__ = ["pages", "redis_url", "shared_redis"]
pytestmark = pytest.mark.usefixtures("pages")

STRANGER = Reader("address 192.0.2.1", is_known=False)
ACCOUNT = Reader("person 1", is_known=True)


@pytest.fixture(autouse=True)
def _share_at_once(monkeypatch: Any) -> None:
    monkeypatch.setattr(page_budget, "SHARE_EVERY_S", 0.0)


async def until_shared(budget: Budget) -> None:
    """Wait until the budget has added its debts to those in Redis."""
    await wait_for(lambda: budget.sharing is not None)
    assert budget.sharing is not None
    await budget.sharing


async def test_account_may_use_more_than_an_address() -> None:
    budget = Budget(limit_s=10)
    for reader in (STRANGER, ACCOUNT):
        budget.charge(reader, 10 * ACCOUNT_FACTOR - 5)
    assert budget.wait_s(STRANGER) > 0
    assert budget.wait_s(ACCOUNT) == 0
    await until_shared(budget)


async def test_every_server_learns_of_a_debt_with_its_own_next_page() -> None:
    first, second = Budget(limit_s=10), Budget(limit_s=10)
    first.charge(STRANGER, 60)
    await until_shared(first)
    assert second.wait_s(STRANGER) == 0
    second.charge(STRANGER, 0.001)
    await until_shared(second)
    assert second.wait_s(STRANGER) > 60


async def test_debt_shrinks_with_time(monkeypatch: Any) -> None:
    budget = Budget(limit_s=10)
    now = 1_000.0
    monkeypatch.setattr("mahjong_site.page_budget.time.monotonic", lambda: now)
    budget.charge(STRANGER, 20)
    assert budget.wait_s(STRANGER) == pytest.approx(60)  # a limit a minute
    now += 61
    assert budget.wait_s(STRANGER) == 0


async def test_no_limit_keeps_no_debts() -> None:
    budget = Budget(limit_s=0)
    budget.charge(STRANGER, 1e6)
    await asyncio.sleep(0)
    assert budget.wait_s(STRANGER) == 0
    assert budget.sharing is None
