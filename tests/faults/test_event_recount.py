"""Programs play an event of each format to its end over real sockets: an open one, one with a list
of tables, and one with rounds, a withdrawal and a late entry; then the same with tables of three.
The standings of pages, files and interface have to equal a recount from the downloaded records.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from itertools import combinations
from typing import Any, Final

import msgspec
import pytest

from game.engine.rules import RuleSet
from tests.faults.event_players import (
    WITHIN_S,
    is_expected,
    player,
    post,
    request,
    rows,
    run_script,
    until,
)
from tests.faults.site import SHORT_GAME, SHORT_GAME_OF_THREE
from tests.kit.processes import Daphne, Site
from tests.web.site import RunningSite, SignedPerson, serve

NAMES: Final = [f"p{number}" for number in range(9)]
"""The last one comes late to the event with rounds."""
MISSED: Final = Decimal("-12.5")
PATH: Final = "/clubs/thursday/events/"
_MAKE: Final = """
import json, sys
from datetime import timedelta
from django.utils import timezone
from lobby.models import Club, Event, EventPlayer, Membership
given = json.load(sys.stdin)
club = Club.objects.create(slug="thursday", name="Thursday Club", entry="open")
Membership.objects.create(club=club, person_id=given["officer"], role="owner")
for person in given["people"]:
    Membership.objects.create(club=club, person_id=person)
today = timezone.now().date()
days = {"starts_on": today - timedelta(days=2), "ends_on": today + timedelta(days=2)}
for kind, more in (
    ("open", {"registration": "members", **days}),
    ("list", {"registration": "list", **days}),
    ("rounds", {"missed_points": given["missed"], **given["rounds"]}),
):
    event = Event.objects.create(
        club=club, slug=kind, name=kind, rules=given["rules"], clock="5+20", format=kind, **more
    )
    for person in given["people"][: given["entrants"].get(kind, 0)]:
        EventPlayer.objects.create(event=event, person_id=person)
