"""Runs everything that CI runs: ``python -m tools.check``, or some steps of it by name.

``python -m tools.check long`` runs the long forms of the tests, before a release.

All steps run, also after one has failed. The tests come last, so that the output ends with their
summary. Steps that the tests do not depend on run at the same time, at a low priority, because
tests often wait and leave a processor idle.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Final

from tools import line_lengths, newer_python, postgresql, system

ROOT = Path(__file__).resolve().parent.parent


def main(names: Sequence[str]) -> int:
    """Run these steps, or all. Return the exit code for the shell."""
    if list(names) == ["long"]:
        os.environ["LONG"] = "1"
        names = LONG_STEPS
    known = STEPS | ON_REQUEST
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"No such step: {unknown[0]}. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    wanted = names or list(STEPS)
    # The tests start some 200 Python processes. Without __pycache__ each of them compiles the site
    # anew, which is half of its start, and each process of pytest compiles all tests.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    beside = [name for name in wanted if name in BESIDE_TESTS and "tests" in wanted]
    with tempfile.NamedTemporaryFile("w+") as failed:
        os.environ["CHECKS_FAILED"] = failed.name
        others = threading.Thread(target=_run_beside_tests, args=[beside, failed], daemon=True)
        for name in wanted:
            if name in beside:
                continue
            if name not in PREPARATIONS and others.ident is None:
                others.start()
            print(f"== {name}", flush=True)
            has_passed = known[name]()
            if name == "tests":
                others.join()
            elif not has_passed:
                print(f"== {name} failed", flush=True)
            if not has_passed:
                _note_failed_step(name, failed)
        return 1 if Path(failed.name).read_text() else 0


def _run_beside_tests(names: Sequence[str], failed: IO[str]) -> None:
    """Run these steps one after the other, beside the tests. Print each step's output when it
    ends."""
    for name in names:
        done = subprocess.run(
            ["nice", "-n", "15", sys.executable, "-m", "tools.check", name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        print(f"\n{done.stdout}", end="", flush=True)
        if done.returncode:
            _note_failed_step(name, failed)


def _note_failed_step(name: str, failed: IO[str]) -> None:
    """Record that the step has failed, for the summary of the tests and the exit code."""
    failed.write(f"{name}\n")
    failed.flush()


def _check_migrations() -> bool:
    """Check that no migration is missing for the models."""
    with tempfile.TemporaryDirectory() as data:
        env = dict(os.environ, DATA_DIR=data, PYTHONWARNINGS="error")
        env.pop("DATABASE_URL", None)
        # Only `migrate` makes the file, and the check compares its history.
        return _run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], env) and _run(
            [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"], env
        )


def _fetch_js_packages() -> bool:
    """Fetch the packages of package-lock.json: the compiler that checks types, and packages for
    tests."""
    if not (_is_installed(system.NODE) and _is_installed(system.NPM)):
        return False
    stamp = ROOT / "node_modules" / ".stamp"
    wanted = hashlib.sha256((ROOT / "package-lock.json").read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        if not _run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]):
            return False
        stamp.write_text(wanted)
    return True


def _check_js_types() -> bool:
    """Check the client against its JSDoc types."""
    return _fetch_js_packages() and _run(
        ["node", "node_modules/typescript/bin/tsc", "-p", "jsconfig.json"]
    )


def _run_js_tests() -> bool:
    if not _is_installed(system.NODE):
        return False
    files = sorted(str(path) for path in Path("tests/js").rglob("*.test.js"))
    return _run(["node", "--test", "--test-reporter=spec", *files])


def _install_chromium() -> bool:
    system.install_programs(
        system.CHROMIUM_SHELL, system.CHROMIUM
    )  # not every system has the shell
    return _is_installed(system.CHROMIUM)


def _fetch_if_possible(program: system.Program) -> bool:
    """Fetch the program. If that fails, the tests that need it are skipped: the step passes and
    prints how to install the program."""
    if not system.fetch_program(program):
        print(program.advice, flush=True)
    return True


def _compile_tests() -> None:
    """Compile the tests once, unless they are compiled already. Otherwise each test process would
    compile all of them."""
    if not any(ROOT.glob("tests/**/__pycache__/*-pytest-*.pyc")):
        _run([sys.executable, "-m", "pytest", "--collect-only", "-qq", "--no-summary"], quiet=True)


_ORDER_OPTIONS: Final = ("--no-loadscope-reorder", "--tb", "native")
_POSTGRESQL_MARK: Final = "pytest.mark.postgresql"
_TWO_PROCESSES: Final = (
    *(sys.executable, "-m", "pytest", "-qq", "-n", "2", "--dist", "loadscope"),
    *_ORDER_OPTIONS,
)


def _run_tests() -> bool:
    # Native tracebacks: for its own ones pytest parses the source, which sometimes fails in the
    # greenlets of a browser and then ends the whole run. Three processes: on two processors four
    # were 5 % sooner, and each takes 10 s of CPU more to import all tests and to start its browser
    # and sites. With more of them, games and pages of each test run longer, and compute more.
    _compile_tests()
    return _run_python("-m", "pytest", "-n", "3", "--dist", "loadscope", *_ORDER_OPTIONS)


def _run_on_postgresql(*tests: str) -> bool:
    """Run these tests on PostgreSQL instead of SQLite. Where it is not installed, print so, and
    pass."""
    try:
        with postgresql.run_server() as url:
            env = dict(os.environ, TEST_DATABASE_URL=url)
            return _run([*_TWO_PROCESSES, *tests], env)
    except postgresql.NotInstalled as error:
        print(f"Nothing was run on PostgreSQL. {error}", flush=True)
        return True
    except postgresql.CannotStart as error:
        print(error, file=sys.stderr, flush=True)
        return False


def _run_marked_on_postgresql() -> bool:
    """Run the tests with the mark `postgresql`. Only their files are imported: all would take ten
    seconds."""
    files = [
        path for path in Path("tests").rglob("test_*.py") if _POSTGRESQL_MARK in path.read_text()
    ]
    return _run_on_postgresql("-m", "postgresql", *sorted(map(str, files)))


def _run_on_cluster() -> bool:
    """Run the tests of tables on a Redis Cluster instead of one Redis."""
    return _run([*_TWO_PROCESSES, "tests/tables"], dict(os.environ, TEST_REDIS="cluster"))


BIOME: Final = ("node", "node_modules/@biomejs/biome/bin/biome")


def _check_format() -> bool:
    """Whether all files are formatted as `make format` writes them."""
    python = _run_python("-m", "ruff", "format", "--check", "--quiet", "--diff", ".")
    tables = _run_python("-m", "tools.rule_tables", "--check")
    scripts = _fetch_js_packages() and _run([*BIOME, "format", *line_lengths.SCRIPTS])
    templates = _run_python("-m", "djlint", "--check", "--quiet", line_lengths.TEMPLATES)
    return python and tables and scripts and templates


def _run_linters() -> bool:
    python = _run_python("-m", "ruff", "check", "--quiet", ".")
    scripts = _fetch_js_packages() and _run(
        [*BIOME, "lint", "--error-on-warnings", *line_lengths.SCRIPTS]
    )
    templates = _run_python("-m", "djlint", "--lint", "--quiet", line_lengths.TEMPLATES)
    return python and scripts and templates and line_lengths.main() == 0


def _reformat() -> bool:
    """Format all files, repair what the linters can repair, and write the tables of the rules."""
    python = _run_python("-m", "ruff", "format", ".") and _run_python(
        "-m", "ruff", "check", "--fix", "."
    )
    tables = _run_python("-m", "tools.rule_tables")
    scripts = _fetch_js_packages() and _run([*BIOME, "check", "--write", *line_lengths.SCRIPTS])
    templates = _run_python("-m", "djlint", "--reformat", "--quiet", line_lengths.TEMPLATES)
    return python and tables and scripts and templates


def _is_installed(program: system.Program) -> bool:
    if system.install_programs(program):
        return True
    print(program.advice, file=sys.stderr, flush=True)
    return False


def _run_python(*arguments: str) -> bool:
    return _run([sys.executable, *arguments])


def _run(command: Sequence[str], env: dict[str, str] | None = None, *, quiet: bool = False) -> bool:
    output = subprocess.DEVNULL if quiet else None
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=output)
    return done.returncode == 0


STEPS: dict[str, Callable[[], bool]] = {
    "words": partial(_run_python, "-m", "tools.words"),
    "format": _check_format,
    "lint": _run_linters,
    "types": partial(_run_python, "-m", "mypy"),
    "migrations": _check_migrations,
    "js-packages": _fetch_js_packages,
    "js-types": _check_js_types,
    "js-tests": _run_js_tests,
    "bundle": partial(_run_python, "-m", "tools.bundle"),
    "chromium": _install_chromium,
    "nginx": partial(_fetch_if_possible, system.NGINX),
    "promtool": partial(_fetch_if_possible, system.PROMTOOL),
    "postgresql": _run_marked_on_postgresql,
    "cluster": _run_on_cluster,
    "tests": _run_tests,
}
PREPARATIONS: Final = {"words", "js-packages"}
"""What the steps beside the tests need."""
BESIDE_TESTS: Final = {"format", "lint", "types", "migrations", "js-types", "js-tests"}
ON_REQUEST: dict[str, Callable[[], bool]] = {
    "all-on-postgresql": partial(_run_on_postgresql, "-m", "django_db"),
    "newer-python": newer_python.main,
    "reformat": _reformat,
}
"""Steps that run only if they are named."""
LONG_STEPS: Final = (
    *("words", "js-packages", "bundle", "chromium", "nginx", "promtool"),
    *("all-on-postgresql", "cluster", "newer-python", "tests"),
)
"""The steps of `make test-long`, with LONG=1."""

if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
