"""A running program with limits: writes lines to it and reads lines from it.

The program has no secrets in its environment. It has a directory of its own, which is removed at
its end. It has no network if the system can run programs without one (`has_no_network`). Every
fault of a program ends in `ProgramFailed` within the limits.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import msgspec

_START_SCRIPT: Final = str(Path(__file__).parent / "limited_start.py")
_MAX_LINE: Final = 2**20
_MAX_BYTES: Final = 16 * 2**20
_MAX_ERROR_BYTES: Final = 500


class Limits(msgspec.Struct, frozen=True):
    """The limits of a program: seconds for the whole run, seconds for each answer, megabytes of
    memory."""

    seconds: float = 300.0
    """For everything, by the clock. The CPU time is limited by the same number."""
    answer_s: float = 10.0
    """For one answer."""
    megabytes: int = 2_048
    """Of address space, of each process."""


class ProgramFailed(Exception):
    """The program cannot continue. `why` is 'start', 'ended', 'slow' or 'flood'; `text` has
    details."""

    def __init__(self, why: str, text: str = "") -> None:
        super().__init__(f"{why}: {text}" if text else why)
        self.why = why
        self.text = text


@cache
def has_no_network() -> bool:
    """Return whether programs run without network on this system."""
    return subprocess.run([sys.executable, "-I", _START_SCRIPT], check=False).returncode == 0


class _Output(NamedTuple):
    """What a program writes to its stdout. The pipe is opened here, because asyncio has no public
    way to close the output of a subprocess before it was read to its end."""

    lines: asyncio.StreamReader
    transport: asyncio.ReadTransport


class LimitedProgram:
    """A running program, with the methods that the player classes of `mahjong_bot.py` call."""

    def __init__(
        self, process: asyncio.subprocess.Process, output: _Output, limits: Limits, folder: str
    ) -> None:
        self._process = process
        self._output = output
        self._limits = limits
        self._folder = folder
        self._bytes = 0
        self._until = asyncio.get_running_loop().time() + limits.seconds

    @classmethod
    async def start(cls, command: Sequence[str], limits: Limits) -> LimitedProgram:
        """Start the command. Raises ProgramFailed."""
        folder = tempfile.mkdtemp(prefix="mjai-")
        numbers = [str(int(limits.seconds) + 1), str(limits.megabytes), str(os.getpid())]
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": folder}
        environment |= {"LANG": "C.UTF-8", "PYTHONUTF8": "1"}
        output, written_to = await _open_output()
        try:
            with _open_stderr_file(folder) as errors, written_to:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-I", _START_SCRIPT, *numbers, "--", *command),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=written_to,
                    stderr=errors,
                    cwd=folder,
                    env=environment,
                    start_new_session=True,
                )
        except OSError as error:
            output.transport.close()
            _remove_folder(folder)
            raise ProgramFailed("start", str(error)) from None
        return cls(process, output, limits, folder)

    @property
    def left_s(self) -> float:
        """Return the seconds that are left of the limit for the whole run."""
        return self._until - asyncio.get_running_loop().time()

    async def write(self, value: Any) -> None:
        """Write a line. Raises ProgramFailed if the program does not read."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(value).encode() + b"\n")
        try:
            async with asyncio.timeout(max(self._answer_s, 0.01)):
                await self._process.stdin.drain()
        except TimeoutError:
            raise self._failure_with_stderr("slow") from None
        except ConnectionError:
            pass  # the next read says that it has ended, after what it has written before

    async def read(self, within_s: float) -> dict[str, Any] | None:
        """Return the next answer; None if there is none in time. Raises ProgramFailed."""
        until = asyncio.get_running_loop().time() + min(within_s, self._answer_s)
        while True:
            if self.left_s <= 0:
                raise self._failure_with_stderr("slow")
            wait_s = until - asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(max(wait_s, 0.01)):
                    line = await self._output.lines.readline()
            except TimeoutError:
                return None
            except ValueError:  # longer than the limit
                raise self._failure_with_stderr("flood") from None
            self._bytes += len(line)
            if self._bytes > _MAX_BYTES:
                raise self._failure_with_stderr("flood")
            if not line:
                raise self._failure_with_stderr("ended")
            answer = _parse_answer(line)
            if answer is not None:
                return answer
            if wait_s <= 0:
                return None

    async def stop(self) -> None:
        """End the program with everything that it has started."""
        # Not `self._process.kill`: it would take the exit code for which the event loop waits.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        # `wait` returns when the process has ended and its input, which may be full, is closed.
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.transport.abort()
        self._output.transport.close()
        await self._process.wait()
        _remove_folder(self._folder)

    @property
    def _answer_s(self) -> float:
        return min(self._limits.answer_s, self.left_s)

    def _failure_with_stderr(self, why: str) -> ProgramFailed:
        """Return the failure with the end of what the program has written to its stderr."""
        try:
            text = Path(self._folder, "errors").read_bytes()[-_MAX_ERROR_BYTES:]
        except OSError:
            text = b""
        return ProgramFailed(why, text.decode("utf-8", "replace").strip())


async def _open_output() -> tuple[_Output, IO[bytes]]:
    """Open a pipe. Return the end to read and the end for the program."""
    read, write = os.pipe()
    lines = asyncio.StreamReader(limit=_MAX_LINE)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), os.fdopen(read, "rb")
    )
    return _Output(lines, transport), os.fdopen(write, "wb")


def _open_stderr_file(folder: str) -> IO[bytes]:
    """Open the file that receives the program's stderr."""
    return Path(folder, "errors").open("wb")


def _parse_answer(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line if it has a `type`; None for other output."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) and isinstance(answer.get("type"), str) else None


def _remove_folder(folder: str) -> None:
    subprocess.run(["rm", "-rf", folder], check=False)
