"""Encodes the engine's values for the wire: tiles as text, absent values as null.

The writer of each field of an event is chosen once, at import, by its name and its declared
visibility. A field that must not leave the server is left out; one without a writer stops the
import.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, get_args

import msgspec

from game.engine import events as facts
from game.engine.actions import Action
from game.engine.fu import FuPart
from game.engine.hand import waits
from game.engine.perspective import field_visibilities
from game.engine.rules import RuleSet
from game.engine.state import (
    RIVER_RIICHI,
    RIVER_TAKEN,
    RIVER_TILE,
    RIVER_TSUMOGIRI,
    Dealt,
    Hand,
    Meld,
    Table,
    WallDraw,
)
from game.engine.tiles import HIDDEN, NO_TILE, TILE_TO_TEXT, kinds_in
from game.engine.visibility import Visibility

Written = dict[str, Any]
Writer = Callable[[Any], Any]

_TILE_TEXTS: Final[dict[int, str | None]] = {**TILE_TO_TEXT, NO_TILE: None}
_WINDS: Final = "ESWN"
_encoder: Final = msgspec.json.Encoder()


def _write_tile(tile: int) -> str | None:
    return _TILE_TEXTS[tile]


def _write_tiles(tiles: tuple[int, ...]) -> list[str | None]:
    return [_TILE_TEXTS[tile] for tile in tiles]


def _write_rows(rows: tuple[tuple[int, ...], ...]) -> list[list[str | None]]:
    return [_write_tiles(row) for row in rows]


def _write_hex_rows(rows: tuple[bytes, ...]) -> list[str]:
    return [row.hex() for row in rows]


def _write_fu_parts(parts: tuple[FuPart, ...]) -> list[tuple[str, int, str | None]]:
    return [(name, fu, _TILE_TEXTS[tile]) for name, fu, tile in parts]


def _write_rules(rules: RuleSet) -> Written:
    written: Written = {
        "name": rules.name,
        "length": rules.length,
        "false_declarations": rules.false_declarations,
    }
    if rules.nukidora == "north":
        written["norths"] = True
        if not rules.nuki_interrupts:
            written["nuki_interrupts"] = False
    return written


_UNSENT_FIELDS: Final = frozenset({"liable_for"})
"""Public fields that are not in views, because they are sent with the win to which they apply."""
_SENT_VISIBILITIES: Final = frozenset(
    {Visibility.PUBLIC, Visibility.ACTOR_TILE, Visibility.OWN_ROW_OF_TILES}
)


@cache
def encode_action(act: Action) -> msgspec.Raw:
    """Return an action as JSON. There are only some hundreds of actions; the text of each is
    kept."""
    written: Written = {"type": _tag_of(type(act))}
    for name in act.__struct_fields__:
        value = getattr(act, name)
        if name == "pai":
            value = _write_tile(value)
        elif name == "consumed":
            value = _write_tiles(value)
        written[name] = value
    return msgspec.Raw(_encoder.encode(written))


_WRITERS: Final[dict[str, Writer | None]] = {
    **dict.fromkeys(("pai", "dora_marker", "bakaze"), _write_tile),
    **dict.fromkeys(("consumed", "tehai", "uradora_markers"), _write_tiles),
    "tehais": _write_rows,
    "rules": _write_rules,
    "action": encode_action,
    "fu_parts": _write_fu_parts,
    **dict.fromkeys(("actor", "target", "liable", "nagashi", "tenpais", "away", "foul")),
    **dict.fromkeys(("offenders", "kyoku", "honba", "kyotaku", "oya", "names", "reason")),
    **dict.fromkeys(("rinshan", "tsumogiri", "double", "yaku", "fan", "fu", "yakuman", "limit")),
    **dict.fromkeys(("points", "scores", "deltas", "placement", "bonus", "broken_off")),
    **dict.fromkeys(("number", "seats", "left_out", "pages")),
    **dict.fromkeys(("commitment", "binding", "contribution", "terms"), bytes.hex),
    **dict.fromkeys(("secret_hash", "key", "signature"), bytes.hex),
    "commitments": _write_hex_rows,
}
"""The function that encodes each field; None leaves the value as it is."""


def _writer_of(owner: type, name: str) -> Writer | None:
    if name not in _WRITERS:
        raise TypeError(f"how {owner.__name__}.{name} is written on the wire is not settled")
    return _WRITERS[name]


def _tag_of(struct: type[msgspec.Struct]) -> str:
    return str(struct.__struct_config__.tag)


def _writers_of(struct: type[msgspec.Struct]) -> tuple[str, tuple[tuple[str, Writer | None], ...]]:
    """Return the tag of that class of events, and a pair of name and writer for each field that is
    sent."""
    fields = [
        name
        for name, visibility in field_visibilities(struct).items()
        if visibility in _SENT_VISIBILITIES and name not in _UNSENT_FIELDS
    ]
    return _tag_of(struct), tuple((name, _writer_of(struct, name)) for name in fields)


def _waits_by_seat(draw: facts.HandDrawn) -> list[list[str | None]]:
    """Return for each seat the waits of its concealed tiles; no waits for a hand that is not shown
    as tenpai. A wait may have all four tiles in open melds, which every reader sees."""
    return [
        [_TILE_TEXTS[kind << 1] for kind in kinds_in(waits(tiles, ()))] if is_tenpai else []
        for tiles, is_tenpai in zip(draw.tehais, draw.tenpais, strict=True)
    ]


_WAITS_FIELD: Final = "waits"
"""A field of draws without a win that is computed from the event, not stored."""
_STRUCT_WRITERS: Final = {struct: _writers_of(struct) for struct in get_args(facts.Event)}


def fields_of(struct: type[msgspec.Struct]) -> list[str]:
    """Return the names under which the fields of that class of events are sent, in order."""
    added = [_WAITS_FIELD] if struct is facts.HandDrawn else []
    return ["type", *(name for name, _ in _STRUCT_WRITERS[struct][1]), *added]


def encode_event(fact: facts.Event) -> Written:
    """Return a redacted event as a dict ready for JSON."""
    tag, fields = _STRUCT_WRITERS[type(fact)]
    written: Written = {"type": tag}
    for name, write in fields:
        value = getattr(fact, name)
        written[name] = value if write is None else write(value)
    if type(fact) is facts.HandDrawn:
        written[_WAITS_FIELD] = _waits_by_seat(fact)
    return written


def encode_short_event(fact: facts.Event) -> Written | list[Any]:
    """Return a redacted event in the short form of frames: a draw or a discard is a list of its
    type and fields, without final fields that have their usual value; others are as in
    `encode_event`."""
    if type(fact) is facts.Discarded:
        discard = ["dahai", fact.actor, _TILE_TEXTS[fact.pai]]
        return [*discard, True] if fact.tsumogiri else discard
    if type(fact) is facts.Drawn:
        draw: list[Any] = ["tsumo", fact.actor]
        if fact.rinshan:
            return [*draw, _TILE_TEXTS[fact.pai], True]
        return draw if fact.pai == HIDDEN else [*draw, _TILE_TEXTS[fact.pai]]
    return encode_event(fact)


def encode_table(
    seen: Table,
    names: list[str],
    bots: list[bool],
    furiten: int | None,
    avatars: Sequence[str] | None = None,
    levels: Sequence[str] | None = None,
    ratings: Sequence[int] = (),
) -> Written:
    """Return the whole table as one viewer sees it, ready for JSON. `furiten` is the viewer's own
    seat if it is in furiten, otherwise None."""
    written = {
        "rules": _write_rules(seen.rules),
        "names": names,
        "bots": bots,
        "away": seen.away,
        "phase": seen.phase.name.lower(),
        "bakaze": _WINDS[seen.kyoku // 4 % 4],
        "kyoku": seen.kyoku % 4 + 1,
        "honba": seen.honba,
        "kyotaku": seen.kyotaku,
        "oya": seen.dealer,
        "scores": seen.scores,
        "left": seen.left,
        "dora": _write_tiles(seen.dora),
        "turn": seen.turn,
        "drawn": _write_tile(seen.drawn),
        "claimed": _write_tile(seen.claimed),
        "robbing": seen.robbing,
        "hands": [_write_hand(hand, seat == furiten) for seat, hand in enumerate(seen.hands)],
        "results": [encode_event(result) for result in seen.results],
        "placement": seen.placement,
        "history": [_write_dealt(hand) for hand in seen.history],
        "bonus": seen.bonus,
        "broken_off": seen.broken_off,
    }
    if avatars is not None:
        written["avatars"] = avatars
    if levels is not None:
        written["levels"] = levels
    if any(ratings):
        written["ratings"] = ratings
    return written


def encode_wall_draw(draw: WallDraw | None, closes_at: int) -> Written | None:
    """Return the draw of the wall, ready for JSON. `closes_at` (ms) is when its step ends; 0 once
    the seed is fixed."""
    if draw is None:
        return None
    return {
        "draw": draw.number,
        "state": draw.state.name.lower(),
        "seats": draw.seats,
        "commitments": _write_hex_rows(draw.commitments),
        "binding": draw.binding.hex(),
        "contributions": _write_hex_rows(draw.contributions),
        "void": draw.void,
        "left_out": draw.left_out,
        "previous": draw.previous.hex(),
        "terms": draw.terms.hex(),
        "secret_hash": draw.secret_hash.hex(),
        "key": draw.key.hex(),
        "signature": draw.signature.hex(),
        "closes_at": closes_at,
    }


def _write_dealt(hand: Dealt) -> tuple[str, int, int, tuple[int, ...]]:
    return _WINDS[hand.kyoku // 4 % 4], hand.kyoku % 4 + 1, hand.honba, hand.scores


def _write_hand(hand: Hand, furiten: bool) -> Written:
    written: Written = {
        "tiles": _write_tiles(hand.tiles),
        "melds": [_write_meld(meld) for meld in hand.melds],
        "river": [_river_entry(entry) for entry in hand.river],
        "riichi": hand.riichi.name.lower(),
        "double_riichi": hand.double_riichi,
        "ippatsu": hand.ippatsu,
        "furiten": furiten,
        "shown": hand.shown,
    }
    return written | {"norths": hand.norths} if hand.norths else written


def _write_meld(meld: Meld) -> Written:
    return {
        "type": meld.type.name.lower(),
        "tiles": _write_tiles(meld.tiles),
        "called": _write_tile(meld.called),
        "target": meld.target,
        "added": _write_tile(meld.added),
    }


def _river_entry(entry: int) -> Written:
    return {
        "pai": _TILE_TEXTS[entry & RIVER_TILE],
        "tsumogiri": bool(entry & RIVER_TSUMOGIRI),
        "riichi": bool(entry & RIVER_RIICHI),
        "taken": bool(entry & RIVER_TAKEN),
    }
