"""Writes a game of this site as mjai, with the order and the spelling of the events.

Chombo, which other writers do not support, has the fields `foul` and `offenders`.
"""

from __future__ import annotations

import json
from typing import Any, Final

from game.engine import events as facts
from game.engine.events import Event
from game.engine.state import SEATS, STICK
from game.engine.tiles import TILE_TO_TEXT
from game.records.mjai_hands import REASONS
from game.records.own import MARK_KEY, OwnGame, own_mark
from game.records.yaku_names import MJAI, MJAI_COARSE

_YAKU: Final = {yaku: name for name, yaku in MJAI.items()}
_REASON: Final = {reason: name for name, reason in reversed(REASONS.items())}


def mjai(game: OwnGame) -> str:
    """Return the game as text, one event per line."""
    lines: list[dict[str, Any]] = [_start(game)]
    for hand in game.hands:
        scores: list[int] = []
        for event in hand:
            if isinstance(event, facts.HandStarted):
                scores = list(event.scores)
            if isinstance(event, facts.RiichiAccepted):
                scores[event.actor] -= STICK
            if not (isinstance(event, facts.GameEnded) and game.is_broken_off):
                lines += _written(event, scores)
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )


def _start(game: OwnGame) -> dict[str, Any]:
    mark = own_mark(game)
    start = {"type": "start_game", "names": list(game.names)}
    return start | {MARK_KEY: mark} if mark else start


def _written(event: Event, scores: list[int]) -> list[dict[str, Any]]:
    kind = str(event.__struct_config__.tag)
    match event:
        case facts.HandStarted():
            return [
                {
                    "type": kind,
                    "bakaze": _text(event.bakaze),
                    "kyoku": event.kyoku,
                    "honba": event.honba,
                    "kyotaku": event.kyotaku,
                    "oya": event.oya,
                    "dora_marker": _text(event.dora_marker),
                    "scores": event.scores,
                    "tehais": [_texts(row) for row in event.tehais],
                }
            ]
        case facts.Drawn(actor=actor, pai=pai):
            return [{"type": kind, "actor": actor, "pai": _text(pai)}]
        case facts.Discarded(actor=actor, pai=pai, tsumogiri=tsumogiri):
            return [{"type": kind, "actor": actor, "pai": _text(pai), "tsumogiri": tsumogiri}]
        case facts.DoraRevealed(dora_marker=marker):
            return [{"type": kind, "dora_marker": _text(marker)}]
        case facts.RiichiDeclared(actor=actor):
            return [{"type": kind, "actor": actor}]
        case facts.RiichiAccepted(actor=actor):
            deltas = [-STICK if seat == actor else 0 for seat in SEATS]
            return [{"type": kind, "actor": actor, "deltas": deltas, "scores": list(scores)}]
        case facts.ChiCalled() | facts.PonCalled() | facts.DaiminkanCalled():
            line = {"type": kind, "actor": event.actor, "target": event.target}
            return [line | {"pai": _text(event.pai), "consumed": _texts(event.consumed)}]
        case facts.AnkanDeclared(actor=actor, consumed=consumed):
            return [{"type": kind, "actor": actor, "consumed": _texts(consumed)}]
        case facts.KakanDeclared(actor=actor, pai=pai, consumed=consumed):
            return [{"type": kind, "actor": actor, "pai": _text(pai), "consumed": _texts(consumed)}]
        case facts.Won():
            return [_won(event)]
        case facts.HandDrawn():
            return [_drawn(event)]
        case facts.HandEnded():
            return [{"type": kind}]
        case facts.GameEnded(scores=final):
            return [{"type": kind, "scores": final}]
        case _:
            return []


def _won(event: facts.Won) -> dict[str, Any]:
    yaku: dict[str, int] = {}
    for name, han in event.yaku:
        known = _YAKU[MJAI_COARSE.get(name, name)]
        yaku[known] = yaku.get(known, 0) + (100 * han if event.yakuman else han)
    return {
        "type": "hora",
        "actor": event.actor,
        "target": event.target,
        "pai": _text(event.pai),
        "uradora_markers": _texts(event.uradora_markers),
        "hora_tehais": _texts(event.tehai),
        "yakus": list(yaku.items()),
        "fu": event.fu,
        "fan": sum(yaku.values()),
        "hora_points": event.points,
        "deltas": event.deltas,
        "scores": event.scores,
    }


def _drawn(event: facts.HandDrawn) -> dict[str, Any]:
    return {
        "type": "ryukyoku",
        "reason": _REASON[event.reason],
        "tehais": [_texts(row) if row else ["?"] * 13 for row in event.tehais],
        "tenpais": event.tenpais,
        "deltas": event.deltas,
        "scores": event.scores,
        **_extensions(event),
    }


def _extensions(event: facts.HandDrawn) -> dict[str, Any]:
    """Return the fields that other writers do not have."""
    if event.foul:
        return {"foul": event.foul, "offenders": event.offenders}
    return {"nagashi": event.nagashi} if event.nagashi else {}


def _text(tile: int) -> str:
    return TILE_TO_TEXT[tile]


def _texts(tiles: tuple[int, ...]) -> list[str]:
    return [_text(tile) for tile in tiles]
