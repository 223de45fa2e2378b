"""Lets commits wait until replicas have them (`REDIS_WAIT_REPLICAS`).

Owns Redis' command `WAIT` and its time limits. `WAIT` counts the writes of its own connection, so
it is the last command of each batch of commits.
"""

from __future__ import annotations

import logging
import time
from typing import Any, Final

from game.redis.clients import Redis
from game.redis.pipeline import Command, Pipeline
from game.tables import metrics

log = logging.getLogger(__name__)

WAIT_MS: Final = 1_000
"""The longest time for which a batch of commits waits for replicas."""
GIVE_UP_AFTER_S: Final = 4.0
"""How long all waits at a node may fail. After that, commits there no longer wait: a lost replica
must not delay every move."""
RETRY_AFTER_S: Final = 5.0
"""The time after which commits at such a node wait again."""


class ReplicatedCommits(Pipeline):
    """Sends batches of commits and returns their replies when enough replicas have them.

    If the wait fails, the commits stay, and `mahjong_unreplicated_commits_total` counts them.
    """

    def __init__(self, redis: Redis, replicas: int) -> None:
        super().__init__(redis)
        self._replicas = replicas
        self._failing_since: dict[object, float] = {}
        """By node, when the first of the failed waits began."""
        self._waits_since: dict[object, float] = {}
        """By node, when the wait of the batch under way began."""
        self._retry_at: dict[object, float] = {}
        """By node, when commits wait for replicas again."""

    def _prepare(self, owner: object, commands: list[Command]) -> list[Command]:
        now = time.monotonic()
        if now < self._retry_at.get(owner, now):
            return commands
        self._waits_since[owner] = now
        return [*commands, ("WAIT", self._replicas, WAIT_MS)]

    def _examine(self, owner: object, answers: list[Any]) -> list[Any]:
        began = self._waits_since.pop(owner, None)
        if began is not None:
            *answers, having = answers
            if isinstance(having, int) and having >= self._replicas:
                self._note_success(owner)
                return answers
            self._note_failure(owner, began)
        metrics.UNREPLICATED.inc(sum(_is_appended(answer) for answer in answers))
        return answers

    def _note_success(self, node: object) -> None:
        self._retry_at.pop(node, None)
        if self._failing_since.pop(node, None) is not None:
            log.warning("commits%s reach replicas in time again", _node_suffix(node))

    def _note_failure(self, node: object, began: float) -> None:
        if node not in self._failing_since:
            log.warning(
                "commits%s did not reach %d replica(s) in time", _node_suffix(node), self._replicas
            )
        now = time.monotonic()
        if now - self._failing_since.setdefault(node, began) >= GIVE_UP_AFTER_S:
            self._retry_at[node] = now + RETRY_AFTER_S


def _node_suffix(node: Any) -> str:
    return "" if node is None else f" at {node[0]}:{node[1]}"


def _is_appended(answer: Any) -> bool:
    return isinstance(answer, list) and answer[:1] == [1]
