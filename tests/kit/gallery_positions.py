"""Plays the positions that the gallery shows, and writes them for it:
``python -m tests.kit.gallery_positions``.

Each scene is a staged hand, a golden game or a random game that the engine has played. The gallery
gets what seat 0 sees there and may do, or what a spectator sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import msgspec
from msgspec.structs import replace

from game.engine import actions
from game.engine.furiten import is_furiten
from game.engine.legal import legal
from game.engine.perspective import SPECTATOR, view
from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase
from game.live import encoding
from tests.kit.golden import play_scene, read_game
from tests.kit.play import Play, stage
from tests.kit.random_games import play_random_game

ROOT: Final = Path(__file__).parents[2]
FILE: Final = ROOT / "static" / "js" / "gallery" / "positions.js"
NAMES: Final = ("Anna-Katharina", "Aki", "Fuyu", "Haru")
SCORES: Final = (25_000, 11_300, 37_700, 25_000)
YOU: Final = 0
_OF_THREE: Final = preset("tenhou-3")
_GOLDEN: Final = ROOT / "tests" / "engine" / "golden"


def golden(name: str, under: str) -> Play:
    """Play a golden game under the first rule set that begins with `under`."""
    game = read_game(_GOLDEN / f"{name}.txt")
    scene = next(scene for scene in game.scenes if scene.under.startswith(under))
    return play_scene(game, scene)[0]


def showing() -> Play:
    """Use up the wall where players choose whether they show a tenpai hand."""
    play = stage(("234567m345p67s99s",), rules=preset("ema-2012"))
    while play.table.phase != Phase.SHOWING:
        play.proceed()
        if play.table.phase == Phase.TURN:
            play.act(play.table.turn, actions.Discard(play.table.drawn, True))
    return play


def ron(hand: str, dora: str, ura: str) -> Play:
    """Let seat 0 win within ippatsu on 4s from seat 2."""
    play = stage((hand,), "PFCN9m1m4s", dora=dora, ura=ura, honba=2, kyotaku=1, scores=SCORES)
    play.discard_in_turn("PFCN")
    play.riichi(YOU, "9m")
    play.discard_in_turn("1m")
    play.discard(2, "4s")
    play.ron(YOU)
    return play


def small() -> Play:
    """Let seat 0 win without riichi."""
    play = stage(("234567m345p67s99s",), "PFC8s")
    play.discard_in_turn("PFC")
    play.discard(3, "8s")
    play.ron(YOU)
    return play


def four_kans() -> Play:
    """Let each seat call four triplets, and seat 0 add the fourth tile to each of its own and win
    with the replacement tile of the last."""
    sets = [
        ("1m", "9s", "5p", "E"),
        ("2m", "8s", "1p", "S"),
        ("3m", "7s", "9p", "W"),
        ("4m", "6s", "8p", "P"),
    ]
    idle = [
        ("5m", "7m", "8m", "N", "N"),
        ("5m", "6m", "9m", "3p", "4p"),
        ("7m", "8m", "9m", "2p", "3p"),
        ("6p", "7p", "1s", "2s", "F"),
    ]
    callers = [(2 + 3 * at) % 4 for at in range(16)]
    called = [sets[seat][callers[:at].count(seat)] for at, seat in enumerate(callers)]
    play = stage(
        ["".join([*(pai * 2 for pai in own), *rest]) for own, rest in zip(sets, idle, strict=True)],
        "".join(called) + "C9m2s3s1m",
        rinshan="9s0pEN",
        dora="3p6m8s0mC",
        honba=12,
        kyotaku=4,
        scores=(24_000, 31_300, 17_700, 23_000),
    )
    for at, (seat, pai) in enumerate(zip(callers, called, strict=True)):
        play.proceed()
        play.discard(play.table.turn, pai)
        play.pon(seat, pai * 2)
        play.proceed()
        play.discard(seat, idle[seat][callers[:at].count(seat)], from_hand=True)
    play.proceed()
    while play.drawn != "1m":
        play.tsumogiri()
    for pai in sets[YOU]:
        play.kakan(YOU, pai.replace("5p", "0p"))
        play.proceed()
    play.tsumo(YOU)
    return play


def ura() -> Play:
    """Let three ura dora indicators count for a winner in riichi."""
    play = stage(
        ("", "", "12789m111p789pNN", "147m258p1222666s"),
        "FCPSFCE6s5s5s3m",
        rinshan="2s9s",
        dora="4p3s4m",
        ura="9p6mW",
    )
    play.discard_in_turn("FCPSFC")
    play.riichi(2, "E")
    play.ankan(3, "6666s")
    play.ankan(3, "2222s")
    play.discard_in_turn("9s5s5s")
    play.tsumo(2)
    return play


def exhaustive() -> Play:
    """Use up the wall while three hands are tenpai."""
    hands = ("234567m345p67s99s", "", "345m123789p67s22p", "EEEWWW999m44s88p")
    play = stage(hands)
    play.play_to_exhaustive_draw()
    return play


def nobody() -> Play:
    """Use up the wall while no hand is tenpai."""
    play = stage()
    play.play_to_exhaustive_draw()
    return play


def kyushu() -> Play:
    """Let seat 0 end the hand for its nine kinds of terminals and honours."""
    play = stage(("199m39p109sESSNP",), "C")
    play.kyushu(YOU)
    return play


def chombo() -> Play:
    """Let seat 2 declare a win that it does not have."""
    rules = replace(TENHOU, false_declarations=True, chombo="reverse_mangan")
    play = stage(rules=rules)
    play.tsumogiri(2)
    play.tsumo(2)
    return play


def random_game(seed: int, rules: RuleSet = TENHOU, steps: int | None = None) -> Play:
    """Play a game at random, whole or so many of its steps."""
    play = Play(rules)
    for _, _, events in islice(play_random_game(Random(seed), rules, 99), steps):
        play.apply_events(*events)
    return play


def three() -> Play:
    """Let seat 0 draw the tile with which it may declare riichi, and hold a north. The others have
    set three aside, and seat 1 is in riichi."""
    play = stage(
        ("11m406p77p34567sN", "123456789p99sNN", ""),
        "C1sN8s7p",
        rinshan="2sCFW",
        dora="1m",
        ura="W",
        scores=(35_000, 41_000, 29_000),
        rules=_OF_THREE,
    )
    play.discard(0, "C")
    play.proceed()
    play.set_north_aside(1)
    play.set_north_aside(1)
    play.riichi(1, "C")
    play.proceed()
    play.set_north_aside(2)
    play.discard(2, "F")
    play.proceed()
    return play


def three_win() -> Play:
    """Let seat 0 set its north aside in that hand, and win on seat 1's discard within ippatsu."""
    play = three()
    play.set_north_aside(YOU)
    play.riichi(YOU, "W")
    play.proceed()
    play.discard(1, "7p")
    play.ron(YOU)
    return play


