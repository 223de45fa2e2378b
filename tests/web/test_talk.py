"""Chat at a table: who sees whose messages, limits, reports and mutes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.live import inbound
from game.live.inbound import plain
from game.live.process import Process
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from tests.kit.site_scripts import run_script
from tests.web.players import Client, NewClient
from tests.web.site import RunningSite, SignedPerson
from tests.web.tables import AT_ONCE, open_table


@pytest.fixture(scope="module")
def people(running_site: RunningSite) -> list[SignedPerson]:
    return running_site.sign_in("Anna", "Bruno", "Chika", "Dora", "Emil", "Fumi", "Gen", "Hana")


async def enter(client: Client) -> Client:
    await client.open()
    await client.until("sync")
    await client.send({"t": "ping", "seq": client.seq, "at": 1})
    await client.until("pong")
    return client


def lines(client: Client) -> list[str]:
    """Return the lines of chat that the client has received."""
    frames = [json.loads(text) for text in client.frames]
    lines = [line for frame in frames if frame["t"] == "chat" for line in frame["lines"]]
    return [line["text"] or line["phrase"] for line in lines]


async def wait_for_line(client: Client, text: str) -> dict[str, Any]:
    """Wait for the line with that text, and return it."""
    while True:
        frame = await client.until("chat")
        for line in frame["lines"]:
            if text in (line["text"], line["phrase"]):
                return dict(line)


async def recent_lines(client: Client, count: int) -> list[str]:
    """Wait for that many lines, and return all lines that the client has received."""
    while len(lines(client)) < count:
        await client.receive()
    return lines(client)


async def is_deaf_to(client: Client, text: str) -> bool:
    try:
        async with asyncio.timeout(0.7):
            await wait_for_line(client, text)
    except TimeoutError:
        return True
    return False


@pytest.mark.parametrize("rules", [TENHOU, preset("tenhou-3")], ids=["four", "three"])
async def test_players_see_players_chat_and_spectators_see_all(
    running_site: RunningSite, people: list[SignedPerson], new_client: NewClient, rules: RuleSet
) -> None:
    table_id = await open_table(running_site.redis.url, people[:2], rules=rules)
    urls = [running_site.socket_url(table_id, server) for server in (0, 1)]
    anna, bruno, spectator, other = [
        await enter(new_client(urls[at % 2], people[at].cookie)) for at in range(4)
    ]
    anonymous = await enter(new_client(urls[0]))

    await anna.send({"t": "say", "text": " <b>Hi</b>\n\u202e there "})
    for client in (anna, bruno, spectator, other, anonymous):
        line = await wait_for_line(client, "<b>Hi</b> there")
        assert (line["name"], line["seat"], line["who"]) == ("p0", 0, people[0].person)
    await bruno.send({"t": "say", "phrase": "thanks"})
    assert (await wait_for_line(anna, "thanks"))["seat"] == 1
    await spectator.send({"t": "say", "text": "what a hand"})
    for client in (spectator, other, anonymous):
        line = await wait_for_line(client, "what a hand")
        assert (line["name"], line["seat"]) == ("Chika", None)
    assert await is_deaf_to(anna, "what a hand")
    assert await is_deaf_to(bruno, "what a hand")
    await anonymous.send({"t": "say", "text": "me too"})
    error = await anonymous.until("error")
    assert (error["code"], error["reason"]) == ("no_talk", "nobody")

    late_player = await enter(new_client(urls[1], people[0].cookie))
    late_spectator = await enter(new_client(urls[1]))
    assert await recent_lines(late_player, 2) == ["<b>Hi</b> there", "thanks"]
    assert await recent_lines(late_spectator, 3) == ["<b>Hi</b> there", "thanks", "what a hand"]


async def test_delayed_spectator_gets_no_live_chat(
    running_site: RunningSite, people: list[SignedPerson], new_client: NewClient
) -> None:
    process = Process(running_site.redis.url)
    seats = [
        SeatMeta("p0", people[4].person),
        *(SeatMeta(f"b{at}", bot="tsumogiri") for at in "123"),
    ]
    table_id: TableId = await process.service.open_table(
        TableMeta(
            seats=(seats[0], seats[1], seats[2], seats[3]),
            clock=AT_ONCE,
            settings=TableSettings(watch="open_delayed", watch_delay_s=180),
        )
    )
    await process.stop()
    player = await enter(new_client(running_site.socket_url(table_id), people[4].cookie))
    spectator = await enter(new_client(running_site.socket_url(table_id), people[5].cookie))
    await player.send({"t": "say", "text": "one tile to go"})
    await wait_for_line(player, "one tile to go")
    assert await is_deaf_to(spectator, "one tile to go")
    await spectator.send({"t": "say", "text": "so it was"})
    await wait_for_line(spectator, "so it was")
    again = await enter(new_client(running_site.socket_url(table_id), people[5].cookie))
    assert await recent_lines(again, 1) == ["so it was"]


BLOCK = """
import json, sys
from uuid import UUID
from game.moderation.blocks import block
person, blocked = json.load(sys.stdin)
block(UUID(person), UUID(blocked))
"""


async def test_lines_of_a_blocked_player_are_hidden(
    running_site: RunningSite, new_client: NewClient
) -> None:
    anna, bruno, spectator, other_person = running_site.sign_in("Ilse", "Jun", "Kai", "Lea")
    for who in (bruno, spectator):
        run_script(running_site.site.env, BLOCK, json.dumps([who.person, anna.person]))
    table_id = await open_table(running_site.redis.url, [anna, bruno])
    url = running_site.socket_url(table_id)
    blocked, player, watcher, other = [
        await enter(new_client(url, person.cookie))
        for person in (anna, bruno, spectator, other_person)
    ]
    await blocked.send({"t": "say", "text": "from Anna"})
    await wait_for_line(blocked, "from Anna")
    await wait_for_line(other, "from Anna")
    await player.send({"t": "say", "text": "from Bruno"})
    for client in (blocked, player, watcher, other):
        await wait_for_line(client, "from Bruno")
    again = await enter(new_client(url, bruno.cookie))
    assert await recent_lines(again, 1) == ["from Bruno"]
    assert lines(player) == lines(watcher) == ["from Bruno"]
    assert lines(blocked) == ["from Anna", "from Bruno"], "the blocked player is not told"


UNBLOCK = BLOCK.replace("import block", "import unblock as block")


async def test_block_counts_for_the_next_line_at_an_open_table(
    running_site: RunningSite, new_client: NewClient
) -> None:
    dora, emil = running_site.sign_in("Mio", "Nora")
    table_id = await open_table(running_site.redis.url, [dora, emil])
    url = running_site.socket_url(table_id)
    writer, reader = [await enter(new_client(url, person.cookie)) for person in (dora, emil)]
    pair = json.dumps([emil.person, dora.person])
    await writer.send({"t": "say", "text": "before"})
    await wait_for_line(reader, "before")
    await asyncio.to_thread(run_script, running_site.site.env, BLOCK, pair)
    await writer.send({"t": "say", "text": "blocked text"})
    await wait_for_line(writer, "blocked text")
    await writer.send({"t": "say", "phrase": "thanks"})
    await wait_for_line(writer, "thanks")
    await asyncio.to_thread(run_script, running_site.site.env, UNBLOCK, pair)
    await writer.send({"t": "say", "text": "after"})
    await wait_for_line(reader, "after")
    assert lines(reader) == ["before", "after"]


async def test_chat_is_rate_limited(
    running_site: RunningSite, people: list[SignedPerson], new_client: NewClient
) -> None:
    table_id = await open_table(running_site.redis.url, [people[6]])
    gen = await enter(new_client(running_site.socket_url(table_id), people[6].cookie))
    for number in range(9):
        await gen.send({"t": "say", "text": f"line {number}"})
    error = await gen.until("error")
    assert (error["code"], error["reason"]) == ("no_talk", "too_often")


async def test_report_keeps_lines_around_and_muted_player_cannot_write(
    running_site: RunningSite, people: list[SignedPerson], new_client: NewClient
) -> None:
    table_id = await open_table(running_site.redis.url, [people[7], people[3]])
    hana, dora = [
        await enter(new_client(running_site.socket_url(table_id), people[at].cookie))
        for at in (7, 3)
    ]
    await dora.send({"t": "say", "text": "before"})
    await wait_for_line(hana, "before")
    await dora.send({"t": "say", "text": "something bad"})
    line = await wait_for_line(hana, "something bad")
    await hana.send({"t": "report", "line": line["id"]})
    assert (await hana.until("reported"))["line"] == line["id"]
    await hana.send({"t": "report", "line": "w1-0"})
    assert (await hana.until("error"))["reason"] == "no_report"
    output = await asyncio.to_thread(
        run_script,
        running_site.site.env,
        "from datetime import timedelta\n"
        "from django.utils import timezone\n"
        "from game.models import Report, Sanction\n"
        f"one = Report.objects.get(table_id='{table_id}')\n"
        "print('told:', one.name, one.text, [line['text'] for line in one.around])\n"
        "Sanction.objects.create(person_id=one.person_id, kind='mute',"
        " until=timezone.now() + timedelta(days=1))\n",
    )
    assert "told: p1 something bad ['before', 'something bad']" in output
    await dora.send({"t": "say", "text": "more of it"})
    assert (await dora.until("error"))["reason"] == "muted"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  a \t\n b  ", "a b"),
        ("\u202eevil\u202c", "evil"),
        ("a\x00b\x07", "ab"),
        ("e\u0301", "\u00e9"),
        ("z" + "\u0336" * 40, "z" + "\u0336" * 3),
        ("\u200b\u2066\ufeff", ""),
        ("<script>", "<script>"),
        ("ありがとう 👍", "ありがとう 👍"),
    ],
)
def test_chat_text_is_cleaned(written: str, kept: str) -> None:
    assert plain(written) == kept


@pytest.mark.parametrize(
    "frame",
    [
        {"t": "say"},
        {"t": "say", "text": "\u200b"},
        {"t": "say", "text": "x" * 201},
        {"t": "say", "text": "a", "phrase": "hello"},
        {"t": "say", "phrase": "insult"},
        {"t": "say", "text": "a", "html": True},
        {"t": "report", "line": "1"},
    ],
)
def test_invalid_chat_is_wrong(frame: dict[str, Any]) -> None:
    assert isinstance(inbound.read(json.dumps(frame)), inbound.Wrong)
