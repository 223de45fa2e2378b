"""`manage.py run` with real processes and signals, and its output."""

from __future__ import annotations

import json
import logging
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from django.conf import settings

from mahjong_site import logs
from mahjong_site.redis_server import client, find_binary, is_answering
from mahjong_site.supervisor.checks import CannotRun
from mahjong_site.supervisor.slot import Slot
from mahjong_site.supervisor.supervisor import Configuration, Supervisor
from tests.infra.site_runs import Launch, Run
from tests.kit.processes import environment, free_port, wait_until

ROOT = Path(settings.BASE_DIR)
MARK = "kept"


@pytest.fixture
def launch_new(tmp_path: Path) -> Iterator[Launch]:
    """Yield a function that makes runs on one data directory, which is empty at first."""
    made: list[Run] = []
    numbers = count()

    def make(port: int | None = None, **env: str) -> Run:
        made.append(Run(tmp_path / "data", next(numbers), port, **env))
        return made[-1]

    yield make
    for run in made:
        run.clean_up()


@pytest.fixture
def launch(launch_new: Launch, migrated_database: Path, tmp_path: Path) -> Launch:
    """Return a function that makes runs on one data directory. The directory holds a prepared
    database, which saves seconds."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    shutil.copyfile(migrated_database, data / "db.sqlite3")
    return launch_new


@pytest.fixture
def old_redis() -> Iterator[str]:
    """Yield the address of a server that answers INFO as a Redis 6.0 does, and nothing else."""
    info = b"# Server\r\nredis_version:6.0.16\r\n"
    answer = b"$%d\r\n%s\r\n" % (len(info), info)

    def serve(connection: socket.socket) -> None:
        with connection:
            while data := connection.recv(4096):
                for command in data.split(b"*")[1:]:
                    is_info = b"\r\nINFO\r\n" in command
                    connection.sendall(answer if is_info else b"-ERR unknown command\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=serve, args=[connection], daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def test_run_prints_one_line_and_stops_on_ctrl_c(launch_new: Launch) -> None:
    run = launch_new().open()
    assert run.answers()
    assert len(run.family) >= 3
    assert (run.data / "redis").stat().st_mode & 0o777 == 0o700
    for name in ("secret_key", "db.sqlite3"):
        assert (run.data / name).stat().st_mode & 0o777 == 0o600, f"others may not read {name}"
    assert f"(process {run.pid})" in launch_new().refusal(), (
        "each data directory has one supervisor"
    )

    assert run.press_ctrl_c() == 0
    assert run.is_gone()
    assert re.fullmatch(rf"[^\n]*http://127\.0\.0\.1:{run.port}/[^\n]*\n", run.printed)
    assert run.errors == ""


def test_kill_leaves_no_process_and_loses_no_data(launch: Launch) -> None:
    run = launch().open()
    with client(run.redis_url) as redis:
        redis.set(MARK, 1)
    assert run.process is not None
    run.process.kill()
    run.process.wait()
    wait_until(run.is_gone, within_s=60, what="all children end")

    again = launch().open()
    with client(again.redis_url) as redis:
        assert redis.exists(MARK)


def test_dead_children_are_restarted_and_the_redis_server_is_named(launch: Launch) -> None:
    run = launch(LOG_LEVEL="INFO").open()
    assert f": Starting the Redis server: {find_binary()}\n" in run.errors
    log = (run.data / "redis" / "redis.log").read_text()
    assert re.search(r"(Redis|Valkey) version=\d+\.\d+", log)
    with client(run.redis_url) as redis:
        redis.set(MARK, 1)
        redis.bgrewriteaof()  # the restart has written all data to the disk
        wait_until(
            lambda: not redis.info("persistence")["aof_rewrite_in_progress"],
            within_s=60,
            what="the file is written",
        )
    run.kill_child("mahjong_site.web")
    run.kill_child("worker")
    wait_until(lambda: run.errors.count("starting it again") == 2, within_s=60, what="two lines")
    wait_until(run.answers, within_s=60, what="the site answers again")

    run.kill_child("unixsocket")  # the option of the Redis server
    wait_until(lambda: "The Redis server ended" in run.errors, within_s=60, what="a line about it")
    wait_until(lambda: is_answering(run.redis_url), within_s=60, what="Redis answers again")
    with client(run.redis_url) as redis:
        assert redis.exists(MARK)


def test_repeatedly_dying_child_ends_the_site(launch: Launch) -> None:
    """The supervisor is asked for JSON lines."""
    run = launch(LOG_FORMAT="json").open()
    (opened,) = map(json.loads, run.printed.splitlines())
    assert opened["message"].startswith("The site is open at http://127.0.0.1:")
    assert (opened["level"], opened["process"]) == ("INFO", run.pid)
    refused = json.loads(launch(LOG_FORMAT="json").refusal())
    assert "is in use by another running site" in refused["message"]
    assert refused["level"] == "CRITICAL"
    for _ in range(5):
        run.kill_child("worker")
    assert run.process is not None
    assert run.process.wait(60) == 1
    first, *_, last = map(json.loads, run.errors.splitlines())
    assert first["message"] == "The worker ended (signal SIGKILL); starting it again now."
    assert (first["level"], first["logger"]) == ("WARNING", "mahjong_site.supervisor.supervisor")
    assert last["message"].endswith("the last time with signal SIGKILL; giving up.")
    assert run.is_gone()


def test_child_that_fails_to_start_is_named() -> None:
    supervisor = Supervisor(Configuration(host="127.0.0.1", port=free_port()))
    supervisor.slots = [Slot("web server", ["sleep", "60"], {}), Slot("worker", ["false"], {})]
    children = [slot.start() for slot in supervisor.slots]
    for slot, child in zip(supervisor.slots, children, strict=True):
        slot.child = child
    wait_until(lambda: not children[1].is_running, within_s=60, what="the worker ends")
    with pytest.raises(CannotRun, match=r"^The worker did not start \(exit code 1\)\.$"):
        supervisor.await_answer()
    supervisor.stop()
    assert not children[0].is_running


def test_used_port_is_reported_in_one_line(launch: Launch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert launch(port).refusal() == (
            f"Port {port} on 127.0.0.1 is in use. Choose another: make run PORT={port + 1}\n"
        )


def test_missing_redis_is_reported_in_one_line(launch: Launch) -> None:
    url = f"redis://:secret@127.0.0.1:{free_port()}/0"
    line = launch(REDIS_URL=url).refusal()
    assert line.startswith("Cannot reach Redis at redis://127.0.0.1:")
    assert "secret" not in line


def test_old_redis_is_reported_in_one_line(launch: Launch, old_redis: str) -> None:
    assert launch(REDIS_URL=old_redis).refusal() == (
        f"Redis at {old_redis} (REDIS_URL) is version 6.0.16; 6.2 or newer is needed.\n"
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "perhaps"),
        ("TABLE_PACE", "fast"),
        ("TABLE_PACE", "-1"),
        ("TABLE_PACE", "nan"),
        ("ALLOWED_ORIGINS", "example.org"),
        ("SOCKETS_PER_ADDRESS", "-1"),
        ("METRICS_PORT", "70000"),
        ("LOG_FORMAT", "xml"),
        ("LOG_LEVEL", "LOUD"),
        ("EMAIL_URL", "pigeon://home"),
        ("HTTPS", "perhaps"),
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "sqlite:////no-such-directory/db.sqlite3"),
        ("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none"),
        ("DATABASE_URL", "mysql://user@127.0.0.1/name"),
        ("MAHJONG_ENV", "/no-such-directory/mahjong.env"),
        ("REDIS_URL", "nonsense"),
        ("DATA_DIR", "/proc/nowhere"),
    ],
)
def test_invalid_setting_is_reported_in_one_line(launch: Launch, name: str, value: str) -> None:
    launch(**{name: value}).refusal()


EXTERNAL = {
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
}
"""Addresses of servers that other machines could share; none of them runs."""


def test_shared_servers_need_a_given_key(launch: Launch) -> None:
    run = launch(**EXTERNAL)
    assert run.refusal().startswith("REDIS_URL and DATABASE_URL are set and SECRET_KEY is not")
    assert not (run.data / "secret_key").exists()


@pytest.mark.parametrize(
    "command", [["-m", "mahjong_site.web", "--port", "0"], ["manage.py", "worker"]]
)
def test_separate_programs_need_a_given_key(tmp_path: Path, command: list[str]) -> None:
    env = environment(tmp_path, **EXTERNAL)
    ended = subprocess.run(
        [sys.executable, *command], cwd=settings.BASE_DIR, env=env, capture_output=True, timeout=60
    )
    assert ended.returncode == 1
    assert b"SECRET_KEY is not" in ended.stderr
    assert b"Traceback" not in ended.stderr


def test_refusal_offers_the_existing_key(launch: Launch) -> None:
    run = launch(**EXTERNAL)
    run.data.mkdir(exist_ok=True)
    (run.data / "secret_key").write_text("made earlier\n")
    assert f"Give the one in {run.data / 'secret_key'} to all of them." in run.refusal()


def test_with_a_key_shared_servers_are_accepted(launch: Launch) -> None:
    line = launch(**EXTERNAL, SECRET_KEY="k" * 50).refusal()
    assert line.startswith("Cannot reach Redis")


def test_invalid_port_is_reported_in_one_line(launch: Launch) -> None:
    run = launch()
    run.port = "http"  # type: ignore[assignment]
    assert run.refusal() == "The port is 'http'; it can be a number from 1 to 65535.\n"


@pytest.mark.parametrize(
    ("url", "scheme"), [("mysql://user:secret@127.0.0.1/name", "mysql"), ("secret@127.0.0.1", "")]
)
def test_unsupported_database_is_named(launch: Launch, url: str, scheme: str) -> None:
    assert launch(DATABASE_URL=url).refusal() == (
        f"DATABASE_URL begins with {scheme!r}; it can be postgres or sqlite.\n"
    )


def test_documented_log_levels_are_those_that_exist() -> None:
    documented = re.search(
        "^# (.*); line or json", (ROOT / "deploy/mahjong.env").read_text(), re.MULTILINE
    )
    assert documented
    assert set(re.findall("[A-Z]+", documented[1])) == set(logs.LEVELS)
    assert set(logs.LEVELS) <= logging.getLevelNamesMapping().keys()


def test_used_metrics_port_is_reported_in_one_line(launch: Launch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert launch(METRICS_PORT=str(port)).refusal() == (
            f"METRICS_PORT: port {port} on 127.0.0.1 is in use.\n"
        )


@pytest.mark.parametrize("name", ["DEBUG", "LOG_LEVEL"])
def test_refused_setting_can_be_a_json_line(launch: Launch, name: str) -> None:
    refused = json.loads(launch(LOG_FORMAT="json", **{name: "perhaps"}).refusal())
    assert refused["message"].startswith(f"{name} is 'perhaps'")
