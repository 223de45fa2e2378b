"""Decides what the server does at a table when time is over.

Owns every rule about late players: who is late, who has left, and whose time was lost because of
the server. Pure: takes room, heartbeats, sockets and time as data, and returns a decision.
`scheduler` computes when a table is due; `game.live.presence` reads heartbeats and sockets;
`due_work` carries the decision out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from game.engine.legal import pending_seats
from game.engine.state import DrawState, Phase
from game.tables.codec import HeartbeatRecord
from game.tables.room import Room
from game.tables.scheduler import SECRET_PHASES, PlayedBy, answers_at, expires_at, played_by
from game.tables.wall_draws import OUTAGE_GRACE_MS, awaited_seats

SILENT_AFTER_MS: Final = 1_500
"""How long a process may send no heartbeat. After that it hangs, has died, or cannot reach
Redis."""
LOST_AFTER_MS: Final = 60_000
"""How long a player may take to return after the server has lost their socket, while no other
process accepts players."""
RECONNECTS_WITHIN_MS: Final = 30_000
"""How long a player may take at least to come to another process. A page notices after up to 16
seconds that a machine is gone, and a proxy leaves a hung process after 20."""
RETURNS_WITHIN_MS: Final = 10_000
"""How long after a closed socket a player is expected to open another, for example after a reload.
Stalls that start later are ignored."""
QUESTION_DELAYED_MS: Final = 1_000
"""The delay from which a question is opened again when it reaches its player."""
ANSWERS_WITHIN_MS: Final = 3_000
"""How recently a page must have answered a ping to count as connected."""
LOOK_AGAIN_MS: Final = 500
"""The time after which a table is due again if nothing can be done for a late player."""
LOOK_AGAIN_UNLIMITED_MS: Final = 5_000
"""The same time at a table without time limits."""


@dataclass(frozen=True, slots=True)
class Heartbeats:
    """Heartbeats of processes, as one process reads them. Times are ms since the epoch."""

    by_process: Mapping[str, HeartbeatRecord] = field(default_factory=dict)
    """The last heartbeat of each process. A process whose heartbeat has expired is missing."""
    accepting: tuple[str, ...] = ()
    """Processes that accept sockets of players, including some that have died."""
    own_outages: tuple[tuple[int, int], ...] = ()
    """When the process that reads them stalled or could not reach Redis."""
    up_since: int = 0
    """Since when the process that reads them has reached Redis without a gap."""

    def is_silent(self, process: str, now: int) -> bool:
        """Return whether the process has sent no heartbeat for `SILENT_AFTER_MS`."""
        record = self.by_process.get(process)
        return record is None or now - record.beat_at > SILENT_AFTER_MS


@dataclass(frozen=True, slots=True)
class SeatSockets:
    """The sockets of one player, as Redis knows them."""

    processes: tuple[str, ...] = ()
    """Processes that have a socket, or had one when they died."""
    left_at: int | None = None
    """When the player last closed all sockets of a process; None if never, or if they have returned
    since."""
    answered_at: int = 0
    """When their browser last answered a ping, during the draw of the wall; 0 for never."""
    lost_at: int = 0
    """When the server last gave up sockets of processes that had died; 0 for never."""
    counts: tuple[int, ...] = ()
    """How many sockets each of `processes` has."""


NO_SOCKETS: Final = SeatSockets()
_WAITED_FOR: Final = (PlayedBy.PERSON, PlayedBy.ABSENT)


class Verdict(Enum):
    """Why a late player has not answered."""

    LATE = "late"
    """The player was connected and did not answer."""
    GONE = "gone"
    """The player has left."""
    OUTAGE = "outage"
    """The server could not receive the player's answer for a while."""
    WAIT = "wait"
    """The server cannot receive the player's answer now."""


