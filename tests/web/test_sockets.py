"""One socket at a table: what it is sent, what is refused, and why it is closed. Other sockets are
not affected."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import psutil
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from game.live.process import Process
from game.tables.room import TableId
from tests.web.players import Client, NewClient
from tests.web.short_forms import VERSION, full_event
from tests.web.site import RunningSite, SignedPerson
from tests.web.tables import open_table


class TableSockets:
    """Opens sockets at one table, for a seat or a spectator."""

    def __init__(
        self,
        running_site: RunningSite,
        table_id: str,
        people: list[SignedPerson],
        new_client: NewClient,
    ) -> None:
        self.running_site = running_site
        self.table_id = table_id
        self.people = people
        self.new_client = new_client

    def client(self, seat: int | None = None, server: int = 0) -> Client:
        """Return a client that is not connected."""
        cookie = "" if seat is None else self.people[seat].cookie
        return self.new_client(self.running_site.socket_url(self.table_id, server), cookie)

    async def enter(self, seat: int | None = None, server: int = 0) -> Client:
        """Return a client that has the whole table."""
        client = self.client(seat, server)
        await client.open()
        await client.until("sync")
        return client


@pytest.fixture(scope="module")
def people(running_site: RunningSite) -> list[SignedPerson]:
    return running_site.sign_in("Anna", "Bruno", "Chika", "Dora")


@pytest.fixture
async def at(
    running_site: RunningSite, people: list[SignedPerson], new_client: NewClient
) -> TableSockets:
    """Return a table of its own for the test, with a person in each seat."""
    table_id = await open_table(running_site.redis.url, people)
    return TableSockets(running_site, table_id, people, new_client)


async def wait_for_close(client: Client) -> int | None:
    """Return the code with which the server closes the socket."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await client.receive()
    return client.close_code


async def is_quiet(client: Client, seconds: float = 0.3) -> bool:
    """Return whether the client receives no frame of the game for that time."""
    try:
        async with asyncio.timeout(seconds):
            while (await client.receive(seconds))["t"] == "spectators":
                continue
    except TimeoutError:
        return True
    return False


async def test_hello_gets_the_whole_table(at: TableSockets) -> None:
    dealer, other = [await at.enter(seat) for seat in (0, 1)]
    spectator = await at.enter()
    assert [client.you for client in (dealer, other, spectator)] == [0, 1, None]
    assert dealer.legal
    assert dealer.clock is not None
    assert dealer.clock["deadline"] == dealer.clock["asked_at"] + 120_000
    assert (other.legal, other.clock) == ([], None)
    assert (spectator.legal, spectator.clock) == ([], None)
    assert spectator.view is not None
    assert spectator.view["bots"] == [False] * 4
    assert all(set(hand["tiles"]) == {"?"} for hand in spectator.view["hands"])


async def test_server_sends_nothing_before_hello(at: TableSockets) -> None:
    dealer = await at.enter(0)
    silent = at.client(1)
    await silent.open_silently()
    answer = dealer.next_answer()
    assert answer is not None
    await dealer.send(answer)
    await dealer.until("ack")
    assert await is_quiet(silent)
    await silent.send({"t": "hello", "seq": 0})
    assert (await silent.receive())["t"] == "sync"


async def test_resent_action_is_acknowledged_again(at: TableSockets) -> None:
    dealer = await at.enter(0)
    others = [await at.enter(seat, server=1) for seat in (1, None)]
    answer = dealer.next_answer()
    assert answer is not None
    await dealer.send(answer)
    await dealer.until("ack")
    await dealer.send({"t": "ping", "seq": dealer.seq, "at": 0})
    while (kind := (await dealer.receive())["t"]) != "pong":
        assert kind != "ack", "once is enough"
    for other in others:
        frame = await other.until("ev")
        assert full_event(frame["e"][0])["type"] in ("dahai", "ankan", "reach", "hora")
    seq = dealer.seq
    await dealer.send(answer)
    assert (await dealer.until("ack"))["cid"] == answer["cid"]
    assert dealer.seq == seq


async def test_an_answer_to_an_old_question_is_corrected_in_private(at: TableSockets) -> None:
    dealer = await at.enter(0)
    other = await at.enter(1)
    answer = dealer.next_answer()
    assert answer is not None
    await dealer.send({**answer, "q": answer["q"] - 1})
    stale = await dealer.until("stale")
    assert (stale["cid"], stale["q"]) == (answer["cid"], dealer.q)
    await dealer.until("sync")
    assert await is_quiet(other)


async def test_stale_pass_gets_no_whole_table(at: TableSockets) -> None:
    dealer = await at.enter(0)
    await dealer.send({"t": "act", "cid": "x", "q": dealer.q - 1, "a": {"type": "none"}})
    assert (await dealer.receive()) == {"t": "stale", "cid": "x", "q": dealer.q}
    assert await is_quiet(dealer)
    await dealer.send({"t": "ping", "seq": dealer.seq, "at": 0})
    assert (await dealer.receive())["t"] == "pong", "the client is up to date"
    dealer._pending = None
    answer = dealer.next_answer()
    assert answer is not None
    await dealer.send(answer)
    assert (await dealer.until("ack"))["cid"] == answer["cid"]


