"""What the worker does beside the tables."""

from __future__ import annotations

import asyncio

import pytest

from game.tables import periodic_tasks
from game.tables.errors import TablesUnavailable


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What has been done, of chores that a test adds itself."""
    monkeypatch.setattr(periodic_tasks, "_chores", [])
    monkeypatch.setattr(periodic_tasks, "EVERY_S", 0.01)
    return []


async def test_a_chore_that_fails_keeps_no_other_and_is_tried_again(
    done: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    stop = asyncio.Event()

    async def breaks() -> None:
        done.append("broken")
        raise ValueError("a fault")

    async def waits() -> None:
        raise TablesUnavailable("no Redis")

    async def works() -> None:
        done.append("done")
        if done.count("done") == 3:
            stop.set()

    for chore in (breaks, waits, works, works):
        periodic_tasks.chore_added(chore)
    await asyncio.wait_for(periodic_tasks.run(stop), 5)
    assert done == ["broken", "done"] * 3
    assert "a fault" in caplog.text
    assert "Traceback" not in "".join(
        record.getMessage() for record in caplog.records if "no Redis" in record.getMessage()
    )


def test_every_app_has_its_chores() -> None:
    names = {chore.__name__ for chore in periodic_tasks._chores}
    assert names == {"remove_banned_people", "lobby_goes_on", "remove_expired", "old_games_read"}
