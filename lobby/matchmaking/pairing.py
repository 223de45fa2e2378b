"""Who plays with whom. Pure: no Redis, no clock, no chance.

Whoever has waited longest chooses first: the three nearest by rating, of those who are near
enough. How near that is widens while they wait, until anybody will do. Who is still left when
their own wait for people is over plays with bots, and with others of whom that is true.
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
    """Somebody in a queue. Times are milliseconds."""

    person: str
    rating: int
    since: int
    bots_after: int | None = None
    """How long they wait for people before they play with bots; None: for ever."""


@dataclass(frozen=True, slots=True)
class Party:
    """Those who are to play together, the longest wait first. Bots take the other seats."""

    people: tuple[WaitingPlayer, ...]

    @property
    def bots(self) -> int:
        return SEATS - len(self.people)


def allowed_gap(waited_ms: int) -> int:
    """How far apart in rating somebody may be who has waited so long."""
    if waited_ms >= UNLIMITED_AFTER_MS:
        return UNLIMITED_GAP
    return INITIAL_GAP + GAP_GROWTH_PER_S * max(0, waited_ms) // 1000


def make_parties(queue: Sequence[WaitingPlayer], now: int) -> list[Party]:
    """Everybody who can begin now, each once. Who is in none goes on waiting."""
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
    """Up to three who are near enough to the first, the nearest of them."""
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
