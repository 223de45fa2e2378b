"""Stages tests of tables: a clock that the test moves, sockets, players."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, Literal

from msgspec.structs import replace
from redis import Redis

from game.engine.actions import Action, Confirm, Discard, Pass, Win
from game.engine.by_seat import BySeat
from game.engine.clock import WAITING_PHASES, ClockSettings
from game.engine.events import Event
from game.engine.legal import legal, pending_seats
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase
from game.live.process import Process
from game.tables.outcomes import Done, Outcome
from game.tables.room import Room, SeatMeta, TableId, TableMeta
from game.tables.scheduler import due_at
from game.tables.service import Service
from game.tables.settings import TableSettings
from tests.kit.processes import RedisServer
from tests.kit.redises import Cluster as RedisCluster

SharedRedis = RedisServer | RedisCluster
MakeProcess = Callable[[str], Awaitable[Process]]
"""A function that makes the objects of a server process of that name."""
START = 1_790_000_000_000
AT_ONCE = ClockSettings(
    lead_ms=0,
    deal_ms=0,
    reaction_ms=0,
    result_pause_ms=0,
    bot_min_ms=0,
    bot_max_ms=0,
    away_ms=0,
    forced_ms=0,
)
"""A clock without any pauses."""
USUAL_CLOCK = ClockSettings()
NEVER_OVER = replace(
    TENHOU, name="never over", false_declarations=True, chombo="reverse_mangan", tobi=False
)
"""Rules that replay a hand after a false win, however often."""
_LAST_TILES = 6
"""The number of tiles in the wall during which the dealer surely has a turn."""


class FakeTime:
    """The time in milliseconds since the epoch, moved by the test."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now

    def pass_ms(self, span: int) -> None:
        self.now += span


class FakeSocket:
    """A socket that keeps the frames that it is handed."""

    def __init__(self, viewer: int, person: str | None = None) -> None:
        self.viewer = viewer
        self.person = person_at(viewer) if person is None else person
        self.is_unseated = False
        self.spectator_count = 0
        self.absent: list[int] = []
        """The seats that were last shown as absent."""
        self.sent_socket_count = 1
        self.blocked_people: frozenset[str] = frozenset()
        self.frames: list[dict[str, Any]] = []

    def set_viewer(self, room: Room) -> None:
        """Keep the viewer."""

    def deliver(self, frame: str, seq: int) -> None:
        content = json.loads(frame)
        if content["t"] == "absent":
            self.absent = [at for at, is_absent in enumerate(content["seats"]) if is_absent]
        else:
            assert content["seq"] == seq
            self.frames.append(content)

    def unseat(self) -> None:
        self.is_unseated = True

    def deliver_chat(self, frame: str) -> None:
        """Do nothing: it reads no chat."""

    def deliver_socket_count(self, count: int) -> None:
        self.sent_socket_count = count

    def deliver_spectator_count(self, count: int) -> None:
        self.spectator_count = count

    def flush(self) -> None:
        """Do nothing: it has no queue."""

    @property
    def types(self) -> list[str]:
        return [event for frame in self.frames for event in frame["e"]]


def plain_frame(
    kind: Literal["ev", "sync"], room: Room, viewer: int, events: Sequence[Event] = ()
) -> str:
    """Return a frame that has only the types of its events."""
    types = [event.__struct_config__.tag for event in events]
    return json.dumps({"t": kind, "seq": room.seq(viewer), "version": room.version, "e": types})


def person_at(seat: int) -> str:
    """Return the id of the person who has the seat at the start; '' for a bot."""
    return f"0000000{seat}-0000-4000-8000-000000000000" if 0 <= seat < 4 else ""


def people(count: int = 4, bot: str = "tsumogiri", seats: int = 4) -> BySeat[SeatMeta]:
    """Return seats with that many persons, named by their seats, and then bots."""
    return tuple(
        SeatMeta(name=f"p{seat}", person=person_at(seat))
        if seat < count
        else SeatMeta(name=f"b{seat}", bot=bot)
        for seat in range(seats)
    )


async def open_people_table(
    process: Process,
    *,
    clock: ClockSettings = USUAL_CLOCK,
    count: int = 4,
    rules: RuleSet = TENHOU,
) -> TableId:
    """Open a table with that many persons."""
    seats = people(count, seats=rules.players)
    settings = TableSettings(rules=rules)
    return await process.service.open_table(TableMeta(seats=seats, clock=clock, settings=settings))


