"""What the worker does beside the tables."""

from __future__ import annotations

import asyncio

import pytest

from game import chores
from game.rooms.errors import RoomsUnavailable


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What has been done, of chores that a test adds itself."""
    monkeypatch.setattr(chores, "_chores", [])
    monkeypatch.setattr(chores, "EVERY_S", 0.01)
    return []


async def test_a_chore_that_fails_keeps_no_other_and_is_tried_again(
    done: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    stop = asyncio.Event()

    async def breaks() -> None:
        done.append("broken")
        raise ValueError("a fault")

    async def waits() -> None:
        raise RoomsUnavailable("no Redis")

    async def works() -> None:
        done.append("done")
        if done.count("done") == 3:
            stop.set()

    for chore in (breaks, waits, works, works):
        chores.chore_added(chore)
    await asyncio.wait_for(chores.run(stop), 5)
    assert done == ["broken", "done"] * 3
    assert "a fault" in caplog.text
    assert "Traceback" not in "".join(
        record.getMessage() for record in caplog.records if "no Redis" in record.getMessage()
    )


def test_every_app_has_its_chores() -> None:
    names = {chore.__name__ for chore in chores._chores}
    assert names == {"bans_carried_out", "lobby_goes_on", "expired_removed", "old_games_read"}
