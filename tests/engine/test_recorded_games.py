"""The engine replays games recorded elsewhere with the same draws, indicators, yaku, payments,
aborts and rankings. The tests are skipped without the records."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from game.records.reading import record_paths
from game.records.validate import validate_file

RECORDS: Final = Path(__file__).resolve().parents[3] / "shared" / "records"
FILES: Final = list(record_paths([RECORDS])) if RECORDS.is_dir() else []

EXPLAINED: Final = {
    "2026-06-18-160903.mjson": "hand 5 is not played to its end: the record stops with an error",
    "2026-06-19-030401.mjson": "hand 3 is not played to its end: the record stops with an error",
    "confusing_nakis_1.json": "hand 0: the record's payments leave the riichi sticks out",
    "confusing_nakis_2.json": "hand 0 is not played to its end: the record's result contradicts",
}
"""The notes of the records about hands that cannot be compared completely."""

pytestmark = pytest.mark.skipif(not FILES, reason=f"no recorded games in {RECORDS}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:24])
def test_recorded_game_is_replayed_without_difference(path: Path) -> None:
    report = validate_file(path)
    assert not report.differences, report.differences[0]
    assert not report.faults, report.faults
    assert not report.unsupported
    assert report.hands
    if path.name in EXPLAINED:
        (note,) = report.notes
        assert note.startswith(EXPLAINED[path.name])
    else:
        assert not report.notes
        assert all(hand.outcome for hand in report.hands)
