"""The results of hands in an mjlog: the elements AGARI and RYUUKYOKU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.engine.by_seat import BySeat
from game.engine.state import SEATS_OF
from game.records.mjlog_codes import (
    NORTH_SET_ASIDE,
    decode_meld,
    decode_meld_tiles,
    parse_numbers,
    read_seat,
    tile_from_number,
    tiles_from_numbers,
)
from game.records.recorded import RecordedDraw, RecordedWin, read_numbers_by_seat
from game.records.yaku_names import MJLOG_YAKU

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


def read_agari(found: dict[str, str], has_reds: bool, players: int) -> RecordedWin:
    """Return the win of an AGARI element."""
    machi = int(found["machi"])
    closed = parse_numbers(found["hai"])
    if machi not in closed:
        raise ValueError(f"the winning tile {machi} is not in the hand")
    closed.remove(machi)
    fu, points, limit = parse_numbers(found["ten"])
    is_yakuman = "yakuman" in found
    yaku = (
        _read_yakuman(found["yakuman"]) if is_yakuman else _read_yaku(parse_numbers(found["yaku"]))
    )
    honba, kyotaku = parse_numbers(found["ba"])
    deltas, scores = _read_scores(found, players)
    codes = parse_numbers(found.get("m", ""))
    return RecordedWin(
        actor=read_seat(found["who"], players),
        target=read_seat(found["fromWho"], players),
        pai=tile_from_number(machi, has_reds),
        tehai=tuple(sorted(tiles_from_numbers(closed, has_reds))),
        melds=decode_meld_tiles(codes, has_reds),
        dora=tuple(tiles_from_numbers(parse_numbers(found["doraHai"]), has_reds)),
        ura=tuple(tiles_from_numbers(parse_numbers(found.get("doraHaiUra", "")), has_reds)),
        norths=sum(decode_meld(code).name == NORTH_SET_ASIDE for code in codes),
        yaku=yaku,
        fan=None if is_yakuman else sum(han for _, han in yaku),
        fu=fu,
        yakuman=is_yakuman,
        limit=LIMITS[limit],
        points=points,
        liable=read_seat(found["paoWho"], players) if "paoWho" in found else -1,
        honba=honba,
        kyotaku=kyotaku,
        deltas=deltas,
        scores=scores,
    )


def read_ryuukyoku(found: dict[str, str], has_reds: bool, players: int) -> RecordedDraw:
    """Return the draw of a RYUUKYOKU element."""
    kind = found.get("type", "")
    if kind not in REASONS:
        raise ValueError(f"unknown kind of draw {kind!r}")
    honba, kyotaku = parse_numbers(found["ba"])
    deltas, scores = _read_scores(found, players)
    rows = [parse_numbers(found.get(f"hai{seat}", "")) for seat in SEATS_OF[players]]
    return RecordedDraw(
        reason=REASONS[kind],
        tehais=tuple([tuple(sorted(tiles_from_numbers(row, has_reds))) for row in rows]),
        honba=honba,
        kyotaku=kyotaku,
        deltas=deltas,
        scores=scores,
    )


def _read_scores(found: dict[str, str], players: int) -> tuple[BySeat[int], BySeat[int]]:
    """Return the deltas, and the scores after them."""
    values = [100 * value for value in parse_numbers(found["sc"])]
    before, deltas = (
        read_numbers_by_seat(values[::2], players),
        read_numbers_by_seat(values[1::2], players),
    )
    return deltas, tuple([before[seat] + deltas[seat] for seat in SEATS_OF[players]])


def _read_yaku(values: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Return yaku ids with their han, from a list that alternates yaku number and han. Ura dora of
    0 han are left out."""
    pairs = zip(values[::2], values[1::2], strict=True)
    return tuple([(_yaku_id(number), han) for number, han in pairs if han])


def _read_yakuman(text: str) -> tuple[tuple[str, int], ...]:
    return tuple([(_yaku_id(number), 1) for number in parse_numbers(text)])


def _yaku_id(number: int) -> str:
    if number not in MJLOG_YAKU:
        raise ValueError(f"unknown yaku {number}")
    return MJLOG_YAKU[number]
