"""Serves the metrics of this process on a port of the loopback address."""

from __future__ import annotations

import errno
import logging
import threading
import time
from typing import Final

from prometheus_client import start_http_server

log = logging.getLogger(__name__)

_WAIT_S: Final = 60.0
_RETRY_S: Final = 0.5


def serve_metrics(port: int, *, is_successor: bool = False) -> None:
    """Serve the metrics on that port, in a thread. Raises OSError. A successor of a running process
    waits in the background until the port is free."""
    try:
        start_http_server(port, addr="127.0.0.1")
    except OSError as error:
        if not is_successor or error.errno != errno.EADDRINUSE:
            raise
        threading.Thread(target=_wait_for_port, args=[port], name="metrics", daemon=True).start()


def _wait_for_port(port: int) -> None:
    until = time.monotonic() + _WAIT_S
    while True:
        time.sleep(_RETRY_S)
        try:
            start_http_server(port, addr="127.0.0.1")
        except OSError as error:
            if time.monotonic() < until:
                continue
            log.warning("metrics are not served on port %d: %s", port, error)
        return
