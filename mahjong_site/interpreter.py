"""Settings of the Python interpreter for a process with many tables."""

from __future__ import annotations

import gc
import sys
from typing import Final

_SWITCH_INTERVAL_S: Final = 0.0005


def collect_garbage_rarely() -> None:
    """Exclude all objects that exist now from garbage collection, and collect rarely among later
    ones. Call it when a process starts, and again once all modules are loaded.

    Loading modules makes no garbage, but searching for it took an eighth of each start. The values
    of tables form no cycles, so the collector finds little, and each run delays tables.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def take_short_turns() -> None:
    """Set a short switch interval, so that the event loop soon runs again while another thread uses
    the database.

    The loop releases the interpreter lock with every frame that it sends. By default it would wait
    5 ms to get it back.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
