"""The frames of the socket of bots that are not mjai events. `docs/bots.md` describes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from game.engine.clock import deadline
from game.tables.room import Room

Status = Literal["accepted", "rejected", "unparseable", "stale", "defaulted"]
_encoder: Final = msgspec.json.Encoder()


def encode(frame: dict[str, Any]) -> str:
    """Return the frame as JSON."""
    return _encoder.encode(frame).decode()


def ack(request_id: int | None, status: Status, text: str = "", **more: Any) -> dict[str, Any]:
    """Return the frame that acknowledges an answer of the bot. `request_id` is None if the answer
    names no request; `more` is added to the frame."""
    frame: dict[str, Any] = {"type": "action_ack", "request_id": request_id, "status": status}
    if text:
        frame["message"] = text
    return frame | more


def request_action(
    request_id: int, options: Sequence[dict[str, Any]], time: dict[str, int]
) -> dict[str, Any]:
    """Return the question to a bot."""
    return {
        "type": "request_action",
        "request_id": request_id,
        "possible_actions": list(options),
        "time": time,
    }


def time_left(room: Room, seat: int, now: int) -> dict[str, int]:
    """Return the time of the seat's open question, in ms: `grace_ms` for each decision
    (`ClockSettings.base_ms`), `bank_ms` in the bank, `deadline_ms` until both are over. Empty at a
    table without a clock."""
    ends = deadline(room.meta.clock, room.clock, room.table.phase, seat)
    if ends is None:
        return {}
    return {
        "grace_ms": room.meta.clock.base_ms,
        "bank_ms": room.clock.bank[seat],
        "deadline_ms": max(0, ends - now),
    }
