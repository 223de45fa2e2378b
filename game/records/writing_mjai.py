"""Writes a game of this site as mjai.

Chombo, which other writers do not support, has the fields `foul` and `offenders`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from game.engine import events as facts
from game.engine.events import Event
from game.engine.state import STICK_POINTS
from game.engine.tiles import TILE_TO_TEXT
from game.records.mjai_hands import REASONS
from game.records.own import MARK_KEY, OwnGame, own_mark
from game.records.yaku_names import MJAI_COARSE, MJAI_YAKU

_YAKU: Final = {yaku: name for name, yaku in MJAI_YAKU.items()}
_REASON: Final = {reason: name for name, reason in reversed(REASONS.items())}


def write_mjai(game: OwnGame) -> str:
    """Return the game as mjai text, one event per line."""
    lines: list[dict[str, Any]] = [_start_line(game)]
    for hand in game.hands:
        scores: list[int] = []
        for event in hand:
            if isinstance(event, facts.HandStarted):
                scores = list(event.scores)
            if isinstance(event, facts.RiichiAccepted):
                scores[event.actor] -= STICK_POINTS
            if not (isinstance(event, facts.GameEnded) and game.is_broken_off):
                lines += event_lines(event, scores)
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )


def _start_line(game: OwnGame) -> dict[str, Any]:
    mark = own_mark(game)
    start = {"type": "start_game", "names": list(game.names)}
    return start | {MARK_KEY: mark} if mark else start


def event_lines(event: Event, scores: list[int]) -> list[dict[str, Any]]:
    """Return zero or one mjai lines for an event. `scores` are the scores after the event; only the
    payment of a riichi stick uses them."""
    match event:
        case facts.RiichiAccepted(actor=actor):
            deltas = [-STICK_POINTS if seat == actor else 0 for seat in range(len(scores))]
            return [_event_line(event) | {"deltas": deltas, "scores": list(scores)}]
        case facts.Won():
            return [_event_line(event) | _win_line(event)]
        case facts.HandDrawn():
            return [_event_line(event) | _draw_line(event)]
        case _:
            return [_event_line(event)] if type(event) in _FIELDS else []


def _event_line(event: Event) -> dict[str, Any]:
    """Return the event with the fields in `_FIELDS`. Tiles become texts; other values stay."""
    line: dict[str, Any] = {"type": event.__struct_config__.tag}
    for name in _FIELDS[type(event)]:
        line[name] = _AS_TEXT.get(name, _unchanged)(getattr(event, name))
    return line


def _win_line(event: facts.Won) -> dict[str, Any]:
    yaku: dict[str, int] = {}
    for name, han in event.yaku:
        known = _YAKU[MJAI_COARSE.get(name, name)]
        yaku[known] = yaku.get(known, 0) + (100 * han if event.yakuman else han)
    return {
        "hora_tehais": _tile_texts(event.tehai),
        "yakus": list(yaku.items()),
        "fu": event.fu,
        "fan": sum(yaku.values()),
        "hora_points": event.points,
        "deltas": event.deltas,
        "scores": event.scores,
    }


def _draw_line(event: facts.HandDrawn) -> dict[str, Any]:
    return {
        "reason": _REASON.get(event.reason, event.reason),
        "tehais": [_tile_texts(row) if row else ["?"] * 13 for row in event.tehais],
        "tenpais": event.tenpais,
        "deltas": event.deltas,
        "scores": event.scores,
        **_extensions(event),
    }


def _extensions(event: facts.HandDrawn) -> dict[str, Any]:
    """Return extra fields for a draw that other mjai writers do not have."""
    if event.foul:
        return {"foul": event.foul, "offenders": event.offenders}
    return {"nagashi": event.nagashi} if event.nagashi else {}


def _tile_texts(tiles: tuple[int, ...]) -> list[str]:
    return [TILE_TO_TEXT[tile] for tile in tiles]


def _unchanged(value: Any) -> Any:
    return value


_AS_TEXT: Final[dict[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("pai", "bakaze", "dora_marker"), TILE_TO_TEXT.__getitem__),
    **dict.fromkeys(("consumed", "uradora_markers"), _tile_texts),
    "tehais": lambda rows: [_tile_texts(row) for row in rows],
}
_DEAL: Final = ("bakaze", "kyoku", "honba", "kyotaku", "oya", "dora_marker", "scores", "tehais")
_CALL: Final = ("actor", "target", "pai", "consumed")
_FIELDS: Final[dict[type, tuple[str, ...]]] = {
    facts.HandStarted: _DEAL,
    facts.Drawn: ("actor", "pai"),
    facts.Discarded: ("actor", "pai", "tsumogiri"),
    facts.DoraRevealed: ("dora_marker",),
    facts.RiichiDeclared: ("actor",),
    facts.RiichiAccepted: ("actor",),
    facts.ChiCalled: _CALL,
    facts.PonCalled: _CALL,
    facts.DaiminkanCalled: _CALL,
    facts.AnkanDeclared: ("actor", "consumed"),
    facts.KakanDeclared: ("actor", "pai", "consumed"),
    facts.NorthSetAside: ("actor", "pai"),
    facts.Won: ("actor", "target", "pai", "uradora_markers"),
    facts.HandDrawn: (),
    facts.HandEnded: (),
    facts.GameEnded: ("scores",),
}
"""The fields to write of each event, in their order."""
