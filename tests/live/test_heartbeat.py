"""After the end of the heartbeat no task is left that would connect to Redis again."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from tests.tables.staging import MakeProcess


async def test_stop_cancels_a_beat_that_suppressed_the_first_cancellation(
    make_process: MakeProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat = (await make_process("p")).heartbeat
    beats = asyncio.Event()

    async def beat() -> None:
        beats.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(600)

    async def step() -> None:
        await asyncio.sleep(600)

    await heartbeat.start([step])
    monkeypatch.setattr(heartbeat, "beat", beat)
    async with asyncio.timeout(60):
        await beats.wait()
        await heartbeat.stop()
    assert [task for task in asyncio.all_tasks() if task.get_name() == "after heartbeat"] == []
