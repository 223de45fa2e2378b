"""The supervisor: starts the processes of the site, restarts them, replaces them, ends them.

A process that dies is restarted in its slot, after a delay that grows with the number of failures.
A reload (SIGHUP) starts a successor in each slot, one after the other; the predecessor ends when
the successor is ready.

On Linux each web server has its own listening socket on the shared port (SO_REUSEPORT), and the
kernel spreads connections evenly among them. The supervisor owns the sockets, so that no waiting
connection is lost when a web server is replaced. On other systems all web servers share one.

In a public site only page servers listen. They hand connections for sockets to table servers over
channels, which the supervisor owns as well (`mahjong_site.handover`).
"""

from __future__ import annotations

import asyncio
import http.client
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from types import FrameType
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.db import Error as DatabaseError
from django.db import connections

from game.tables.stored_form import OtherForm, check_tables
from mahjong_site import data_dir, logs, redis_server
from mahjong_site.handover import make_channel
from mahjong_site.health import request_status
from mahjong_site.ready_signal import tell_ready
from mahjong_site.supervisor.checks import CannotRun, check_metrics_ports, check_port, unsafe_reason
from mahjong_site.supervisor.child import Child
from mahjong_site.supervisor.slot import FAILURE_WINDOW_S, Slot, restart_delay_s

PUBLIC_ROLE: Final = "serve"
"""What a public site writes into the lock of the data directory."""
_log = logging.getLogger(__name__)
_START_WITHIN_S: Final = 60.0
_CHECK_EVERY_S: Final = 0.2
_END_WITHIN_S: Final = 20.0
_MAX_FAILURES: Final = 5
_BACKLOG: Final = 1024
_ANY_ADDRESS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
_HAS_OWN_LISTENERS: Final = sys.platform == "linux"


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """Which processes the supervisor runs, and how. The defaults are those of `manage.py run`."""

    host: str
    port: int
    web_servers: int = 1
    """Servers of tables and pages, or with `page_servers` of tables alone."""
    page_servers: int = 0
    workers: int = 1
    is_public: bool = False
    """Refuse unsafe settings, replace the processes at SIGHUP and never give up restarting. Else
    SIGHUP ends the site, and so do five failures of one process within a minute."""
    is_open: bool = False
    """Whether a public site may listen on an address that other machines reach."""

    @property
    def processes(self) -> int:
        """The number of processes, without Redis."""
        return self.web_servers + self.page_servers + self.workers