def quiet_answer(room: Room, seat: int) -> Action:
    """Return the action of a player who discards what was drawn, passes, and confirms."""
    if room.table.phase == Phase.CLAIMS:
        return Pass()
    if room.table.phase == Phase.RESULT:
        return Confirm()
    choices = legal(room.table, seat)
    for action in choices:
        if isinstance(action, Discard) and action.tsumogiri:
            return action
    return choices[0]


def answer_without_end(room: Room, seat: int) -> Action:
    """Return the quiet answer, but let the dealer foul when the wall is nearly used up: under
    `NEVER_OVER`, hands of full length then follow each other."""
    table = room.table
    is_last_turn = table.phase == Phase.TURN and table.left <= _LAST_TILES
    return Win() if is_last_turn and seat == table.dealer else quiet_answer(room, seat)


def masters(server: SharedRedis) -> Iterator[Redis]:
    """Yield a connection to each server that has keys."""
    addresses = (
        [f"redis://127.0.0.1:{master.port}" for master in server.masters]
        if isinstance(server, RedisCluster)
        else [server.url]
    )
    for address in addresses:
        with Redis.from_url(address) as connection:
            yield connection


async def seconds_kept(redis: Any, key: str) -> int:
    """Return after how many seconds Redis will delete the key; below 0 if it will not."""
    script = "return redis.call('TTL', KEYS[1])"  # the site itself sends no TTL
    return int(await redis.eval(script, 1, key))


async def submit_answer(process: Process, room: Room, action: Action | None = None) -> Room:
    """Submit this answer, or a quiet one, for the first seat that is asked; return the room after
    it."""
    seat = pending_seats(room.table)[0]
    outcome = await process.service.submit(
        room.table_id,
        seat=seat,
        cid=f"quiet-{room.version}",
        step=room.table.step,
        action=action or quiet_answer(room, seat),
    )
    if not isinstance(outcome, Done):
        raise ValueError(f"seat {seat} was refused at table {room.table_id}: {outcome}")
    return outcome.room


async def submit_quietly(service: Service, room: Room, cid: str = "c") -> Outcome:
    """Submit the quiet answer of the only seat that is asked."""
    (seat,) = pending_seats(room.table)
    return await service.submit(
        room.table_id,
        seat=seat,
        cid=cid,
        step=room.table.step,
        action=quiet_answer(room, seat),
    )


async def discards_quietly(process: Process, table_id: TableId) -> Room:
    """Let the seat on turn discard what it has drawn."""
    room = await process.service.read_room(table_id)
    assert room.table.phase == Phase.TURN
    return await submit_answer(process, room)


async def until_due(process: Process, time: FakeTime, table_id: TableId) -> Room:
    """Let time pass until the server has something to do at the table, and let the server do it. A
    pause passes to its end, so that what follows is shown at once."""
    room = await process.service.read_room(table_id)
    due = due_at(room)
    if (
        room.table.phase in WAITING_PHASES
        and not pending_seats(room.table)
        and not room.clock.paused_at
    ):
        due = room.clock.closes_at
    while due is not None and time.now < due:
        time.now = min(due, time.now + 1_000)
        # Move in small steps: a process that misses heartbeats asks its questions again.
        await process.heartbeat.beat()
    await process.heartbeat.beat()
    await process.due_work.run(table_id)
    return await process.service.read_room(table_id)


async def run_for(
    span: int, worker: Process, time: FakeTime, table_id: TableId, *others: Process
) -> Room:
    """Let the worker do what is due for that time. It and `others` send heartbeats."""
    until = time.now + span
    while time.now < until:
        time.now = min(until, time.now + 500)
        for process in (worker, *others):
            await process.heartbeat.beat()
        due = due_at(await worker.service.read_room(table_id))
        if due is not None and due <= time.now:
            await worker.due_work.run(table_id)
    return await worker.service.read_room(table_id)


async def wait_for(condition: Callable[[], Any], wait_s: float = 60) -> None:
    """Wait for a condition that depends on a real connection."""
    for _ in range(int(wait_s / 0.01)):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"the condition did not hold within {wait_s} s")
