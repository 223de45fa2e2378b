"""Summarises a validation run over many files as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from game.records.compare import Difference
from game.records.validate import FileReport, HandReport

OUTCOMES: Final = (
    *("tsumo", "ron", "double ron", "triple ron", "exhaustive", "nagashi", "kyushu_kyuhai"),
    *("sufon_renda", "sucha_riichi", "sukaikan", "sanchaho", "no outcome"),
)
UNKNOWN: Final = {
    "kan_dora": "the record has no kan dora",
    "scores": "the record does not contain all points",
    "ura": "the record does not show the ura dora of every win in riichi",
}
"""What a record leaves out. Unknown values are compared with nothing."""
_RON_OUTCOMES: Final = {2: "double ron", 3: "triple ron"}


class Summary:
    """Counts hands, differences and damage over the reports of files."""

    def __init__(self) -> None:
        self.files = self.hands = self.differences = self.faults = self.notes = 0
        self._formats: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._unsupported: Counter[str] = Counter()
        self._versions: Counter[str] = Counter()
        self._own_rules: Counter[str] = Counter()

    def add(self, report: FileReport) -> None:
        self.files += 1
        self.hands += len(report.hands)
        self.differences += len(report.differences)
        self.faults += len(report.faults)
        self.notes += len(report.notes)
        if report.format:
            self._formats[report.format] += 1
        if report.unsupported:
            self._unsupported[report.unsupported] += 1
        if report.versions:
            self._versions[" and ".join(report.versions)] += 1
        if report.own_rules:
            self._own_rules[report.own_rules] += 1
        self._outcomes.update(_hand_kind(hand) for hand in report.hands)

    @property
    def is_clean(self) -> bool:
        """Whether there is no difference and no damage."""
        return not self.differences and not self.faults

    def lines(self, seconds: float) -> Iterator[str]:
        """Yield the lines of the summary. `seconds` is the duration of the run."""
        kinds = ", ".join([f"{count} {name}" for name, count in sorted(self._formats.items())])
        replayed = sum(self._formats.values())
        yield f"{self.files} files, {replayed} replayed ({kinds or 'none'}), {self.hands} hands"
        for outcome in OUTCOMES:
            if count := self._outcomes[outcome]:
                yield f"  {outcome:<16}{count:>8}"
        for reason, count in sorted(self._unsupported.items()):
            yield f"  not replayed: {count} of them, {reason}"
        for version, count in sorted(self._versions.items()):
            yield f"  agree with {version}: {count}"
        for reason, count in sorted(self._own_rules.items()):
            yield f"  with rules of their own: {count}, {reason}"
        yield (
            f"{self.differences} differences, {self.faults} damaged, "
            f"{self.notes} explained by the record"
        )
        yield f"{replayed / seconds if seconds else 0:.1f} games a second, {seconds:.1f} s"


def report_lines(report: FileReport, *, with_versions: bool = False) -> Iterator[str]:
    """Yield the lines about one file. If `with_versions`, include the versions of the rules that
    agree with it."""
    if with_versions and report.versions:
        yield f"AGREES {report.file}: {' and '.join(report.versions)}"
    yield from (
        f"DIFFERENCE {report.file}, {_difference_text(found)}" for found in report.differences
    )
    if report.own_rules:
        count, first = len(report.own_rule_differences), report.own_rule_differences[0]
        yield (
            f"OWN RULES {report.file}: {report.own_rules}; differs {count} times, "
            f"first in {_difference_text(first)}"
        )
    yield from (f"DAMAGED {report.file}: {fault}" for fault in report.faults)
    yield from (f"EXPLAINED {report.file}: {note}" for note in report.notes)
    for name in sorted(report.unknown):
        yield f"UNKNOWN {report.file}: {UNKNOWN[name]}"
    if report.unsupported:
        yield f"NOT REPLAYED {report.file}: {report.unsupported}"


def _difference_text(found: Difference) -> str:
    event = f", event {found.event}" if found.event >= 0 else ""
    place = f" ({found.place})" if found.place else ""
    return (
        f"hand {found.hand}{event}{place}: {found.what}: ours {found.ours}; theirs {found.theirs}"
    )


def _hand_kind(hand: HandReport) -> str:
    several = _RON_OUTCOMES.get(len(hand.winners))
    return several or hand.outcome or "no outcome"
