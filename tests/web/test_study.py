"""Help over real sockets: players get it for their own hands if the table allows it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.players import Client, NewClient
from tests.web.site import RunningSite, SignedPerson
from tests.web.tables import log_of, open_table


@pytest.fixture(scope="module")
def people(running_site: RunningSite) -> list[SignedPerson]:
    return running_site.sign_in("Anna", "Bruno", "Chika", "Dora")


async def enter(
    running_site: RunningSite, new_client: NewClient, table_id: str, cookie: str, server: int = 0
) -> Client:
    client = new_client(running_site.socket_url(table_id, server), cookie)
    await client.open()
    await client.until("sync")
    return client


async def request_study(client: Client) -> dict[str, Any]:
    await client.send({"t": "study", "q": client.q})
    return await client.until("study")


async def test_player_gets_help_for_every_discard(
    running_site: RunningSite, people: list[SignedPerson], new_client: NewClient
) -> None:
    table_id = await open_table(running_site.redis.url, people)
    dealer = await enter(running_site, new_client, table_id, people[0].cookie)
    answer = await request_study(dealer)
    legal = [action for action in dealer.legal if action["type"] == "dahai"]
    assert answer["q"] == dealer.q
    assert [(discard["pai"], discard["tsumogiri"]) for discard in answer["discards"]] == [
        (action["pai"], action["tsumogiri"]) for action in legal
    ]
    assert json.loads(dealer.frames[-1]) == await request_study(dealer)


async def test_help_covers_the_own_hand_only(
    running_site: RunningSite, people: list[SignedPerson], new_client: NewClient
) -> None:
    table_id = await open_table(running_site.redis.url, people)
    players = [
        await enter(running_site, new_client, table_id, person.cookie, server=seat % 2)
        for seat, person in enumerate(people)
    ]
    answers = [await request_study(player) for player in players]
    assert [bool(answer["discards"]) for answer in answers] == [True, False, False, False]
    assert all(answer["hand"] for answer in answers[1:])
    log = await log_of(running_site.redis.url, table_id)
    assert len(log) == 3, "a request for help is not stored"
    dealer = players[0]
    move = dealer.next_answer()
    assert move is not None
    await dealer.send(move)
    for player in players[1:]:
        await player.until("ev")
    for player in players:
        answer = await request_study(player)
        assert bool(answer["discards"]) != bool(answer["hand"])


async def test_spectator_gets_no_help(
    running_site: RunningSite, people: list[SignedPerson], new_client: NewClient
) -> None:
    table_id = await open_table(running_site.redis.url, people)
    spectator = await enter(running_site, new_client, table_id, "")
    await spectator.send({"t": "study", "q": spectator.q})
    assert (await spectator.until("error"))["code"] == "not_seated"


async def test_table_without_help_refuses_requests(
    running_site: RunningSite, people: list[SignedPerson], new_client: NewClient
) -> None:
    table_id = await open_table(running_site.redis.url, people, help=False)
    dealer = await enter(running_site, new_client, table_id, people[0].cookie)
    assert json.loads(dealer.frames[0])["help"] is False
    await dealer.send({"t": "study", "q": dealer.q})
    assert (await dealer.until("error"))["code"] == "no_help"
    assert dealer.legal, "the game goes on"
