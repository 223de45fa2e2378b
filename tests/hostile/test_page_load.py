"""Dear pages: somebody who asks for many is refused, and nobody who plays is."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import pytest

from tests.kit.processes import RedisServer, Site
from tests.web.site import RunningSite, SignedPerson, serve
from tests.web.tables import open_table

DEAR: Final = "/tables/new/"
CONNECTIONS: Final = 8
ANSWER_WITHIN_S: Final = 120
TABLES: Final = 15


class Answer(NamedTuple):
    """The parts of a response that the tests look at."""

    status: int
    retry_after: str | None
    text: str


def load(url: str, path: str, cookie: str = "") -> Answer:
    """Load a page over a connection of its own."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=ANSWER_WITHIN_S)
    try:
        headers = {"Cookie": cookie, "Accept": "text/html", "Accept-Language": "en"}
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        text = response.read().decode()
        return Answer(response.status, response.getheader("Retry-After"), text)
    finally:
        connection.close()


@pytest.fixture(scope="module")
def tight_site(
    migrated_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningSite]:
    """Yield a site on which an address may use one second of processor time for pages."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis = RedisServer(Path(directory))
        site = Site(redis, tmp_path_factory.mktemp("site"), migrated_database)
        site.env |= {"PAGE_SECONDS_PER_ADDRESS": "1", "SOCKETS_PER_ADDRESS": "0"}
        try:
            redis.start()
            yield serve(site, workers=1)
        finally:
            site.stop()
            redis.kill()


def seat_people(site: RunningSite) -> list[tuple[SignedPerson, str]]:
    """Return sixty people, each with the address of the table at which they sit."""
    names = [f"Player {number}" for number in range(4 * TABLES)]
    people = site.sign_in(*names)
    seated = []
    for start in range(0, len(people), 4):
        four = people[start : start + 4]
        table = asyncio.run(open_table(site.redis.url, four))
        seated += [(person, f"/table/{table}/") for person in four]
    return seated


def test_attacker_is_refused_and_sixty_players_at_the_same_address_are_not(
    tight_site: RunningSite,
) -> None:
    url = tight_site.daphnes[0].url
    seated = seat_people(tight_site)
    is_over, is_refused = Event(), Event()

    def attack_until_over() -> list[Answer]:
        answers = []
        while not is_over.is_set():
            answers.append(load(url, DEAR))
            if answers[-1].status == 429:
                is_refused.set()
        return answers

    with ThreadPoolExecutor(CONNECTIONS + 20) as threads:
        attacks = [threads.submit(attack_until_over) for _ in range(CONNECTIONS)]
        try:
            assert is_refused.wait(ANSWER_WITHIN_S), "the attacker was never refused"
            pages = [
                threads.submit(load, url, path, person.cookie)
                for person, table in seated
                for path in (table, "/lobby/")
            ]
            statuses = [page.result().status for page in pages]
        finally:
            is_over.set()
        answers = [answer for attack in attacks for answer in attack.result()]
    assert set(statuses) == {200}
    refused = [answer for answer in answers if answer.status == 429]
    assert all(int(answer.retry_after or 0) > 0 for answer in refused)
    assert all("too many requests" in answer.text for answer in refused)
    assert {answer.status for answer in answers} <= {200, 429}


def test_lone_reader_is_never_refused(tight_site: RunningSite) -> None:
    """Nobody waits: a debt alone refuses nothing."""
    url = tight_site.daphnes[0].url
    assert {load(url, DEAR).status for _ in range(40)} == {200}
