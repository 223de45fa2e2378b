"""``python -m bench.profile [SECONDS]``: samples the engine, with random players.

A signal interrupts the process after every millisecond of CPU time; the handler notes the module
and the functions on the stack. Unlike a profiler that counts calls, this slows nothing down.
"""

from __future__ import annotations

import signal
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final

from bench import report
from bench.engine import RandomGame, ignore

EVERY_S: Final = 0.001
SHOWN: Final = 22
_ROOT: Final = Path(__file__).resolve().parents[1]


class Samples:
    """The samples: the module at the top of the stack, and each function on it."""

    def __init__(self) -> None:
        self.count = 0
        self.modules: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()

    def take(self, _: int, frame: FrameType | None) -> None:
        """Take one sample. A signal handler."""
        self.count += 1
        on_stack: set[str] = set()
        while frame is not None:
            module = _module_of(frame.f_code.co_filename)
            if not on_stack:
                self.modules[module] += 1
            on_stack.add(f"{module}  {frame.f_code.co_name}")
            frame = frame.f_back
        self.functions.update(on_stack)


def _module_of(filename: str) -> str:
    path = Path(filename)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else "Python's library"


def main(seconds: float) -> None:
    """Play for that many CPU-seconds and print the samples."""
    samples, rng, applied = Samples(), Random(0), 0
    signal.signal(signal.SIGPROF, samples.take)
    signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        applied += RandomGame(rng, ignore).play()
    signal.setitimer(signal.ITIMER_PROF, 0)
    report.heading(f"{applied / spent:,.0f} events/CPU-s, {samples.count:,} samples")
    for title, seen in (
        ("in the module itself", samples.modules),
        ("in the function and what it calls", samples.functions),
    ):
        report.heading(title)
        for name, count in seen.most_common(SHOWN):
            report.line(name, f"{count / samples.count:>7.1%}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
