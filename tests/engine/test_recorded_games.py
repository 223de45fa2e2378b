"""Games that people played on Tenhou, played again: every draw, indicator, payment, ruling
and final ranking comes out as recorded. Skipped where the records are not at hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from game.engine import actions as can
from game.engine.actions import Action
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame
from game.engine.decide import Accepted, decide
from game.engine.events import Event, HandDrawn, Won
from game.engine.evolve import evolve
from game.engine.legal import pending
from game.engine.rules import RuleSet
from game.engine.state import SEATS, Phase, Table
from tests.kit import mjlog

RECORDS: Final = Path(__file__).resolve().parents[3] / "shared" / "records" / "mjlog"
FILES: Final = sorted(RECORDS.glob("*.mjlog.gz"))
_TAKES: Final = ("chi", "pon", "daiminkan", "win")
_IN_HAND: Final = ("dora", "accepted")

pytestmark = pytest.mark.skipif(not FILES, reason=f"no recorded games in {RECORDS}")


class Player:
    """Plays a recorded hand and keeps what the engine made of it."""

    def __init__(self, rules: RuleSet) -> None:
        self.table = Table()
        self.events: list[Event] = []
        self.do(StartGame(rules, ("A", "B", "C", "D"), bytes(32)))

    def do(self, command: Command) -> None:
        verdict = decide(self.table, command)
        assert isinstance(verdict, Accepted), f"{command}: {verdict}"
        for event in verdict.events:
            self.table = evolve(self.table, event)
            self.events.append(event)

    def play(self, hand: mjlog.Hand) -> None:
        self.events.clear()
        self.do(DealHand(hand.wall))
        story = hand.story
        for at, word in enumerate(story):
            follows = next(_followers(story, at), [])
            match word:
                case "discard", seat, tile, tsumogiri:
                    riichi = story[at - 1][0] == "riichi"
                    kind = can.DeclareRiichi if riichi else can.Discard
                    self.act(seat, kind(tile, tsumogiri))
                    self.answer(follows, hand)
                case "ankan", seat, tiles:
                    self.act(seat, can.DeclareAnkan(tiles))
                case "kakan", seat, tile, _:
                    self.act(seat, can.DeclareKakan(tile))
                    self.answer(follows, hand)
                case "win", seat, target if seat == target:
                    self.act(seat, can.Win())
                case "drawn", "kyushu_kyuhai":
                    self.act(self.table.turn, can.DeclareKyushu())

    def act(self, seat: int, action: Action) -> None:
        self.do(Act(seat, self.table.step, action))

    def answer(self, follows: list[mjlog.Word], hand: mjlog.Hand) -> None:
        """All who are asked about the open tile do what is recorded, or let it go by."""
        step = self.table.step
        answers = {word[1]: _claim(word) for word in follows if word[0] in _TAKES}
        if hand.reason == "sanchaho" and follows and follows[0][0] == "drawn":
            answers = {seat: can.Win() for seat in SEATS if f"hai{seat}" in hand.results[0]}
        for seat in pending(self.table):
            if self.table.step == step:
                self.do(Act(seat, step, answers.get(seat, can.Pass())))
        if self.table.step == step:
            self.do(Proceed(step))


def _followers(story: list[mjlog.Word], at: int) -> Iterator[list[mjlog.Word]]:
    """What comes of the tile opened at this place: a call, wins, the end, or a draw."""
    rest = [word for word in story[at + 1 :] if word[0] not in _IN_HAND]
    wins = [word for word in rest if word[0] == "win" and word[1] != word[2]]
    if rest and rest[0] in wins:
        yield wins
    elif rest and rest[0][0] in (*_TAKES, "drawn"):
        yield rest[:1]


def _claim(word: mjlog.Word) -> Action:
    match word:
        case "chi", _, _, _, tiles:
            return can.CallChi(tiles)
        case "pon", _, _, _, tiles:
            return can.CallPon(tiles)
        case "daiminkan", _, _, _, tiles:
            return can.CallKan(tiles)
        case _:
            return can.Win()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:12])
def test_a_recorded_game_is_played_again_without_a_difference(path: Path) -> None:
    game = mjlog.read(path)
    if game is None:
        pytest.skip("of a kind that this rule set does not play")
    player = Player(game.rules)
    for number, hand in enumerate(game.hands):
        player.play(hand)
        where = f"hand {number}: kyoku {hand.kyoku}, honba {hand.honba}"
        start = player.table
        assert (start.kyoku, start.honba) == (hand.kyoku, hand.honba), where
        assert list(mjlog.told(player.events)) == hand.story, where
        _compare_start(player.events[0], hand)
        results = [event for event in player.events if isinstance(event, Won | HandDrawn)]
        for event, recorded in zip(results, hand.results, strict=True):
            _compare_result(event, recorded, where)
        if number < len(game.hands) - 1:
            assert player.table.phase == Phase.RESULT, where
    if game.owari:
        _compare_ranking(player.table, game.owari)


def _compare_start(event: Any, hand: mjlog.Hand) -> None:
    assert (event.kyotaku, event.scores) == (hand.kyotaku, hand.scores)


def _compare_result(event: Won | HandDrawn, recorded: mjlog.Attributes, where: str) -> None:
    changes = [int(part) * 100 for part in recorded["sc"].split(",")[1::2]]
    assert list(event.deltas) == changes, where
    if isinstance(event, HandDrawn):
        shown = [f"hai{seat}" in recorded for seat in SEATS]
        assert [bool(row) for row in event.tehais] == shown, where
        return
    fu, points, _ = (int(part) for part in recorded["ten"].split(","))
    assert event.points == points, where
    if "yaku" in recorded:
        han = sum(int(part) for part in recorded["yaku"].split(",")[1::2])
        assert (event.fan, event.fu) == (han, fu), where
    else:
        assert event.yakuman == len(recorded["yakuman"].split(",")), where
    ura = [mjlog.tile_of(int(part)) for part in recorded.get("doraHaiUra", "").split(",") if part]
    assert list(event.uradora_markers) == ura, where


def _compare_ranking(table: Table, owari: tuple[float, ...]) -> None:
    assert table.phase == Phase.ENDED
    assert [score / 100 for score in table.scores] == list(owari[::2])
    assert [points for _, points in table.placement] == list(owari[1::2])
