"""Runs one web server process, a Daphne with the guard and an orderly end.

    python -m mahjong_site.web --host 127.0.0.1 --port 8000
    python -m mahjong_site.web --fd 3        a socket that listens already

It serves pages, the sockets of tables and of the lobby (`/ws/`), or both (`--serves`). Under the
supervisor page servers accept all connections and hand those for sockets to table servers
(`handover`): `--hands-to` and `--receives` name the descriptors of the channels.

At SIGTERM or SIGINT it stops listening, so that browsers reconnect to another process. Then it
closes its sockets, some at a time, and waits for open requests. A second signal ends it at once.
"""

# Daphne's reactor has to be there before anything else of Twisted is.
from daphne.server import Server  # isort: skip

import argparse
import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, get_args

from daphne.endpoints import build_endpoint_description_strings
from django.core.exceptions import ImproperlyConfigured
from twisted.internet import reactor as _reactor

from game.live.send_queue import SOCKET
from mahjong_site.daphne_guard import GuardedWebSocket, guard_daphne
from mahjong_site.guard_proof import check_limits
from mahjong_site.handover import Entrance, Receiver, Role
from mahjong_site.interpreter import collect_garbage_rarely
from mahjong_site.logs import exit_with_error

_ASGI_VERSION: Final = {"version": "3.0"}
_REQUESTS_END_WITHIN_S: Final = 8.0
_DATABASE_CONNECTIONS: Final = 8
"""The most connections of a process to PostgreSQL: those of page threads and a few others."""
_DATABASE_CONNECTION_WITHIN_S: Final = 1
"""How long a thread waits for one of them."""
_PAGES_NICE: Final = 5
"""The least niceness of page servers: on a full machine tables come first."""
reactor: Any = _reactor
log = logging.getLogger(__name__)


