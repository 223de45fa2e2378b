"""Settings of the Python interpreter for a process with many tables."""

from __future__ import annotations

import gc
import sys
from typing import Final

_TURN_S: Final = 0.0005


def collect_garbage_rarely() -> None:
    """Exclude the objects that exist at this call from garbage collection, and run it rarely for
    later ones. Call it when a process starts, and again once all modules are loaded.

    Loading modules makes no garbage, and looking for it took an eighth of each start. The values of
    tables form no cycles, so that the collector finds little, and each run delays tables.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def take_short_turns() -> None:
    """Let the event loop run again soon while a thread uses the database.

    The loop releases the interpreter lock with every frame that it sends. By default it would wait
    5 ms to get it back.
    """
    sys.setswitchinterval(_TURN_S)
