"""``manage.py run`` or ``serve`` as a process that tests start, watch and end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import psutil
from django.conf import settings

from mahjong_site import data_dir
from tests.kit.commands import run_python
from tests.kit.processes import environment, free_port, wait_until


class Run:
    """One run, in a process group of its own, as in a terminal."""

    words: tuple[str, ...] = ("run",)
    """The command of `manage.py` and its arguments besides the port."""

    def __init__(self, data: Path, number: int, port: int | None = None, **env: str) -> None:
        self.port = port or free_port()
        self.data = data
        self.printed_to = data.with_suffix(f".{number}.out")
        self.errors_to = data.with_suffix(f".{number}.err")
        self.env = environment(data, **env)
        self.process: subprocess.Popen[bytes] | None = None
        self.family: list[psutil.Process] = []

    @property
    def _arguments(self) -> list[str]:
        return ["manage.py", *self.words, "--port", str(self.port)]

    def start(self) -> subprocess.Popen[bytes]:
        with self.printed_to.open("w") as out, self.errors_to.open("w") as err:
            self.process = subprocess.Popen(
                [sys.executable, *self._arguments],
                cwd=settings.BASE_DIR,
                env=self.env,
                stdout=out,
                stderr=err,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        return self.process

    def open(self) -> Run:
        """Start the run, and wait until it has printed its address."""
        process = self.start()
        wait_until(self._has_spoken, within_s=120, what="the address is printed")
        self.family = psutil.Process(process.pid).children(recursive=True)
        return self

    def refusal(self) -> str:
        """Start a run that has to be refused; return the one line that it prints."""
        refused = run_python(self.env, *self._arguments, within_s=60)
        assert refused.returncode == 1
        assert refused.stdout == ""
        assert refused.stderr.count("\n") == 1, refused.stderr
        return refused.stderr

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def printed(self) -> str:
        return self.printed_to.read_text()

    @property
    def errors(self) -> str:
        return self.errors_to.read_text()

    @property
    def redis_url(self) -> str:
        """Return the address of the Redis that the run starts."""
        return data_dir.redis_url(self.data)

    def child(self, word: str) -> psutil.Process | None:
        """Return the living child process whose command line contains the word; None without
        one."""
        for process in psutil.Process(self.pid).children():
            with suppress(
                psutil.NoSuchProcess
            ):  # a process may end before its command line is read
                if any(word in part for part in process.cmdline()):
                    return process
        return None

    def kill_child(self, word: str) -> None:
        """Wait until that child process runs, and end it with SIGKILL."""
        wait_until(lambda: self.child(word) is not None, within_s=60, what=f"a {word} runs")
        victim = self.child(word)
        assert victim is not None
        victim.kill()
        wait_until(lambda: self.child(word) != victim, within_s=60, what=f"the {word} is dead")

    def press_ctrl_c(self) -> int:
        """Interrupt the whole process group, as a terminal does. Return the exit code."""
        assert self.process is not None
        os.killpg(self.pid, signal.SIGINT)
        return self.process.wait(60)

    def answers(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/", timeout=2) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def is_gone(self) -> bool:
        """Return whether no process is left of those that ran when the run opened."""
        return not any(process.is_running() for process in self.family)

    def clean_up(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(60)
        for process in self.family:
            if process.is_running():
                process.kill()

    def _has_spoken(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"ended with {self.process.returncode}:\n{self.errors}")
        return "\n" in self.printed


Launch = Callable[..., Run]
