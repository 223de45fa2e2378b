"""Runs the site for the public: several web servers on one port, workers beside them, and Redis
if none is named.

Each process has a post. Who dies there is followed by another one, sooner or later according to
how often that happens; a reload (SIGHUP) puts a successor at each post, one after the other, who
is ready before the predecessor goes.

On Linux each web server has a listening socket of its own at the one port (SO_REUSEPORT), among
which the kernel spreads connections evenly. The sockets belong to this process, so that none
who waits in one is turned away when a web server is replaced. Elsewhere all share one.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from types import FrameType
from typing import Final

from django.conf import settings

from mahjong_site import redis_server
from mahjong_site.launcher import CannotRun, Launcher, say, worker_command
from mahjong_site.processes import Child
from mahjong_site.ready_signal import READY_FD

MOST_PROCESSES: Final = 64
_BACKLOG: Final = 1024
_READY_WITHIN_S: Final = 60.0
_GONE_WITHIN_S: Final = 20.0
_RECENT_S: Final = 60.0
_LONGEST_BACK_OFF_S: Final = 30.0
_LEAST_SECRET: Final = 32
_SPREADS: Final = sys.platform == "linux"


class Post:
    """Where one process after another does the same work."""

    def __init__(self, name: str, command: list[str], env: dict[str, str]) -> None:
        self.name = name
        self.socket: socket.socket | None = None
        self.child: Child | None = None
        self.starts_at: float | None = None
        """When it is started again, if it is not running."""
        self._command = command
        self._env = env
        self._ready: int | None = None
        self._failures: deque[float] = deque(maxlen=16)

    def begin(self) -> Child:
        """Start a process for this post. It is not at it before somebody puts it there."""
        command, files = list(self._command), []
        if self.socket is not None:
            files.append(self.socket.fileno())
            command += ["--fd", str(files[0])]
        self.forget_pipe()
        self._ready, told = os.pipe()
        child = Child(self.name, command, env=self._env, cwd=settings.BASE_DIR)
        try:
            child.start(files=[*files, told], env={READY_FD: str(told)})
        finally:
            os.close(told)
        return child

    def is_ready(self) -> bool:
        """Whether the process that was begun last has said so."""
        if self._ready is None:
            return True
        readable, _, _ = select.select([self._ready], [], [], 0)
        if not readable or os.read(self._ready, 1) != b"1":
            return False
        self.forget_pipe()
        return True

    def forget_pipe(self) -> None:
        if self._ready is not None:
            os.close(self._ready)
            self._ready = None

    def back_off(self) -> float:
        """Note that the process has died; how many seconds to wait before the next."""
        now = time.monotonic()
        self._failures.append(now)
        recent = sum(now - moment < _RECENT_S for moment in self._failures)
        return min(_LONGEST_BACK_OFF_S, 0.5 * 2.0 ** (recent - 2)) if recent > 1 else 0.0

    def close_socket(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None


class Serving(Launcher):
    """The site on one host and port, by so many processes."""

    role = "serve"
    _hint = "Ctrl-C ends it, SIGHUP replaces its processes one by one"
    _binds_port = False

    def __init__(
        self, host: str, port: int, *, processes: int, workers: int, is_open: bool
    ) -> None:
        super().__init__(host, port)
        self._processes = processes
        self._workers = workers
        self._is_open = is_open
        self._posts: list[Post] = []
        self._wants_reload = False
        self._reloading: Iterator[None] | None = None

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGHUP:
            self._wants_reload = True
        else:
            super()._on_signal(number, frame)

    @property
    def _metrics_ports(self) -> int:
        return self._processes + self._workers

    def _check(self) -> None:
        reason = unsafe(self.host, is_open=self._is_open)
        if reason:
            raise CannotRun(reason)

    def _start_children(self, env: dict[str, str]) -> None:
        notice = redis_server.check_keeps_tables(settings.REDIS_URL)
        if notice:
            say(notice)
        numbers = range(1, self._processes + self._workers + 1)
        for number in numbers:
            if self._is_ending:
                return
            post = self._post(number, env)
            post.child = post.begin()
            self._posts.append(post)
            self._children.append(post.child)

    def _post(self, number: int, env: dict[str, str]) -> Post:
        """Web servers have the first numbers, workers the rest. Each that tells metrics does so
        at a port of its own, in this order."""
        metrics = settings.METRICS_PORT and settings.METRICS_PORT + number - 1
        if number > self._processes:
            own = env | ({"METRICS_PORT": str(metrics)} if metrics else {})
            return Post(f"worker {number - self._processes}", worker_command(), own)
        command = [sys.executable, "-m", "mahjong_site.web"]
        command += ["--metrics-port", str(metrics)] if metrics else []
        post = Post(f"web server {number}", command, env)
        post.socket = self._listening()
        return post

    def _listening(self) -> socket.socket:
        """A socket for one web server."""
        if not _SPREADS:
            for post in self._posts:
                if post.socket is not None:
                    return post.socket
        address = socket.getaddrinfo(
            self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(*address[:3])
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if _SPREADS:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind(address[4])
        made.listen(_BACKLOG)
        made.setblocking(False)
        return made

    def _have_begun(self) -> bool:
        return all(post.is_ready() for post in self._posts)

    # While it runs

    def _watch(self) -> None:
        self._children.clear()  # they are looked after here; Redis as always
        super()._watch()
        for post in self._posts:
            self._look_after(post)
        if self._wants_reload and self._reloading is None:
            self._wants_reload = False
            self._reloading = self._reloaded()
        if self._reloading is not None and next(self._reloading, "over") == "over":
            self._reloading = None

    def _look_after(self, post: Post) -> None:
        if self._is_ending or post.child is None or post.child.is_running:
            return
        if post.starts_at is None:
            delay = post.back_off()
            post.starts_at = time.monotonic() + delay
            when = f"in {delay:.0f} s" if delay >= 1 else "now"
            say(f"The {post.name} ended ({post.child.ending}); starting it again {when}.")
            if delay and _SPREADS and self._others_serve(post):
                post.close_socket()  # who comes is received by the others meanwhile
        if time.monotonic() >= post.starts_at:
            if post.socket is None and not post.name.startswith("worker"):
                post.socket = self._listening()
            post.starts_at = None
            post.child = post.begin()

    def _others_serve(self, post: Post) -> bool:
        return any(one.socket is not None for one in self._posts if one is not post)

    def _reloaded(self) -> Iterator[None]:
        """Replace each process by one that runs the program and settings as they are now. Goes
        on a little at each step; what fails leaves the rest as it is."""
        if not _migrated():
            say("The database could not be prepared; the processes stay as they are.")
            return
        for post in self._posts:
            if post.starts_at is not None:
                continue  # it is between two processes anyway
            successor = post.begin()
            until = time.monotonic() + _READY_WITHIN_S
            while not post.is_ready():
                if not successor.is_running or time.monotonic() > until or self._is_ending:
                    successor.stop()
                    post.forget_pipe()
                    say(f"A new {post.name} did not start; the old one and the rest stay.")
                    return
                yield
            predecessor, post.child = post.child, successor
            if predecessor is None:
                continue
            predecessor.ask_to_end()
            until = time.monotonic() + _GONE_WITHIN_S
            while predecessor.is_running:
                if time.monotonic() > until:
                    predecessor.kill()
                yield
        say(f"All {len(self._posts)} processes have been replaced.", logging.INFO)

    def _stop(self) -> None:
        """Tell all of them at once, and wait; Redis is the last."""
        if self._reloading is not None:
            next(self._reloading, None)  # it sees that the end has come, and takes back its own
        children = [post.child for post in self._posts if post.child is not None]
        for child in children:
            child.ask_to_end()
        for child in children:
            child.stop(_GONE_WITHIN_S)
        for post in self._posts:
            post.close_socket()
            post.forget_pipe()
        self._children.clear()
        super()._stop()


def unsafe(host: str, *, is_open: bool) -> str:
    """Why the site must not be served to the public with these settings; '' if it may be."""
    if settings.DEBUG:
        return "DEBUG is on, which shows visitors how the site works inside. Unset it."
    if "*" in settings.ALLOWED_HOSTS:
        return (
            "ALLOWED_HOSTS names '*', so that anybody's page may pass for this site's. Name hosts."
        )
    if settings.TABLE_PACE == 0:
        return "TABLE_PACE is 0: how soon somebody answers would tell who was asked. Unset it."
    if len(settings.SECRET_KEY) < _LEAST_SECRET:
        return f"SECRET_KEY has fewer than {_LEAST_SECRET} letters and can be guessed."
    if not is_open and not _is_loopback(host):
        return (
            f"{host} can be reached from other machines, without TLS and past any proxy. Serve on "
            "127.0.0.1 behind a proxy, or say --open where nobody else can come."
        )
    return ""


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def _migrated() -> bool:
    """By the program as it is now, which may be newer than this process."""
    command = [sys.executable, "manage.py", "migrate", "--verbosity=0", "--no-input"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, check=False, stdin=subprocess.DEVNULL)
    return done.returncode == 0
