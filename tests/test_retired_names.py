"""No module, class, function or test has a name that was retired because nobody understood it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("bench", "game", "lobby", "mahjong_site", "tests", "tools")

RETIRED_MODULES = frozenset(
    """
    afterwards alarms books chores doors endings gatherings holding house inbox lane later leaving
    line listeners matters moves onlookers outbox parts past pokes pulse running shelf stands
    standing told upkeep whereabouts windows
    """.split()  # noqa: SIM905
)
"""Names of modules and packages."""

RETIRED_CLASSES = frozenset(
    """
    Alarms Gathering Heard House Inbox Lane Later Line Listener Listeners Matter Onlookers Outbox
    Pokes Pulse Rooms Sight Stands Studies Upkeep Windows
    """.split()  # noqa: SIM905
)

RETIRED_FUNCTIONS = frozenset(
    """
    ear happened heard here house moved owe owes past poke poked said told
    """.split()  # noqa: SIM905
)
"""Names of functions and methods, with or without a leading underscore."""

RETIRED_WORDS = re.compile(
    r"(?:^|_)(gatherings?|onlookers?|pokes?|poked|pulse|alarms?|whereabouts|shelf|stands|matters?"
    r"|upkeep|house)(?=_|$)"
)
"""Words that no function, class or test has in its name."""


def definitions() -> Iterator[tuple[str, str, str]]:
    """Yield (place, kind, name) for everything that has a name of its own."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            yield place, "module", path.parent.name if path.stem == "__init__" else path.stem
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    yield f"{place}:{node.lineno}", "class", node.name
                elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield f"{place}:{node.lineno}", "function", node.name


def is_retired(kind: str, name: str) -> bool:
    if kind == "module":
        bare = name.removeprefix("test_")
        return bare in RETIRED_MODULES or bool(RETIRED_WORDS.search(bare))
    if kind == "class":
        return name.lstrip("_") in RETIRED_CLASSES
    return name.lstrip("_") in RETIRED_FUNCTIONS or bool(RETIRED_WORDS.search(name))


def test_no_definition_has_a_retired_name() -> None:
    found = [f"{place}: {kind} {name}" for place, kind, name in definitions()]
    retired = [row for row in found if is_retired(*row.split(": ")[1].split(" ", 1))]
    assert not retired, "retired names:\n" + "\n".join(retired)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("module", "stands"),
        ("module", "test_pokes"),
        ("class", "_House"),
        ("function", "_told"),
        ("function", "test_a_lost_poke_is_made_good"),
    ],
)
def test_a_retired_name_is_found(kind: str, name: str) -> None:
    assert is_retired(kind, name)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("module", "spectator_pacer"), ("class", "Subscriber"), ("function", "is_removed")],
)
def test_a_plain_name_is_not(kind: str, name: str) -> None:
    assert not is_retired(kind, name)
