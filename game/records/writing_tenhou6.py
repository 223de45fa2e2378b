"""Writes a game of this site as the JSON of tenhou.net/6."""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import quote

from msgspec.structs import replace

from game.engine import events as facts
from game.engine.points import tsumo_share
from game.engine.rules import RuleSet
from game.engine.state import DEALS_PER_ROUND
from game.engine.tiles import EAST, kind_of
from game.engine.value import YAKUMAN_BASE, limit_of
from game.records.hand_files import ADDRESS
from game.records.own import MARK_KEY, FormatCannotExpress, OwnGame, PlayedHand, own_mark
from game.records.recorded import fill_four_slots
from game.records.tenhou6_results import ALL_NOTEN, ALL_TENPAI, REASONS
from game.records.yaku_names import TENHOU6_YAKU

_YAKU: Final = {yaku: name for name, yaku in reversed(TENHOU6_YAKU.items())}
_REASON: Final = {reason: name for name, reason in reversed(REASONS.items())}
_LIMITS: Final = {
    "mangan": "満貫",
    "haneman": "跳満",
    "baiman": "倍満",
    "sanbaiman": "三倍満",
    "kazoe_yakuman": "数え役満",
    "yakuman": "役満",
}
_SIGN: Final = {4: "", 3: "三"}
"""How the name of the room says how many play."""
_LETTER_AT: Final = {3: 0, 2: 1, 1: 2}
"""The position of the letter among the tiles, by the offset of the seat that is called from."""


def write_tenhou6(game: OwnGame) -> str:
    """Return the game as one JSON object. Raises `FormatCannotExpress` for games that the format
    cannot express."""
    file: dict[str, Any] = {
        "title": ["", ""],
        "name": fill_four_slots(game.names, ""),
        "rule": _rule_json(game.rules),
        "log": [_hand_json(hand, game.rules) for hand in game.hands],
    }
    for event in game.hands[-1]:
        if isinstance(event, facts.GameEnded) and not game.is_broken_off:
            pairs = zip(event.scores, event.placement, strict=True)
            rows = fill_four_slots([(score, points) for score, (_, points) in pairs], (0, 0))
            file["sc"] = [value for row in rows for value in row]
    if mark := own_mark(game):
        file[MARK_KEY] = mark
    return json.dumps(file, ensure_ascii=False, separators=(",", ":"))


def write_tenhou6_addresses(game: OwnGame) -> str:
    """Return one address of tenhou.net/6 per hand, each on a line. Raises `FormatCannotExpress`.

    The mark in each address has the rules, but no seed and no proof: both need the number of the
    hand in the game, which a single hand does not have.
    """
    hands = [replace(game, hands=(hand,), seed=b"", proof=None) for hand in game.hands]
    return "".join([f"{ADDRESS}{quote(write_tenhou6(hand), safe='')}\n" for hand in hands])


def _rule_json(rules: RuleSet) -> dict[str, Any]:
    length = "東" if rules.length == "east" else "南"
    man, pin, sou = rules.red_fives
    three = _SIGN[rules.players]
    shown = f"{three}般{length}{'喰' if rules.kuitan else ''}{'赤' if any(rules.red_fives) else ''}"
    if man == pin == sou:
        return {"disp": shown, "aka": man}
    return {"disp": shown, "aka51": man, "aka52": pin, "aka53": sou}


