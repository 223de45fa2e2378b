#!/usr/bin/env python3
"""Django's command line for this site.

Run as a program, it finds the project's virtual environment by itself.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from mahjong_site.interpreter import collect_garbage_rarely


def main() -> None:
    """Run the command that the arguments name; a refusal is one line, no traceback."""
    collect_garbage_rarely()
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
        from django.db import Error as DatabaseError
    except ImportError:
        run_in_own_environment()
        raise
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")
    from mahjong_site.logs import exit_with_error

    try:
        if sys.argv[1:] in (["version"], ["--version"]):  # Django would tell its own
            from mahjong_site.version import describe_versions

            print(describe_versions())
            return
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        exit_with_error(str(error))
    except DatabaseError as error:
        reason = " ".join(str(error).split())
        exit_with_error(f"The database cannot be used: {reason}.{_advice(error)}")


def _advice(error: Exception) -> str:
    """Return what helps if the database can be reached and lacks tables; '' for another error."""
    from django.db import ProgrammingError

    lacks_tables = isinstance(error, ProgrammingError) or any(
        reason in str(error) for reason in ("no such table", "no such column", "unable to open")
    )
    if not lacks_tables or sys.argv[1:2] == ["migrate"]:
        return ""
    return " If it is new or older than the program: manage.py migrate"


def run_in_own_environment() -> None:
    """Start again with the Python of `.venv`, if there is one and this is another."""
    python = Path(__file__).resolve().parent / ".venv" / "bin" / "python"
    if python.exists() and Path(sys.prefix) != python.parent.parent:
        os.execv(python, [str(python), *sys.argv])


if __name__ == "__main__":
    main()
