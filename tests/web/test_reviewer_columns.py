"""Columns of reviewers in the reviews of the site."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from bench.played_games import play_room
from game.live.process import ARCHIVE
from game.mjai_programs.spec import ProgramSpec
from game.models import Game, ReviewerRun
from game.reviews import computing, reviewer_columns
from game.reviews.processes import drop_pool, drop_reviewer_pool, reviewer_pool
from game.tables.room import SeatMeta
from tests.reviews.games import SHORT_RULES

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("fresh"),
    pytest.mark.postgresql,
]
PROGRAMS: Final = str(Path(__file__).parents[1] / "reviews" / "reviewer_programs.py")


def reviewer(habit: str) -> ProgramSpec:
    return ProgramSpec(habit, "mjai.app", (sys.executable, PROGRAMS, habit))


@pytest.fixture(scope="module", autouse=True)
def _one_pool_for_the_module() -> Iterator[None]:
    """Keep the process for all tests of the module: it takes a second to start."""
    yield
    drop_pool()


@pytest.fixture(autouse=True)
async def _no_reviewer_stays() -> AsyncIterator[None]:
    yield
    drop_reviewer_pool()


@pytest.fixture
def path() -> str:
    """Return the address of the review of a finished game."""
    seats = tuple(SeatMeta(f"bot {seat}", bot="sensible") for seat in range(4))
    assert ARCHIVE.save_game(*play_room("columns", seats, SHORT_RULES, seed=72, started_at=0))
    return f"/game/{Game.objects.get().pk}/review.json"


async def compute_review(path: str) -> dict[str, Any]:
    """Ask for the review and let the worker compute it, without its columns."""
    await AsyncClient().post(path)
    await computing.compute_queued()
    await asyncio.gather(*computing._running)
    return await review_at(path)


async def review_at(path: str) -> dict[str, Any]:
    answer = json.loads((await AsyncClient().get(path)).content)
    assert answer["state"] == "done"
    review: dict[str, Any] = answer["review"]
    return review


async def compute_columns() -> None:
    while await ReviewerRun.objects.filter(claimed_until=None).aexists():
        await reviewer_columns.compute_columns()
        await asyncio.gather(*reviewer_columns._running)


async def test_review_does_not_wait_for_its_columns_or_broken_reviewers(
    path: str, settings: Any
) -> None:
    settings.REVIEWERS = [reviewer("die"), reviewer("tsumogiri"), reviewer("endless")]
    before = await compute_review(path)
    assert [column["state"] for column in before["reviewers"]] == ["queued"] * 3
    await compute_columns()
    after = await review_at(path)
    assert {**after, "reviewers": before["reviewers"]} == before
    assert [(column["name"], column["state"]) for column in after["reviewers"]] == [
        ("die", "failed"),
        ("tsumogiri", "done"),
        ("endless", "failed"),
    ]
    assert "missing" not in json.dumps(after), "only the operator sees the reviewer's stderr"
    assert len(after["reviewers"][1]["choices"]) == len(after["decisions"])
    assert not await ReviewerRun.objects.aexists()


async def test_column_of_a_dead_worker_is_computed_again(path: str, settings: Any) -> None:
    settings.REVIEWERS = [reviewer("hang")]
    await compute_review(path)
    await reviewer_columns.compute_columns()
    await reviewer_columns.stop_columns()
    run = await ReviewerRun.objects.aget()
    assert run.claimed_until is None
    settings.REVIEWERS = [ProgramSpec("hang", *_fields(reviewer("tsumogiri")))]
    workers = reviewer_pool()
    process = await asyncio.get_running_loop().run_in_executor(workers, os.getpid)
    os.kill(process, signal.SIGKILL)
    await ReviewerRun.objects.aupdate(attempts=0)
    await reviewer_columns.compute_columns()
    await asyncio.gather(*reviewer_columns._running)
    assert (await ReviewerRun.objects.aget()).claimed_until is None
    await compute_columns()
    assert (await review_at(path))["reviewers"][0]["state"] == "done"


def _fields(spec: ProgramSpec) -> tuple[str, tuple[str, ...]]:
    return spec.style, spec.command


async def test_site_without_reviewers_has_no_columns(path: str) -> None:
    assert (await compute_review(path))["reviewers"] == []
    assert not await sync_to_async(ReviewerRun.objects.exists)()