def _hand_json(events: PlayedHand, rules: RuleSet) -> list[Any]:
    start = events[0]
    assert isinstance(start, facts.HandStarted)
    draws: list[list[Any]] = [[], [], [], []]
    discards: list[list[Any]] = [[], [], [], []]
    indicators, ura = [_tile_number(start.dora_marker)], list[int]()
    called: dict[tuple[int, int], int] = {}
    is_riichi = False
    for event in events:
        match event:
            case facts.Drawn(actor=seat, pai=pai):
                draws[seat].append(_tile_number(pai))
            case facts.RiichiDeclared():
                is_riichi = True
            case facts.Discarded(actor=seat, pai=pai, tsumogiri=tsumogiri):
                entry: Any = 60 if tsumogiri else _tile_number(pai)
                discards[seat].append(f"r{entry}" if is_riichi else entry)
                is_riichi = False
            case facts.DoraRevealed(dora_marker=marker):
                indicators.append(_tile_number(marker))
            case facts.ChiCalled(actor=seat, pai=pai, consumed=consumed):
                draws[seat].append(f"c{_tile_digits((pai, *consumed))}")
            case facts.PonCalled(actor=seat, target=target, pai=pai, consumed=consumed):
                called[seat, kind_of(pai)] = _LETTER_AT[(target - seat) % 4]
                draws[seat].append(_insert_letter("p", called[seat, kind_of(pai)], pai, consumed))
            case facts.DaiminkanCalled(actor=seat, target=target, pai=pai, consumed=consumed):
                at = _LETTER_AT[(target - seat) % 4]
                draws[seat].append(_insert_letter("m", 3 if at == 2 else at, pai, consumed))
                discards[seat].append(0)
            case facts.AnkanDeclared(actor=seat, consumed=consumed):
                discards[seat].append(_insert_letter("a", 3, consumed[3], consumed[:3]))
            case facts.KakanDeclared(actor=seat, pai=pai, consumed=consumed):
                discards[seat].append(
                    _insert_letter("k", called[seat, kind_of(pai)], pai, consumed)
                )
            case facts.NorthSetAside(actor=seat, pai=pai):
                discards[seat].append(f"f{_tile_number(pai)}")
            case facts.Won(uradora_markers=markers) if markers:
                ura = [_tile_number(marker) for marker in markers]
    kyoku = DEALS_PER_ROUND * (kind_of(start.bakaze) - EAST) + start.kyoku - 1
    deals = [[_tile_number(tile) for tile in row] for row in start.tehais]
    rows = zip(fill_four_slots(deals, []), draws, discards, strict=True)
    seats = [row for of_seat in rows for row in of_seat]
    scores = fill_four_slots(start.scores, 0)
    head = [[kyoku, start.honba, start.kyotaku], scores, indicators, ura]
    return [*head, *seats, _result_json(events, start, rules)]


def _result_json(events: PlayedHand, start: facts.HandStarted, rules: RuleSet) -> list[Any]:
    results = [event for event in events if isinstance(event, facts.Won | facts.HandDrawn)]
    first = results[0]
    if isinstance(first, facts.HandDrawn):
        return [_draw_json(first, rules), fill_four_slots(first.deltas, 0)]
    result: list[Any] = ["和了"]
    for won in results:
        assert isinstance(won, facts.Won)
        liable = won.actor if won.liable < 0 else won.liable
        texts = [_value_text(won, start.oya, rules), *_yaku_texts(won, start)]
        result += [fill_four_slots(won.deltas, 0), [won.actor, won.target, liable, *texts]]
    return result


def _draw_json(drawn: facts.HandDrawn, rules: RuleSet) -> str:
    if drawn.reason not in _REASON:
        raise FormatCannotExpress(drawn.reason, f"the format cannot express a {drawn.reason}")
    if rules.noten_declaration and drawn.reason == "nagashi_mangan":
        raise FormatCannotExpress("showing", "the format does not contain who showed a hand")
    if rules.noten_declaration and drawn.reason == "exhaustive" and not any(drawn.deltas):
        return ALL_TENPAI if any(drawn.tenpais) else ALL_NOTEN
    return _REASON[drawn.reason]


def _value_text(won: facts.Won, oya: int, rules: RuleSet) -> str:
    worth = _LIMITS[won.limit] if won.limit else f"{won.fu}符{won.fan}飜"
    if won.actor != won.target:
        return f"{worth}{won.points}点"
    base = YAKUMAN_BASE * won.yakuman or limit_of(rules, won.fan, won.fu)[1]
    if won.actor == oya:
        return f"{worth}{tsumo_share(rules, base, from_dealer=False, to_dealer=True)}点∀"
    other = tsumo_share(rules, base, from_dealer=False, to_dealer=False)
    dealer = tsumo_share(rules, base, from_dealer=True, to_dealer=False)
    return f"{worth}{other}-{dealer}点"


def _yaku_texts(won: facts.Won, start: facts.HandStarted) -> list[str]:
    winds = {
        "seat_wind": f"自風 {'東南西北'[(won.actor - start.oya) % len(won.deltas)]}",
        "round_wind": f"場風 {'東南西北'[kind_of(start.bakaze) - EAST]}",
    }
    names = [(winds.get(name) or _YAKU[name], han) for name, han in won.yaku]
    return [f"{name}(役満)" if won.yakuman else f"{name}({han}飜)" for name, han in names]


def _insert_letter(letter: str, at: int, pai: int, rest: tuple[int, ...]) -> str:
    """Return the digits of a meld, with `letter` and the called tile `pai` inserted after `at`
    tiles of `rest`."""
    return f"{_tile_digits(rest[:at])}{letter}{_tile_number(pai)}{_tile_digits(rest[at:])}"


def _tile_digits(tiles: tuple[int, ...]) -> str:
    return "".join(str(_tile_number(tile)) for tile in tiles)


def _tile_number(tile: int) -> int:
    kind = kind_of(tile)
    if tile & 1:
        return 51 + kind // 9
    return 41 + kind - EAST if kind >= EAST else 10 * (kind // 9 + 1) + kind % 9 + 1
