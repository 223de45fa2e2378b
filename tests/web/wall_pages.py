"""A page's part in the draw of the wall, as `docs/protocol.md` describes it."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any, Final, Protocol

Wall = dict[str, Any]

_SIGNED: Final = ("terms", "secret_hash", "key", "signature")

LATE_FOR_THE_WALL: Final = frozenset(
    {"wall_commit_late", "no_wall_draw", "other_wall_draw", "not_in_wall_draw"}
)
"""Reasons of refusals during the draw of the wall. A page that is slow, or reaches a table seconds
after it was opened, or whose server was killed, may miss the draw, or answer a draw that was
restarted without it."""


class WallPage(Protocol):
    """A client of a table that takes part in the draw."""

    seed: int
    you: int | None
    wall: Wall | None


def contribution(page: WallPage, draw: int) -> bytes:
    """Return the page's random bytes for that draw; they stay the same when the page reconnects."""
    return Random(f"{page.seed} {page.you} {draw}").randbytes(32)


def wall_messages(page: WallPage) -> Iterator[dict[str, Any]]:
    """Yield the messages that the page has to send in the present state of the draw."""
    wall, you = page.wall, page.you
    if wall is None or you is None or you not in wall["seats"]:
        return
    data = contribution(page, wall["draw"])
    own = sha256(data).hexdigest()
    if wall["state"] == "commit" and not wall["commitments"][you]:
        yield {"t": "wall_commit", "draw": wall["draw"], "commitment": own}
    is_listed = wall["commitments"][you] == own
    if wall["state"] == "reveal" and is_listed and not wall["contributions"][you]:
        yield {"t": "wall_reveal", "draw": wall["draw"], "contribution": data.hex()}


def fold_wall(wall: Wall | None, event: Any) -> Wall | None:
    """Return the draw after that event."""
    if not isinstance(event, dict):
        return wall
    if event["type"] == "wall_draw":
        none = [""] * 4
        return {
            "draw": event["number"],
            "state": "commit",
            "seats": event["seats"],
            "commitments": none,
            "binding": "",
            "contributions": none,
            "void": 0 if wall is None else wall["void"],
            "left_out": [] if wall is None else wall["left_out"],
            "previous": "" if wall is None else wall["binding"],
            **dict.fromkeys(_SIGNED, ""),
        }
    if wall is None:
        return None
    match event["type"]:
        case "wall_commit":
            row = _replace(wall["commitments"], event["actor"], event["commitment"])
            return wall | {"commitments": row}
        case "wall_bind":
            changes = {name: event[name] for name in ("commitments", "binding", *_SIGNED)}
            return wall | changes | {"state": "reveal"}
        case "wall_reveal":
            row = _replace(wall["contributions"], event["actor"], event["contribution"])
            return wall | {"contributions": row}
        case "wall_void":
            left_out = sorted([*wall["left_out"], *event["left_out"]])
            return wall | {"void": wall["void"] + 1, "left_out": left_out}
        case "wall_seed":
            return wall | {"state": "fixed" if event["pages"] else "none"}
        case _:
            return wall


def _replace(row: list[str], seat: int, value: str) -> list[str]:
    return [*row[:seat], value, *row[seat + 1 :]]
