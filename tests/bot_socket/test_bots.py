"""Bots of other people play through `/ws/bots/`: whole games, wrong answers, hidden information."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any, Final

import pytest
import websockets
from django.conf import settings
from msgspec.structs import replace

from game.engine.clock import ClockSettings
from game.engine.events import Event, HandStarted
from game.engine.perspective import redact
from game.engine.presets import preset
from game.engine.tiles import TILE_TO_TEXT
from game.records.mjai_seat import SeatLines
from tests.bot_socket.bot_client import Bot, BotClient, bot_table
from tests.bot_socket.conftest import FIRST_OF_THREE
from tests.web.leak_scan import hidden_bytes, tile_texts, tiles_shown_by
from tests.web.site import RunningSite
from tests.web.tables import AT_ONCE, log_of

GAMES: Final = int(os.environ.get("BOT_GAMES", "0"))
"""The number of games that four bots play; 0 for the first hands of one game."""
MORE_ANSWERS: Final = 5
MORE_FRAMES: Final = 50
"""The numbers of accepted answers and of frames that each bot exceeds. If the first hand ends after
a few discards, further ones are played."""
LENGTH: Final[Any] = os.environ.get("BOT_LENGTH", "east")
SLOW: Final = ClockSettings(
    base_ms=60_000, bank_ms=60_000, lead_ms=0, deal_ms=0, reaction_ms=0, result_pause_ms=0
)


@pytest.fixture
def bots(all_bots: list[Bot]) -> list[Bot]:
    return [*all_bots[:8], *all_bots[15:17]]


def client_of(running_site: RunningSite, bot: Bot, *, server: int = 0, seed: int = 0) -> BotClient:
    return BotClient(running_site.daphnes[server].websocket_url, bot.token, seed=seed)


async def connect(running_site: RunningSite, *bots: Bot) -> list[BotClient]:
    clients = [
        client_of(running_site, bot, server=at % len(running_site.daphnes), seed=at)
        for at, bot in enumerate(bots)
    ]
    for client in clients:
        await client.open()
        await client.until("connected")
    return clients


def lines_of(log: list[Event], seat: int) -> list[dict[str, Any]]:
    """Return the lines that the seat must get of the whole game."""
    stream = SeatLines(seat)
    seen = [shown for event in log if (shown := redact(event, seat)) is not None]
    return [json.loads(json.dumps(line)) for event in seen for line in stream.lines(event)]


def scan(frames: list[str], log: list[Event], seat: int) -> int:
    """Check that no frame to the bot of that seat holds the seed or a tile that the seat has not
    seen in the hand so far. Return the number of frames checked."""
    secrets, known, checked = hidden_bytes(log), set[str](), 0
    shown = iter([event for event in log if not hasattr(event, "private_to_actor")])
    for text in frames:
        assert not any(secret in text for secret in secrets), text
        frame = json.loads(text)
        if frame["type"] == "start_kyoku":
            known = set()
            for at, row in enumerate(frame["tehais"]):
                assert at == seat or set(row) == {"?"}, text
        if frame["type"] == "tsumo" and frame["actor"] != seat:
            assert frame["pai"] == "?", text
        if frame["type"] in ("request_action", "action_ack"):
            assert set(tile_texts(_without_texts(frame))) <= known, text
        elif frame["type"] not in ("connected", "seated", "start_game", "game_over"):
            for event in shown:
                known |= {TILE_TO_TEXT[tile] for tile in tiles_shown_by(event, seat)}
                if event.__struct_config__.tag == frame["type"]:
                    break
            assert set(tile_texts(frame)) <= known, text
        checked += 1
    return checked


def _without_texts(frame: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in frame.items() if name != "message"}


async def play_enough(clients: list[BotClient]) -> None:
    """Play a whole game; by default, whole hands until each bot has answered often enough and, with
    three players, has seen a north set aside."""
    last = "game_over" if GAMES else "end_kyoku"
    is_enough = False
    while not is_enough:
        await asyncio.gather(*(client.play(last) for client in clients))
        is_enough = GAMES > 0 or all(
            client.acks["accepted"] > MORE_ANSWERS
            and len(client.frames) > MORE_FRAMES
            and (len(clients) > 3 or any(line["type"] == "kita" for line in client.game))
            for client in clients
        )


@pytest.mark.timeout(600 * max(GAMES, 1))
@pytest.mark.parametrize("name", ["tenhou", "tenhou-3"])
async def test_bots_get_exactly_what_their_seat_sees(
    running_site: RunningSite, all_bots: list[Bot], name: str
) -> None:
    hands = 0
    rules = replace(preset(name), length=LENGTH)
    first = 0 if rules.players == 4 else FIRST_OF_THREE
    seated = all_bots[first : first + rules.players]
    for _ in range(GAMES or 1):
        clients = await connect(running_site, *seated)
        table_id = await bot_table(running_site.redis.url, seated, rules=rules)
        await play_enough(clients)
        log = await log_of(running_site.redis.url, table_id)
        for seat, client in enumerate(clients):
            assert client.seat == seat
            assert not client.refused, client.refused[:3]
            assert client.acks["accepted"] > MORE_ANSWERS
            expected = lines_of(log, seat)
            assert client.game == expected[: None if GAMES else len(client.game)]
            assert scan(client.frames, log, seat) > MORE_FRAMES
            await client.close()
        hands += sum(isinstance(event, HandStarted) for event in log)
    print(f"{GAMES} games of {hands} hands")


async def test_wrong_answers_are_explained_and_may_be_repeated(
    running_site: RunningSite, bots: list[Bot]
) -> None:
    (client,) = await connect(running_site, bots[4])
    await bot_table(running_site.redis.url, [bots[4]], SLOW)
    request = await client.until("request_action")
    number = request["request_id"]
    assert request["time"]["deadline_ms"] > 100_000
    wrong = [
        ("{", "unparseable", None, "JSON"),
        ("[]", "unparseable", None, "JSON"),
        (b"{}", "unparseable", None, "JSON"),
        ({"type": "dahai", "request_id": "1"}, "unparseable", None, "whole number"),
        ({"type": "dahai", "pai": "1m", "request_id": number + 9}, "stale", number + 9, "no such"),
        ({"type": "hora", "request_id": number}, "rejected", number, "not possible now"),
        ({"type": "dahai", "pai": "?", "request_id": number}, "rejected", number, "do not hold"),
        ({"type": "accept", "challenge": "x"}, "stale", None, "no such challenge"),
    ]
    for frame, status, echoed, text in wrong:
        await client.send(frame)
        ack = await client.until("action_ack")
        assert (ack["status"], ack["request_id"]) == (status, echoed), ack
        assert text in ack["message"]
    discard = next(answer for answer in request["possible_actions"] if answer["type"] == "dahai")
    await client.send({**discard, "request_id": number})
    assert (await client.until("action_ack"))["status"] == "accepted"
    assert (await client.until("dahai"))["actor"] == client.seat
    await client.send({"type": "none", "request_id": number})
    while (ack := await client.until("action_ack"))["request_id"] != number:
        pass
    assert ack["status"] == "stale"
    await client.close()


async def test_flood_and_too_large_frames_end_the_connection(
    running_site: RunningSite, bots: list[Bot]
) -> None:
    for frame, count, code in (({"type": "none"}, 100, 4429), ("x" * 17_000, 1, 4413)):
        (client,) = await connect(running_site, bots[5])
        for _ in range(count):
            await client.send(frame)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await client.until("start_game")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code
        await client.close()  # wait until the transport is closed, or Python warns of an open one


async def test_late_answer_is_reported_after_the_default_action(
    running_site: RunningSite, bots: list[Bot]
) -> None:
    hasty = replace(AT_ONCE, base_ms=300, bank_ms=0)
    (client,) = await connect(running_site, bots[6])
    await bot_table(running_site.redis.url, [bots[6]], hasty)
    request = await client.until("request_action")
    defaulted = await client.until("action_ack")
    assert (defaulted["status"], defaulted["request_id"]) == ("defaulted", request["request_id"])
    (done,) = [line for line in client.game if line["type"] == "dahai" and line["actor"] == 0][:1]
    assert done["tsumogiri"]
    await client.send({"type": "dahai", "pai": "1m", "request_id": request["request_id"]})
    while (ack := await client.until("action_ack"))["request_id"] != request["request_id"]:
        pass
    assert ack["status"] == "stale"
    await client.close()


async def status(url: str, headers: dict[str, str]) -> int:
    """Return the HTTP status with which the server answers the handshake."""
    try:
        async with websockets.connect(f"{url}/ws/bots/", additional_headers=headers):
            return 101
    except websockets.InvalidStatus as answer:
        return answer.response.status_code


async def test_socket_needs_a_valid_token(running_site: RunningSite, bots: list[Bot]) -> None:
    (person,) = running_site.sign_in("Anna")
    url = running_site.daphnes[0].websocket_url
    token = bots[0].token
    for headers in (
        {},
        {"Cookie": person.cookie},
        {"Authorization": token},
        {"Authorization": f"Basic {token}"},
        {"Authorization": f"Bearer {token}x"},
        {"Authorization": f"Bearer {person.cookie}", "Cookie": person.cookie},
    ):
        assert await status(url, headers) == 403, headers
    client = BotClient(url, token, headers={"Cookie": person.cookie})
    await client.open()
    assert (await client.until("connected"))["id"] == bots[0].person
    newer = client_of(running_site, bots[0], server=1)
    await newer.open()
    with pytest.raises(websockets.ConnectionClosed) as closed:
        await client.until("the connection is closed")  # no frame has this type
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4409
    await newer.close()


async def test_reconnected_bot_is_sent_the_hand_again(
    running_site: RunningSite, bots: list[Bot]
) -> None:
    (client,) = await connect(running_site, bots[7])
    table_id = await bot_table(running_site.redis.url, [bots[7]])
    for _ in range(6):
        request = await client.until("request_action")
        options = request["possible_actions"]
        # A bot that reconnects between the two steps of riichi is asked again from the first step.
        quiet = [option for option in options if option["type"] != "reach"]
        await client.answer({**request, "possible_actions": quiet})
    request = await client.until("request_action")
    await client.cut()
    again = client_of(running_site, bots[7], server=1)
    await again.open()
    repeated = await again.until("request_action")
    assert repeated["request_id"] == request["request_id"]
    assert repeated["possible_actions"] == request["possible_actions"]
    expected = lines_of(await log_of(running_site.redis.url, table_id), 0)
    starts = [at for at, line in enumerate(expected) if line["type"] == "start_kyoku"]
    resumed = expected[0] | {"resumed": True}
    assert again.game == [resumed, *expected[starts[-1] : len(expected)]]
    await again.answer(repeated)
    assert (await again.until("action_ack"))["status"] == "accepted"
    await again.close()


async def test_late_riichi_is_undone(running_site: RunningSite, bots: list[Bot]) -> None:
    """A bot that sends reach and then no discard is late. The server discards without riichi and
    sends the bot the hand again, without the riichi."""
    bot = bots[8]
    (client,) = await connect(running_site, bot)
    clock = replace(AT_ONCE, base_ms=3_000, bank_ms=0)
    table_id = await bot_table(running_site.redis.url, [bot], clock)
    while True:
        request = await client.receive()
        if request["type"] == "game_over":  # no riichi was possible in the whole game
            table_id = await bot_table(running_site.redis.url, [bot], clock)
        if request["type"] != "request_action":
            continue
        if any(option["type"] == "reach" for option in request["possible_actions"]):
            break
        await client.answer(request)
    await client.send({"type": "reach", "request_id": request["request_id"]})
    assert (await client.until("reach"))["actor"] == client.seat
    discards = await client.until("request_action")
    assert discards["request_id"] == request["request_id"] + 1
    assert {option["type"] for option in discards["possible_actions"]} == {"dahai"}
    defaulted = await client.until("action_ack")
    assert (defaulted["status"], defaulted["request_id"]) == ("defaulted", discards["request_id"])
    await client.until("start_game")
    await client.until("request_action")
    told = [
        line for line in client.game if line["type"] == "reach" and line["actor"] == client.seat
    ]
    assert told == []
    expected = lines_of(await log_of(running_site.redis.url, table_id), client.seat)
    starts = [at for at, line in enumerate(expected) if line["type"] == "start_kyoku"]
    ends = starts[-1] + len(client.game) - 1
    assert client.game == [expected[0] | {"resumed": True}, *expected[starts[-1] : ends]]
    await client.close()


async def test_revoked_token_ends_the_connection(
    running_site: RunningSite, bots: list[Bot]
) -> None:
    (client,) = await connect(running_site, bots[9])
    revoke = (
        "from django.utils import timezone; from lobby.models import BotToken; "
        f"BotToken.objects.filter(bot_id='{bots[9].person}').update(revoked_at=timezone.now())"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "manage.py", "shell", "--no-imports", "-c", revoke),
        cwd=settings.BASE_DIR,
        env=running_site.site.env,
    )
    assert await process.wait() == 0
    with pytest.raises(websockets.ConnectionClosed) as closed:
        await client.until("start_game")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403