@dataclass(frozen=True, slots=True)
class TimeoutDecision:
    """What the server does at a table now. Tuples are seats."""

    resume: bool = False
    """Whether the pause is over: the clocks are started again."""
    calls_last_hand: bool = False
    """Whether the time of the round is over: the last hand is called."""
    proceed: bool = False
    """Whether nobody has to answer: the game goes on."""
    closes_draw: bool = False
    """Whether the time of the current step of the wall's draw is over."""
    bots: tuple[int, ...] = ()
    """Bots that answer now."""
    timed_out: tuple[int, ...] = ()
    """Seats for which the server answers."""
    gone: tuple[int, ...] = ()
    """Seats whose players have left. They are also in `timed_out`."""
    replaced: tuple[int, ...] = ()
    """Those of them that a stand-in plays from now on. This is public, so that it does not begin
    with a secret question."""
    reopen: tuple[int, ...] = ()
    """Seats whose open question is asked again, with its full time."""
    charges_time: bool = True
    """Whether players' time is used up. It is not if the server plays every late seat."""

    @property
    def does_nothing(self) -> bool:
        """Whether the server does nothing now. It checks again at `look_again_at`."""
        acts = (self.bots, self.timed_out, self.gone, self.reopen)
        flags = (self.resume, self.calls_last_hand, self.proceed, self.closes_draw)
        return not (any(flags) or any(acts))


def decide_timeouts(
    room: Room, heartbeats: Heartbeats, sockets: Mapping[int, SeatSockets], now: int
) -> TimeoutDecision:
    """Decide what the server does at a room that is due. `sockets` has those of `late_players`."""
    if room.clock.paused_at:
        return TimeoutDecision(resume=True)
    if 0 < room.clock.round_ends_at <= now:
        return TimeoutDecision(calls_last_hand=True)
    if room.table.is_drawing_wall:
        return TimeoutDecision(
            closes_draw=not _waits_longer_for_pages(room, heartbeats, sockets, now)
        )
    if not pending_seats(room.table):
        return TimeoutDecision(proceed=True, charges_time=False)
    bots, timed_out, gone, reopen = list[int](), list[int](), list[int](), list[int]()
    late = _late_seats(room, now)
    for seat in late:
        player = played_by(room, seat)
        own = sockets.get(seat, NO_SOCKETS)
        match player:
            case PlayedBy.BOT:
                bots.append(seat)
            case PlayedBy.STAND_IN:
                timed_out.append(seat)
            case PlayedBy.ABSENT if now < expires_at(room, seat):
                if has_surely_left(own, heartbeats, now):
                    timed_out.append(seat)
            case PlayedBy.ABSENT | PlayedBy.PERSON:
                match judge_player(
                    own,
                    heartbeats,
                    asked_at=room.clock.asked_at[seat],
                    expires_at=expires_at(room, seat),
                    now=now,
                ):
                    case Verdict.LATE if not _is_unlimited(room):
                        timed_out.append(seat)
                    case Verdict.GONE:
                        timed_out.append(seat)
                        gone.append(seat)
                    case Verdict.OUTAGE:
                        reopen.append(seat)
                    case Verdict.LATE | Verdict.WAIT:
                        pass
    return TimeoutDecision(
        bots=tuple(bots),
        timed_out=tuple(timed_out),
        gone=tuple(gone),
        replaced=() if room.table.phase in SECRET_PHASES else tuple(gone),
        reopen=tuple(reopen),
        charges_time=any(played_by(room, seat) in _WAITED_FOR for seat in late),
    )


def late_players(room: Room, now: int) -> list[int]:
    """Return the seats of players who have run out of time."""
    if room.clock.paused_at:
        return []
    if room.table.is_drawing_wall:
        return [*awaited_seats(room)]
    return [seat for seat in _late_seats(room, now) if played_by(room, seat) in _WAITED_FOR]


def look_again_at(room: Room, now: int) -> int:
    """Return when (ms) to check again a room that is due but where nothing can be done now."""
    if room.table.is_drawing_wall and now < (latest := _draw_step_ends_at(room)):
        return min(now + LOOK_AGAIN_MS, latest)
    return now + (LOOK_AGAIN_UNLIMITED_MS if room.meta.clock.is_unlimited else LOOK_AGAIN_MS)


