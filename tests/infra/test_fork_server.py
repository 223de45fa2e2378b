"""Forked processes of the site run and end like processes that are started anew."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from django.conf import settings

from tests.kit import fork_server
from tests.kit.processes import ForkedChild, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has pidfd and prctl")

_REPORT = """
import json, os, sys
print(json.dumps([sys.argv, sys.path[0], os.getcwd(), dict(os.environ), os.getsid(0) == os.getpid(),
                  __name__, sys.modules["django.conf"].settings.configured,
                  sorted(map(int, os.listdir("/proc/self/fd")))]))
print("error", file=sys.stderr)
sys.exit(7)
"""
_SLEEP = "import time; time.sleep(60)"
_STARTER = """
import sys, time
from pathlib import Path
from tests.kit import fork_server
print(fork_server.start([sys.argv[1]], env={}, cwd=Path("/")).pid, flush=True)
time.sleep(60)
"""


def program(directory: Path, text: str) -> Path:
    file = directory / "program.py"
    file.write_text(text)
    return file


def test_fork_runs_its_command_as_python_does(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = program(tmp_path, _REPORT)
    forked = fork_server.start([file.name, "word"], env={"ONLY": "this"}, cwd=tmp_path)
    assert forked.wait(60) == 7
    output, error = capfd.readouterr()
    arguments, place, cwd, env, leads_session, name, has_settings, files = json.loads(output)
    assert arguments == [file.name, "word"]
    assert (place, cwd, env) == (str(tmp_path), str(tmp_path), {"ONLY": "this"})
    assert leads_session
    assert name == "__main__"
    assert not has_settings, "the fork server has read settings"
    assert len(files) == 4, "standard streams, and the directory that is read"
    assert error == "error\n"


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_fork_is_paused_and_ended_by_signals(tmp_path: Path, end: str) -> None:
    child = ForkedChild("sleeper", ["python", str(program(tmp_path, _SLEEP))], env={}, cwd=tmp_path)
    child.start()
    os.kill(child.pid, signal.SIGSTOP)
    wait_until(lambda: psutil.Process(child.pid).status() == "stopped", within_s=10, what="stops")
    os.kill(child.pid, signal.SIGCONT)
    assert child.is_running
    getattr(child, end)()
    assert not child.is_running
    assert child.ending == {"kill": "signal SIGKILL", "stop": "signal SIGTERM"}[end]
    assert not psutil.pid_exists(child.pid)


def test_forks_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    file = program(tmp_path, _SLEEP)
    with subprocess.Popen(
        [sys.executable, "-c", _STARTER, str(file)],
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
    ) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        assert psutil.pid_exists(pid)
        starter.kill()
    wait_until(lambda: not psutil.pid_exists(pid), within_s=20, what="the fork ends")
