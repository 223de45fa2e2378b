"""One socket at a table: what it is told, refused and closed for, and that nobody else
notices any of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.web.players import Client
from tests.web.site import Signed, Site
from tests.web.tables import table_opened


@pytest.fixture(scope="module")
def people(site: Site) -> list[Signed]:
    return site.sign_in("Anna", "Bruno", "Chika", "Dora")


@pytest.fixture
async def table_id(site: Site, people: list[Signed]) -> str:
    return await table_opened(site.redis.url, people)


def seated(site: Site, table_id: str, who: Signed | None, server: int = 0) -> Client:
    return Client(
        site.daphnes[server].socket_url(table_id), cookie=who.cookie if who is not None else ""
    )


async def entered(site: Site, table_id: str, who: Signed | None, server: int = 0) -> Client:
    client = seated(site, table_id, who, server)
    await client.open()
    await client.until("sync")
    return client


async def closed(client: Client) -> int | None:
    """The code with which the server closes the socket."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await client.receive(5.0)
    return client.close_code


async def is_quiet(client: Client, seconds: float = 0.3) -> bool:
    """Whether the client is sent nothing for so long."""
    try:
        await client.receive(seconds)
    except TimeoutError:
        return True
    return False


async def test_hello_is_answered_by_the_whole_table(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    dealer, other = [await entered(site, table_id, who) for who in people[:2]]
    watcher = await entered(site, table_id, None)
    assert [client.you for client in (dealer, other, watcher)] == [0, 1, None]
    assert dealer.legal
    assert dealer.clock is not None
    assert dealer.clock["deadline"] == dealer.clock["asked_at"] + 120_000
    assert (other.legal, other.clock) == ([], None)
    assert (watcher.legal, watcher.clock) == ([], None)
    assert watcher.view is not None
    assert watcher.view["bots"] == [False] * 4
    assert all(set(hand["tiles"]) == {"?"} for hand in watcher.view["hands"])
    for client in (dealer, other, watcher):
        await client.close()


async def test_nothing_is_sent_before_hello(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    dealer = await entered(site, table_id, people[0])
    silent = seated(site, table_id, people[1])
    await silent.open_silently()
    answer = dealer.next_answer()
    assert answer is not None
    await dealer.send(answer)
    await dealer.until("ack")
    assert await is_quiet(silent)
    await silent.send({"t": "hello", "seq": 0})
    assert (await silent.receive())["t"] == "sync"


async def test_an_action_is_told_to_all_and_acknowledged_once_more_when_sent_again(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    dealer = await entered(site, table_id, people[0])
    others = [await entered(site, table_id, who, server=1) for who in (people[1], None)]
    answer = dealer.next_answer()
    assert answer is not None
    await dealer.send(answer)
    await dealer.until("ack")
    for other in others:
        frame = await other.until("ev")
        assert frame["e"][0]["type"] in ("dahai", "ankan", "reach", "hora")
    seq = dealer.seq
    await dealer.send(answer)
    assert (await dealer.until("ack"))["cid"] == answer["cid"]
    assert dealer.seq == seq


async def test_an_answer_to_an_old_question_is_corrected_in_private(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    dealer = await entered(site, table_id, people[0])
    other = await entered(site, table_id, people[1])
    answer = dealer.next_answer()
    assert answer is not None
    await dealer.send({**answer, "q": answer["q"] - 1})
    stale = await dealer.until("stale")
    assert (stale["cid"], stale["q"]) == (answer["cid"], dealer.q)
    await dealer.until("sync")
    assert await is_quiet(other)


async def test_an_illegal_action_is_refused_with_a_reason(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    dealer = await entered(site, table_id, people[0])
    await dealer.send({"t": "act", "cid": "x", "q": dealer.q, "a": {"type": "kakan", "pai": "E"}})
    error = await dealer.until("error")
    assert (error["code"], error["cid"]) == ("illegal", "x")
    assert error["text"]
    assert dealer.legal


async def test_out_of_turn_is_not_an_answer(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    other = await entered(site, table_id, people[2])
    await other.send({"t": "act", "cid": "x", "q": other.q, "a": {"type": "none"}})
    frame = await other.receive()
    assert frame["t"] in ("error", "stale")


async def test_a_watcher_may_not_act(site: Site, table_id: str, people: list[Signed]) -> None:
    dealer = await entered(site, table_id, people[0])
    watcher = await entered(site, table_id, None)
    answer = dealer.next_answer()
    assert answer is not None
    await watcher.send(answer)
    error = await watcher.until("error")
    assert (error["code"], error["cid"]) == ("not_seated", answer["cid"])
    assert await is_quiet(dealer)


async def test_all_sockets_of_a_person_get_every_frame(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    one = await entered(site, table_id, people[0])
    two = await entered(site, table_id, people[0], server=1)
    answer = two.next_answer()
    assert answer is not None
    await two.send(answer)
    await two.until("ack")
    frame = await one.until("ev")
    await one.send({"t": "ping", "seq": one.seq, "at": 5})
    assert frame["e"]
    assert (await one.until("pong"))["at"] == 5
    assert one.view == two.view


async def test_a_client_that_is_behind_is_brought_up_to_date_by_its_ping(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    dealer = await entered(site, table_id, people[0])
    watcher = await entered(site, table_id, None)
    answer = dealer.next_answer()
    assert answer is not None
    await dealer.send(answer)
    await watcher.until("ev")
    seq = watcher.seq
    await watcher.send({"t": "ping", "seq": seq, "at": 1})
    await watcher.until("pong")
    await watcher.send({"t": "ping", "seq": seq - 1, "at": 2})
    assert (await watcher.receive())["t"] == "sync"


async def test_wrong_messages_get_errors_and_then_the_door(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    dealer = await entered(site, table_id, people[0])
    other = await entered(site, table_id, people[1])
    assert other.socket is not None
    wrong = [
        '{"t":"hello","seq":0,"admin":true}',
        '{"t":"act","cid":"a","q":1,"a":{"type":"dahai","pai":"?","tsumogiri":true}}',
        '{"t":"become_dealer"}',
        "{",
        b"\x00\x01",
    ]
    codes = []
    for message in wrong:
        await other.socket.send(message)
        codes.append((await other.until("error"))["code"])
    assert codes == ["bad_message", "bad_message", "unknown_type", "bad_json", "bad_message"]
    await other.socket.send("[]")
    assert await closed(other) == 4400
    assert await is_quiet(dealer)


async def test_a_frame_above_the_limit_closes_the_socket(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    dealer = await entered(site, table_id, people[0])
    other = await entered(site, table_id, people[1])
    assert other.socket is not None
    await other.socket.send(json.dumps({"t": "hello", "seq": 0, "x": "y" * 17_000}))
    assert (await other.until("error"))["code"] == "too_large"
    assert await closed(other) == 4413
    enormous = await entered(site, table_id, people[1])
    assert enormous.socket is not None
    await enormous.socket.send("x" * 1_000_000)
    assert await closed(enormous) in (1009, 4413)
    assert await is_quiet(dealer)


async def test_a_flood_closes_the_socket(site: Site, table_id: str, people: list[Signed]) -> None:
    dealer = await entered(site, table_id, people[0])
    other = await entered(site, table_id, people[1])
    for _ in range(60):
        try:
            await other.send({"t": "ping", "seq": other.seq, "at": 0})
        except ConnectionClosed:
            break
    assert await closed(other) == 4429
    assert other.errors[-1]["code"] == "too_fast"
    assert await is_quiet(dealer)
    again = await entered(site, table_id, people[1])
    assert again.you == 1


async def test_an_unknown_table_has_no_socket(site: Site, people: list[Signed]) -> None:
    for table_id in ("nothing-here", "x" * 200):
        client = seated(site, table_id, people[0])
        await client.open_silently()
        assert await closed(client) == 4404


async def test_a_foreign_page_gets_no_socket(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    foreign = seated(site, table_id, people[0])
    foreign.origin = "https://evil.example"
    with pytest.raises(InvalidStatus) as refusal:
        await foreign.open()
    assert refusal.value.response.status_code == 403
    own = seated(site, table_id, people[0])
    own.origin = site.daphnes[0].address
    await own.open()
    assert (await own.until("sync"))["you"] == 0


async def test_many_clients_that_come_and_go_leave_the_table_as_it_was(
    site: Site, table_id: str, people: list[Signed]
) -> None:
    dealer = await entered(site, table_id, people[0])

    async def visit(number: int) -> dict[str, Any]:
        client = seated(site, table_id, people[1 + number % 3], server=number % 2)
        await client.open()
        frame = await client.until("sync")
        await client.cut()
        return frame

    frames = await asyncio.gather(*(visit(number) for number in range(30)))
    assert {frame["seq"] for frame in frames} == {dealer.seq}
    assert await is_quiet(dealer)
