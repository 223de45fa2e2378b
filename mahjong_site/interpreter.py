"""How the interpreter runs in a process that holds many tables."""

from __future__ import annotations

import gc
import sys
from typing import Final

_TURN_S: Final = 0.0005


def collect_seldom() -> None:
    """Let the garbage collector seldom look, and never at code. Call it once all modules are
    loaded: they live as long as the process.

    What tables are made of refers to nothing that refers back, so that hardly anything is left
    for the collector; each of its walks only makes a table wait.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def take_short_turns() -> None:
    """Let the event loop have its turn soon while a thread asks the database.

    The loop gives its turn away at every frame that it sends, and would else wait for five
    thousandths of a second each time until it has it back.
    """
    sys.setswitchinterval(_TURN_S)
