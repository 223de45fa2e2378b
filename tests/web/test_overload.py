"""What a web server leaves out while it is behind."""

from __future__ import annotations

import asyncio

from tests.kit.processes import Site
from tests.web.players import NewClient
from tests.web.site import serve
from tests.web.tables import open_table


async def test_messages_that_waited_for_the_server_get_no_whole_table(
    site: Site, new_client: NewClient
) -> None:
    """The messages lie unread while the server stands still."""
    site.env["BUSY_LAG_MS"] = "50"
    running_site = serve(site, workers=0)
    people = running_site.sign_in("Anna", "Bruno", "Chika", "Dora")
    table_id = await open_table(running_site.redis.url, people)
    dealer = new_client(running_site.socket_url(table_id), people[0].cookie)
    await dealer.open()
    await dealer.until("sync")
    answer = dealer.next_answer()
    assert answer is not None
    running_site.daphnes[0].pause()
    try:
        await dealer.send({**answer, "q": answer["q"] - 1})
        await dealer.send({"t": "ping", "seq": 0, "at": 1})
        await asyncio.sleep(1.0)
    finally:
        running_site.daphnes[0].resume()
    kinds = list[str]()
    while "pong" not in kinds:
        kinds.append((await dealer.receive())["t"])
    assert "stale" in kinds
    assert "sync" not in kinds
    dealer._pending = None
    again = dealer.next_answer()
    assert again is not None
    await dealer.send(again)
    assert (await dealer.until("ack"))["cid"] == again["cid"], "the page goes on without it"
