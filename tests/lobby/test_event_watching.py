"""Every page and socket follows the rules of an event: how its tables are watched, and whether its
pages are public."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from game.engine.presets import PRESETS
from lobby.accounts import rate_limits
from lobby.clubs.api_tokens import create_token
from lobby.events.registration import make_event
from lobby.models import Club, ClubGame, Event, EventTable, Membership
from lobby.play.backend import current_backend
from lobby.play.table_list import live_tables
from mahjong_site.asgi import application
from tests.kit.wires import Wire
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import PATH, finish_round, let_points_move, new_cup, rooms_of, tables_of
from tests.lobby.pages import sit_at, text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

START: Final = "30,000"
"""The score of everybody at the start, as pages show it."""
CUP: Final = {
    "name": "Autumn Cup",
    "slug": "cup",
    "rules": "ema-2025",
    "rounds": "2",
    "method": "random",
    "fill": "bots",
}
ORIGIN: Final = [(b"host", b"testserver"), (b"origin", b"http://testserver")]
TABLE_PAGES: Final = ("", "standings/", "officials/", "officials/1/1/")


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def running_cup(**terms: Any) -> tuple[AsyncClient, Event, EventTable]:
    """Create a tournament whose first round runs; return the browser of its officer, the tournament
    and its table."""
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 4, rounds=1, **terms)
    await officer.post(f"{PATH}round/", {"round": "1"})
    (table,) = await tables_of(cup, 1)
    return officer, cup, table


async def greeting(table_id: str) -> dict[str, Any]:
    """Return the first frame for a spectator, or the code with which the socket is closed."""
    wire = Wire(application, f"/ws/table/{table_id}/?v=3", headers=ORIGIN)
    try:
        await wire.send_input({"type": "websocket.connect"})
        accepted = await wire.receive_output()
        assert accepted["type"] == "websocket.accept", accepted
        await wire.send_to(text_data='{"t":"hello","seq":0}')
        while (message := await wire.receive_output())["type"] != "websocket.close":
            frame: dict[str, Any] = json.loads(message["text"])
            if frame["t"] == "sync":
                return frame
        return {"closed": message["code"]}
    finally:
        await wire.disconnect()


@pytest.mark.parametrize("watch", ["closed", "closed_delayed", "open_delayed", "nobody"])
async def test_pages_and_sockets_show_what_the_event_allows(
    watch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    officer, _, table = await running_cup(watch=watch, watch_delay_s=240)
    (room,) = await rooms_of([table])
    delay_s = 240 if watch in ("closed_delayed", "open_delayed") else 0
    assert (room.meta.settings.watch, room.meta.settings.watch_delay_s) == (watch, delay_s)
    frame = await greeting(table.table_id)
    match watch:
        case "nobody":
            assert frame == {"closed": 4403}
        case "closed":
            assert frame["behind_s"] == 0
            assert {*frame["view"]["hands"][0]["tiles"]} <= {"?"}
        case _:
            assert (frame["behind_s"], frame["seq"], frame["view"]["phase"]) == (240, 0, "idle")
    is_live = watch == "closed"
    stranger = AsyncClient()
    page = await stranger.get(f"/table/{table.table_id}/")
    assert page.status_code == (404 if watch == "nobody" else 200)
    for path in TABLE_PAGES:
        text = text_of(await officer.get(f"{PATH}{path}"))
        if path in ("", "officials/1/1/"):
            assert (f'href="/table/{table.table_id}/"' in text) == (watch != "nobody"), path
        assert "East 1" not in text or is_live, path
        assert START not in text or is_live, path
    assert START not in text_of(await stranger.get("/clubs/thursday/")) or is_live
    provisional = await stranger.get("/api/1/clubs/thursday/events/cup/provisional/")
    assert provisional.json()["count"] == 0, "no points have moved"
    await let_points_move(monkeypatch)
    provisional = await stranger.get("/api/1/clubs/thursday/events/cup/provisional/")
    assert provisional.json()["count"] == (4 if is_live else 0)
    text = text_of(await stranger.get(f"{PATH}standings/"))
    assert ("As if the 1 running game ended now." in text) == is_live
    (row,) = [listed for listed in await live_tables() if listed.table_id == table.table_id]
    assert (row.settings.watch, row.delay_minutes) == (watch, delay_s // 60)
    assert is_live or {(seat.score, seat.leads) for seat in row.seats} == {(None, False)}
    assert bool(row.round) == is_live
    await sit_at(table.table_id)
    text = text_of(await stranger.get("/watch/"))
    assert (table.table_id in text) == (watch != "nobody")
    assert START not in text or is_live


async def test_officer_chooses_how_the_tables_are_watched() -> None:
    officer, anna = await account("Anna")
    await new_club(anna)
    for delay in ("179", "3601", "soon"):
        form = {**CUP, "watch": "open_delayed", "watch_delay_s": delay}
        answer = await officer.post("/clubs/thursday/events/new/?format=rounds", form)
        assert answer.status_code == 422, delay
    form = {**CUP, "watch": "open_delayed", "watch_delay_s": "180", "is_public": "on"}
    assert (
        await officer.post("/clubs/thursday/events/new/?format=rounds", form)
    ).status_code == 302
    cup = await Event.objects.aget()
    assert (cup.watch, cup.watch_delay_s, cup.is_public) == ("open_delayed", 180, True)
    page = text_of(await AsyncClient().get(PATH))
    assert "All hands open, 3 minutes after each hand" in page
    await officer.post(f"{PATH}edit/", {"name": "Autumn Cup", "watch": "nobody"})
    cup = await Event.objects.aget()
    assert (cup.watch, cup.is_public) == ("nobody", False)


async def test_table_of_a_league_is_watched_as_the_league_says() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    await new_season(club, watch="closed_delayed", watch_delay_s=300, is_public=False)
    address = (await officer.post("/clubs/thursday/events/autumn/table/")).headers["Location"]
    page = text_of(await officer.get(address))
    assert "All hands closed, 5 minutes after each hand" in page
    backend = await current_backend()
    for seat in ("1", "2", "3"):
        await officer.post(f"{address}do/", {"do": "bot", "seat": seat, "level": "sensible"})
    stored = await backend.call("GET", f"pregame:{address.split('/')[2]}")
    assert b"closed_delayed" in stored


async def new_season(club: Club, **terms: Any) -> Event:
    today = timezone.now().date()
    usual: dict[str, Any] = {
        "slug": "autumn",
        "name": "Autumn League",
        "starts_on": today,
        "ends_on": today,
        "format": "open",
        "registration": "members",
    }
    return await database_sync_to_async(make_event)(
        club, PRESETS["ema-2025"], "15+30", **{**usual, **terms}
    )


EVENTS: Final = ("events/autumn/", "events/cup/")
ENDS: Final = ("", "rules/", "standings/", "standings.csv", "standings.json", "offline/")


@pytest.mark.parametrize("is_club_public", [True, False])
@pytest.mark.parametrize("is_event_public", [True, False])
async def test_only_a_public_event_is_shown_to_strangers(
    is_club_public: bool, is_event_public: bool
) -> None:
    _, anna = await account("Anna")
    club = await new_club(anna, is_public=is_club_public)
    await new_cup(club, 4, is_public=is_event_public)
    await new_season(club, is_public=is_event_public)
    member, ben = await account("Ben")
    await enrol(club, ben)
    former, cleo = await account("Cleo")
    await enrol(club, cleo)
    await (await Membership.objects.aget(person=cleo)).adelete()
    other, dora = await account("Dora")
    await enrol(await new_club(anna, "friday"), dora, Membership.ORGANISER)
    token = await database_sync_to_async(create_token)(club, "program", by=anna)
    foreign = await database_sync_to_async(create_token)(
        await Club.objects.aget(slug="friday"), "foreign", by=anna
    )
    for event in EVENTS:
        paths = [f"/clubs/thursday/{event}{end}" for end in ENDS]
        paths += [f"/api/1/clubs/thursday/{event}{end}" for end in ("", "players/", "standings/")]
        for path in paths:
            assert (await member.get(path)).status_code == 200, path
            for stranger in (AsyncClient(), former, other):
                answer = await stranger.get(path)
                assert answer.status_code == (200 if is_event_public else 404), path
                assert is_club_public or 'href="/clubs/thursday/"' not in text_of(answer), path
        api = f"/api/1/clubs/thursday/{event}"
        for secret, is_own in ((token, True), (foreign, False)):
            answer = await AsyncClient().get(api, headers={"authorization": f"Bearer {secret}"})
            assert answer.status_code == (200 if is_own or is_event_public else 404)
        for browser, may_see in ((member, True), (other, is_event_public)):
            assert await opens(browser, f"/ws/lobby/clubs/thursday/{event}") == may_see
    for path in ("/clubs/thursday/events/", "/api/1/clubs/thursday/"):
        text = text_of(await other.get(path))
        assert ("Autumn Cup" in text) == (is_club_public and is_event_public)
        assert ("Autumn League" in text) == (is_club_public and is_event_public)
        assert "Autumn Cup" in text_of(await member.get(path))


async def opens(browser: AsyncClient, address: str) -> bool:
    """Return whether the socket of a page sends its fragments to that browser."""
    await browser.get("/clubs/")
    cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in browser.cookies.items())
    headers = [*ORIGIN, (b"cookie", cookies.encode())]
    wire = Wire(application, address, headers=headers)
    try:
        assert (await wire.connect())[0]
        await wire.receive_output()  # skip the request for a heartbeat
        message = await wire.receive_output()
        if message["type"] == "websocket.close":
            assert message["code"] == 4404
            return False
        return True
    finally:
        await wire.disconnect()


async def test_public_club_shows_no_games_of_a_private_event() -> None:
    _officer, cup, table = await running_cup(is_public=False)
    (room,) = await rooms_of([table])
    assert not room.meta.settings.public
    member, ben = await account("Ben")
    await enrol(await Club.objects.aget(), ben)
    path = f"/table/{table.table_id}/"
    assert path in text_of(await member.get("/clubs/thursday/"))
    assert path not in text_of(await AsyncClient().get("/clubs/thursday/"))
    assert path not in text_of(await AsyncClient().get("/watch/"))
    await finish_round(cup, 1)
    assert await ClubGame.objects.acount() == 1
    assert "Player 00" in text_of(await member.get("/clubs/thursday/games/"))
    assert "Player 00" not in text_of(await AsyncClient().get("/clubs/thursday/games/"))
    assert (await AsyncClient().get(PATH)).status_code == 404
