"""The page of a tournament's feature table, for a stream: which table it shows, and to whom."""

from __future__ import annotations

import re

import pytest
from django.test import AsyncClient

from lobby.accounts import rate_limits
from lobby.models import Event, EventPlayer, EventTable
from mahjong_site.asgi import application
from tests.kit.wires import Wire
from tests.lobby.club_people import account, new_club
from tests.lobby.cups import PATH, finish_round, new_cup, tables_of
from tests.lobby.pages import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

FEATURE = f"{PATH}feature/"


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def running_cup(**terms: str) -> tuple[AsyncClient, Event, list[EventTable]]:
    """Create a tournament whose first round of two tables runs; return its officer's browser, the
    tournament and the tables."""
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 8, rounds=2, method="random", **terms)
    await officer.post(f"{PATH}round/", {"round": "1"})
    return officer, cup, await tables_of(cup, 1)


async def find_shown_table(browser: AsyncClient, query: str = "") -> str:
    """Return the id of the table on the page; '' for none."""
    found = re.search(r'data-ws="/ws/table/([\w-]+)/"', text_of(await browser.get(FEATURE + query)))
    return found[1] if found else ""


async def show(officer: AsyncClient, row: EventTable) -> int:
    form = {"do": "feature", "round": str(row.round), "table": str(row.number)}
    return (await officer.post(f"{PATH}officials/do/", form)).status_code


async def test_page_shows_the_table_that_the_director_has_chosen() -> None:
    officer, cup, (first, second) = await running_cup()
    stream = AsyncClient()
    assert await find_shown_table(stream) == first.table_id
    assert await show(officer, second) == 302
    assert await find_shown_table(stream) == second.table_id
    await finish_round(cup, 1)
    await officer.post(f"{PATH}round/", {"round": "2"})
    _, next_one = await tables_of(cup, 2)
    assert await find_shown_table(stream) == next_one.table_id


async def test_open_page_follows_the_choice() -> None:
    officer, _, (first, second) = await running_cup()
    wire = Wire(
        application,
        f"/ws/lobby/clubs/thursday/events/cup/feature/?was={first.table_id}",
        headers=[(b"host", b"testserver"), (b"origin", b"http://testserver")],
    )
    try:
        assert (await wire.connect())[0]
        assert '"ask"' in (await wire.receive_output())["text"]
        await show(officer, second)
        while '"go"' not in (message := (await wire.receive_output())["text"]):
            assert '"ask"' in message
    finally:
        await wire.disconnect()


async def test_nobody_but_officers_chooses_the_table() -> None:
    _, cup, (_, second) = await running_cup()
    stranger, _ = await account("Ben")
    assert await show(stranger, second) == 404
    assert (await Event.objects.aget(pk=cup.pk)).feature_number == 1


async def test_page_waits_for_the_first_round() -> None:
    _, anna = await account("Anna")
    await new_cup(await new_club(anna), 4)
    page = text_of(await AsyncClient().get(FEATURE))
    assert "The game begins soon." in page
    assert "js/main.js" not in page


async def test_page_shows_no_table_without_spectators() -> None:
    await running_cup(watch="nobody")
    assert await find_shown_table(AsyncClient()) == ""
    assert "The table cannot be watched." in text_of(await AsyncClient().get(FEATURE))


async def test_player_does_not_show_the_own_hand() -> None:
    """The socket of a table gives players their seats, so the page of a player must not open it."""
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 3, method="random", rounds=1)
    await EventPlayer.objects.acreate(event=cup, person=anna)
    await officer.post(f"{PATH}round/", {"round": "1"})
    assert await find_shown_table(officer) == ""
    assert "You play at this table." in text_of(await officer.get(FEATURE))
    assert await find_shown_table(AsyncClient()) != ""


@pytest.mark.parametrize("background", ["felt", "plain", "transparent"])
async def test_address_names_the_background(background: str) -> None:
    await running_cup()
    page = text_of(await AsyncClient().get(f"{FEATURE}?background={background}"))
    assert f"feature-page--{background}" in page
    assert "feature-page--felt" in text_of(await AsyncClient().get(f"{FEATURE}?background=red"))
    assert 'class="leave"' not in page
    assert 'class="top"' not in page
