"""Reads the records of majiang (kobalab's 電脳麻将) by turning them into mjai events.

Each hand is a list of objects with one key. Seats and arrays of a hand are numbered from its
dealer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from game.engine.rules import TENHOU
from game.engine.state import SEATS
from game.engine.wall import LAYOUTS
from game.records.cut_json import TRUNCATED, read_first_value, read_whole_values
from game.records.mjai import game_from_lines
from game.records.mjai_hands import CUT_TYPE, damaged_line, normalize_event
from game.records.recorded import RecordedGame, RecordError, UnsupportedRecord
from game.records.tenhou6_results import REASONS
from game.records.yaku_names import TENHOU6_YAKU

Event = dict[str, Any]

_QIPAI: Final = re.compile(r'"qipai"\s*:')
_LOG: Final = re.compile(r'"log"\s*:\s*\[')
_SUIT: Final = re.compile(r"([mpsz])([\d+=\-]*)")
_DIRECTIONS: Final = {"+": 1, "=": 2, "-": 3}
"""Seats counted from the caller."""
_HONOURS: Final = "ESWNPFC"
_WINDS: Final = "ESWN"
_REASONS: Final = REASONS | {"荒牌平局": "exhaustive"}
_ANY_DRAW: Final = "流局"
"""The name of a draw that does not say why the hand ended."""
_YAKU: Final = {
    "翻牌 白": "haku",
    "翻牌 發": "hatsu",
    "翻牌 発": "hatsu",
    "翻牌 中": "chun",
    "国士無双十三面": "kokushi_13",
}
MAJIANG_RULES: Final = replace(
    TENHOU,
    double_yakuman=("kokushi_13", "suuankou_tanki", "junsei_chuuren", "daisuushi"),
    pao_composite="own_yakuman",
    pending_dora_at_robbery=True,
)
"""The default rules of the program. A record does not contain the rules."""
_OWN_RULES: Final = "a game of majiang, whose rules the record does not contain"


def is_majiang(text: str) -> bool:
    """Return whether the text looks like a majiang record."""
    return text.lstrip()[:1] in ("{", "[") and bool(_QIPAI.search(text))


def read_majiang(text: str) -> RecordedGame:
    """Return the game in this text. Raises `RecordError` for a damaged record, `UnsupportedRecord`
    for a game that the engine does not play."""
    file, is_cut_off = _read_file(text)
    log, first = file.get("log"), file.get("qijia") or 0
    if not isinstance(log, list) or not log:
        raise RecordError("the record contains no hand: the log is empty")
    if not isinstance(first, int):
        raise RecordError(f"the first dealer cannot be read: qijia={first!r}")
    events = [{"type": "start_game", "names": _order_by_seat(file.get("player"), first)}]
    for hand in log:
        events += _hand_events(hand)
    if isinstance(file.get("defen"), list) and not is_cut_off:
        events.append({"type": "end_game", "scores": _order_by_seat(file["defen"], first)})
    lines = [
        damaged_line(number, event["damage"])
        if "damage" in event
        else normalize_event(number, event)
        for number, event in enumerate(events)
    ]
    if is_cut_off:
        lines.append(normalize_event(len(lines), {"type": CUT_TYPE}))
    game = game_from_lines(lines, text, base=MAJIANG_RULES)
    return replace(game, format="majiang", unit="entry", coarse_yaku={}, own_rules=_OWN_RULES)


def _read_file(text: str) -> tuple[dict[str, Any], bool]:
    """Return the JSON of the game, and whether its text breaks off within a hand."""
    try:
        file = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        begin = _LOG.search(text)
        log, _ = read_whole_values(text, begin.end()) if begin else ([], False)
        if str(error) != TRUNCATED or not log:
            raise RecordError(f"the JSON is damaged: {error}") from None
        return {"log": log} | {
            name: read_first_value(text, name) for name in ("player", "qijia")
        }, True
    if isinstance(file, list):
        if len(file) != 1:
            raise UnsupportedRecord(f"{len(file)} games in one file: one is read at a time")
        (file,) = file
    if not isinstance(file, dict):
        raise RecordError("the record is no JSON object")
    return file, False


def _order_by_seat(values: Any, first: int) -> Any:
    """Return values by seat from values that begin at player `first`. Seat 0 is the first
    dealer."""
    if not isinstance(values, list) or len(values) != len(SEATS):
        return values
    return [values[(first + seat) % 4] for seat in SEATS]


def _hand_events(hand: Any) -> Iterator[Event]:
    """Yield the mjai events of a hand. An unreadable entry becomes a damaged event."""
    dealer = draws = 0
    declaring = -1
    for entry in hand if isinstance(hand, list) else [hand]:
        try:
            ((name, fields),) = entry.items()
            if name == "qipai":
                dealer = fields["jushu"] % 4
                yield _start_event(fields)
                continue
            if declaring >= 0 and not _is_ron(name, fields):
                yield {"type": "reach_accepted", "actor": declaring}
            declaring = -1
            if name == "dapai" and "*" in fields["p"]:
                declaring = (dealer + fields["l"]) % 4
            draws += name in ("zimo", "gangzimo")
            if name == "pingju" and fields["name"] == _ANY_DRAW and draws < LAYOUTS[4].live:
                yield {"type": "error", "why": "a draw that names no reason"}
                continue
            yield from _entry_events(name, fields, dealer)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            yield {"damage": f"{str(entry)[:80]}: {error}"}


def _is_ron(name: str, fields: dict[str, Any]) -> bool:
    """Return whether the entry shows a declared win on the last discard."""
    return name == "hule" or (name == "pingju" and _REASONS.get(fields["name"]) == "sanchaho")


def _start_event(fields: dict[str, Any]) -> Event:
    rows = fields["shoupai"]
    if len(rows) != len(SEATS):
        raise UnsupportedRecord(f"the format has four players, not {len(rows)}")
    dealer = fields["jushu"] % 4
    return {
        "type": "start_kyoku",
        "bakaze": _WINDS[fields["zhuangfeng"]],
        "kyoku": dealer + 1,
        "honba": fields["changbang"],
        "kyotaku": fields["lizhibang"],
        "oya": dealer,
        "dora_marker": _read_tile(fields["baopai"]),
        "scores": _order_from_dealer(fields["defen"], dealer),
        "tehais": [
            ["?"] * 13 if "_" in row else _read_tiles(row)
            for row in _order_from_dealer(rows, dealer)
        ],
    }


def _entry_events(name: str, fields: dict[str, Any], dealer: int) -> Iterator[Event]:
    seat = (dealer + fields["l"]) % 4 if "l" in fields else -1
    match name:
        case "zimo" | "gangzimo":
            yield {"type": "tsumo", "actor": seat, "pai": _read_tile(fields["p"])}
        case "dapai":
            written = fields["p"]
            if "*" in written:
                yield {"type": "reach", "actor": seat}
            tsumogiri = "_" in written
            pai = _read_tile(written)
            yield {"type": "dahai", "actor": seat, "pai": pai, "tsumogiri": tsumogiri}
        case "fulou" | "gang":
            yield _call_event(seat, fields["m"])
        case "kaigang":
            yield {"type": "dora", "dora_marker": _read_tile(fields["baopai"])}
        case "hule":
            yield _win_event(fields, seat, dealer)
        case "pingju":
            yield _draw_event(fields, dealer)
        case _:
            raise ValueError("unknown entry")


def _call_event(seat: int, written: str) -> Event:
    """Return a call or kan. The sign of the direction follows the called tile; in an added kan the
    added tile comes after the sign."""
    at = next((at for at, sign in enumerate(written) if sign in _DIRECTIONS), 0)
    tiles = _read_tiles(written)
    if not at:
        return {"type": "ankan", "actor": seat, "consumed": tiles}
    target = (seat + _DIRECTIONS[written[at]]) % 4
    called = at - 2
    if len(tiles) == 4 and at < len(written) - 1 and called == 2:
        return {"type": "kakan", "actor": seat, "pai": tiles[3], "consumed": tiles[:3]}
    consumed = tiles[:called] + tiles[called + 1 :]
    kind = "chi" if len(set(_without_red(tiles))) > 1 else "pon" if len(tiles) == 3 else "daiminkan"
    return {
        "type": kind,
        "actor": seat,
        "target": target,
        "pai": tiles[called],
        "consumed": consumed,
    }


def _without_red(tiles: Sequence[str]) -> list[str]:
    return [tile.removesuffix("r") for tile in tiles]


def _win_event(fields: dict[str, Any], seat: int, dealer: int) -> Event:
    loser = fields.get("baojia")
    event: Event = {
        "type": "hora",
        "actor": seat,
        "target": seat if loser is None else (dealer + loser) % 4,
    }
    if isinstance(fields.get("shoupai"), str):
        *hand, won = _read_tiles(fields["shoupai"].split(",")[0])
        event |= {"pai": won, "hora_tehais": hand}
    if "fubaopai" in fields:
        event["uradora_markers"] = [_read_tile(pai) for pai in fields["fubaopai"] or ()]
    if "hupai" in fields:
        event["yakus"] = [_read_yaku(entry) for entry in fields["hupai"]]
    if isinstance(fields.get("fenpei"), list):
        event["deltas"] = _order_from_dealer(fields["fenpei"], dealer)
    given = {
        "fu": fields.get("fu"),
        "fan": fields.get("fanshu"),
        "hora_points": fields.get("defen"),
    }
    return event | {name: value for name, value in given.items() if value is not None}


def _read_yaku(entry: dict[str, Any]) -> tuple[str, int]:
    name, han = entry["name"], entry["fanshu"]
    return _YAKU.get(name) or TENHOU6_YAKU.get(name, name), han if isinstance(han, int) else 1


def _draw_event(fields: dict[str, Any], dealer: int) -> Event:
    reason = _REASONS.get(fields["name"])
    if reason is None:
        raise ValueError(f"unknown reason {fields['name']!r}")
    event: Event = {"type": "ryukyoku", "reason": reason}
    if isinstance(fields.get("fenpei"), list):
        event["deltas"] = _order_from_dealer(fields["fenpei"], dealer)
    rows = fields.get("shoupai")
    if reason == "exhaustive" and isinstance(rows, list) and len(rows) == len(SEATS):
        shown = _order_from_dealer(rows, dealer)
        event["tenpais"] = [bool(row) for row in shown]
    return event


def _order_from_dealer(values: Sequence[Any], dealer: int) -> list[Any]:
    """Return values by seat from values that begin at the dealer."""
    if len(values) != len(SEATS):
        raise ValueError(f"these are not numbers for 4 seats: {values}")
    return [values[(seat - dealer) % 4] for seat in SEATS]


def _read_tile(written: str) -> str:
    (tile,) = _read_tiles(written)
    return tile


def _read_tiles(written: str) -> list[str]:
    """Return the tiles of a text such as ``m123p406z1``, without the signs of directions."""
    return [
        _tile_name(suit, int(rank))
        for suit, ranks in _SUIT.findall(written)
        for rank in ranks
        if rank.isdigit()
    ]


def _tile_name(suit: str, rank: int) -> str:
    if suit == "z":
        return _HONOURS[rank - 1]
    return f"{rank}{suit}" if rank else f"5{suit}r"
