"""Records in Redis which players have a socket, and in which process.

A socket whose process died or cannot reach Redis has not been closed by its player.
`game.tables.timeouts` decides what this means for a late player.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from game.live.heartbeat import Heartbeat, NowMs, now_ms
from game.redis.pipeline import Command, Pipeline
from game.tables import metrics
from game.tables.errors import TablesUnavailable, reaching_redis
from game.tables.keys import SHARDS, TableKeys, shard_of
from game.tables.room import TableId
from game.tables.timeouts import Heartbeats, SeatSockets, has_lost_time

SEATS_CHANGED: Final = "seats"
"""The message on a table's channel when a socket at a seat has opened or closed."""
_KEPT_S: Final = 2 * 86_400
_PONGS_KEPT_S: Final = 60


class Presence:
    """Counts in Redis the sockets at each seat, by process."""

    def __init__(self, pipeline: Pipeline, heartbeat: Heartbeat, *, now_ms: NowMs = now_ms) -> None:
        self._pipeline = pipeline
        self._heartbeat = heartbeat
        self._now_ms = now_ms
        self._sockets: Counter[tuple[TableId, int]] = Counter()
        self._unreported: dict[tuple[TableId, int], int] = {}
        """Seats whose closed sockets are not stored yet, and when these closed."""
        self._reported_since: dict[int, int] = {}
        """By shard, the end of the last outage after which all sockets have been stored again."""

    async def arrive(self, table_id: TableId, seat: int) -> bool:
        """Count a socket that opened in this process. Return whether the player has lost time
        because of the server. The answer stays stored until `note_time_given_back`, for a worker
        that judges the player in between."""
        self._sockets[table_id, seat] += 1
        metrics.SEATS.set(len(self._sockets))
        self._unreported.pop((table_id, seat), None)
        heartbeats, found = await self.read_sockets(table_id, [seat])
        lost_time = has_lost_time(found[seat], heartbeats, self._heartbeat.process, self._now_ms())
        with reaching_redis():
            await self._pipeline.calls(self._count_commands(table_id, seat))
            if not lost_time:
                await self._pipeline.call("HDEL", TableKeys.of(table_id).left, str(seat))
        return lost_time

    async def note_time_given_back(self, table_id: TableId, seat: int) -> None:
        """Note that the player has been given the lost time back. Delete the stored time at which
        they left and, if they have other sockets, those in silent processes."""
        now, (heartbeats, found) = self._now_ms(), await self.read_sockets(table_id, [seat])
        processes = found[seat].processes
        silent = [process for process in processes if heartbeats.is_silent(process, now)]
        if len(silent) == len(processes):
            return
        with reaching_redis():
            await self._pipeline.call("HDEL", TableKeys.of(table_id).left, str(seat))
        if silent:
            await self.forget(table_id, seat, silent)

    async def leave(self, table_id: TableId, seat: int) -> None:
        """Remove a socket of the seat's player from the count."""
        self._sockets[table_id, seat] -= 1
        if self._sockets[table_id, seat] <= 0:
            del self._sockets[table_id, seat]
        metrics.SEATS.set(len(self._sockets))
        # `report_departures` tries again; the counts of a process that has ended are ignored.
        with contextlib.suppress(TablesUnavailable), reaching_redis():
            if self._heartbeat.is_stopping:
                # The process stays stored for the seat: its player has not left.
                await self._pipeline.calls(self._count_commands(table_id, seat))
            else:
                self._unreported[table_id, seat] = self._now_ms()
                await self._report_departure((table_id, seat))

    async def has_socket(self, table_id: TableId, seat: int) -> bool:
        """Return whether the seat's player has a socket in any process."""
        return any(at == seat for at, _ in await self._read_counts(table_id))

    async def count_players(self, table_ids: Sequence[TableId]) -> dict[TableId, int]:
        """Return how many players of each of these tables have a socket, as far as Redis knows.
        A player with sockets in two processes counts twice."""
        with reaching_redis():
            counts = await self._pipeline.calls(
                [("HLEN", TableKeys.of(table_id).sockets) for table_id in table_ids]
            )
        return dict(zip(table_ids, map(int, counts), strict=True))

    async def read_sockets(
        self, table_id: TableId, seats: Sequence[int], *, with_pongs: bool = False
    ) -> tuple[Heartbeats, dict[int, SeatSockets]]:
        """Read the sockets of these seats, and the heartbeats of the processes that have them.
        `with_pongs` adds when each browser last answered a ping. If one of the processes is silent
        or missing, also read the heartbeats of all that accept players."""
        keys, fields = TableKeys.of(table_id), [str(seat) for seat in seats]
        commands: list[Command] = [
            ("HGETALL", keys.sockets),
            ("HMGET", keys.left, *fields, *map(_lost_field, seats)),
        ]
        if with_pongs:
            commands.append(("HMGET", keys.pongs, *fields))
        with reaching_redis():
            rows, times, *pongs = await self._pipeline.calls(commands)
        left, lost = times[: len(seats)], times[len(seats) :]
        (answered,) = pongs or [[None] * len(seats)]
        counts = _parse_counts(rows)
        held = [process for seat, process in counts if seat in seats]
        found = {
            seat: SeatSockets(
                tuple(process for at, process in counts if at == seat),
                None if left_at is None else int(left_at),
                int(answered_at or 0),
                int(lost_at or 0),
                tuple(count for (at, _), count in counts.items() if at == seat),
            )
            for seat, left_at, answered_at, lost_at in zip(seats, left, answered, lost, strict=True)
        }
        may_return = any(
            sockets.left_at is not None or not sockets.processes for sockets in found.values()
        )
        heartbeats = await self._heartbeat.read(held, table_id, with_accepting=may_return)
        now = self._now_ms()
        if not may_return and any(heartbeats.is_silent(process, now) for process in held):
            heartbeats = await self._heartbeat.read(held, table_id, with_accepting=True)
        return heartbeats, found

    async def note_pongs(self, ages: Mapping[tuple[TableId, int], int]) -> None:
        """Store how many milliseconds ago the page of each seat (table, seat) last answered a
        ping."""
        now, commands = self._now_ms(), list[Command]()
        for (table_id, seat), age in ages.items():
            keys = TableKeys.of(table_id)
            commands += [
                ("HSET", keys.pongs, str(seat), now - age),
                ("EXPIRE", keys.pongs, _PONGS_KEPT_S),
            ]
        with reaching_redis():
            await self._pipeline.calls(commands)

    async def forget(self, table_id: TableId, seat: int, processes: Sequence[str]) -> None:
        """Delete the player's sockets in these processes from the count."""
        keys, fields = (
            TableKeys.of(table_id),
            [_socket_field(seat, process) for process in processes],
        )
        with reaching_redis():
            await self._pipeline.calls(
                [
                    ("HDEL", keys.sockets, *fields),
                    ("HSET", keys.left, _lost_field(seat), self._now_ms()),
                    ("EXPIRE", keys.left, _KEPT_S),
                    ("PUBLISH", keys.channel, SEATS_CHANGED),
                ]
            )

    async def _read_counts(self, table_id: TableId) -> dict[tuple[int, str], int]:
        """Return by seat and process how many sockets of the player the process has."""
        with reaching_redis():
            return _parse_counts(
                await self._pipeline.call("HGETALL", TableKeys.of(table_id).sockets)
            )

    def _count_commands(self, table_id: TableId, seat: int) -> list[Command]:
        """Return the commands that store and publish how many sockets this process has at the
        seat."""
        keys, count = TableKeys.of(table_id), str(self._sockets[table_id, seat])
        return [
            ("HSET", keys.sockets, _socket_field(seat, self._heartbeat.process), count),
            ("EXPIRE", keys.sockets, _KEPT_S),
            ("PUBLISH", keys.channel, SEATS_CHANGED),
        ]

    async def report_departures(self) -> None:
        """Store each departure that could not be stored yet; one failure does not stop the
        others."""
        results = await asyncio.gather(
            *(self._report_departure(key) for key in self._unreported), return_exceptions=True
        )
        for error in filter(None, results):
            raise error

    async def _report_departure(self, key: tuple[TableId, int]) -> None:
        """Store how many sockets this process has at that seat, and again if the number has changed
        meanwhile."""
        left_at = self._unreported.get(key)
        if left_at is None:
            return  # another task has stored it
        table_id, seat = key
        keys, field = TableKeys.of(table_id), _socket_field(seat, self._heartbeat.process)
        stored = -1
        while (count := self._sockets[key]) != stored:
            commands: list[Command] = self._count_commands(table_id, seat)
            if not count:
                commands = [
                    ("HSET", keys.left, str(seat), left_at),
                    ("EXPIRE", keys.left, _KEPT_S),
                    ("HDEL", keys.sockets, field),
                    ("PUBLISH", keys.channel, SEATS_CHANGED),
                ]
            with reaching_redis():
                await self._pipeline.calls(commands)
            stored = count
        if self._unreported.get(key) == left_at:
            del self._unreported[key]

    async def report_again(self) -> None:
        """Store all socket counts again after an outage: other processes may have deleted them, or
        Redis may have lost them."""
        up = {shard: self._heartbeat.up_since_of(shard) for shard in range(SHARDS)}
        if up == self._reported_since:
            return
        is_new = {shard for shard in up if up[shard] != self._reported_since.get(shard)}
        reported = [key for key in self._sockets if shard_of(key[0]) in is_new]
        commands = [command for key in reported for command in self._count_commands(*key)]
        with reaching_redis():
            await self._pipeline.calls(commands)
        self._reported_since = up
        left_meanwhile = [key for key in reported if key not in self._sockets]
        self._unreported.update(dict.fromkeys(left_meanwhile, self._now_ms()))


def _parse_counts(rows: dict[bytes, bytes]) -> dict[tuple[int, str], int]:
    named = ((field.decode().split(":", 1), int(count)) for field, count in rows.items())
    return {(int(number), process): count for (number, process), count in named}


def _lost_field(seat: int) -> str:
    """Return the hash field that holds when the server gave up the seat's last sockets."""
    return f"lost:{seat}"


def _socket_field(seat: int, process: str) -> str:
    return f"{seat}:{process}"
