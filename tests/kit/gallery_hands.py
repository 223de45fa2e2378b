"""Plays the hands of the gallery in which the reader is asked a question, and those with the most
tiles on the table.

A hand is a text with a line for each turn: the seat, then its moves in order. ``+4m`` is a draw,
``++4m`` one from the dead wall, ``-4m`` a discard; ``chi:35m``, ``pon:99s`` and ``kan:999s`` call
with these tiles; ``reach:2p`` declares riichi; ``ankan:CCCC``, ``kakan:9s`` declare a kan. Walls
are made to fit the draws.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from game.engine import actions
from game.engine.commands import SetAway
from game.engine.presets import preset
from game.engine.rules import TENHOU
from game.engine.state import SEATS, Phase
from tests.kit.play import Play, stage
from tests.kit.tables import text_of, tiles

YOU: Final = 0
_DECLARED: Final = ("reach", "ankan", "kakan")
_CALLED: Final = ("chi", "pon", "kan")


def parse_turns(text: str) -> list[tuple[int, list[str]]]:
    """Split the text into turns: pairs of a seat and its words."""
    lines = [line.split() for line in text.splitlines() if line]
    return [(int(seat), words) for seat, *words in lines]


def drawn_tiles(text: str, sign: str) -> str:
    """Return the tiles in the text that are drawn from the live wall (sign ``+``) or from the dead
    one (``++``)."""
    words = [word for _, words in parse_turns(text) for word in words]
    draws = [word for word in words if word.startswith("+")]
    return "".join(word[len(sign) :] for word in draws if word.count("+") == len(sign))


def play_turns(play: Play, text: str) -> None:
    """Play the turns of the text; all players who are asked in between pass."""
    for seat, words in parse_turns(text):
        for word in words:
            _play_word(play, seat, word)


def _play_word(play: Play, seat: int, word: str) -> None:
    verb, _, what = word.partition(":")
    if word.startswith("+"):
        play.proceed()
        assert (play.table.turn, play.drawn) == (seat, word.lstrip("+")), (word, play.table)
    elif word.startswith("-"):
        play.discard(seat, word[1:])
    elif verb in _CALLED:
        getattr(play, verb)(seat, what)
    elif verb in _DECLARED:
        getattr(play, {"reach": "riichi"}.get(verb, verb))(seat, what)
    else:
        raise ValueError(f"unknown word: {word}")


MIDDLE_TURNS: Final = """
2 +2s -9p
3 +9p -N
0 +{} -N
1 +3s -S
2 +6s -F
3 +8p -9p
0 +{} -{first}
1 +4m -W
2 +8m -4m
3 chi:35m -P
0 +{} -5m
1 +2s -1p
2 +1m -1p
3 +2m -8p
0 +{} -W
1 +7p -9p
2 +N reach:2p
3 +3s -2m
0 +{} -E
1 pon:EE -9m
2 +8p -8p
3 +7m -7m
0 +8s -8s
1 +2m -9s
3 pon:99s -3s
0 +1s -1s
1 +W -W
2 +6m -6m
3 +C ankan:CCCC ++2s -2s
0 +3m -3m
1 +S -S
2 +F -F
3 +9s kakan:9s ++S -S
0 +2s -2s
1 +W -W
2 +8m -8m
3 +4p -4p
"""
"""East 3. Fuyu (2) deals and is in riichi, Haru (3) has a run and two kans, Aki (1) a triplet. The
reader (0) draws five tiles that it keeps."""
_READER_JUNK: Final = "N{}5mWE"
_OTHER_HANDS: Final = ("EE9s1s4s8s2m6m9m1p9pSW", "3s4s7s8s7m9m1mN9pF4m1p2p", "3m5mCCC99s118s6mPN")
_SCORES: Final = (25_000, 31_300, 18_700, 25_000)


def play_middle(
    hand: str, drawn: str = "", *, first: str = "9m", until: str = "", third: str = ""
) -> Play:
    """Play `MIDDLE_TURNS`, or only up to the words `until`. The reader collects `hand`, discards
    `first` in the second turn, and finally draws `drawn`. `third`, if given, is a call that
    replaces the reader's third turn."""
    text = MIDDLE_TURNS.replace("{first}", first)
    if until:
        text = text[: text.index(until) + len(until)]
    if third:
        text = text.replace("0 +{} -5m", third)
    held, kept = tiles(hand), text.count("{}")
    text = text.format(*(text_of([pai]) for pai in held[-kept:]))
    play = stage(
        (text_of(held[:-kept]) + _READER_JUNK.format(first), *_OTHER_HANDS),
        drawn_tiles(text, "+") + drawn,
        rinshan=drawn_tiles(text, "++"),
        dora="3pF7m",
        kyoku=2,
        honba=2,
        scores=_SCORES,
    )
    play_turns(play, text)
    if drawn:
        play.proceed()
    return play


