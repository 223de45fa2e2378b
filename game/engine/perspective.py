"""The one way out: what a viewer may see of an event and of a table.

A viewer is a seat (0 to 3); anything else is a watcher, who sees no hand. Made at import from
what each field declares (`game.engine.visibility`): a field without a declaration shows its
blank value to everybody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_args, get_type_hints

import msgspec
from msgspec.structs import replace

from game.engine.events import Event
from game.engine.state import SEATS, Hand, Table
from game.engine.tiles import HIDDEN, NO_TILE
from game.engine.visibility import Visibility

WATCHER: Final = -1
"""A viewer that sits nowhere."""

_HIDDEN_ROWS: Final = tuple((HIDDEN,) * count for count in range(15))
_EMPTY: Final[dict[type, Any]] = {
    bool: False,
    int: 0,
    str: "",
    bytes: b"",
    tuple: (),
}


def redact(event: Event, viewer: int) -> Event | None:
    """The event as the viewer may learn of it; None if it may not know of it at all."""
    redacted: Event | None = _REDACTORS[type(event)](event, viewer)
    return redacted


def view(table: Table, viewer: int) -> Table:
    """The table as the viewer may know it: again a table, with blanks in it."""
    east, south, west, north = table.hands
    return replace(
        table,
        hands=(
            _shown_hand(east, viewer == 0),
            _shown_hand(south, viewer == 1),
            _shown_hand(west, viewer == 2),
            _shown_hand(north, viewer == 3),
        ),
        **{name: show(table, viewer) for name, show in _TABLE_FIELDS},
    )


def declared(struct: type[msgspec.Struct]) -> dict[str, Visibility | None]:
    """By field what it declares; None for a field without a declaration."""
    hints = get_type_hints(struct, include_extras=True)
    return {name: _visibility(hints[name]) for name in struct.__struct_fields__}


def _visibility(hint: Any) -> Visibility | None:
    for note in getattr(hint, "__metadata__", ()):
        if isinstance(note, msgspec.Meta) and note.extra:
            found = note.extra.get("visibility")
            return found if isinstance(found, Visibility) else None
    return None


def _blank(struct: type[msgspec.Struct], name: str) -> Any:
    """What stands in a field that is not shown: its default, or nothing of its type."""
    (field,) = (field for field in msgspec.structs.fields(struct) if field.name == name)
    if field.default is not msgspec.NODEFAULT:
        return field.default
    hint = get_type_hints(struct)[name]
    return _EMPTY[getattr(hint, "__origin__", hint)]


def _own_bit(mask: int, viewer: int) -> int:
    return mask & 1 << viewer if viewer in SEATS else 0


def _own_row(rows: tuple[tuple[int, ...], ...], viewer: int) -> tuple[tuple[int, ...], ...]:
    return tuple(
        [row if seat == viewer else _HIDDEN_ROWS[len(row)] for seat, row in enumerate(rows)]
    )


def _own_entry(entries: tuple[Any, ...], viewer: int) -> tuple[Any, ...]:
    return tuple([entry if seat == viewer else None for seat, entry in enumerate(entries)])


_SHOWING: Final[dict[Visibility, Callable[[Any, int], Any]]] = {
    Visibility.OWN_BIT: _own_bit,
    Visibility.OWN_ROW_OF_TILES: _own_row,
    Visibility.OWN_ENTRY: _own_entry,
}
"""How the value of a field is shown, where it depends on the viewer alone."""


def _redactor(struct: type[msgspec.Struct]) -> Callable[[Any, int], Any]:
    """The function that redacts events of this class."""
    is_private = bool(getattr(struct, "private_to_actor", False))
    guarded = [
        (name, _event_field(struct, name, visibility))
        for name, visibility in declared(struct).items()
        if visibility is not Visibility.PUBLIC
    ]
    if is_private:
        return lambda event, viewer: event if viewer == event.actor else None
    if not guarded:
        return lambda event, viewer: event

    def redacted(event: Any, viewer: int) -> Any:
        return replace(event, **{name: show(event, viewer) for name, show in guarded})

    return redacted


def _event_field(
    struct: type[msgspec.Struct], name: str, visibility: Visibility | None
) -> Callable[[Any, int], Any]:
    if visibility is Visibility.ACTOR_TILE:
        return lambda event, viewer: getattr(event, name) if viewer == event.actor else HIDDEN
    return _field(struct, name, visibility)


def _field(
    struct: type[msgspec.Struct], name: str, visibility: Visibility | None
) -> Callable[[Any, int], Any]:
    if visibility in _SHOWING:
        show = _SHOWING[visibility]
        return lambda value, viewer: show(getattr(value, name), viewer)
    blank = _blank(struct, name)
    return lambda value, viewer: blank


def _drawn_tile(table: Table, viewer: int) -> int:
    """The drawn tile, for the seat on turn, and for all once its hand lies open."""
    if viewer == table.turn or table.drawn == NO_TILE or table.hands[table.turn].shown:
        return table.drawn
    return HIDDEN


def _table_fields() -> list[tuple[str, Callable[[Table, int], Any]]]:
    found: list[tuple[str, Callable[[Table, int], Any]]] = []
    for name, visibility in declared(Table).items():
        if visibility is Visibility.TILE_ON_TURN:
            found.append((name, _drawn_tile))
        elif visibility is not Visibility.PUBLIC:
            found.append((name, _field(Table, name, visibility)))
    return found


_OF_HAND: Final = declared(Hand)
_COVERED: Final = [
    name for name, declares in _OF_HAND.items() if declares is Visibility.OWNER_OR_SHOWN
]
_BLANK_TO_ALL: Final = {
    name: _blank(Hand, name)
    for name, declares in _OF_HAND.items()
    if declares not in (Visibility.PUBLIC, Visibility.OWNER_ONLY, Visibility.OWNER_OR_SHOWN)
}
_BLANK_TO_OTHERS: Final = _BLANK_TO_ALL | {
    name: _blank(Hand, name)
    for name, declares in _OF_HAND.items()
    if declares is Visibility.OWNER_ONLY
}


def _shown_hand(hand: Hand, is_own: bool) -> Hand:
    """A hand as its owner sees it, or as the others do."""
    if is_own:
        return replace(hand, **_BLANK_TO_ALL) if _BLANK_TO_ALL else hand
    if hand.shown:
        return replace(hand, **_BLANK_TO_OTHERS)
    covered = {name: _HIDDEN_ROWS[len(getattr(hand, name))] for name in _COVERED}
    return replace(hand, **_BLANK_TO_OTHERS, **covered)


_TABLE_FIELDS: Final = _table_fields()
_REDACTORS: Final = {struct: _redactor(struct) for struct in get_args(Event)}
