"""Short forms expand to exactly what they replace and depend only on visible tiles."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from game.engine import actions
from game.engine.actions import DeclareRiichi, Discard
from game.engine.clock import NOT_ASKED, Clock
from game.engine.events import Discarded, Drawn, Event, HandStarted, Won
from game.engine.evolve import evolve
from game.engine.legal import choices, pending_seats
from game.engine.perspective import OPEN_SPECTATOR, SPECTATOR, field_visibilities, redact, view
from game.engine.state import SEATS, Table
from game.engine.tiles import NO_TILE, TEXT_TO_TILE, TILE_TO_TEXT
from game.engine.visibility import Visibility
from game.live import encoding, outbound
from game.live.outbound import shorten
from tests.kit import export_js_fixtures
from tests.live.frame_games import play_game, room_of
from tests.web.short_forms import full_event, full_legal

SEEDS: Final = range(24)
_NOW: Final = re.compile(r'"now":\d+')


def tile(text: str) -> int:
    return TEXT_TO_TILE[text]


def hand(text: str) -> tuple[int, ...]:
    return tuple(map(tile, text.split()))


def shorten_as_sent(
    listed: Sequence[Any], tiles: Sequence[int], drawn: int
) -> list[dict[str, Any]]:
    """Return the list in its short form, as a client reads it."""
    found: list[dict[str, Any]] = json.loads(msgspec.json.encode(shorten(listed, tiles, drawn)))
    return found


def expand(short: list[dict[str, Any]], tiles: Sequence[int], drawn: int) -> list[Any]:
    drawn_text = None if drawn == NO_TILE else TILE_TO_TEXT[drawn]
    return full_legal(short, [TILE_TO_TEXT[tile] for tile in tiles], drawn_text)


def in_full(listed: Sequence[Any]) -> list[Any]:
    return [json.loads(bytes(encoding.encode_action(action))) for action in listed]


def test_every_list_of_random_games_is_expanded_to_itself() -> None:
    forms = Counter[str]()
    for seed in SEEDS:
        for table, events in export_js_fixtures.play_commits(seed, 2):
            for event in events:
                table = evolve(table, event)
            for seat in range(table.rules.players):
                seen = view(table, seat)
                listed, tiles = choices(seen, seat), seen.hands[seat].tiles
                drawn = seen.drawn if seen.turn == seat else NO_TILE
                short = shorten_as_sent(listed, tiles, drawn)
                assert expand(short, tiles, drawn) == in_full(listed)
                for item in short:
                    if item["type"] in ("dahai", "reach"):
                        form = "but" if "but" in item else "each" if "pai" in item else "any"
                        forms[f"{item['type']} {form}"] += 1
    kinds = {"dahai any", "dahai but", "dahai each", "reach any", "reach each"}
    assert kinds <= set(forms), forms
    assert forms["dahai any"] > 10 * forms["dahai but"]


@pytest.mark.parametrize("kind", [Discard, DeclareRiichi])
@pytest.mark.parametrize("drawn", ["", "N", "5mr"])
def test_every_part_of_a_hand_is_expanded_to_itself(kind: type, drawn: str) -> None:
    """The lists include those that no rule makes today."""
    tiles, drawn_tile = hand("5m 5mr N N"), tile(drawn) if drawn else NO_TILE
    every = [kind(tile, False) for tile in dict.fromkeys(tiles)]
    every += [kind(drawn_tile, True)] if drawn else []
    for chosen in range(1 << len(every)):
        listed = [action for at, action in enumerate(every) if chosen >> at & 1]
        around = [actions.Win(), *listed, actions.DeclareKyushu()]
        short = shorten_as_sent(around, tiles, drawn_tile)
        assert expand(short, tiles, drawn_tile) == in_full(around)
        assert len(json.dumps(short)) <= len(json.dumps(in_full(around)))


def test_short_form_with_many_exceptions_is_not_used() -> None:
    tiles = hand("1m 2m 3m 4m 5m 6m 7m")
    few, most = ([DeclareRiichi(tile, False) for tile in part] for part in (tiles[:3], tiles[:4]))
    assert shorten_as_sent(few, tiles, NO_TILE) == in_full(few)
    assert shorten_as_sent(most, tiles, NO_TILE) == [{"type": "reach", "but": ["5m", "6m", "7m"]}]


def test_every_event_is_expanded_to_itself() -> None:
    shapes = Counter[tuple[str, int]]()
    for seed in SEEDS:
        for _, events in export_js_fixtures.play_commits(seed, 2):
            for event in events:
                for viewer in (*SEATS, SPECTATOR):
                    shown = redact(event, viewer)
                    if shown is None:
                        continue
                    short = json.loads(msgspec.json.encode(encoding.encode_short_event(shown)))
                    full = json.loads(msgspec.json.encode(encoding.encode_event(shown)))
                    assert full_event(short) == full
                    shapes[(full["type"], len(short) if isinstance(short, list) else 0)] += 1
    assert {("tsumo", size) for size in (2, 3, 4)} <= set(shapes)
    assert {("dahai", size) for size in (3, 4)} <= set(shapes)


def disguise(log: Sequence[Event], viewer: int, chance: Random) -> tuple[list[Event], int]:
    """Return a log with other secrets that `viewer` cannot tell from the real ones, and the number
    of changed tiles.

    Tiles in hands that are never shown are exchanged, and so is the rest of the wall. The actions
    of other seats that the log offers are random.
    """
    other, moved = list(log), 0
    starts = [at for at, event in enumerate(log) if isinstance(event, HandStarted)]
    table = Table()
    for first, end in zip([0, *starts], [*starts, len(log)], strict=True):
        for event in log[first:end]:
            table = evolve(table, event)
        slots = [slot for slot in _hidden_slots(log, first, end, table) if slot.seat != viewer]
        tiles = [slot.tile for slot in slots]
        chance.shuffle(tiles)
        for slot, new in zip(slots, tiles, strict=True):
            moved += new != slot.tile
            other[slot.at] = _with_tile(other[slot.at], slot, new)
    return [_with_other_secrets(event, viewer, chance) for event in other], moved


class Slot(NamedTuple):
    """An event by which a seat received a tile that it still has at the end of the hand, unseen by
    others."""

    seat: int
    at: int
    """The number of the event: a deal or a draw."""
    tile: int


def _hidden_slots(log: Sequence[Event], first: int, end: int, last: Table) -> Iterator[Slot]:
    """Yield the slots of tiles that stay hidden. Of equal tiles, the last received ones are
    kept."""
    for seat, held in enumerate(last.hands):
        kept = Counter(() if held.shown else held.tiles)
        for at in reversed(range(first, end)):
            event = log[at]
            received: tuple[int, ...] = ()
            if isinstance(event, Drawn) and event.actor == seat and not _is_shown_at_once(log, at):
                received = (event.pai,)
            elif isinstance(event, HandStarted):
                received = event.tehais[seat]
            for frame in received:
                if kept[frame]:
                    kept[frame] -= 1
                    yield Slot(seat, at, frame)


def _is_shown_at_once(log: Sequence[Event], at: int) -> bool:
    """Return whether the tile of that draw is discarded as drawn or wins."""
    after = next((event for event in log[at + 1 :] if isinstance(event, Discarded | Won)), None)
    return isinstance(after, Won) or (after is not None and after.tsumogiri)


def _with_tile(event: Event, slot: Slot, new: int) -> Event:
    if isinstance(event, Drawn):
        return replace(event, pai=new)
    assert isinstance(event, HandStarted)
    rows = [list(row) for row in event.tehais]
    rows[slot.seat].remove(slot.tile)
    rows[slot.seat] = sorted([*rows[slot.seat], new])
    return replace(event, tehais=tuple(map(tuple, rows)))


def _with_other_secrets(event: Event, viewer: int, chance: Random) -> Event:
    own = 1 << viewer if viewer in SEATS else 0
    secrets: dict[str, Any] = {
        name: getattr(event, name) & own | chance.getrandbits(len(SEATS)) & ~own
        for name, shown in field_visibilities(type(event)).items()
        if shown is Visibility.OWN_BIT
    }
    if isinstance(event, HandStarted):
        secrets["wall"] = bytes(chance.sample(event.wall, len(event.wall)))
    return replace(event, **secrets)


def frames(log: Sequence[Event], viewer: int, reader: int | None = None) -> list[str]:
    """Return all frames that `viewer` is sent of that game, without the time of the server.

    `reader` is the viewer for whom the events are redacted, by default `viewer`.
    """
    texts, table, seq = list[str](), Table(), 0
    for event in log:
        table = evolve(table, event)
        shown = redact(event, viewer if reader is None else reader)
        if shown is None:
            continue
        seq += 1
        asked = pending_seats(table)
        since = [1_000 if seat in asked else NOT_ASKED for seat in SEATS]
        clock = Clock(asked_at=(since[0], since[1], since[2], since[3]), bank=(7, 8, 9, 10))
        room = room_of(table, clock, seq=seq)
        texts.append(outbound.encode("ev", room, viewer, [shown]))
        texts.append(_NOW.sub("", outbound.encode("sync", room, viewer)))
    return texts


@pytest.mark.parametrize("seed", range(4))
def test_frames_do_not_depend_on_hidden_tiles(seed: int) -> None:
    log = play_game(seed, most_steps=300).events
    for viewer in (*SEATS, SPECTATOR):
        other, moved = disguise(log, viewer, Random(seed))
        assert moved > 20
        for first, second in zip(frames(log, viewer), frames(other, viewer), strict=True):
            assert first == second


def test_frames_that_depend_on_a_hidden_tile_would_be_found() -> None:
    log = play_game(0, most_steps=300).events
    other, _ = disguise(log, 0, Random(0))
    pairs = list(zip(frames(log, 0, OPEN_SPECTATOR), frames(other, 0, OPEN_SPECTATOR), strict=True))
    assert sum(first != second for first, second in pairs) > 10
    assert sum(len(first) != len(second) for first, second in pairs) > 0