class Web(Server):  # type: ignore[misc]  # Daphne has no types
    """Daphne, extended: it reports its start and ends in order."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, signal_handlers=False, **kwargs)
        self._ports: list[Any] = []
        self.role: Role = "all"
        self.entrances: list[Entrance | Receiver] = []
        """Where connections come from, beside the endpoints."""
        self._opening: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None

    def take(self, connection: socket.socket) -> None:
        """Serve a connection that another object or process has accepted."""
        reactor.adoptStreamConnection(connection.fileno(), connection.family, self.http_factory)

    def open_entrances(self) -> None:
        """Start to accept connections at the entrances. They replace Twisted's endpoints."""
        self.endpoints.clear()
        reactor.callLater(0, self._report_start)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Start the application for that connection. For a websocket, offer the application the
        socket itself and its inbox."""
        if not isinstance(protocol, GuardedWebSocket):
            return super().create_application(protocol, scope)
        websocket = protocol.socket
        offered = {SOCKET: websocket}
        scope |= {"extensions": {**scope.get("extensions", {}), **offered}, "asgi": _ASGI_VERSION}
        inbox = websocket.inbox
        running = self.application(scope, inbox.get, partial(self.handle_reply, protocol))
        self.connections[protocol]["application_instance"] = inbox.run(running)
        return inbox

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        self._ports.append(port)
        reactor.callLater(0, self._report_start)

    def _report_start(self) -> None:
        from mahjong_site.ready_signal import tell_ready

        loop = asyncio.get_running_loop()
        for entrance in self.entrances:
            entrance.open()
        if self.role != "pages":
            self._opening = loop.create_task(self._register_process())
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal)
        tell_ready()

    async def _register_process(self) -> None:
        from game.live.process import register_web_server

        try:
            await register_web_server()
        except Exception:
            log.exception("the web server could not be announced to the workers")

    def _on_signal(self) -> None:
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._end_in_order())
        else:
            self.stop()

    async def _end_in_order(self) -> None:
        from game.live.process import CLOSE_SHUTTING_DOWN, close_current, current

        try:
            for port in self._ports:
                port.stopListening()
            closing = asyncio.gather(*(entrance.close() for entrance in self.entrances))
            await (await current()).close_sockets()
            for protocol in list(self.connections):
                if isinstance(protocol, GuardedWebSocket):
                    protocol.socket.close(CLOSE_SHUTTING_DOWN)
            await closing
            if at_work := self._open_work():
                await asyncio.wait(at_work, timeout=_REQUESTS_END_WITHIN_S)
            await close_current()
        except Exception:
            log.exception("the server does not end as it should")
        finally:
            self.stop()

    def _open_work(self) -> list[asyncio.Future[None]]:
        """Return the futures of the requests and sockets that are still open."""
        found = (details.get("application_instance") for details in self.connections.values())
        return [future for future in found if future is not None and not future.done()]


def main(arguments: Sequence[str]) -> None:
    """Serve until a signal ends the process."""
    collect_garbage_rarely()
    parser = argparse.ArgumentParser(prog="python -m mahjong_site.web")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--fd", type=int, help="a listening socket, inherited")
    parser.add_argument("--serves", choices=get_args(Role), default="all")
    parser.add_argument("--hands-to", type=int, action="append", default=[], help="channels")
    parser.add_argument("--receives", type=int, help="a channel")
    parser.add_argument("--metrics-port", type=int, help="on 127.0.0.1, beside the pages")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")
    try:
        server = _make_server(options.host, options.port, options.fd, options.serves)
        _make_entrances(server, options)
        if options.metrics_port:
            _open_metrics(options.metrics_port)
    except ImproperlyConfigured as error:
        exit_with_error(str(error))
    if options.serves == "pages":
        with suppress(OSError):  # a sandbox may forbid it
            niceness = max(_PAGES_NICE, os.getpriority(os.PRIO_PROCESS, 0))
            os.setpriority(os.PRIO_PROCESS, 0, niceness)
    server.run()
    if server.abort_start:
        sys.exit(1)


def _make_entrances(server: Web, options: argparse.Namespace) -> None:
    """Make the entrances named by the options. The server then has no endpoints of its own."""
    if options.receives is not None:
        server.entrances.append(Receiver(socket.socket(fileno=options.receives), server.take))
    if options.hands_to:
        channels = [socket.socket(fileno=descriptor) for descriptor in options.hands_to]
        listener = socket.socket(fileno=options.fd)
        server.entrances.append(Entrance(listener, channels, server.take))
    if server.entrances:
        server.open_entrances()


def _open_metrics(port: int) -> None:
    from game.operations import metrics_page
    from mahjong_site import ready_signal

    try:
        metrics_page.serve_metrics(port, is_successor=ready_signal.is_awaited())
    except OSError as error:
        exit_with_error(f"Cannot serve metrics on port {port}: {error.strerror}.")


def _pool_connections() -> None:
    """Let the threads of this process share a few connections to PostgreSQL. A thread tests a
    connection when it takes one, because PostgreSQL may have been restarted."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.postgresql":
        database["CONN_HEALTH_CHECKS"] = True
        pool = {
            "min_size": 1,
            "max_size": _DATABASE_CONNECTIONS,
            "timeout": _DATABASE_CONNECTION_WITHIN_S,
        }
        database["OPTIONS"] = {**database.get("OPTIONS", {}), "pool": pool}


def _check_tables() -> None:
    """End the program if running tables are stored in a form that this release cannot read."""
    from django.conf import settings

    from game.tables.stored_form import OtherForm, check_tables

    loop = asyncio.new_event_loop()  # the reactor's loop does not run yet
    try:
        loop.run_until_complete(check_tables(settings.REDIS_URL))
    except OtherForm as error:
        exit_with_error(str(error))
    finally:
        loop.close()


def _make_server(host: str, port: int, descriptor: int | None, role: Role) -> Web:
    from django.conf import settings

    guard_daphne()
    _pool_connections()
    from game.tables.database import check_history_at_start
    from mahjong_site.asgi import application, application_for
    from mahjong_site.error_pages import make_refusals

    check_limits()  # after Django has set up the log
    check_history_at_start()
    make_refusals()
    _check_tables()

    if descriptor is None:
        endpoints = build_endpoint_description_strings(host=host, port=port)
    else:
        endpoints = build_endpoint_description_strings(file_descriptor=descriptor)
    is_proxied = bool(settings.HTTPS)
    server = Web(
        application=application if role == "all" else application_for(role),
        endpoints=endpoints,
        websocket_timeout=-1,
        websocket_connect_timeout=5,
        websocket_handshake_timeout=5,
        proxy_forwarded_address_header="X-Forwarded-For" if is_proxied else None,
        proxy_forwarded_port_header="X-Forwarded-Port" if is_proxied else None,
        proxy_forwarded_proto_header="X-Forwarded-Proto" if is_proxied else None,
        verbosity=0,
        server_name="",
    )
    server.role = role
    return server


if __name__ == "__main__":
    main(sys.argv[1:])
