"""Prometheus metrics of the tables of this process.

No label names a table or a person.
"""

from __future__ import annotations

import time
from typing import Final

from prometheus_client import Counter, Gauge, Histogram

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

COMMITS: Final = Counter("mahjong_commits", "Commits appended to tables by this process.")
CONFLICTS: Final = Counter(
    "mahjong_conflicts", "Appends that failed because another process was faster."
)
ANSWERS: Final = Counter("mahjong_answers", "Answers of players, by outcome.", ["ended"])
UNREPLICATED: Final = Counter(
    "mahjong_unreplicated_commits",
    "Commits that fewer replicas had in time than REDIS_WAIT_REPLICAS asks for.",
)
FROZEN: Final = Counter("mahjong_frozen", "Tables frozen after a fault of the program.")
CLAIM_AGE_S: Final = Gauge(
    "mahjong_worker_claim_age_seconds",
    "Since this worker last claimed due tables or found none, in a cluster at the slowest master.",
)
HEARTBEAT_AGE_S: Final = Gauge(
    "mahjong_heartbeat_age_seconds",
    "Since this process last wrote its heartbeat into Redis, in a cluster into each master.",
)
FAILING_TASKS: Final = Gauge(
    "mahjong_failing_tasks",
    "Periodic tasks of this process that have failed each time for a minute.",
)
SEATS: Final = Gauge("mahjong_seats", "Seats whose players have a socket in this process.")
COMMITTED_S: Final = Histogram(
    "mahjong_action_committed_seconds",
    "From a player's action to its commit.",
    buckets=_BUCKETS,
)
DELIVERED_S: Final = Histogram(
    "mahjong_commit_delivered_seconds",
    "From a commit's own time to its frames being handed to the sockets of this process.",
    buckets=_BUCKETS,
)
LAG_S: Final = Histogram(
    "mahjong_worker_lag_seconds",
    "How late the most overdue table of each claim was when this worker took it.",
    buckets=_BUCKETS,
)
LOOP_LAG_S: Final = Gauge(
    "mahjong_loop_lag_seconds",
    "How late this process usually ran what was due, in the last five seconds.",
)
NOTIFICATION_AGE_S: Final = Gauge(
    "mahjong_notification_age_seconds",
    "Since the last message from Redis to this process. One comes every quarter of a second.",
)
UNNOTIFIED: Final = Counter(
    "mahjong_unnotified_steps",
    "Steps of tables that this process found in Redis without a notification.",
)
DONE: Final = ANSWERS.labels("done")
STALE: Final = ANSWERS.labels("stale")
REFUSED: Final = ANSWERS.labels("refused")


def observe_delivery(committed_at_ms: int) -> None:
    """Record the delay from a commit at that time (ms) until now, when its frames are handed to the
    sockets. A commit dated in the future counts as no delay."""
    DELIVERED_S.observe(max(0.0, time.time() - committed_at_ms / 1000))
