"""Finds frames that show more than their viewer may have seen according to the game's log.

The scan uses none of the code that encodes or redacts frames.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from game.engine.events import (
    AnkanDeclared,
    Answered,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    Event,
    GameStarted,
    HandDrawn,
    HandStarted,
    KakanDeclared,
    NorthSetAside,
    PonCalled,
    WallBound,
    WallSeeded,
    Won,
)
from game.engine.tiles import TILE_TO_TEXT
from tests.web.short_forms import full_event

TEXTS = frozenset(TILE_TO_TEXT.values()) - {"?"}
NOT_TILES = frozenset({"bakaze", "names", "cid", "history", "fu_parts"})
SPECTATOR_VIEWER = 4
OPEN = 5
"""A spectator who watches with all hands open."""


def tile_texts(value: Any) -> Iterator[str]:
    """Yield every tile text anywhere in a frame."""
    if isinstance(value, str):
        if value in TEXTS:
            yield value
    elif isinstance(value, dict):
        left_out = {*NOT_TILES, "waits"} if value.get("type") == "ryukyoku" else NOT_TILES
        for key, inner in value.items():
            if key not in left_out:
                yield from tile_texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from tile_texts(inner)


def kinds_of_fu(value: Any) -> Iterator[str]:
    """Yield every kind of tile for which the frame gives fu; the set may contain the red one of the
    kind."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from (
                (kind for _, _, kind in inner if kind) if key == "fu_parts" else kinds_of_fu(inner)
            )
    elif isinstance(value, list):
        for inner in value:
            yield from kinds_of_fu(inner)


def tiles_shown_by(event: Event, viewer: int) -> tuple[int, ...]:
    """Return the tiles that this event shows to that viewer."""
    match event:
        case HandStarted():
            if viewer == OPEN:
                return (*(tile for row in event.tehais for tile in row), event.dora_marker)
            own = event.tehais[viewer] if viewer < SPECTATOR_VIEWER else ()
            return (*own, event.dora_marker)
        case Drawn():
            return (event.pai,) if viewer in (event.actor, OPEN) else ()
        case Discarded() | NorthSetAside():
            return (event.pai,)
        case ChiCalled() | PonCalled() | DaiminkanCalled() | KakanDeclared():
            return (event.pai, *event.consumed)
        case AnkanDeclared():
            return event.consumed
        case DoraRevealed():
            return (event.dora_marker,)
        case Won():
            return (event.pai, *event.tehai, *event.uradora_markers)
        case HandDrawn():
            return tuple(tile for row in event.tehais for tile in row)
        case _:
            return ()


class VisibleTiles:
    """The tiles of the running hand that one viewer knows after each of its events."""

    def __init__(self, log: Sequence[Event], viewer: int) -> None:
        self.events = [
            event for event in log if not isinstance(event, Answered) or event.actor == viewer
        ]
        self.seen: list[frozenset[str]] = [frozenset()]
        for event in self.events:
            before = frozenset() if isinstance(event, HandStarted) else self.seen[-1]
            shown = {TILE_TO_TEXT[tile] for tile in tiles_shown_by(event, viewer)}
            self.seen.append(before | shown)

    def hidden_tiles_in(self, text: str) -> set[str]:
        """Return the tiles in that frame that its viewer could not know when it was sent."""
        frame = json.loads(text)
        if frame["t"] not in ("sync", "ev"):
            return {*tile_texts({**frame, "text": ""}), *kinds_of_fu(frame)}
        last = frame["seq"]
        first = last - len(frame.get("e", ()))
        known = frozenset().union(*self.seen[first : last + 1])
        kinds = {tile.removesuffix("r") for tile in known}
        return (set(tile_texts(frame)) - known) | (set(kinds_of_fu(frame)) - kinds)


def hidden_bytes(log: Sequence[Event]) -> list[str]:
    """Return the seed and the server's secrets in hexadecimal, as records have them."""
    found = [event.secret for event in log if isinstance(event, WallBound)]
    found += [event.seed for event in log if isinstance(event, (GameStarted, WallSeeded))]
    return [secret.hex() for secret in found if secret]


def scan(frames: Sequence[str], log: Sequence[Event], viewer: int) -> int:
    """Check every frame that went to that viewer. Return the number of hidden tile texts over all
    events; with none the scan shows nothing. Raises AssertionError that names the frame."""
    visible = VisibleTiles(log, viewer)
    secrets = hidden_bytes(log)
    for text in frames:
        assert not any(secret in text for secret in secrets), f"the wall is known from {text}"
        too_much = visible.hidden_tiles_in(text)
        assert not too_much, f"viewer {viewer} was told of {too_much} by {text}"
        frame = json.loads(text)
        if frame["t"] == "sync":
            _check_closed_hands(frame, viewer)
            _check_turn_clock(frame)
        for event in frame.get("e", ()):
            _check_event(full_event(event), viewer)
    return sum(len(TEXTS - seen) for seen in visible.seen)


def _check_turn_clock(frame: dict[str, Any]) -> None:
    """Check that no clock of a turn runs while the table waits for claims."""
    assert frame["turn_at"] == 0 or frame["view"]["phase"] == "turn", frame


def _check_closed_hands(frame: dict[str, Any], viewer: int) -> None:
    view = frame["view"]
    for seat, hand in enumerate(view["hands"]):
        if seat == viewer:
            continue
        assert hand["furiten"] is False, frame
        if viewer == OPEN:
            continue
        assert hand["shown"] or set(hand["tiles"]) <= {"?"}, frame
        if seat == view["turn"] and not hand["shown"]:
            assert view["drawn"] in (None, "?"), frame


def _check_event(event: dict[str, Any], viewer: int) -> None:
    if event["type"] == "answer":
        assert event["actor"] == viewer, event
    if event["type"] == "tsumo" and viewer not in (event["actor"], OPEN):
        assert event["pai"] == "?", event
    if event["type"] == "start_kyoku":
        for seat, row in enumerate(event["tehais"]):
            assert viewer in (seat, OPEN) or set(row) == {"?"}, event
    if event["type"] == "ryukyoku":  # the waits follow from the shown tiles of the hand
        for shown, waits in zip(event["tehais"], event["waits"], strict=True):
            assert shown or not waits, event
    hidden = {"wall", "seed", "secret", "players", "table_id", "may_ron", "may_call", "waiting"}
    assert not hidden & set(event), event