SINGLE: Final[dict[str, Callable[[], Play]]] = {
    "SHOWING": showing,
    "END": lambda: random_game(3),
}
RESULTS: Final[dict[str, Callable[[], Play]]] = {
    "small": small,
    "haneman": lambda: ron("234m678m340p66p30s", "1m", "9s"),
    "ron": lambda: ron("340m678m340p66p30s", "5p", "7m"),
    "two": lambda: golden("sticks_of_two_winners", "tenhou"),
    "tsumo": lambda: golden("pao_for_an_open_kan", "jpml-a"),
    "ura": ura,
    "yakuman": lambda: golden("pao_shared_on_a_ron", "tenhou"),
    "four_kans": four_kans,
    "exhaustive": exhaustive,
    "nobody": nobody,
    "nagashi": lambda: golden("nagashi_and_the_dealer", "tenhou"),
    "kyushu": kyushu,
    "sufon_renda": lambda: golden("four_winds_and_a_furiten_wait", "tenhou"),
    "sucha_riichi": lambda: golden("fourth_riichi_goes_by", "tenhou"),
    "sukaikan": lambda: golden("four_kans_of_four_players", "tenhou"),
    "sanchaho": lambda: golden("three_rons_on_a_riichi_tile", "tenhou"),
    "chombo": chombo,
}
"""The ends of hands."""
OF_THREE: Final[dict[str, Callable[[], Play]]] = {
    "turn": three,
    "claims": lambda: random_game(33, _OF_THREE, 853),
    "full": lambda: random_game(19, _OF_THREE, 735),
    "robbing": lambda: random_game(28, _OF_THREE, 677),
    "ron": three_win,
    "end": lambda: random_game(3, _OF_THREE),
}
"""Positions of three players. `full` has long rivers, and many melds and norths."""


def encoded_position(play: Play, viewer: int = YOU) -> str:
    """Return what that viewer sees, and may do as seat 0, as its client gets it."""
    seen = view(play.table, viewer)
    furiten = YOU if viewer == YOU and is_furiten(seen, YOU) else None
    players = play.table.rules.players
    bots = [seat != YOU for seat in range(players)]
    levels = ["sensible" if is_bot else "" for is_bot in bots]
    avatars = ["5mr-blue", *[""] * (players - 1)]
    names = list(NAMES[:players])
    position = {
        "view": encoding.table(seen, names, bots, furiten, avatars, levels),
        "legal": [encoding.action(action) for action in legal(seen, YOU)] if viewer == YOU else [],
    }
    return msgspec.json.encode(position).decode()


def lines() -> Iterator[str]:
    """Yield the lines of `FILE`."""
    yield "/** Written by tests/kit/gallery_positions.py, which plays them through the engine. */"
    yield ""
    yield "/**"
    yield " * @param {string} text"
    yield ' * @returns {{view: import("../table/types.js").View,'
    yield ' *   legal: import("../table/types.js").Action[]}}'
    yield " */"
    yield "const position = (text) => JSON.parse(text);"
    yield ""
    for name, play in SINGLE.items():
        yield f"export const {name} = position("
        yield f"  '{encoded_position(play())}',"
        yield ");"
    yield "/** The ends of hands. */"
    yield "export const RESULTS = {"
    for name, play in RESULTS.items():
        yield f"  {name}: position("
        yield f"    '{encoded_position(play())}',"
        yield "  ),"
    yield "};"
    yield "/** Tables of three players. */"
    yield "export const THREE = {"
    for name, play in OF_THREE.items():
        yield f"  {name}: position("
        yield f"    '{encoded_position(play())}',"
        yield "  ),"
    yield "  watch: position("
    yield f"    '{encoded_position(three(), SPECTATOR)}',"
    yield "  ),"
    yield "};"


def main() -> None:
    FILE.write_text("\n".join(lines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
