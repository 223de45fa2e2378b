"""Garbage in a process that lives long: collected seldom, and never looked for in code.

What tables are made of refers to nothing that refers back, so that hardly anything is left for
the collector; each of its walks only makes a table wait.
"""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Call it once all modules are loaded: they live as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
