"""Starts processes of the site as forks of a process that has already imported packages and some
modules.

A web server takes 0.8 s of processor time to start, most of it for imports; a fork takes 0.2 s. A
server process imports the packages once, and each process of the site is a fork of that server. The
server imports nothing of the project that reads settings, and has no threads and no event loop. A
fork replaces its environment, directory, session and standard streams, and then runs the command as
`python` does; the interpreter's own settings (PYTHONWARNINGS) are those of the server. Linux only.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from mahjong_site.supervisor.child import tie_to_parent

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = (
    *("argon2", "asgiref.sync", "channels.generic.websocket", "channels.routing"),
    *("concurrent.futures.process", "confusable_homoglyphs.confusables", "cryptography.fernet"),
    *("cryptography.hazmat.primitives.ciphers.aead", "cryptography.hazmat.primitives.kdf.hkdf"),
    *("daphne.endpoints", "daphne.http_protocol", "daphne.ws_protocol", "dj_database_url"),
    *("django.contrib.admin.apps", "django.contrib.admin.views.main", "django.contrib.auth.apps"),
    *("django.contrib.auth.password_validation", "django.contrib.auth.tokens"),
    *("django.contrib.contenttypes.apps", "django.contrib.messages.middleware"),
    *("django.contrib.sessions.middleware", "django.contrib.staticfiles.apps"),
    *("django.contrib.staticfiles.finders", "django.core.asgi", "django.core.handlers.asgi"),
    *("django.core.mail", "django.core.management.commands.runserver", "django.core.paginator"),
    *("django.core.servers.basehttp", "django.db.backends.sqlite3.base", "django.db.migrations"),
    *("django.db.models", "django.forms", "django.middleware.clickjacking"),
    *("django.middleware.csrf", "django.middleware.locale", "django.middleware.security"),
    *("django.template.loader_tags", "django.test", "django.views.debug", "django_otp.oath"),
    *("django_otp.util", "http.cookiejar", "jansou_native.jansou_native"),
    *("mahjong.hand_calculating.divider", "mahjong.hand_calculating.fu"),
    *("mahjong.hand_calculating.hand_config", "msgspec.json", "multiprocessing.connection"),
    *("numpy", "openskill.models", "prometheus_client", "redis.asyncio", "redis.cluster"),
    *("sqlparse", "twisted.internet.endpoints", "twisted.plugin", "whitenoise.middleware"),
    "xiangting",
)
"""Packages that processes of the site import, without those that read settings or make Twisted's
reactor."""
SITE_MODULES: Final = (
    *("game.live.outbound", "game.live.presence", "game.live.seat_sockets", "game.live.send_queue"),
    *("game.records.mjai_seat", "game.redis.subscription", "game.results.hand_figures"),
    *("game.tables.guided_hands", "game.tables.scheduler", "game.tables.table_index"),
    *("game.tables.wall_draws", "lobby.bots.frames"),
    *("lobby.events.seating", "lobby.events.standings", "lobby.play.pregame"),
)
"""Modules of the site that read no settings; nor do the modules that they import. Without them a
fork takes half as long again to start."""
_MAX_REQUEST: Final = 256 * 1024


class Forked:
    """A forked process, with those methods of `subprocess.Popen` that `Child` uses."""

    def __init__(self, command: Sequence[str], connection: socket.socket) -> None:
        self._command = command
        self._connection = connection
        self.returncode: int | None = None
        self.pid = int(connection.recv(32))

    def poll(self) -> int | None:
        """Return the exit code, or minus the number of the signal that ended it; None while the
        process runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process has ended, and return as `poll` does. Raises
        subprocess.TimeoutExpired after `timeout` seconds."""
        if self.returncode is None:
            self._connection.settimeout(timeout)
            try:
                answer = self._connection.recv(32)
            except (BlockingIOError, TimeoutError):
                raise subprocess.TimeoutExpired(self._command, timeout or 0) from None
            if not answer:
                raise RuntimeError("the server of forks has ended")
            self.returncode = int(answer)
            self._connection.close()
        return self.returncode

    def kill(self) -> None:
        """Send SIGKILL if the process runs."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def start(
    arguments: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    output: tuple[int, int] = (1, 2),
) -> Forked:
    """Run `python` with these arguments (a file, or -m and a module) as a fork with its own
    session.

    `output` are the file descriptors for its standard output and error. The fork gets SIGTERM when
    this process ends.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    request = json.dumps([list(arguments), dict(env), str(cwd)]).encode()
    with theirs:
        socket.send_fds(_connect_to_server(), [request], [theirs.fileno(), *output])
    return Forked(arguments, ours)


@functools.cache
def _connect_to_server() -> socket.socket:
    """Start the fork server of this process and return the connection to it; later calls return the
    same one. The server ends when the connection is closed."""
    requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        number = theirs.fileno()
        command = [sys.executable, "-m", __name__, str(number)]
        # Otherwise NumPy starts threads, and a process with threads cannot be forked.
        env = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        server = subprocess.Popen(
            command,
            env=env,
            cwd=ROOT,
            pass_fds=[number],
            stdin=subprocess.DEVNULL,
            process_group=0,
        )
    atexit.register(_end_server, requests, server)
    return requests


def _end_server(requests: socket.socket, server: subprocess.Popen[bytes]) -> None:
    requests.close()
    server.wait()


class Server:
    """The fork server: forks for each request, and reports how each fork ended."""

    def __init__(self, requests: socket.socket) -> None:
        self._requests = requests
        self._events = selectors.DefaultSelector()
        self._events.register(requests, selectors.EVENT_READ)
        self._pid = os.getpid()

    def serve(self) -> list[str] | None:
        """Serve requests until the client disconnects, then return None. Also returns in each fork,
        with the command that the fork has to run."""
        while True:
            for key, _ in self._events.select():
                if key.fileobj is not self._requests:
                    self._report_end(*key.data, ending=key.fd)
                    continue
                message, files, _, _ = socket.recv_fds(self._requests, _MAX_REQUEST, 3)
                if not message:
                    return None
                pid = os.fork()
                if pid == 0:
                    return self._take_over(message, files)
                self._watch_fork(pid, files)

    def _watch_fork(self, pid: int, files: Sequence[int]) -> None:
        answers, *streams = files
        for stream in streams:
            os.close(stream)
        connection = socket.socket(fileno=answers)
        connection.send(str(pid).encode())
        self._events.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, connection))

    def _report_end(self, pid: int, connection: socket.socket, *, ending: int) -> None:
        self._events.unregister(ending)
        os.close(ending)
        _, status = os.waitpid(pid, 0)
        with connection, suppress(BrokenPipeError):  # the client may have ended without a request
            connection.send(str(os.waitstatus_to_exitcode(status)).encode())

    def _take_over(self, message: bytes, files: Sequence[int]) -> list[str]:
        """In a fork, replace the session, files and environment inherited from the server by those
        of the request. Return the command to run."""
        os.setsid()
        if tie := tie_to_parent(self._pid):
            tie()
        for key in self._events.get_map().values():
            os.close(key.fd)
            if key.data:
                key.data[1].close()
        self._requests.detach()
        self._events.close()
        answers, *streams = files
        os.close(answers)
        for number, stream in enumerate(streams, 1):
            os.dup2(stream, number)
            os.close(stream)
        arguments, env, cwd = json.loads(message)
        os.environ.clear()
        os.environ.update(env)
        os.chdir(cwd)
        return list(arguments)


def run_as_python(arguments: Sequence[str]) -> None:
    """Run a file, or -m and a module, in this process as `python` does."""
    if arguments[0] == "-m":
        sys.path[0] = os.getcwd()
        sys.argv = list(arguments[1:])
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = str(Path(arguments[0]).absolute().parent)
        sys.argv = list(arguments)
        runpy.run_path(arguments[0], run_name="__main__")


def main() -> None:
    """Import packages and modules, then serve. In a fork, run the requested command."""
    for name in PACKAGES + SITE_MODULES:
        importlib.import_module(name)
    if "twisted.internet.reactor" in sys.modules or threading.active_count() > 1:
        raise RuntimeError("a package has made a reactor or a thread: it cannot be forked")
    gc.collect()
    gc.freeze()  # keeps the garbage collector of a fork from writing to shared memory
    arguments = Server(socket.socket(fileno=int(sys.argv[1]))).serve()
    if arguments is not None:
        run_as_python(arguments)


if __name__ == "__main__":
    main()
