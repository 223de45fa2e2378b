"""Limits what one socket may send, with token buckets. Time is passed in."""

from __future__ import annotations

from typing import Final

MAX_FRAME_BYTES: Final = 16 * 1024
MAX_UNSEEN_EVENTS: Final = 400
"""The most events without an acknowledgement. A hand has about 150 events, and a client pings at
least every 20 seconds."""
SYNC_COSTS: Final = 4
"""The number of tokens for a message whose answer is the whole table, some kilobytes."""


class Bucket:
    """A token bucket: holds up to `capacity` tokens and gains `per_second` each second. `now` is in
    seconds on any monotonic clock."""

    __slots__ = ("_at", "_capacity", "_per_second", "_tokens")

    def __init__(self, capacity: float, per_second: float, now: float) -> None:
        self._capacity = capacity
        self._per_second = per_second
        self._tokens = capacity
        self._at = now

    def take(self, now: float, tokens: int = 1) -> bool:
        """Take that many tokens. Return False and take none if there are fewer."""
        gained = max(0.0, now - self._at) * self._per_second
        self._tokens = min(self._capacity, self._tokens + gained)
        self._at = now
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True


def message_bucket(now: float) -> Bucket:
    """Return the bucket for all frames of a socket. A player sends at most one a second; the burst
    is for a page that reconnects and resends."""
    return Bucket(20, 8, now)


def wrong_message_bucket(now: float) -> Bucket:
    """Return the bucket for wrong frames. A current client sends none, an older one a few."""
    return Bucket(5, 0.1, now)
