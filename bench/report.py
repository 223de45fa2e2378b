"""Formats the output of the benchmarks: one labelled figure per line."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

LABEL_WIDTH: Final = 58
"""The columns of the label before each figure."""


def print_heading(text: str) -> None:
    """Print the title of the lines below."""
    print(f"\n== {text}", flush=True)


def print_line(label: str, value: str) -> None:
    """Print one figure."""
    print(f"{label:<{LABEL_WIDTH}} {value}", flush=True)


def format_spread(values: Sequence[float], unit: str) -> str:
    """Format the median of repeated runs, with the slowest and the fastest."""
    return (
        f"{median(values):>9,.0f} {unit}"
        f"  (median of {len(values)} runs; {min(values):,.0f} to {max(values):,.0f})"
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def format_latency(seconds: Sequence[float]) -> str:
    """Format the median and the 99th percentile of waiting times."""
    median_ms, p99_ms = percentile(seconds, 0.5) * 1000, percentile(seconds, 0.99) * 1000
    return f"{median_ms:>7.2f} ms p50  {p99_ms:>8.2f} ms p99  (of {len(seconds):,})"
