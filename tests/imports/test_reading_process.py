"""The process that reads a record has limits and knows nothing of the site."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from game.imports import reading
from game.imports.imported_game import AcceptedRecord, RefusedRecord
from game.imports.reading import read_in_process
from tests.kit.processes import wait_until

ROOT = Path(__file__).parent.parent.parent
MJLOG = (ROOT / "tests" / "records" / "fixtures" / "own.mjlog").read_bytes()


def test_record_is_read_in_a_process() -> None:
    assert isinstance(read_in_process(MJLOG), AcceptedRecord)


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


def test_slow_process_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "TIMEOUT_S", 0.01)
    assert read_in_process(MJLOG) == RefusedRecord("too_costly")


def test_too_many_records_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, at_work = threading.Event(), threading.Semaphore(0)

    def read(raw: bytes) -> RefusedRecord:
        at_work.release()
        assert gate.wait(60)
        return RefusedRecord("damaged")

    monkeypatch.setattr(reading, "_run_reading_process", read)
    count = reading.MAX_PROCESSES + reading.MAX_WAITING
    with ThreadPoolExecutor(count) as threads:
        answers = [threads.submit(read_in_process, MJLOG) for _ in range(count)]
        try:
            for _ in range(reading.MAX_PROCESSES):
                assert at_work.acquire(timeout=60)
            wait_until(lambda: len(reading._unfinished) == count, within_s=60, what="all wait")
            assert not at_work.acquire(blocking=False), "no more are read at once"
            with pytest.raises(reading.TooBusy):
                read_in_process(MJLOG)
        finally:
            gate.set()
        assert {answer.result() for answer in answers} == {RefusedRecord("damaged")}


LIMITS = """
import resource, sys
from game.imports import reading_process
if sys.argv[1] == "time":
    reading_process._LIMITS[resource.RLIMIT_CPU] = 1  # less to wait for
reading_process._set_limits()
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
