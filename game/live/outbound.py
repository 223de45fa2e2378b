"""Encodes frames as `docs/protocol.md` describes them.

Frames contain only what `game.engine.perspective` returns: the table from `view`, the events from
`redact`. The full table is used only to find which seats have an open question and whether the
reader's own hand is furiten. So neither the content of a frame nor its size depends on what its
reader may not see.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final, Literal, Protocol

import msgspec

from game.archive.hand_schedule import delay_ms
from game.engine.actions import Action, DeclareRiichi, Discard
from game.engine.clock import NOT_ASKED, deadline, round_left_ms
from game.engine.events import Event
from game.engine.furiten import is_furiten
from game.engine.legal import choices, pending_seats
from game.engine.perspective import DELAYED_VIEWERS, is_seat, view
from game.engine.state import Table
from game.engine.tiles import NO_TILE, TILE_TO_TEXT
from game.live import encoding
from game.live.chat_store import StoredLine
from game.live.heartbeat import now_ms
from game.live.inbound import PROTOCOL_VERSION
from game.tables.room import Room, read_notice

EncodedAction = msgspec.Raw | dict[str, Any]

_SHORT_TYPES: Final[dict[type, str]] = {Discard: "dahai", DeclareRiichi: "reach"}


def shorten(actions: Sequence[Action], tiles: Sequence[int], drawn: int) -> list[EncodedAction]:
    """Return `actions` in order; each run of discards or of riichi declarations is replaced by its
    short form.

    `tiles` are the concealed tiles of the hand, sorted; `drawn` is the drawn tile or `NO_TILE`. A
    run that the short form cannot express, or would not make shorter, is returned in full.
    """
    items: list[EncodedAction] = []
    for kind, group in groupby(actions, type):
        run = list(group)
        if kind in _SHORT_TYPES and len(run) > 1:
            items += _shortened_run(kind, run, tiles, drawn)
        else:
            items += map(encoding.encode_action, run)
    return items


def _shortened_run(
    kind: type, run: Sequence[Any], tiles: Sequence[int], drawn: int
) -> list[EncodedAction]:
    every = [(tile, False) for tile in dict.fromkeys(tiles)]
    if drawn != NO_TILE:
        every.append((drawn, True))
    listed = [(action.pai, action.tsumogiri) for action in run]
    if listed == every:
        return [{"type": _SHORT_TYPES[kind]}]
    missing = dict.fromkeys(discard[0] for discard in every if discard not in listed)
    if len(missing) < len(listed) and listed == [
        discard for discard in every if discard[0] not in missing
    ]:
        return [{"type": _SHORT_TYPES[kind], "but": [TILE_TO_TEXT[tile] for tile in missing]}]
    return [*map(encoding.encode_action, run)]


Kind = Literal["ev", "sync"]

_encoder: Final = msgspec.json.Encoder()


class Encode(Protocol):
    """Encodes a frame for `viewer`: the whole room, or `events` redacted for that viewer."""

    def __call__(
        self, kind: Kind, room: Room, viewer: int, events: Sequence[Event] = ()
    ) -> str: ...


def encode(kind: Kind, room: Room, viewer: int, events: Sequence[Event] = ()) -> str:
    """Return the frame for `viewer` (a seat or a spectator): a "sync" has the whole room; an "ev"
    has the new `events`, redacted for that viewer, and leaves out fields with their usual value."""
    table = room.table
    seat = viewer if is_seat(viewer) else None
    furiten = seat is not None and is_furiten(table, seat)
    is_asked = seat is not None and seat in pending_seats(table)
    legal = _encode_legal(view(table, viewer), viewer) if is_asked else []
    clock = None if seat is None else _clock(room, seat)
    frame: dict[str, Any] = {"t": kind}
    if kind == "sync":
        frame["v"] = PROTOCOL_VERSION
    frame["seq"] = room.seq(viewer)
    frame["q"] = table.step
    if kind == "sync":
        frame["now"] = now_ms()
        frame["you"] = seat
        frame["help"] = room.meta.settings.help
        others = [meta.bot for at, meta in enumerate(room.meta.seats) if at != seat]
        frame["beginners"] = seat is not None and set(others) == {"novice"}
        is_delayed = viewer in DELAYED_VIEWERS
        frame["behind_s"] = delay_ms(room.meta) // 1000 if is_delayed else 0
        frame["opens_after"] = room.meta.settings.opens_after if is_delayed else ""
        frame["time_control"] = {
            "base_ms": room.meta.clock.base_ms,
            "bank_ms": room.meta.clock.bank_ms,
            "lead_ms": room.meta.clock.lead_ms,
            "deal_ms": room.meta.clock.deal_ms,
        }
        frame["turn_at"] = 0 if is_delayed else _turn_at(room)
        frame["requests"] = _encode_requests(room)
        frame["absent"] = [not is_delayed and is_absent for is_absent in room.absent]
        closes_at = room.clock.closes_at if table.is_drawing_wall else 0
        frame["wall"] = encoding.encode_wall_draw(table.wall_draw, closes_at)
        names = [meta.name for meta in room.meta.seats]
        bots = [bool(meta.bot) or meta.is_program for meta in room.meta.seats]
        avatars = [meta.avatar for meta in room.meta.seats]
        # The seat of a banned account keeps its avatar.
        levels = ["" if meta.person or meta.avatar else meta.bot for meta in room.meta.seats]
        ratings = [meta.rating for meta in room.meta.seats]
        seen = view(table, viewer)
        own_furiten = seat if furiten else None
        frame["view"] = encoding.encode_table(
            seen, names, bots, own_furiten, avatars, levels, ratings
        )
        frame["legal"] = legal
        frame["clock"] = clock
    else:
        frame["e"] = [encoding.encode_short_event(event) for event in events]
        if furiten:
            frame["furiten"] = True
        if legal:
            frame["legal"] = legal
        if clock is not None:
            frame["clock"] = clock
    return _encoder.encode(frame).decode()


def needs_sync(before: Room, after: Room) -> bool:
    """Return whether the step changed something that no event reports: seats, votes, a pause or the
    notice."""
    return _state_without_events(before) != _state_without_events(after)


def _state_without_events(room: Room) -> tuple[object, ...]:
    clock = room.clock
    pause = bool(clock.paused_at), clock.pause_ends_at
    return (
        room.meta.seats,
        room.votes,
        pause,
        room.notice,
        clock.round_ends_at,
        _last_hand_state(room),
    )


def _encode_requests(room: Room) -> dict[str, Any]:
    """Return the votes, the pause and the seats where bots play on, ready for JSON."""
    intervention, notice = read_notice(room.notice)
    return {
        "paused": bool(room.clock.paused_at),
        "resumes_at": room.clock.pause_ends_at,
        "votes": list(room.votes),
        "left": [bool(meta.bot and meta.person) for meta in room.meta.seats],
        "unlimited": room.meta.clock.is_unlimited,
        "notice": notice,
        "official": intervention,
        "end_needs_all": bool(room.meta.ladder),
        "round": _encode_round(room),
    }


def _encode_round(room: Room) -> dict[str, Any] | None:
    """Return the time limit of a tournament's round, ready for JSON; None if there is none."""
    left_ms, last_hand = round_left_ms(room.clock, room.at), _last_hand_state(room)
    if left_ms is None and not last_hand:
        return None
    is_running = left_ms is not None and not room.clock.paused_at
    return {
        "ends_at": room.clock.round_ends_at if is_running else 0,
        "left_ms": left_ms or 0,
        "last_hand": last_hand,
    }


