"""Decides which waiting players play together. Pure: no Redis, no clock, no randomness.

The player who has waited longest is matched first, with the three nearest by rating within the
allowed gap, which grows with the wait. Players who accept bots after their wait play with bots and
with others who accept them. Players with one address or browser never meet. Pairs that have met
often today are chosen last, and only when the first of them has waited for 90 seconds.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Literal, Protocol, TypeVar

import msgspec

from lobby.matchmaking.origins import Origin

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
    origin: Origin = Origin()


class Waiting(Protocol):
    """Somebody who waits: a player or a bot."""

    @property
    def person(self) -> str: ...
    @property
    def since(self) -> int: ...
    @property
    def origin(self) -> Origin: ...


W = TypeVar("W", bound=Waiting)
Pairs = Collection[frozenset[str]]
"""Pairs of people."""


def fill_table(first: W, others: Sequence[W], now: int, often: Pairs) -> list[W]:
    """Return who plays with the first: the earliest of the `others` that may meet, three at most.
    Those who have met somebody there `often` come last, if the first has waited long enough."""
    party = [first]
    for allows_often in (False, True)[: 1 + (now - first.since >= UNLIMITED_AFTER_MS)]:
        for other in others:
            if len(party) < SEATS and not any(
                other is seated
                or other.origin.shares(seated.origin)
                or (not allows_often and frozenset((other.person, seated.person)) in often)
                for seated in party
            ):
                party.append(other)
    return party[1:]


def reason_to_wait(
    own: Ticket, queue: Sequence[Ticket], now: int, often: Pairs
) -> Literal["", "origin", "often"]:
    """Return why the player is not paired with somebody who waits: they share an address or
    browser, or have met often. '' if neither holds anybody back."""
    others = [ticket for ticket in queue if ticket.person != own.person]
    if any(own.origin.shares(other.origin) for other in others):
        return "origin"
    has_waited = now - own.since >= UNLIMITED_AFTER_MS
    met = any(frozenset((own.person, other.person)) in often for other in others)
    return "often" if met and not has_waited else ""


def allowed_gap(waited_ms: int) -> int:
    """Return the largest difference of ratings after that wait."""
    if waited_ms >= UNLIMITED_AFTER_MS:
        return UNLIMITED_GAP
    return INITIAL_GAP + GAP_GROWTH_PER_S * max(0, waited_ms) // 1000


def make_parties(
    queue: Sequence[Ticket], now: int, often: Pairs = frozenset()
) -> list[tuple[Ticket, ...]]:
    """Return the players of each table that can start now, the longest wait first. Bots take the
    other seats. Each player is in one party at most."""
    left = sorted(queue, key=_order)
    found = list[tuple[Ticket, ...]]()
    for with_bots in (False, True):
        for first in list(left):
            if first not in left or (with_bots and not _accepts_bots(first, now)):
                continue
            others = _pick_nearest(
                first, [ticket for ticket in left if ticket is not first], now, with_bots, often
            )
            if with_bots or len(others) == SEATS - 1:
                found.append((first, *sorted(others, key=_order)))
                left = [ticket for ticket in left if ticket is not first and ticket not in others]
    return found


def _order(ticket: Ticket) -> tuple[int, str]:
    return ticket.since, ticket.person


def _pick_nearest(
    first: Ticket, others: Sequence[Ticket], now: int, with_bots: bool, often: Pairs
) -> list[Ticket]:
    """Return the nearest players within the gap of the first, three at most, that may meet."""
    near = [
        other
        for other in others
        if abs(other.rating - first.rating) <= allowed_gap(now - first.since)
        and (not with_bots or _accepts_bots(other, now))
    ]
    near.sort(key=lambda ticket: (abs(ticket.rating - first.rating), _order(ticket)))
    return fill_table(first, near, now, often)


def _accepts_bots(ticket: Ticket, now: int) -> bool:
    return ticket.bots_after_s is not None and now - ticket.since >= 1000 * ticket.bots_after_s
