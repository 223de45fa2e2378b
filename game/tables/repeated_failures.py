"""Warns the operator about periodic tasks that keep failing.

A single failure is normal while Redis or the database cannot be used. After a minute of failures
the log gets a warning and a metric counts the task; nobody would notice such a task otherwise.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from game.tables import metrics

log = logging.getLogger(__name__)

WARN_AFTER_S: Final = 60.0
"""How long a task fails before this is told, and the time between two warnings."""


class RepeatedFailures:
    """The tasks of one loop that have failed every time since their last success."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since: dict[str, float] = {}
        self._told_at: dict[str, float] = {}

    def note_success(self, task: str) -> None:
        since = self._since.pop(task, None)
        if since is not None and self._told_at.pop(task, None) is not None:
            metrics.FAILING_TASKS.dec()
            log.warning("%s works again after %.0f s", task, self._now() - since)

    def note_failure(self, task: str, error: Exception) -> None:
        now = self._now()
        since = self._since.setdefault(task, now)
        if now - self._told_at.get(task, since) >= WARN_AFTER_S:
            if task not in self._told_at:
                metrics.FAILING_TASKS.inc()
            self._told_at[task] = now
            log.warning("%s has failed for %.0f s: %s", task, now - since, error)
