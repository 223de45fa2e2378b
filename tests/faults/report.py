"""The figures and errors of a run of faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass
class FaultReport:
    """Counts over a whole run."""

    faults: Counter[str] = field(default_factory=Counter)
    """The number of faults by kind."""
    notifications: Counter[str] = field(default_factory=Counter)
    """Notifications that were dropped, doubled or reordered, by fault."""
    tables: int = 0
    archived: int = 0
    actions: int = 0
    """Actions of players that are in the logs of their tables."""
    norths: int = 0
    """Norths that were set aside at tables of three."""
    commits: int = 0
    compared: int = 0
    """Views of players and spectators that were compared with the log."""
    connections: int = 0
    recovery_s: dict[str, float] = field(default_factory=dict)
    """By kind of fault, the longest time from its end until all tables had continued."""
    slowest_ms: int = 0
    """The longest time from the start of a player's clock until the player saw the question."""
    unjudged: int = 0
    """Games whose times are not checked, because the test process stalled during them."""
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    lost_time: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)

    @property
    def errors(self) -> list[str]:
        """Return all errors that were found."""
        return [*self.lost, *self.doubled, *self.lost_time, *self.other]

    def record_recovery(self, kinds: Iterable[str], seconds: float) -> None:
        """Record the time until all tables continued after these faults, which were injected
        together."""
        for kind in kinds:
            self.recovery_s[kind] = max(seconds, self.recovery_s.get(kind, 0.0))

    def summary(self) -> str:
        return (
            f"{self.faults.total()} faults of {len(self.faults)} kinds, {self.tables} tables,"
            f" {self.actions} actions, {self.archived} games archived,"
            f" {self.compared} views compared:"
            f" {len(self.lost)} lost, {len(self.doubled)} doubled,"
            f" {len(self.lost_time)} times late because of the server"
        )

    def to_lines(self) -> Iterator[str]:
        """Write the whole report as lines of text."""
        yield self.summary()
        yield (
            f"{self.commits} commits, {self.norths} norths set aside,"
            f" {self.connections} connections of players and spectators"
        )
        yield f"{self.unjudged} games not checked for time, because the test process stalled"
        changed = ", ".join(f"{count} {how}" for how, count in sorted(self.notifications.items()))
        yield f"notifications: {changed or 'unchanged'}; slowest question {self.slowest_ms} ms"
        for kind, count in sorted(self.faults.items()):
            slowest = self.recovery_s.get(kind, 0.0)
            yield f"  {kind:<34} {count:>4} times, all tables going on within {slowest:5.1f} s"
        for error in self.errors:
            yield f"  FOUND {error}"