def play_barred_discards() -> Play:
    """Let the reader call a run, after which two kinds may not be discarded (kuikae)."""
    play = play_middle("340m2p3p5p8p4s5s8sPF", until="3 +3s -2m")
    play.chi(YOU, "34m")
    play.proceed()
    return play


def play_full_table() -> Play:
    """Let each seat make four melds; the reader has four kans in the end. Then all discard the
    tiles that they draw until the wall is nearly used up, and leave."""
    sets = (
        ("1m", "9s", "5p", "E"),
        ("2m", "8s", "1p", "S"),
        ("3m", "7s", "9p", "W"),
        ("4m", "6s", "8p", "P"),
    )
    kans = ("9s", "E")
    idle = ("N5mN", "5m6m9m3p4p", "7m8m9m2p3p", "6p7p1s2sF")
    callers = [(2 + 3 * at) % 4 for at in range(16)]
    called = [sets[seat][callers[:at].count(seat)] for at, seat in enumerate(callers)]
    held = ["".join(pai * (3 if pai in kans else 2) for pai in own) for own in sets]
    play = stage(
        [one + rest for one, rest in zip(held, idle, strict=True)],
        "".join(called) + "C9m2s3s1m",
        rinshan="6mF0p2p",
        dora="3p6m8s0mC",
        honba=12,
        kyotaku=4,
        scores=(24_000, 31_300, 17_700, 23_000),
    )
    rest = [iter(tiles(own)) for own in idle]
    for seat, pai in zip(callers, called, strict=True):
        play.proceed()
        play.discard(play.table.turn, pai)
        if pai in kans:
            play.kan(seat, pai * 3)
            play.tsumogiri()
        else:
            play.pon(seat, pai * 2)
            play.proceed()
            play.discard(seat, text_of([next(rest[seat])]), from_hand=True)
    play.proceed()
    while play.drawn != "1m":
        play.tsumogiri()
    for pai in ("1m", "0p"):
        play.kakan(YOU, pai)
        play.proceed()
    while play.table.left > 4 or play.table.turn != YOU:
        play.tsumogiri()
    return leave_seats(play, *SEATS)


def play_crowded_claims() -> Play:
    """Let the other seats call four triplets each, always from the seat before. Then all discard
    the tiles that they draw, until the reader is asked to call the third last tile, but may not
    win."""
    sets = ("7pN9mS", "1sW2sP", "9sE3sC")
    given = [text_of([pai]) for pai in tiles(sets[0])]
    pairs = ["".join(text_of([pai]) * 2 for pai in tiles(row)) for row in sets]
    next_sets = (sets[1], sets[2], "6p1m8sF")
    others = [one + row + last for one, row, last in zip(pairs, next_sets, "FFF", strict=True)]
    play = stage(
        ("2344450667p678m", *others),
        "".join(given),
        last="4p2m3m",
        rinshan="1p1p1p1p",
        dora="3p",
        honba=2,
        scores=_SCORES,
    )
    for pai in given:
        play.discard(YOU, pai)
        for seat, row in zip((1, 2, 3), next_sets, strict=True):
            called = text_of([play.table.claimed])
            play.pon(seat, called * 2)
            play.discard(seat, text_of([tiles(row)[given.index(pai)]]))
        play.proceed()
    while play.table.left > 2 or play.table.phase != Phase.CLAIMS:
        _discard_drawn(play)
    return play


def play_four_riichi() -> Play:
    """Let all four declare riichi with their eighth discard, and two of them leave. Nobody wins,
    because the tiles they wait for are in the dead wall."""
    play = stage(
        (
            "234567m345p67s99s",
            "234678m456p11s67s",
            "345m12223789p67s",
            "EEEWWW999m44s88p",
        ),
        rinshan="5s5s0s5s",
        dora="C4s8p",
        ura="8s8s8s8s4s",
        honba=12,
        kyotaku=4,
        scores=_SCORES,
        rules=replace(TENHOU, sucha_riichi=False),
    )
    play.tsumogiri(4 * 7)
    for seat in SEATS:
        play.proceed()
        play.riichi(seat, play.drawn)
    play.proceed()
    while play.table.left > 4 or play.table.turn != YOU:
        play.tsumogiri()
    return leave_seats(play, 1, 2)


