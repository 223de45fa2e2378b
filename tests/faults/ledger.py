"""What must hold of a table whatever has happened to the house, worked out from its log.

Compares the log with itself, with the snapshot, with what players were told and have seen, and
with the archive. Each finding is a line of text.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game.engine.commands import SetAway, TimeUp
from game.engine.perspective import WATCHER
from game.live import outbound
from game.live.inbound import Act, read
from game.live.process import Process
from game.tables.codec import decode_commit, decode_commits, decode_room
from game.tables.room import Commit, Room, TableId, fold
from game.tables.scheduler import Hand, played_by
from tests.faults.player import Steadfast
from tests.web.folding import differences


@dataclass(frozen=True)
class Picture:
    """What somebody saw at a moment; `audience` is a seat, or a watcher."""

    audience: int
    seq: int
    view: dict[str, Any]


@dataclass(frozen=True)
class Books:
    """A table as Redis keeps it."""

    commits: tuple[Commit, ...]
    snapshot: Room
    head: str


async def books_of(process: Process, table_id: TableId) -> Books:
    """The log, and what is kept beside it, as of one moment between two commits."""
    while True:
        (head,) = await process.store.heads([table_id])
        snapshot = await process.store.snapshot(table_id)
        rows = await process.store.entries_from(table_id, 1)
        if [head] == await process.store.heads([table_id]):
            break
    if snapshot is None:
        raise AssertionError(f"table {table_id} is gone")
    commits = tuple(decode_commit(data) for _, data in rows)
    return Books(commits, decode_room(snapshot.data), head)


def rooms_of(books: Books) -> Iterator[tuple[Commit, Room, Room]]:
    """Each commit with the room before and after it, folded from nothing."""
    room = Room(books.snapshot.table_id, books.snapshot.meta)
    for commit in books.commits:
        after = fold(room, commit)
        yield commit, room, after
        room = after


def faults_of_log(books: Books) -> list[str]:
    """The log is without gaps, and what is kept beside it is its fold."""
    found = list[str]()
    versions = [commit.version for commit in books.commits]
    if versions != list(range(1, len(versions) + 1)):
        return [f"the log has gaps: {versions}"]
    last: Room | None = None
    for _, _, after in rooms_of(books):
        if after.version == books.snapshot.version and after != books.snapshot:
            found.append(f"the snapshot of version {after.version} is not the fold of the log")
        last = after
    if last is None or last.head != books.head:
        found.append(f"the log ends at {last and last.head}, the head is {books.head}")
    return found


def not_seen(books: Books, pictures: Iterable[Picture]) -> list[str]:
    """The pictures that are not what the log comes to at their place."""
    wanted = defaultdict[tuple[int, int], list[dict[str, Any]]](list)
    for picture in pictures:
        wanted[picture.audience, picture.seq].append(picture.view)
    unlike: dict[tuple[int, int], list[str]] = {key: ["no such place"] for key in wanted}
    for _, _, after in rooms_of(books):
        for audience, seq in wanted:
            if after.seq(audience) != seq or not unlike[audience, seq]:
                continue
            true = json.loads(outbound.encode("sync", after, audience))["view"]
            views = wanted[audience, seq]
            unlike[audience, seq] = [line for view in views for line in differences(true, view)]
    return [
        f"{'watcher' if audience == WATCHER else f'seat {audience}'} at {seq}: {lines[:3]}"
        for (audience, seq), lines in unlike.items()
        if lines
    ]


@dataclass(frozen=True)
class Deeds:
    """What became of the players' actions."""

    done: int
    lost: list[str]
    """Acknowledged, and not in the log as it was asked for."""
    doubled: list[str]


def deeds_of(books: Books, players: Sequence[Steadfast]) -> Deeds:
    """Compare what players sent and were told with the log."""
    logged = Counter[tuple[int, str]]()
    as_logged = dict[tuple[int, str], Commit]()
    for commit in books.commits:
        if commit.cid:
            logged[commit.seat, commit.cid] += 1
            as_logged[commit.seat, commit.cid] = commit
    lost = list[str]()
    for seat, player in enumerate(players):
        for cid in player.acknowledged:
            commit = as_logged.get((seat, cid))
            if commit is None:
                lost.append(f"seat {seat} was told that {cid} was done")
            elif not _is_what_was_asked(commit, player.sent[cid]):
                lost.append(f"seat {seat} asked {player.sent[cid]}, done was {commit.commands}")
    doubled = [f"seat {seat}: {cid} {n} times" for (seat, cid), n in logged.items() if n > 1]
    return Deeds(len(logged), lost, doubled)


def _is_what_was_asked(commit: Commit, message: dict[str, Any]) -> bool:
    asked = read(json.dumps(message))
    return isinstance(asked, Act) and any(
        (getattr(command, "step", None), getattr(command, "action", None))
        == (asked.q, asked.action)
        for command in commit.commands
    )


def time_burnt(books: Books, people: int) -> list[str]:
    """Where a person, who always answers at once, was charged or played for."""
    found = list[str]()
    full = books.snapshot.meta.clock.bank_ms
    for commit, before, _ in rooms_of(books):
        for command in commit.commands:
            if isinstance(command, SetAway) and command.away:
                found.append(f"version {commit.version}: seat {command.seat} was given up")
            if isinstance(command, TimeUp):
                found += [
                    f"version {commit.version}: seat {seat} was late"
                    for seat in command.seats
                    if seat < people and played_by(before, seat) is Hand.PERSON
                ]
        if any(left < full for left in commit.clock.bank[:people]):
            found.append(f"version {commit.version}: banks {commit.clock.bank}")
    return found


def archived(database: Path, table_id: TableId) -> tuple[Commit, ...] | None:
    """The log in the archive, None if there is none. Raises if it is there otherwise than
    once."""
    with sqlite3.connect(database, timeout=10) as connection:
        rows = connection.execute(
            "SELECT log, (SELECT COUNT(*) FROM game_gameseat WHERE game_id = table_id)"
            " FROM game_game WHERE table_id = ?",
            [table_id],
        ).fetchall()
    connection.close()
    if not rows:
        return None
    seats = [count for _, count in rows]
    if seats != [4]:
        raise AssertionError(f"table {table_id} is archived {len(rows)} times, seats {seats}")
    (log, _), *_ = rows
    return decode_commits(zlib.decompress(log))
