"""The decisions of the server at a table when time is over, as tables of cases."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import pytest
from msgspec.structs import replace

from game.engine.clock import ClockSettings, continues_at, pause_clock
from game.engine.commands import Act, DealHand, StartGame
from game.engine.legal import legal, pending_seats
from game.engine.rules import TENHOU
from game.engine.state import Phase
from game.tables.codec import HeartbeatRecord
from game.tables.commit_draft import Draft, Proposal, draft
from game.tables.room import Room, TableId, TableMeta
from game.tables.scheduler import ABSENT_MS, due_at, expires_at
from game.tables.timeouts import (
    LOST_AFTER_MS,
    QUESTION_DELAYED_MS,
    RETURNS_WITHIN_MS,
    SILENT_AFTER_MS,
    Heartbeats,
    SeatSockets,
    TimeoutDecision,
    Verdict,
    decide_timeouts,
    has_lost_time,
    is_question_delayed,
    judge_player,
    late_players,
    left_since,
)
from tests.tables.staging import START, people

ASKED: Final = 1_000_000
EXPIRES: Final = ASKED + 25_000
NOW: Final = EXPIRES + 500

Outages = tuple[tuple[int, int], ...]


class Case(NamedTuple):
    """A case of a late player: heartbeats by process, sockets, and the expected verdict."""

    name: str
    verdict: Verdict
    beats: Mapping[str, int | tuple[int, Outages]] = MappingProxyType({})
    """The time of the last heartbeat, with the outages that it reports."""
    sockets: tuple[str, ...] = ("web",)
    left_at: int | None = None
    accepting: tuple[str, ...] = ()
    own_outages: Outages = ()
    up_since: int = 0
    now: int = NOW

    @property
    def heartbeats(self) -> Heartbeats:
        return Heartbeats(
            by_process={
                name: HeartbeatRecord(*beat) if isinstance(beat, tuple) else HeartbeatRecord(beat)
                for name, beat in self.beats.items()
            },
            accepting=self.accepting,
            own_outages=self.own_outages,
            up_since=self.up_since,
        )


STALL: Final = ((ASKED + 1_000, ASKED + 4_000),)
OLD_STALL: Final = ((ASKED - 9_000, ASKED - 6_000),)
DIED: Final = ASKED + 5_000

CASES: Final = [
    # The player has a socket.
    Case("connected and silent", Verdict.LATE, {"web": NOW}),
    Case("their process stalled", Verdict.OUTAGE, {"web": (NOW, STALL)}),
    Case("it stalled before the question", Verdict.LATE, {"web": (NOW, OLD_STALL)}),
    Case(
        "one of two processes stalled", Verdict.LATE, {"web": NOW, "b": (NOW, STALL)}, ("web", "b")
    ),
    Case("one of two processes died", Verdict.OUTAGE, {"web": NOW, "b": DIED}, ("web", "b")),
    Case("one of two left no heartbeat", Verdict.OUTAGE, {"web": NOW}, ("web", "b")),
    Case("last heartbeat before the deadline", Verdict.WAIT, {"web": EXPIRES - 1}),
    Case("process died", Verdict.WAIT, {"web": DIED}),
    Case("process died a minute ago", Verdict.GONE, {"web": DIED}, now=DIED + LOST_AFTER_MS),
    Case(
        "process died just under a minute ago",
        Verdict.WAIT,
        {"web": DIED},
        now=DIED + LOST_AFTER_MS - 1,
    ),
    Case(
        "all processes died, this one just started",
        Verdict.WAIT,
        up_since=NOW,
        now=NOW + LOST_AFTER_MS - 1,
    ),
    Case(
        "all processes died, this one is up for a minute",
        Verdict.GONE,
        up_since=NOW,
        now=NOW + LOST_AFTER_MS,
    ),
    Case("no heartbeat left, asked just now", Verdict.WAIT, now=ASKED + LOST_AFTER_MS - 1),
    # The player has a socket, and closed another one while a process stalled.
    Case(
        "second window was kept out by a stalled process",
        Verdict.OUTAGE,
        {"web": NOW, "b": (NOW, STALL)},
        left_at=ASKED,
        accepting=("web", "b"),
    ),
    Case(
        "stall began long after the player closed a window",
        Verdict.LATE,
        {"web": NOW, "b": (NOW, ((ASKED + RETURNS_WITHIN_MS + 1, ASKED + 20_000),))},
        left_at=ASKED,
        accepting=("web", "b"),
    ),
    # The player has no socket.
    Case("left", Verdict.GONE, {"web": NOW}, (), ASKED, ("web",)),
    Case("never connected", Verdict.GONE, {"web": NOW}, (), None, ("web",)),
    Case(
        "never connected, and a process was stalled meanwhile",
        Verdict.OUTAGE,
        {"web": (NOW, STALL)},
        (),
        None,
        ("web",),
    ),
    Case(
        "never connected, and a process stalled before the question",
        Verdict.GONE,
        {"web": (NOW, OLD_STALL)},
        (),
        None,
        ("web",),
    ),
    Case(
        "never connected, and may wait for a process that hangs",
        Verdict.WAIT,
        {"web": NOW, "b": DIED},
        (),
        None,
        ("web", "b"),
    ),
    Case(
        "left, but this process could not reach Redis",
        Verdict.OUTAGE,
        {"web": NOW},
        (),
        ASKED,
        ("web",),
        STALL,
    ),
    Case(
        "left, this process had an outage before the question",
        Verdict.GONE,
        {"web": NOW},
        (),
        ASKED,
        ("web",),
        OLD_STALL,
    ),
    Case(
        "left, and may wait for a process that hangs",
        Verdict.WAIT,
        {"web": NOW, "b": DIED},
        (),
        ASKED,
        ("web", "b"),
    ),
    Case(
        "left, and another process signed off",
        Verdict.GONE,
        {"web": NOW, "b": DIED},
        (),
        ASKED,
        ("web",),
    ),
    Case(
        "left, and waited a minute for a process that hangs",
        Verdict.GONE,
        {"web": DIED + LOST_AFTER_MS, "b": DIED},
        (),
        ASKED,
        ("web", "b"),
        now=DIED + LOST_AFTER_MS,
    ),
    Case(
        "left, and a process was stalled meanwhile",
        Verdict.OUTAGE,
        {"b": (NOW, STALL)},
        (),
        ASKED,
        ("b",),
    ),
    Case(
        "left, and had time to return before the process hung",
        Verdict.GONE,
        {"web": NOW, "b": ASKED + RETURNS_WITHIN_MS + 1},
        (),
        ASKED,
        ("web", "b"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdict_on_a_late_player(case: Case) -> None:
    verdict = judge_player(
        SeatSockets(case.sockets, case.left_at),
        case.heartbeats,
        asked_at=ASKED,
        expires_at=EXPIRES,
        now=case.now,
    )
    assert verdict is case.verdict


LEFT: Final = NOW - 5_000

RETURNS: Final = [
    (False, Case("first socket", Verdict.WAIT, sockets=())),
    (False, Case("other process is alive", Verdict.WAIT, {"web": NOW})),
    (True, Case("other process is silent", Verdict.WAIT, {"web": NOW - SILENT_AFTER_MS - 1})),
    (False, Case("other process is late by less", Verdict.WAIT, {"web": NOW - SILENT_AFTER_MS})),
    (True, Case("other process left no heartbeat", Verdict.WAIT)),
    (False, Case("one of two is alive", Verdict.WAIT, {"web": NOW}, ("web", "b"))),
    (False, Case("has a socket here already", Verdict.WAIT, {"here": 0}, ("here",))),
    (False, Case("left, no process stalled", Verdict.WAIT, {"b": NOW}, (), LEFT, ("b",))),
    (True, Case("left, a process hangs", Verdict.WAIT, {"b": NOW - 3_000}, (), LEFT, ("b",))),
    (
        True,
        Case("left, stall is over", Verdict.WAIT, {"b": (NOW, ((LEFT, NOW),))}, (), LEFT, ("b",)),
    ),
    (
        False,
        Case("back at once", Verdict.WAIT, {"b": NOW - 3_000}, (), NOW - SILENT_AFTER_MS, ("b",)),
    ),
    (
        False,
        Case("process is dead", Verdict.WAIT, {"b": NOW - LOST_AFTER_MS}, (), LEFT, ("b",)),
    ),
]


@pytest.mark.parametrize(("lost", "case"), RETURNS, ids=lambda case: getattr(case, "name", ""))
def test_returning_player_gets_back_time_lost_by_the_server(lost: bool, case: Case) -> None:
    sockets = SeatSockets(case.sockets, case.left_at)
    assert has_lost_time(sockets, case.heartbeats, "here", NOW) is lost


def test_question_sent_a_second_late_is_opened_again() -> None:
    assert not is_question_delayed(ASKED, ASKED + QUESTION_DELAYED_MS - 1)
    assert is_question_delayed(ASKED, ASKED + QUESTION_DELAYED_MS)


def room_on_turn(persons: int = 4, clock: ClockSettings | None = None) -> Room:
    """Return a table with that many persons, followed by bots; the dealer, seat 0, is to
    discard."""
    meta = TableMeta(people(persons), clock or ClockSettings(), opened_at=START)
    start = StartGame(rules=TENHOU, names=("a", "b", "c", "d"), seed=bytes(32))
    return after(Room(TableId("t"), meta), Proposal(commands=(start, DealHand())), START)


def room_with_claims(persons: int = 4) -> Room:
    """Return a table at which somebody may call the last discard."""
    room = room_on_turn(persons)
    for moment in range(200):
        if room.table.phase == Phase.CLAIMS and pending_seats(room.table):
            return room
        unanswered = pending_seats(room.table)
        commands = tuple(
            Act(seat, room.table.step, legal(room.table, seat)[-1]) for seat in unanswered[:1]
        )
        room = after(room, Proposal(commands=commands), START + 10_000 * (moment + 1))
    raise AssertionError("no discard of this game can be called")


def after(room: Room, proposal: Proposal, now: int) -> Room:
    drafted = draft(room, proposal, now_ms=lambda: now, token=b"token!")
    assert isinstance(drafted, Draft), drafted
    return drafted.after


def late(room: Room) -> int:
    due = due_at(room)
    assert due is not None
    return due


NO_BEATS: Final = Heartbeats()
HERE: Final = SeatSockets(("web",))


def beating(now: int) -> Heartbeats:
    return Heartbeats({"web": HeartbeatRecord(now)}, ("web",))


def test_late_player_is_timed_out() -> None:
    room = room_on_turn()
    now = late(room)
    assert late_players(room, now - 1) == []
    assert late_players(room, now) == [0]
    decision = decide_timeouts(room, beating(now), {0: HERE}, now)
    assert decision == TimeoutDecision(timed_out=(0,))


def test_player_who_left_is_replaced_by_a_stand_in() -> None:
    room = room_on_turn()
    now = late(room)
    decision = decide_timeouts(room, beating(now), {0: SeatSockets(left_at=START)}, now)
    assert decision == TimeoutDecision(timed_out=(0,), gone=(0,), replaced=(0,))


def test_question_is_opened_again_after_an_outage() -> None:
    room = room_on_turn()
    now = late(room)
    stalled = Heartbeats({"web": HeartbeatRecord(now, ((now - 5_000, now),))}, ("web",))
    assert decide_timeouts(room, stalled, {0: HERE}, now) == TimeoutDecision(reopen=(0,))


def test_table_waits_while_the_players_process_is_silent() -> None:
    room = room_on_turn()
    now = late(room)
    decision = decide_timeouts(room, beating(now - 5_000), {0: HERE}, now)
    assert decision == TimeoutDecision()
    assert decision.does_nothing


def test_connected_player_without_time_limit_is_not_timed_out() -> None:
    room = room_on_turn(clock=ClockSettings(is_unlimited=True))
    now = expires_at(room, 0)
    assert decide_timeouts(room, beating(now), {0: HERE}, now).does_nothing
    gone = decide_timeouts(room, beating(now), {0: SeatSockets(left_at=START)}, now)
    assert gone == TimeoutDecision(timed_out=(0,), gone=(0,), replaced=(0,))


def test_bot_answers_and_nobody_is_charged() -> None:
    room = room_on_turn(persons=0)
    now = late(room)
    assert late_players(room, now) == []
    decision = decide_timeouts(room, NO_BEATS, {}, now)
    assert decision == TimeoutDecision(bots=(0,), charges_time=False)


def test_stand_in_is_timed_out_whatever_its_sockets() -> None:
    room = room_on_turn()
    away = replace(room, table=replace(room.table, away=(True, False, False, False)))
    now = late(away)
    assert now < late(room)
    decision = decide_timeouts(away, NO_BEATS, {}, now)
    assert decision == TimeoutDecision(timed_out=(0,), charges_time=False)


def test_pause_that_is_over_ends() -> None:
    room = room_on_turn()
    still = replace(room, clock=pause_clock(room.clock, START, START + 60_000))
    assert late(still) == START + 60_000
    assert late_players(still, START + 60_000) == []
    assert decide_timeouts(still, NO_BEATS, {}, START + 60_000) == TimeoutDecision(resume=True)


def test_game_continues_without_pending_answers() -> None:
    room = room_on_turn()
    table = replace(room.table, phase=Phase.CLAIMS, may_call=0, may_ron=0, claimed=0)
    decision = decide_timeouts(replace(room, table=table), NO_BEATS, {}, START + 60_000)
    assert decision == TimeoutDecision(proceed=True, charges_time=False)


def test_only_seats_whose_time_is_over_are_decided() -> None:
    room = room_with_claims()
    unanswered = pending_seats(room.table)
    now = min(expires_at(room, seat) for seat in unanswered)
    expected = tuple(seat for seat in unanswered if expires_at(room, seat) <= now)
    sockets = dict.fromkeys(unanswered, HERE)
    assert decide_timeouts(room, beating(now - 1), sockets, now - 1).does_nothing
    assert decide_timeouts(room, beating(now), sockets, now).timed_out == expected


# Players who are shown as absent


def with_marks(room: Room, since: int) -> Room:
    """Show all players as absent since then."""
    return replace(room, absent_since=(since,) * 4)


def left_long_ago(room: Room) -> dict[int, SeatSockets]:
    left_at = room.clock.closes_at - 60_000
    return dict.fromkeys(range(4), SeatSockets(left_at=left_at))


def test_claims_of_absent_players_are_answered_within_the_reaction_time() -> None:
    room = room_with_claims()
    asked = pending_seats(room.table)
    marked = with_marks(room, room.clock.closes_at - room.meta.clock.reaction_ms - ABSENT_MS)
    now = late(marked)
    assert now < continues_at(room.meta.clock, room.clock, room.table.phase)
    assert late_players(marked, now) == [*asked]
    decision = decide_timeouts(marked, beating(now), left_long_ago(room), now)
    assert decision == TimeoutDecision(timed_out=asked), "not public, as a stand-in would be"


def test_absent_player_is_given_five_seconds_from_the_mark_on() -> None:
    room = room_with_claims()
    marked_at = room.clock.closes_at - room.meta.clock.reaction_ms - 1_000
    assert late(with_marks(room, marked_at)) == marked_at + ABSENT_MS
    just_left = room.clock.closes_at + 60_000
    assert late(with_marks(room, just_left)) == late(room), "the time of the question is the limit"


def test_own_turn_of_an_absent_player_takes_its_time() -> None:
    room = room_on_turn()
    assert late(with_marks(room, START - 60_000)) == late(room)


@pytest.mark.parametrize("fault", ["socket at a dead process", "stall", "hang", "own outage"])
def test_no_stand_in_answers_at_once_where_the_server_may_be_at_fault(fault: str) -> None:
    room = room_with_claims()
    marked = with_marks(room, room.clock.closes_at - 9_000)
    now = late(marked)
    left_at = now - 8_000
    sockets = dict.fromkeys(pending_seats(room.table), SeatSockets(left_at=left_at))
    beats = beating(now)
    stall = ((left_at + 2_000, left_at + 5_000),)
    match fault:
        case "socket at a dead process":
            sockets = dict.fromkeys(sockets, SeatSockets(("b",), counts=(1,)))
        case "stall":
            beats = Heartbeats({"web": HeartbeatRecord(now, stall)}, ("web",))
        case "hang":
            hung = {"web": HeartbeatRecord(now), "b": HeartbeatRecord(left_at + 1_000)}
            beats = Heartbeats(hung, ("web", "b"))
        case _:
            beats = Heartbeats({"web": HeartbeatRecord(now)}, ("web",), stall)
    assert decide_timeouts(marked, beats, sockets, now).does_nothing
    assert decide_timeouts(marked, beating(now), dict.fromkeys(sockets, HERE), now).does_nothing


def test_player_who_left_is_not_replaced_by_a_secret_question() -> None:
    room = room_with_claims()
    asked = pending_seats(room.table)[:1]
    now = expires_at(room, asked[0])
    decision = decide_timeouts(room, beating(now), left_long_ago(room), now)
    assert decision.gone == decision.timed_out
    assert asked[0] in decision.gone
    assert not decision.replaced


LEFT_CASES: Final = [
    ("a socket", SeatSockets(("web",), counts=(1,)), None),
    ("a second window was closed", SeatSockets(("web",), NOW - 9, counts=(1,)), None),
    ("never a socket", SeatSockets(), None),
    ("the last socket was closed", SeatSockets((), NOW - 9), NOW - 9),
    ("another process had died before", SeatSockets(("dead",), NOW - 9, counts=(1,)), NOW - 9),
    ("a second window, then the process died", SeatSockets(("dead",), DIED - 9, counts=(1,)), None),
    ("the process died", SeatSockets(("dead",), counts=(1,)), None),
    ("the sockets of a dead process were given up", SeatSockets(lost_at=NOW - 9), NOW - 9),
]


@pytest.mark.parametrize(("sockets", "since"), [case[1:] for case in LEFT_CASES])
def test_last_socket_says_since_when_a_player_is_absent(
    sockets: SeatSockets, since: int | None
) -> None:
    beats = Heartbeats({"web": HeartbeatRecord(NOW), "dead": HeartbeatRecord(DIED)})
    assert left_since(sockets, beats, NOW) == since
