"""A player who leaves is played for, and has the seat back on return."""

from __future__ import annotations

from typing import Final

import msgspec
import pytest

from tests.web.players import Client, NewClient
from tests.web.site import Served
from tests.web.tables import AT_ONCE, table_opened

HURRIED: Final = msgspec.structs.replace(
    AT_ONCE, base_ms=700, bank_ms=0, lag_ms=0, pause_ms=30, result_ms=700, away_ms=50
)
"""Who does not answer is soon too late."""


async def seen_away(onlooker: Client, seat: int, away: bool) -> None:
    """Look on until that seat is played for, or no longer."""
    while onlooker.view is None or onlooker.view["away"][seat] is not away:
        await onlooker.receive()


@pytest.mark.timeout(120)
async def test_the_seat_of_who_leaves_is_played_on_and_handed_back(
    served: Served, new_client: NewClient
) -> None:
    (anna,) = served.sign_in("Anna")
    table_id = await table_opened(served.redis.url, [anna], HURRIED)
    urls = [served.socket_url(table_id, server) for server in (0, 1)]
    onlooker = new_client(urls[0])
    await onlooker.open()
    player = new_client(urls[0], anna.cookie)
    await player.open()
    await player.until("sync")
    await player.close()

    await seen_away(onlooker, 0, True)
    played_on_from = onlooker.seq
    while onlooker.seq < played_on_from + 20:
        await onlooker.receive()
        await onlooker.beat()

    player.url = urls[1]
    await player.open()
    await player.until("sync")
    await seen_away(onlooker, 0, False)
    await player.play(until_seq=player.seq + 20)
    assert player.acknowledged
    assert player.view is not None
    assert player.view["away"][0] is False
