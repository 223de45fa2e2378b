"""`/metrics`: the metrics of this process, for the operator's Prometheus only."""

from __future__ import annotations

import errno
import hmac
import logging
import threading
import time
from ipaddress import ip_address
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    Gauge,
    generate_latest,
    start_http_server,
)

from game.live.process import current
from game.tables.bridge import ask
from game.tables.errors import TablesUnavailable

log = logging.getLogger(__name__)

TABLES: Final = Gauge("mahjong_tables", "Running tables of the whole site, as Redis has them.")
_FORWARDED: Final = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via")


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Show the metrics if the request has the token, or, if no token is set, if it comes from this
    machine."""
    if not _is_operator(request):
        raise Http404
    try:
        TABLES.set(ask(ask(current()).store.index.count_running()))
    except TablesUnavailable as error:
        TABLES.set(float("nan"))
        log.info("running tables cannot be counted: %s", error)
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


def _is_operator(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    if any(name in request.headers for name in _FORWARDED):
        return False  # a local proxy forwards a request from elsewhere
    try:
        return ip_address(request.META.get("REMOTE_ADDR") or "").is_loopback
    except ValueError:
        return False


_PORT_WITHIN_S: Final = 60.0
_RETRY_S: Final = 0.5


def serve_metrics(port: int, *, is_successor: bool = False) -> None:
    """Serve the metrics on that port, in a thread. Raises OSError if the port is taken. A process
    that replaces a running one (`is_successor`) instead waits in the background until the port is
    free."""
    try:
        start_http_server(port, addr="127.0.0.1")
    except OSError as error:
        if not is_successor or error.errno != errno.EADDRINUSE:
            raise
        threading.Thread(target=_wait_for_port, args=[port], name="metrics", daemon=True).start()


def _wait_for_port(port: int) -> None:
    until = time.monotonic() + _PORT_WITHIN_S
    while True:
        time.sleep(_RETRY_S)
        try:
            start_http_server(port, addr="127.0.0.1")
        except OSError as error:
            if time.monotonic() < until:
                continue
            log.warning("metrics are not served on port %d: %s", port, error)
        return
