"""Plays whole games in memory, as the worker and bots would, and keeps their logs.

Times are those of people: each answer takes a fraction of a second to some seconds.
"""

from __future__ import annotations

import hashlib
from random import Random

from game.bots import bot_named
from game.engine.by_seat import BySeat
from game.engine.clock import ClockSettings
from game.engine.commands import Act, DealHand, StartGame
from game.engine.legal import legal, pending_seats
from game.engine.perspective import view
from game.engine.rules import RuleSet
from game.engine.state import Phase
from game.tables.commit_draft import Draft, Proposal, draft
from game.tables.room import Commit, Room, SeatMeta, TableId, TableMeta, empty_room
from game.tables.scheduler import due_at

FASTEST_MS, USUAL_MS = 300, 1_800
"""The shortest time for an answer, and the mean of the time beyond it."""


def play_room(
    table_id: str,
    seats: BySeat[SeatMeta],
    rules: RuleSet,
    *,
    seed: int,
    started_at: int,
    ladder: str = "",
) -> tuple[Room, list[Commit]]:
    """Play a game with sensible bots at all seats. Return the final room and its log."""
    chance = Random(seed)
    choose = bot_named("sensible").choose
    rated = (bool(ladder),) * len(seats)
    meta = TableMeta(seats, ClockSettings(), opened_at=started_at, ladder=ladder, rated=rated)
    room = empty_room(TableId(table_id), meta)
    key = hashlib.sha256(b"%d" % seed).digest()
    names = tuple(seat.name for seat in seats)
    now = started_at
    log: list[Commit] = []

    def commit(proposal: Proposal) -> Room:
        drafted = draft(room, proposal, now_ms=lambda: now, token=chance.randbytes(8))
        assert isinstance(drafted, Draft), drafted
        log.append(drafted.commit)
        return drafted.after

    start = StartGame(rules=rules, names=names, seed=key)
    room = commit(Proposal(commands=(start, DealHand()), seats=seats))
    while room.table.phase != Phase.ENDED:
        table = room.table
        now = max(now, room.at) + FASTEST_MS + int(chance.expovariate(1 / USUAL_MS))
        if not (asked := pending_seats(table)):
            deals = (DealHand(),) if table.phase == Phase.RESULT else ()
            now = max(now, due_at(room) or 0)
            room = commit(Proposal(commands=deals))
            continue
        seat = asked[0]
        action = choose(view(table, seat), seat, tuple(legal(table, seat)), chance)
        act = Act(seat, table.step, action)
        room = commit(Proposal(commands=(act,), seat=seat, cid=chance.randbytes(8).hex()))
    return room, log
