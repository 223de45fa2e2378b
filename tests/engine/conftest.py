"""Prints the table of a failing test as text."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.kit.play import Play
from tests.kit.tables import picture


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.excinfo is not None and report.failed:
        frames = [entry.frame.f_locals for entry in call.excinfo.traceback]
        values = [value for names in frames for value in names.values()]
        plays = {id(value): value for value in values if isinstance(value, Play)}
        report.sections += [("table", picture(play.table)) for play in plays.values()]
    return report
