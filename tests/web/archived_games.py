"""Archives finished games in the database as their tables would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final
from uuid import uuid4

from django.test import Client

from bench.bots.games import play_game
from game.engine.clock import Clock, ClockSettings
from game.engine.events import Event, GameEnded
from game.engine.rules import TENHOU
from game.engine.state import Phase, Table
from game.identity.sessions import SESSION_KEY
from game.live.process import ARCHIVE
from game.tables.room import Commit, Room, SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from tests.kit.random_games import NAMES, TEMPERS

PERSON: Final = str(uuid4())
"""The person in seat 2 of the games."""
AT: Final = 1_790_000_000_000


@cache
def whole_game(seed: int = 1) -> Sequence[Event]:
    """Return the events of a game of bots."""
    return play_game(seed, [TEMPERS[(seed + seat) % len(TEMPERS)] for seat in range(4)]).events


def archive(
    name: str,
    events: Sequence[Event],
    *,
    public: bool = True,
    people: Mapping[int, str] | None = None,
) -> None:
    """Archive the game of these events. `people` are those who played, by seat; bots sat in the
    other seats."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    who = people or {2: PERSON}
    one, two, three, four = (
        SeatMeta(name=called, person=who[seat]) if seat in who else SeatMeta(name=called, bot="b")
        for seat, called in enumerate(NAMES)
    )
    seats = (one, two, three, four)
    table = Table(rules=TENHOU, phase=Phase.ENDED, scores=end.scores, placement=end.placement)
    room = Room(
        TableId(name),
        TableMeta(seats, ClockSettings(), settings=TableSettings(public=public), opened_at=AT),
        1,
        table=table,
    )
    assert ARCHIVE.save_game(room, (Commit(1, b"a", AT, (), tuple(events), Clock()),))


def browser_of(person: str) -> Client:
    """Return the browser of that person."""
    client = Client()
    session = client.session
    session[SESSION_KEY] = person
    session.save()
    return client