def judge_player(
    sockets: SeatSockets, heartbeats: Heartbeats, *, asked_at: int, expires_at: int, now: int
) -> Verdict:
    """Decide why a player has not answered by `expires_at` the question that was asked at
    `asked_at`. Times are ms."""
    if not sockets.processes:
        return _judge_disconnected(sockets, heartbeats, asked_at, expires_at, now)
    records = [heartbeats.by_process.get(process) for process in sockets.processes]
    known = [record for record in records if record is not None]
    receiving = [record for record in known if record.beat_at >= expires_at]
    if receiving:
        is_lost = any(heartbeats.is_silent(process, now) for process in sockets.processes)
        is_cut_off = all(overlap_ms(record.outages, asked_at, now) for record in receiving)
        if is_lost or is_cut_off or _stall_prevented_return(sockets, heartbeats, now):
            return Verdict.OUTAGE
        return Verdict.LATE
    last_beat_at = max((record.beat_at for record in known), default=0)
    lost_at = max(last_beat_at, heartbeats.up_since)
    latest = max(lost_at, asked_at) + LOST_AFTER_MS
    if now < _waits_for_return_until(heartbeats, lost_at, latest, expires_at - asked_at, now):
        return Verdict.WAIT
    return Verdict.GONE


def count_open_sockets(sockets: SeatSockets, heartbeats: Heartbeats, now: int) -> int:
    """Return how many sockets the player has in processes that are not silent."""
    return sum(
        count
        for process, count in zip(sockets.processes, sockets.counts, strict=True)
        if not heartbeats.is_silent(process, now)
    )


def left_since(sockets: SeatSockets, heartbeats: Heartbeats, now: int) -> int | None:
    """Return since when (ms) the player has been away: when they closed their last socket, or when
    the server gave it up. None if they have a socket, have never had one, or have lost it because
    of the server."""
    left_at = sockets.left_at
    if left_at is None:
        return None if sockets.processes else sockets.lost_at or None
    for process in sockets.processes:
        record = heartbeats.by_process.get(process)
        was_up = record is not None and record.beat_at >= left_at
        if was_up or not heartbeats.is_silent(process, now):
            return None
    return left_at


def has_surely_left(sockets: SeatSockets, heartbeats: Heartbeats, now: int) -> bool:
    """Return whether the player has no socket although no fault of the server kept them from coming
    back."""
    left_at = left_since(sockets, heartbeats, now)
    if sockets.processes or left_at is None:
        return False
    was_up_at = now - SILENT_AFTER_MS
    return _judge_disconnected(sockets, heartbeats, left_at, was_up_at, now) is Verdict.GONE


def has_lost_time(sockets: SeatSockets, heartbeats: Heartbeats, process: str, now: int) -> bool:
    """Return whether the server was unreachable for a player who now opens a socket in `process`:
    the processes of their other sockets are all silent, or a process may have stalled while they
    tried to return."""
    others = [name for name in sockets.processes if name != process]
    if others:
        return all(heartbeats.is_silent(other, now) for other in others)
    return _stall_prevented_return(sockets, heartbeats, now)


def is_question_delayed(asked_at: int, now: int) -> bool:
    """Return whether a question that was asked at `asked_at` and is sent only `now` has to be asked
    again with its full time."""
    return now - asked_at >= QUESTION_DELAYED_MS


def overlap_ms(outages: Iterable[tuple[int, int]], since: int, until: int) -> int:
    """Return how many milliseconds of the outages (pairs of start and end) lie between `since` and
    `until`."""
    return sum(max(0, min(end, until) - max(start, since)) for start, end in outages)


def _waits_longer_for_pages(
    room: Room, heartbeats: Heartbeats, sockets: Mapping[int, SeatSockets], now: int
) -> bool:
    """Return whether the draw of the wall waits longer, because a connected page is slow or because
    an outage of the server kept a page's message out."""
    closes_at = room.clock.closes_at
    if now < _draw_step_ends_at(room) and any(
        _is_answering(sockets.get(seat, NO_SOCKETS), heartbeats, now)
        for seat in awaited_seats(room)
    ):
        return True
    if now >= closes_at + OUTAGE_GRACE_MS:
        return False
    verdicts = [
        judge_player(
            sockets.get(seat, NO_SOCKETS),
            heartbeats,
            asked_at=room.at,
            expires_at=closes_at,
            now=now,
        )
        for seat in awaited_seats(room)
    ]
    return Verdict.OUTAGE in verdicts or Verdict.WAIT in verdicts


