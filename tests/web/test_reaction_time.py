"""Requests during the reaction time after a discard reveal nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from game.engine.clock import ClockSettings
from tests.web.players import Client, NewClient
from tests.web.short_forms import full_event
from tests.web.site import RunningSite
from tests.web.tables import AT_ONCE, open_table

pytestmark = pytest.mark.asyncio
CLOCK = replace(AT_ONCE, reaction_ms=ClockSettings().reaction_ms)
ASKS_EVERY_S = 0.035
AT_MOST = 14
"""The number of messages of one socket, below the limit of the server."""


async def asks_until_the_draw(spy: Client) -> list[dict[str, Any]]:
    """Ask about the open question and the next one until the draw is shown; return the replies."""
    q, replies, sent = spy.q, list[dict[str, Any]](), 0
    while spy.q == q:
        if sent < AT_MOST:
            cid = f"{sent % 2}-spy-{sent}"  # differs from the ids of the player
            act = {"t": "act", "cid": cid, "q": q + sent % 2, "a": {"type": "none"}}
            await spy.send(act)
            sent += 1
        try:
            while True:
                frame = await spy.receive(ASKS_EVERY_S)
                if frame["t"] == "ev":
                    assert full_event(frame["e"][-1])["type"] == "tsumo"
                    break
                replies.append(frame)
        except TimeoutError:
            continue
    return replies


async def passes(client: Client) -> None:
    """Pass on the tile if asked, and wait for the next draw."""
    q = client.q
    while client.q == q:
        if client.legal and (answer := client.next_answer()):
            await client.send({**answer, "a": {"type": "none"}})
        await client.receive()


@pytest.mark.parametrize("server", [0, 1])
async def test_replies_do_not_reveal_an_early_draw(
    running_site: RunningSite, new_client: NewClient, server: int
) -> None:
    people = running_site.sign_in(*(f"spied {server} {seat}" for seat in range(4)))
    table_id = await open_table(running_site.redis.url, people, CLOCK)
    players = [
        new_client(running_site.socket_url(table_id, seat % 2), people[seat].cookie)
        for seat in range(4)
    ]
    for player in players:
        await player.open()
        await player.until("sync")
    count = 0
    for _ in range(6):
        (turn,) = [player for player in players if player.legal]
        drawn = next(a for a in turn.legal[::-1] if a["type"] == "dahai")
        await turn.send({"t": "act", "cid": f"d{turn.q}", "q": turn.q, "a": drawn})
        q = turn.q
        for player in players:
            while player.q == q:
                await player.receive()
        spied = next(p for p in players if not p.legal and p.view and p.view["turn"] != p.you)
        assert spied.you is not None
        spy = new_client(running_site.socket_url(table_id, server), people[spied.you].cookie)
        await spy.open()
        await spy.until("sync")
        q = spy.q
        received, *_ = await asyncio.gather(asks_until_the_draw(spy), *map(passes, players))
        for reply in received:
            if reply["t"] in ("seat_sockets", "chat", "spectators"):
                continue
            count += 1
            if reply["cid"].startswith("0"):
                assert (reply["t"], reply.get("reason")) == ("error", "not_asked"), reply
            else:
                assert (reply["t"], reply["q"]) == ("stale", q), reply
        await spy.cut()
    assert count > 30
