"""No definition in the code or in the scripts has a name that was retired as unclear."""

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
    afterwards alarms books chores columns door doors endings gatherings holding house inbox lane
    later leaving line listeners matters moves onlookers outbox parts past pokes pulse reviewing
    running shelf stands standing subjects told upkeep viewer_counts whereabouts windows
    """.split()  # noqa: SIM905
)
"""Names of modules and packages."""

RETIRED_CLASSES = frozenset(
    """
    Alarms Gathering Heard House Inbox Lane Later Line Listener Listeners Matter Onlookers Outbox
    Place Pokes Pulse Refused Rooms Sight Stands Studies TimeUp Upkeep Windows
    """.split()  # noqa: SIM905
)

RETIRED_FUNCTIONS = frozenset(
    """
    announce_receiving check_all ear engine_pool entered find_place going_down happened heard
    here house is_allowed is_shown_late joined late_audience migrated moved owe owes past
    place_player poke poked reached receive_no_more said saved settled signed_up staged studied
    table_opened told voted
    """.split()  # noqa: SIM905
)
"""Names of functions and methods, with or without a leading underscore."""

RETIRED_WORDS = re.compile(
    r"(?:^|_)(doors?|gatherings?|onlookers?|pokes?|poked|pulse|alarms?|whereabouts|shelf|stands|matters?"
    r"|upkeep|house|whoever|audiences?)(?=_|$)"
)
"""Words that no function, class or test has in its name."""

RETIRED_LOOP_VARIABLES = frozenset({"one"})
"""Names of variables of loops and comprehensions, and of parameters of lambdas."""

SCRIPT_FOLDERS = ("static/js", "tests/js")
RETIRED_IN_SCRIPTS = frozenset(
    """
    aiming asks audience door doors echo eyes floor ghost gossip happened heard here house lane
    matter matters owe owes past poke pulse said shelf stands told
    """.split()  # noqa: SIM905
)
"""Words that nothing declared in a script has in its name."""

WIRE_FIELDS = frozenset({"house"})
"""Fields of frames, which the tests write as a server would."""

SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<=\s)//[^\n]*", re.DOTALL)
SCRIPT_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
SCRIPT_DECLARATION = re.compile(
    r"\b(?:function|class|const|let)\s+(\w+)"
    r"|^\s*(?:static\s|async\s|get\s|set\s)?#?(\w+)(?=\s*[:=]\s|\([^()]*\)\s*\{|[;,]$)"
    r"|[{,]\s*(\w+)(?=:\s)"
    r"|\.\.\.(\w+)|[(,]\s*(\w+)(?=[^()]*\)\s=>)",
    re.MULTILINE,
)
"""The pattern of a declaration: the name of a module, class or function, a field, a method, a key,
or a parameter of an arrow."""


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


def loop_variables(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, name) for variables of loops and comprehensions, and parameters of lambdas."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            names = (name for name in ast.walk(node.target) if isinstance(name, ast.Name))
            yield from ((name.lineno, name.id) for name in names)
        elif isinstance(node, ast.Lambda):
            yield from ((name.lineno, name.arg) for name in node.args.args)


def is_retired(kind: str, name: str) -> bool:
    if kind == "module":
        bare = name.removeprefix("test_")
        return bare in RETIRED_MODULES or bool(RETIRED_WORDS.search(bare))
    if kind == "class":
        return name.lstrip("_") in RETIRED_CLASSES
    return name.lstrip("_") in RETIRED_FUNCTIONS or bool(RETIRED_WORDS.search(name))


def script_declarations(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, name) for what a script declares; comments and texts do not count."""
    code = SCRIPT_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source)
    code = SCRIPT_STRING.sub('""', code)
    for found in SCRIPT_DECLARATION.finditer(code):
        yield code.count("\n", 0, found.end()) + 1, next(name for name in found.groups() if name)


def is_retired_in_scripts(name: str) -> bool:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")
    return not RETIRED_IN_SCRIPTS.isdisjoint(words)


def test_no_script_declares_a_retired_name() -> None:
    retired = []
    for folder in SCRIPT_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.js")):
            declared = [(1, path.stem), *script_declarations(path.read_text(encoding="utf-8"))]
            place = path.relative_to(ROOT).as_posix()
            retired += [
                f"{place}:{at}: {name}"
                for at, name in declared
                if is_retired_in_scripts(name)
                and not (folder == "tests/js" and name in WIRE_FIELDS)
            ]
    assert not retired, "retired names:\n" + "\n".join(retired)


def test_no_definition_has_a_retired_name() -> None:
    found = [f"{place}: {kind} {name}" for place, kind, name in definitions()]
    retired = [row for row in found if is_retired(*row.split(": ")[1].split(" ", 1))]
    assert not retired, "retired names:\n" + "\n".join(retired)


def test_loop_variables_name_what_they_hold() -> None:
    retired = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            retired += [
                f"{path.relative_to(ROOT).as_posix()}:{line}: {name}"
                for line, name in loop_variables(path.read_text(encoding="utf-8"))
                if name in RETIRED_LOOP_VARIABLES
            ]
    assert not retired, "use the noun of what the variable holds:\n" + "\n".join(retired)


@pytest.mark.parametrize(
    "source",
    [
        "for one in tables: pass",
        "for place, one in enumerate(tables): pass",
        "[table for tables in rounds for one in tables]",
        "{name: one for name, one in tables}",
        "sorted(tables, key=lambda one: one.number)",
        "async def read():\n    async for one in tables: pass",
    ],
)
def test_retired_loop_variable_is_found(source: str) -> None:
    assert "one" in {name for _, name in loop_variables(source)}


def test_other_variables_are_no_loop_variables() -> None:
    assert not list(loop_variables("one = 1\ntwo = [one]"))


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
def test_retired_name_is_found(kind: str, name: str) -> None:
    assert is_retired(kind, name)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("module", "spectator_pacer"), ("class", "Subscriber"), ("function", "is_removed")],
)
def test_plain_name_is_accepted(kind: str, name: str) -> None:
    assert not is_retired(kind, name)


@pytest.mark.parametrize(
    "source",
    [
        "export function told(event) {}",
        "export const happened = (state) => state;",
        "  async _happened(frame) {\n  }",
        "  #told = Infinity;",
        "  get hasHeard() {",
        "const heardFrames = 3;",
        "const page = { said: (frame) => frame };",
        "return {\n  house,\n};",
        "lines.map((told) => told.length)",
    ],
)
def test_retired_name_in_a_script_is_found(source: str) -> None:
    assert any(is_retired_in_scripts(name) for _, name in script_declarations(source))


@pytest.mark.parametrize(
    "source",
    [
        'socket.send({ t: "said" });  // what was said',
        "const requests = frame.house;",
        "/** @property {TableRequests} house */\nconst thereafter = 1;",
    ],
)
def test_wire_field_text_and_comment_are_accepted(source: str) -> None:
    assert not any(is_retired_in_scripts(name) for _, name in script_declarations(source))