def _draw_step_ends_at(room: Room) -> int:
    """Return until when (ms) the current step of the draw waits for connected pages. The commit
    step ends earlier, so that time is left for the reveals."""
    draw, ends_at = room.table.wall_draw, room.clock.draw_ends_at
    if draw is not None and draw.state == DrawState.COMMIT:
        return ends_at - room.meta.clock.wall_reveal_ms
    return ends_at


def _is_answering(sockets: SeatSockets, heartbeats: Heartbeats, now: int) -> bool:
    """Return whether the player has an open socket whose browser has just answered a ping."""
    is_open = not all(heartbeats.is_silent(process, now) for process in sockets.processes)
    return is_open and now - sockets.answered_at <= ANSWERS_WITHIN_MS


def _late_seats(room: Room, now: int) -> list[int]:
    return [seat for seat in pending_seats(room.table) if answers_at(room, seat) <= now]


def _is_unlimited(room: Room) -> bool:
    return room.meta.clock.is_unlimited and room.table.phase != Phase.RESULT


def _judge_disconnected(
    sockets: SeatSockets, heartbeats: Heartbeats, asked_at: int, expires_at: int, now: int
) -> Verdict:
    """Judge a player without a socket: they may have been unable to reconnect because a process
    stalled. A player who has never had a socket counts as trying to connect since the question was
    asked, because the table may have been opened during an outage."""
    if overlap_ms(heartbeats.own_outages, asked_at, now):
        return Verdict.OUTAGE
    left_at = asked_at if sockets.left_at is None else sockets.left_at
    tries_until = left_at + RETURNS_WITHIN_MS
    accepting = _accepting_records(heartbeats)
    for process, record in accepting.items():
        is_up = record.beat_at >= expires_at and not heartbeats.is_silent(process, now)
        if is_up or record.beat_at > tries_until:
            continue
        lost_at = record.beat_at
        latest = lost_at + LOST_AFTER_MS
        if now < _waits_for_return_until(heartbeats, lost_at, latest, expires_at - asked_at, now):
            return Verdict.WAIT
    stalled = any(_stall_ms(record, tries_until, asked_at, now) for record in accepting.values())
    return Verdict.OUTAGE if stalled else Verdict.GONE


def _waits_for_return_until(
    heartbeats: Heartbeats, lost_at: int, latest: int, answer_ms: int, now: int
) -> int:
    """Return until when (ms) the server waits for a player whose process went silent at `lost_at`.

    That is `latest` while no other process accepts players. Otherwise the player can connect to
    another one and has `answer_ms` for that, at least `RECONNECTS_WITHIN_MS`. The wait is limited
    because that process may refuse the player, for example one without a seat proof while the
    database is unavailable, who must not delay the table at each question.
    """
    up_since = [
        record.up_since
        for process, record in _accepting_records(heartbeats).items()
        if record.began_at and not heartbeats.is_silent(process, now)
    ]
    if not up_since:
        return latest
    return min(latest, max(lost_at, min(up_since)) + max(RECONNECTS_WITHIN_MS, answer_ms))


def _stall_prevented_return(sockets: SeatSockets, heartbeats: Heartbeats, now: int) -> bool:
    """Return whether the player may have tried to reconnect to a process that had stalled."""
    left_at = sockets.left_at
    if left_at is None or now - left_at <= SILENT_AFTER_MS:
        return False
    tries_until = left_at + RETURNS_WITHIN_MS
    return any(
        _stall_ms(record, tries_until, left_at, now)
        or (heartbeats.is_silent(process, now) and record.beat_at <= tries_until)
        for process, record in _accepting_records(heartbeats).items()
        if now - record.beat_at < LOST_AFTER_MS
    )


def _accepting_records(heartbeats: Heartbeats) -> dict[str, HeartbeatRecord]:
    known = heartbeats.by_process
    return {process: known[process] for process in heartbeats.accepting if process in known}


def _stall_ms(record: HeartbeatRecord, tries_until: int, since: int, until: int) -> int:
    """Return for how many milliseconds the process stalled between `since` and `until`. Ignore
    stalls that began after `tries_until`, when the player has stopped trying to connect."""
    stalls = [(start, end) for start, end in record.outages if start <= tries_until]
    return overlap_ms(stalls, since, until)
