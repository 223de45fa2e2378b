"""A new setting of tables needs a field of the struct and a field of the form, and nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.kit.modules import run_module


def test_added_setting_reaches_the_table_and_its_rematch() -> None:
    case = str(Path(__file__).with_name("added_setting_case.py"))
    done = run_module("pytest", "-q", "-p", "tests.kit.added_setting", case)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
