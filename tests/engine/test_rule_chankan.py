"""Robbing a kan: when the tile of a kan can be won on, and what then happens to the kan."""

from __future__ import annotations

from game.engine.actions import Win
from game.engine.by_seat import BySeat
from game.engine.events import DoraRevealed, Drawn
from game.engine.rules import RuleSet
from game.engine.state import Phase
from tests.kit.play import Play, stage, stage_added_kan

WITH_TRIPLET = "444m147p258sESWN"
WITH_PAIR = "44m147p258sESWNP"
WAITS_FOR_4M = "23m456p789p456s11s"
"""A hand with pinfu that waits for 1m and 4m."""


def test_added_kan_is_open_to_robbing() -> None:
    play = stage(("123m456p789p456s2s", "", WITH_PAIR), "4m 9s 9s 9m 4m")
    play.discard(0, "4m")
    play.pon(2, "44m")
    play.discard(2, "E")
    play.discard_in_turn("9s 9s 9m")
    play.kakan(2, "4m")
    assert play.table.phase == Phase.CLAIMS
    assert play.table.robbing
    assert play.drawn == ""


def chankan(hands: BySeat[str], **switches: object) -> Play:
    return stage_added_kan(hands, RuleSet(**switches))  # type: ignore[arg-type]


CLOSED_WAIT = "35m456p789p456s11s"
"""A hand that waits for 4m and has no yaku but chankan."""


def with_chankan_only() -> Play:
    return chankan((CLOSED_WAIT, "", WITH_PAIR, ""))


def test_robbing_an_added_kan_gives_chankan() -> None:
    play = with_chankan_only()
    assert play.offered(0) == {"ron"}
    play.ron(0)
    assert play.win.yaku == (("chankan", 1),)
    assert (play.win.actor, play.win.target) == (0, 2)


def test_a_robbed_kan_has_no_effect() -> None:
    play = with_chankan_only()
    play.ron(0)
    assert play.events_of(DoraRevealed) == []
    assert play.table.supplements == 0
    assert not any(event.rinshan for event in play.events_of(Drawn))


def test_play_continues_after_an_unrobbed_kan() -> None:
    play = with_chankan_only()
    play.let_pass(0)
    play.proceed()
    assert (play.table.turn, play.table.supplements, play.table.rinshan) == (2, 1, True)


def test_the_tile_of_an_added_kan_cannot_be_called() -> None:
    play = chankan(("23m123p789p456s11s", "", WITH_PAIR, "356m147p258sESWN"))
    assert play.offered(3) == set()
    assert play.offered(0) == {"ron"}


def test_several_players_may_rob_one_kan() -> None:
    play = chankan((CLOSED_WAIT, "", WITH_PAIR, "35m123p789p123s99s"))
    play.ron(3, 0)
    assert [won.actor for won in play.wins] == [3, 0]
    assert all(("chankan", 1) in won.yaku for won in play.wins)


def test_a_furiten_player_cannot_rob() -> None:
    play = stage((CLOSED_WAIT, "", WITH_PAIR), "4m 9s 9s 9p 4m")
    play.discard(0, "4m")
    play.pon(2, "44m")
    play.discard(2, "N")
    play.discard_in_turn("9s 9s 9p")
    play.kakan(2, "4m")
    assert play.offered(0) == set()
    code, _ = play.refusal_of(0, Win())
    assert code == "not_asked"


def test_a_closed_kan_cannot_be_robbed() -> None:
    play = stage(("", WITH_TRIPLET, "23m456p789p456s11s"), "9s 4m", rinshan="9p")
    play.discard(0, "9s")
    play.ankan(1, "4444m")
    assert play.offered(2) == set()
    play.proceed()
    assert play.drawn == "9p"


WAITS_FOR_CHUN = "119m19p19sESWNPF"


def closed_kan_of_chun(**switches: object) -> Play:
    rules = RuleSet(**switches)  # type: ignore[arg-type]
    play = stage(("", "CCC147p258s258mE", WAITS_FOR_CHUN), "9s C", rules=rules)
    play.discard(0, "9s")
    play.ankan(1, "CCCC")
    return play


def test_kokushi_does_not_rob_a_closed_kan() -> None:
    play = closed_kan_of_chun()
    assert play.offered(2) == set()
    play.proceed()
    assert play.table.rinshan


def test_kokushi_may_rob_a_closed_kan() -> None:
    play = closed_kan_of_chun(kokushi_robs_ankan=True)
    assert play.offered(2) == {"ron"}
    play.ron(2)
    assert play.win.yaku == (("kokushi", 1),)
    assert play.events_of(DoraRevealed) == []


def test_only_kokushi_may_rob_a_closed_kan() -> None:
    rules = RuleSet(kokushi_robs_ankan=True)
    play = stage(("", WITH_TRIPLET, WAITS_FOR_4M), "9s 4m", rules=rules)
    play.discard(0, "9s")
    play.ankan(1, "4444m")
    assert play.offered(2) == set()
    play.proceed()
    assert play.table.rinshan


def test_closed_kan_is_completed_when_kokushi_passes() -> None:
    play = closed_kan_of_chun(kokushi_robs_ankan=True)
    play.let_pass(2)
    play.proceed()
    assert (play.table.turn, play.table.rinshan) == (1, True)
    assert len(play.events_of(DoraRevealed)) == 1
