"""The results of hands in an mjlog: the elements AGARI and RYUUKYOKU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.engine.by_seat import BySeat
from game.engine.state import SEATS_OF
from game.records.mjlog_codes import (
    NORTH_SET_ASIDE,
    meld_of,
    melds_of,
    parse_numbers,
    seat_of,
    tile_of,
    tiles_of,
)
from game.records.recorded import RecordedDraw, RecordedWin, by_seat
from game.records.yaku_names import MJLOG

REASONS: Final = {
    "": "exhaustive",
    "nm": "nagashi_mangan",
    "yao9": "kyushu_kyuhai",
    "kaze4": "sufon_renda",
    "reach4": "sucha_riichi",
    "kan4": "sukaikan",
    "ron3": "sanchaho",
}
LIMITS: Final = ("", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")


def win_of(found: dict[str, str], has_reds: bool, players: int) -> RecordedWin:
    """Return the win of an AGARI element."""
    machi = int(found["machi"])
    closed = parse_numbers(found["hai"])
    if machi not in closed:
        raise ValueError(f"the winning tile {machi} is not in the hand")
    closed.remove(machi)
    fu, points, limit = parse_numbers(found["ten"])
    is_yakuman = "yakuman" in found
    yaku = _yakuman(found["yakuman"]) if is_yakuman else _yaku(parse_numbers(found["yaku"]))
    honba, kyotaku = parse_numbers(found["ba"])
    deltas, scores = _changes(found, players)
    codes = parse_numbers(found.get("m", ""))
    return RecordedWin(
        actor=seat_of(found["who"], players),
        target=seat_of(found["fromWho"], players),
        pai=tile_of(machi, has_reds),
        tehai=tuple(sorted(tiles_of(closed, has_reds))),
        melds=melds_of(codes, has_reds),
        dora=tuple(tiles_of(parse_numbers(found["doraHai"]), has_reds)),
        ura=tuple(tiles_of(parse_numbers(found.get("doraHaiUra", "")), has_reds)),
        norths=sum(meld_of(code).name == NORTH_SET_ASIDE for code in codes),
        yaku=yaku,
        fan=None if is_yakuman else sum(han for _, han in yaku),
        fu=fu,
        yakuman=is_yakuman,
        limit=LIMITS[limit],
        points=points,
        liable=seat_of(found["paoWho"], players) if "paoWho" in found else -1,
        honba=honba,
        kyotaku=kyotaku,
        deltas=deltas,
        scores=scores,
    )


def draw_of(found: dict[str, str], has_reds: bool, players: int) -> RecordedDraw:
    """Return the draw of a RYUUKYOKU element."""
    kind = found.get("type", "")
    if kind not in REASONS:
        raise ValueError(f"unknown kind of draw {kind!r}")
    honba, kyotaku = parse_numbers(found["ba"])
    deltas, scores = _changes(found, players)
    rows = [parse_numbers(found.get(f"hai{seat}", "")) for seat in SEATS_OF[players]]
    return RecordedDraw(
        reason=REASONS[kind],
        tehais=tuple([tuple(sorted(tiles_of(row, has_reds))) for row in rows]),
        honba=honba,
        kyotaku=kyotaku,
        deltas=deltas,
        scores=scores,
    )


def _changes(found: dict[str, str], players: int) -> tuple[BySeat[int], BySeat[int]]:
    """Return the deltas and the scores after them."""
    values = [100 * value for value in parse_numbers(found["sc"])]
    before, deltas = by_seat(values[::2], players), by_seat(values[1::2], players)
    return deltas, tuple([before[seat] + deltas[seat] for seat in SEATS_OF[players]])


def _yaku(values: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Return the yaku by name with their han. The list contains pairs of a number and its han; an
    ura dora of 0 han is none."""
    pairs = zip(values[::2], values[1::2], strict=True)
    return tuple([(_name(number), han) for number, han in pairs if han])


def _yakuman(text: str) -> tuple[tuple[str, int], ...]:
    return tuple([(_name(number), 1) for number in parse_numbers(text)])


def _name(number: int) -> str:
    if number not in MJLOG:
        raise ValueError(f"unknown yaku {number}")
    return MJLOG[number]
