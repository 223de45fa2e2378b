"""The results of hands in the JSON of tenhou.net/6: the last field of a hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.records.recorded import RecordedDraw, RecordedWin, read_numbers_by_seat
from game.records.yaku_names import RENHOU, TENHOU6_YAKU, YAKUMAN_IDS

_WON: Final = ("和了", "Agari")
ALL_TENPAI: Final = "全員聴牌"
ALL_NOTEN: Final = "全員不聴"
_REASON_TABLE: Final = f"""
exhaustive|流局|{ALL_TENPAI}|{ALL_NOTEN}|Ryuukyoku|Exhaustive Draw
nagashi_mangan|流し満貫|Nagashi Mangan|Mangan at Draw
kyushu_kyuhai|九種九牌|Kyuushu Kyuuhai|Nine Terminal Abortion
sufon_renda|四風連打|Suufon Renda|Four Wind Abortion
sucha_riichi|四家立直|Suucha Riichi|Four Riichi Abortion
sukaikan|四槓散了|四開槓|Suukaikan|Four Kan Abortion
sanchaho|三家和了|三家和|Sanchahou|Three Ron Abortion
"""
REASONS: Final = {
    name: reason
    for reason, *names in (line.split("|") for line in _REASON_TABLE.strip().splitlines())
    for name in names
}
"""The reasons of draws by their names in records; the first of each is the one to write."""
_TENPAIS: Final = {ALL_TENPAI: True, ALL_NOTEN: False}
_LIMITS: Final = (
    ("三倍満", "sanbaiman"),
    ("倍満", "baiman"),
    ("跳満", "haneman"),
    ("役満", "yakuman"),
    ("満貫", "mangan"),
    ("Sanbaiman", "sanbaiman"),
    ("Baiman", "baiman"),
    ("Haneman", "haneman"),
    ("Yakuman", "yakuman"),
    ("Mangan", "mangan"),
)
"""Longer names come before names that are part of them."""
_VALUE_PATTERN: Final = re.compile(
    r"(?:(\d+)(?:符|Fu) ?(\d+)(?:飜|Han) ?)?(\D*?)(\d+)(?:-(\d+))?(?:点|Points)(∀)?"
)
_YAKU_PATTERN: Final = re.compile(r"(.+)\((?:(\d+)(?:飜|Han)|.*役満|.*[Yy]akuman)\)")


class Unfinished(Exception):
    """The record contains no result of the hand. The message is the recorded reason."""


def read_results(
    result: Any, ura: Sequence[int], indicators: Sequence[int], players: int
) -> tuple[RecordedWin | RecordedDraw, ...]:
    """Return the wins, or the draw, of a hand. Raises `Unfinished` without a result, ``ValueError``
    for an unknown result."""
    if not isinstance(result, list) or not result:
        raise ValueError("the hand has no result")
    kind, *rest = result
    if kind not in _WON:
        if kind not in REASONS:
            raise ValueError(f"unknown result {kind!r}")
        deltas = read_numbers_by_seat(rest[0], players) if rest else None
        tenpais = (_TENPAIS[kind],) * players if kind in _TENPAIS else None
        return (RecordedDraw(reason=REASONS[kind], tenpais=tenpais, deltas=deltas),)
    if not rest or len(rest) % 2:
        raise ValueError("a win has no payments or no winner")
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return tuple(
        [
            _read_win(read_numbers_by_seat(deltas, players), recorded, ura, indicators)
            for deltas, recorded in pairs
        ]
    )


def _read_win(
    deltas: BySeat[int], recorded: Sequence[Any], ura: Sequence[int], indicators: Sequence[int]
) -> RecordedWin:
    winner, target, third, *texts = recorded
    for seat in (winner, target):
        if seat not in range(len(deltas)):
            raise ValueError(f"there is no seat {seat}")
    if not texts and deltas[winner] <= 0:
        raise Unfinished(
            f"the record's result contradicts itself: seat {winner} wins nothing "
            f"({', '.join(map(str, deltas))}), and names no yaku"
        )
    win = RecordedWin(
        actor=winner,
        target=target,
        dora=tuple(indicators),
        liable=-1 if third == winner else third,
        deltas=deltas,
    )
    return _add_value(win, texts, tuple(ura)) if texts else win


def _add_value(win: RecordedWin, texts: Sequence[str], ura: tuple[int, ...]) -> RecordedWin:
    """Add fu, han, limit and points, parsed from the texts of the win."""
    fu, fan, limit, points = _read_value(texts[0], len(win.deltas or ()))
    if len(texts) == 1:
        # Editors write the value alone: which yaku it has, and whether ura count, is unknown.
        return replace(win, fan=fan, fu=fu, limit=limit, points=points)
    yaku, is_yakuman = _read_yaku(texts[1:])
    in_riichi = any(name in ("riichi", "daburu") for name, _ in yaku)
    all_known = all(name for name, _ in yaku)
    recorded_fan = sum(han for _, han in yaku)
    return replace(
        win,
        ura=None if is_yakuman or not all_known else (ura or None) if in_riichi else (),
        yaku=tuple([(name, han) for name, han in yaku if han]) if all_known else None,
        fan=None if is_yakuman else fan if fan is not None else recorded_fan,
        fu=fu,
        yakuman=is_yakuman,
        limit=limit,
        points=points,
    )


def _read_value(text: str, players: int) -> tuple[int | None, int | None, str, int]:
    """Return fu and han (None if not given), the limit, and the sum of points from all payers."""
    found = _VALUE_PATTERN.fullmatch(text)
    if not found:
        raise ValueError(f"the value of a win cannot be read: {text!r}")
    fu, fan, limit, one, other, from_all = found.groups()
    points = int(one)
    if from_all:
        points *= players - 1
    elif other:
        points = (players - 2) * points + int(other)
    name = next((name for sign, name in _LIMITS if sign in limit), "")
    return int(fu) if fu else None, int(fan) if fan else None, name, points


def _read_yaku(texts: Sequence[str]) -> tuple[list[tuple[str, int]], bool]:
    """Return yaku ids with their han, and whether they are yakuman. The id is empty for an unknown
    name."""
    found = []
    is_yakuman = False
    for text in texts:
        match = _YAKU_PATTERN.fullmatch(text)
        if not match:
            raise ValueError(f"a yaku cannot be read: {text!r}")
        yaku, han = TENHOU6_YAKU.get(match[1].strip(), ""), match[2]
        is_yakuman = is_yakuman or han is None
        found.append((yaku, int(han) if han else 1))
    if is_yakuman:
        found = [(yaku, 1) for yaku, _ in found if not yaku or yaku in (*YAKUMAN_IDS, RENHOU)]
    return found, is_yakuman
