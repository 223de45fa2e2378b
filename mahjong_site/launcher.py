"""Runs the whole site: Redis if none is named, Daphne and the worker, as children.

Owns their order, their restarts and their end. Knows nothing of what they do.
"""

from __future__ import annotations

import errno
import http.client
import logging
import os
import signal
import socket
import sys
import time
from collections import deque
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import NoReturn

from django.conf import settings
from django.core.management import call_command
from django.db import Error as DatabaseError
from django.db import connections

from mahjong_site import data_dir, logs, redis_server
from mahjong_site.processes import Child
from mahjong_site.ready_signal import tell_ready

_log = logging.getLogger(__name__)
_START_SECONDS = 60
_LOOK_EVERY_SECONDS = 0.2
_QUICK_SECONDS = 60
_QUICK_FAILURES = 5
_LAST_PORT = 65_535
_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}


class CannotRun(Exception):
    """The site cannot start, or not go on. The text is one line for whoever started it."""


class Launcher:
    """The site on one host and port, from start to end."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.port = port
        self._signals = 0
        self._children: list[Child] = []
        self._redis: Child | None = None
        self._failures: dict[str, deque[float]] = {}

    def run(self) -> None:
        """Serve until a signal says to end. Raises CannotRun."""
        os.umask(0o077)  # who reads the database can take anybody's seat
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        self._check()
        check_port(self.host, self.port)
        self._check_metrics_ports()
        with ExitStack() as stack:
            try:
                stack.enter_context(data_dir.lock(settings.DATA_DIR, self.role))
                stack.callback(self._stop)
                self._start()
                while not self._is_ending:
                    self._watch()
                    self._pause(_LOOK_EVERY_SECONDS)
            except (redis_server.RedisUnusable, data_dir.DataDirError) as error:
                raise CannotRun(str(error)) from None

    @property
    def _is_ending(self) -> bool:
        return self._signals > 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        """Only counted: what is under way goes on to a place where it can end well."""
        self._signals += 1

    def _pause(self, seconds: float) -> None:
        """Wait, but not past a signal."""
        until = time.monotonic() + seconds
        while not self._is_ending and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, 0.1))

    def _check_metrics_ports(self) -> None:
        for number in range(self._metrics_ports if settings.METRICS_PORT else 0):
            port = settings.METRICS_PORT + number
            if port > _LAST_PORT:
                raise CannotRun(f"METRICS_PORT: there is no port {port}.")
            error = listen_error("127.0.0.1", port)
            if error is not None and error.errno == errno.EADDRINUSE:
                raise CannotRun(f"METRICS_PORT: port {port} on 127.0.0.1 is in use.")
            if error is not None:
                raise CannotRun(f"METRICS_PORT: cannot listen on port {port}: {error.strerror}.")

    @property
    def _metrics_ports(self) -> int:
        """On how many ports the processes tell their metrics."""
        return 1

    def _check(self) -> None:
        """Raise CannotRun if the site must not be started like this."""

    def _start(self) -> None:
        env = dict(os.environ, REDIS_URL=settings.REDIS_URL, PYTHONUNBUFFERED="1")
        env.pop("NOTIFY_SOCKET", None)  # it is for this process to say that the site is open
        if os.environ.get("REDIS_URL"):
            redis_server.check(settings.REDIS_URL)
        else:
            self._start_redis(env)
        self._migrate()
        self._start_children(env)
        self._await_answer()
        if not self._is_ending:
            say(f"The site is open at {self._address}  ({self._hint})", logging.INFO)
            tell_ready()

    role = "run"
    _hint = "Ctrl-C ends it"
    _binds_port = True
    """The web server does, and may find it taken."""

    def _start_children(self, env: dict[str, str]) -> None:
        for name, command in (
            ("web server", web_command(self.host, self.port)),
            ("worker", worker_command()),
        ):
            if self._is_ending:
                return
            child = Child(name, command, env=env, cwd=settings.BASE_DIR)
            child.start()
            self._children.append(child)

    def _start_redis(self, env: dict[str, str]) -> None:
        directory, path = redis_server.private_directories(settings.DATA_DIR)
        binary = redis_server.find_binary(directory)
        _log.info("Starting the Redis server: %s", binary)
        command = redis_server.command(binary, directory, path)
        self._redis = Child("Redis server", command, env=env, cwd=directory)
        self._redis.start()
        self._await_redis(self._redis, directory)

    def _await_redis(self, server: Child, directory: Path) -> None:
        until = time.monotonic() + _START_SECONDS
        while not self._is_ending and not redis_server.answers(settings.REDIS_URL):
            if not server.is_running or time.monotonic() > until:
                log = redis_server.log_file(directory)
                raise CannotRun(f"Redis did not start ({server.ending}); {log} says why.")
            self._pause(0.02)

    def _migrate(self) -> None:
        if self._is_ending:
            return
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except DatabaseError as error:
            reason = " ".join(str(error).split())
            raise CannotRun(f"Cannot prepare the database: {reason}") from None
        connections.close_all()

    @property
    def _address(self) -> str:
        host = _ANY_ADDRESS.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def _await_answer(self) -> None:
        """Until the site answers as a visitor would find it."""
        until = time.monotonic() + _START_SECONDS
        while not self._is_ending:
            for child in self._children:
                if not child.is_running:
                    if child is self._children[0] and self._binds_port:
                        check_port(self.host, self.port)
                    raise CannotRun(f"The {child.name} did not start ({child.ending}).")
            if not self._have_begun():
                self._pause(0.05)
                continue
            status = status_of(_ANY_ADDRESS.get(self.host, self.host), self.port)
            if status == http.client.OK:
                return
            if time.monotonic() > until:
                found = f"with status {status}" if status else "at all"
                raise CannotRun(f"The web server does not answer as it should: not {found}.")
            self._pause(0.05)

    def _have_begun(self) -> bool:
        """Whether it is worth while to ask."""
        return True

    def _watch(self) -> None:
        """Start again what has ended without being asked to; Redis first, all need it."""
        if self._redis is not None and not self._redis.is_running:
            self._start_again(self._redis)
            self._await_redis(self._redis, data_dir.redis_dir(settings.DATA_DIR))
        for child in self._children:
            if not child.is_running and not self._is_ending:
                self._start_again(child)

    def _start_again(self, child: Child) -> None:
        recent = self._failures.setdefault(child.name, deque(maxlen=_QUICK_FAILURES))
        recent.append(now := time.monotonic())
        quick = sum(now - moment < _QUICK_SECONDS for moment in recent)
        if quick == _QUICK_FAILURES:
            raise CannotRun(
                f"The {child.name} ended {quick} times within {_QUICK_SECONDS} seconds, "
                f"the last time with {child.ending}; giving up."
            )
        say(f"The {child.name} ended ({child.ending}); starting it again.")
        self._pause(0.5 * (quick - 1))
        if not self._is_ending:
            child.start()

    def _stop(self) -> None:
        """End the children, Redis last: until then the others may still write."""
        for child in reversed(self._children):
            child.stop()
        if self._redis is not None:
            self._redis.stop()


def say(text: str, level: int = logging.WARNING) -> None:
    """Print a line of the launcher's own, in the format of the log: what is as it should be to
    stdout, the rest to stderr. LOG_LEVEL does not hide it."""
    stream = sys.stdout if level < logging.WARNING else sys.stderr
    print(logs.line_for_operator(text, level, __name__), file=stream, flush=True)


def leave(text: str) -> NoReturn:
    """End the program with exit code 1 and that line on stderr, in the format of the log."""
    sys.exit(logs.line_for_operator(text, logging.CRITICAL, __name__))


def web_command(host: str, port: int) -> list[str]:
    """The command line of a web server there, run in the project's directory."""
    return [sys.executable, "-m", "mahjong_site.web", "--host", host, "--port", str(port)]


def worker_command() -> list[str]:
    """The command line of a worker, run in the project's directory."""
    return [sys.executable, "manage.py", "worker"]


def check_port(host: str, port: int) -> None:
    """Raise CannotRun unless the address is free to listen on."""
    error = listen_error(host, port)
    if error is not None and error.errno == errno.EADDRINUSE:
        raise CannotRun(
            f"Port {port} on {host} is in use. Choose another: make run PORT={port + 1}"
        )
    if error is not None:
        raise CannotRun(f"Cannot listen on {host} port {port}: {error.strerror}.")


def listen_error(host: str, port: int) -> OSError | None:
    """What keeps a program from listening on that address; None if it is free."""
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


def status_of(host: str, port: int) -> int | None:
    """The status of the page that says whether the site is ready; None without an answer."""
    name = next(iter(settings.ALLOWED_HOSTS), "localhost").lstrip(".").replace("*", "localhost")
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/readyz", headers={"Host": name})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
