"""Expands the short forms of `docs/protocol.md` as a client does.

Imports nothing of the project: a client knows only the page and what it was sent.
"""

from __future__ import annotations

from typing import Any, Final

VERSION: Final = 3
"""The version of the protocol that the clients of the tests speak."""

_ANY_TILE: Final = ("dahai", "reach")


def with_version(url: str) -> str:
    """Return the address of a table's socket with the version of the protocol."""
    return f"{url}?v={VERSION}"


def full_event(event: dict[str, Any] | list[Any]) -> dict[str, Any]:
    """Return an event of a frame as an object with all its keys."""
    if isinstance(event, dict):
        return event
    kind, actor, *details = event
    return {
        "type": kind,
        "actor": actor,
        "pai": details[0] if details else "?",
        "rinshan" if kind == "tsumo" else "tsumogiri": len(details) == 2 and details[1],
    }


def full_legal(
    legal: list[dict[str, Any]], tiles: list[str], drawn: str | None
) -> list[dict[str, Any]]:
    """Return the legal actions one by one; `tiles` and `drawn` are the reader's own."""
    actions = list[dict[str, Any]]()
    for item in legal:
        if item["type"] not in _ANY_TILE or "pai" in item:
            actions.append(item)
            continue
        every = [(tile, False) for tile in dict.fromkeys(tiles)]
        every += [] if drawn is None else [(drawn, True)]
        actions += [
            {"type": item["type"], "pai": tile, "tsumogiri": is_drawn}
            for tile, is_drawn in every
            if tile not in item.get("but", ())
        ]
    return actions


def full_legal_of(frame: dict[str, Any], view: dict[str, Any], you: int | None) -> Any:
    """Return the legal actions of a frame, one by one; `view` is the table after its events."""
    if you is None:
        return frame.get("legal", [])
    drawn = view["drawn"] if view["turn"] == you else None
    return full_legal(frame.get("legal", []), view["hands"][you]["tiles"], drawn)


def full_clock(clock: dict[str, int] | None, control: dict[str, int]) -> dict[str, int] | None:
    """Return the reader's clock with all its keys; `control` is `time_control` of the `sync`."""
    if clock is None:
        return None
    full = {"base_ms": control["base_ms"], "bank_ms": control["bank_ms"], **clock}
    full.setdefault("deadline", full["asked_at"] + full["base_ms"] + full["bank_ms"])
    return full
