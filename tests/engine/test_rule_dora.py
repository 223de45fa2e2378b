"""When indicators are revealed, and which of them count."""

from __future__ import annotations

from game.engine.events import Discarded, DoraRevealed, Drawn, Event
from game.engine.rules import RuleSet
from tests.kit.play import Play, stage


def dora_events(play: Play) -> list[str]:
    """Return the events since the deal that matter for dora, in their order."""
    names: dict[type[Event], str] = {DoraRevealed: "dora", Drawn: "draw", Discarded: "discard"}
    return [names[type(event)] for event in play.events if type(event) in names][1:]


def open_kan(rules: RuleSet | None = None, draws: str = "4m", rinshan: str = "P") -> Play:
    """Stage an open kan of seat 2 of seat 0's 4m."""
    play = stage(
        ("", "", "444m888p46s11s99pE"),
        draws,
        rinshan=rinshan,
        dora="6m 7p 9p",
        rules=rules or RuleSet(),
    )
    play.discard(0, "4m")
    play.kan(2, "444m")
    return play


def test_first_indicator_is_visible_from_the_start() -> None:
    play = stage(dora="3s 4s")
    assert play.dora == "3s"


def test_closed_kan_reveals_its_indicator_before_the_replacement() -> None:
    play = stage(("444m888p46s11s99pE",), "4m", dora="6m 7p")
    play.ankan(0, "4444m")
    play.proceed()
    assert play.dora == "6m7p"
    assert dora_events(play) == ["dora", "draw"]


def test_open_kan_reveals_its_indicator_with_the_next_discard() -> None:
    play = open_kan()
    assert play.dora == "6m"
    play.discard(2, "E")
    assert play.dora == "6m7p"
    assert dora_events(play) == ["discard", "draw", "dora", "discard"]


def test_added_kan_reveals_its_indicator_with_the_next_discard() -> None:
    play = stage(("", "", "44m888p46s11s99pEN"), "4m 9m 9m 9m 4m", dora="6m 7p")
    play.discard(0, "4m")
    play.pon(2, "44m")
    play.discard(2, "N")
    play.discard_in_turn("9m 9m 9m")
    play.kakan(2, "4m")
    play.proceed()
    assert play.dora == "6m"
    play.discard(2, "E")
    assert play.dora == "6m7p"


def test_open_kan_dora_does_not_count_for_rinshan() -> None:
    play = stage(("", "", "444m888p46s12311s"), "4m", rinshan="5s", dora="6m 7p")
    play.discard(0, "4m")
    play.kan(2, "444m")
    play.tsumo(2)
    assert play.win.yaku == (("rinshan", 1),)


def test_open_kan_dora_counts_for_ron_on_next_discard() -> None:
    play = stage(
        ("", "", "444m46s11s888s99pE", "78m456678p456s99s"), "4m", rinshan="9m", dora="E 7p"
    )
    play.discard(0, "4m")
    play.kan(2, "444m")
    play.discard(2, "9m")
    play.ron(3)
    assert dict(play.win.yaku)["dora"] == 1


def test_pending_dora_is_revealed_with_the_next_closed_kan() -> None:
    play = open_kan(rinshan="8p")
    play.ankan(2, "8888p")
    play.proceed()
    assert play.dora == "6m79p"
    assert dora_events(play) == ["discard", "draw", "dora", "dora", "draw"]
    play.discard(2, "E")
    assert play.dora == "6m79p"


WAITS_FOR_4M = "35m456789p456s11s"


def stage_added_after_open_kan(rules: RuleSet | None = None) -> Play:
    """Stage seat 2 with a pon of 4m: it makes an open kan of 8p, then adds the 4m that it draws.
    Seat 3 waits for 4m."""
    play = stage(
        ("", "", "44m888p46s11s99pEN", "35m123456p456s11s"),
        "4m 9s 8p",
        rinshan="4m 1p",
        dora="6m 3p 9p",
        rules=rules or RuleSet(),
    )
    play.discard(0, "4m")
    play.pon(2, "44m")
    play.discard(2, "N")
    play.discard_in_turn("9s")
    play.discard(0, "8p")
    play.kan(2, "888p")
    assert play.dora == "6m"
    play.kakan(2, "4m")
    return play


def test_pending_dora_is_revealed_after_an_unrobbed_added_kan() -> None:
    play = stage_added_after_open_kan()
    assert play.dora == "6m"
    play.proceed()
    assert play.dora == "6m3p"
    play.discard(2, "E")
    assert play.dora == "6m39p"


def test_robbed_kan_reveals_no_indicator() -> None:
    play = stage_added_after_open_kan()
    play.ron(3)
    assert play.dora == "6m"
    assert play.win.yaku == (("chankan", 1),)


def test_pending_dora_at_robbery_reveals_the_older_indicator() -> None:
    play = stage_added_after_open_kan(RuleSet(pending_dora_at_robbery=True))
    play.ron(3)
    assert play.dora == "6m3p"
    assert play.win.yaku == (("chankan", 1), ("dora", 1))


def test_the_dora_of_a_robbed_kan_does_not_count() -> None:
    play = stage(("", "", "44m888p46s11s99pEN", WAITS_FOR_4M), "4m 9m 9s 9s 4m", dora="6m 7p")
    play.discard(0, "4m")
    play.pon(2, "44m")
    play.discard(2, "N")
    play.discard_in_turn("9m 9s 9s")
    play.kakan(2, "4m")
    play.ron(3)
    assert play.dora == "6m"
    assert play.yaku == {"chankan"}


