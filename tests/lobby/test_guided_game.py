"""The guided first game: its pages open a staged hand for one person, and for nobody else."""

from __future__ import annotations

import pytest
from django.test import AsyncClient

from lobby.accounts import rate_limits
from tests.lobby.pages import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]


async def open_guided_hand(client: AsyncClient, hand: str = "pon") -> str:
    """Open the guided hand; return the address of its table."""
    answer = await client.post(f"/learn/guided/{hand}/")
    assert answer.status_code == 302
    return str(answer.headers["location"])


async def test_page_of_the_table_is_marked_and_has_a_guide() -> None:
    client = AsyncClient(headers={"accept-language": "en"})
    page = text_of(await client.get(await open_guided_hand(client)))
    assert "Guided game · not rated" in page
    assert 'data-hand="pon"' in page
    assert 'id="rematch"' not in page
    assert 'data-game=""' in page


async def test_nobody_else_finds_the_table() -> None:
    table = await open_guided_hand(AsyncClient())
    assert (await AsyncClient().get(table)).status_code == 404
    assert table not in text_of(await AsyncClient().get("/watch/"))
    assert table not in text_of(await AsyncClient().get("/lobby/"))


async def test_new_guided_hand_ends_the_old_one() -> None:
    client = AsyncClient(headers={"accept-language": "en"})
    first = await open_guided_hand(client)
    assert f'href="{first}"' in text_of(await client.get("/learn/guided/"))
    second = await open_guided_hand(client, "riichi")
    page = text_of(await client.get("/learn/guided/"))
    assert f'href="{second}"' in page
    assert first not in page


async def test_learner_can_join_games_during_a_guided_hand() -> None:
    client = AsyncClient()
    table = await open_guided_hand(client)
    game = (await client.post("/play/")).headers["location"]
    assert game != table
    assert 'id="guide"' not in text_of(await client.get(game))


async def test_rematch_of_a_guided_hand_is_refused() -> None:
    client = AsyncClient()
    table_id = (await open_guided_hand(client)).split("/")[2]
    answer = await client.post(f"/tables/again/{table_id}/")
    assert answer.headers["location"].endswith("?no=late")


async def test_unknown_hand_is_not_found() -> None:
    assert (await AsyncClient().post("/learn/guided/nothing/")).status_code == 404
    assert (await AsyncClient().get("/learn/guided/pon/")).status_code == 405


async def test_tables_are_rate_limited() -> None:
    client = AsyncClient()
    for _ in range(rate_limits.TABLES_OF_PERSON.at_most):
        await open_guided_hand(client)
    assert (await client.post("/learn/guided/pon/")).status_code == 429


async def test_first_page_and_lessons_lead_to_it() -> None:
    for path in ("/", "/learn/"):
        assert 'href="/learn/guided/"' in text_of(await AsyncClient().get(path)), path
