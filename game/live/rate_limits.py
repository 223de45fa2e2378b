"""How much one socket may ask for: token buckets. Time comes in as an argument."""

from __future__ import annotations

from typing import Final

MAX_FRAME_BYTES: Final = 16 * 1024
MAX_UNSEEN_EVENTS: Final = 400
"""Events on their way to a reader who does not say that it has seen them. A hand has about
a hundred and fifty, and a client pings at least every twenty seconds."""
PICTURE_COSTS: Final = 4
"""Tokens for a message that is answered by the whole table, some kilobytes."""


class Bucket:
    """Holds up to `capacity` tokens and gains `per_second`; whoever finds it empty is too
    fast. `now` is in seconds, on any clock that only goes forward."""

    __slots__ = ("_at", "_capacity", "_per_second", "_tokens")

    def __init__(self, capacity: float, per_second: float, now: float) -> None:
        self._capacity = capacity
        self._per_second = per_second
        self._tokens = capacity
        self._at = now

    def take(self, now: float, tokens: int = 1) -> bool:
        """Take that many tokens. False, and none taken, if there are fewer."""
        gained = max(0.0, now - self._at) * self._per_second
        self._tokens = min(self._capacity, self._tokens + gained)
        self._at = now
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True


def message_bucket(now: float) -> Bucket:
    """For every frame of a socket. A person at a table sends one a second at most; the
    burst is for a page that comes back with its resends."""
    return Bucket(20, 8, now)


def wrong_message_bucket(now: float) -> Bucket:
    """For frames that make no sense. An honest client sends none, an old one a few."""
    return Bucket(5, 0.1, now)
