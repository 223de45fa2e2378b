"""`mahjong_bot.py` asks bot programs by each of three conventions; programs run for each test."""

from __future__ import annotations

import sys
from typing import Any, Final

from game.mjai_programs.process import LimitedProgram, Limits
from game.mjai_programs.spec import make_player

ANSWERS: Final = """
import sys
for line in sys.stdin:
    if '"tsumo"' in line:
        print(ANSWER, flush=True)
"""
"""A program of Mortal's convention that prints ANSWER after each own draw."""


def discard(tile: str) -> dict[str, Any]:
    return {"type": "dahai", "actor": 0, "pai": tile, "tsumogiri": False}


async def first_answer(lines: str, left_s: float) -> dict[str, Any] | None:
    """Return the answer to a draw of a program that prints these lines, if 1m and 2m can be
    discarded."""
    source = ANSWERS.replace("ANSWER", repr(lines))
    program = await LimitedProgram.start([sys.executable, "-c", source], Limits(answer_s=60.0))
    try:
        player = make_player("mortal", program, 0)
        await player.take({"type": "tsumo", "actor": 0, "pai": "1m"})
        return await player.ask({"possible_actions": [discard("1m"), discard("2m")]}, left_s)
    finally:
        await program.stop()


async def test_impossible_move_in_the_own_turn_is_returned_at_once() -> None:
    answer = await first_answer('{"type":"dahai","actor":0,"pai":"9s","tsumogiri":true}', 60.0)
    assert answer is not None, "the program answered, but no answer was returned in time"
    assert answer["pai"] == "9s"


async def test_late_answer_to_a_discard_of_others_is_skipped() -> None:
    answer = await first_answer(
        '{"type":"none"}\n{"type":"pon","actor":0}\n{"type":"dahai","actor":0,"pai":"2m"}', 60.0
    )
    assert answer is not None
    assert answer["pai"] == "2m"


REPLAYED: Final = """
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    if event["actor"] != 0:
        print('{"type":"none"}', flush=True)
    elif event["type"] != "dahai":
        print(json.dumps({"type": "dahai", "actor": 0, "pai": event["wanted"]}), flush=True)
"""
"""A program of Mortal's convention: it answers its draws and calls, and the discards of others."""


async def test_answers_to_repeated_events_are_skipped() -> None:
    """After a new connection the program is sent the hand again and answers each event of it. The
    answer to the last event is the valid one."""
    program = await LimitedProgram.start([sys.executable, "-c", REPLAYED], Limits(answer_s=60.0))
    try:
        player = make_player("mortal", program, 0)
        for kind, actor, wanted in (
            ("tsumo", 0, "1m"),
            ("dahai", 0, ""),
            ("dahai", 1, ""),
            ("pon", 0, "2m"),
            ("dahai", 0, ""),
            ("dahai", 1, ""),
            ("tsumo", 0, "3m"),
        ):
            await player.take({"type": kind, "actor": actor, "wanted": wanted})
        tiles = ("1m", "2m", "3m")
        answer = await player.ask({"possible_actions": [discard(tile) for tile in tiles]}, 60.0)
        assert answer is not None
        assert answer["pai"] == "3m"
    finally:
        await program.stop()
