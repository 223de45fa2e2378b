"""Plays one seat of many tables, and notes when each open tile and each draw arrives.

``python -m bench.timing_crowd`` reads one job (JSON) from its standard input, plays until a second
line comes, and prints the arrivals as one line of JSON. Each seat has a process of its own, so that
one player's work does not delay the others' measurements.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec

from bench.socket_clients import (
    Counts,
    Pace,
    PlayerClient,
    abort_sockets,
    keep_pinging,
    open_socket,
)

SLOWEST_ANSWER_S: Final = 0.35
"""Longest time in which a player passes. It is well below the reaction time."""
_THINKS_S: Final = (0.05, 0.2)
"""Least and greatest time in which a player discards."""
_AT_ONCE: Final = 8
"""Number of sockets that are opened at the same time."""
_RINSHAN_FIELDS: Final = 4
"""Number of fields in the short form of a replacement draw; other draws have fewer."""
_WITH_NORTHS: Final = 3
STARTED: Final = "started"


class _Clock(msgspec.Struct):
    asked_at: int


class _Frame(msgspec.Struct):
    q: int
    e: list[dict[str, Any] | list[Any]]
    clock: _Clock | None = None


_frame: Final = msgspec.json.Decoder(_Frame)


class Seen(msgspec.Struct, array_like=True):
    """A discard or a north that was set aside, and the draw after it, as one player saw them.

    Times of arrival are in seconds since the epoch.
    """

    table: int
    seat: int
    q: int
    """Number of the question after the open tile."""
    opened_arrived_s: float
    draw_arrived_s: float
    draw_asked_at: int
    """``clock.asked_at`` of the frame of the draw, in milliseconds since the epoch; 0 except for
    the player who drew."""


class ShortTimes(Pace):
    """The short thinking times of the players."""

    def __init__(self, rng: Random) -> None:
        super().__init__(1.0, rng)

    def thinking_s(self, kind: str) -> float:
        if kind == "none":
            return self._rng.uniform(0.0, SLOWEST_ANSWER_S)
        return 0.0 if kind == "confirm" else self._rng.uniform(*_THINKS_S)


class CrowdPlayer(PlayerClient):
    """A player who notes when open tiles and draws arrive. At tables of three it sets aside the
    norths that it draws, and wins nothing."""

    def __init__(self, table: int, seat: int, players: int, pace: Pace, seen: list[Seen]) -> None:
        super().__init__(seat, [0.0] * players, pace, Counts())
        self._table = table
        self._players = players
        self._seen = seen
        self._opened: tuple[int, float] | None = None
        """Question and time of arrival of an open tile that no draw has followed yet."""
        self._is_north = False
        """Whether that tile is a north that was set aside."""

    def choose(self, legal: Sequence[dict[str, Any]], drawn: str | None) -> dict[str, Any] | None:
        if self._players == _WITH_NORTHS:
            if drawn == "N" and (norths := [row for row in legal if row["type"] == "kita"]):
                return norths[0]
            legal = [row for row in legal if row["type"] != "hora"]
        return super().choose(legal, drawn)

    def take(self, payload: bytes) -> None:
        arrived = time.time()
        super().take(payload)
        if not payload.startswith(b'{"t":"ev"'):
            return
        frame = _frame.decode(payload)
        news = [event for event in frame.e if isinstance(event, list) or event["type"] != "answer"]
        if not news:
            return
        last = news[-1]
        kind = last[0] if isinstance(last, list) else last["type"]
        opened, self._opened = self._opened, None
        if kind in ("dahai", "kita"):
            self._opened, self._is_north = (frame.q, arrived), kind == "kita"
        elif kind == "tsumo" and opened and (len(last) >= _RINSHAN_FIELDS) == self._is_north:
            asked_at = frame.clock.asked_at if frame.clock is not None else 0
            self._seen.append(Seen(self._table, self._seat, *opened, arrived, asked_at))


async def play(job: dict[str, Any]) -> list[Seen]:
    """Play at all tables of the job until a line of input comes."""
    rng, seen = Random(job["seat"]), list[Seen]()
    places = iter(job["places"])
    players: list[CrowdPlayer] = []

    async def connect_players() -> None:
        for table, players_at_table, url, cookie in places:
            player = CrowdPlayer(table, job["seat"], players_at_table, ShortTimes(rng), seen)
            await open_socket(url, cookie, player)
            players.append(player)

    await asyncio.gather(*(connect_players() for _ in range(_AT_ONCE)))
    pings = asyncio.create_task(keep_pinging(players)) if players else None
    print(STARTED, flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    if pings is not None:
        pings.cancel()
    abort_sockets(players)
    return seen


def main() -> None:
    seen = asyncio.run(play(json.loads(sys.stdin.readline())))
    print(msgspec.json.encode(seen).decode(), flush=True)


if __name__ == "__main__":
    main()
