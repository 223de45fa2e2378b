"""Redaction: events and tables as a viewer may see them.

Owns `redact` and `view`. Whatever leaves the server goes through one of them. A viewer is a seat
(from 0), the spectators who see no hands (live or with a delay), or the spectators who see all
hands (with a delay only). No spectator sees private data of seats: answers, possible calls and
missed wins.

The functions are built at import from the declarations of the fields (`game.engine.visibility`). A
field without a declaration shows its blank value to everybody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_args, get_type_hints

import msgspec
from msgspec.structs import replace

from game.engine.events import Event
from game.engine.state import Hand, Table
from game.engine.tiles import HIDDEN, NO_TILE
from game.engine.visibility import Visibility

SPECTATOR: Final = -1
"""A viewer without a seat."""
OPEN_SPECTATOR: Final = -2
"""A viewer without a seat who sees all hands, after a delay."""
DELAYED_CLOSED_SPECTATOR: Final = -3
"""A viewer without a seat who sees what SPECTATOR sees, after a delay."""
DELAYED_VIEWERS: Final = (OPEN_SPECTATOR, DELAYED_CLOSED_SPECTATOR)

_HIDDEN_TILES_BY_COUNT: Final = tuple((HIDDEN,) * count for count in range(15))
_EMPTY_VALUES: Final[dict[type, Any]] = {
    bool: False,
    int: 0,
    str: "",
    bytes: b"",
    tuple: (),
}


def is_seat(viewer: int) -> bool:
    return viewer >= 0


def redact(event: Event, viewer: int) -> Event | None:
    """Return the event as the viewer may see it; None if the event is private to another seat."""
    redacted: Event | None = _REDACTORS[type(event)](event, viewer)
    return redacted


def view(table: Table, viewer: int) -> Table:
    """Return the table as the viewer may see it, with blank values in the fields that are
    hidden."""
    return replace(
        table,
        hands=tuple([_shown_hand(hand, seat, viewer) for seat, hand in enumerate(table.hands)]),
        **_TABLE_BLANKS,
        **dict.fromkeys(_TABLE_DRAWN, _drawn_tile(table, viewer)),
        **_shown_fields(table, _TABLE_SHOWN, viewer),
    )


def field_visibilities(struct: type[msgspec.Struct]) -> dict[str, Visibility | None]:
    """Map each field's name to its declared visibility; None for a field without a declaration."""
    hints = get_type_hints(struct, include_extras=True)
    return {name: _visibility_in(hints[name]) for name in struct.__struct_fields__}


def _visibility_in(hint: Any) -> Visibility | None:
    for note in getattr(hint, "__metadata__", ()):
        if isinstance(note, msgspec.Meta) and note.extra:
            found = note.extra.get("visibility")
            return found if isinstance(found, Visibility) else None
    return None


def _blank_value(struct: type[msgspec.Struct], name: str) -> Any:
    """Return the value that replaces a hidden field: its default, or the empty value of its
    type."""
    (field,) = (field for field in msgspec.structs.fields(struct) if field.name == name)
    if field.default is not msgspec.NODEFAULT:
        return field.default
    hint = get_type_hints(struct)[name]
    return _EMPTY_VALUES[getattr(hint, "__origin__", hint)]


def _own_bit(mask: int, viewer: int) -> int:
    """Return a mask by seat with the viewer's own bit alone, 0 for a spectator."""
    return mask & 1 << viewer if viewer >= 0 else 0


def _own_row(rows: tuple[tuple[int, ...], ...], viewer: int) -> tuple[tuple[int, ...], ...]:
    if viewer == OPEN_SPECTATOR:
        return rows
    return tuple(
        [
            row if seat == viewer else _HIDDEN_TILES_BY_COUNT[len(row)]
            for seat, row in enumerate(rows)
        ]
    )


def _own_entry(entries: tuple[Any, ...], viewer: int) -> tuple[Any, ...]:
    if not any(entries):
        return entries
    return tuple([entry if seat == viewer else None for seat, entry in enumerate(entries)])


_SHOW_BY_VIEWER: Final[dict[Visibility, Callable[[Any, int], Any]]] = {
    Visibility.OWN_BIT: _own_bit,
    Visibility.OWN_ROW_OF_TILES: _own_row,
    Visibility.OWN_ENTRY: _own_entry,
}
"""How a field is shown, for declarations that depend on the viewer alone."""


