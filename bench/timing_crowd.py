"""Plays one seat of many tables, or watches some, and notes when open tiles and draws arrive.

``python -m bench.timing_crowd`` reads one job (JSON) from its standard input, plays until a second
line comes, and prints the arrivals as one line of JSON. Each seat has a process of its own, and so
have the spectators, so that one player's work does not delay the others' measurements.
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
    SpectatorClient,
    abort_sockets,
    keep_pinging,
    open_socket,
)

SLOWEST_ANSWER_S: Final = 0.35
"""Longest time in which a player passes. It is well below the reaction time."""
_THINKS_S: Final = (0.05, 0.2)
"""Least and greatest time in which a player discards."""
_CONNECTED_AT_ONCE: Final = 8
"""Number of sockets that are opened at the same time."""
_RINSHAN_FIELDS: Final = 4
"""Number of fields in the short form of a replacement draw; other draws have fewer."""
_WITH_NORTHS: Final = 3
_PINGS_AFTER_S: Final = (0.1, 0.5)
"""When spectators ping after a discard: while those who could call it answer."""
STARTED: Final = "started"


class _Clock(msgspec.Struct):
    asked_at: int


class _Frame(msgspec.Struct):
    q: int
    e: list[dict[str, Any] | list[Any]]
    clock: _Clock | None = None


class _Pong(msgspec.Struct):
    at: int


_frame: Final = msgspec.json.Decoder(_Frame)
_pong: Final = msgspec.json.Decoder(_Pong)


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


class Watched(msgspec.Struct, array_like=True):
    """The arrival of a discard at the spectators of a table, and the times of their pongs."""

    table: int
    q: int
    """Number of the question after the discard."""
    arrived_s: float
    """When the first of them received it, in seconds since the epoch."""
    pongs_s: list[float] = msgspec.field(default_factory=list)
    """The time that the answer to each spectator's ping took, in seconds."""


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


class CrowdSpectator(SpectatorClient):
    """A spectator who pings once after each discard. The spectators of a table share `watched`, the
    discards by the number of the question."""

    def __init__(self, table: int, watched: dict[int, Watched], rng: Random) -> None:
        super().__init__(Counts())
        self._table = table
        self._watched = watched
        self._rng = rng
        self._pinged_at: dict[int, float] = {}
        """When the ping after a discard was sent, by the number of the question."""

    def take(self, payload: bytes) -> None:
        arrived = time.time()
        super().take(payload)
        if payload.startswith(b'{"t":"pong"'):
            q = _pong.decode(payload).at
            if q in self._pinged_at:
                self._watched[q].pongs_s.append(arrived - self._pinged_at.pop(q))
        elif payload.startswith(b'{"t":"ev"'):
            frame = _frame.decode(payload)
            last = frame.e[-1] if frame.e else []
            if isinstance(last, list) and last and last[0] == "dahai":
                self._watched.setdefault(frame.q, Watched(self._table, frame.q, arrived))
                pause = self._rng.uniform(*_PINGS_AFTER_S)
                asyncio.get_running_loop().call_later(pause, self._ping_after, frame.q)

    def _ping_after(self, q: int) -> None:
        if self.socket is not None:
            self._pinged_at[q] = time.time()
            self.socket.send(b'{"t":"ping","seq":%d,"at":%d,"seen":true}' % (self.seq(), q))


async def watch(job: dict[str, Any]) -> list[Watched]:
    """Watch all tables of the job with `spectators` sockets each, until a line of input comes."""
    rng, clients = Random(0), list[CrowdSpectator]()
    tables: list[dict[int, Watched]] = []
    for table, url in job["watched"]:
        tables.append({})
        for _ in range(job["spectators"]):
            client = CrowdSpectator(table, tables[-1], rng)
            await open_socket(url, "", client)
            clients.append(client)
    print(STARTED, flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    abort_sockets(clients)
    return [watched for discards in tables for watched in discards.values()]


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

    await asyncio.gather(*(connect_players() for _ in range(_CONNECTED_AT_ONCE)))
    pings = asyncio.create_task(keep_pinging(players)) if players else None
    print(STARTED, flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    if pings is not None:
        pings.cancel()
    abort_sockets(players)
    return seen


def main() -> None:
    job = json.loads(sys.stdin.readline())
    found = asyncio.run(watch(job)) if "watched" in job else asyncio.run(play(job))
    print(msgspec.json.encode(found).decode(), flush=True)


if __name__ == "__main__":
    main()
