"""Checks that hold for a table's log after any fault.

They compare the log with itself, with the snapshot, with what players sent and saw, and with the
archive. Each error is one line of text.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game.archive.game_log import LogEntry, decode_log
from game.engine.commands import SetAway, Timeout
from game.engine.events import NorthSetAside
from game.engine.perspective import SPECTATOR
from game.live import outbound
from game.live.inbound import Act, read
from game.live.process import Process
from game.tables.codec import decode_commit, decode_room
from game.tables.room import Commit, Room, TableId, empty_room, fold
from game.tables.scheduler import PlayedBy, played_by
from tests.faults.player import PersistentPlayer
from tests.web.folding import differences


@dataclass(frozen=True)
class SeenView:
    """The view that a client had at an event; `viewer` is a seat, or `SPECTATOR`."""

    viewer: int
    seq: int
    view: dict[str, Any]


@dataclass(frozen=True)
class StoredTable:
    """A table as Redis keeps it."""

    commits: tuple[Commit, ...]
    snapshot: Room
    head: str


async def read_stored_table(process: Process, table_id: TableId) -> StoredTable:
    """Read the log, snapshot and head as of one moment between two commits.

    Raises AssertionError if the table is gone.
    """
    while True:
        (head,) = await process.store.read_heads([table_id])
        snapshot = await process.store.read_snapshot(table_id)
        rows = await process.store.read_entries(table_id, 1)
        if [head] == await process.store.read_heads([table_id]):
            break
    if snapshot is None:
        raise AssertionError(f"table {table_id} is gone")
    commits = tuple(decode_commit(data) for _, data in rows)
    return StoredTable(commits, decode_room(snapshot), head)


def replay_log(stored: StoredTable) -> Iterator[tuple[Commit, Room, Room]]:
    """Yield each commit with the room before and after it, replayed from an empty room."""
    room = empty_room(stored.snapshot.table_id, stored.snapshot.meta)
    for commit in stored.commits:
        after = fold(room, commit)
        yield commit, room, after
        room = after


def find_log_errors(stored: StoredTable) -> list[str]:
    """Describe gaps in the log, and differences of the snapshot and the head from the log."""
    found = list[str]()
    versions = [commit.version for commit in stored.commits]
    if versions != list(range(1, len(versions) + 1)):
        return [f"the log has gaps: {versions}"]
    last: Room | None = None
    for _, _, after in replay_log(stored):
        if after.version == stored.snapshot.version and after != stored.snapshot:
            found.append(f"the snapshot of version {after.version} differs from the log")
        last = after
    if last is None or last.head != stored.head:
        found.append(f"the log ends at {last and last.head}, the head is {stored.head}")
    return found


def find_view_errors(stored: StoredTable, seen_views: Iterable[SeenView]) -> list[str]:
    """Describe the views that differ from the replayed log at the same event."""
    wanted = defaultdict[tuple[int, int], list[dict[str, Any]]](list)
    for seen in seen_views:
        wanted[seen.viewer, seen.seq].append(seen.view)
    unlike: dict[tuple[int, int], list[str]] = {key: ["no such event"] for key in wanted}
    for _, _, after in replay_log(stored):
        for viewer, seq in wanted:
            if after.seq(viewer) != seq or not unlike[viewer, seq]:
                continue
            true = json.loads(outbound.encode("sync", after, viewer))["view"]
            views = wanted[viewer, seq]
            unlike[viewer, seq] = [line for view in views for line in differences(true, view)]
    return [
        f"{'spectator' if viewer == SPECTATOR else f'seat {viewer}'} at {seq}: {lines[:3]}"
        for (viewer, seq), lines in unlike.items()
        if lines
    ]


@dataclass(frozen=True)
class ActionCheck:
    """The outcomes of the players' actions."""

    lost: list[str]
    """Actions that were acknowledged but are missing or different in the log."""
    doubled: list[str]


def count_logged(stored: StoredTable) -> Counter[tuple[int, str]]:
    """Return how many times each seat's command is in the log, by its command id."""
    return Counter((commit.seat, commit.cid) for commit in stored.commits if commit.cid)


def count_norths(stored: StoredTable) -> int:
    """Return how many norths were set aside."""
    events = (event for commit in stored.commits for event in commit.events)
    return sum(isinstance(event, NorthSetAside) for event in events)


def check_actions(
    stored: StoredTable,
    players: Sequence[PersistentPlayer],
    acknowledged: Sequence[Collection[str]],
) -> ActionCheck:
    """Compare the commands of players with the log. `acknowledged` has each player's command ids
    that were acknowledged before the log was read: players go on while it is read."""
    commit_of = {(commit.seat, commit.cid): commit for commit in stored.commits if commit.cid}
    lost = list[str]()
    for seat, player in enumerate(players):
        for cid in acknowledged[seat]:
            logged_commit = commit_of.get((seat, cid))
            if logged_commit is None:
                lost.append(f"seat {seat}: {cid} was acknowledged, but is not in the log")
            elif not _has_action(logged_commit, player.sent[cid]):
                lost.append(
                    f"seat {seat}: sent {player.sent[cid]}, logged {logged_commit.commands}"
                )
    logged = count_logged(stored)
    doubled = [f"seat {seat}: {cid} {n} times" for (seat, cid), n in logged.items() if n > 1]
    return ActionCheck(lost, doubled)


def _has_action(commit: Commit, message: dict[str, Any]) -> bool:
    act = read(json.dumps(message))
    return isinstance(act, Act) and any(
        (getattr(command, "step", None), getattr(command, "action", None)) == (act.q, act.action)
        for command in commit.commands
    )


def find_lost_time(stored: StoredTable, people: int) -> list[str]:
    """Describe each case in which a person, who answers at once, was charged time or was played
    for."""
    found = list[str]()
    full = stored.snapshot.meta.clock.bank_ms
    for commit, before, _ in replay_log(stored):
        for command in commit.commands:
            if isinstance(command, SetAway) and command.away:
                found.append(f"version {commit.version}: seat {command.seat} was marked away")
            if isinstance(command, Timeout):
                found += [
                    f"version {commit.version}: seat {seat} was late"
                    for seat in command.seats
                    if seat < people and played_by(before, seat) is PlayedBy.PERSON
                ]
        if any(left < full for left in commit.clock.bank[:people]):
            found.append(f"version {commit.version}: banks {commit.clock.bank}")
    return found


def read_archived_log(
    database: Path, table_id: TableId, players: int
) -> tuple[LogEntry, ...] | None:
    """Read the log from the archive; None if it is not there.

    Raises AssertionError if the game is there more than once or without so many seats.
    """
    with sqlite3.connect(database, timeout=10) as connection:
        rows = connection.execute(
            "SELECT data, (SELECT COUNT(*) FROM game_gameseat AS seat WHERE seat.game_id = ?)"
            " FROM game_gamelog WHERE game_id = ?",
            [table_id, table_id],
        ).fetchall()
    connection.close()
    if not rows:
        return None
    seats = [count for _, count in rows]
    if seats != [players]:
        raise AssertionError(f"table {table_id} is archived {len(rows)} times, seats {seats}")
    (data, _), *_ = rows
    return decode_log(data)
