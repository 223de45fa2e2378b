"""Which players have a socket, in which process, and whether a late one is really late.

A socket whose process is dead or cut off has not been left by its player: their time is
given back. Nor has a player left who has closed one socket and may be waiting for another at a
process that hangs. Only who stays away although all processes receive people, or long after such a
loss, is gone.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from enum import Enum
from typing import Final

from redis.asyncio import Redis

from game.engine.state import SEATS
from game.live.heartbeat import SILENT_AFTER_MS, Heartbeat, NowMs, now_ms, overlap_ms
from game.redis.connection import Command
from game.redis.pipeline import Pipeline
from game.tables import metrics
from game.tables.codec import HeartbeatRecord
from game.tables.errors import TablesUnavailable
from game.tables.room import TableId
from game.tables.store import TableKeys, reaching_redis

SEATS_POKE: Final = "seats"
"""What a table's channel says when a socket at a seat has come or gone; a head is never that."""
LOST_AFTER_MS: Final = 60_000
"""How long a player may take to come back after the server has lost their socket."""
COMES_BACK_WITHIN_MS: Final = 10_000
"""How long after closing a socket a player may try to open another, as who reloads a page: what
began to hang later has kept nobody out."""
_FORGOTTEN_AFTER_S: Final = 2 * 86_400


class Verdict(Enum):
    """What to do about a seat whose time is over."""

    LATE = "late"
    """The player was there and did not answer."""
    GONE = "gone"
    """The player has left."""
    OUTAGE = "outage"
    """The server could not hear the player: the question is put afresh."""
    WAIT = "wait"
    """The server cannot hear the player at present."""


