"""A backup is made while the site runs, and restored into an empty site."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from game.engine.commands import RestoreGame
from game.engine.events import GameRestored, HandDrawn, HandStarted
from game.engine.presets import preset
from game.engine.rules import TENHOU
from game.engine.state import Phase
from game.live.process import Process
from game.tables.codec import decode_commit
from game.tables.outcomes import Done
from game.tables.requests import Hold, Resume
from game.tables.room import Room, TableId
from mahjong_site.redis_server import Binary, command, find_bundled, probe_program
from tests.faults.table_checks import read_archived_log
from tests.kit.commands import manage, run_python
from tests.kit.processes import RedisServer, environment, free_port
from tests.tables.staging import FakeTime, discards_quietly, open_people_table, until_due
from tools import postgresql

ROOT = Path(settings.BASE_DIR)
KEY = "of no use outside this test, and long enough for a key"


def servers() -> list[Binary]:
    """Return the bundled server, those on PATH, and those that REDIS_SERVERS names."""
    named = os.environ.get("REDIS_SERVERS", "").split(os.pathsep)
    on_path = [shutil.which(name) for name in ("redis-server", "valkey-server")]
    found = [find_bundled(), *(probe_program(path) for path in (*on_path, *named) if path)]
    return [port for port in found if port is not None]


def label_of(binary: Binary) -> str:
    return f"{binary.name} {binary.version[0]}.{binary.version[1]}"


@pytest.fixture
def directory() -> Iterator[Path]:
    """Yield a directory whose path is short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="mj-") as made:
        yield Path(made)


MakeServer = Callable[..., RedisServer]


@pytest.fixture(params=servers(), ids=label_of)
def make_server(request: pytest.FixtureRequest) -> Iterator[MakeServer]:
    """Yield a function that makes servers of one version, each over a data directory, without
    starting them."""
    made: list[RedisServer] = []

    def make(data: Path, *, preferred: bool = False) -> RedisServer:
        """Make a server. With `preferred`, use the bundled server instead of a version that the
        site does not choose by itself."""
        data.mkdir(exist_ok=True)
        passed_over = preferred and not request.param.is_preferred
        made.append(RedisServer(data, find_bundled() if passed_over else request.param))
        return made[-1]

    yield make
    for server in made:
        server.kill()


def refusal(env: dict[str, str], *words: str | Path) -> str:
    """Return the one line that the refused command prints."""
    ended = run_python(env, "manage.py", *words)
    assert ended.returncode == 1, ended.stdout
    assert "Traceback" not in ended.stderr
    assert ended.stderr.count("\n") == 1, ended.stderr
    return ended.stderr