_Fields = list[tuple[str, Callable[[Any, int], Any]]]


def _shown_fields(value: msgspec.Struct, fields: _Fields, viewer: int) -> dict[str, Any]:
    """Map the names of `fields` to the values that the viewer may see. Empty fields need no
    redaction and are left out."""
    return {name: show(field, viewer) for name, show in fields if (field := getattr(value, name))}


def _redactor(struct: type[msgspec.Struct]) -> Callable[[Any, int], Any]:
    """Return the function that redacts events of this class."""
    fields = field_visibilities(struct)
    tiles = [name for name, declares in fields.items() if declares is Visibility.ACTOR_TILE]
    shown = [
        (name, _SHOW_BY_VIEWER[declares])
        for name, declares in fields.items()
        if declares in _SHOW_BY_VIEWER
    ]
    blanks = {
        name: _blank_value(struct, name)
        for name, declares in fields.items()
        if declares not in (Visibility.PUBLIC, Visibility.ACTOR_TILE, *_SHOW_BY_VIEWER)
    }
    covered = dict.fromkeys(tiles, HIDDEN)
    if getattr(struct, "private_to_actor", False):
        return lambda event, viewer: event if viewer == event.actor else None
    if not (tiles or shown or blanks):
        return lambda event, viewer: event

    def redacted(event: Any, viewer: int) -> Any:
        changes = _shown_fields(event, shown, viewer)
        if tiles and viewer not in (event.actor, OPEN_SPECTATOR):
            changes |= covered
        return replace(event, **changes, **blanks) if changes or blanks else event

    return redacted


def _drawn_tile(table: Table, viewer: int) -> int:
    """Return the drawn tile if the viewer may see it: the seat on turn, spectators of all hands,
    and everybody once the hand is shown. Otherwise return `HIDDEN`."""
    if viewer in (table.turn, OPEN_SPECTATOR) or table.drawn == NO_TILE:
        return table.drawn
    if table.hands[table.turn].shown:
        return table.drawn
    return HIDDEN


_HAND_VISIBILITIES: Final = field_visibilities(Hand)
_COVERED_HAND_FIELDS: Final = [
    name for name, declares in _HAND_VISIBILITIES.items() if declares is Visibility.OWNER_OR_SHOWN
]
_BLANK_TO_ALL: Final = {
    name: _blank_value(Hand, name)
    for name, declares in _HAND_VISIBILITIES.items()
    if declares not in (Visibility.PUBLIC, Visibility.OWNER_ONLY, Visibility.OWNER_OR_SHOWN)
}
_BLANK_TO_OTHERS: Final = _BLANK_TO_ALL | {
    name: _blank_value(Hand, name)
    for name, declares in _HAND_VISIBILITIES.items()
    if declares is Visibility.OWNER_ONLY
}


def _shown_hand(hand: Hand, seat: int, viewer: int) -> Hand:
    """Return the hand of `seat` as the viewer may see it."""
    if viewer == seat:
        return replace(hand, **_BLANK_TO_ALL) if _BLANK_TO_ALL else hand
    if hand.shown or viewer == OPEN_SPECTATOR:
        return replace(hand, **_BLANK_TO_OTHERS)
    changes = dict(_BLANK_TO_OTHERS)
    for name in _COVERED_HAND_FIELDS:
        changes[name] = _HIDDEN_TILES_BY_COUNT[len(getattr(hand, name))]
    return replace(hand, **changes)


_TABLE_VISIBILITIES: Final = field_visibilities(Table)
_TABLE_SHOWN: Final = [
    (name, _SHOW_BY_VIEWER[declares])
    for name, declares in _TABLE_VISIBILITIES.items()
    if declares in _SHOW_BY_VIEWER
]
_TABLE_DRAWN: Final = [
    name for name, declares in _TABLE_VISIBILITIES.items() if declares is Visibility.TILE_ON_TURN
]
_TABLE_BLANKS: Final = {
    name: _blank_value(Table, name)
    for name, declares in _TABLE_VISIBILITIES.items()
    if declares not in (Visibility.PUBLIC, Visibility.TILE_ON_TURN, *_SHOW_BY_VIEWER)
}
_REDACTORS: Final = {struct: _redactor(struct) for struct in get_args(Event)}
