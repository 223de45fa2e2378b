"""The port on which a process says to this machine alone what it has counted."""

from __future__ import annotations

import errno
import logging
import threading
import time
from typing import Final

from prometheus_client import start_http_server

log = logging.getLogger(__name__)

_PREDECESSOR_ENDS_WITHIN_S: Final = 60.0
_AGAIN_AFTER_S: Final = 0.5


def opened(port: int, *, is_successor: bool = False) -> None:
    """Answer on that port from now on. Raises OSError; but a process that takes another's place
    waits in the background until the other has left the port."""
    try:
        start_http_server(port, addr="127.0.0.1")
    except OSError as error:
        if not is_successor or error.errno != errno.EADDRINUSE:
            raise
        threading.Thread(target=_wait_for, args=[port], name="metrics", daemon=True).start()


def _wait_for(port: int) -> None:
    until = time.monotonic() + _PREDECESSOR_ENDS_WITHIN_S
    while True:
        time.sleep(_AGAIN_AFTER_S)
        try:
            start_http_server(port, addr="127.0.0.1")
        except OSError as error:
            if time.monotonic() < until:
                continue
            log.warning("metrics are not told on port %d: %s", port, error)
        return
