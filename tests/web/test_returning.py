"""Players who leave are replaced and get the seat back; players who cannot connect stay."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from websockets.exceptions import ConnectionClosed

from game.engine.clock import ClockSettings
from game.live.heartbeat import now_ms
from game.tables.room import TableId
from tests.web.players import Client, NewClient
from tests.web.site import RunningSite, SignedPerson
from tests.web.tables import AT_ONCE, commits_of, open_table

HURRIED: Final = msgspec.structs.replace(
    AT_ONCE, base_ms=700, bank_ms=0, lag_ms=0, reaction_ms=30, result_ms=700, away_ms=50
)
"""A clock by which a player without an answer is soon late."""
PATIENT: Final = msgspec.structs.replace(HURRIED, base_ms=3_000, bank_ms=1_000)
NOTICED_MS: Final = 1_200
"""A time longer than two rounds of the worker's check for late players."""


async def wait_until_away(onlooker: Client, seat: int, away: bool) -> None:
    """Receive frames until the player of that seat is away, or back."""
    while onlooker.view is None or onlooker.view["away"][seat] is not away:
        await onlooker.receive()


async def seat_anna(
    running_site: RunningSite, clock: ClockSettings
) -> tuple[SignedPerson, TableId, list[str]]:
    """Open a table of Anna and three bots. Return her session, the table, and the address of its
    socket at both web servers."""
    (anna,) = running_site.sign_in("Anna")
    table_id = await open_table(running_site.redis.url, [anna], clock)
    return anna, table_id, [running_site.socket_url(table_id, server) for server in (0, 1)]


async def test_left_seat_is_played_and_returned(
    running_site: RunningSite, new_client: NewClient
) -> None:
    anna, _, urls = await seat_anna(running_site, HURRIED)
    onlooker = new_client(urls[0])
    await onlooker.open()
    player = new_client(urls[0], anna.cookie)
    await player.open()
    await player.until("sync")
    await player.close()

    await wait_until_away(onlooker, 0, True)
    played_on_from = onlooker.seq
    while onlooker.seq < played_on_from + 20:
        await onlooker.receive()
        await onlooker.beat()

    player.url = urls[1]
    await player.open()
    await player.until("sync")
    await wait_until_away(onlooker, 0, False)
    await player.play(until_seq=player.seq + 20)
    assert player.acknowledged
    assert player.view is not None
    assert player.view["away"][0] is False


async def test_reloading_into_a_hung_server_is_not_leaving(
    running_site: RunningSite, new_client: NewClient
) -> None:
    anna, table_id, urls = await seat_anna(running_site, PATIENT)
    player = new_client(urls[0], anna.cookie)
    # Pause first: otherwise the server sends heartbeats while this process stalls.
    running_site.daphnes[1].pause()
    try:
        await player.open()
        assert (await player.until("sync"))["clock"] is not None
        assert player.clock is not None
        too_late = player.clock["deadline"] + NOTICED_MS
        await player.close()
        again = new_client(urls[1], anna.cookie)
        coming = asyncio.create_task(again.open())
        await asyncio.sleep((too_late - now_ms()) / 1000)
        assert not coming.done(), "the server still hangs"
        assert len(await commits_of(running_site.redis.url, table_id)) == 1, (
            "no stand-in has played for Anna"
        )
    finally:
        running_site.daphnes[1].resume()
    await coming
    try:
        await again.until("sync")
    except ConnectionClosed:
        # The server's subscription to Redis broke while it hung. A page connects again then.
        assert again.close_code == 4503
        await again.open()
        await again.until("sync")
    answer = again.next_answer()
    assert answer is not None, "Anna is still asked"
    await again.send(answer)
    await again.until("ack")
    for commit in await commits_of(running_site.redis.url, table_id):
        assert commit.clock.bank[0] == PATIENT.bank_ms, "Anna has lost no time"
