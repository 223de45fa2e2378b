"""Bots get a seat in two ways: a host adds a bot, or a program opens a table for bots."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest

from game.engine.presets import PRESETS
from game.live.process import Process
from game.tables.settings import TableSettings
from lobby.bots import waiting
from lobby.models import BotAccount, Person
from lobby.play import pregame_services, pregame_store
from lobby.play.backend import Backend
from lobby.play.pregame import PregameRefusal, PregameTable
from tests.bot_socket.bot_client import Bot, BotClient
from tests.bot_socket.conftest import FIRST_OF_THREE
from tests.web.site import RunningSite

SETTINGS = TableSettings(rules=PRESETS["tenhou"], clock="60+0", help=False)


@pytest.fixture
def bots(all_bots: list[Bot]) -> list[Bot]:
    return all_bots[8:11]


def account_of(bot: Bot) -> BotAccount:
    return BotAccount(person=Person(id=bot.person, name=bot.name), owner_id=bot.owner)


async def connect(running_site: RunningSite, bot: Bot, query: str = "") -> BotClient:
    client = BotClient(running_site.daphnes[0].websocket_url, bot.token)
    client.query = query
    await client.open()
    await client.until("connected")
    return client


async def test_host_adds_a_bot_which_takes_the_seat(
    running_site: RunningSite, bots: list[Bot]
) -> None:
    (anna,) = running_site.sign_in("Anna")
    process = Process(running_site.redis.url)
    try:
        backend = Backend(process)
        pregame = await pregame_services.create_table(
            backend,
            person=anna.person,
            name="Anna",
            settings=SETTINGS,
            bots=("", "tsumogiri", "tsumogiri"),
        )
        await pregame_services.set_ready(backend, pregame.id, anna.person, True)
        account = account_of(bots[0])
        outcome = await waiting.invite(backend, pregame.id, anna.person, account)
        assert outcome == PregameRefusal("bot_away"), "the bot is not connected yet"
        client = await connect(running_site, bots[0])
        outcome = await waiting.invite(backend, pregame.id, "somebody", account)
        assert outcome == PregameRefusal("not_host")
        assert isinstance(
            await waiting.invite(backend, pregame.id, anna.person, account), PregameTable
        )
        challenged = await client.until("challenged")
        told = [challenged[name] for name in ("by", "rules", "players")]
        assert told == ["Anna", "tenhou", 4]
        table_id = (await client.until("seated"))["table"]
        assert (await client.until("start_game"))["names"][client.seat] == bots[0].name
        room = await backend.tables.room(table_id)
        assert room is not None
        assert room.meta.ladder == ""
        assert room.meta.seats[client.seat].is_program
        assert room.table.wall_draw is not None
        assert client.seat not in room.table.wall_draw.seats, "a program has no page to open"
        assert not await waiting.is_free(backend, bots[0].person)
        await client.close()
    finally:
        await process.stop()


async def test_bot_accepts_or_declines_a_challenge(
    running_site: RunningSite, bots: list[Bot]
) -> None:
    (anna,) = running_site.sign_in("Anna")
    process = Process(running_site.redis.url)
    try:
        backend = Backend(process)
        pregame = await pregame_services.create_table(
            backend, person=anna.person, name="Anna", settings=SETTINGS, bots=("", "", "")
        )
        client = await connect(running_site, bots[1], "?accept=ask")
        invited = await waiting.invite(backend, pregame.id, anna.person, account_of(bots[1]))
        challenge = (await client.until("challenged"))["challenge"]
        await client.send({"type": "decline", "challenge": challenge})
        async with asyncio.timeout(60):
            while (await pregame_store.find(backend, pregame.id)) == invited:
                await client.send({"type": "none"})
                await client.until("action_ack")
        assert await waiting.find_invitation(backend, bots[1].person) is None
        await client.close()
    finally:
        await process.stop()


async def test_removed_bot_cannot_accept_the_old_challenge(
    running_site: RunningSite, bots: list[Bot]
) -> None:
    (anna,) = running_site.sign_in("Anna")
    process = Process(running_site.redis.url)
    client = await connect(running_site, bots[1], "?accept=ask")
    try:
        backend = Backend(process)
        pregame = await pregame_services.create_table(
            backend, person=anna.person, name="Anna", settings=SETTINGS, bots=("", "", "")
        )
        await waiting.invite(backend, pregame.id, anna.person, account_of(bots[1]))
        answer = {"type": "accept", "challenge": (await client.until("challenged"))["challenge"]}
        await pregame_services.remove_player(backend, pregame.id, anna.person, 1)
        for _ in range(2):
            await client.send(answer)
        ack = await client.until("action_ack")
        assert ack["status"] == "stale", "a challenge has one answer"
        after = await pregame_store.find(backend, pregame.id)
        assert after is not None
        assert after.seat_of(bots[1].person) is None
        await waiting.invite(backend, pregame.id, anna.person, account_of(bots[1]))
        await client.until("challenged")
        await client.send(answer)
        async with asyncio.timeout(60):
            while (await waiting.find_invitation(backend, bots[1].person)) is not None:
                await client.send({"type": "none"})
                await client.until("action_ack")
        after = await pregame_store.find(backend, pregame.id)
        assert after is not None
        assert after.seat_of(bots[1].person) == 1
        await pregame_services.leave_table(backend, pregame.id, bots[1].person)
    finally:
        await client.close()
        await process.stop()


async def test_bot_is_free_when_its_table_does_not_open(
    running_site: RunningSite, bots: list[Bot]
) -> None:
    process = Process(running_site.redis.url)
    bot, away = str(uuid4()), str(uuid4())
    players = [
        BotAccount(person=Person(id=player, name="BOT Unopened"), owner_id=bots[0].owner)
        for player in (bot, away)
    ]
    try:
        backend = Backend(process)
        await waiting.record_connection(backend, bot)
        with pytest.raises(waiting.NotFree):
            await waiting.open_game(
                backend,
                [*players, "tsumogiri", "tsumogiri"],
                rules=PRESETS["tenhou"],
                clock="60+0",
                public=False,
            )
        assert await waiting.is_free(backend, bot)
    finally:
        await process.stop()


def post_body(running_site: RunningSite, token: str, body: Any) -> tuple[int, dict[str, Any]]:
    request = Request(
        f"{running_site.daphnes[0].url}/bots/tables/",
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    try:
        with urlopen(request, timeout=60) as page:
            return page.status, json.load(page)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


async def test_program_opens_a_table_for_bots(running_site: RunningSite, bots: list[Bot]) -> None:
    token, names = bots[2].token, [bots[2].name, "sensible", "sensible", "tsumogiri"]
    body = {"players": names, "length": "east", "clock": "60+0"}

    async def post(token: str, body: Any) -> tuple[int, dict[str, Any]]:
        return await asyncio.to_thread(post_body, running_site, token, body)

    assert (await post("x", body))[0] == 403
    assert (await post(token, {"players": names[:3]}))[0] == 422
    assert (await post(token, {**body, "preset": "x"}))[0] == 422
    assert (await post(token, {"players": [*names[1:], "sensible"]}))[0] == 422
    assert (await post(token, {"players": [bots[2].name] * 4}))[0] == 422
    status, refused = await post(token, {**body, "preset": "tenhou-3"})
    assert (status, refused["error"]) == (422, "the preset tenhou-3 has 3 players, not 4")
    twice = [bots[2].name, f" {bots[2].name.removeprefix('BOT ')}", "sensible", "sensible"]
    assert (await post(token, {"players": twice}))[0] == 422
    assert (await post(token, {"players": ["Nobody", *names[1:]]}))[0] == 404
    assert (await post(token, body))[0] == 409, "the bot is not connected"
    client = await connect(running_site, bots[2])
    answers = await asyncio.gather(*(post(token, body) for _ in range(3)))
    assert sorted(status for status, _ in answers) == [201, 409, 409], (
        "a bot plays one game at a time"
    )
    made = next(made for status, made in answers if status == 201)
    assert (await client.until("seated"))["table"] == made["table"]
    assert (await client.until("start_game"))["id"] == 0
    assert (await post(token, body))[0] == 409, "the bot is already playing"
    await client.close()


async def test_program_opens_a_table_of_three(
    running_site: RunningSite, all_bots: list[Bot]
) -> None:
    bot = all_bots[FIRST_OF_THREE + 6]
    client = await connect(running_site, bot)
    body = {"players": [bot.name, "sensible", "novice"], "preset": "tenhou-3"}
    status, made = await asyncio.to_thread(post_body, running_site, bot.token, body)
    assert status == 201, made
    start = await client.until("start_game")
    assert (start["rules"], len(start["names"])) == ("tenhou-3", 3)
    await client.close()
