"""Samples of stored data, as the code of their time has written it.

``python -m tests.tables.print_samples >> tests/tables/stored_samples.txt`` adds samples of today.
Run it when something new is stored. Never change a line that is there.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

from game.archive.game_log import encode_log, entries_of
from game.engine.commands import (
    Act,
    BindWall,
    Command,
    CommitWall,
    DealHand,
    RevealWall,
    StartGame,
    VoidWall,
)
from game.engine.legal import legal, pending_seats
from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from game.engine.state import Phase
from game.engine.wall_proof import commitment_of
from game.tables.codec import encode, encode_room
from game.tables.commit_draft import Draft, Proposal, draft
from game.tables.room import Room, TableId, TableMeta
from game.tables.wall_draws import first_draw
from tests.tables.staging import AT_ONCE, START, people

FILE = Path(__file__).with_suffix(".txt")
EMPTY = Room(TableId("t"), TableMeta(people(), AT_ONCE, opened_at=START))
"""The room before the commits of a sample."""


def read_samples() -> Iterator[tuple[str, bytes]]:
    """Yield the kind and the bytes of each stored sample."""
    for line in FILE.read_text().splitlines():
        kind, text = line.split()
        yield kind, zlib.decompress(base64.b64decode(text))


def todays() -> Iterator[tuple[str, bytes]]:
    """Yield a room under every preset, and the commits of a hand, as stored today."""
    for rules in PRESETS.values():
        yield "room", encode_room(_open(rules).after)
    hand = _draw_wall(PRESETS["tenhou"])
    yield "room", encode_room(hand[-1].after)
    chance = Random(7)
    while hand[-1].after.table.phase != Phase.RESULT:
        hand.append(_answer(hand[-1].after, chance))
    yield "commits", encode(tuple(entry.commit for entry in hand))
    yield "log", encode_log(entries_of(entry.commit for entry in hand))
    yield "room", encode_room(hand[-1].after)


def _open(rules: RuleSet) -> Draft:
    """Return the first commit of a table under those rules."""
    start = StartGame(rules=rules, names=("a", "b", "c", "d"), seed=bytes(32))
    return _draft(EMPTY, Proposal(commands=(start, DealHand())))


def _draw_wall(rules: RuleSet) -> list[Draft]:
    """Return the commits of a draw of the wall in which a page commits and does not reveal. The
    last one deals."""
    start = StartGame(rules=rules, names=("a", "b", "c", "d"), seed=b"")
    steps: list[tuple[Command, ...]] = [(start, first_draw(EMPTY.table_id, people()))]
    given = [bytes([seat]) * 32 for seat in range(2)]
    for draw, seats in ((1, (0, 1)), (2, (0,))):
        steps += [(CommitWall(seat, draw, commitment_of(given[seat])),) for seat in seats]
        steps += [
            (BindWall(draw, bytes(32), bytes(32), bytes(64)),),
            (RevealWall(0, draw, given[0]),),
        ]
        if draw == 1:
            steps.append((VoidWall(draw, bytes(32)),))
    drafts: list[Draft] = []
    for commands in steps:
        room = drafts[-1].after if drafts else EMPTY
        drafts.append(_draft(room, Proposal(commands=commands)))
    return drafts


def _answer(room: Room, chance: Random) -> Draft:
    """Let the first asked seat act; if none is asked, let the table go on."""
    unanswered = pending_seats(room.table)
    if not unanswered:
        return _draft(room, Proposal())
    command = Act(
        unanswered[0], room.table.step, chance.choice(list(legal(room.table, unanswered[0])))
    )
    return _draft(room, Proposal(commands=(command,), seat=unanswered[0], cid=f"c{room.version}"))


def _draft(room: Room, proposal: Proposal) -> Draft:
    now = START + 1_000 * room.version
    drafted = draft(room, proposal, now_ms=lambda: now, token=now.to_bytes(6))
    assert isinstance(drafted, Draft), drafted
    return drafted
