"""Plays the positions that the gallery shows, and writes them to its module of positions: ``python
-m tests.kit.gallery_positions``.

Each scene is a staged hand, a golden game or a random game, played through the engine. The gallery
gets the view of seat 0 with its legal actions, or that of a spectator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from game.analysis.study import seat_view, study
from game.engine import actions
from game.engine.commands import (
    BindWall,
    Command,
    CommitWall,
    DrawWall,
    RevealWall,
    StartGame,
)
from game.engine.decide import Accepted, decide
from game.engine.evolve import evolve
from game.engine.furiten import is_furiten
from game.engine.legal import legal
from game.engine.perspective import SPECTATOR, is_seat, redact, view
from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import SEATS, Phase, Table
from game.engine.tiles import NO_TILE
from game.engine.wall_proof import commitment_of
from game.live import encoding
from game.live.outbound import shorten
from tests.kit import gallery_hands as hands
from tests.kit.gallery_hands import YOU
from tests.kit.golden import play_scene, read_game
from tests.kit.play import Play, stage
from tests.kit.random_games import play_random_game

ROOT: Final = Path(__file__).parents[2]
FILE: Final = ROOT / "static" / "js" / "gallery" / "positions.js"
NAMES: Final = ("Anna-Katharina", "Aki", "Fuyu", "Haru")
RATINGS: Final = (1_523, 1_488, 0, 2_011)
SCORES: Final = (25_000, 11_300, 37_700, 25_000)
_OF_THREE: Final = preset("tenhou-3")
_GOLDEN: Final = ROOT / "tests" / "engine" / "golden"


def play_golden(name: str, under: str) -> Play:
    """Play the golden game `name` under the first of its rule sets whose text begins with
    `under`."""
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
    """Play a game at random: the whole game, or only its first `steps` steps."""
    play = Play(rules)
    for _, _, events in islice(play_random_game(Random(seed), rules, 99), steps):
        play.apply_events(*events)
    return play


ASKED_SCENES: Final[dict[str, Callable[[], Play]]] = {
    "turn": lambda: hands.play_middle("234m50m123p789p06s", "7s"),
    "riichi": lambda: hands.play_middle("123p789p789m0m550s", "7s"),
    "barred": hands.play_barred_discards,
    "waiting": lambda: hands.play_middle("2344450667p678m", first="7p"),
    "claims": lambda: hands.play_middle("2344450667p678m"),
    "plain": lambda: hands.play_middle("240m130p8p340sPSF", "7s"),
    "kans": lambda: hands.play_middle("PP6666p5550sP2p", "7s", third="0 pon:PP -5m"),
    "ankans": lambda: hands.play_middle("6666p5550p5550s2p", "7s"),
    "orphans": lambda: stage(("199m39p109sESSNP",), "C"),
    "chis": lambda: hands.play_middle("2350p2346m577s88p"),
    "crowded": hands.play_crowded_claims,
    "full": hands.play_full_table,
    "declared": hands.play_four_riichi,
    "showing": showing,
    "end": lambda: random_game(3),
}
"""Positions in which the reader is asked, and the fullest ones."""
RESULT_SCENES: Final[dict[str, Callable[[], Play]]] = {
    "small": small,
    "haneman": lambda: ron("234m678m340p66p30s", "1m", "9s"),
    "ron": lambda: ron("340m678m340p66p30s", "5p", "7m"),
    "two": lambda: play_golden("sticks_of_two_winners", "tenhou"),
    "tsumo": lambda: play_golden("pao_for_an_open_kan", "jpml-a"),
    "ura": ura,
    "yakuman": lambda: play_golden("pao_shared_on_a_ron", "tenhou"),
    "four_kans": four_kans,
    "exhaustive": exhaustive,
    "nobody": nobody,
    "nagashi": lambda: play_golden("nagashi_and_the_dealer", "tenhou"),
    "kyushu": kyushu,
    "sufon_renda": lambda: play_golden("four_winds_and_a_furiten_wait", "tenhou"),
    "sucha_riichi": lambda: play_golden("fourth_riichi_goes_by", "tenhou"),
    "sukaikan": lambda: play_golden("four_kans_of_four_players", "tenhou"),
    "sanchaho": lambda: play_golden("three_rons_on_a_riichi_tile", "tenhou"),
    "chombo": chombo,
}
"""The ends of hands."""
THREE_PLAYER_SCENES: Final[dict[str, Callable[[], Play]]] = {
    "turn": hands.play_three_players,
    "claims": lambda: random_game(33, _OF_THREE, 853),
    "full": lambda: random_game(19, _OF_THREE, 735),
    "robbing": lambda: random_game(28, _OF_THREE, 677),
    "norths": hands.play_four_norths,
    "waiting": hands.play_three_to_riichi,
    "ron": hands.play_three_to_ron,
    "end": lambda: random_game(3, _OF_THREE),
}
"""Positions of three players. `full` has long rivers, and many melds and norths."""


STUDIED_SCENES: Final = frozenset({"riichi", "barred", "waiting", "crowded"})
"""Positions with the answer to a request for help."""
_SIDES_OF_KANS: Final = {"left": 1, "top": 2, "right": 3}
"""Who has the seat with four kans at that side."""
MELDS: Final[tuple[tuple[str, str, str, int, str], ...]] = (
    ("chi", "4m0m", "3m", 3, ""),
    ("chi", "3m0m", "4m", 3, ""),
    *(("pon", "EE", "E", target, "") for target in (3, 2, 1)),
    *(("kan", "999s", "9s", target, "") for target in (3, 2, 1)),
    ("pon", "55p", "0p", 3, "5p"),
    ("pon", "55p", "5p", 2, "0p"),
    ("pon", "50p", "5p", 1, "5p"),
    ("", "5550s", "", YOU, ""),
)
"""Each kind of meld of the reader, from each seat that it can come from."""


def encode_view(table: Table, viewer: int, *, is_rated: bool = False) -> dict[str, Any]:
    """Return the table as that viewer's client gets it. The other players are bots, or people if
    the game is rated."""
    seen = view(table, viewer)
    players = table.rules.players
    reader = viewer if is_seat(viewer) else YOU
    furiten = viewer if is_seat(viewer) and is_furiten(table, viewer) else None
    bots = [seat != reader and not is_rated for seat in range(players)]
    return encoding.encode_table(
        seen,
        [NAMES[(seat - reader) % players] for seat in range(players)],
        bots,
        furiten,
        ["" if is_bot else "5mr-blue" for is_bot in bots],
        ["sensible" if is_bot else "" for is_bot in bots],
        RATINGS if is_rated else (),
    )


def encode_position(
    play: Play, viewer: int = YOU, *, is_studied: bool = False, is_rated: bool = False
) -> str:
    """Return as JSON what that viewer sees and may do; with `is_studied` also the analysis of the
    hand."""
    table = play.table
    position: dict[str, Any] = {
        "view": encode_view(table, viewer, is_rated=is_rated),
        "you": None,
        "legal": [],
    }
    if is_seat(viewer):
        drawn = table.drawn if table.turn == viewer else NO_TILE
        position["you"] = viewer
        position["legal"] = shorten(legal(table, viewer), table.hands[viewer].tiles, drawn)
    if is_studied:
        position["study"] = study(seat_view(table, viewer))
    return msgspec.json.encode(position).decode()


def encode_moves() -> str:
    """Return as JSON a view of the reader and the events that follow it."""
    play = hands.play_opening_turns()
    start, count = encode_view(play.table, YOU), len(play.events)
    hands.play_final_turns(play)
    redacted = [redact(event, YOU) for event in play.events[count:]]
    events = [encoding.encode_event(event) for event in redacted if event is not None]
    until = next(at for at, event in enumerate(events) if event["type"] == "hora")
    return msgspec.json.encode({"view": start, "events": events[: until + 1]}).decode()


def encode_melds() -> str:
    """Return `MELDS` as JSON, in the form of views."""
    found = []
    for call, held, pai, target, added in MELDS:
        play = hands.play_meld(call, held, pai, target, added)
        found.append(encode_view(play.table, YOU)["hands"][YOU]["melds"][0])
    return msgspec.json.encode(found).decode()


def encode_wall() -> str:
    """Return as JSON the draw of a wall to which four pages have contributed."""
    table, chance = Table(), Random(1)
    contributions = [chance.randbytes(32) for _ in SEATS]
    commands: list[Command] = [
        StartGame(TENHOU, NAMES, b""),
        DrawWall(SEATS, "t", tuple(f"person:{name}" for name in NAMES)),
        *(CommitWall(seat, 1, commitment_of(contributions[seat])) for seat in SEATS),
        BindWall(1, chance.randbytes(32), chance.randbytes(32), chance.randbytes(64)),
        *(RevealWall(seat, 1, contributions[seat]) for seat in SEATS),
    ]
    for command in commands:
        verdict = decide(table, command)
        assert isinstance(verdict, Accepted), verdict
        for event in verdict.events:
            table = evolve(table, event)
    return msgspec.json.encode(encoding.encode_wall_draw(view(table, YOU).wall_draw, 0)).decode()


_HEAD: Final = """
/** Written by tests/kit/gallery_positions.py, which plays them through the engine. */

