"""Reads untrusted records in separate processes, a few at a time."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from threading import BoundedSemaphore
from typing import Final

import msgspec
from django.conf import settings

from game.imports.imported_game import AcceptedRecord, RefusedRecord

log = logging.getLogger(__name__)

MAX_PROCESSES: Final = 2
"""Processes of one web server."""
MAX_WAITING: Final = 6
"""Records that wait in the memory of one web server for a process."""
TIMEOUT_S: Final = 20.0
"""A process is killed after this time, even if it has not used up its CPU time."""
_LIMIT_EXIT_CODES: Final = (-signal.SIGKILL, -signal.SIGXCPU)
_MODULE: Final = "game.imports.reading_process"

_process_slots: Final = BoundedSemaphore(MAX_PROCESSES)
_decoder: Final = msgspec.msgpack.Decoder(AcceptedRecord | RefusedRecord)
_unfinished: set[object] = set()
"""One entry for each record that is being read or waits."""


class TooBusy(Exception):
    """Too many records are waiting to be read."""


def read_in_process(raw: bytes) -> AcceptedRecord | RefusedRecord:
    """Return what `imported_game.read_record` returns for these bytes. Raises TooBusy."""
    if not raw.strip():
        return RefusedRecord("empty")
    if len(_unfinished) >= MAX_PROCESSES + MAX_WAITING:
        raise TooBusy
    entry = object()
    _unfinished.add(entry)
    try:
        with _process_slots:
            return _run_reading_process(raw)
    finally:
        _unfinished.discard(entry)


def _run_reading_process(raw: bytes) -> AcceptedRecord | RefusedRecord:
    try:
        process = subprocess.run(
            [sys.executable, "-m", _MODULE],
            input=raw,
            capture_output=True,
            timeout=TIMEOUT_S,
            cwd=settings.BASE_DIR,
            env={"PATH": os.defpath, "PYTHONUTF8": "1"},
            check=False,
        )
    except subprocess.TimeoutExpired:
        log.warning("a record was not read within %d s", TIMEOUT_S)
        return RefusedRecord("too_costly")
    if process.stderr.strip():
        log.warning("a record was not read: %s", process.stderr.decode("utf-8", "replace")[-2_000:])
    if process.returncode in _LIMIT_EXIT_CODES:
        return RefusedRecord("too_costly")
    if process.returncode:
        raise RuntimeError(f"{_MODULE} ended with {process.returncode}")
    outcome: AcceptedRecord | RefusedRecord = _decoder.decode(process.stdout)
    return outcome
