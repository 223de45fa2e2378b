"""What every test may ask for by name, and what the run says at its end."""

from __future__ import annotations

import os

import pytest

from tests.kit.processes import migrated_database, redis_server, site

__all__ = ["migrated_database", "redis_server", "site"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Repeat above the last line which checks failed before the tests began."""
    failed = os.environ.get("CHECKS_FAILED")
    if failed:
        terminalreporter.section("checks that failed before the tests", red=True, bold=True)
        terminalreporter.line(failed)
