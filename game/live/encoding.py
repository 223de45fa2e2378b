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
from game.engine.perspective import declared
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

_TEXT: Final[dict[int, str | None]] = {**TILE_TO_TEXT, NO_TILE: None}
_WINDS: Final = "ESWN"
_encoder: Final = msgspec.json.Encoder()


def _tile(tile: int) -> str | None:
    return _TEXT[tile]


def _tiles(tiles: tuple[int, ...]) -> list[str | None]:
    return [_TEXT[tile] for tile in tiles]


def _rows(rows: tuple[tuple[int, ...], ...]) -> list[list[str | None]]:
    return [_tiles(row) for row in rows]


def _hex_rows(rows: tuple[bytes, ...]) -> list[str]:
    return [row.hex() for row in rows]


def _fu_parts(parts: tuple[FuPart, ...]) -> list[tuple[str, int, str | None]]:
    return [(name, fu, _TEXT[tile]) for name, fu, tile in parts]


def _rules(rules: RuleSet) -> Written:
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
_LEAVES: Final = frozenset({Visibility.PUBLIC, Visibility.ACTOR_TILE, Visibility.OWN_ROW_OF_TILES})


@cache
def action(act: Action) -> msgspec.Raw:
    """Return an action as JSON. There are only some hundreds, so each is encoded once."""
    written: Written = {"type": _tag(type(act))}
    for name in act.__struct_fields__:
        value = getattr(act, name)
        if name == "pai":
            value = _tile(value)
        elif name == "consumed":
            value = _tiles(value)
        written[name] = value
    return msgspec.Raw(_encoder.encode(written))


_WRITERS: Final[dict[str, Writer | None]] = {
    **dict.fromkeys(("pai", "dora_marker", "bakaze"), _tile),
    **dict.fromkeys(("consumed", "tehai", "uradora_markers"), _tiles),
    "tehais": _rows,
    "rules": _rules,
    "action": action,
    "fu_parts": _fu_parts,
    **dict.fromkeys(("actor", "target", "liable", "nagashi", "tenpais", "away", "foul")),
    **dict.fromkeys(("offenders", "kyoku", "honba", "kyotaku", "oya", "names", "reason")),
    **dict.fromkeys(("rinshan", "tsumogiri", "double", "yaku", "fan", "fu", "yakuman", "limit")),
    **dict.fromkeys(("points", "scores", "deltas", "placement", "bonus", "broken_off")),
    **dict.fromkeys(("number", "seats", "left_out", "pages")),
    **dict.fromkeys(("commitment", "binding", "contribution", "terms"), bytes.hex),
    **dict.fromkeys(("secret_hash", "key", "signature"), bytes.hex),
    "commitments": _hex_rows,
}
"""The function that encodes each field; None leaves the value as it is."""


def _writer_of(owner: type, name: str) -> Writer | None:
    if name not in _WRITERS:
        raise TypeError(f"how {owner.__name__}.{name} is written on the wire is not settled")
    return _WRITERS[name]


def _tag(struct: type[msgspec.Struct]) -> str:
    return str(struct.__struct_config__.tag)


def _writers_of(struct: type[msgspec.Struct]) -> tuple[str, tuple[tuple[str, Writer | None], ...]]:
    """Return the tag of the events of that class, and each field to send with its writer."""
    fields = [
        name
        for name, visibility in declared(struct).items()
        if visibility in _LEAVES and name not in _UNSENT_FIELDS
    ]
    return _tag(struct), tuple((name, _writer_of(struct, name)) for name in fields)


def _waits(draw: facts.HandDrawn) -> list[list[str | None]]:
    """Return by seat the waits of the concealed tiles, if the draw shows the hand as tenpai. Melds
    are ignored: the reader sees whether they contain all four tiles of a wait."""
    return [
        [_TEXT[kind << 1] for kind in kinds_in(waits(tiles, ()))] if is_tenpai else []
        for tiles, is_tenpai in zip(draw.tehais, draw.tenpais, strict=True)
    ]


_WAITS: Final = "waits"
"""A field of draws without a win that is computed from the event, not stored."""
_STRUCT_WRITERS: Final = {struct: _writers_of(struct) for struct in get_args(facts.Event)}


