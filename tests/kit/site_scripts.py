"""Runs scripts with the models of a site that tests have started.

`manage.py shell` takes half a second of processor time to start, and tests need one for each of
their sites. Here one process runs all scripts of a pytest process, each with the SQLite file of its
site.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from threading import Lock
from typing import Final

from django.conf import settings

from tests.kit.processes import environment

_SERVER: Final = """
import contextlib, io, json, sys, traceback
import django
django.setup()
from django.db import connections

answers, asked = sys.stdout, sys.stdin
for line in asked:
    path, script, given = json.loads(line)
    connections.settings["default"]["NAME"] = path
    sys.stdin, printed, error = io.StringIO(given), io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            exec(script, {"__name__": "script"})
        except BaseException:
            error = traceback.format_exc()
        connections.close_all()
        del connections["default"]
    print(json.dumps([printed.getvalue(), error]), file=answers, flush=True)
"""
_NO_SITE: Final = {"DATABASE_URL": "sqlite:////nowhere", "REDIS_URL": "unix:///nowhere"}
_PREFIX: Final = "sqlite:///"
_one_at_a_time = Lock()


def run_script(env: Mapping[str, str], script: str, given: str = "") -> str:
    """Run the script with the site's models and with `given` as its standard input. Return its
    output.

    The script can use the site's database only in its own thread, so asynchronous calls of models
    do not work. It cannot use the site's Redis. Raises AssertionError with the traceback if the
    script fails.
    """
    url = env["DATABASE_URL"]
    if not url.startswith(_PREFIX):
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", script]
        return subprocess.run(
            command,
            input=given,
            env=env,
            cwd=settings.BASE_DIR,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
    assert env["SECRET_KEY"] == settings.SECRET_KEY, "sessions would be signed with another key"
    with _one_at_a_time:
        process = _start_process()
        assert process.stdin is not None
        assert process.stdout is not None
        asked = [url.removeprefix(_PREFIX).partition("?")[0], script, given]
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        printed, error = json.loads(process.stdout.readline())
    assert not error, error
    return str(printed)


@cache
def _start_process() -> subprocess.Popen[str]:
    """Start the process that runs scripts; later calls return the same one. It ends when its input
    is closed."""
    env = environment(settings.DATA_DIR, **_NO_SITE, SECRET_KEY=settings.SECRET_KEY)
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVER],
        env=env,
        cwd=settings.BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    @atexit.register
    def end() -> None:
        with process:
            assert process.stdin is not None
            process.stdin.close()

    return process
