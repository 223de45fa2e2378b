"""`python -m game.imports.reading_process`: reads a record from stdin and writes the outcome to
stdout, as msgpack.

Has no access to settings and secrets. Limits its own CPU time and memory, because a hostile record
can use up both. Runs at low priority.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
import sys
import traceback
from typing import Final

import msgspec

from game.imports.imported_game import MAX_BYTES, AcceptedRecord, RefusedRecord, read_record

CPU_S: Final = 6
"""A game of Tenhou takes 0.15 s."""
MEMORY_BYTES: Final = 2**30
_NICENESS: Final = 10
_LIMITS: Final = {
    resource.RLIMIT_AS: MEMORY_BYTES,
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_CPU: CPU_S,
}


def main() -> None:
    _set_limits()
    outcome = _read_or_refuse(sys.stdin.buffer.read(MAX_BYTES + 1))
    sys.stdout.buffer.write(msgspec.msgpack.encode(outcome))


def _set_limits() -> None:
    gc.disable()  # the process reads one record and ends
    # A sandbox may forbid these calls. The server also kills the process after `reading.TIMEOUT_S`.
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    for kind, limit in _LIMITS.items():
        with contextlib.suppress(OSError):
            resource.setrlimit(kind, (limit, limit))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C stops the server, which waits for this


def _read_or_refuse(raw: bytes) -> AcceptedRecord | RefusedRecord:
    """Return the accepted or refused record. If a reader raises an unexpected error, the record is
    refused as damaged; the server logs the traceback from stderr."""
    try:
        return read_record(raw)
    except MemoryError:
        return RefusedRecord("too_costly")
    except Exception as error:
        traceback.print_exc()
        return RefusedRecord("damaged", type(error).__name__)


if __name__ == "__main__":
    main()
