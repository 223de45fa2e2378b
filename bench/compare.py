"""Compares the load that this tree and another commit carry: ``python -m bench.compare REV``.

Both trees run `bench.load` of their own in turn, in the order A B B A A B ..., so that a machine
that grows slower does not favour one of them. Printed are the figures that both print: medians and
ranges of each tree, and the ratio of the medians. On a machine on which something else runs, no
figure is worth anything: the program waits for it to end, then gives up.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

import psutil

from bench.report import LABEL_WIDTH

ROOT: Final = Path(__file__).resolve().parent.parent
BUSY_PERCENT: Final = 10.0
"""Of all processors together, over `SAMPLE_S` seconds before a run."""
SAMPLE_S: Final = 3.0
MAX_SAMPLES: Final = 40
_NUMBER: Final = r"\d[\d,]*(?:\.\d+)?"
_FIGURE_PATTERN: Final = re.compile(rf"({_NUMBER}) ms (p50|p99)|^({_NUMBER})")

Figures = dict[str, list[float]]
"""The values of all runs by label."""


class Busy(Exception):
    """Another program uses the processors, so that no figure would be reliable."""


def read_figures(output: str) -> dict[str, float]:
    """Map labels to figures in the output of a benchmark (`report.print_line`). A line of waiting
    times gives two figures, labelled `... p50` and `... p99`; any other gives its first number."""
    found: dict[str, float] = {}
    for line in output.splitlines():
        label, value = line[:LABEL_WIDTH].strip(), line[LABEL_WIDTH:].strip()
        for number, share, first in _FIGURE_PATTERN.findall(value):
            name = f"{label}, {share}" if share else label
            found[name] = float((number or first).replace(",", ""))
    return found


def wait_for_quiet() -> None:
    """Wait until the processors are idle. Raise `Busy` if they stay in use."""
    for _ in range(MAX_SAMPLES):
        used = psutil.cpu_percent(SAMPLE_S)
        if used <= BUSY_PERCENT:
            return
    raise Busy(f"the processors are busy ({used:.0f} %) with something else; no run can be judged")


@contextmanager
def checked_out_tree(revision: str) -> Iterator[Path]:
    """Check that commit out into a temporary directory, build the words that its pages read, and
    remove the directory at the end."""
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, "tree")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), revision], check=True)
        try:
            if Path(tree, "tools", "words.py").exists():  # commits without it have the words in git
                subprocess.run([sys.executable, "-m", "tools.words"], cwd=tree, check=True)
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def run_load(tree: Path, options: Sequence[str]) -> dict[str, float]:
    """Return the figures of one run of `bench.load` in that tree."""
    wait_for_quiet()
    done = subprocess.run(
        [sys.executable, "-m", "bench.load", *options],
        cwd=tree,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return read_figures(done.stdout)


def compare(before: Figures, now: Figures) -> Iterator[str]:
    """Yield a line for each figure that both trees have: medians, ranges, and the ratio of the
    medians."""
    yield f"{'':<{LABEL_WIDTH}} {'before':>28} {'now':>28}  ratio"
    for label, old in before.items():
        if new := now.get(label):
            ratio = f"{median(new) / median(old):>6.2f}" if median(old) else f"{'':>6}"
            yield (
                f"{label:<{LABEL_WIDTH}} {_format_range(old):>28} {_format_range(new):>28} {ratio}"
            )


def _format_range(values: Sequence[float]) -> str:
    return f"{median(values):,.2f} ({min(values):,.2f} to {max(values):,.2f})"


def main() -> None:
    """Compare from the command line. The arguments after the options are passed to `bench.load`."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__)
    parser.add_argument("revision", metavar="REV")
    parser.add_argument("--runs", type=int, default=5, help="of each tree")
    parser.add_argument("--tables", default="300")
    chosen, others = parser.parse_known_args()
    options = ["--tables", chosen.tables, *others]
    figures: tuple[Figures, Figures] = (defaultdict(list), defaultdict(list))
    with checked_out_tree(chosen.revision) as other:
        for run in range(chosen.runs):
            for is_now in ((False, True), (True, False))[run % 2]:
                try:
                    values = run_load(ROOT if is_now else other, options)
                except Busy as error:
                    sys.exit(str(error))
                for label, value in values.items():
                    figures[is_now][label].append(value)
            print(f"{run + 1} of {chosen.runs} pairs", file=sys.stderr, flush=True)
    print("\n".join(compare(*figures)))


if __name__ == "__main__":
    main()
