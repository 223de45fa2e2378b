"""Starts a command with limits, in its own process: memory, CPU time, files, no network.

    python limited_start.py SECONDS MEGABYTES PARENT -- COMMAND

Replaces itself with the command, and ends if the process PARENT has ended. Without a command its
exit code says whether the system can run programs without network.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from typing import Final, NoReturn

_CLONE_NEWUSER: Final = 0x10000000
_CLONE_NEWNET: Final = 0x40000000
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_NO_NEW_PRIVS: Final = 38
_MAX_FILE_BYTES: Final = 64 * 2**20
_NICENESS: Final = 15


def main(arguments: list[str]) -> NoReturn:
    """Set the limits and replace this process with the command. Without a command, exit with the
    result of the network check."""
    libc = ctypes.CDLL(None)
    if not arguments:
        sys.exit(not _leave_network(libc))
    seconds, megabytes, parent = map(int, arguments[:3])
    command = arguments[4:]
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the parent has ended")
    _leave_network(libc)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    for kind, limit in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, megabytes * 2**20),
        (resource.RLIMIT_FSIZE, _MAX_FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (limit, limit))
    os.execvp(command[0], command)


def _leave_network(libc: ctypes.CDLL) -> bool:
    """Enter a network namespace without a device. Without root rights this needs a user namespace,
    which some systems forbid. Return whether it worked."""
    return not libc.unshare(_CLONE_NEWNET) or not libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET)


if __name__ == "__main__":
    main(sys.argv[1:])
