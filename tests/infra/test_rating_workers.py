"""Workers that rate a long queue of games, and are killed meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest

from tests.kit.commands import run_python
from tests.kit.processes import Site, wait_until
from tools import postgresql

GAMES = 1_500


@pytest.fixture(params=["sqlite", "postgresql"])
def queued_site(request: pytest.FixtureRequest, site: Site) -> Iterator[Site]:
    """Yield a site with many games that wait to be rated."""
    if request.param == "sqlite":
        run(site, "-m", "tests.kit.unrated_games", str(GAMES))
        yield site
        return
    with postgresql.run_server(request.getfixturevalue("migrated_postgresql")) as url:
        site.env["DATABASE_URL"] = url
        run(site, "-m", "tests.kit.unrated_games", str(GAMES))
        yield site
        site.stop()


def run(site: Site, *arguments: str) -> None:
    done = run_python(site.env, *arguments)
    assert done.returncode == 0, done.stderr


def rows(site: Site, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query of the site's database."""
    url = site.env["DATABASE_URL"]
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
            return database.execute(query).fetchall()
    with psycopg.connect(url) as server:
        return server.execute(query.encode()).fetchall()


def count_queued(site: Site) -> int:
    found: int = rows(site, "SELECT count(*) FROM game_unratedgame")[0][0]
    return found


def wait_for_a_batch(site: Site) -> None:
    before = count_queued(site)
    wait_until(lambda: count_queued(site) < before, within_s=60, what="a batch is rated")


def test_killed_workers_leave_no_game_rated_twice_or_left_out(queued_site: Site) -> None:
    for _ in range(2):
        workers = [queued_site.start_worker(), queued_site.start_worker()]
        wait_for_a_batch(queued_site)
        for worker in workers:
            worker.kill()
        assert count_queued(queued_site), "the workers were killed too late"
    queued_site.start_worker()
    queued_site.start_worker()
    wait_until(lambda: count_queued(queued_site) == 0, within_s=90, what="all games are rated")
    changes = rows(
        queued_site,
        "SELECT game_id, rating_id, mu_before, mu FROM game_ratingchange ORDER BY id",
    )
    games = [game for game, *_ in changes]
    assert games == sorted(games), "in the order of their ends"
    assert len(changes) == 4 * GAMES
    assert len(set(games)) == GAMES
    present = {
        rating: (mu, games)
        for rating, mu, games in rows(queued_site, "SELECT id, mu, games FROM game_rating")
    }
    last: dict[int, float] = {}
    for _, rating, before, after in changes:
        assert before == pytest.approx(last.get(rating, 25.0))
        last[rating] = after
    assert {rating: mu for rating, (mu, _) in present.items()} == pytest.approx(last)
    assert sum(games for _, games in present.values()) == 4 * GAMES
