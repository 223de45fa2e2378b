"""The server and the pages of the players draw the seed together before the first hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec
import pytest
from msgspec.structs import replace

from game.engine.actions import Pass
from game.engine.commands import (
    Act,
    BindWall,
    Command,
    CommitWall,
    DealHand,
    DrawWall,
    EndGame,
    RestoreGame,
    RevealWall,
    StartGame,
    VoidWall,
)
from game.engine.decide import Accepted, Rejected, decide
from game.engine.events import Event, GameEnded, HandStarted, WallDrawOpened, WallSeeded
from game.engine.evolve import evolve
from game.engine.perspective import OPEN_SPECTATOR, SPECTATOR, redact, view
from game.engine.rules import TENHOU
from game.engine.state import SEATS, DrawState, Phase, Table
from game.engine.wall import shuffled_wall
from game.engine.wall_proof import (
    UNSIGNED_VERSION,
    VERSION,
    commitment_of,
    proof_of,
    proof_problems,
    rules_text,
    seed_of,
)

PLAYERS: Final = ("person:a", "person:b", "person:c", "bot:sensible")
RULES: Final = json.loads(rules_text(TENHOU))
KEY: Final = bytes(range(32))
SIGNATURE: Final = bytes(range(64))
VIEWERS: Final = (*SEATS, SPECTATOR, OPEN_SPECTATOR)


def bytes_of(seat: int, draw: int = 1) -> bytes:
    """Return the contribution of that page to that draw."""
    return Random(10 * draw + seat).randbytes(32)


def fresh(draw: int = 1) -> bytes:
    return Random(1_000 + draw).randbytes(32)


class CheckedTable:
    """A table and all its events, with the laws checked at each event."""

    def __init__(self, seats: tuple[int, ...] = (0, 1, 2), version: int = VERSION) -> None:
        self.table = Table()
        self.events: list[Event] = []
        self.do(StartGame(TENHOU, ("a", "b", "c", "d"), b""))
        if version == VERSION:
            self.do(DrawWall(seats, "t", PLAYERS))
        else:
            opened = WallDrawOpened(1, seats, "t", PLAYERS, rules_text(TENHOU), version)
            self.events.append(opened)
            self.table = evolve(self.table, opened)

    def bind(self, draw: int = 1) -> None:
        self.do(BindWall(draw, fresh(draw), KEY, SIGNATURE))

    def do(self, command: Command) -> None:
        verdict = decide(self.table, command)
        assert isinstance(verdict, Accepted), verdict
        for event in verdict.events:
            before, self.table = self.table, evolve(self.table, event)
            for viewer in VIEWERS:
                shown = redact(event, viewer)
                assert shown is not None
                seen = view(self.table, viewer)
                assert evolve(view(before, viewer), shown) == seen
                assert (seen.seed, seen.wall_secret, seen.wall_terms) == (b"", b"", None)
        self.events += verdict.events

    def refused(self, command: Command) -> str:
        verdict = decide(self.table, command)
        assert isinstance(verdict, Rejected), verdict
        return verdict.code

    def commit(self, *seats: int, draw: int = 1) -> None:
        for seat in seats:
            self.do(CommitWall(seat, draw, commitment_of(bytes_of(seat, draw))))

    def reveal(self, *seats: int, draw: int = 1) -> None:
        for seat in seats:
            self.do(RevealWall(seat, draw, bytes_of(seat, draw)))

    @property
    def state(self) -> DrawState:
        assert self.table.wall_draw is not None
        return self.table.wall_draw.state

    def assert_proven(self, draws: int) -> None:
        proof = proof_of(self.events)
        assert proof is not None
        assert len(proof.draws) == draws
        (seed,) = (event.seed for event in self.events if isinstance(event, WallSeeded))
        assert proof_problems(proof, seed, RULES) == []
        (deal,) = (event for event in self.events if isinstance(event, HandStarted))
        assert deal.wall == shuffled_wall(TENHOU, seed, 0)


@pytest.mark.parametrize("seats", [(0, 1, 2, 3), (0, 1, 2), (2,)])
def test_pages_fix_the_seed_with_the_server(seats: tuple[int, ...]) -> None:
    game = CheckedTable(seats)
    game.commit(*seats)
    game.bind()
    assert game.state == DrawState.REVEAL
    game.reveal(*reversed(seats))
    assert game.state == DrawState.FIXED
    given = [bytes_of(seat) if seat in seats else b"" for seat in SEATS]
    assert game.table.wall_draw is not None
    assert game.table.seed == seed_of("t", game.table.wall_draw.binding, fresh(), given)
    assert game.table.phase == Phase.TURN
    assert (game.table.wall_secret, game.table.wall_terms) == (b"", None)
    game.assert_proven(draws=1)


def test_page_that_sends_nothing_takes_no_part() -> None:
    game = CheckedTable()
    game.commit(0, 2)
    game.bind()
    assert game.refused(RevealWall(1, 1, bytes_of(1))) == "not_in_wall_draw"
    game.reveal(0, 2)
    game.assert_proven(draws=1)
    assert game.table.wall_draw is not None
    assert game.table.wall_draw.void == 0


def test_missing_reveal_voids_the_draw_and_excludes_the_page() -> None:
    game = CheckedTable()
    game.commit(0, 1, 2)
    game.bind()
    game.reveal(0, 2)
    game.do(VoidWall(1, fresh(9)))
    draw = game.table.wall_draw
    assert draw is not None
    assert (draw.number, draw.seats, draw.void, draw.binding) == (2, (0, 2), 1, b"")
    assert (game.table.wall_secret, any(draw.commitments)) == (b"", False)
    late = commitment_of(bytes_of(1, 2))
    assert game.refused(CommitWall(1, 2, late)) == "not_in_wall_draw"
    assert game.refused(RevealWall(1, 1, bytes_of(1))) == "other_wall_draw"
    game.commit(0, 2, draw=2)
    game.bind(2)
    game.reveal(0, 2, draw=2)
    game.assert_proven(draws=2)


def test_draw_that_an_older_release_began_ends_as_it_began() -> None:
    """Version 1: no chain and no signature, also when it is bound by this release."""
    game = CheckedTable((0, 2), version=UNSIGNED_VERSION)
    game.commit(0, 2)
    game.bind()
    game.reveal(0, 2)
    game.assert_proven(draws=1)
    proof = proof_of(game.events)
    assert proof is not None
    assert (proof.version, proof.draws[0].signature) == (UNSIGNED_VERSION, b"")


def test_draw_that_servers_of_two_releases_share_has_no_proof() -> None:
    """An older server knows no version, and binds as its own does."""
    game = CheckedTable((0, 2))
    game.commit(0, 2)
    terms = game.table.wall_terms
    assert terms is not None
    game.table = replace(game.table, wall_terms=replace(terms, version=UNSIGNED_VERSION))
    game.bind()
    game.reveal(0, 2)
    assert game.table.phase == Phase.TURN
    assert proof_of(game.events) is None


def test_without_any_page_the_game_has_no_proof() -> None:
    game = CheckedTable()
    game.bind()
    assert (game.state, game.table.seed) == (DrawState.NONE, fresh())
    assert proof_of(game.events) is None
    assert game.table.phase == Phase.TURN


def test_seed_is_the_servers_own_if_no_page_reveals() -> None:
    game = CheckedTable()
    game.commit(0, 1)
    game.bind()
    game.do(VoidWall(1, fresh(2)))
    assert (game.state, game.table.seed) == (DrawState.NONE, fresh(2))
    assert game.table.wall_draw is not None
    assert game.table.wall_draw.void == 1
    assert proof_of(game.events) is None


def test_wrong_copied_early_and_late_messages_are_refused() -> None:
    game = CheckedTable()
    game.commit(0)
    own = commitment_of(bytes_of(0))
    assert game.refused(CommitWall(0, 1, commitment_of(bytes_of(5)))) == "wall_committed"
    assert game.refused(CommitWall(1, 1, own)) == "wall_commit_copied"
    assert game.refused(CommitWall(3, 1, commitment_of(bytes_of(3)))) == "not_in_wall_draw"
    assert game.refused(CommitWall(1, 2, commitment_of(bytes_of(1)))) == "other_wall_draw"
    assert game.refused(CommitWall(1, 1, bytes(31))) == "bad_wall_bytes"
    assert game.refused(RevealWall(0, 1, bytes_of(0))) == "wall_reveal_early"
    assert game.refused(VoidWall(1, fresh())) == "wall_reveal_early"
    assert game.refused(BindWall(1, bytes(31))) == "bad_seed"
    game.commit(1)
    game.bind()
    assert game.refused(BindWall(1, fresh(2))) == "wall_commit_late"
    assert game.refused(CommitWall(2, 1, commitment_of(bytes_of(2)))) == "wall_commit_late"
    assert game.refused(RevealWall(0, 1, bytes_of(1))) == "bad_wall_bytes"
    assert game.refused(RevealWall(0, 1, own)) == "bad_wall_bytes"
    game.reveal(0)
    assert game.refused(RevealWall(0, 1, bytes_of(0))) == "wall_revealed"
    game.reveal(1)
    for late in (
        CommitWall(2, 1, commitment_of(bytes_of(2))),
        BindWall(1, fresh(2)),
        RevealWall(1, 1, bytes_of(1)),
        VoidWall(1, fresh(2)),
    ):
        assert game.refused(late) == "no_wall_draw"
    game.assert_proven(draws=1)


def test_commands_of_the_game_are_refused_during_the_draw() -> None:
    game = CheckedTable()
    assert game.refused(DealHand()) == "not_running"
    assert game.refused(Act(0, 0, Pass())) == "not_running"
    assert game.refused(StartGame(TENHOU, ("a", "b", "c", "d"), fresh())) == "already_started"
    assert game.refused(DrawWall((0,), "t", PLAYERS)) == "already_started"
    plain = decide(Table(), StartGame(TENHOU, ("a", "b", "c", "d"), bytes(32)))
    assert isinstance(plain, Accepted)
    table = evolve(Table(), plain.events[0])
    for command in (DrawWall((0,), "t", PLAYERS), CommitWall(0, 1, fresh())):
        assert isinstance(decide(table, command), Rejected)


@pytest.mark.parametrize("bound", [False, True])
def test_game_that_is_restored_during_the_draw_has_no_proof(bound: bool) -> None:
    game = CheckedTable()
    game.commit(0, 1, 2)
    if bound:
        game.bind()
    game.do(RestoreGame(fresh(7)))
    assert game.table.wall == shuffled_wall(TENHOU, fresh(7), 0)
    assert (game.state, proof_of(game.events)) == (DrawState.NONE, None)


def test_game_that_is_restored_later_has_no_proof() -> None:
    game = CheckedTable((0,))
    game.commit(0)
    game.bind()
    game.reveal(0)
    game.do(RestoreGame(fresh(7)))
    assert proof_of(game.events) is None


def test_game_can_end_during_the_draw() -> None:
    game = CheckedTable()
    game.do(EndGame())
    ended = game.events[-1]
    assert isinstance(ended, GameEnded)
    assert ended.scores == (25_000,) * 4
    assert not game.table.is_drawing_wall
    assert game.refused(CommitWall(0, 1, commitment_of(bytes_of(0)))) == "no_wall_draw"


def test_no_view_or_event_contains_the_secret_or_the_seed() -> None:
    """The test searches every encoded view and event for the bytes; the log does contain them."""
    game = CheckedTable()
    game.commit(0, 1, 2)
    game.bind()
    game.reveal(0, 1)
    game.do(VoidWall(1, fresh(3)))
    game.commit(0, 1, draw=2)
    game.bind(2)
    game.reveal(0, 1, draw=2)
    secrets = (fresh(), fresh(2), game.table.seed, *(name.encode() for name in PLAYERS))
    stored = msgspec.msgpack.encode(game.events)
    assert all(secret in stored for secret in secrets)
    for viewer in VIEWERS:
        sent = msgspec.msgpack.encode([redact(event, viewer) for event in game.events])
        sent += msgspec.msgpack.encode([view(table, viewer) for table in tables(game.events)])
        assert not any(secret in sent for secret in secrets)


def tables(events: list[Event]) -> Iterator[Table]:
    table = Table()
    for event in events:
        table = evolve(table, event)
        yield table
