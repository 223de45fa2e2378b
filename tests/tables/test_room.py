"""A room is the fold of its commits, and its counters count the events that each viewer is
shown."""

from __future__ import annotations

import random

import pytest

from game.engine.commands import Act, DealHand, StartGame
from game.engine.legal import legal, pending_seats
from game.engine.perspective import OPEN_SPECTATOR, SPECTATOR, redact
from game.engine.rules import TENHOU
from game.engine.state import Phase
from game.tables.codec import decode_commit, decode_room, encode
from game.tables.commit_draft import Draft, Proposal, draft
from game.tables.room import RECENT_CIDS, Room, TableId, TableMeta, fold
from game.tables.scheduler import due_at
from tests.tables.staging import AT_ONCE, START, people

VIEWERS = (0, 1, 2, 3, SPECTATOR, OPEN_SPECTATOR)


def draft_of(room: Room, proposal: Proposal, now: int) -> Draft:
    drafted = draft(room, proposal, now_ms=lambda: now, token=now.to_bytes(6))
    assert isinstance(drafted, Draft), drafted
    return drafted


def game(seed: int) -> tuple[Room, list[Draft]]:
    """Return a whole game of random legal actions as its first room and its commits."""
    rng = random.Random(seed)
    first = Room(TableId("t"), TableMeta(people(), AT_ONCE, opened_at=START))
    start = StartGame(rules=TENHOU, names=("a", "b", "c", "d"), seed=rng.randbytes(32))
    drafts = [draft_of(first, Proposal(commands=(start, DealHand())), START)]
    while (room := drafts[-1].after).table.phase != Phase.ENDED:
        unanswered = pending_seats(room.table)
        proposal = Proposal()
        if unanswered:
            seat = rng.choice(unanswered)
            action = rng.choice(list(legal(room.table, seat)))
            command = Act(seat, room.table.step, action)
            proposal = Proposal(commands=(command,), seat=seat, cid=f"c{room.version}")
        drafts.append(draft_of(room, proposal, START + 1_000 * len(drafts)))
    return first, drafts


@pytest.mark.parametrize("seed", range(3))
def test_sequence_numbers_count_visible_events(seed: int) -> None:
    _, drafts = game(seed)
    counts = dict.fromkeys(VIEWERS, 0)
    for step in drafts:
        for viewer in VIEWERS:
            counts[viewer] += sum(redact(event, viewer) is not None for event in step.commit.events)
            assert step.after.seq(viewer) == counts[viewer]


@pytest.mark.parametrize("seed", range(3))
def test_room_is_the_fold_of_its_stored_commits(seed: int) -> None:
    room, drafts = game(seed)
    for step in drafts:
        stored = decode_commit(encode(step.commit))
        assert stored == step.commit
        room = fold(room, stored)
        assert room == step.after
    assert decode_room(encode(room)) == room


def test_running_table_waits_for_an_answer_or_a_time() -> None:
    _, drafts = game(5)
    for step in drafts:
        assert due_at(step.after) is not None


def test_last_command_ids_of_a_seat_are_kept() -> None:
    _, drafts = game(6)
    given: dict[int, list[str]] = {seat: [] for seat in range(4)}
    for step in drafts:
        if step.commit.cid:
            given[step.commit.seat].append(step.commit.cid)
        assert step.after.cids == tuple(tuple(given[seat][-RECENT_CIDS:]) for seat in range(4))
