"""The process that reads a record has limits and knows nothing of the site."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from game.imports import reading
from game.imports.imported_game import AcceptedRecord, RefusedRecord
from game.imports.reading import read_in_process

ROOT = Path(__file__).parent.parent.parent
MJLOG = (ROOT / "tests" / "records" / "fixtures" / "own.mjlog").read_bytes()


async def test_record_is_read_in_a_process() -> None:
    assert isinstance(await read_in_process(MJLOG), AcceptedRecord)


def test_process_needs_no_settings() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "game.imports.reading_process"],
        input=MJLOG,
        capture_output=True,
        cwd=ROOT,
        env={},
        check=True,
    )
    assert not done.stderr
    assert isinstance(
        msgspec.msgpack.decode(done.stdout, type=AcceptedRecord | RefusedRecord), AcceptedRecord
    )


async def test_slow_process_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WITHIN_S", 0.01)
    assert await read_in_process(MJLOG) == RefusedRecord("too_costly")


LIMITS = """
import resource, sys
from game.imports import reading_process
if sys.argv[1] == "time":
    reading_process._LIMITS[resource.RLIMIT_CPU] = 1  # less to wait for
reading_process._limit()
if sys.argv[1] == "memory":
    bytearray(reading_process.MEMORY_BYTES)
while True:
    pass
"""


@pytest.mark.parametrize(("kind", "status"), [("memory", 1), ("time", -24)])
def test_process_limits_its_memory_and_its_time(kind: str, status: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITS, kind],
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode in (status, -9)
    assert (b"MemoryError" in done.stderr) == (kind == "memory")
