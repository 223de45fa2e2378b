"""The script that runs before there is a virtual environment works on any Python."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires

import pytest
from django.conf import settings
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.hashes import LOCKS

BOOTSTRAP = settings.BASE_DIR / "tools" / "bootstrap.py"


def test_bootstrap_parses_on_old_pythons() -> None:
    ast.parse(BOOTSTRAP.read_text(), feature_version=(3, 6))


def test_python_2_can_parse_bootstrap() -> None:
    """In Python 2 `print` is a statement, and `importlib` has no `util`."""
    tree = ast.parse(BOOTSTRAP.read_text())
    assert "print" not in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    at_once = [name for node in tree.body if isinstance(node, ast.Import) for name in node.names]
    assert "importlib.util" not in {name.name for name in at_once}
    assert not [node for node in tree.body if isinstance(node, ast.ImportFrom)]


def test_old_python_is_refused_in_one_line() -> None:
    as_an_old_python = (
        "import runpy, sys; sys.version_info = (3, 8, 10); sys.argv = ['bootstrap.py', 'x'];"
        f"runpy.run_path({str(BOOTSTRAP)!r}, run_name='__main__')"
    )
    run = subprocess.run([sys.executable, "-c", as_an_old_python], capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.startswith("Python 3.11 or newer is needed;")
    assert run.stderr.count("\n") == 1


def test_every_requirement_is_pinned() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        for line in (settings.BASE_DIR / name).read_text().splitlines():
            if line and not line.startswith(("#", "-r ")):
                assert "==" in line.split(";")[0], f"{name}: {line}"


@pytest.mark.parametrize("name", LOCKS)
def test_hashes_are_those_of_the_requirements(name: str) -> None:
    """If this fails: `make hashes`."""
    pinned = {_pin(line) for line in (settings.BASE_DIR / f"{name}.txt").read_text().splitlines()}
    lock = (settings.BASE_DIR / f"{name}.lock").read_text()
    hashed = {_pin(line) for line in re.findall(r"^([a-z0-9].*) \\$", lock, re.MULTILINE)}
    assert hashed == pinned - {None}
    for entry in re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE)[1:]:
        assert re.fullmatch(r".+ \\\n(    --hash=sha256:[0-9a-f]{64}( \\)?\n)+", entry), entry


def _pin(line: str) -> tuple[str, str] | None:
    """Return the name and the version of a requirement; None for another line."""
    if not line or line.startswith(("#", "-r ")):
        return None
    one = Requirement(line)
    return canonicalize_name(one.name), str(one.specifier)


@pytest.mark.parametrize("version", ["3.11.2", "3.12.12", "3.14.2"])
@pytest.mark.parametrize(
    ("system", "machine"), [("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64")]
)
def test_dependencies_of_requirements_are_pinned(version: str, system: str, machine: str) -> None:
    """The requirements are checked also for Debian 12's Python, for which some packages need one
    more.

    The installed packages name their requirements; the test does not follow one that is not
    installed.
    """
    environment = {
        "python_full_version": version,
        "python_version": version.rpartition(".")[0],
        "sys_platform": system,
        "platform_system": system.capitalize(),
        "platform_machine": machine,
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "os_name": "posix",
        "extra": "",
    }
    pinned: dict[str, Requirement] = {}
    for line in (settings.BASE_DIR / "requirements.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            one = Requirement(line)
            if one.marker is None or one.marker.evaluate(environment):
                pinned[canonicalize_name(one.name)] = one
    missing = [
        f"{pin.name} needs {needed}"
        for pin in pinned.values()
        for needed in map(Requirement, _needs(pin))
        for extra in ("", *pin.extras)
        if needed.marker is None or needed.marker.evaluate(environment | {"extra": extra})
        if canonicalize_name(needed.name) not in pinned
    ]
    assert missing == []


def _needs(one: Requirement) -> list[str]:
    """Return the requirements of the package; none if it is not installed."""
    try:
        return requires(one.name) or []
    except PackageNotFoundError:
        return []
