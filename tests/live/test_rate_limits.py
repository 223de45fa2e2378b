"""The token bucket, with the time given as numbers."""

from __future__ import annotations

from game.live.rate_limits import Bucket


def test_a_burst_is_allowed_and_then_no_more() -> None:
    bucket = Bucket(capacity=3, per_second=1, now=0.0)
    assert [bucket.take(0.0) for _ in range(5)] == [True, True, True, False, False]


def test_tokens_refill_up_to_the_capacity() -> None:
    bucket = Bucket(capacity=3, per_second=2, now=0.0)
    for _ in range(3):
        bucket.take(0.0)
    assert bucket.take(0.5)
    assert not bucket.take(0.6)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]


def test_clock_stepping_back_adds_no_tokens() -> None:
    bucket = Bucket(capacity=1, per_second=1, now=10.0)
    assert bucket.take(10.0)
    assert not bucket.take(5.0)
    assert bucket.take(6.5)
