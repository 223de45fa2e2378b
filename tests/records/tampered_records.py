"""Records in mjai that somebody has tampered with.

Every value of the mark and of one event of each type is changed in each way of its JSON type, so
that fields that are added later are tampered with as well.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any, Final

from tests.records.proved_games import to_lines

_AS_FLOAT: Final = "as a float: "
"""Marks a number that is written with a point."""
_EVENTS: Final = (
    *("start_game", "start_kyoku", "tsumo", "dahai", "reach", "reach_accepted", "dora", "hora"),
    *("chi", "pon", "daiminkan", "ankan", "kakan", "ryukyoku", "end_kyoku", "end_game", "none"),
)


def tampered(text: str, other: str) -> Iterator[tuple[str, str]]:
    """Yield changes of a record, each as a name and the changed text. `other` is the record of
    another game with a proof."""
    events = [json.loads(line) for line in text.splitlines()]
    yield from tampered_values(events)
    yield from _changed_order(events)
    yield from _second_marks(text, other)
    yield from _other_forms(text)


def tampered_values(events: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield the changes of single values."""
    seen: set[str] = set()
    for number, event in enumerate(events):
        kind = event["type"]
        if kind in seen:
            continue
        seen.add(kind)
        for path in _paths(event):
            for what, changed in _changes_at(event, path):
                rows = [*events[:number], changed, *events[number + 1 :]]
                name = ".".join(map(str, path))
                yield f"{kind} {name}: {what}", _with_floats(to_lines(rows))


def _paths(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value inside; of long lists only to the first two entries and to the
    last, and of the rules to two."""
    if isinstance(value, dict):
        keys = [*value]
        if before[-1:] == ("rules",):
            keys = ["red_fives", "name"]
    elif isinstance(value, list):
        keys = sorted({*range(min(2, len(value))), *range(len(value))[-1:]})
    else:
        return
    for key in keys:
        yield (*before, key)
        yield from _paths(value[key], (*before, key))


def _changes_at(event: Any, path: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    changed = copy.deepcopy(event)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    value = holder[path[-1]]
    for what, other in _others(value):
        holder[path[-1]] = other
        yield what, changed
    del holder[path[-1]]
    yield "left out", changed


def _others(value: Any) -> Iterator[tuple[str, Any]]:
    yield "null", None
    yield "in a list", [value]
    match value:
        case bool():
            yield "not", not value
            yield "a number", int(value)
        case int():
            yield "one more", value + 1
            yield "negative", -1
            yield "a text", str(value)
            yield "true", True
            yield "a float", f"{_AS_FLOAT}{value}"
            yield "too large", 2**53 + 1
        case str():
            yield "empty", ""
            yield "in upper case", value.upper()
            yield "with a space", f"{value} "
            yield "another", ("1" if value[:1] == "0" else "0") + value[1:]
            yield "a number", 0
        case list():
            yield "without the last", value[:-1]
            yield "one more", [*value, *value[-1:]]
            yield "backwards", value[::-1]
            yield "no entry", []
            yield "an object", dict(enumerate(value))
        case dict():
            yield "empty", {}


def _with_floats(text: str) -> str:
    """Return the JSON in which the numbers that are marked have a point."""
    head, *parts = text.split(f'"{_AS_FLOAT}')
    return head + "".join([part.replace('"', ".0", 1) for part in parts])


def _changed_order(events: list[Any]) -> Iterator[tuple[str, str]]:
    for at, event in enumerate(events):
        name = f"line {at + 1}, {event['type']}"
        yield f"{name}: left out", to_lines([*events[:at], *events[at + 1 :]])
        yield f"{name}: twice", to_lines([*events[:at], event, *events[at:]])
        yield f"{name}: the last", to_lines(events[: at + 1])
        if at + 1 < len(events):
            pair = [events[at + 1], event]
            yield f"{name}: later", to_lines([*events[:at], *pair, *events[at + 2 :]])
    for kind in _EVENTS:
        for at in sorted({1, 2, 9, len(events) - 1, len(events)}):
            extra = {"type": kind, "actor": 0}
            yield f"{kind} before line {at + 1}", to_lines([*events[:at], extra, *events[at:]])
            if at < len(events):
                other = events[at] | {"type": kind}
                yield f"{kind} as line {at + 1}", to_lines([*events[:at], other, *events[at + 1 :]])


def _second_marks(text: str, other: str) -> Iterator[tuple[str, str]]:
    start, *rest = text.splitlines(keepends=True)
    their_start, *their_rest = other.splitlines(keepends=True)
    house = json.dumps(json.loads(their_start)["house"])
    bare = '{"type": "start_game"}\n'
    before_end = start.rstrip()[:-1]
    lines = "".join(rest)
    yield "the mark of another game before", their_start + text
    yield "the mark of another game after", start + their_start + lines
    yield "the walls of another game", start + "".join(their_rest)
    yield "the walls of another game after both marks", start + their_start + "".join(their_rest)
    yield "two keys", f'{before_end}, "house": {house}}}\n{lines}'
    yield "two keys, one escaped", f'{before_end}, "hous\\u0065": {house}}}\n{lines}'
    yield "a mark inside the mark", start.replace('"seed"', f'"house": {house}, "seed"', 1) + lines
    yield "a mark in the first hand", start + rest[0] + their_start + "".join(rest[1:])
    yield "a mark after the game", text + their_start
    prototype = f'{{"type": "hello", "__proto__": {{"house": {house}}}}}\n'
    yield "a mark as the prototype", prototype + text
    yield "the only mark as the prototype", prototype + "".join(their_rest)
    yield "the mark in the second line", bare + text
    yield "the mark after the first deal", bare + rest[0] + start + "".join(rest[1:])
    for key in ("seed", "proof", "rules", "format"):
        value = json.dumps(json.loads(their_start)["house"][key])
        yield f"two {key}", start.replace('"house": {', f'"house": {{"{key}": {value}, ', 1) + lines
        mark = json.loads(start)
        mark["house"] = {key: mark["house"][key]}
        yield f"only {key}", json.dumps(mark) + "\n" + lines


def _other_forms(text: str) -> Iterator[tuple[str, str]]:
    lines = text.splitlines(keepends=True)
    yield "one array", "[" + ",".join(lines) + "]"
    yield "an array in an array", "[[" + ",".join(lines) + "]]"
    yield "one line", text.replace("\n", " ")
    yield "other ends of lines", text.replace("\n", "\r\n")
    yield "carriage returns alone", text.replace("\n", "\r")
    yield "empty lines", text.replace("\n", "\n \t\n\n")
    yield "a space that JSON does not know", text.replace("\n", "\n\u00a0\n")
    yield "a byte order mark", "\ufeff" + text
    yield "two byte order marks", "\ufeff\ufeff" + text
    names = ("\u2028", "\u0085", "<GO ", "\\ud83d\\ude00", "\\ud83d")
    for name in (*names, '\\"house\\":', '\\"log\\":'):
        yield f"a player called {name!r}", text.replace('"A"', f'"{name}"', 1)
    yield "a player called log", text.replace('"A"', '"log"', 1)
    for constant in ("NaN", "Infinity", "1e999", "-0", "1.5", "01", "1e0"):
        yield f"the number {constant}", text.replace('"names"', f'"extra": {constant}, "names"', 1)
    yield "a comma too many", text.replace("}\n", ",}\n", 1)
    yield "a control character", text.replace('"A"', '"\x01"', 1)
    for length in range(0, len(text), len(text) // 40):
        yield f"only {length} characters", text[:length]
    yield "nothing", ""