class Presence:
    """Sockets at seats, by process."""

    def __init__(self, redis: Redis, pulse: Heartbeat, *, now_ms: NowMs = now_ms) -> None:
        self._lane = Pipeline(redis)
        self._pulse = pulse
        self._now_ms = now_ms
        self._sockets: Counter[tuple[TableId, int]] = Counter()
        self._unsaid: dict[tuple[TableId, int], int] = {}
        """Seats of whose departed sockets Redis has not been told, and when they departed."""
        self._told_since = 0
        """The end of the outage after which Redis was told who is here."""
        pulse.after_beat += [self._catch_up, self._tell_again]

    async def arrive(self, table_id: TableId, seat: int) -> bool:
        """A socket of the seat's player has opened in this process.

        True if the player's sockets had been lost with the processes that held them, or one may
        have waited for a process that hung. What was lost stays noted until `restored`: who judges
        the seat meanwhile is to know of it.
        """
        self._sockets[table_id, seat] += 1
        metrics.SEATS.set(len(self._sockets))
        self._unsaid.pop((table_id, seat), None)
        others = [p for p in await self._processes(table_id, seat) if p != self._pulse.process]
        records = await self._pulse.records(others) if others else []
        keys = TableKeys.of(table_id)
        field, count = _field(seat, self._pulse.process), self._count(table_id, seat)
        if others:
            is_lost = all(self._is_silent(record) for record in records)
        else:
            is_lost = await self._was_kept_out(table_id, seat)
        with reaching_redis():
            await self._lane.calls(
                [
                    ("HSET", keys.here, field, count),
                    ("EXPIRE", keys.here, _FORGOTTEN_AFTER_S),
                    ("PUBLISH", keys.poke, SEATS_POKE),
                ]
            )
            if not is_lost:
                await self._lane.call("HDEL", keys.left, str(seat))
        return is_lost

    async def restored(self, table_id: TableId, seat: int) -> None:
        """The seat's player has the time back that went with lost sockets, or in front of a
        process that hung: if they have others, these are forgotten, and when they had left."""
        processes = await self._processes(table_id, seat)
        records = await self._pulse.records(processes)
        pairs = zip(processes, records, strict=True)
        silent = [process for process, record in pairs if self._is_silent(record)]
        if len(silent) == len(processes):
            return
        with reaching_redis():
            await self._lane.call("HDEL", TableKeys.of(table_id).left, str(seat))
        if silent:
            await self._forget(table_id, seat, silent)

    async def leave(self, table_id: TableId, seat: int) -> None:
        """A socket of the seat's player has closed, and not because the server goes down."""
        self._sockets[table_id, seat] -= 1
        if self._sockets[table_id, seat] <= 0:
            del self._sockets[table_id, seat]
        metrics.SEATS.set(len(self._sockets))
        if self._pulse.is_stopping:
            await self._say_moved(table_id, seat)
            return
        self._unsaid[table_id, seat] = self._now_ms()
        try:
            await self._catch_up()
        except TablesUnavailable:
            return

    async def _say_moved(self, table_id: TableId, seat: int) -> None:
        """Tell Redis that the socket counts no more. The process stays noted at the seat: its
        player has not left, and comes back to another process."""
        keys = TableKeys.of(table_id)
        with contextlib.suppress(TablesUnavailable), reaching_redis():
            await self._lane.calls(
                [
                    (
                        "HSET",
                        keys.here,
                        _field(seat, self._pulse.process),
                        self._count(table_id, seat),
                    ),
                    ("EXPIRE", keys.here, _FORGOTTEN_AFTER_S),
                    ("PUBLISH", keys.poke, SEATS_POKE),
                ]
            )

    async def is_here(self, table_id: TableId, seat: int) -> bool:
        """Whether the seat's player has a socket somewhere, as far as is known."""
        return bool(await self._processes(table_id, seat))

    async def sockets(self, table_id: TableId) -> list[int]:
        """By seat: how many sockets its player has, here and in other processes that are alive."""
        said = await self._said(table_id)
        others = list({process for _, process in said} - {self._pulse.process})
        records = await self._pulse.records(others) if others else []
        pairs = zip(others, records, strict=True)
        alive = {process for process, record in pairs if not self._is_silent(record)}
        return [
            self._sockets[table_id, seat]
            + sum(n for (at, process), n in said.items() if at == seat and process in alive)
            for seat in SEATS
        ]

    async def judge(
        self, table_id: TableId, seat: int, *, asked_at: int, expires_at: int
    ) -> Verdict:
        """What to do about that seat, whose time ended at `expires_at`."""
        now = self._now_ms()
        processes = await self._processes(table_id, seat)
        if not processes:
            return await self._judge_absent(table_id, seat, asked_at, expires_at)
        records = await self._pulse.records(processes)
        known = [record for record in records if record is not None]
        heard = [record for record in known if record.beat_at >= expires_at]
        if heard:
            is_lost = any(self._is_silent(record) for record in records)
            is_cut_off = all(overlap_ms(record.outages, asked_at, now) for record in heard)
            if is_lost or is_cut_off or await self._was_kept_out(table_id, seat):
                return Verdict.OUTAGE
            return Verdict.LATE
        last_heard = max((record.beat_at for record in known), default=0)
        if now - max(last_heard, self._pulse.up_since, asked_at) < LOST_AFTER_MS:
            return Verdict.WAIT
        await self._forget(table_id, seat, processes)
        return Verdict.GONE

    async def _judge_absent(
        self, table_id: TableId, seat: int, asked_at: int, expires_at: int
    ) -> Verdict:
        """Of who has no socket: whether they may be at a door that the house keeps shut."""
        if self._pulse.outage_ms(asked_at):
            return Verdict.OUTAGE
        now, receiving, comes_by = self._now_ms(), *await self._doors(table_id, seat)
        for record in receiving:
            is_heard = record.beat_at >= expires_at and not self._is_silent(record)
            if not is_heard and record.beat_at <= comes_by and now - record.beat_at < LOST_AFTER_MS:
                return Verdict.WAIT
        hung = any(_kept_out_ms(record, comes_by, asked_at, now) for record in receiving)
        return Verdict.OUTAGE if hung else Verdict.GONE

    async def _was_kept_out(self, table_id: TableId, seat: int) -> bool:
        """Whether who comes now may have tried to since they left, at a process that hung."""
        now, receiving, comes_by = self._now_ms(), *await self._doors(table_id, seat)
        left_at = comes_by - COMES_BACK_WITHIN_MS
        return now - left_at > SILENT_AFTER_MS and any(
            _kept_out_ms(record, comes_by, left_at, now)
            or (self._is_silent(record) and record.beat_at <= comes_by)
            for record in receiving
            if now - record.beat_at < LOST_AFTER_MS
        )

    async def _doors(self, table_id: TableId, seat: int) -> tuple[list[HeartbeatRecord], int]:
        """The processes at which the seat's player may come in, and until when they would have
        tried to after they left; none for who has never been here."""
        with reaching_redis():
            said = await self._lane.call("HGET", TableKeys.of(table_id).left, str(seat))
        if said is None:
            return [], 0
        return await self._pulse.receiving(), int(said) + COMES_BACK_WITHIN_MS

    async def _forget(self, table_id: TableId, seat: int, processes: list[str]) -> None:
        fields = [_field(seat, process) for process in processes]
        with reaching_redis():
            await self._lane.call("HDEL", TableKeys.of(table_id).here, *fields)

    async def _processes(self, table_id: TableId, seat: int) -> list[str]:
        return [process for at, process in await self._said(table_id) if at == seat]

    async def _said(self, table_id: TableId) -> dict[tuple[int, str], int]:
        """By seat and process: how many sockets of its player the process has said it holds."""
        with reaching_redis():
            rows = await self._lane.call("HGETALL", TableKeys.of(table_id).here)
        named = ((field.decode().split(":", 1), int(count)) for field, count in rows.items())
        return {(int(number), process): count for (number, process), count in named}

    def _count(self, table_id: TableId, seat: int) -> str:
        return str(self._sockets[table_id, seat])

    def _is_silent(self, record: HeartbeatRecord | None) -> bool:
        return record is None or self._now_ms() - record.beat_at > SILENT_AFTER_MS

    async def _catch_up(self) -> None:
        """Tell Redis who has left."""
        for key, left_at in list(self._unsaid.items()):
            await self._say(key, left_at)
            if self._unsaid.get(key) == left_at:
                del self._unsaid[key]

    async def _say(self, key: tuple[TableId, int], left_at: int) -> None:
        """Tell Redis how many sockets of that seat are here, until that is how many are."""
        table_id, seat = key
        keys, field = TableKeys.of(table_id), _field(seat, self._pulse.process)
        said = -1
        while (count := self._sockets[key]) != said:
            with reaching_redis():
                if count:
                    await self._lane.call("HSET", keys.here, field, str(count))
                else:
                    await self._lane.calls(
                        [
                            ("HSET", keys.left, str(seat), left_at),
                            ("EXPIRE", keys.left, _FORGOTTEN_AFTER_S),
                            ("HDEL", keys.here, field),
                        ]
                    )
                await self._lane.call("PUBLISH", keys.poke, SEATS_POKE)
            said = count

    async def _tell_again(self) -> None:
        """After an outage, tell Redis who is here: the others may have given them up, or Redis
        may have lost it."""
        since = self._pulse.up_since
        if since == self._told_since:
            return
        told = list(self._sockets)
        commands = list[Command]()
        for table_id, seat in told:
            here, field = TableKeys.of(table_id).here, _field(seat, self._pulse.process)
            commands.append(("HSET", here, field, self._count(table_id, seat)))
            commands.append(("EXPIRE", here, _FORGOTTEN_AFTER_S))
        with reaching_redis():
            await self._lane.calls(commands)
        self._told_since = since
        left_meanwhile = [key for key in told if key not in self._sockets]
        self._unsaid.update(dict.fromkeys(left_meanwhile, self._now_ms()))


def _kept_out_ms(record: HeartbeatRecord, comes_by: int, since: int, until: int) -> int:
    """How much of that time who has left may have waited for that process: it hung before they
    would have come to it."""
    hung = [(start, end) for start, end in record.outages if start <= comes_by]
    return overlap_ms(hung, since, until)


def _field(seat: int, process: str) -> str:
    return f"{seat}:{process}"