/**
 * @typedef {{view: import("../table/types.js").View, you: number | null,
 *   legal: import("../net/frames.js").ShortAction[],
 *   study?: import("../table/hints.js").Study}} Position
 */

/** @param {string} text */
const parse = (text) => JSON.parse(text);
"""


def module_lines() -> Iterator[str]:
    """Yield the lines of the module `FILE`."""
    yield from _HEAD.strip().splitlines()
    positions = "Record<string, Position>"
    asked = {
        name: encode_position(
            play(), is_studied=name in STUDIED_SCENES, is_rated=name == "declared"
        )
        for name, play in ASKED_SCENES.items()
    }
    asked["stop"] = encode_position(hands.play_to_stop(), 3)
    full = hands.play_full_table()
    asked |= {f"full_{side}": encode_position(full, seat) for side, seat in _SIDES_OF_KANS.items()}
    yield from _export("ASKED", positions, asked)
    yield from _export(
        "RESULTS",
        positions,
        {name: encode_position(play()) for name, play in RESULT_SCENES.items()},
    )
    of_three = {
        f"three_{name}": encode_position(play(), is_studied=name in STUDIED_SCENES)
        for name, play in THREE_PLAYER_SCENES.items()
    }
    yield from _export("THREE", positions, of_three)
    watched = {
        "watch": encode_position(ASKED_SCENES["turn"](), SPECTATOR),
        "three_watch": encode_position(hands.play_three_players(), SPECTATOR),
    }
    yield from _export("WATCHED", positions, watched)
    types = 'import("../table/types.js")'
    yield from _export(
        "MOVING", f"{{view: {types}.View, events: {types}.TableEvent[]}}", encode_moves()
    )
    yield from _export("MELDS", f"{types}.Meld[]", encode_melds())
    yield from _export("WALL", 'import("../wall/state.js").Wall', encode_wall())


def _export(name: str, kind: str, value: str | dict[str, str]) -> Iterator[str]:
    """Yield the lines that export a constant: one JSON value, or an object of such values."""
    yield ""
    yield f"/** @type {{{kind}}} */"
    if isinstance(value, str):
        yield f"export const {name} = parse("
        yield f"  '{value}',"
        yield ");"
        return
    yield f"export const {name} = {{"
    for key, text in value.items():
        yield f"  {key}: parse("
        yield f"    '{text}',"
        yield "  ),"
    yield "};"


def main() -> None:
    FILE.write_text("\n".join(module_lines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
