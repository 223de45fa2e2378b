"""Runs modules of the project as commands."""

from __future__ import annotations

import subprocess
import sys

from django.conf import settings


def run_module(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m name`` with these arguments in the project's directory. Raises TimeoutExpired
    after 100 s."""
    return subprocess.run(
        [sys.executable, "-m", name, *arguments],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
