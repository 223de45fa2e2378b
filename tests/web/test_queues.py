"""Matchmaking at a site of several processes."""

from __future__ import annotations

import re

from tests.kit.processes import wait_until
from tests.web.site import RunningSite
from tests.web.visitor import Visitor

FORM = {"preset": "tenhou", "length": "east", "bots": "never"}


def table_of(visitor: Visitor) -> str:
    """Return the address to which the lobby redirects a person with a game; '' for none."""
    found = re.search(r'href="(/table/[\w-]+/)">Return to table', visitor.get("/lobby/").text)
    return found[1] if found else ""


def test_worker_pairs_players_of_two_servers(running_site: RunningSite) -> None:
    people = [Visitor(running_site.daphnes[number % 2].url) for number in range(4)]
    for visitor in people:
        page = visitor.submit(visitor.get("/lobby/"), "/lobby/seek/", **FORM)
        assert "Looking for a game" in page.text or 'id="rematch"' in page.text
    wait_until(lambda: all(map(table_of, people)), within_s=60, what="they have a table")
    (table,) = {table_of(visitor) for visitor in people}
    for visitor in people:
        assert 'id="rematch"' in visitor.get(table).text
        assert "Return to table" in visitor.get("/").text
    assert 'id="rematch"' not in Visitor(running_site.daphnes[0].url).get(table).text
