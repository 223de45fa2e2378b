"""The server answers for bots after a time like that of people, which reveals nothing."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from game.engine.clock import EARLY_MS, ClockSettings
from game.engine.commands import Act, DealHand, StartGame
from game.engine.legal import legal, pending_seats
from game.engine.rules import TENHOU
from game.engine.state import Phase, Riichi
from game.engine.tiles import NO_TILE
from game.tables.bot_seats import thinking_ms
from game.tables.commit_draft import Draft, Proposal, draft
from game.tables.room import Room, TableId, TableMeta
from game.tables.scheduler import PlayedBy, answers_at, played_by
from game.tables.settings import quicken
from tests.tables.staging import START, people

CLOCK = ClockSettings()


def questions(seed: int, most: int = 300, clock: ClockSettings = CLOCK) -> list[Room]:
    """Return the rooms at which bots are asked, in a game of four bots."""
    chance = Random(seed)
    room = Room(TableId(f"t{seed}"), TableMeta(people(0, "sensible"), clock, opened_at=START))
    start = StartGame(rules=TENHOU, names=("a", "b", "c", "d"), seed=chance.randbytes(32))
    proposal = Proposal(commands=(start, DealHand()))
    found = []
    for moment in range(most):
        now = START + 5_000 * moment
        drafted = draft(room, proposal, now_ms=partial(int, now), token=b"token!")
        assert isinstance(drafted, Draft)
        room = drafted.after
        if unanswered := pending_seats(room.table):
            found.append(room)
            action = chance.choice(legal(room.table, unanswered[0]))
            proposal = Proposal(commands=(Act(unanswered[0], room.table.step, action),))
        else:
            proposal = Proposal()
    return found


@pytest.mark.parametrize("seed", range(3))
def test_bot_takes_the_tables_time_on_its_turn(seed: int) -> None:
    turns = [room for room in questions(seed) if room.table.phase == Phase.TURN]
    spans = [
        answers_at(room, room.table.turn) - room.clock.asked_at[room.table.turn]
        for room in turns
        if played_by(room, room.table.turn) is PlayedBy.BOT
    ]
    assert len(spans) > 50
    assert all(CLOCK.bot_min_ms <= span <= CLOCK.bot_max_ms for span in spans)
    assert max(spans) - min(spans) > 500, "thinking times vary"


def test_bots_take_about_a_second_on_average() -> None:
    spans = [
        answers_at(room, room.table.turn) - room.at
        for seed in range(8)
        for room in questions(seed)
        if room.table.phase == Phase.TURN and room.table.hands[room.table.turn].river
    ]
    assert len(spans) > 500
    assert 850 < sum(spans) / len(spans) < 1_150
    assert sum(span < 750 for span in spans) > len(spans) / 10
    assert sum(span > 1_500 for span in spans) > len(spans) / 50


def test_thinking_time_of_a_bot_is_independent_of_its_hand() -> None:
    for room in questions(1):
        seat = room.table.turn
        if room.table.phase != Phase.TURN or room.table.drawn == NO_TILE:
            continue
        hands = [
            replace(hand, tiles=tuple(Random(other).choices(range(68), k=len(hand.tiles))))
            for other, hand in enumerate(room.table.hands)
        ]
        other_tiles = replace(room.table, hands=tuple(hands), drawn=0, wall=b"", seed=b"")
        assert thinking_ms(replace(room, table=other_tiles), seat) == thinking_ms(room, seat)


def test_bots_think_longer_about_riichi_and_briefly_in_their_own() -> None:
    room = next(
        room
        for room in questions(2)
        if room.table.phase == Phase.TURN and room.table.hands[room.table.turn].river
    )
    seat = room.table.turn

    def with_riichi(at: int) -> int:
        hands = [*room.table.hands]
        hands[at] = replace(hands[at], riichi=Riichi.ACCEPTED)
        return thinking_ms(replace(room, table=replace(room.table, hands=tuple(hands))), seat)

    usual = thinking_ms(room, seat)
    assert with_riichi(seat) < usual < with_riichi((seat + 1) % 4)


@pytest.mark.parametrize("clock", [CLOCK, quicken(CLOCK)])
@pytest.mark.parametrize("seed", range(2))
def test_a_bot_answers_a_claim_within_the_reaction_time(seed: int, clock: ClockSettings) -> None:
    rooms = questions(seed, clock=clock)
    claims = [room for room in rooms if room.table.phase == Phase.CLAIMS]
    for room in claims:
        for seat in pending_seats(room.table):
            opened_at = room.clock.closes_at - clock.reaction_ms
            is_shown_at = room.clock.closes_at - EARLY_MS
            assert opened_at < answers_at(room, seat) < is_shown_at
    assert claims


def test_bot_takes_the_same_time_in_every_process() -> None:
    (room, *_) = questions(5)
    again = replace(room, cids=room.cids)
    seat = pending_seats(room.table)[0]
    assert answers_at(room, seat) == answers_at(again, seat)
