"""Checks made before the site starts."""

from __future__ import annotations

import errno
import ipaddress
import socket
from contextlib import suppress
from typing import Final

from django.conf import settings

LAST_PORT: Final = 65_535
_MIN_SECRET_LENGTH: Final = 32


class CannotRun(Exception):
    """The site cannot start or cannot go on. The text is one line for the operator."""


def parse_number(what: str, text: str, at_most: int = LAST_PORT) -> int:
    """Parse the argument named `what` as a number. Raises CannotRun unless it is from 1 to
    `at_most`."""
    if not (text.isdecimal() and 0 < int(text) <= at_most):
        raise CannotRun(f"The {what} is {text!r}; it can be a number from 1 to {at_most}.")
    return int(text)


def check_port(host: str, port: int) -> None:
    """Raise CannotRun unless the address is free to listen on."""
    error = _listen_error(host, port)
    if error is not None and error.errno == errno.EADDRINUSE:
        raise CannotRun(
            f"Port {port} on {host} is in use. Choose another: make run PORT={port + 1}"
        )
    if error is not None:
        raise CannotRun(f"Cannot listen on {host} port {port}: {error.strerror}.")


def check_metrics_ports(count: int) -> None:
    """If METRICS_PORT is set, raise CannotRun unless the `count` ports from it on are free."""
    for number in range(count if settings.METRICS_PORT else 0):
        port = settings.METRICS_PORT + number
        if port > LAST_PORT:
            raise CannotRun(f"METRICS_PORT: there is no port {port}.")
        error = _listen_error("127.0.0.1", port)
        if error is not None and error.errno == errno.EADDRINUSE:
            raise CannotRun(f"METRICS_PORT: port {port} on 127.0.0.1 is in use.")
        if error is not None:
            raise CannotRun(f"METRICS_PORT: cannot listen on port {port}: {error.strerror}.")


def unsafe_reason(host: str, *, is_open: bool) -> str:
    """Return why these settings are unsafe for the public; '' if they are not."""
    if settings.DEBUG:
        return "DEBUG is on, which shows visitors how the site works inside. Unset it."
    if "*" in settings.ALLOWED_HOSTS:
        return "ALLOWED_HOSTS names '*', so that any page may pass for this site's. Name hosts."
    if settings.TABLE_PACE == 0:
        return "TABLE_PACE is 0: how soon somebody answers would tell who was asked. Unset it."
    if len(settings.SECRET_KEY) < _MIN_SECRET_LENGTH:
        return f"SECRET_KEY has fewer than {_MIN_SECRET_LENGTH} characters and can be guessed."
    if not is_open and not _is_loopback(host):
        return (
            f"{host} can be reached from other machines, without TLS and past any proxy. Serve on "
            "127.0.0.1 behind a proxy, or say --open where nobody else can come."
        )
    return ""


def _listen_error(host: str, port: int) -> OSError | None:
    """Try to listen on that address. Return the error; None if the address is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except OSError as error:
        return error
    return None


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
