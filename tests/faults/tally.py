"""What a run of faults comes to, in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Counted over a whole run."""

    faults: Counter[str] = field(default_factory=Counter)
    """By kind."""
    pokes: Counter[str] = field(default_factory=Counter)
    """Dropped, doubled, put out of order."""
    tables: int = 0
    archived: int = 0
    actions: int = 0
    """Of players, that are in the logs of their tables."""
    commits: int = 0
    compared: int = 0
    """Pictures that players and watchers had, with what the log comes to at their place."""
    connections: int = 0
    recovery_s: dict[str, float] = field(default_factory=dict)
    """By kind of fault, the longest time from its end until every table had gone on."""
    slowest_ms: int = 0
    """From when a player's time began to run until they were shown what they are asked."""
    excused: int = 0
    """Games not judged for time, since the test itself has stood still."""
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    burnt: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)

    @property
    def findings(self) -> list[str]:
        """What should not have been."""
        return [*self.lost, *self.doubled, *self.burnt, *self.other]

    def recovered(self, kinds: Iterable[str], seconds: float) -> None:
        """After these faults at the same time every table has gone on."""
        for kind in kinds:
            self.recovery_s[kind] = max(seconds, self.recovery_s.get(kind, 0.0))

    def in_one_line(self) -> str:
        return (
            f"{self.faults.total()} faults of {len(self.faults)} kinds, {self.tables} tables,"
            f" {self.actions} actions, {self.archived} games archived,"
            f" {self.compared} views compared:"
            f" {len(self.lost)} lost, {len(self.doubled)} doubled,"
            f" {len(self.burnt)} times late by the house's fault"
        )

    def lines(self) -> Iterator[str]:
        """All of it."""
        yield self.in_one_line()
        yield f"{self.commits} commits, {self.connections} connections of players and watchers"
        yield f"{self.excused} games not judged for time, since the test itself had stood still"
        pokes = ", ".join(f"{count} {how}" for how, count in sorted(self.pokes.items()))
        yield f"pokes: {pokes or 'none'}; slowest question {self.slowest_ms} ms"
        for kind, count in sorted(self.faults.items()):
            slowest = self.recovery_s.get(kind, 0.0)
            yield f"  {kind:<34} {count:>4} times, all tables going on within {slowest:5.1f} s"
        for finding in self.findings:
            yield f"  FOUND {finding}"