def fields_of(struct: type[msgspec.Struct]) -> list[str]:
    """Return the keys of events of that class, in order."""
    added = [_WAITS] if struct is facts.HandDrawn else []
    return ["type", *(name for name, _ in _STRUCT_WRITERS[struct][1]), *added]


def event(fact: facts.Event) -> Written:
    """Return a redacted event as JSON."""
    tag, fields = _STRUCT_WRITERS[type(fact)]
    written: Written = {"type": tag}
    for name, write in fields:
        value = getattr(fact, name)
        written[name] = value if write is None else write(value)
    if type(fact) is facts.HandDrawn:
        written[_WAITS] = _waits(fact)
    return written


def short_event(fact: facts.Event) -> Written | list[Any]:
    """Return a redacted event in the form of frames: a draw or a discard as a list of its type and
    fields, without the fields at the end that have their usual value."""
    if type(fact) is facts.Discarded:
        discard = ["dahai", fact.actor, _TEXT[fact.pai]]
        return [*discard, True] if fact.tsumogiri else discard
    if type(fact) is facts.Drawn:
        draw: list[Any] = ["tsumo", fact.actor]
        if fact.rinshan:
            return [*draw, _TEXT[fact.pai], True]
        return draw if fact.pai == HIDDEN else [*draw, _TEXT[fact.pai]]
    return event(fact)


def table(
    seen: Table,
    names: list[str],
    bots: list[bool],
    furiten: int | None,
    avatars: Sequence[str] | None = None,
    levels: Sequence[str] | None = None,
    ratings: Sequence[int] = (),
) -> Written:
    """Return a viewer's whole table. `furiten` is the viewer's seat if it is in furiten."""
    written = {
        "rules": _rules(seen.rules),
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
        "dora": _tiles(seen.dora),
        "turn": seen.turn,
        "drawn": _tile(seen.drawn),
        "claimed": _tile(seen.claimed),
        "robbing": seen.robbing,
        "hands": [_hand(hand, seat == furiten) for seat, hand in enumerate(seen.hands)],
        "results": [event(result) for result in seen.results],
        "placement": seen.placement,
        "history": [_dealt(hand) for hand in seen.history],
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


def wall_draw(draw: WallDraw | None, closes_at: int) -> Written | None:
    """Return the draw of the wall. `closes_at` is when its step ends, 0 if the seed is fixed."""
    if draw is None:
        return None
    return {
        "draw": draw.number,
        "state": draw.state.name.lower(),
        "seats": draw.seats,
        "commitments": _hex_rows(draw.commitments),
        "binding": draw.binding.hex(),
        "contributions": _hex_rows(draw.contributions),
        "void": draw.void,
        "left_out": draw.left_out,
        "previous": draw.previous.hex(),
        "terms": draw.terms.hex(),
        "secret_hash": draw.secret_hash.hex(),
        "key": draw.key.hex(),
        "signature": draw.signature.hex(),
        "closes_at": closes_at,
    }


def _dealt(hand: Dealt) -> tuple[str, int, int, tuple[int, ...]]:
    return _WINDS[hand.kyoku // 4 % 4], hand.kyoku % 4 + 1, hand.honba, hand.scores


def _hand(hand: Hand, furiten: bool) -> Written:
    written: Written = {
        "tiles": _tiles(hand.tiles),
        "melds": [_meld(meld) for meld in hand.melds],
        "river": [_river_entry(entry) for entry in hand.river],
        "riichi": hand.riichi.name.lower(),
        "double_riichi": hand.double_riichi,
        "ippatsu": hand.ippatsu,
        "furiten": furiten,
        "shown": hand.shown,
    }
    return written | {"norths": hand.norths} if hand.norths else written


def _meld(meld: Meld) -> Written:
    return {
        "type": meld.type.name.lower(),
        "tiles": _tiles(meld.tiles),
        "called": _tile(meld.called),
        "target": meld.target,
        "added": _tile(meld.added),
    }


def _river_entry(entry: int) -> Written:
    return {
        "pai": _TEXT[entry & RIVER_TILE],
        "tsumogiri": bool(entry & RIVER_TSUMOGIRI),
        "riichi": bool(entry & RIVER_RIICHI),
        "taken": bool(entry & RIVER_TAKEN),
    }