def _last_hand_state(room: Room) -> str:
    """Return "next" if the next hand is the last of the game, "now" if it is being played,
    otherwise ""."""
    table = room.table
    if not table.last_hand:
        return ""
    return "next" if table.hands_dealt < table.last_hand else "now"


def _encode_legal(seen: Table, seat: int) -> list[EncodedAction]:
    return shorten(choices(seen, seat), seen.hands[seat].tiles, _own_drawn(seen, seat))


def _own_drawn(seen: Table, seat: int) -> int:
    return seen.drawn if seen.turn == seat else NO_TILE


def _clock(room: Room, seat: int) -> dict[str, int] | None:
    """Return the seat's time for the open question in short form, without values that the client
    computes from `time_control`. None if the seat has no deadline."""
    clock, settings = room.clock, room.meta.clock
    ends = deadline(settings, clock, room.table.phase, seat)
    asked_at = clock.asked_at[seat]
    if ends is None or asked_at == NOT_ASKED:
        return None
    short = {"asked_at": asked_at}
    bank_ms = clock.bank[seat]
    if ends != asked_at + settings.base_ms + bank_ms:
        short["deadline"] = ends
    elif bank_ms != settings.bank_ms:
        short["bank_ms"] = bank_ms
    return short


def _turn_at(room: Room) -> int:
    """Return when (ms) the base time of the seat on turn starts; 0 if nobody is on turn or no clock
    runs."""
    is_stopped = room.meta.clock.is_unlimited or room.clock.paused_at
    return 0 if is_stopped else room.clock.turn_at


def encode_ack(cid: str) -> str:
    """Return the frame that confirms the action `cid`."""
    return _json_text({"t": "ack", "cid": cid})


def encode_stale(cid: str, step: int) -> str:
    """Return the frame that says that action `cid` answered an old question; `step` is the open
    one."""
    return _json_text({"t": "stale", "cid": cid, "q": step})


def encode_error(code: str, text: str, cid: str | None = None, *, reason: str = "") -> str:
    """Return the frame of a refusal. `reason` is the code that the engine gave."""
    frame = {"t": "error", "code": code}
    if reason:
        frame["reason"] = reason
    frame["text"] = text
    if cid is not None:
        frame["cid"] = cid
    return _json_text(frame)


def encode_pong(at: int) -> str:
    """Return the answer to a ping that was sent at `at` by the client's clock."""
    return _json_text({"t": "pong", "at": at, "now": now_ms()})


def encode_seat_sockets(count: int) -> str:
    """Return the frame that tells a player how many sockets they have open at this seat."""
    return _json_text({"t": "seat_sockets", "count": count})


def encode_absent_players(absent: Sequence[bool]) -> str:
    """Return the frame that says for each seat whether its player is absent."""
    return _json_text({"t": "absent", "seats": absent})


def line_id(line: StoredLine) -> str:
    """Return the id that clients use for the line of chat."""
    return f"{line.stream[0]}{line.id}"


def encode_chat(lines: Sequence[StoredLine], *, is_all: bool) -> str:
    """Return a frame with lines of chat. `is_all`: they replace the lines that the client has;
    otherwise they are added."""
    written = [
        {
            "id": line_id(line),
            "at": line.message.at,
            "who": line.message.person,
            "name": line.message.name,
            "seat": line.message.seat if is_seat(line.message.seat) else None,
            "text": line.message.text,
            "phrase": line.message.phrase,
        }
        for line in lines
    ]
    return _json_text({"t": "chat", "all": is_all, "lines": written})


def encode_reported(line: str) -> str:
    """Return the frame that confirms a report of a line of chat."""
    return _json_text({"t": "reported", "line": line})


def encode_spectators(count: int) -> str:
    """Return the frame with the number of the table's spectators."""
    return _json_text({"t": "spectators", "count": count})


def _json_text(value: Any) -> str:
    return _encoder.encode(value).decode()
