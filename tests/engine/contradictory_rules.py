"""Switches that contradict each other, each with part of the reason that the engine gives."""

from __future__ import annotations

from typing import Any

CONTRADICTIONS: list[tuple[dict[str, Any], str]] = [
    ({"start_points": 25_050, "return_points": 30_050}, "start_points is 25050"),
    ({"oka": 10_000}, "oka is neither 0 nor four times the difference"),
    ({"return_points": 20_000, "oka": 0}, "return_points are fewer than start_points"),
    ({"uma": (30, 10, -10, -20)}, "uma adds up to 10"),
    ({"uma": (10, 0, -10)}, "uma has a row of 3 numbers; 4 players need 4"),
    ({"floating_uma": ((0, 0, 0),) * 5}, "floating_uma has a row of 3 numbers"),
    ({"floating_uma": ((0, 0, 0, 0),)}, "floating_uma has 1 rows"),
    ({"floating_uma": ((1, 0, 0, 0),) * 5}, "a row of floating_uma adds up to 1"),
    ({"honba_points": 1_000}, "honba_points is 1000"),
    ({"noten_payments": 1_000}, "nearest that can be paid are 300, 500, 900"),
    ({"noten_payments": (500, 749, 1_600)}, "nearest that can be paid are 500, 700, 1500"),
    ({"noten_payments": (1_350, 2_000, -4_000)}, "nearest that can be paid are 1400, 2000, 0"),
    ({"two_han_minimum_from": -1}, "two_han_minimum_from is negative"),
    ({"yakuman_cap": 0}, "no yakuman at all"),
    ({"double_yakuman": ("tenhou",)}, "double_yakuman names tenhou"),
    ({"chombo_points": 20_000}, "chombo is impossible, but has a cost"),
    ({"false_declarations": True}, "chombo, which is impossible"),
    (
        {"chombo": "reverse_mangan", "chombo_points": 20_000},
        "subtracted only if chombo is after_game",
    ),
    ({"red_fives": (1, 5, 1)}, "at most three fives of each suit"),
    ({"red_fives": (4, 4, 4)}, "at most three fives of each suit"),
    ({"red_fives": (0, -1, 0)}, "at most three fives of each suit"),
    ({"riichi_tiles_left": 70}, "the live wall has 70"),
    ({"ura_dora": False}, "kan_ura needs ura_dora"),
    ({"kan_dora": False}, "kan_ura needs kan_dora"),
    (
        {"pending_dora_at_robbery": True, "open_kan_dora": "before_replacement"},
        "no dora is ever due",
    ),
    (
        {"fifth_kan": "use_ura", "ura_dora": False, "kan_ura": False},
        "fifth_kan use_ura needs ura_dora",
    ),
]
