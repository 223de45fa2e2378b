"""Backups of the site: its running tables, its database and, on request, its key.

A backup is a directory that only its owner can read:

    tables           copies of running tables, sealed as in Redis
    database         the SQLite file, or what pg_dump writes of PostgreSQL
    secret_key       the key of the data directory, on request
    manifest.json    the contents; written last, so that a backup without it is incomplete

Tables are copied before the database. A game that ends in between is then in both, and is not
Tables are copied before the database. A game that ends in between is then in both, and is not
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, connections
from django.db.backends.postgresql.client import DatabaseClient

from game.live.process import Process
from game.models import Game
from game.tables import copies
from game.tables.codec import decode_room
from game.tables.copies import TableCopy
from game.tables.errors import TableError
from game.tables.outcomes import FROZEN
from game.tables.requests import Restore
from game.tables.room import TableId
from game.tables.sealing import Sealer, site_sealer
from game.tables.worker import LEASE_MS, is_any_alive
from mahjong_site import data_dir, redis_server
from mahjong_site.supervisor.child import Child
from mahjong_site.version import VERSION

FORMAT: Final = 1
TABLES: Final = "tables"
DATABASE: Final = "database"
SECRET_KEY: Final = "secret_key"
MANIFEST: Final = "manifest.json"
_LENGTH_BYTES: Final = 8
_REDIS_START_S: Final = 60
_MINUTE_MS: Final = 60_000
_QUERY_BATCH: Final = 500
_MODELS_OF_PEOPLE: Final = ("game.Game", "game.Player", "lobby.Person", "auth.User")
"""A database without rows of these holds nothing that a backup could overwrite."""


class BackupError(Exception):
    """The backup cannot be made or restored. The text is for the operator."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a backup."""

    format: int
    made_at: int
    """Milliseconds since the epoch."""
    version: str
    """The version of the site that was backed up."""
    database: str
    """`sqlite` or `postgresql`."""
    tables: int
    key_ids: list[str]
    """Public ids of the keys that the tables may be sealed under."""


class Restored(msgspec.Struct, frozen=True):
    """The numbers of tables that a restore put back, found in the database, or left out."""

    running: int
    """Put back; their games go on."""
    archived: int
    """Not put back: their games had ended when the database was copied."""
    left_out: int
    """Not put back, at the wish of the operator."""


# Making a backup


