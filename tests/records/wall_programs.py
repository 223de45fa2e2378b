"""Runs the programs with which players check walls."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType
from typing import Final

from django.conf import settings

PROGRAMS: Final = Path(settings.BASE_DIR) / "static" / "fair"
CHECK_WALL: Final = compile((PROGRAMS / "check_wall.py").read_text(), "check_wall.py", "exec")
CHECK_SEED: Final = compile((PROGRAMS / "check_seed.py").read_text(), "check_seed.py", "exec")
_WORDS: Final = ("FITS", "NO PROOF")


def verdict_of(text: str) -> str:
    """Return the verdict in what a check has printed; damaged records do not fit."""
    return next((word for word in _WORDS if text.startswith(word)), "DOES NOT FIT")


def python_verdict(path: Path, program: CodeType = CHECK_WALL) -> str:
    """Run a Python program for players in this process; return its verdict on the record."""
    before, sys.argv = sys.argv, [program.co_filename, str(path)]
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(program, {"__name__": "__main__"})  # run the program itself, hundreds of times
    except SystemExit as end:
        return verdict_of(str(end.code))
    finally:
        sys.argv = before
    return verdict_of(out.getvalue())


def python_accepts(path: Path, program: CodeType = CHECK_WALL) -> bool:
    return python_verdict(path, program) == "FITS"


def node_verdicts(cases: Sequence[tuple[str, str]], directory: Path) -> dict[str, dict[str, str]]:
    """Return the verdicts of the pages' verifier ("page"), of check_wall.mjs ("program") and of
    check_seed.mjs ("seed"), by the names of the records."""
    file = directory / "cases.json"
    file.write_text(json.dumps(cases))
    script = Path(__file__).with_name("run_wall_checks.mjs")
    done = subprocess.run(
        ["node", script, settings.BASE_DIR, file, directory / "scratch.jsonl"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:4000]
    found: dict[str, dict[str, str]] = json.loads(done.stdout)
    return {
        check: {name: verdict_of(said) for name, said in by_name.items()}
        for check, by_name in found.items()
    }


def node_accepts(cases: Sequence[tuple[str, str]], directory: Path) -> dict[str, list[str]]:
    """Return the names of the records that the pages' verifier and check_wall.mjs accept."""
    found = node_verdicts(cases, directory)
    return {
        check: [name for name, verdict in found[check].items() if verdict == "FITS"]
        for check in ("page", "program")
    }