class Supervisor:
    """Runs the processes of one site, from start to end."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.slots: list[Slot] = []
        self._to_tables: list[tuple[str, socket.socket]] = []
        """The ends of channels for page servers, with the option for each."""
        self._channels: list[socket.socket] = []
        self._signals = 0
        self._redis: Slot | None = None
        self._wants_reload = False
        self._reloading: Iterator[None] | None = None
        self._second: Child | None = None
        """During a replacement: the process that runs beside that of its slot."""

    def run(self) -> None:
        """Run the site until a signal ends it. Raises CannotRun."""
        config = self.configuration
        os.umask(0o077)  # with a session from the database anybody can take a seat
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        reason = unsafe_reason(config.host, is_open=config.is_open) if config.is_public else ""
        if reason:
            raise CannotRun(reason)
        check_port(config.host, config.port)
        check_metrics_ports(config.processes if config.is_public else 1)
        with ExitStack() as stack:
            try:
                role = PUBLIC_ROLE if config.is_public else "run"
                stack.enter_context(data_dir.lock_data_dir(settings.DATA_DIR, role))
                stack.callback(self.stop)
                self._start()
                while not self._is_ending:
                    self._watch()
                    self._pause(_CHECK_EVERY_S)
            except (redis_server.RedisUnusable, data_dir.DataDirError) as error:
                raise CannotRun(str(error)) from None

    @property
    def _is_ending(self) -> bool:
        return self._signals > 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        """Record the signal. The current step continues to a point where it can end safely."""
        if number == signal.SIGHUP and self.configuration.is_public:
            self._wants_reload = True
        else:
            self._signals += 1

    def _pause(self, seconds: float) -> None:
        """Wait for that many seconds, or until a signal comes."""
        until = time.monotonic() + seconds
        while not self._is_ending and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, 0.1))

    # Start

    def _start(self) -> None:
        env = dict(os.environ, REDIS_URL=settings.REDIS_URL, PYTHONUNBUFFERED="1")
        env.pop("NOTIFY_SOCKET", None)  # this process reports to systemd, not its children
        if os.environ.get("REDIS_URL"):
            redis_server.check_version(settings.REDIS_URL)
        else:
            self._start_redis(env)
        self._check_tables()
        self._migrate()
        notice = ""
        if self.configuration.is_public and not self._is_ending:
            notice = redis_server.check_keeps_tables(settings.REDIS_URL)
        if notice:
            say(notice)
        self._start_processes(env)
        self.await_answer()
        if not self._is_ending:
            hint = ", SIGHUP replaces its processes" if self.configuration.is_public else ""
            say(f"The site is open at {self._address}  (Ctrl-C ends it{hint})", logging.INFO)
            tell_ready()

    def _start_redis(self, env: dict[str, str]) -> None:
        directory, path = redis_server.private_directories(settings.DATA_DIR)
        binary = redis_server.find_binary(directory)
        _log.info("Starting the Redis server: %s", binary)
        self._redis = Slot("Redis server", redis_server.command(binary, directory, path), env)
        self._redis.child = self._redis.start()
        self._await_redis(self._redis.child)

    def _await_redis(self, server: Child) -> None:
        until = time.monotonic() + _START_WITHIN_S
        while not self._is_ending and not redis_server.is_answering(settings.REDIS_URL):
            if not server.is_running or time.monotonic() > until:
                log = redis_server.log_file(data_dir.redis_dir(settings.DATA_DIR))
                raise CannotRun(f"Redis did not start ({server.ending}); {log} says why.")
            self._pause(0.02)

    def _check_tables(self) -> None:
        if self._is_ending:
            return
        try:
            asyncio.run(check_tables(settings.REDIS_URL))
        except OtherForm as error:
            raise CannotRun(str(error)) from None

    def _migrate(self) -> None:
        if self._is_ending:
            return
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except DatabaseError as error:
            reason = " ".join(str(error).split())
            raise CannotRun(f"Cannot prepare the database: {reason}") from None
        connections.close_all()

    def _start_processes(self, env: dict[str, str]) -> None:
        for number in range(self.configuration.processes):
            if self._is_ending:
                return
            slot = self._make_slot(number, env)
            self.slots.append(slot)
            slot.child = slot.start()

    def _make_slot(self, number: int, env: dict[str, str]) -> Slot:
        """Return the slot with that number: first come table servers, then page servers, then
        workers. In a public site each slot has its own metrics port, in this order; otherwise only
        the worker has one."""
        config = self.configuration
        metrics = settings.METRICS_PORT + number if settings.METRICS_PORT else 0
        place = number - config.web_servers - config.page_servers
        if place >= 0:
            if metrics and config.is_public:
                env = env | {"METRICS_PORT": str(metrics)}
            name = f"worker {place + 1}" if config.is_public else "worker"
            return Slot(name, [sys.executable, "manage.py", "worker"], env)
        command = [sys.executable, "-m", "mahjong_site.web"]
        if metrics and config.is_public:
            command += ["--metrics-port", str(metrics)]
        if not config.page_servers:
            name = f"web server {number + 1}" if config.is_public else "web server"
            return Slot(name, command, env, self._make_listener())
        if number < config.web_servers:
            sender, receiver = make_channel()
            self._channels += [sender, receiver]
            self._to_tables.append(("--hands-to", sender))
            name, channels = f"table server {number + 1}", [("--receives", receiver)]
            return Slot(name, [*command, "--serves", "tables"], env, channels=channels)
        name = f"page server {number - config.web_servers + 1}"
        serves = [*command, "--serves", "pages"]
        return Slot(name, serves, env, self._make_listener(), self._to_tables)

    def _make_listener(self) -> socket.socket:
        """Return a listening socket for one web server: a new one, or the shared one where web
        servers share it."""
        shared = [slot.listener for slot in self.slots if slot.listener is not None]
        if shared and not _HAS_OWN_LISTENERS:
            return shared[0]
        address = socket.getaddrinfo(
            self.configuration.host,
            self.configuration.port,
            type=socket.SOCK_STREAM,
            flags=socket.AI_PASSIVE,
        )[0]
        listener = socket.socket(*address[:3])
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if _HAS_OWN_LISTENERS:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind(address[4])
        listener.listen(_BACKLOG)
        listener.setblocking(False)
        return listener

    @property
    def _host(self) -> str:
        """An address at which this machine can reach the site."""
        return _ANY_ADDRESS.get(self.configuration.host, self.configuration.host)

    @property
    def _address(self) -> str:
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self.configuration.port}/"

    def await_answer(self) -> None:
        """Wait until all processes are ready and the site answers. Raises CannotRun."""
        until = time.monotonic() + _START_WITHIN_S
        while not self._is_ending:
            for slot in self.slots:
                if slot.child is not None and not slot.child.is_running:
                    raise CannotRun(f"The {slot.name} did not start ({slot.child.ending}).")
            is_ready = all(slot.is_ready() for slot in self.slots)
            status = self._request_status() if is_ready else None
            if status == http.client.OK:
                return
            if time.monotonic() > until:
                found = f"answered with status {status}, not 200" if status else "did not answer"
                raise CannotRun(f"The web server {found}.")
            self._pause(0.05)

    def _request_status(self) -> int | None:
        port = self.configuration.port
        return request_status(self._host, port, "/readyz", settings.ALLOWED_HOSTS)

    # Restarts

    def _watch(self) -> None:
        """Restart processes that have ended: Redis first, because all others need it. In a public
        site, restart the others without waiting for Redis: web servers and workers wait for it
        themselves."""
        if self._redis is not None and self._restart(self._redis):
            assert self._redis.child is not None
            if not self.configuration.is_public:
                self._await_redis(self._redis.child)
        for slot in self.slots:
            self._restart(slot)
        if self._wants_reload and self._reloading is None:
            self._wants_reload = False
            self._reloading = self._replace_all()
        if self._reloading is not None and next(self._reloading, "over") == "over":
            self._reloading = None

    def _restart(self, slot: Slot) -> bool:
        """Restart the process of that slot if it has died and its delay is over. Return whether a
        process was started."""
        if self._is_ending or slot.child is None or slot.child.is_running:
            return False
        if slot.starts_at is None:
            self._plan_restart(slot, slot.child.ending)
        if slot.starts_at is None or time.monotonic() < slot.starts_at:
            return False
        if slot.has_listener and slot.listener is None:
            slot.listener = self._make_listener()
        try:
            slot.child = slot.start()
        except OSError as error:  # such as a program that is being replaced, or too little memory
            self._plan_restart(slot, f"cannot be started: {error}")
            return False
        slot.starts_at = None
        return True

    def _plan_restart(self, slot: Slot, ending: str) -> None:
        """Plan when to restart the process of a slot; `ending` says how it ended. If the site is
        not public and the process has ended too often, raise CannotRun."""
        failures = slot.count_failure()
        if failures >= _MAX_FAILURES and not self.configuration.is_public:
            raise CannotRun(
                f"The {slot.name} ended {failures} times within {FAILURE_WINDOW_S:.0f} seconds, "
                f"the last time with {ending}; giving up."
            )
        delay = restart_delay_s(failures)
        slot.starts_at = time.monotonic() + delay
        when = f"in {delay:.0f} s" if delay >= 1 else "now"
        say(f"The {slot.name} ended ({ending}); starting it again {when}.")
        if slot is self._redis and failures > 1:
            say(f"{redis_server.log_file(data_dir.redis_dir(settings.DATA_DIR))} says why.")
        if delay and _HAS_OWN_LISTENERS and self._has_other_listener(slot):
            slot.close_listener()  # meanwhile the others accept all connections

    def _has_other_listener(self, slot: Slot) -> bool:
        return any(other.listener is not None for other in self.slots if other is not slot)

    def _replace_all(self) -> Iterator[None]:
        """Replace each process by one that runs the present program with the present settings. This
        is a generator: each step does a little. After a failure the remaining processes stay."""
        if not _migrate_with_new_program():
            say("The database could not be prepared; the processes stay as they are.")
            return
        for slot in self.slots:
            if slot.starts_at is not None:
                continue  # its next process runs the new program anyway
            try:
                successor = self._second = slot.start()
            except OSError as error:
                say(f"A new {slot.name} cannot be started: {error}; the old one and the rest stay.")
                return
            until = time.monotonic() + _START_WITHIN_S
            while not slot.is_ready():
                if not successor.is_running or time.monotonic() > until:
                    successor.stop()
                    slot.close_pipe()
                    say(f"A new {slot.name} did not start; the old one and the rest stay.")
                    return
                yield
            predecessor = self._second = slot.child
            slot.child = successor
            if predecessor is None:
                continue
            predecessor.ask_to_end()
            until = time.monotonic() + _END_WITHIN_S
            while predecessor.is_running:
                if time.monotonic() > until:
                    predecessor.kill()
                yield
        say(f"All {len(self.slots)} processes have been replaced.", logging.INFO)

    # End

    def stop(self) -> None:
        """End all processes at once, and Redis last: the others may write until they have ended."""
        processes = [*(slot.child for slot in self.slots), self._second]
        children = [child for child in processes if child is not None]
        for child in children:
            child.ask_to_end()
        for child in children:
            child.stop(_END_WITHIN_S)
        for slot in self.slots:
            slot.close_listener()
            slot.close_pipe()
        for channel in self._channels:
            channel.close()
        if self._redis is not None:
            if self._redis.child is not None:
                self._redis.child.stop()
            self._redis.close_pipe()


def say(text: str, level: int = logging.WARNING) -> None:
    """Print a line of the supervisor whatever LOG_LEVEL is: warnings to stderr, other lines to
    stdout."""
    stream = sys.stdout if level < logging.WARNING else sys.stderr
    print(logs.line_for_operator(text, level, __name__), file=stream, flush=True)


def _migrate_with_new_program() -> bool:
    """Migrate the database with the program that is on the disk now, which may be newer than this
    process. Return whether it succeeded."""
    command = [sys.executable, "manage.py", "migrate", "--verbosity=0", "--no-input"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, check=False, stdin=subprocess.DEVNULL)
    return done.returncode == 0
