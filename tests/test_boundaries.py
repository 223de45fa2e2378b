"""Checks in the syntax trees which package may import which.

Imports point downward: engine; then analysis; then records and bots; then programs of others and
redis; then results and tables; then archive and imports; then reviews and moderation; then live;
then operations; then the lobby; then the site. A package may import itself and what its row names.
The site imports neither bench nor tests nor tools; tests may import bench.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent

IMPURE = frozenset(
    """
    asyncio concurrent contextvars ctypes datetime email ftplib getpass glob http importlib io
    locale logging mmap multiprocessing os pathlib pickle platform queue random sched secrets
    select selectors shelve shutil signal smtplib socket socketserver sqlite3 ssl subprocess sys
    tempfile threading time urllib uuid warnings webbrowser
    """.split()  # noqa: SIM905
)
"""Modules of the standard library that reach out of a computation: clock, chance, system."""

STDLIB = frozenset(sys.stdlib_module_names)
PURE = STDLIB - IMPURE
ENGINE = "game.engine"
PLATFORM = {"asgiref", "channels", "django", "msgspec"}

TABLE_ACCESS = frozenset(
    """
    game.bots game.engine.clock game.engine.consistency game.engine.presets game.engine.rules
    game.live.authentication game.live.process game.live.rate_limits
    game.operations.personal_data game.redis.pipeline.Command
    game.redis.pipeline.Script game.results.game_text game.results.ladders game.tables.database
    game.tables.bridge game.tables.errors game.tables.room game.tables.settings
    game.tables.store.reaching_redis
    """.split()  # noqa: SIM905
)
"""The modules of running tables, rules, results and Redis that the lobby may use."""

ALLOWED: dict[str, set[str]] = {
    "game/engine": {*PURE, "msgspec", "xiangting", ENGINE},
    "game/analysis": {*PURE, "jansou_native", "msgspec", "xiangting", ENGINE, "game.analysis"},
    "game/records": {*STDLIB, "cryptography", "msgspec", ENGINE},
    "game/mjai_programs": {*STDLIB, "msgspec", ENGINE, "game.records"},
    "game/bots": {*(STDLIB - {"asyncio", "socket", "time"}), "msgspec", "numpy", ENGINE}
    | {"game.analysis"},
    "game/redis": {*STDLIB, "channels.layers", "django", "hiredis", "msgspec", "redis"}
    | {"game.redis"},
    "game/identity": {*STDLIB, "asgiref", "django"},
    "game/reviews": {*STDLIB, "channels.db", "django", "msgspec", ENGINE}
    | {"game.analysis", "game.bots", "game.archive", "game.imports", "game.models"}
    | {"game.mjai_programs", "game.records", "game.results.accuracy"},
    "game/puzzles": {*STDLIB, "msgspec", ENGINE, "game.analysis", "game.bots"}
    | {"game.reviews.choices", "game.reviews.figures", "game.reviews.moments"},
    "game/results": {
        *STDLIB,
        "channels.db",
        "django",
        "msgspec",
        "openskill",
        "resvg_py",
        "asgiref",
        "game.identity",
        "game.models",
        "game.reviews.figures",
        ENGINE,
    }
    | {"game.records"},
    "game/imports": {*STDLIB, "channels.db", "django", "msgspec", ENGINE}
    | {"game.models", "game.records"},
    "game/tables": {*STDLIB, "msgspec", "django", "channels.db", ENGINE}
    | {"cryptography", "prometheus_client"}
    | {"game.bots", "game.models", "game.redis"},
    "game/archive": {*STDLIB, "channels.db", "django", "msgspec", ENGINE}
    | {"game.models", "game.results", "game.tables"},
    "game/live": {*STDLIB, *PLATFORM, "prometheus_client", ENGINE, "game.archive"}
    | {"game.analysis", "game.bots", "game.models", "game.redis", "game.results", "game.tables"}
    | {"game.identity", "game.moderation"},
    "game/moderation": {*STDLIB, "django", "msgspec", "game.identity", "game.models"}
    | {"game.tables"},
    "game/operations": {*STDLIB, *PLATFORM, "prometheus_client", ENGINE, "game.archive"}
    | {"game.records"}
    | {"game.live", "game.models", "game.moderation.blocks", "game.redis", "game.results"}
    | {"game.tables"},
    # These modules put the processes of the site together.
    "game/management": {*STDLIB, *PLATFORM, "game", "mahjong_site"},
    "game": {*STDLIB, *PLATFORM, "game"},
    "lobby/accounts": {*STDLIB, "channels.db", "confusable_homoglyphs", "django"}
    | {"msgspec", "game.identity", "game.moderation.sanctions", "game.results.avatars"}
    | {"game.results.game_text", "game.results.players", "game.tables.errors", "lobby.models"},
    "lobby/friends": {*STDLIB, "channels.db", "django", *TABLE_ACCESS, "game.moderation.blocks"}
    | {"game.results.players", "lobby.accounts", "lobby.models", "lobby.play"},
    "lobby/play": {*STDLIB, "channels", "django", "msgspec", *TABLE_ACCESS, ENGINE}
    | {"game.archive.hand_schedule", "game.identity", "game.live", "game.models"}
    | {"game.moderation", "game.imports.imported_game", "game.redis.clients.Redis"}
    | {"game.results", "game.tables", "lobby.accounts", "lobby.models"},
    "lobby/clubs": {*STDLIB, "django", "markdown_it", "msgspec", "nh3", *TABLE_ACCESS}
    | {"lobby.accounts", "lobby.models", "lobby.play"},
    "lobby/events": {*STDLIB, "channels.db", "django", "msgspec", *TABLE_ACCESS}
    | {"game.models.GameSeat", "game.results.group_results", "game.engine.by_seat"}
    | {"game.engine.points", "game.engine.state", "game.operations.table_administration"}
    | {"game.tables.room", "game.tables.requests", "game.tables.scheduler"}
    | {"lobby.accounts", "lobby.clubs", "lobby.models", "lobby.play"},
    "lobby/bots": {*STDLIB, "channels", "django", "msgspec", ENGINE, *TABLE_ACCESS}
    | {"game.moderation.sanctions", "game.records", "game.results.players", "game.tables"}
    | {"game.live", "game.redis", "lobby.accounts", "lobby.models", "lobby.play"},
    "lobby/learn": {*PURE, "random", "django", "msgspec", ENGINE, "game.results.game_text"}
    | {"game.analysis", "game.reviews.figures", "game.reviews.game_review"}
    | {"lobby.accounts.forms", "lobby.models", "lobby.play"},
    "lobby/puzzles": {*PURE, "random", "django", "msgspec", ENGINE, "game.puzzles.puzzle"}
    | {"game.results.game_text", "game.results.ladders", "game.results.review_sentences"}
    | {"game.results.review_texts", "game.reviews.figures", "game.reviews.reasons"}
    | {"lobby.accounts.models", "lobby.learn", "lobby.models"},
    # Pages and sockets of the lobby, in the folders of their features.
    "lobby pages": {*STDLIB, "channels", "django", "msgspec", "lobby", *TABLE_ACCESS}
    | {
        "game.identity",
        "game.imports",
        "game.live.encoding",
        "game.reviews.all_curves",
        "game.reviews.storage",
        "game.puzzles.puzzle",
        "game.models.ImportedRecord",
        "game.records.formats",
        "game.engine.events.Event",
        "game.engine.state.Table",
        "game.models.Game",
        "game.models.GameSeat",
        "game.moderation.reports",
        "game.moderation.sanctions",
        "game.results.accuracy",
        "game.results.filters",
        "game.results.made_once",
        "game.results.board_picture",
        "game.results.replay_links",
        "game.results.replay_positions",
        "game.results.charts",
        "game.results.group_results",
        "game.operations.game_export",
        "game.models.GamePlayer",
        "game.results.replay_script",
        "game.results.replay_views",
        "game.results.review_texts",
        "game.archive.archive.read_events",
        "game.imports.records.KEPT_DAYS",
        "game.live.send_queue",
        "game.operations.personal_data",
    },
    "lobby": {*STDLIB, "django", "django_otp", "segno", *TABLE_ACCESS}
    | {"game.moderation.pairs", "game.moderation.sanctions", "lobby"},
    "mahjong_site": {*STDLIB, *PLATFORM, "csp", "daphne", "dj_database_url", "psycopg"}
    | {"django_otp", "twisted", "websockets", "whitenoise", "game", "lobby"},
}
"""The nearest row above a file applies to it."""

PAGES = re.compile(r"lobby/\w+/(\w*views|api|consumer|fragments|urls)\.py")
"""The pages, sockets and interfaces of a feature."""
PAGE_MODULE = re.compile(r"lobby\.\w+\.(\w*views|api|consumer|fragments|urls)\b")

ALSO_ALLOWED: dict[str, set[str]] = {
    "game/engine/value.py": {"mahjong"},
    "mahjong_site/origin_check.py": {"prometheus_client"},
    "mahjong_site/pages.py": {"prometheus_client"},
}


def rows() -> Iterator[tuple[str, Path]]:
    """Yield each Python file of the layers, preceded by the name of its row."""
    for top in ("game", "lobby", "mahjong_site"):
        for path in sorted((ROOT / top).rglob("*.py")):
            yield row_of(path.relative_to(ROOT).as_posix()), path


def row_of(name: str) -> str:
    """Return the row of that file: the nearest folder above it, or that of the lobby's pages."""
    if PAGES.fullmatch(name):
        return "lobby pages"
    return max((row for row in ALLOWED if name.startswith(f"{row}/")), key=len)


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements in the node, at every depth. `ast.walk` visits expressions too, which
    are ten times as many and import nothing."""
    for field in ("body", "orelse", "handlers", "finalbody", "cases"):
        for statement in getattr(node, field, []):
            yield statement
            yield from statements_in(statement)


@cache
def imports_in(source: str, package: str) -> list[tuple[int, str]]:
    """Return the line and the full name of each import, anywhere in the file."""
    return list(_imports_in(source, package))


def _imports_in(source: str, package: str) -> Iterator[tuple[int, str]]:
    for node in statements_in(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*(parents if node.level else []), *filter(None, [node.module])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def trespasses(source: str, row: str, name: str) -> list[str]:
    """Return the imports of the file that its row does not allow."""
    allowed = ALLOWED[row] | ALSO_ALLOWED.get(name, set()) | {row.replace("/", ".")}
    package = name.rpartition("/")[0].replace("/", ".")
    return [
        f"{name}:{line} imports {module}"
        for line, module in imports_in(source, package)
        if not any(module == package or module.startswith(f"{package}.") for package in allowed)
        or (row.startswith("lobby/") and PAGE_MODULE.match(module))
    ]


def imported_tests(source: str, name: str) -> list[str]:
    """Return what the file imports from test modules, not all of which mypy checks."""
    package = name.rpartition("/")[0].replace("/", ".")
    return [
        f"{name}:{line} imports {module}"
        for line, module in imports_in(source, package)
        if re.match(r"tests\.(\w+\.)*test_", module)
    ]


def test_no_test_module_is_imported() -> None:
    found = [
        found
        for top in ("bench", "tests", "tools")
        for path in sorted((ROOT / top).rglob("*.py"))
        for found in imported_tests(path.read_text(), path.relative_to(ROOT).as_posix())
    ]
    assert not found, "move what is shared into a module without tests:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "from tests.live.test_hub import frames",
        "from tests.live import test_hub",
        "import tests.test_hints",
        "from .test_hub import frames",
    ],
)
def test_import_of_a_test_module_is_found(source: str) -> None:
    assert imported_tests(source, "tests/live/newcomer.py")


def test_what_the_site_imports_is_installed_with_it() -> None:
    """Also by commands and by the bot program, which import some packages late."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    names = {canonicalize_name(re.split("[=\\[ ]", line)[0]) for line in lines if "==" in line}
    installed = {
        top
        for top, owners in packages_distributions().items()
        if names & {canonicalize_name(owner) for owner in owners}
    }
    own = {"game", "lobby", "mahjong_site"}
    files = [*(path for _, path in rows()), ROOT / "manage.py", *ROOT.glob("static/bots/*.py")]
    assert not [
        f"{path}:{line} imports {module}"
        for path in files
        for line, module in imports_in(path.read_text(), _package_of(path))
        if module.split(".")[0] not in STDLIB | installed | own
    ]


def _package_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).parts[:-1])


