"""Reads records of strangers in processes of their own, a few at a time."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec
from django.conf import settings

from game.imports.imported_game import Accepted, Refusal

log = logging.getLogger(__name__)

AT_ONCE: Final = 2
"""Processes of this web server."""
MAX_WAITING: Final = 6
"""Further records that wait in the memory of this web server."""
WITHIN_S: Final = 20.0
"""The process is killed then. On a busy machine that can be before its CPU time is used up."""
_KILLED: Final = (-signal.SIGKILL, -signal.SIGXCPU)
_MODULE: Final = "game.imports.reading_process"

_pool: Final = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="imports")
_decoder: Final = msgspec.msgpack.Decoder(Accepted | Refusal)
_started: set[object] = set()
"""One entry for each record that is read or waits."""


class TooBusy(Exception):
    """Too many records wait already."""


async def read_in_process(raw: bytes) -> Accepted | Refusal:
    """Return what `imported_game.read_record` returns for these bytes. Raises TooBusy."""
    if not raw.strip():
        return Refusal("empty")
    if len(_started) >= AT_ONCE + MAX_WAITING:
        raise TooBusy
    mark = object()
    _started.add(mark)
    try:
        return await asyncio.get_running_loop().run_in_executor(_pool, _read, raw)
    finally:
        _started.discard(mark)


def _read(raw: bytes) -> Accepted | Refusal:
    try:
        process = subprocess.run(
            [sys.executable, "-m", _MODULE],
            input=raw,
            capture_output=True,
            timeout=WITHIN_S,
            cwd=settings.BASE_DIR,
            env={"PATH": os.defpath, "PYTHONUTF8": "1"},
            check=False,
        )
    except subprocess.TimeoutExpired:
        log.warning("a record was not read within %d s", WITHIN_S)
        return Refusal("too_costly")
    if process.stderr.strip():
        log.warning("a record was not read: %s", process.stderr.decode("utf-8", "replace")[-2_000:])
    if process.returncode in _KILLED:
        return Refusal("too_costly")
    if process.returncode:
        raise RuntimeError(f"{_MODULE} ended with {process.returncode}")
    outcome: Accepted | Refusal = _decoder.decode(process.stdout)
    return outcome