async def test_an_illegal_action_is_refused_with_a_reason(at: TableSockets) -> None:
    dealer = await at.enter(0)
    await dealer.send({"t": "act", "cid": "x", "q": dealer.q, "a": {"type": "kakan", "pai": "E"}})
    error = await dealer.until("error")
    assert (error["code"], error["reason"], error["cid"]) == ("illegal", "no_such_set", "x")
    assert error["text"] == "you do not hold the tiles for that kan"
    assert dealer.legal


async def test_answer_out_of_turn_is_refused(at: TableSockets) -> None:
    other = await at.enter(2)
    await other.send({"t": "act", "cid": "x", "q": other.q, "a": {"type": "none"}})
    error = await other.receive()
    assert (error["t"], error["code"], error["reason"]) == ("error", "illegal", "not_asked")


async def test_spectator_may_not_act(at: TableSockets) -> None:
    dealer = await at.enter(0)
    spectator = await at.enter()
    answer = dealer.next_answer()
    assert answer is not None
    await spectator.send(answer)
    error = await spectator.until("error")
    assert (error["code"], error["cid"]) == ("not_seated", answer["cid"])
    assert await is_quiet(dealer)


@pytest.mark.parametrize(
    "query", ["", "?again=1", f"?v={VERSION - 1}", f"?v={VERSION + 1}", "?v=%ff%00"]
)
async def test_client_of_another_version_is_closed_before_any_frame(
    query: str, at: TableSockets
) -> None:
    client = at.client(0)
    client.url = client.url.partition("?")[0] + query
    await client.open_silently()
    with pytest.raises(ConnectionClosed):
        await client.receive()
    assert (client.close_code, client.frames) == (4426, [])


async def test_version_is_sent_when_reconnecting(at: TableSockets) -> None:
    client = at.client(0)
    client.url += "&again=2"
    await client.open()
    assert (await client.until("sync"))["v"] == VERSION


async def test_all_sockets_of_a_person_get_every_frame(at: TableSockets) -> None:
    one = await at.enter(0)
    two = await at.enter(0, server=1)
    answer = two.next_answer()
    assert answer is not None
    await two.send(answer)
    await two.until("ack")
    frame = await one.until("ev")
    await one.send({"t": "ping", "seq": one.seq, "at": 5})
    assert frame["e"]
    assert (await one.until("pong"))["at"] == 5
    assert one.view == two.view


async def test_closed_page_is_shown_as_absent_until_it_is_open_again(at: TableSockets) -> None:
    one, two, elsewhere = await at.enter(0), await at.enter(1), await at.enter(2, server=1)
    await two.close()
    for page in (one, elsewhere):
        assert (await page.until("absent"))["seats"] == [False, True, False, False]
    two = await at.enter(1, server=1)
    for page in (one, elsewhere):
        assert (await page.until("absent"))["seats"] == [False] * 4
    assert one.view is not None
    assert one.view["away"] == [False] * 4


async def test_second_window_is_announced_to_both(at: TableSockets) -> None:
    one = await at.enter(0)
    two = await at.enter(0)
    assert (
        (await one.until("seat_sockets"))["count"]
        == (await two.until("seat_sockets"))["count"]
        == 2
    )
    elsewhere = await at.enter(0, server=1)
    assert (await elsewhere.until("seat_sockets"))["count"] == 3
    assert (await one.until("seat_sockets"))["count"] == 3, (
        "the server announces the second window by itself"
    )
    await two.close()
    assert (await one.until("seat_sockets"))["count"] == 2
    await elsewhere.close()
    while one.windows > 1:
        await one.send({"t": "ping", "seq": one.seq, "at": 0})
        await one.receive()
        await asyncio.sleep(0.1)


async def test_second_spectator_is_not_announced(at: TableSockets) -> None:
    one, two = await at.enter(), await at.enter()
    for spectator in (one, two):
        await spectator.send({"t": "ping", "seq": spectator.seq, "at": 0, "seen": True})
        await spectator.until("pong")
        assert await is_quiet(spectator)
        assert spectator.windows == 1


async def test_visible_page_gets_its_seat_back(at: TableSockets) -> None:
    player = await at.enter(0)
    process = Process(at.running_site.redis.url)
    try:
        await process.service.set_away(TableId(at.table_id), 0, True)
    finally:
        await process.stop()
    while player.view is None or not player.view["away"][0]:
        await player.until("ev")
    await player.send({"t": "ping", "seq": player.seq, "at": 0})
    await player.until("pong")
    assert await is_quiet(player), "a page out of view says nothing of its reader"
    await player.send({"t": "ping", "seq": player.seq, "at": 0, "seen": True})
    frame = await player.until("ev")
    assert frame["e"] == [{"type": "away", "actor": 0, "away": False}]


