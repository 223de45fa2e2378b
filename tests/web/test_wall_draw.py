"""The draw of the wall through real sockets, servers and workers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from game.engine.events import HandStarted, WallSeeded
from game.engine.rules import TENHOU
from game.engine.wall import shuffled_wall
from game.engine.wall_proof import WallProof, proof_of, proof_problems, rules_text
from game.redis.clients import connect
from game.tables.keys import TableKeys
from game.tables.room import TableId
from tests.kit.processes import Site
from tests.web.leak_scan import hidden_bytes
from tests.web.players import Client, NewClient
from tests.web.site import RunningSite, SignedPerson, serve
from tests.web.tables import AT_ONCE, log_of, open_table
from tests.web.visitor import Visitor
from tests.web.wall_pages import contribution

QUICK: Final = replace(AT_ONCE, wall_commit_ms=800, wall_reveal_ms=500, wall_draw_ms=0)
"""A clock for draws in which a page does not do its part."""
SLOW_REVEALS: Final = replace(AT_ONCE, wall_commit_ms=20_000, wall_reveal_ms=1, wall_draw_ms=40_000)
"""A clock with which every reveal is late, but for a page that is waited for."""
PATIENT: Final = replace(AT_ONCE, wall_commit_ms=20_000, wall_reveal_ms=20_000)
"""A clock for draws that are interrupted."""
COMMIT: Final = "commit"
REVEAL: Final = "reveal"


async def wait_until_fixed(client: Client, within_s: float = 60.0) -> None:
    """Read frames until the seed is fixed."""
    async with asyncio.timeout(within_s):
        while client.wall is None or client.wall["state"] in (COMMIT, REVEAL):
            await client.receive()


async def wait_for_state(client: Client, is_there: Callable[[dict[str, Any]], bool]) -> None:
    """Read frames until the draw has that state."""
    async with asyncio.timeout(60):
        while client.wall is None or not is_there(client.wall):
            await client.receive()


def has_first_reveal(wall: dict[str, Any]) -> bool:
    return bool(wall["contributions"][0])


async def proven(running_site: RunningSite, table_id: TableId) -> WallProof:
    """Return the proof in the log of the table, which fits the dealt wall."""
    log = await log_of(running_site.redis.url, table_id)
    proof = proof_of(log)
    assert proof is not None
    (seed,) = (event.seed for event in log if isinstance(event, WallSeeded))
    assert proof_problems(proof, seed, json.loads(rules_text(TENHOU))) == []
    (deal,) = (event for event in log if isinstance(event, HandStarted))
    assert deal.wall == shuffled_wall(TENHOU, seed, 0)
    return proof


async def open_with_wall_draw(
    running_site: RunningSite,
    new_client: NewClient,
    count: int,
    clock: Any = AT_ONCE,
    servers: Sequence[int] = (0, 1),
) -> tuple[TableId, list[Client], list[SignedPerson]]:
    """Open a table with the pages of that many players, at these servers in turn."""
    people = running_site.sign_in(*(f"person {number}" for number in range(count)))
    table_id = await open_table(running_site.redis.url, people, clock, draws_wall=True)
    clients = [
        new_client(
            running_site.socket_url(table_id, servers[seat % len(servers)]),
            person.cookie,
            seed=seat,
        )
        for seat, person in enumerate(people)
    ]
    return table_id, clients, people


@pytest.mark.parametrize("count", [4, 3, 1])
async def test_pages_draw_the_wall_and_nothing_hidden_is_sent(
    running_site: RunningSite, new_client: NewClient, count: int
) -> None:
    table_id, clients, people = await open_with_wall_draw(running_site, new_client, count)
    spectator = new_client(running_site.socket_url(table_id))
    pages: list[str] = []
    for client in (spectator, *clients):
        await client.open()
        await client.until("sync")
    await asyncio.gather(*map(wait_until_fixed, (*clients, spectator)))
    for client in (spectator, *clients):  # clients that come after the draw are sent this
        await client.send({"t": "hello", "seq": 0})
        assert (await client.until("sync"))["wall"] == client.wall | {"closes_at": 0}
    for person in people:
        visitor = Visitor(running_site.daphnes[0].url)
        name, _, value = person.cookie.partition("=")
        visitor._opener.addheaders = [("Cookie", f"{name}={value}")]
        pages += [visitor.get(f"/table/{table_id}/").text, visitor.get("/watch/").text]
    proof = await proven(running_site, table_id)
    assert proof.pages == tuple(range(count))
    for seat, client in enumerate(clients):
        assert proof.draws[0].contributions[seat] == contribution(client, 1)
        assert not client.errors
    assert spectator.wall is not None
    assert spectator.wall["state"] == "fixed"
    hidden = hidden_bytes(await log_of(running_site.redis.url, table_id))
    assert len(hidden) == 2
    sent = [text for client in (spectator, *clients) for text in client.frames]
    assert len(sent) >= 4 * (count + 1)
    assert len(pages) == 2 * count
    for text in (*sent, *pages):
        assert not any(secret in text for secret in hidden)
        assert "person:" not in text


async def test_page_that_reconnects_within_a_second_takes_part(
    running_site: RunningSite, new_client: NewClient
) -> None:
    table_id, clients, _ = await open_with_wall_draw(running_site, new_client, 2)
    first, second = clients
    second.takes_part = False
    for client in clients:
        await client.open()
        await client.until("sync")
    await wait_for_state(first, lambda wall: bool(wall["commitments"][0]))
    await first.cut()  # reconnect after the commitment, before the list is closed
    first.url = running_site.socket_url(table_id, 1)
    second.takes_part = True
    await second.send({"t": "hello", "seq": 0})
    await first.open()
    await asyncio.gather(wait_until_fixed(first), wait_until_fixed(second))
    proof = await proven(running_site, table_id)
    assert (proof.pages, len(proof.draws)) == ((0, 1), 1)


async def test_page_that_does_not_reveal_is_left_out_publicly(
    running_site: RunningSite, new_client: NewClient
) -> None:
    table_id, clients, _ = await open_with_wall_draw(running_site, new_client, 3, QUICK)
    spectator = new_client(running_site.socket_url(table_id))
    clients[1].reveals = False
    for client in (spectator, *clients):
        await client.open()
        await client.until("sync")
    await asyncio.gather(*map(wait_until_fixed, (*clients, spectator)))
    proof = await proven(running_site, table_id)
    assert (proof.pages, len(proof.draws)) == ((0, 2), 2)
    for client in (*clients, spectator):
        assert client.wall is not None
        assert (client.wall["draw"], client.wall["void"]) == (2, 1)
        events = [json.loads(text) for text in client.frames if '"wall_void"' in text]
        assert len(events) == 1, "everybody is told of the void draw"


async def test_draw_waits_for_a_slow_page_that_answers_pings(
    running_site: RunningSite, new_client: NewClient
) -> None:
    table_id, clients, _ = await open_with_wall_draw(running_site, new_client, 2, SLOW_REVEALS)
    first, second = clients
    second.reveals = False
    for client in clients:
        await client.open()
        await client.until("sync")
    await wait_for_state(first, has_first_reveal)
    redis = connect(running_site.redis.url)
    answered = await redis.hget(TableKeys.of(table_id).pongs, "1")
    async with asyncio.timeout(60):
        while await redis.hget(TableKeys.of(table_id).pongs, "1") == answered:
            with contextlib.suppress(TimeoutError):
                await second.receive(0.1)
    await redis.aclose()
    second.reveals = True
    await second.send({"t": "hello", "seq": 0})
    await asyncio.gather(*map(wait_until_fixed, clients))
    proof = await proven(running_site, table_id)
    assert (proof.pages, len(proof.draws)) == ((0, 1), 1)


async def test_page_that_sends_nothing_does_not_stop_the_others(
    running_site: RunningSite, new_client: NewClient
) -> None:
    table_id, clients, _ = await open_with_wall_draw(running_site, new_client, 2, QUICK)
    clients[1].takes_part = False
    for client in clients:
        await client.open()
    await asyncio.gather(*map(wait_until_fixed, clients))
    proof = await proven(running_site, table_id)
    assert (proof.pages, len(proof.draws)) == ((0,), 1)


async def test_game_without_pages_is_dealt_without_proof(
    running_site: RunningSite, new_client: NewClient
) -> None:
    table_id, clients, _ = await open_with_wall_draw(running_site, new_client, 1, QUICK)
    clients[0].takes_part = False
    await clients[0].open()
    await wait_until_fixed(clients[0])
    assert clients[0].wall is not None
    assert clients[0].wall["state"] == "none"
    assert proof_of(await log_of(running_site.redis.url, table_id)) is None


async def test_second_page_of_a_seat_cannot_commit_to_other_bytes(
    running_site: RunningSite, new_client: NewClient
) -> None:
    table_id, (first, *others), people = await open_with_wall_draw(running_site, new_client, 2)
    second = new_client(running_site.socket_url(table_id, 1), people[0].cookie, seed=77)
    second.takes_part = False
    for client in (first, second):
        await client.open()
        await client.until("sync")
    await wait_for_state(second, lambda wall: bool(wall["commitments"][0]))
    other = sha256(b"other").hexdigest()
    await second.send({"t": "wall_commit", "draw": 1, "commitment": other})
    assert (await second.until("error"))["reason"] == "wall_committed"
    for client in others:
        await client.open()
    await asyncio.gather(*map(wait_until_fixed, (first, second, *others)))
    assert (await proven(running_site, table_id)).draws[0].contributions[0] == contribution(
        first, 1
    )


async def test_wrong_copied_late_and_foreign_messages_are_refused(
    running_site: RunningSite, new_client: NewClient
) -> None:
    table_id, (honest, cheat), _ = await open_with_wall_draw(running_site, new_client, 2)
    spectator = new_client(running_site.socket_url(table_id))
    cheat.takes_part = False
    for client in (honest, cheat, spectator):
        await client.open()
        await client.until("sync")
    await wait_for_state(cheat, lambda wall: bool(wall["commitments"][0]))
    own = sha256(contribution(cheat, 1)).hexdigest()
    assert cheat.wall is not None
    copied = cheat.wall["commitments"][0]

    async def reason(client: Client, kind: str, draw: int, text: str) -> str:
        key = "commitment" if kind == "wall_commit" else "contribution"
        await client.send({"t": kind, "draw": draw, key: text})
        error = await client.until("error")
        return str(error.get("reason", error["code"]))

    assert await reason(cheat, "wall_commit", 1, copied) == "wall_commit_copied"
    assert await reason(cheat, "wall_commit", 2, own) == "other_wall_draw"
    assert await reason(cheat, "wall_reveal", 1, own) == "wall_reveal_early"
    assert await reason(cheat, "wall_commit", 1, own[:-1]) == "bad_message"
    assert await reason(cheat, "wall_commit", 1, own.upper()) == "bad_message"
    assert await reason(cheat, "wall_reveal", -1, own) == "bad_message"
    assert await reason(spectator, "wall_commit", 1, own) == "not_seated"
    await cheat.send({"t": "wall_commit", "draw": 1, "commitment": own})
    await asyncio.gather(*(wait_for_state(client, has_first_reveal) for client in (honest, cheat)))
    other = sha256(b"after I have seen the others").hexdigest()
    assert await reason(cheat, "wall_reveal", 1, other) == "bad_wall_bytes"
    data = contribution(cheat, 1).hex()
    await cheat.send({"t": "wall_reveal", "draw": 1, "contribution": data})
    await asyncio.gather(wait_until_fixed(honest), wait_until_fixed(cheat))
    assert await reason(cheat, "wall_reveal", 1, other) == "no_wall_draw"
    assert await reason(cheat, "wall_commit", 1, sha256(b"late").hexdigest()) == "no_wall_draw"
    assert (await proven(running_site, table_id)).pages == (0, 1)


async def test_flood_of_commitments_closes_the_socket_and_changes_nothing(
    running_site: RunningSite, new_client: NewClient
) -> None:
    _, (flooder, other), _ = await open_with_wall_draw(running_site, new_client, 2)
    flooder.takes_part = False
    await flooder.open()
    await flooder.until("sync")
    with pytest.raises(ConnectionClosed):
        await flood(flooder)
    assert flooder.close_code == 4429
    await other.open()
    await other.until("sync")
    assert other.wall is not None
    assert other.wall["commitments"][0] == sha256(b"0").hexdigest()


async def flood(client: Client) -> None:
    for number in range(60):
        text = sha256(b"%d" % number).hexdigest()
        await client.send({"t": "wall_commit", "draw": 1, "commitment": text})
    while True:
        await client.receive()


@pytest.mark.parametrize("step", ["first commit", "bound", "first reveal", "before the deal"])
async def test_killed_web_server_loses_and_reveals_nothing(
    site: Site, new_client: NewClient, step: str
) -> None:
    """Both pages continue at the other server with the same draw."""
    running_site = serve(site, daphnes=2, workers=1)
    table_id, clients, _ = await open_with_wall_draw(
        running_site, new_client, 2, PATIENT, servers=(0,)
    )
    first, second = clients
    second.takes_part = False
    for client in clients:
        await client.open()
        await client.until("sync")
    await wait_for_state(first, lambda wall: bool(wall["commitments"][0]))
    if step != "first commit":
        own = sha256(contribution(second, 1)).hexdigest()
        first.takes_part = step != "bound"
        await second.send({"t": "wall_commit", "draw": 1, "commitment": own})
        await wait_for_state(second, lambda wall: wall["state"] == REVEAL)
    if step in ("first reveal", "before the deal"):
        await wait_for_state(first, lambda wall: bool(wall["contributions"][0]))
    if step == "before the deal":
        data = contribution(second, 1).hex()
        await second.send({"t": "wall_reveal", "draw": 1, "contribution": data})
    before = await log_of(running_site.redis.url, table_id)
    running_site.daphnes[0].kill()
    for client in clients:
        client.socket = None
        client.takes_part = True
        client.url = running_site.socket_url(table_id, 1)
        await client.open()
    await asyncio.gather(*map(wait_until_fixed, clients))
    log = await log_of(running_site.redis.url, table_id)
    assert log[: len(before)] == before
    proof = await proven(running_site, table_id)
    assert (proof.pages, len(proof.draws)) == ((0, 1), 1)
    hidden = hidden_bytes(log)
    for text in (text for client in clients for text in client.frames):
        assert not any(secret in text for secret in hidden)


async def test_record_is_not_served_before_the_game_is_over(
    running_site: RunningSite, new_client: NewClient
) -> None:
    table_id, (client,), _ = await open_with_wall_draw(running_site, new_client, 1)
    await client.open()
    await wait_until_fixed(client)
    hidden = hidden_bytes(await log_of(running_site.redis.url, table_id))
    visitor = Visitor(running_site.daphnes[0].url)
    assert visitor.get(f"/game/{table_id}/mjai/").status == 404
    await client.send({"t": "vote", "motion": "end"})
    until = time.monotonic() + 20
    while (page := visitor.get(f"/game/{table_id}/")).status == 404:
        assert time.monotonic() < until
        await asyncio.sleep(0.1)
    assert page.status == 200
    sent = [text for text in client.frames if any(secret in text for secret in hidden)]
    assert sent == []
