"""Decides which waiting players play together. Pure: no Redis, no clock, no randomness.

The player who has waited longest is matched first, with the three nearest by rating within the
allowed gap, which grows with the wait. Players who accept bots after their wait play with bots and
with others who accept them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

SEATS: Final = 4
INITIAL_GAP: Final = 100
GAP_GROWTH_PER_S: Final = 10
UNLIMITED_AFTER_MS: Final = 90_000
UNLIMITED_GAP: Final = 1_000_000


class Ticket(msgspec.Struct, frozen=True):
    """A waiting player. `since` is in milliseconds."""

    id: str
    person: str
    name: str
    rating: int
    since: int
    bots_after_s: int | None = None
    """The time after which the player accepts bots; None for never."""


def allowed_gap(waited_ms: int) -> int:
    """Return the largest difference of ratings after that wait."""
    if waited_ms >= UNLIMITED_AFTER_MS:
        return UNLIMITED_GAP
    return INITIAL_GAP + GAP_GROWTH_PER_S * max(0, waited_ms) // 1000


def make_parties(queue: Sequence[Ticket], now: int) -> list[tuple[Ticket, ...]]:
    """Return the players of each table that can start now, the longest wait first. Bots take the
    other seats. Each player is in one party at most."""
    left = sorted(queue, key=_order)
    found = list[tuple[Ticket, ...]]()
    for with_bots in (False, True):
        for first in list(left):
            if first not in left or (with_bots and not _accepts_bots(first, now)):
                continue
            others = _pick_nearest(
                first, [ticket for ticket in left if ticket is not first], now, with_bots
            )
            if with_bots or len(others) == SEATS - 1:
                found.append((first, *sorted(others, key=_order)))
                left = [ticket for ticket in left if ticket is not first and ticket not in others]
    return found


def _order(ticket: Ticket) -> tuple[int, str]:
    return ticket.since, ticket.person


def _pick_nearest(
    first: Ticket, others: Sequence[Ticket], now: int, with_bots: bool
) -> list[Ticket]:
    """Return the nearest players within the gap of the first, three at most."""
    near = [
        other
        for other in others
        if abs(other.rating - first.rating) <= allowed_gap(now - first.since)
        and (not with_bots or _accepts_bots(other, now))
    ]
    near.sort(key=lambda ticket: (abs(ticket.rating - first.rating), _order(ticket)))
    return near[: SEATS - 1]


def _accepts_bots(ticket: Ticket, now: int) -> bool:
    return ticket.bots_after_s is not None and now - ticket.since >= 1000 * ticket.bots_after_s
