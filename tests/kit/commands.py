"""Runs commands of the site for tests, as forks where that is possible.

A fork takes about a third of the processor time of a new interpreter. Tests of programs that an
operator starts (`test_settings_file.py`, `test_run.py`, `test_bootstrap.py`) use real interpreters
instead.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from tests.kit import fork_server, processes


def run_python(
    env: Mapping[str, str], *words: str | Path, within_s: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run `python` with these words as its arguments, in the project's directory. Return the exit
    code and the output."""
    line = [str(word) for word in words]
    if processes.child_type is not processes.ForkedChild:
        return subprocess.run(
            [sys.executable, *line],
            cwd=settings.BASE_DIR,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=within_s,
            check=False,
        )
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        output = out.fileno(), errors.fileno()
        forked = fork_server.start(line, env=env, cwd=settings.BASE_DIR, output=output)
        try:
            code = forked.wait(within_s)
        except subprocess.TimeoutExpired:
            forked.kill()
            raise
        printed = []
        for file in (out, errors):
            file.seek(0)
            printed.append(file.read())
    return subprocess.CompletedProcess(line, code, *printed)


def manage(env: Mapping[str, str], *words: str | Path) -> str:
    """Run `manage.py` with these words as its arguments and return its output. Fail if the command
    fails."""
    done = run_python(env, "manage.py", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout
