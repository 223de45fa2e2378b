"""Measures the traffic of a Redis by its own counters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

import redis


@dataclass
class Traffic:
    """The traffic of all clients of a Redis together, in numbers of commands and bytes."""

    commands: int = 0
    bytes_to_redis: int = 0
    bytes_from_redis: int = 0

    def add(self, other: Traffic) -> None:
        self.commands += other.commands
        self.bytes_to_redis += other.bytes_to_redis
        self.bytes_from_redis += other.bytes_from_redis


class Meter:
    """Measures the traffic of one Redis, without its own commands."""

    def __init__(self, url: str) -> None:
        self._connection = redis.Redis.from_url(url)
        self._read_counters()
        first, second = self._read_counters(), self._read_counters()
        self._own = [after - before for before, after in zip(first, second, strict=True)]

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def measure_into(self, into: Traffic) -> Iterator[None]:
        """Add the traffic during the `with` block to `into`."""
        before = self._read_counters()
        yield
        parts = zip(before, self._read_counters(), self._own, strict=True)
        into.add(Traffic(*(after - first - own for first, after, own in parts)))

    def _read_counters(self) -> list[int]:
        stats = cast("dict[str, int]", self._connection.info("stats"))
        names = ("total_commands_processed", "total_net_input_bytes", "total_net_output_bytes")
        return [stats[name] for name in names]
