"""The figures of two trees are read and compared."""

from __future__ import annotations

import contextlib
import io

import pytest

from bench import report
from bench.compare import checked_out_tree, compare, read_figures
from tools.words import ROOT, TABLE_WORDS


def test_figures_are_read_as_they_are_printed() -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        report.print_heading("load: 300 tables")
        report.print_line(
            "from a discard to the others' receipt", report.format_latency([0.002] * 99 + [0.5])
        )
        report.print_line(
            "server CPU per discard", f"{4.5:>7.2f} ms  (Daphne 1 3.00, worker 1 1.50)"
        )
        report.print_line("memory of Redis per table", f"{1234.5:>7,.1f} KiB")
        report.print_line("sockets that the server closed", f"{0:>7}  none")
    assert read_figures(out.getvalue()) == {
        "from a discard to the others' receipt, p50": 2.0,
        "from a discard to the others' receipt, p99": 500.0,
        "server CPU per discard": 4.5,
        "memory of Redis per table": 1234.5,
        "sockets that the server closed": 0.0,
    }


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only a clone has other commits")
def test_other_tree_has_the_words_that_git_does_not_have() -> None:
    with checked_out_tree("HEAD") as tree:
        assert (tree / TABLE_WORDS.relative_to(ROOT)).exists()
    assert not tree.exists()


def test_comparison_has_the_figures_of_both_trees() -> None:
    before = {"CPU": [4.0, 2.0, 3.0], "lost": [0.0], "only before": [1.0]}
    head, cpu, lost = compare(before, {"CPU": [1.5], "lost": [0.0], "only now": [1.0]})
    assert head.split() == ["before", "now", "ratio"]
    assert " ".join(cpu.split()) == "CPU 3.00 (2.00 to 4.00) 1.50 (1.50 to 1.50) 0.50"
    assert " ".join(lost.split()) == "lost 0.00 (0.00 to 0.00) 0.00 (0.00 to 0.00)"