# Other timings of kan dora, and rules without it


def test_before_replacement_open_kan_reveals_at_once() -> None:
    play = open_kan(RuleSet(open_kan_dora="before_replacement"))
    assert play.dora == "6m7p"
    assert dora_events(play) == ["discard", "dora", "draw"]


def test_before_replacement_unrobbed_added_kan_reveals_at_once() -> None:
    rules = RuleSet(open_kan_dora="before_replacement")
    play = stage(("", "", "44m888p46s11s99pEN"), "4m 9m 9m 9m 4m", dora="6m 7p", rules=rules)
    play.discard(0, "4m")
    play.pon(2, "44m")
    play.discard(2, "N")
    play.discard_in_turn("9m 9m 9m")
    play.kakan(2, "4m")
    assert play.dora == "6m"
    play.proceed()
    assert play.dora == "6m7p"


def test_after_discard_passes_ron_precedes_the_indicator() -> None:
    rules = RuleSet(open_kan_dora="after_discard_passes")
    play = stage(
        ("", "", "444m46s11s888s99pE", "78m456678p456s99s"),
        "4m",
        rinshan="9m",
        dora="E 7p",
        rules=rules,
    )
    play.discard(0, "4m")
    play.kan(2, "444m")
    play.discard(2, "9m")
    assert play.dora == "E"
    play.ron(3)
    assert "dora" not in play.yaku


def test_after_discard_passes_reveals_when_nobody_wins() -> None:
    play = open_kan(RuleSet(open_kan_dora="after_discard_passes"))
    play.discard(2, "E")
    assert play.dora == "6m"
    play.proceed()
    assert play.dora == "6m7p"


def test_without_kan_dora_no_kan_reveals_an_indicator() -> None:
    play = open_kan(RuleSet(kan_dora=False, kan_ura=False), rinshan="8p")
    play.ankan(2, "8888p")
    play.discard(2, "E")
    play.proceed()
    assert play.dora == "6m"


# What counts


PINFU = "234567m345p67s99s"
"""A hand that waits for 5s and 8s."""


def win_in_riichi(rules: RuleSet | None = None, **tiles: str) -> dict[str, int]:
    play = stage((PINFU,), "1p 9m 9m 9m 1p 8s", rules=rules or RuleSet(), **tiles)
    play.riichi(0, "1p")
    play.discard_in_turn("9m 9m 9m 1p")
    play.discard(1, "8s")
    play.ron(0)
    return dict(play.win.yaku)


def test_an_indicator_makes_the_next_tile_dora() -> None:
    assert win_in_riichi(dora="8s", ura="1m")["dora"] == 2


def test_riichi_reveals_the_ura_dora() -> None:
    assert win_in_riichi(dora="1p", ura="8s")["ura"] == 2


def test_without_ura_dora_none_is_revealed() -> None:
    assert "ura" not in win_in_riichi(RuleSet(ura_dora=False, kan_ura=False), dora="1p", ura="8s")


def test_win_without_riichi_reveals_no_ura() -> None:
    play = stage((PINFU,), "1p 8s", dora="1p", ura="8s")
    play.discard(0, "1p")
    play.discard(1, "8s")
    play.ron(0)
    assert play.yaku == {"pinfu"}
    assert play.win.uradora_markers == ()


def with_kan(rules: RuleSet | None = None) -> Play:
    """Stage a riichi, then a closed kan of 9m, then a win on the replacement tile."""
    play = stage(
        ("999m234m345p67s11s",),
        "1p 1m 1m 1m 9m",
        rinshan="8s",
        dora="1p E",
        ura="S 8m N",
        rules=rules or RuleSet(),
    )
    play.riichi(0, "1p")
    play.discard_in_turn("1m 1m 1m")
    play.ankan(0, "9999m")
    play.tsumo(0)
    return play


def test_every_kan_dora_has_its_ura() -> None:
    play = with_kan()
    assert len(play.win.uradora_markers) == 2
    assert dict(play.win.yaku)["ura"] == 4


def test_without_kan_ura_only_the_first_is_revealed() -> None:
    play = with_kan(RuleSet(kan_ura=False))
    assert len(play.win.uradora_markers) == 1
    assert "ura" not in play.yaku


def test_indicated_red_five_counts_twice() -> None:
    play = stage(("234067m340p67s99s",), "1p 8s", dora="4m")
    play.discard(0, "1p")
    play.discard(1, "8s")
    play.ron(0)
    assert play.win.yaku == (("pinfu", 1), ("dora", 1), ("aka", 2))


def test_a_red_five_as_indicator_makes_the_six_dora() -> None:
    play = stage((PINFU,), "1p 8s", dora="0m")
    play.discard(0, "1p")
    play.discard(1, "8s")
    play.ron(0)
    assert play.win.yaku == (("pinfu", 1), ("dora", 1))


def test_dora_is_no_yaku() -> None:
    play = stage(("35m567p789p456s11s",), "1m 4m", dora="0p 3m 5s")
    play.discard(0, "1m")
    play.discard(1, "4m")
    assert play.offered(0) == set()