def leave_seats(play: Play, *seats: int) -> Play:
    """Let the players of these seats go away."""
    for seat in seats:
        play.do(SetAway(seat, True))
    return play


def _discard_drawn(play: Play) -> None:
    """Discard the drawn tile, while no seat has answered a call."""
    play.proceed()
    play.act(play.table.turn, actions.Discard(play.table.drawn, True))


OPENING_TURNS: Final = """
3 +8p -8p
0 +9s -9s
1 +9p -9p
2 +1p -1p
3 +7p -7p
0 +1p -1p
1 +2p -2p
2 +P -P
3 +9s -9s
0 +W
"""
"""East 4, with short rivers."""
FINAL_TURNS: Final = """
0 -E
1 +F -5m
0 pon:5m0m -C
1 +S reach:S
2 +N ankan:NNNN ++2m -2m
"""
"""What happens then, before seat 3 wins."""


def play_opening_turns() -> Play:
    """Play `OPENING_TURNS`."""
    text = OPENING_TURNS + FINAL_TURNS
    play = stage(
        ("50mEC236p368sPFS", "234678p1145sFF5m", "NNN234s78s55p9pWW", "1113456778899m"),
        drawn_tiles(text, "+"),
        rinshan=drawn_tiles(text, "++"),
        dora="1m6m",
        kyoku=3,
        scores=_SCORES,
    )
    play_turns(play, OPENING_TURNS)
    return play


def play_final_turns(play: Play) -> Play:
    """Continue after `OPENING_TURNS` with `FINAL_TURNS` and a win."""
    play_turns(play, FINAL_TURNS)
    play.ron(3)
    return play


def play_meld(call: str, held: str, pai: str, target: int, added: str) -> Play:
    """Let the reader make a meld: `call` takes `pai` from `target` with the tiles `held`. `added`
    is a fourth tile that is added later; without `pai` the meld is a closed kan."""
    spare = [one for one in tiles("19m19p19s28m28p28sESWNPFC") if text_of([one]) not in held]
    hand = held + text_of(spare[: 13 - len(tiles(held))])
    if not pai:
        play = stage((hand,), "4s")
        play.ankan(YOU, held)
    else:
        play = stage((hand,), f"{pai}7m7p7s{added}", kyoku=target)
        play.discard(target, pai)
        getattr(play, call)(YOU, held)
        if added:
            play.discard(YOU, text_of(spare[:1]))
            play.tsumogiri(3)
            play.kakan(YOU, added)
    return play


def play_to_stop() -> Play:
    """Let the leading dealer win the last hand and be asked whether to end the game."""
    play = stage(
        ("", "", "", "234567m345p67s99s"),
        "9m9m8s",
        kyoku=7,
        scores=(22_000, 23_000, 20_000, 35_000),
        rules=replace(TENHOU, dealer_stops="choice"),
    )
    play.discard_in_turn("9m9m")
    play.discard(1, "8s")
    play.ron(3)
    return play


def play_three_players() -> Play:
    """With three players: let seat 0 draw a tile with which it may declare riichi, and hold a
    north. The others have set three norths aside, and seat 1 is in riichi."""
    play = stage(
        ("11m406p77p34567sN", "123456789p99sNN", ""),
        "C1sN8s7p",
        rinshan="2sCFW",
        dora="1m",
        ura="W",
        scores=(35_000, 41_000, 29_000),
        rules=preset("tenhou-3"),
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


def play_four_norths() -> Play:
    """Let seat 0 set four norths aside in its first turn."""
    play = stage(
        ("11m406p77p349sNNN",),
        "N",
        rinshan="5s6s8sC",
        scores=(35_000,) * 3,
        rules=preset("tenhou-3"),
    )
    for _ in range(4):
        play.set_north_aside(YOU)
    play.proceed()
    return play


def play_three_to_riichi() -> Play:
    """Continue `play_three_players`: seat 0 sets its north aside and declares riichi."""
    play = play_three_players()
    play.set_north_aside(YOU)
    play.riichi(YOU, "W")
    play.proceed()
    return play


def play_three_to_ron() -> Play:
    """Continue `play_three_to_riichi`: seat 0 wins on seat 1's discard within ippatsu."""
    play = play_three_to_riichi()
    play.discard(1, "7p")
    play.ron(YOU)
    return play
