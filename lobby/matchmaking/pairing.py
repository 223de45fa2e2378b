"""Decides which waiting players play together. Pure: no Redis, no clock, no randomness.

The player who has waited longest is matched first, with the three nearest by rating within the
allowed gap, which grows with the wait. Players who accept bots after their wait play with bots and
with others who accept them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SEATS: Final = 4
INITIAL_GAP: Final = 100
GAP_GROWTH_PER_S: Final = 10
UNLIMITED_AFTER_MS: Final = 90_000
UNLIMITED_GAP: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class WaitingPlayer:
    """A player in a queue. Times are in milliseconds."""

    person: str
    rating: int
    since: int
    bots_after: int | None = None
    """The wait after which they accept bots. None: never."""


@dataclass(frozen=True, slots=True)
class Party:
    """Players of one table, the longest wait first. Bots take the other seats."""

    people: tuple[WaitingPlayer, ...]

    @property
    def bots(self) -> int:
        return SEATS - len(self.people)


def allowed_gap(waited_ms: int) -> int:
    """Return the largest difference of ratings after that wait."""
    if waited_ms >= UNLIMITED_AFTER_MS:
        return UNLIMITED_GAP
    return INITIAL_GAP + GAP_GROWTH_PER_S * max(0, waited_ms) // 1000


def make_parties(queue: Sequence[WaitingPlayer], now: int) -> list[Party]:
    """Return the parties that can start now. Each player is in one at most."""
    left = sorted(queue, key=lambda one: (one.since, one.person))
    found = list[Party]()
    for is_for_bots in (False, True):
        for first in list(left):
            if first not in left:
                continue
            if is_for_bots and not _accepts_bots(first, now):
                continue
            others = _pick_nearest(
                first, [one for one in left if one is not first], now, is_for_bots
            )
            if len(others) < SEATS - 1 and not is_for_bots:
                continue
            found.append(Party((first, *sorted(others, key=lambda one: (one.since, one.person)))))
            left = [one for one in left if one is not first and one not in others]
    return found


def _pick_nearest(
    first: WaitingPlayer, others: Sequence[WaitingPlayer], now: int, is_for_bots: bool
) -> list[WaitingPlayer]:
    """Return the nearest players within the gap of the first, three at most."""
    near = [
        one
        for one in others
        if abs(one.rating - first.rating) <= allowed_gap(now - first.since)
        and (not is_for_bots or _accepts_bots(one, now))
    ]
    near.sort(key=lambda one: (abs(one.rating - first.rating), one.since, one.person))
    return near[: SEATS - 1]


def _accepts_bots(one: WaitingPlayer, now: int) -> bool:
    return one.bots_after is not None and now - one.since >= one.bots_after
