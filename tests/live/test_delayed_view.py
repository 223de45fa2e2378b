"""Open hands are shown after their end, at the pace of the hand, and in the same way by every
server."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import pytest

from game.archive.hand_schedule import MAX_GAP_MS, MIN_DELAY_MS, schedule_of
from game.engine.clock import ClockSettings
from game.engine.events import HandEnded
from game.engine.legal import pending_seats
from game.engine.perspective import OPEN_SPECTATOR
from game.engine.state import Phase
from game.live import outbound
from game.live.delayed_view import KEPT_MS, READ_EVERY_MS, DelayedView
from game.live.process import Process
from game.live.spectator_pacer import SpectatorPacer
from game.redis.cancellation import cancel_and_wait
from game.tables.codec import decode_commit, encode
from game.tables.keys import TableKeys
from game.tables.requests import End, Hold, Leave, Resume, Vote
from game.tables.room import Commit, Room, TableId, TableMeta, fold
from game.tables.sealing import site_sealer
from game.tables.settings import OpensAfter, TableSettings
from tests.kit.open_hands import Frame, scan_open_hands
from tests.tables.staging import FakeTime, MakeProcess, people, submit_answer, until_due
from tests.web.short_forms import full_event

pytestmark = pytest.mark.asyncio

STEP_MS: Final = 20_000
MINUTE_MS: Final = 60_000
UNLIMITED: Final = ClockSettings(base_ms=MINUTE_MS, bank_ms=0, is_unlimited=True)


@dataclass(eq=False)
class Spectator:
    """A socket that records the time of each frame."""

    time: FakeTime
    frames: list[Frame] = field(default_factory=list)
    viewer: int = OPEN_SPECTATOR
    person: str = ""
    sent_socket_count: int = 1
    blocked_people: frozenset[str] = frozenset()

    def set_viewer(self, room: Room) -> None:
        """Accept any viewer."""

    def deliver(self, frame: str, seq: int) -> None:
        assert json.loads(frame)["seq"] == seq
        self.frames.append((self.time.now, frame))

    def unseat(self) -> None:
        """Do nothing: it has no seat."""

    def deliver_chat(self, frame: str) -> None:
        """Do nothing: it reads no chat."""

    def deliver_socket_count(self, count: int) -> None:
        """Do nothing: it has no seat."""

    def deliver_spectator_count(self, count: int) -> None:
        """Do nothing."""

    def flush(self) -> None:
        """Do nothing: it has no queue."""

    def follow(self) -> list[Any]:
        """Return the events that came, after a check for gaps."""
        at, events = 0, list[Any]()
        for _, text in self.frames:
            frame = json.loads(text)
            if frame["t"] == "ev":
                assert frame["seq"] - len(frame["e"]) == at
                events += map(full_event, frame["e"])
            at = frame["seq"]
        return events


@dataclass(eq=False)
class Watched:
    """A table that is played, and web servers that show it with open hands."""

    make_process: MakeProcess
    time: FakeTime
    process: Process
    table_id: TableId
    views: list[DelayedView] = field(default_factory=list)
    sockets: list[Spectator] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    """The frames for pages that were loaded meanwhile, with their times."""
    names: int = 0

    async def new_process(self) -> Process:
        self.names += 1
        return await self.make_process(f"w{self.names}")

    async def new_server(self) -> DelayedView:
        """Add a web server with a spectator."""
        process = await self.new_process()
        view = DelayedView(
            process.store, process.rooms, outbound.encode, SpectatorPacer(), now_ms=self.time
        )
        socket = Spectator(self.time)
        await view.join(self.table_id, socket)
        await cancel_and_wait([view._task])  # only `look` lets the view read the log
        self.views.append(view)
        self.sockets.append(socket)
        return view

    async def stop_servers(self) -> None:
        for view in self.views:
            await view.stop()
        self.views.clear()

    def room(self, view: DelayedView) -> Room:
        room = view.room(self.table_id)
        assert room is not None
        return room

    async def look(self) -> None:
        """Let every server show what is due, and load a page from each."""
        for view in self.views:
            await view._advance(self.table_id)
            page = outbound.encode("sync", self.room(view), OPEN_SPECTATOR)
            self.frames.append((self.time.now, page))
        assert len({self.room(view).head for view in self.views}) <= 1, (
            "all servers show the same version"
        )

    async def pass_ms(self, span: int) -> None:
        until = self.time.now + span
        while self.time.now < until:
            self.time.now = min(until, self.time.now + STEP_MS)
            await self.process.heartbeat.beat()
            await self.look()

    async def move(self, think_ms: int = 1_000) -> Room:
        """Let the asked seats answer after that time, or let the table go on."""
        room = await self.process.service.read_room(self.table_id)
        if pending_seats(room.table) and not room.clock.paused_at:
            await self.pass_ms(think_ms)
            room = await submit_answer(
                self.process, await self.process.service.read_room(self.table_id)
            )
        else:
            room = await until_due(self.process, self.time, self.table_id)
        await self.look()
        return room

    async def play(self, *, hands: int, think_ms: int = 1_000) -> Room:
        """Play until that many hands have been dealt and the last of them is over."""
        room = await self.process.service.read_room(self.table_id)
        while room.table.hands_dealt < hands or room.table.phase != Phase.RESULT:
            room = await self.move(think_ms)
        return room

    async def commits(self) -> list[Commit]:
        rows = await self.process.store.read_entries(self.table_id, 1)
        return [decode_commit(data) for _, data in rows]

    async def show_all(self) -> None:
        """Let time pass until everything that may be shown has been shown."""
        room = await self.process.service.read_room(self.table_id)
        ends_at = schedule_of(room.meta, await self.commits()).ends_at()
        await self.pass_ms(ends_at - self.time.now + READ_EVERY_MS)

    async def scan(self, *, only_after_game: bool = False) -> int:
        """Return how many hands were shown, and check that none was shown too early."""
        frames = self.frames + [frame for socket in self.sockets for frame in socket.frames]
        return scan_open_hands(
            frames,
            await self.commits(),
            delay_ms=MIN_DELAY_MS,
            only_after_game=only_after_game,
        )


WatchTable = Callable[..., Awaitable[Watched]]


@pytest.fixture
async def watch_table(make_process: MakeProcess, time: FakeTime) -> Any:
    """Return a function that opens a table and shows it by two web servers."""
    made: list[Watched] = []

    async def make(
        *,
        clock: ClockSettings | None = None,
        count: int = 4,
        opens_after: OpensAfter = "hand",
        servers: int = 2,
    ) -> Watched:
        process = await make_process("a")
        table_id = await process.service.open_table(
            TableMeta(
                seats=people(count),
                clock=clock or ClockSettings(),
                settings=TableSettings(
                    watch="open_delayed",
                    watch_delay_s=MIN_DELAY_MS // 1000,
                    opens_after=opens_after,
                ),
            )
        )
        made.append(Watched(make_process, time, process, table_id))
        for _ in range(servers):
            await made[-1].new_server()
        return made[-1]

    yield make
    for frame in made:
        await frame.stop_servers()


# Interruptions in the middle of a hand


async def long_thought(watched: Watched) -> None:
    await watched.pass_ms(30 * MINUTE_MS)


async def voted_pauses(watched: Watched) -> None:
    for _ in range(3):
        for seat in range(4):
            await watched.process.service.apply_request(watched.table_id, Vote(seat, "pause"))
        room = await watched.process.service.read_room(watched.table_id)
        assert room.clock.paused_at
        await watched.pass_ms(11 * MINUTE_MS)
        await watched.process.due_work.run(watched.table_id)
        await watched.move()


async def hold_of_all_tables(watched: Watched) -> None:
    hold = Hold(40 * MINUTE_MS, "Maintenance")
    await watched.process.service.apply_request(watched.table_id, hold)
    await watched.pass_ms(40 * MINUTE_MS)
    await watched.process.service.apply_request(watched.table_id, Resume())


async def slow_players(watched: Watched) -> None:
    for _ in range(40):
        await watched.move(think_ms=20_000)


async def outage_of_a_process(watched: Watched) -> None:
    """Let the web server of the asked player fall silent; a worker waits for the server."""
    server = await watched.new_process()
    room = await watched.process.service.read_room(watched.table_id)
    while not pending_seats(room.table):
        room = await watched.move()
    await server.service.add_socket(watched.table_id, pending_seats(room.table)[0])
    for _ in range(5):
        await watched.pass_ms(MINUTE_MS)
        await watched.process.due_work.run(watched.table_id)
    await server.heartbeat.beat()


async def restarts_of_web_servers(watched: Watched) -> None:
    for _ in range(4):
        await watched.stop_servers()
        watched.time.pass_ms(2 * MINUTE_MS)
        for _ in range(2):
            await watched.new_server()
        await watched.move()


Happening = Callable[[Watched], Awaitable[None]]


@pytest.mark.parametrize(
    ("clock", "happening"),
    [
        (UNLIMITED, long_thought),
        (None, voted_pauses),
        (None, hold_of_all_tables),
        (None, slow_players),
        (None, outage_of_a_process),
        (UNLIMITED, restarts_of_web_servers),
    ],
)
async def test_unfinished_hand_is_never_shown(
    watch_table: WatchTable, clock: ClockSettings | None, happening: Happening
) -> None:
    watched = await watch_table(clock=clock)
    for _ in range(10):
        await watched.move()
    await happening(watched)
    await watched.play(hands=1)
    for _ in range(12):
        await watched.move()
    await happening(watched)
    await watched.play(hands=2)
    await watched.move()
    await watched.show_all()
    assert await watched.scan() == 2


async def test_a_rated_game_is_shown_after_its_end(watch_table: WatchTable) -> None:
    watched = await watch_table(opens_after="game")
    await watched.play(hands=2)
    await watched.pass_ms(30 * MINUTE_MS)
    assert not any(json.loads(text)["seq"] for _, text in watched.frames)
    await watched.process.service.apply_request(watched.table_id, End())
    await watched.show_all()
    assert await watched.scan(only_after_game=True) == 2
    assert watched.room(watched.views[0]).table.phase == Phase.ENDED


async def test_last_hand_of_a_broken_off_game_is_shown(watch_table: WatchTable) -> None:
    watched = await watch_table()
    for _ in range(12):
        await watched.move()
    await watched.process.service.apply_request(watched.table_id, End())
    await watched.show_all()
    assert await watched.scan() == 1


async def test_hand_is_shown_at_its_pace_and_once(watch_table: WatchTable) -> None:
    watched = await watch_table()
    await watched.play(hands=2, think_ms=4_000)
    await watched.show_all()
    commits = await watched.commits()
    ends = [
        commit.at
        for commit in commits
        if any(isinstance(event, HandEnded) for event in commit.events)
    ]
    first_ms, second_ms = ends[0] - commits[0].at, ends[1] - ends[0]
    (socket, _) = watched.sockets
    events = socket.follow()
    assert [event["type"] for event in events].count("start_kyoku") == 2
    frames = [(at, json.loads(text)) for at, text in socket.frames]
    shown = [(at, frame["e"]) for at, frame in frames if frame["t"] == "ev"]
    length = shown[-1][0] - shown[0][0]
    wait_ms = max(0, second_ms - first_ms)  # the second hand is shown once it is over
    assert length == pytest.approx(commits[-1].at - commits[0].at + wait_ms, abs=60_000)
    for (before, _), (at, facts) in pairwise(shown):
        is_deal = any(full_event(fact)["type"] == "start_kyoku" for fact in facts)
        assert at - before <= MAX_GAP_MS + (wait_ms if is_deal else 0)


async def test_long_pause_is_shown_shortened(watch_table: WatchTable) -> None:
    watched = await watch_table(clock=UNLIMITED)
    await watched.move()
    await watched.pass_ms(300 * MINUTE_MS)
    room = await watched.play(hands=1)
    commits = await watched.commits()
    played_ms = commits[-1].at - commits[0].at
    schedule = schedule_of(room.meta, commits)
    starts_at = schedule.next_start()
    assert starts_at == commits[-1].at + MIN_DELAY_MS
    assert played_ms > 300 * MINUTE_MS
    assert schedule.ends_at() - starts_at < played_ms - 300 * MINUTE_MS + 2 * MAX_GAP_MS


async def test_reconnected_server_shows_the_whole_table(watch_table: WatchTable) -> None:
    watched = await watch_table(servers=1)
    await watched.play(hands=2)
    await watched.pass_ms(READ_EVERY_MS)
    room = await watched.process.service.read_room(watched.table_id)
    watched.time.now = schedule_of(room.meta, await watched.commits()).ends_at()
    await watched.look()
    assert json.loads(watched.sockets[0].frames[-1][1])["t"] == "sync"
    assert watched.room(watched.views[0]).table.hands_dealt == 2
    assert await watched.scan() == 2


async def lose_end(watched: Watched, last: int) -> None:
    """Restore Redis with a log that ends with that version."""
    keys, redis = TableKeys.of(watched.table_id), watched.process.redis
    rows: Any = await redis.xrange(keys.log)
    commits = await watched.commits()
    room = Room(watched.table_id, (await watched.process.service.read_room(watched.table_id)).meta)
    await redis.delete(keys.log)
    for row_id, fields in rows[:last]:
        await redis.xadd(keys.log, fields, id=row_id)
    for commit in commits[:last]:
        room = fold(room, commit)
    sealed = site_sealer().seal(encode(room), "snapshot", watched.table_id, room.version)
    await redis.set(keys.snap, sealed)
    head: Any = redis.hset(keys.meta, "head", room.head)
    await head
    watched.process = await watched.new_process()


async def test_hand_with_a_lost_end_is_not_shown(watch_table: WatchTable) -> None:
    watched = await watch_table(clock=UNLIMITED)
    await watched.play(hands=1)
    await watched.pass_ms(READ_EVERY_MS)
    await lose_end(watched, len(await watched.commits()) - 5)
    await watched.pass_ms(20 * MINUTE_MS)
    assert not any(json.loads(text)["seq"] for _, text in watched.frames)
    await watched.play(hands=1)
    await watched.show_all()
    assert await watched.scan() == 1


async def test_replayed_end_of_a_hand_replaces_the_lost_one(watch_table: WatchTable) -> None:
    """The lost steps are played again before the servers read the log again, so that the new
    versions have the numbers of the lost ones."""
    watched = await watch_table()
    await watched.play(hands=1)
    await watched.pass_ms(READ_EVERY_MS)
    await lose_end(watched, len(await watched.commits()) - 5)
    views, watched.views = watched.views, []
    await watched.play(hands=1)
    watched.views = views
    await watched.show_all()
    assert await watched.scan() == 1
    last = (await watched.commits())[-1]
    assert {watched.room(view).token for view in views} == {last.token}


async def test_memory_holds_one_hand_of_any_game(watch_table: WatchTable) -> None:
    watched = await watch_table(opens_after="game", servers=1)
    await watched.play(hands=4)
    await watched.process.service.apply_request(watched.table_id, End())
    commits = len(await watched.commits())
    (view,) = watched.views
    follow = view._watched[watched.table_id]
    held = list[int]()
    while watched.room(view).table.phase != Phase.ENDED:
        await watched.pass_ms(STEP_MS)
        held.append(len(follow.showing))
    assert commits / 5 < max(held) < commits / 3


async def test_steps_are_encoded_once_for_all_spectators(watch_table: WatchTable) -> None:
    watched = await watch_table(servers=0)
    asked = list[int]()

    def encoded(kind: Any, room: Room, viewer: int, events: Any = ()) -> str:
        asked.append(viewer)
        return outbound.encode(kind, room, viewer, events)

    process = watched.process
    view = DelayedView(process.store, process.rooms, encoded, process.pacer, now_ms=watched.time)
    watched.views.append(view)
    sockets = [Spectator(watched.time) for _ in range(1_000)]
    for socket in sockets:
        await view.join(watched.table_id, socket)
    await cancel_and_wait([view._task])
    await watched.process.service.apply_request(watched.table_id, End())
    watched.time.pass_ms(READ_EVERY_MS)
    await watched.look()
    watched.time.pass_ms(MIN_DELAY_MS)
    await watched.look()
    assert asked == [OPEN_SPECTATOR] * len(sockets[0].frames)
    assert len(asked) == 2, "the deal, and the end"
    assert all(socket.frames == sockets[0].frames for socket in sockets)


async def test_removed_log_leaves_the_last_view(watch_table: WatchTable) -> None:
    watched = await watch_table(servers=1)
    await watched.process.service.apply_request(watched.table_id, End())
    await watched.show_all()
    keys = TableKeys.of(watched.table_id)
    await watched.process.redis.delete(keys.log, keys.meta, keys.snap)
    await watched.pass_ms(READ_EVERY_MS)
    assert watched.room(watched.views[0]).table.phase == Phase.ENDED


async def test_players_of_that_time_are_named(watch_table: WatchTable) -> None:
    watched = await watch_table(count=2, servers=0)
    await watched.process.service.apply_request(watched.table_id, Leave(0))
    view = await watched.new_server()
    assert [bool(seat.bot) for seat in watched.room(view).meta.seats] == [False, False, True, True]
    await watched.process.service.apply_request(watched.table_id, End())
    await watched.show_all()
    assert watched.room(view).has_left(0)


async def test_spectators_never_reach_a_running_hand(watch_table: WatchTable) -> None:
    watched = await watch_table(clock=UNLIMITED, servers=1)
    (view,) = watched.views
    for _ in range(20):
        await watched.move()
    await watched.pass_ms(30 * MINUTE_MS)
    assert view.seen_until(watched.table_id) == 0
    await watched.play(hands=1)
    ended_at = watched.time.now
    for _ in range(6):
        await watched.move()
    await watched.show_all()
    assert view.seen_until(watched.table_id) == ended_at
    await watched.process.service.apply_request(watched.table_id, End())
    ended_at = watched.time.now
    await watched.show_all()
    assert ended_at < view.seen_until(watched.table_id) <= watched.time.now - MIN_DELAY_MS


async def test_table_without_spectators_is_dropped(watch_table: WatchTable) -> None:
    watched = await watch_table(servers=1)
    (view,) = watched.views
    view.leave(watched.table_id, watched.sockets[0])
    watched.time.pass_ms(KEPT_MS + 1)
    await view._advance(watched.table_id)
    assert view.room(watched.table_id) is None