async def test_ping_updates_a_client_that_is_behind(at: TableSockets) -> None:
    dealer = await at.enter(0)
    spectator = await at.enter()
    answer = dealer.next_answer()
    assert answer is not None
    await dealer.send(answer)
    await spectator.until("ev")
    seq = spectator.seq
    await spectator.send({"t": "ping", "seq": seq, "at": 1})
    await spectator.until("pong")
    await spectator.send({"t": "ping", "seq": seq - 1, "at": 2})
    assert (await spectator.receive())["t"] == "sync"


async def test_repeated_wrong_messages_close_the_socket(at: TableSockets) -> None:
    dealer = await at.enter(0)
    other = await at.enter(1)
    assert other.socket is not None
    wrong: list[str | bytes] = [
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
    assert await wait_for_close(other) == 4400
    assert await is_quiet(dealer)


async def test_a_frame_above_the_limit_closes_the_socket(at: TableSockets) -> None:
    dealer = await at.enter(0)
    other = await at.enter(1)
    assert other.socket is not None
    await other.socket.send(json.dumps({"t": "hello", "seq": 0, "x": "y" * 17_000}))
    assert (await other.until("error"))["code"] == "too_large"
    assert await wait_for_close(other) == 4413
    enormous = await at.enter(1)
    assert enormous.socket is not None
    await enormous.socket.send("x" * 1_000_000)
    assert await wait_for_close(enormous) in (1006, 1009), "dropped before it is read"
    assert await is_quiet(dealer)


async def test_a_flood_closes_the_socket(at: TableSockets) -> None:
    dealer = await at.enter(0)
    other = await at.enter(1)
    for _ in range(60):
        try:
            await other.send({"t": "ping", "seq": other.seq, "at": 0})
        except ConnectionClosed:
            break
    assert await wait_for_close(other) == 4429
    assert other.errors[-1]["code"] == "too_fast"
    assert await is_quiet(dealer)
    again = await at.enter(1)
    assert again.you == 1


async def test_only_the_start_of_a_flood_is_read(at: TableSockets) -> None:
    other = await at.enter(1)
    assert other.socket is not None
    transport = other.socket.transport
    ping = Frame(Opcode.TEXT, b'{"t":"ping","seq":0,"at":0}').serialize(mask=True)
    server = psutil.Process(at.running_site.daphnes[0].pid)
    before = server.cpu_times().user
    transport.pause_reading()  # the client reads nothing, not even the close
    transport.write(ping * 60_000)
    await asyncio.sleep(1.5)
    await at.enter(2)
    spent_s = server.cpu_times().user - before
    assert spent_s < 0.4, "reading all of it takes more than a second"
    transport.resume_reading()
    assert await wait_for_close(other) in (4429, 1006)


@pytest.mark.parametrize("way", ["ping", "act"])
async def test_requests_for_the_whole_table_are_limited(at: TableSockets, way: str) -> None:
    other = await at.enter(1)
    asking = {
        "ping": {"t": "ping", "seq": 9_999, "at": 0},
        "act": {"t": "act", "cid": "a", "q": 1, "a": {"type": "hora"}},
    }
    sent = len(other.frames)
    for _ in range(12):
        await other.send(asking[way])
    assert await wait_for_close(other) == 4429
    pictures = [text for text in other.frames[sent:] if json.loads(text)["t"] == "sync"]
    assert 1 <= len(pictures) <= 6
    assert other.errors[-1]["code"] == "too_fast"


async def test_an_unknown_table_has_no_socket(at: TableSockets) -> None:
    for table_id in ("nothing-here", "x" * 200):
        at.table_id = table_id
        client = at.client(0)
        await client.open_silently()
        assert await wait_for_close(client) == 4404


async def test_foreign_origin_gets_no_socket(at: TableSockets) -> None:
    foreign = at.client(0)
    foreign.origin = "https://evil.example"
    with pytest.raises(InvalidStatus) as refusal:
        await foreign.open()
    assert refusal.value.response.status_code == 403
    own = at.client(0)
    own.origin = at.running_site.daphnes[0].origin
    await own.open()
    assert (await own.until("sync"))["you"] == 0


async def test_connecting_clients_do_not_change_the_table(at: TableSockets) -> None:
    dealer = await at.enter(0)

    async def visit(number: int) -> dict[str, Any]:
        client = at.client(1 + number % 3, server=number % 2)
        await client.open()
        frame = await client.until("sync")
        await client.cut()
        return frame

    frames = await asyncio.gather(*(visit(number) for number in range(30)))
    assert {frame["seq"] for frame in frames} == {dealer.seq}
    assert await is_quiet(dealer)


async def test_client_without_acknowledgements_is_too_slow(at: TableSockets) -> None:
    players = [await at.enter(seat) for seat in range(4)]
    mute = await at.enter()
    games = [asyncio.create_task(player.play()) for player in players]
    try:
        assert await wait_for_close(mute) == 4408
    finally:
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)
    assert mute.seq > 300
