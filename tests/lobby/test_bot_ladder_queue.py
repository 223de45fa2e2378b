"""One worker at a time pairs the bots of a ladder, under a lock."""

from __future__ import annotations

import pytest

from game.results.ladders import BOT_LADDERS
from lobby.bots import ladder_queue
from lobby.play.backend import Backend, current_backend

LADDER = next(iter(BOT_LADDERS))
LOCK = f"bots-pair:{LADDER}"


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("outlasts_lock", [False, True])
async def test_worker_drops_only_its_own_lock(
    outlasts_lock: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = await current_backend()
    for number in range(4):
        await ladder_queue.join_queue(backend, LADDER, f"bot {number}", f"owner {number}")

    async def pair_all(backend: Backend, ladder: str) -> None:
        assert await backend.call("GET", LOCK)
        if outlasts_lock:
            await backend.call("SET", LOCK, "of another worker")

    monkeypatch.setattr(ladder_queue, "_pair_all", pair_all)
    await ladder_queue.open_rated_games()
    assert await backend.call("GET", LOCK) == (b"of another worker" if outlasts_lock else None)
