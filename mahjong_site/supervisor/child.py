"""Child processes that end with their parent, however it ends."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_STARTER_THREAD = ThreadPoolExecutor(1, "starts children")
"""The kernel ends a child when the thread that started it ends. This thread lives as long as the
process."""


class Child:
    """One program, run as a child process. It can be started again after it has ended.

    The process has a session of its own, so that Ctrl-C reaches only the parent, which then ends
    its children in order. On Linux the kernel ends it when the parent dies.
    """

    def __init__(
        self, name: str, command: Sequence[str], *, env: Mapping[str, str], cwd: Path
    ) -> None:
        self.name = name
        self.command = list(command)
        self.env = dict(env)
        self.cwd = cwd
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process id. Raises RuntimeError before the first start."""
        if self._process is None:
            raise RuntimeError(f"{self.name} has not been started")
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def ending(self) -> str:
        """How the process ended, as part of a sentence: 'exit code 1', 'signal SIGKILL'."""
        code = None if self._process is None else self._process.poll()
        if code is not None and code < 0:
            return f"signal {signal.Signals(-code).name}"
        return f"exit code {code}"

    def start(self, *, files: Sequence[int] = (), env: Mapping[str, str] | None = None) -> None:
        """Start the program. Its output goes to the parent's output. The process inherits the open
        `files`; `env` is added to its environment."""
        self._process = _STARTER_THREAD.submit(
            subprocess.Popen,
            self.command,
            env=self.env | dict(env or {}),
            cwd=self.cwd,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=tie_to_parent(os.getpid()),
            pass_fds=files,
        ).result()

    def ask_to_end(self) -> None:
        """Send SIGTERM to the process if it runs."""
        if self.is_running:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGTERM)

    def stop(self, patience_s: float = 10) -> None:
        """Send SIGTERM and wait for `patience_s` seconds; then kill the process."""
        if self._process is None:
            return
        self.ask_to_end()
        try:
            self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Send SIGKILL: the process ends at once and cannot save anything."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def tie_to_parent(parent: int) -> Callable[[], None] | None:
    """Return a function for a new process to call before it runs its program: it asks the kernel to
    send SIGTERM to the process when its parent dies. None where the kernel cannot do that."""
    if _libc is None:
        return None
    libc = _libc

    def tie() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return tie