@pytest.fixture(scope="module")
def database(migrated_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a database with one account, to copy."""
    data = tmp_path_factory.mktemp("account")
    path = data / "db.sqlite3"
    shutil.copyfile(migrated_database, path)
    env = environment(data, DJANGO_SUPERUSER_PASSWORD="long enough 1", SECRET_KEY=KEY)
    manage(env, "createsuperuser", "--no-input", "--username=ada", "--email=a@example.org")
    return path


def with_account(data: Path, database: Path) -> None:
    """Copy that database into this data directory."""
    data.mkdir(exist_ok=True)
    shutil.copyfile(database, data / "db.sqlite3")


def accounts(path: Path) -> list[str]:
    with sqlite3.connect(path) as database:
        return [name for (name,) in database.execute("SELECT username FROM auth_user")]


async def stage_tables(url: str) -> tuple[Room, Room, Room]:
    """Stage three tables: one in the middle of its second hand, one between two hands, and one of
    three players in the middle of its second hand."""
    time = FakeTime()
    process = Process(url, now_ms=time, name="before")
    await process.heartbeat.beat()
    rooms = []
    for phase, hands, rules in (
        (Phase.TURN, 2, TENHOU),
        (Phase.RESULT, 1, TENHOU),
        (Phase.TURN, 2, preset("tenhou-3")),
    ):
        table_id = await open_people_table(process, count=rules.players, rules=rules)
        room = await process.service.read_room(table_id)
        while room.table.phase != phase or room.table.hands_dealt != hands:
            room = await until_due(process, time, room.table_id)
        rooms.append(room)
    await process.service.apply_request(rooms[1].table_id, Hold(60_000, "back soon"))
    rooms[1] = await process.service.read_room(rooms[1].table_id)
    await process.redis.delete("workers", "receiving")
    await process.stop()
    return rooms[0], rooms[1], rooms[2]


ARCHIVE_GAME_OF_THREE = """
from msgspec.structs import replace
from bench.played_games import play_room
from game.engine.presets import preset
from game.live.process import ARCHIVE
from game.tables.room import SeatMeta
rules = replace(
    preset("tenhou-3"), start_points=3_000, return_points=3_000, goal_points=3_000, oka=0
)
seats = tuple(SeatMeta(f"bot {seat}", bot="sensible") for seat in range(3))
ARCHIVE.save_game(*play_room("three", seats, rules, seed=5, started_at=1_790_000_000_000))
"""


async def test_finished_game_of_three_is_restored(
    directory: Path, redis_server: RedisServer, database: Path
) -> None:
    old, new, copy = directory / "old", directory / "new", directory / "copy"
    with_account(old, database)
    env = environment(old, REDIS_URL=redis_server.url, SECRET_KEY=settings.SECRET_KEY)
    manage(env, "shell", "-c", ARCHIVE_GAME_OF_THREE)
    manage(env, "backup", copy)
    new.mkdir()
    env = environment(new, REDIS_URL=redis_server.url, SECRET_KEY=settings.SECRET_KEY)
    manage(env, "restore", copy)
    archived = [read_archived_log(path / "db.sqlite3", TableId("three"), 3) for path in (old, new)]
    assert archived[0]
    assert archived[0] == archived[1]


def log_of(rows: list[tuple[int, bytes]]) -> list[object]:
    return [event for _, data in rows for event in decode_commit(data).events]


async def check_restored(url: str, before: tuple[Room, Room, Room]) -> None:
    """Check that the tables are as before except for the hand and the seed, are paused, and can go
    on."""
    process = Process(url)
    try:
        assert set(await process.store.index.list_running()) == {room.table_id for room in before}
        assert {row.table_id for row in await process.service.list_tables()} == {
            room.table_id for room in before
        }
        for old in before:
            room = await process.service.read_room(old.table_id)
            rows = await process.store.read_entries(old.table_id, 1)
            assert [version for version, _ in rows] == list(range(1, old.version + 2))
            last = decode_commit(rows[-1][1])
            assert isinstance(last.commands[0], RestoreGame)
            assert last.commands[0].seed == room.table.seed != old.table.seed
            assert (room.table.kyoku, room.table.honba) == (old.table.kyoku, old.table.honba)
            assert room.meta == old.meta
            assert room.clock.paused_at > 0
            assert room.notice.startswith("This game was restored from a backup.")
        first, between, of_three = [await process.service.read_room(old.table_id) for old in before]
        assert between.table.phase == Phase.RESULT
        assert len(of_three.table.scores) == 3
        for old, running in ((before[0], first), (before[2], of_three)):
            assert running.table.wall != old.table.wall
            assert running.table.hands_dealt == 3
            events = log_of(await process.store.read_entries(running.table_id, running.version))
            kinds = [type(event) for event in events]
            assert kinds[:4] == [HandDrawn, *kinds[1:2], GameRestored, HandStarted]
            outcome = await process.service.apply_request(running.table_id, Resume())
            assert isinstance(outcome, Done)
            later = await discards_quietly(process, running.table_id)
            assert later.version == running.version + 2
    finally:
        await process.stop()


async def test_site_with_own_redis_is_restored(
    directory: Path,
    make_server: MakeServer,
    database: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The backup is made while Redis runs, and restored where no server runs."""
    old, new, copy = directory / "old", directory / "new", directory / "copy"
    monkeypatch.setattr(settings, "SECRET_KEY", KEY)
    with_account(old, database)
    (old / "secret_key").write_text(KEY + "\n")
    server = make_server(old)
    server.start()
    before = await stage_tables(server.url)
    output = manage(environment(old), "backup", copy, "--with-key")
    assert "3 running tables" in output
    assert stat.S_IMODE(copy.stat().st_mode) == 0o700
    files = {path.name: path for path in copy.iterdir()}
    assert set(files) == {"tables", "database", "secret_key", "manifest.json"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files.values()} == {0o600}
    assert not any(room.table.seed in files["tables"].read_bytes() for room in before)
    manifest = json.loads(files["manifest.json"].read_text())
    assert (manifest["database"], manifest["tables"]) == ("sqlite", 3)

    again = make_server(new, preferred=True)
    link = directory / "bin" / "redis-server"
    link.parent.mkdir()
    link.symlink_to(again.binary.path)
    path = f"{link.parent}{os.pathsep}{os.environ['PATH']}"
    output = manage(environment(new, PATH=path), "restore", copy)
    assert "3 running tables are restored" in output
    assert accounts(new / "db.sqlite3") == ["ada"]
    assert stat.S_IMODE((new / "db.sqlite3").stat().st_mode) == 0o600
    assert (new / "secret_key").read_text().strip() == KEY
    assert stat.S_IMODE((new / "secret_key").stat().st_mode) == 0o600
    again.start()
    await check_restored(again.url, before)
    assert "is not empty" in refusal(environment(old), "backup", copy)


async def test_site_with_external_redis_is_restored(
    directory: Path,
    make_server: MakeServer,
    database: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old, new, copy = directory / "old", directory / "new", directory / "copy"
    monkeypatch.setattr(settings, "SECRET_KEY", KEY)
    with_account(old, database)
    servers = [make_server(directory / name) for name in ("redis-1", "redis-2")]
    for server in servers:
        server.start()
    before = await stage_tables(servers[0].url)
    manage(environment(old, REDIS_URL=servers[0].url, SECRET_KEY=KEY), "backup", copy)
    assert not (copy / "secret_key").exists()
    new.mkdir()
    env = environment(new, REDIS_URL=servers[1].url, SECRET_KEY=KEY)
    assert "cannot be read with the key" in refusal(env | {"SECRET_KEY": "other"}, "restore", copy)
    assert not (new / "db.sqlite3").exists()
    manage(env, "restore", copy)
    assert accounts(new / "db.sqlite3") == ["ada"]
    await check_restored(servers[1].url, before)
    line = refusal(env, "restore", copy)
    assert "Redis holds tables" in line


async def test_game_ended_during_the_backup_is_not_replayed(
    directory: Path, redis_server: RedisServer, database: Path
) -> None:
    old, new, copy = directory / "old", directory / "new", directory / "copy"
    with_account(old, database)
    before = await stage_tables(redis_server.url)
    env = environment(old, REDIS_URL=redis_server.url, SECRET_KEY=settings.SECRET_KEY)
    ended = before[0].table_id
    manage(
        env,
        "shell",
        "-c",
        "from game.models import Game; from django.utils.timezone import now; "
        f"Game.objects.create(table_id={ended!r}, rules={{}}, is_public=True, started_at=now(), "
        "ended_at=now(), hands=[])",
    )
    manage(env, "backup", copy)
    new.mkdir()
    other = RedisServer(new)
    other.start()
    try:
        env = environment(new, REDIS_URL=other.url, SECRET_KEY=settings.SECRET_KEY)
        output = manage(env, "restore", copy)
        assert "2 running tables are restored" in output
        assert "1 games had ended" in output
        process = Process(other.url)
        left = {room.table_id for room in before[1:]}
        assert set(await process.store.index.list_running()) == left
        await process.stop()
    finally:
        other.kill()


@pytest.mark.skipif("TEST_DATABASE_URL" not in os.environ, reason="no PostgreSQL was asked for")
async def test_site_on_postgresql_is_restored(directory: Path, redis_server: RedisServer) -> None:
    """The backup is restored into a database without tables, and into one that the site has
    prepared."""
    copy, one = directory / "copy", directory / "one"
    one.mkdir()
    before = await stage_tables(redis_server.url)
    given = {"SECRET_KEY": settings.SECRET_KEY, "DJANGO_SUPERUSER_PASSWORD": "long enough 1"}
    with postgresql.run_server() as url:
        env = environment(one, REDIS_URL=redis_server.url, DATABASE_URL=url, **given)
        manage(env, "migrate", "--verbosity=0")
        manage(env, "createsuperuser", "--no-input", "--username=ada", "--email=a@example.org")
        assert "The postgresql database and 2 running" in manage(env, "backup", copy)
        assert {stat.S_IMODE(path.stat().st_mode) for path in copy.iterdir()} == {0o600}
        for name in ("bare", "prepared"):
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            server = RedisServer(directory / name)
            server.start()
            new_url = url.rpartition("/")[0] + f"/{name}"
            new = environment(one, REDIS_URL=server.url, DATABASE_URL=new_url, **given)
            if name == "prepared":
                manage(new, "migrate", "--verbosity=0")
            assert "3 running tables are restored" in manage(new, "restore", copy)
            with psycopg.connect(new_url) as connection:
                found = connection.execute("SELECT username FROM auth_user").fetchall()
            assert found == [("ada",)]
            assert "Redis holds tables" in refusal(new, "restore", copy)
            await check_restored(server.url, before)
            server.kill()
        sqlite = environment(one, REDIS_URL=redis_server.url, **given)
        assert "holds a database of postgresql" in refusal(sqlite, "restore", copy)


def test_backup_starts_the_own_redis_of_a_stopped_site(directory: Path, database: Path) -> None:
    old, copy = directory / "old", directory / "copy"
    with_account(old, database)
    assert "0 running tables" in manage(environment(old), "backup", copy)


def test_restore_overwrites_no_data(directory: Path, database: Path) -> None:
    old, copy = directory / "old", directory / "copy"
    with_account(old, database)
    env = environment(old)
    manage(env, "backup", copy)
    assert "The database holds rows of" in refusal(env, "restore", copy)
    (copy / "manifest.json").unlink()
    assert "no complete backup" in refusal(env, "restore", copy)


def test_key_from_the_environment_is_not_copied(directory: Path, database: Path) -> None:
    old = directory / "old"
    with_account(old, database)
    line = refusal(environment(old, SECRET_KEY=KEY), "backup", directory / "copy", "--with-key")
    assert "SECRET_KEY" in line
    assert not (directory / "copy").exists()


def test_lone_redis_dump_is_refused_at_start(directory: Path) -> None:
    """A server with an append-only file would ignore the dump and start empty."""
    data = directory / "redis"
    data.mkdir()
    (data / "dump.rdb").write_bytes(b"REDIS0009")
    words = ("manage.py", "run", "--port", str(free_port()))
    ended = run_python(environment(directory), *words)
    assert ended.returncode == 1
    assert "holds a dump.rdb and no append-only files" in ended.stderr
    (data / "appendonlydir").mkdir()
    binary = find_bundled()
    assert binary is not None
    command(binary, data, data / "redis.sock")
