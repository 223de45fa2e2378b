"""Fixtures for all tests, and the figures printed at the end of a run."""

from __future__ import annotations

import asyncio
import fcntl
import gc
import os
import shutil
import sqlite3
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache, caches
from django.db import connection
from django.db.models import Model
from django.db.models.signals import post_migrate
from django.template import Template
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from markdown_it import MarkdownIt

from lobby.accounts import rate_limits
from lobby.play.rule_form import RuleForm
from mahjong_site.static_files import StaticFiles
from tests.kit import processes
from tests.kit.async_client import views_in_threads
from tests.kit.processes import RedisServer, Site, migrate_database
from tools import postgresql, words

_LONGEST_FIRST = (
    "faults/",
    *("web/test_whole_game", "web/test_survival", "e2e/test_four_pages", "e2e/test_lobby"),
    *("e2e/", "cluster/", "infra/", "web/", "bots/", "bench/"),
)

# A shared machine may stall for a second while Hypothesis draws an example.
hypothesis_settings.register_profile(
    "shared machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("shared machine")

if sys.platform == "linux":
    processes.child_type = processes.ForkedChild

IN_MEMORY = "file:memorydb_default?mode=memory&cache=shared"
"""The name of Django's SQLite database of a test process."""
_kept_rows: dict[type[Model], list[tuple[Any, ...]]] = {}
"""The rows of each model that migrations fill."""
_OPENS_NOTHING = ("tests/engine/", "tests/records/", "tests/bots/")
"""Folders whose tests only compute."""


def pytest_configure(config: pytest.Config) -> None:
    """Make the words of the languages, once, before test modules are imported."""
    if not hasattr(config, "workerinput"):
        words.main()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests first, so that the processes finish at about the same time."""

    def rank(item: pytest.Item) -> int:
        starts = [
            place for place, name in enumerate(_LONGEST_FIRST) if f"tests/{name}" in item.nodeid
        ]
        return min(starts, default=len(_LONGEST_FIRST))

    items.sort(key=rank)


@pytest.fixture(scope="module", autouse=True)
def _spared_by_the_collector() -> None:
    """Freeze the objects that exist already: collecting after each test then takes a few
    milliseconds."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _leaks_found(request: pytest.FixtureRequest) -> Iterator[None]:
    """Collect garbage after each test that could leave a socket or an event loop open. Python warns
    of an open one when it is collected, and the warning then fails this test and not a later
    one."""
    yield
    if not request.node.nodeid.startswith(_OPENS_NOTHING):
        gc.collect()


@pytest.fixture(autouse=True)
def _no_language_remains() -> Iterator[None]:
    """Deactivate the language of the test: a synchronous client leaves the language of its last
    page active."""
    yield
    translation.deactivate()


@pytest.fixture(scope="session", autouse=True)
def _static_files_listed_once() -> Iterator[None]:
    """Share the list of static files among the handlers of this process. Each client of a test
    makes a handler, which otherwise reads the state of some 370 files."""
    listed: dict[tuple[str, ...], dict[str, Any]] = {}

    def add_files(handler: StaticFiles) -> None:
        places = tuple(map(str, settings.STATICFILES_DIRS))
        if places not in listed:
            list_files(handler)
            listed[places] = handler.files
        handler.files = listed[places]

    list_files = StaticFiles.add_files_from_finders
    StaticFiles.add_files_from_finders = add_files
    yield
    StaticFiles.add_files_from_finders = list_files


@pytest.fixture(scope="session", autouse=True)
def _views_run_in_threads() -> Iterator[None]:
    with views_in_threads():
        yield


@pytest.fixture(scope="session", autouse=True)
def _rendered_in_a_loop() -> Iterator[list[str]]:
    """Note what the site renders in a thread that runs an event loop, which may hold tables."""
    noted: list[str] = []
    tests = Path(__file__).parent

    def is_loop_running() -> bool:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return False
        return True

    def watch(owner: Any, name: str, what: str) -> Callable[[], None]:
        original = getattr(owner, name)

        def call(*args: Any, **named: Any) -> Any:
            if is_loop_running():
                *callers, _ = traceback.extract_stack(limit=6)
                if not Path(callers[-1].filename).is_relative_to(tests):
                    noted.append(f"{what}: {''.join(traceback.format_list(callers))}")
            return original(*args, **named)

        setattr(owner, name, call)
        return lambda: setattr(owner, name, original)

    restore = [
        watch(Template, "render", "template"),
        watch(MarkdownIt, "render", "Markdown"),
        watch(RuleForm, "__init__", "form of switches"),
    ]
    yield noted
    for undo in restore:
        undo()


@pytest.fixture(autouse=True)
def _nothing_made_before() -> None:
    """Forget what earlier tests have made: their games may have had the same names."""
    caches["made"].clear()


@pytest.fixture(autouse=True)
def _nothing_is_rendered_in_a_loop(_rendered_in_a_loop: list[str]) -> Iterator[None]:
    _rendered_in_a_loop.clear()
    yield
    assert not _rendered_in_a_loop, f"rendered in an event loop: {_rendered_in_a_loop[:5]}"


@pytest.fixture
def fresh() -> Iterator[None]:
    """Run the test with an empty cache and without a language that an earlier test has chosen."""
    cache.clear()
    with translation.override(None):
        yield
    cache.clear()


@pytest.fixture(autouse=True)
def _limits_in_one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no window of a limit end during a test."""
    start = time.time()
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(time=lambda: start))


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """Yield a running, empty Redis that only this test uses."""
    # Names below pytest's own directories are too long for a unix socket.
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        server = RedisServer(Path(directory))
        server.start()
        yield server
        server.kill()


def make_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return the directory that `make(path)` makes, once for all processes of this run."""
    own = factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    path, unfinished = shared / name, shared / f"{name}.unfinished"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            shutil.rmtree(unfinished, ignore_errors=True)  # of a run that was killed
            make(unfinished)
            unfinished.rename(path)
    return path


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of an SQLite file with empty tables, to copy."""

    def make(path: Path) -> None:
        path.mkdir()
        migrate_database(path)

    return make_once(tmp_path_factory, "database", make) / "db.sqlite3"


@pytest.fixture(scope="session")
def migrated_postgresql(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data of a stopped PostgreSQL with empty tables: a template for
    `postgresql.run_server`."""

    def make(path: Path) -> None:
        with postgresql.run_server(keep=path) as url:
            migrate_database(tmp_path_factory.mktemp("postgresql"), DATABASE_URL=url)

    return make_once(tmp_path_factory, "postgresql-data", make)


@pytest.fixture
def site(redis_server: RedisServer, migrated_database: Path, tmp_path: Path) -> Iterator[Site]:
    """Yield a site without processes; the test starts the ones it needs."""
    made = Site(redis_server, tmp_path, migrated_database)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def _copied_tables(request: pytest.FixtureRequest) -> Iterator[None]:
    """Copy the empty tables into SQLite's database of this process, so that pytest-django finds all
    migrations applied. Running the migrations takes seconds in each process."""
    if connection.vendor != "sqlite":
        yield
        return
    template: Path = request.getfixturevalue("migrated_database")
    with (
        closing(sqlite3.connect(template)) as source,
        closing(sqlite3.connect(IN_MEMORY, uri=True)) as tables,
    ):
        source.backup(tables)
        yield


def _restore_permissions(**_: Any) -> None:
    """Insert the content types and permissions again, as the migrations have made them."""
    ContentType.objects.clear_cache()
    with connection.cursor() as cursor:
        for model, rows in _kept_rows.items():
            names = ", ".join(str(field.column) for field in model._meta.concrete_fields)
            places = ", ".join(["%s"] * len(rows[0]))
            table = model._meta.db_table
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)


