"""Folded events equal the whole table, a frame has the clock of its reader only, and no frame shows
hidden information."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from bench.bots.games import start_game
from game.engine.clock import Clock, ClockSettings, pause_clock, reopen_question
from game.engine.events import Answered
from game.engine.evolve import evolve
from game.engine.legal import pending_seats
from game.engine.perspective import DELAYED_VIEWERS, OPEN_SPECTATOR, SPECTATOR, redact
from game.engine.state import Phase, Table
from game.live import outbound
from game.tables.room import Room
from tests.live.frame_games import play_game, room_of
from tests.live.protocol_page import samples, section
from tests.web.folding import fold
from tests.web.leak_scan import OPEN, SPECTATOR_VIEWER, VisibleTiles, scan
from tests.web.short_forms import full_clock

VIEWERS = (0, 1, 2, 3, SPECTATOR, OPEN_SPECTATOR)


def sync(room: Room, viewer: int) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(outbound.encode("sync", room, viewer))
    return frame


@pytest.mark.parametrize("seed", range(3))
def test_folded_events_equal_the_whole_table(seed: int) -> None:
    log = play_game(seed).events
    for viewer in VIEWERS:
        table = Table()
        for event in log[:2]:
            table = evolve(table, event)
        view, seq = sync(room_of(table), viewer)["view"], 2
        for event in log[2:]:
            before, table = table, evolve(table, event)
            shown = redact(event, viewer)
            if shown is None:
                continue
            seq += 1
            room = room_of(table, seq=seq)
            frame = json.loads(outbound.encode("ev", room, viewer, [shown]))
            view = fold(view, frame["e"])
            whole = sync(room, viewer)
            if whole["you"] is not None:
                view["hands"][whole["you"]]["furiten"] = frame.get("furiten", False)
            assert view == whole["view"], f"after {event} at {before}"
            assert frame.get("legal", []) == whole["legal"]


def test_page_learns_whether_only_beginners_play_against_it() -> None:
    room = room_of(start_game(1).table)
    person, *others = room.meta.seats
    for bots, expected in ((["novice"] * 3, True), (["novice", "novice", "hasty"], False)):
        seats = (
            replace(person, bot=""),
            *(replace(meta, bot=bot) for meta, bot in zip(others, bots, strict=True)),
        )
        against = replace(room, meta=replace(room.meta, seats=tuple(seats)))
        shown = [sync(against, viewer)["beginners"] for viewer in (0, 1, SPECTATOR)]
        assert shown == [expected, False, False]


@pytest.mark.parametrize("seed", range(2))
def test_no_frame_shows_hidden_information(seed: int) -> None:
    log = play_game(seed, most_steps=150).events
    for viewer in VIEWERS:
        frames = []
        table, seq = Table(), 0
        for event in log:
            table = evolve(table, event)
            shown = redact(event, viewer)
            seq += shown is not None
            room = room_of(table, seq=seq)
            if shown is not None:
                frames.append(outbound.encode("ev", room, viewer, [shown]))
            frames.append(outbound.encode("sync", room, viewer))
        reader = {SPECTATOR: SPECTATOR_VIEWER, OPEN_SPECTATOR: OPEN}.get(viewer, viewer)
        assert scan(frames, log, reader) > 100


@pytest.mark.parametrize("leak", ["none", "drawn", "dealt", "sync", "key"])
def test_scan_finds_a_leak(leak: str) -> None:
    game = start_game(5)
    log, table = game.events, game.table
    (deal, drawn) = log[1:3]
    reader = (table.turn + 1) % 4
    shown = [redact(event, reader) for event in (deal, drawn)]
    honest = json.loads(outbound.encode("ev", room_of(table, seq=3), reader, shown))
    whole = sync(room_of(table, seq=3), reader)
    leaked = json.loads(outbound.encode("ev", room_of(table, seq=3), reader, [deal, drawn]))
    frame = honest
    match leak:
        case "none":
            scan([json.dumps(honest), json.dumps(whole)], log, reader)
            return
        case "drawn":
            honest["e"][1] = leaked["e"][1]
        case "dealt":
            honest["e"][0]["tehais"][table.turn] = leaked["e"][0]["tehais"][table.turn]
        case "sync":
            whole["view"]["hands"][table.turn]["tiles"][0] = leaked["e"][0]["tehais"][table.turn][0]
            frame = whole
        case _:
            honest["e"][0]["waiting"] = 0
    with pytest.raises(AssertionError):
        scan([json.dumps(frame)], log, reader)


def test_scan_treats_a_red_five_as_its_kind() -> None:
    visible = VisibleTiles([], 0)
    visible.seen = [frozenset({"5sr"})]
    for kind, too_much in (("5s", set()), (None, set()), ("6s", {"6s"})):
        fu = [["base", 20, None], ["kanchan", 2, kind]]
        frame = {"t": "sync", "seq": 0, "view": {"results": [{"fu_parts": fu}]}}
        assert visible.hidden_tiles_in(json.dumps(frame)) == too_much


def test_seat_sees_its_own_answer_only() -> None:
    log = play_game(1).events
    answered = [event for event in log if isinstance(event, Answered)]
    assert answered
    for event in answered:
        for viewer in VIEWERS:
            assert (redact(event, viewer) is None) == (viewer != event.actor)


def test_clock_leaves_out_what_time_control_says() -> None:
    table = start_game(3).table
    (asked,) = pending_seats(table)
    settings = ClockSettings(base_ms=5_000, bank_ms=20_000)
    starts = [0, 0, 0, 0]
    starts[asked] = 1_000_000
    clock = Clock(
        asked_at=(starts[0], starts[1], starts[2], starts[3]), bank=(7_000, 7_000, 7_000, 7_000)
    )
    room = room_of(table, clock, settings)
    whole = sync(room, asked)
    assert whole["clock"] == {"asked_at": 1_000_000, "bank_ms": 7_000}
    leads = {"lead_ms": 400, "deal_ms": 2_500}
    assert whole["time_control"] == {"base_ms": 5_000, "bank_ms": 20_000, **leads}
    assert full_clock(whole["clock"], whole["time_control"]) == {
        "asked_at": 1_000_000,
        "base_ms": 5_000,
        "bank_ms": 7_000,
        "deadline": 1_012_000,
    }
    full_bank = replace(clock, bank=(20_000,) * 4)
    assert sync(room_of(table, full_bank, settings), asked)["clock"] == {"asked_at": 1_000_000}
    result = replace(table, phase=Phase.RESULT)
    assert sync(room_of(result, clock, settings), asked)["clock"] == {
        "asked_at": 1_000_000,
        "deadline": 1_000_000 + settings.result_ms,
    }
    for viewer in VIEWERS:
        if viewer != asked:
            assert sync(room, viewer)["clock"] is None


def test_turn_clock_is_the_same_for_all_viewers_and_moves_with_no_question() -> None:
    table = start_game(3).table
    (asked,) = pending_seats(table)
    settings = ClockSettings()
    clock = Clock(asked_at=(1_000,) * 4, turn_at=1_000)
    room = room_of(table, clock, settings)
    for viewer in VIEWERS:
        assert sync(room, viewer)["turn_at"] == (0 if viewer in DELAYED_VIEWERS else 1_000)
    reopened = reopen_question(settings, clock, asked, 90_000)
    assert sync(room_of(table, reopened, settings), asked)["turn_at"] == 1_000
    for stopped, no_clock in (
        (pause_clock(clock, 2_000, 9_000), settings),
        (clock, replace(settings, is_unlimited=True)),
    ):
        assert sync(room_of(table, stopped, no_clock), asked)["turn_at"] == 0


def test_sync_has_the_documented_keys() -> None:
    (sample,) = [s for s in samples(section("`sync`: the whole picture")) if s.get("t") == "sync"]
    room = room_of(start_game(3).table)
    frame = sync(room, 0)
    assert list(frame) == list(sample)
    assert list(frame["view"]) == list(sample["view"])
    assert list(frame["view"]["hands"][0]) == list(sample["view"]["hands"][0])
    (sample,) = [s for s in samples(section("`ev`: what has happened since")) if s.get("t") == "ev"]
    asked = room_of(room.table, Clock(asked_at=(1, 1, 1, 1)))
    frame = json.loads(outbound.encode("ev", asked, room.table.turn))
    assert list(frame) == [key for key in sample if key != "furiten"]
    frame = json.loads(outbound.encode("ev", room, SPECTATOR))
    assert list(frame) == ["t", "seq", "q", "e"]


def test_levels_name_the_bots_of_the_site_but_no_stand_in_of_an_account() -> None:
    room = room_of(start_game(3).table)
    assert sync(room, 0)["view"]["levels"] == ["", "sensible", "tsumogiri", ""]
    left = replace(room.meta.seats[1], person="anna")
    banned = replace(room.meta.seats[2], avatar="5mr-blue")
    seats = (room.meta.seats[0], left, banned, room.meta.seats[3])
    room = replace(room, meta=replace(room.meta, seats=seats))
    assert sync(room, 0)["view"]["levels"] == [""] * 4


def test_short_frames_have_the_documented_keys() -> None:
    by_type = {sample["t"]: sample for sample in samples(section("Others"))}
    assert json.loads(outbound.encode_ack("k3-17")) == by_type["ack"]
    assert json.loads(outbound.encode_stale("k3-17", 42)) == by_type["stale"]
    refused = outbound.encode_error("illegal", "no", "k3-17", reason="kuikae")
    assert list(json.loads(refused)) == list(by_type["error"])
    assert "reason" not in json.loads(outbound.encode_error("not_seated", "no", "k3-17"))
    assert list(json.loads(outbound.encode_pong(5))) == list(by_type["pong"])
    assert "cid" not in json.loads(outbound.encode_error("bad_json", "no"))