def test_every_layer_imports_downward_only() -> None:
    found = [
        trespass
        for row, path in rows()
        for trespass in trespasses(path.read_text(), row, path.relative_to(ROOT).as_posix())
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("row", "source"),
    [
        ("game/engine", "import random"),
        ("game/engine", "from os import path"),
        ("game/engine", "def late():\n    import asyncio"),
        ("game/engine", "import mahjong.shanten"),
        ("game/engine", "from game import models"),
        ("game/engine", "from ..tables import service"),
        ("game/engine", "import django"),
        ("game/bots", "from game.tables.service import submit"),
        ("game/bots", "from bench.bots import fitting"),
        ("game/management", "import bench.bots.comparison"),
        ("lobby/bots", "from tests.kit import play"),
        ("mahjong_site", "from bench import load"),
        ("game/tables", "from game.live import hub"),
        ("game/analysis", "import django.conf"),
        ("game/records", "from game import models"),
        ("game/tables", "from game.live.consumer import TableConsumer"),
        ("game/tables", "from game.live import outbound"),
        ("game/tables", "from game.results.ratings import rate_game"),
        ("game/tables", "import lobby"),
        ("game/results", "from game.live import consumer"),
        ("game/moderation", "from game.live.process import current"),
        ("game", "from lobby.models import Person"),
        ("lobby", "from game.tables import store"),
        ("lobby/accounts", "from lobby.accounts.views import sign_up"),
        ("lobby/accounts", "from lobby.play import queues"),
        ("lobby/play", "from lobby.clubs import members"),
        ("lobby/clubs", "from lobby.events import standings"),
        ("lobby/clubs", "from game.models import Game"),
        ("lobby", "from game.models import Game"),
        ("lobby", "import redis"),
        ("lobby", "from game.redis.pipeline import Pipeline"),
        ("game/tables", "from redis.asyncio import Redis"),
        ("game/live", "from redis.exceptions import RedisError"),
        ("game/operations", "import redis"),
        ("game/management", "import redis"),
        ("mahjong_site", "import redis"),
    ],
)
def test_an_import_upward_is_found(row: str, source: str) -> None:
    assert trespasses(source, row, f"{row}/newcomer.py")


@pytest.mark.parametrize(
    ("row", "source"),
    [
        ("game/engine", "from dataclasses import dataclass\nimport msgspec\nfrom . import tiles"),
        ("game/tables", "from game.engine.state import Table\nfrom game.models import Game"),
        ("game", "from game.tables import service\nfrom game.live import inbound"),
        ("lobby pages", "from lobby.play import pregame_services\nfrom lobby.models import Person"),
    ],
)
def test_an_import_downward_is_accepted(row: str, source: str) -> None:
    assert not trespasses(source, row, f"{row}/newcomer.py")
