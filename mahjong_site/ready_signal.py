"""Reports that this process is ready: to the site's supervisor by a pipe, to systemd by its socket
(`Type=notify`)."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from typing import Final

READY_FD: Final = "READY_FD"
"""The variable with the file descriptor of the pipe."""


def is_awaited() -> bool:
    """Return whether the site's supervisor waits for this process to report that it is ready."""
    return READY_FD in os.environ


def tell_ready() -> None:
    """Report that this process is ready, to the supervisor and to systemd if they wait for it.
    Later calls do nothing."""
    descriptor = os.environ.pop(READY_FD, "")
    if descriptor:
        with suppress(OSError):  # the supervisor has ended
            os.write(int(descriptor), b"1")
            os.close(int(descriptor))
    path = os.environ.pop("NOTIFY_SOCKET", "")
    if path:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
            wire.connect("\0" + path[1:] if path.startswith("@") else path)
            wire.sendall(b"READY=1")
