"""A task is cancelled even if it loses its first cancellation."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from game.redis.cancellation import cancel_and_wait

pytestmark = pytest.mark.asyncio


async def test_a_task_that_loses_its_cancellation_is_cancelled_again() -> None:
    async def stubborn() -> None:
        for _ in range(2):
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
        await asyncio.sleep(60)

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await cancel_and_wait([task, None])
    assert task.cancelled()


async def test_finished_and_failing_tasks_are_ignored() -> None:
    async def failing() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            raise ValueError("failed while it ended")

    async def done() -> None:
        """Return at once."""

    tasks = [asyncio.create_task(failing()), asyncio.create_task(done())]
    await asyncio.sleep(0)
    await cancel_and_wait(tasks)
    assert all(task.done() for task in tasks)
    await cancel_and_wait([])