"""


class Played:
    """A site with a club, its officer, nine players, and an event of each format with these
    rules."""

    def __init__(
        self,
        running_site: RunningSite,
        rules: RuleSet,
        entrants: dict[str, int],
        **rounds: int | str,
    ) -> None:
        """`entrants` is how many of the players are entered, by format. `rounds` are fields of the
        event with rounds."""
        self.rules = rules
        self.running_site, self.site = running_site, running_site.site
        self.server: Daphne = running_site.daphnes[0]
        officer, *people = running_site.sign_in("Officer", *NAMES)
        self.officer: SignedPerson = officer
        self.people: dict[str, SignedPerson] = dict(zip(NAMES, people, strict=True))
        self.games = 0
        given = {"rules": msgspec.to_builtins(rules), "missed": str(MISSED)}
        given |= {"rounds": rounds, "entrants": entrants}
        given |= {"officer": officer.person, "people": [one.person for one in people]}
        assert run_script(self.site, _MAKE, given) == 0

    def act(self, path: str, **fields: str) -> str:
        return post(self.server, PATH + path, self.officer, **fields)

    async def play(self, tables: dict[str, list[str]]) -> None:
        """Let the programs with these names play these tables to their end."""
        self.games += len(tables)
        players = [
            player(self.running_site.daphnes, table_id, self.people[name], 10 * self.games + at)
            for table_id, names in tables.items()
            for at, name in enumerate(names)
        ]
        try:
            async with asyncio.timeout(WITHIN_S):
                await asyncio.gather(*(client.play() for client in players))
        finally:
            for client in players:
                await client.cut()
        errors = [json.loads(text) for client in players for text in client.unexpected_errors]
        assert not [error for error in errors if not is_expected(error)]
        count: Callable[[], bool] = lambda: (  # noqa: E731
            rows(self.site, "SELECT count(*) FROM game_game") == [(self.games,)]
        )
        await until(count, "all games are archived")

    def open_by_list(self, number: int, names: list[str]) -> str:
        """Let these players open that table of the list; return the id of its game."""
        path = f"{PATH}list/fixtures/{number}/"
        return [post(self.server, path, self.people[name]) for name in names][-1].split("/")[2]

    def open_freely(self, names: list[str]) -> str:
        """Let these players meet at a table of the event; return the id of its game."""
        first, *others = (self.people[name] for name in names)
        address = post(self.server, f"{PATH}open/table/", first)
        for person in others:
            post(self.server, f"{address}do/", person, do="sit")
        for person in (first, *others):
            address_after = post(self.server, f"{address}do/", person, do="ready")
        return address_after.split("/")[2]

    def listed_tables(self) -> dict[int, list[str]]:
        """Return the names at the tables of the list, by number."""
        text = request(self.server, f"{PATH}list/fixtures.csv").decode("utf-8-sig")
        return {
            int(row["table"]): [row[f"player_{at}"] for at in range(1, 1 + self.rules.players)]
            for row in csv.DictReader(io.StringIO(text))
        }

    def tables_of_round(self, number: int) -> dict[str, list[str]]:
        """Return the names at the open tables of that round of the event with rounds."""
        names = dict(
            rows(
                self.site,
                "SELECT number, name FROM lobby_eventplayer"
                " JOIN lobby_person ON lobby_person.id = person_id WHERE number IS NOT NULL",
            )
        )
        found = rows(
            self.site,
            f"SELECT table_id, seats FROM lobby_eventtable WHERE round = {number} AND is_open",
        )
        return {table_id: [names[seat] for seat in json.loads(seats)] for table_id, seats in found}

    def recount(self, event: str) -> tuple[Counter[str], dict[str, Decimal]]:
        """Return the number of games and the points of each player, from the final scores in the
        downloaded records alone."""
        data = request(self.server, f"{PATH}{event}/records/tenhou6.zip")
        games, points = Counter[str](), dict[str, Decimal]()
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                if not name.endswith(".json"):
                    continue
                record = json.loads(archive.read(name))
                scores = record["sc"][0::2]
                order = sorted(range(self.rules.players), key=lambda seat: (-scores[seat], seat))
                for place, seat in enumerate(order):
                    person = record["name"][seat]
                    reached = Decimal(scores[seat] - self.rules.return_points) / 1000
                    reached += self.rules.uma[place]
                    games[person] += 1
                    points[person] = points.get(person, Decimal(0)) + reached
        return games, points

    def check(self, event: str, missed: dict[str, Decimal]) -> None:
        """Compare the standings of interface, file and page with the recount, to which `missed`
        adds the points for missed rounds."""
        games, points = self.recount(event)
        for name, given in missed.items():
            points[name] += given
        answer = request(self.server, f"/api/1{PATH}{event}/standings/")
        items: list[dict[str, Any]] = json.loads(answer)["items"]
        assert {row["name"]: Decimal(row["points"]) for row in items} == points
        assert {row["name"]: row["played"] for row in items} == games
        for row in items:
            better = [other for other in points.values() if other > points[row["name"]]]
            assert row["place"] == 1 + len(better)
        text = request(self.server, f"{PATH}{event}/standings.csv").decode("utf-8-sig")
        lines = {line["name"]: line for line in csv.DictReader(io.StringIO(text))}
        assert {name: Decimal(line["points"]) for name, line in lines.items()} == points
        page = request(self.server, f"{PATH}{event}/standings/").decode()
        shown = re.findall(
            r'<th scope="row">(p\d)\b.*?<td class="number sum">([^<\s]+)', page, re.DOTALL
        )
        read = {name: Decimal(text.replace("\N{MINUS SIGN}", "-")) for name, text in shown}
        assert read == points
        assert sum(points.values()) == sum(missed.values())


async def _serve(
    site: Site, rules: RuleSet, entrants: dict[str, int], **rounds: int | str
) -> Played:
    site.env["TABLE_PACE"] = "0.02"
    site.env["SOCKETS_PER_ADDRESS"] = "0"
    return await asyncio.to_thread(lambda: Played(serve(site), rules, entrants, **rounds))


@pytest.mark.timeout(900)
@pytest.mark.asyncio
async def test_standings_of_each_format_equal_a_recount_of_the_records(site: Site) -> None:
    made = {"list": 8, "rounds": 8}
    played = await _serve(site, SHORT_GAME, made, rounds=2, method="swiss")
    for names in (NAMES[:4], NAMES[4:8]):
        await played.play({await asyncio.to_thread(played.open_freely, names): names})
    tables = [["p0", "p1", "p4", "p5"], ["p2", "p3", "p6", "p7"]]
    lines = "\n".join(",".join(names) for names in tables)
    await asyncio.to_thread(played.act, "list/fixtures/", do="add", lines=lines)
    opened = {
        await asyncio.to_thread(played.open_by_list, number, names): names
        for number, names in enumerate(tables, start=1)
    }
    await played.play(opened)
    await asyncio.to_thread(played.act, "rounds/round/", round="1")
    await played.play(played.tables_of_round(1))
    for verb, name in (("withdraw", "p7"), ("late", "p8")):
        person = played.people[name].person
        await asyncio.to_thread(played.act, "rounds/entrants/", do=f"{verb}:{person}")
    await asyncio.to_thread(played.act, "rounds/round/", round="2")
    second = played.tables_of_round(2)
    assert sorted(name for names in second.values() for name in names) == [*NAMES[:7], "p8"]
    await played.play(second)
    for event, missed in (("open", {}), ("list", {}), ("rounds", {"p8": MISSED})):
        await asyncio.to_thread(played.check, event, missed)


@pytest.mark.timeout(900)
@pytest.mark.asyncio
async def test_standings_of_tables_of_three_equal_a_recount_of_the_records(site: Site) -> None:
    """Nine meet each other once in four rounds, and five by a list of five tables."""
    rules = msgspec.structs.replace(SHORT_GAME_OF_THREE, rounding="none")
    made = {"list": 5, "rounds": 9}
    played = await _serve(site, rules, made, rounds=4, method="balanced")
    await asyncio.to_thread(played.act, "list/fixtures/", do="make", games="3")
    tables = await asyncio.to_thread(played.listed_tables)
    assert Counter(name for names in tables.values() for name in names) == dict.fromkeys(
        NAMES[:5], 3
    )
    met = Counter[tuple[str, ...]]()
    others = NAMES[5:8]
    for number, names in tables.items():
        opened = {await asyncio.to_thread(played.open_by_list, number, names): names}
        if number == 1:
            opened[await asyncio.to_thread(played.open_freely, others)] = others
        await played.play(opened)
    for number in range(1, 5):
        await asyncio.to_thread(played.act, "rounds/round/", round=str(number))
        seated = played.tables_of_round(number)
        met.update(pair for names in seated.values() for pair in combinations(sorted(names), 2))
        await played.play(seated)
    assert met == dict.fromkeys(combinations(NAMES, 2), 1)
    for event in ("open", "list", "rounds"):
        await asyncio.to_thread(played.check, event, {})