def make_backup(directory: Path, *, with_key: bool) -> Manifest:
    """Write a backup of this site into a new or empty directory. The site may run meanwhile. Raises
    BackupError."""
    key = _read_key() if with_key else b""
    _prepare_directory(directory)
    sealer = site_sealer()
    with redis_of_site():
        count = asyncio.run(_copy_tables(directory / TABLES))
    _copy_database(directory / DATABASE)
    if key:
        _write_file(directory / SECRET_KEY, key)
    manifest = Manifest(
        format=FORMAT,
        made_at=time.time_ns() // 1_000_000,
        version=VERSION,
        database=connection.vendor,
        tables=count,
        key_ids=[key_id.hex() for key_id in sealer.key_ids],
    )
    _write_file(directory / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return manifest


def _read_key() -> bytes:
    path = data_dir.secret_key_path(settings.DATA_DIR)
    if os.environ.get("SECRET_KEY", "").strip():
        raise BackupError(
            "The key of this site is in its settings (SECRET_KEY) and not in DATA_DIR: keep a copy "
            "of the settings, and leave out --with-key."
        )
    return path.read_bytes()


def _prepare_directory(directory: Path) -> None:
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise BackupError(f"{directory} is not empty: name a new directory for each backup.")
        directory.chmod(0o700)
    except OSError as error:
        raise BackupError(f"Cannot use {directory}: {error.strerror}.") from None


def _write_file(path: Path, data: bytes) -> None:
    with _private_file(path) as file:
        file.write(data)


@contextmanager
def _private_file(path: Path) -> Iterator[Any]:
    """Open a new file that only its owner can read. At the end of the block, force it to the
    disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


async def _copy_tables(path: Path) -> int:
    process, count = Process(settings.REDIS_URL), 0
    try:
        with _private_file(path) as file:
            async for copy in copies.copy_tables(process.store):
                data = copies.encoder.encode(copy)
                file.write(len(data).to_bytes(_LENGTH_BYTES) + data)
                count += 1
    except TableError as error:
        raise BackupError(f"Redis cannot be reached: {error}") from None
    finally:
        await process.stop()
    return count


def _copy_database(path: Path) -> None:
    if connection.vendor == "postgresql":
        with _private_file(path) as file:
            _run_postgresql(["pg_dump", "--format=custom", "--no-owner", "--no-acl"], file)
        return
    source = settings.DATABASE_FILE
    if source is None or not source.exists():
        raise BackupError(f"There is no database at {source}.")
    with _private_file(path):
        pass
    try:
        with (
            closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as live,
            closing(sqlite3.connect(path)) as copy,
        ):
            live.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, which needs no other beside it
    except sqlite3.Error as error:
        raise BackupError(f"The database cannot be copied: {error}") from None


# Restoring one


def restore_backup(
    directory: Path, *, hold_minutes: int, notice: str, without_tables: bool
) -> Restored:
    """Put the backup into the empty Redis and the empty database of this site, which must not be
    running. Running games become unrated and their current hands are dealt again; the clocks of
    their tables are stopped for `hold_minutes`. Raises BackupError."""
    manifest = _read_manifest(directory)
    key_file = directory / SECRET_KEY
    uses_key = key_file.exists() and not os.environ.get("SECRET_KEY", "").strip()
    sealer = site_sealer()
    if uses_key:
        sealer = Sealer([key_file.read_text().strip(), *settings.SECRET_KEY_FALLBACKS])
    tables = [] if without_tables else _readable_tables(directory, sealer, manifest)
    with redis_of_site(alone=True):
        asyncio.run(_check_redis())
        _check_database()
        _restore_database(directory / DATABASE)
        if uses_key:
            data_dir.replace_secret_key(settings.DATA_DIR, key_file.read_text())
        archived = _find_archived(tables)
        wanted = set(tables) - archived
        if wanted:
            kept = (copy for copy in _read_copies(directory) if copy.table_id in wanted)
            asyncio.run(_restore_tables(kept, sealer, hold_minutes * _MINUTE_MS, notice))
    return Restored(len(wanted), len(archived), manifest.tables - len(tables))


def _read_manifest(directory: Path) -> Manifest:
    try:
        manifest = msgspec.json.decode((directory / MANIFEST).read_bytes(), type=Manifest)
    except OSError:
        raise BackupError(f"{directory} holds no complete backup: it has no {MANIFEST}.") from None
    except msgspec.MsgspecError as error:
        raise BackupError(f"{directory / MANIFEST} is damaged: {error}") from None
    if manifest.format != FORMAT:
        raise BackupError(f"{directory} has format {manifest.format}, which is not known here.")
    if manifest.database != connection.vendor:
        raise BackupError(
            f"The backup holds a database of {manifest.database}, and DATABASE_URL names one of "
            f"{connection.vendor}."
        )
    return manifest


def _read_copies(directory: Path) -> Iterator[TableCopy]:
    with (directory / TABLES).open("rb") as file:
        while length := file.read(_LENGTH_BYTES):
            data = file.read(int.from_bytes(length))
            try:
                yield copies.decoder.decode(data)
            except msgspec.MsgspecError as error:
                raise BackupError(f"{directory / TABLES} is damaged: {error}") from None


def _readable_tables(directory: Path, sealer: Sealer, manifest: Manifest) -> list[TableId]:
    """Return the ids of all tables in the backup. Raises BackupError unless this site can read
    every one."""
    tables, sealed = list[TableId](), 0
    for copy in _read_copies(directory):
        snapshot = copies.unseal_snapshot(copy, sealer)
        if snapshot is None:
            sealed += 1
            continue
        try:
            decode_room(snapshot)
        except msgspec.MsgspecError:
            raise BackupError(
                f"Table {copy.table_id} cannot be read by this version ({VERSION}); the backup "
                f"is of version {manifest.version}."
            ) from None
        tables.append(copy.table_id)
    if sealed:
        raise BackupError(
            f"{sealed} running tables cannot be read with the key of this site. Give the key of "
            "the site that was backed up as SECRET_KEY, or in SECRET_KEY_FALLBACKS; or leave the "
            "tables out with --without-tables."
        )
    return tables


async def _check_redis() -> None:
    process = Process(settings.REDIS_URL)
    try:
        now = process.service.now_ms()
        heartbeats = await process.heartbeat.read((), with_accepting=True)
        beats = [record.beat_at for record in heartbeats.by_process.values()]
        if await is_any_alive(process.worker_beats) or any(
            now - beat <= LEASE_MS for beat in beats
        ):
            raise BackupError("A site runs on this Redis: end all its processes first.")
        if await process.store.index.list_running() or await process.store.index.list_frozen():
            raise BackupError("Redis holds tables: a backup is restored into an empty one.")
    except TableError as error:
        raise BackupError(f"Redis cannot be used: {error}") from None
    finally:
        await process.stop()


def _check_database() -> None:
    if settings.DATABASE_FILE is not None and not settings.DATABASE_FILE.exists():
        return
    try:
        names = connection.introspection.table_names()
        for label in _MODELS_OF_PEOPLE:
            model = apps.get_model(label)
            if model._meta.db_table in names and model._default_manager.exists():
                raise BackupError(
                    f"The database holds rows of {label}: a backup is restored into an empty one."
                )
    except DatabaseError as error:
        raise BackupError(f"The database cannot be used: {' '.join(str(error).split())}") from None
    finally:
        connections.close_all()


def _restore_database(path: Path) -> None:
    if connection.vendor == "postgresql":
        options = ["--clean", "--if-exists", "--no-owner", "--no-acl", "--exit-on-error"]
        words = ["pg_restore", *options, "--single-transaction"]
        with path.open("rb") as file:
            _run_postgresql(words, file)
    else:
        target = settings.DATABASE_FILE
        assert target is not None
        try:
            with (
                closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as copy,
                closing(sqlite3.connect(target)) as live,
            ):
                copy.backup(live)
            target.chmod(0o600)
        except (sqlite3.Error, OSError) as error:
            raise BackupError(f"The database cannot be restored: {error}") from None
    call_command("migrate", verbosity=0, interactive=False)
    connections.close_all()


def _run_postgresql(words: list[str], file: Any) -> None:
    """Run a command on the database of the settings: pg_dump, which writes to `file`, or
    pg_restore, which reads from it."""
    command, env = DatabaseClient.settings_to_cmd_args_env(dict(settings.DATABASES["default"]), [])
    *options, name = command[1:]
    streams: dict[str, Any] = {"stdout": file}
    if words[0] == "pg_restore":
        streams = {"stdin": file, "stdout": subprocess.DEVNULL}
    try:
        ended = subprocess.run(
            [*words, *options, "--dbname", name],
            env={**os.environ, **(env or {})},
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            **streams,
        )
    except FileNotFoundError:
        raise BackupError(
            f"{words[0]} is not installed; it comes with the client programs of PostgreSQL "
            "(Debian: postgresql-client)."
        ) from None
    if ended.returncode:
        raise BackupError(f"{words[0]} failed: {ended.stderr.strip()}")


async def _restore_tables(
    kept: Iterator[TableCopy], sealer: Sealer, hold_ms: int, notice: str
) -> None:
    process = Process(settings.REDIS_URL, sealer=sealer)
    try:
        await process.store.publish_sealing_key()
        for copy in kept:
            await copies.put_copy_back(process.redis, copy)
            # A finished game, which waits for the archive, refuses that and stays as it is.
            outcome = await process.service.apply_request(
                copy.table_id, Restore(secrets.token_bytes(32), hold_ms, notice)
            )
            if outcome != FROZEN:
                await copies.schedule_copy(process.store, copy)
    except TableError as error:
        raise BackupError(f"The tables cannot be put back: {error}") from None
    finally:
        await process.stop()


def _find_archived(tables: Sequence[TableId]) -> set[TableId]:
    """Return those of these tables whose finished games are in the database."""
    found = set[TableId]()
    for first in range(0, len(tables), _QUERY_BATCH):
        part = tables[first : first + _QUERY_BATCH]
        found |= {
            TableId(pk) for pk in Game.objects.filter(pk__in=part).values_list("pk", flat=True)
        }
    connections.close_all()
    return found


# Redis while a command runs


@contextmanager
def redis_of_site(*, alone: bool = False) -> Iterator[None]:
    """During the block, run the site's own Redis, unless it is running already or REDIS_URL names
    another one.

    With `alone`, raises BackupError if anything else runs from the data directory.
    """
    with ExitStack() as stack:
        try:
            if os.environ.get("REDIS_URL", "").strip():
                redis_server.check_version(settings.REDIS_URL)
            elif alone or not redis_server.is_answering(settings.REDIS_URL):
                stack.enter_context(data_dir.lock_data_dir(settings.DATA_DIR, "backup"))
                stack.callback(_start_redis().stop)
        except (redis_server.RedisUnusable, data_dir.DataDirError) as error:
            raise BackupError(str(error)) from None
        yield


def _start_redis() -> Child:
    directory, path = redis_server.private_directories(settings.DATA_DIR)
    binary = redis_server.find_binary(directory)
    command = redis_server.command(binary, directory, path)
    server = Child("Redis server", command, env=os.environ, cwd=directory)
    server.start()
    until = time.monotonic() + _REDIS_START_S
    while not redis_server.is_answering(settings.REDIS_URL):
        if not server.is_running or time.monotonic() > until:
            server.stop()
            log = redis_server.log_file(directory)
            raise BackupError(f"Redis did not start ({server.ending}); {log} says why.")
        time.sleep(0.02)
    return server
