"""The interface of events: the contents, pages, ETags and tokens of its answers, and the archive of
records."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from datetime import timedelta
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from msgspec.structs import replace

from game.engine.clock import Clock, ClockSettings
from game.engine.events import GameEnded, GameStarted
from game.engine.presets import PRESETS
from game.engine.state import Phase, Table
from game.live.process import ARCHIVE
from game.models import Game, Player
from game.tables.room import Commit, Room, SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from lobby.accounts import rate_limits
from lobby.clubs.api_tokens import club_of_token, create_token
from lobby.clubs.members import NotAllowed
from lobby.events.api import PARTS
from lobby.events.registration import make_event
from lobby.models import (
    ApiToken,
    Club,
    ClubGame,
    Event,
    EventPlayer,
    Membership,
    Person,
)
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import let_points_move
from tests.lobby.pages import text_of
from tests.records.own_games import random_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

API = "/api/1/clubs/thursday/events/autumn/"
CUP = "/clubs/thursday/events/cup/"
ZIP = "/clubs/thursday/events/autumn/records/mjlog.zip"
PASSWORD = "four winds, one wall"
RULES = replace(PRESETS["ema-2025"], length="east")


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def new_season(club: Club, **terms: Any) -> Event:
    today = timezone.now().date()
    usual = {
        "slug": "autumn",
        "name": "Autumn League",
        "starts_on": today - timedelta(days=3),
        "ends_on": today + timedelta(days=3),
        "format": "open",
        "registration": "members",
    }
    return await database_sync_to_async(make_event)(club, RULES, "15+30", **{**usual, **terms})


async def play(league: Event, number: int, people: list[Person], *, public: bool = True) -> None:
    """Store a game of the league by these four, played to its end on the wall of that number."""
    table_id = f"game-{number}"
    await ClubGame.objects.acreate(table_id=table_id, club_id=league.club_id, event=league)
    one, two, three, four = (person.name for person in people)
    events: list[Any] = [GameStarted((one, two, three, four), RULES, b"")]
    events += [event for hand in random_game(number, RULES) for event in hand]
    end = events[-1]
    assert isinstance(end, GameEnded)
    seats: Any = tuple(SeatMeta(name=person.name, person=str(person.pk)) for person in people)
    table = Table(rules=RULES, phase=Phase.ENDED, scores=end.scores, placement=end.placement)
    at = 1_790_000_000_000 + 1_000 * number
    room = Room(
        TableId(table_id),
        TableMeta(seats, ClockSettings(), settings=TableSettings(public=public), opened_at=at),
        1,
        table=table,
    )
    commit = Commit(1, b"a", at, (), tuple(events), Clock())
    assert await sync_to_async(ARCHIVE.save_game)(room, (commit,))


async def people_of(count: int) -> list[Person]:
    people = [await Person.objects.acreate(name=f"Player {number:02}") for number in range(count)]
    for person in people:
        await Player.objects.aupdate_or_create(person_id=person.pk, defaults={"name": person.name})
    return people


async def items_of(path: str, client: AsyncClient | None = None) -> list[dict[str, Any]]:
    """Return all items of a list, page after page."""
    found, address = list[dict[str, Any]](), path
    while address:
        answer = await (client or AsyncClient()).get(address)
        assert answer.status_code == 200, text_of(answer)
        data = answer.json()
        assert data["version"] == 1
        found += data["items"]
        split = urlsplit(data["next"] or "")
        address = f"{split.path}?{split.query}" if split.path else ""
    return found


async def archive_at(client: AsyncClient, path: str) -> zipfile.ZipFile:
    answer: Any = await client.get(path)
    assert answer.status_code == 200
    assert answer.streaming
    return zipfile.ZipFile(io.BytesIO(await sync_to_async(b"".join)(answer.streaming_content)))


def results_in(record: str) -> list[tuple[str, Decimal]]:
    """Return the names and the final points of the players in the record, by seat."""
    names = re.search(r'<UN n0="([^"]*)" n1="([^"]*)" n2="([^"]*)" n3="([^"]*)"', record)
    owari = re.search(r'owari="([^"]*)"', record)
    assert names
    assert owari
    points = owari[1].split(",")[1::2]
    return [
        (unquote(name), Decimal(text)) for name, text in zip(names.groups(), points, strict=True)
    ]


@pytest.mark.postgresql
async def test_league_of_twelve_equals_a_recount_of_the_records() -> None:
    """Twelve players play forty games; standings and meetings are counted again from the files."""
    _, anna = await account("Anna")
    season = await new_season(await new_club(anna))
    people = await people_of(12)
    rng = Random(3)
    for number in range(40):
        await play(season, number, rng.sample(people, 4))
    archive = await archive_at(AsyncClient(), ZIP)
    files = [name for name in archive.namelist() if name.endswith(".mjlog")]
    assert len(files) == 40
    points: Counter[str] = Counter()
    met: Counter[frozenset[str]] = Counter()
    for name in files:
        results = results_in(archive.read(name).decode())
        assert sum(result for _, result in results) == 0
        for player, result in results:
            points[player] += result  # type: ignore[assignment]
        met.update(frozenset(pair) for pair in combinations([player for player, _ in results], 2))
    rows = await items_of(f"{API}standings/?per_page=5")
    assert {row["name"]: Decimal(row["points"]) for row in rows} == dict(points)
    for row in rows:
        better = [point for point in points.values() if point > Decimal(row["points"])]
        assert row["place"] == 1 + len(better)
    names = {str(person.pk): person.name for person in people}
    pairs = await items_of(f"{API}meetings/")
    assert {
        frozenset(names[player] for player in pair["players"]): pair["games"] for pair in pairs
    } == met
    games = await items_of(f"{API}games/?per_page=7")
    assert [game["table"] for game in games] == [f"game-{number}" for number in range(40)]
    assert len(await items_of(f"{API}players/")) == 12
    tables = await items_of(f"{API}tables/")
    assert {table["state"] for table in tables} == {"finished"}


@pytest.mark.postgresql
async def test_event_names_its_parts() -> None:
    _, anna = await account("Anna")
    await new_season(await new_club(anna), best_games=5)
    (event,) = await items_of("/api/1/clubs/thursday/")
    assert (event["format"], event["name"], event["best_games"]) == ("open", "Autumn League", 5)
    for name, address in event["links"].items():
        answer = await AsyncClient().get(urlsplit(address).path)
        assert answer.status_code == 200, name
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


async def test_running_games_are_provisional(monkeypatch: pytest.MonkeyPatch) -> None:
    officer, anna = await account("Anna")
    await new_club(anna)
    form = {"name": "Autumn Cup", "slug": "cup", "rules": "ema-2025", "rounds": "1"}
    form |= {"method": "random", "fill": "bots", "is_public": "on"}
    await officer.post("/clubs/thursday/events/new/?format=rounds", form)
    await officer.post(f"{CUP}enter/", {"do": "enter"})
    cup = await Event.objects.aget()
    for person in await people_of(4):
        await EventPlayer.objects.acreate(event=cup, person=person)
    api = f"/api/1{CUP}"
    assert await items_of(f"{api}rounds/") == []
    await officer.post(f"{CUP}round/", {"round": "1"})
    (one,) = await items_of(f"{api}rounds/")
    assert (one["round"], len(one["tables"])) == (1, 2)
    assert {table["state"] for table in one["tables"]} == {"running"}
    seated = [player for table in one["tables"] for player in table["players"]]
    assert (str(anna.pk) in seated, seated.count(None)) == (True, 3)
    assert await items_of(f"{api}standings/") == []
    assert await items_of(f"{api}provisional/") == [], "no points have changed hands"
    await let_points_move(monkeypatch)
    rows = await items_of(f"{api}provisional/")
    assert {row["played"] for row in rows} == {1}
    assert {row["player"] for row in rows} == set(seated) - {None}


async def test_wrong_pages_are_refused() -> None:
    _, anna = await account("Anna")
    await new_season(await new_club(anna))
    wrong = (("page=2", 404), ("page=0", 400), ("page=x", 400), ("per_page=501", 400))
    for query, status in wrong:
        answer = await AsyncClient().get(f"{API}games/?{query}")
        assert answer.status_code == status
        assert answer.json()["error"]
    assert (await AsyncClient().get("/api/1/clubs/thursday/cups/autumn/")).status_code == 404
    assert (await AsyncClient().get(f"{API}walls/")).status_code == 404
    assert (await AsyncClient().post(API)).status_code == 405


async def test_unchanged_response_is_answered_with_304() -> None:
    _, anna = await account("Anna")
    season = await new_season(await new_club(anna))
    tag = (await AsyncClient().get(f"{API}standings/")).headers["ETag"]
    again = await AsyncClient().get(f"{API}standings/", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    await play(season, 1, await people_of(4))
    again = await AsyncClient().get(f"{API}standings/", headers={"if-none-match": tag})
    assert again.status_code == 200


@pytest.mark.postgresql
@pytest.mark.parametrize("end", ["dismissed", "left", "removed", "deleted"])
async def test_token_ends_with_the_role_of_its_maker(end: str) -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna, is_public=False)
    organiser, ben = await account("Ben", password=PASSWORD)
    await enrol(club, ben, Membership.ORGANISER)
    await organiser.post("/clubs/thursday/api/", {"do": "token", "label": "Hall"})
    token = await database_sync_to_async(create_token)(club, "own", by=ben)
    kept = await database_sync_to_async(create_token)(club, "kept", by=anna)
    assert "made by Ben" in text_of(await owner.get("/clubs/thursday/api/"))
    assert await database_sync_to_async(club_of_token)(token) == club
    do = "/clubs/thursday/members/do/"
    match end:
        case "dismissed":
            await owner.post(do, {"do": f"member:{ben.pk}"})
        case "left":
            await organiser.post("/clubs/thursday/leave/")
        case "removed":
            await owner.post(do, {"do": f"remove:{ben.pk}"})
        case _:
            await organiser.post("/profile/delete/", {"old": PASSWORD})
    assert await database_sync_to_async(club_of_token)(token) is None
    assert await database_sync_to_async(club_of_token)(kept) == club
    assert "made by Ben" not in text_of(await owner.get("/clubs/thursday/api/"))
    with pytest.raises(NotAllowed):
        await database_sync_to_async(create_token)(club, "late", by=ben)
    if end == "dismissed":
        await owner.post(do, {"do": f"organiser:{ben.pk}"})
        assert await database_sync_to_async(club_of_token)(token) is None


async def test_private_club_opens_with_its_token_until_it_is_revoked() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna, is_public=False)
    await new_season(club)
    await new_club(anna, "other", is_public=False)
    page = text_of(await officer.post("/clubs/thursday/api/", {"do": "token", "label": "Hall"}))
    found = re.search(r'value="(mjclub_[\w-]{43})"', page)
    assert found
    token = found[1]
    assert token not in text_of(await officer.get("/clubs/thursday/api/"))
    row = await ApiToken.objects.aget()
    assert token not in (row.digest, row.label)
    bearer = {"authorization": f"Bearer {token}"}
    for part in ("", *(f"{name}/" for name in PARTS)):
        assert (await AsyncClient().get(f"{API}{part}", headers=bearer)).status_code == 200
        assert (await AsyncClient().get(f"{API}{part}")).status_code == 404
        assert (await officer.get(f"{API}{part}")).status_code == 200
    other = await AsyncClient().get("/api/1/clubs/other/", headers=bearer)
    assert other.status_code == 404
    pages = await AsyncClient().get("/clubs/thursday/", headers=bearer)
    assert pages.status_code == 404
    await officer.post("/clubs/thursday/api/", {"do": f"revoke:{row.pk}"})
    answer = await AsyncClient().get(API, headers=bearer)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")


@pytest.mark.postgresql
async def test_archive_lists_only_visible_games() -> None:
    officer, anna = await account("Anna")
    member, ben = await account("Ben")
    club = await new_club(anna, is_public=False)
    season = await new_season(club)
    await enrol(club, ben, Membership.MEMBER)
    others = await people_of(3)
    assert (await officer.get(ZIP)).status_code == 404
    await play(season, 1, [anna, *others], public=False)
    assert (await member.get(ZIP)).status_code == 404
    await play(season, 2, [ben, *others], public=False)
    assert len((await archive_at(officer, ZIP)).namelist()) == 3
    archive = await archive_at(member, ZIP)
    assert [Path(name).name for name in archive.namelist()] == ["game-2.mjlog", "index.csv"]
    assert (await AsyncClient().get(ZIP)).status_code == 404
    assert (await member.get(ZIP.replace("mjlog", "wall"))).status_code == 404
    assert await Game.objects.acount() == 2
