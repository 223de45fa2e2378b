"""`manage.py serve`: several processes on one port, replaced and stopped during play."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import TimeoutExpired
from urllib.request import urlopen

import msgspec
import psutil
import pytest
import redis

from mahjong_site.supervisor import supervisor
from mahjong_site.supervisor.checks import CannotRun, unsafe_reason
from mahjong_site.supervisor.slot import Slot, restart_delay_s
from mahjong_site.supervisor.supervisor import Configuration, Supervisor
from tests.infra.site_runs import Run
from tests.kit.processes import RedisServer, Site, wait_until
from tests.web.conftest import new_client
from tests.web.players import Client, NewClient
from tests.web.short_forms import with_version
from tests.web.site import RunningSite
from tests.web.tables import AT_ONCE, commits_of, open_table

__all__ = ["new_client"]

SLOW_CLOCK = msgspec.structs.replace(AT_ONCE, reaction_ms=30, bot_min_ms=20, bot_max_ms=60)
PATIENCE_S = 300.0


def new_run(site: Site, data: Path) -> Run:
    """Return a run of two table servers, two page servers and a worker, which has not started."""
    run = Run(data, 0)
    run.words = ("serve", "--processes", "2", "--pages", "2", "--workers", "1")
    run.env |= {
        name: site.env[name] for name in ("REDIS_URL", "DATABASE_URL", "DATA_DIR", "SECRET_KEY")
    }
    return run


@pytest.fixture
def serve(site: Site, tmp_path: Path) -> Iterator[Run]:
    """Yield a run that the test starts and may end."""
    run = new_run(site, tmp_path / "data")
    yield run
    run.clean_up()


@pytest.fixture(scope="module")
def open_run(migrated_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Yield an open run that its tests leave open."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis_server = RedisServer(Path(directory))
        redis_server.start()
        data = tmp_path_factory.mktemp("site")
        run = new_run(Site(redis_server, data, migrated_database), data / "data")
        yield run.open()
        run.clean_up()
        redis_server.kill()


class RepeatedRequests:
    """A client that requests a page repeatedly, each time over a new connection."""

    def __init__(self, run: Run) -> None:
        self.answers = 0
        self.failures: list[str] = []
        self._url = f"http://127.0.0.1:{run.port}/healthz"
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._request_repeatedly, daemon=True)

    def __enter__(self) -> RepeatedRequests:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._is_over.set()
        self._thread.join(30)

    def _request_repeatedly(self) -> None:
        while not self._is_over.wait(0.02):
            try:
                with urlopen(self._url, timeout=25) as page:
                    assert page.status == 200
                self.answers += 1
            except (OSError, AssertionError) as error:
                self.failures.append(repr(error))


def processes_of(run: Run) -> set[int]:
    """Return the ids of the web servers and workers that run."""
    return {child.pid for child in psutil.Process(run.pid).children()}


def count_connections(run: Run, role: str) -> int:
    """Return how many connections of clients the servers of that role have."""
    return sum(
        connection.status == psutil.CONN_ESTABLISHED and connection.laddr.port == run.port
        for child in psutil.Process(run.pid).children()
        if role in child.cmdline()
        for connection in child.net_connections("tcp")
    )


def is_asked_to_end(pid: int) -> bool:
    """Return whether SIGTERM is pending until the process runs again. SIGSTOP may be pending as
    well, as long as the process has not been scheduled."""
    status = Path(f"/proc/{pid}/status").read_text()
    pending = dict(line.split(":", 1) for line in status.splitlines())["ShdPnd"]
    return bool(int(pending, 16) & 1 << signal.SIGTERM - 1)


async def wait_for_seq(client: Client, seq: int) -> None:
    until = time.monotonic() + PATIENCE_S
    while client.seq < seq and not client.has_ended:
        assert time.monotonic() < until, f"the table makes no progress at event {client.seq}"
        await asyncio.sleep(0.02)


async def test_reload_replaces_processes_without_loss(
    site: Site, serve: Run, new_client: NewClient
) -> None:
    await asyncio.to_thread(serve.open)
    people = RunningSite(site, [], []).sign_in("Anna", "Bruno", "Chika", "Dora")
    table_id = await open_table(site.redis.url, people, SLOW_CLOCK)
    url = with_version(f"ws://127.0.0.1:{serve.port}/ws/table/{table_id}/")
    clients = [new_client(url, person.cookie, seed=seat) for seat, person in enumerate(people)]
    games = [asyncio.create_task(client.play()) for client in clients]
    try:
        await wait_for_seq(clients[0], 15)
        before = processes_of(serve)
        assert count_connections(serve, "tables") == len(clients)
        assert count_connections(serve, "pages") == 0, "no frame passes a page server"
        with RepeatedRequests(serve) as requests:
            os.kill(serve.pid, signal.SIGHUP)
            await asyncio.to_thread(
                wait_until,
                lambda: "All 5 processes have been replaced." in serve.printed,
                within_s=PATIENCE_S,
                what="all processes are replaced",
            )
        assert not before & processes_of(serve)
        assert requests.answers > 10
        assert not requests.failures, "a request failed during the reload"
        assert {client.close_code for client in clients} == {4512}, (
            "every client was asked to reconnect"
        )
        await wait_for_seq(clients[0], clients[0].seq + 15)
    finally:
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)
    log = await commits_of(site.redis.url, table_id)
    assert [commit.version for commit in log] == list(range(1, len(log) + 1))
    done = [(commit.seat, commit.cid) for commit in log if commit.cid]
    assert len(done) == len(set(done))
    for seat, client in enumerate(clients):
        assert client.acknowledged
        assert {(seat, cid) for cid in client.acknowledged} <= set(done)
        assert not client.errors
        assert not client.view or not any(client.view["away"])
    serve.family = psutil.Process(serve.pid).children(recursive=True)
    assert serve.process is not None
    serve.process.terminate()
    assert await asyncio.to_thread(serve.process.wait, 30) == 0
    assert serve.is_gone()
    assert serve.errors == ""


@pytest.mark.skipif(sys.platform != "linux", reason="reads pending signals from /proc")
def test_end_during_a_reload_waits_for_old_processes(serve: Run) -> None:
    serve.open()
    assert serve.process is not None
    predecessor = psutil.Process(serve.pid).children()[0]
    predecessor.suspend()
    os.kill(serve.pid, signal.SIGHUP)
    wait_until(
        lambda: is_asked_to_end(predecessor.pid),
        within_s=PATIENCE_S,
        what="a successor is ready, and its predecessor is asked to end",
    )
    serve.family = psutil.Process(serve.pid).children(recursive=True)
    serve.process.terminate()
    wait_until(
        lambda: processes_of(serve) <= {predecessor.pid},
        within_s=PATIENCE_S,
        what="all others have ended",
    )
    with pytest.raises(TimeoutExpired):
        serve.process.wait(2)
    predecessor.resume()
    assert serve.process.wait(PATIENCE_S) == 0
    assert serve.is_gone()


def test_dead_process_is_replaced(open_run: Run) -> None:
    before = processes_of(open_run)
    open_run.kill_child("--fd")
    wait_until(
        lambda: len(processes_of(open_run) & before) == 4 and len(processes_of(open_run)) == 5,
        within_s=PATIENCE_S,
        what="another one takes its place",
    )
    with RepeatedRequests(open_run) as requests:
        wait_until(lambda: requests.answers > 20, within_s=PATIENCE_S, what="the site answers")
    assert not requests.failures
    assert "ended (signal SIGKILL); starting it again now.\n" in open_run.errors


def test_connections_are_told_apart_by_their_first_bytes(open_run: Run) -> None:
    heads = {
        b"GET /ws/lobby/waiting/ HTTP/1.1\r\nHost: localhost\r\n\r\n": b" 40",  # no handshake
        b"GET /wsx HTTP/1.1\r\nHost: localhost\r\n\r\n": b" 404 ",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n": b" 200 ",
    }
    for head, answer in heads.items():
        for first in (1, 6, len(head)):
            with socket.create_connection(("127.0.0.1", open_run.port), timeout=60) as connection:
                connection.sendall(head[:first])
                time.sleep(0.1)  # the two parts should not arrive together
                connection.sendall(head[first:])
                assert answer in connection.recv(100), (head, first)


def test_page_servers_have_a_lower_priority(open_run: Run) -> None:
    niceness = {
        role: {
            child.nice()
            for child in psutil.Process(open_run.pid).children()
            if role in child.cmdline()
        }
        for role in ("tables", "pages")
    }
    assert min(niceness["pages"]) > max(niceness["tables"])


def test_restart_delay_grows() -> None:
    delays = [restart_delay_s(failures) for failures in range(1, 13)]
    assert delays[:4] == [0, 0.5, 1, 2]
    assert delays == sorted(delays)
    assert delays[-1] == 30


@pytest.mark.parametrize("name", ["Redis server", "worker"])
@pytest.mark.parametrize("program", ["false", "/no/such/program"])
def test_only_a_site_that_is_not_public_gives_up(
    name: str, program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supervisor, "restart_delay_s", lambda failures: 0.0)

    def watch(*, is_public: bool) -> None:
        """Let the process die eight times."""
        site = Supervisor(Configuration(host="127.0.0.1", port=1, is_public=is_public))
        slot = Slot(name, ["false"], {})
        slot.child = slot.start()
        slot._command = [program]
        site.slots, site._redis = ([], slot) if name == "Redis server" else ([slot], None)
        until = time.monotonic() + PATIENCE_S
        try:
            while len(slot._failures) < 8 and time.monotonic() < until:
                site._watch()
        finally:
            slot.child.stop()
            slot.close_pipe()

    watch(is_public=True)
    assert capsys.readouterr().err.count(f"The {name} ended (") == 8
    with pytest.raises(CannotRun):
        watch(is_public=False)


@pytest.mark.parametrize(
    ("name", "value", "word"),
    [
        ("DEBUG", True, "DEBUG"),
        ("ALLOWED_HOSTS", ["*"], "ALLOWED_HOSTS"),
        ("TABLE_PACE", 0, "TABLE_PACE"),
        ("SECRET_KEY", "short", "SECRET_KEY"),
    ],
)
def test_serve_refuses_unsafe_settings(
    settings: object, name: str, value: object, word: str
) -> None:
    assert unsafe_reason("127.0.0.1", is_open=False) == ""
    setattr(settings, name, value)
    assert unsafe_reason("127.0.0.1", is_open=False).startswith(word)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "mahjong.example.org"])
def test_remote_access_needs_the_open_option(host: str) -> None:
    assert host in unsafe_reason(host, is_open=False)
    assert unsafe_reason(host, is_open=True) == ""


def test_refusal_is_one_line(serve: Run) -> None:
    serve.env["DEBUG"] = "1"
    assert serve.refusal().startswith("DEBUG is on")


def test_redis_that_evicts_keys_is_refused(site: Site, serve: Run) -> None:
    with redis.Redis.from_url(site.redis.url) as connection:
        connection.config_set("maxmemory", "100mb")
        connection.config_set("maxmemory-policy", "allkeys-lru")
    assert "maxmemory-policy allkeys-lru" in serve.refusal()


def test_reload_without_a_supervisor_is_refused(serve: Run) -> None:
    serve.words = ("serve", "--reload")
    assert serve.refusal().startswith("No site is served from ")