def _deletions(style: Any, tables: Sequence[str], **_: Any) -> list[str]:
    """Return the statements that empty PostgreSQL's tables. They are small: TRUNCATE of all takes
    ten times as long. References are checked when all are empty."""
    return [f"DELETE FROM {connection.ops.quote_name(table)}" for table in tables]


@pytest.fixture(scope="session")
def django_db_setup(
    _copied_tables: None, django_db_setup: None, django_db_blocker: Any
) -> Iterator[None]:
    """Insert content types and permissions from memory after each test that empties the tables:
    Django would compare all models with the tables each time. At the end close the sessions of the
    threads of finished tests, so that PostgreSQL can drop the database."""
    if connection.vendor == "postgresql":
        connection.ops.sql_flush = _deletions  # type: ignore[method-assign]
    with django_db_blocker.unblock():
        for model in (ContentType, Permission):
            _kept_rows[model] = list(model._default_manager.values_list())
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)
    post_migrate.connect(_restore_permissions, sender=apps.get_app_config("auth"))
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have counted, and repeat which checks beside the tests have failed."""
    figures = [
        str(value)
        for reports in terminalreporter.stats.values()
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == "figures" and report.when == "call"
    ]
    if figures:
        terminalreporter.section("figures")
        for line in figures:
            terminalreporter.line(line)
    file = os.environ.get("CHECKS_FAILED")  # tools/check.py
    failed = Path(file).read_text().split() if file else []
    if failed:
        terminalreporter.section("checks that have failed", red=True, bold=True)
        terminalreporter.line(", ".join(failed))
