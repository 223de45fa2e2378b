"""`docs/rules-checklist.md` agrees with the code: ids are complete, and everything named exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from game.engine.rules import RuleSet
from tests.engine.scoring_rows import read_rows
from tests.kit.golden import read_game

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = (ROOT / "docs" / "rules-checklist.md").read_text(encoding="utf-8")
ROW_IDS = {row.id for row in read_rows()}
GOLDEN = {path.stem: read_game(path).rule for path in (HERE / "golden").glob("*.txt")}


class Entry(NamedTuple):
    """The row of the page for one id."""

    id: str
    switches: list[str]
    shown_by: list[str]


def in_code(cell: str) -> list[str]:
    return re.findall(r"`([^`]*)`", cell)


def entries(section: str) -> list[Entry]:
    """Return the rows of the table of a section; the last column names the tests."""
    _, _, rest = PAGE.partition(f"\n## {section}\n")
    text, _, _ = rest.partition("\n## ")
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    assert rows, f"no section {section}"
    cells = [[cell.strip() for cell in row] for row in rows[2:]]
    return [Entry(row[0], in_code(" ".join(row[2:-1])), in_code(row[-1])) for row in cells]


def listed_rows() -> list[str]:
    """Return the worked examples that are lines of the scoring rows."""
    _, _, rest = PAGE.partition("\n## Worked examples\n")
    text, _, _ = rest.partition("\n| id ")
    _, _, ids = text.partition(":\n\n")
    return in_code(ids)


@cache
def functions_of(module: str) -> dict[str, str]:
    """Return the tests of a module with their docstrings, by name."""
    path = HERE / f"{module}.py"
    if not path.exists():
        return {}
    nodes = ast.parse(path.read_text(encoding="utf-8")).body
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return {node.name: ast.get_docstring(node) or "" for node in functions}


SECTIONS = {
    "Requirements": "R",
    "Contradictions": "C",
    "Interactions": "T",
    "Rules of clubs": "H",
    "Three players": "N",
}
LAST = {"R": 94, "C": 17, "T": 54, "H": 6, "N": 22}
RULINGS = [entry for section in SECTIONS for entry in entries(section)]
EXAMPLES = entries("Worked examples")
ALL = [*RULINGS, *EXAMPLES]


@pytest.mark.parametrize("section", SECTIONS)
def test_ids_of_a_section_are_complete_and_in_order(section: str) -> None:
    letter = SECTIONS[section]
    expected = [f"{letter}{number}" for number in range(1, LAST[letter] + 1)]
    assert [entry.id for entry in entries(section)] == expected


@pytest.mark.parametrize("entry", ALL, ids=[entry.id for entry in ALL])
def test_tests_named_by_the_checklist_exist(entry: Entry) -> None:
    assert entry.shown_by, "the row names no test"
    for name in entry.shown_by:
        kind, _, rest = name.partition(" ")
        if name.startswith("golden/"):
            rule = GOLDEN.get(name.removeprefix("golden/"))
            assert rule is not None, f"no golden game {name}"
            assert entry.id in rule, f"{name} does not name {entry.id}"
        elif kind == "row":
            assert rest in ROW_IDS, f"no {name}"
        elif kind.endswith(".js:"):
            assert f'it("{rest}"' in (ROOT / kind.rstrip(":")).read_text(encoding="utf-8")
        else:
            module, _, function = name.partition("::")
            assert function in functions_of(module), f"no test {name}"


@pytest.mark.parametrize("entry", RULINGS, ids=[entry.id for entry in RULINGS])
def test_switches_named_by_the_checklist_exist(entry: Entry) -> None:
    assert set(entry.switches) <= {*RuleSet.__struct_fields__, "pao_"}


def test_golden_games_are_in_the_rows_that_they_name() -> None:
    shown_by = {entry.id: entry.shown_by for entry in ALL}
    for stem, ids in GOLDEN.items():
        for name in ids:
            if name not in ROW_IDS or name in shown_by:
                assert f"golden/{stem}" in shown_by[name], f"{name} does not name golden/{stem}"


def test_every_worked_example_is_listed_once_and_tested() -> None:
    """A scoring row with a dash in its id is a variant of another row."""
    listed, own = listed_rows(), [entry.id for entry in EXAMPLES]
    assert len(listed) + len(own) == len({*listed, *own}), "an id is listed twice"
    tested = {name for name in ROW_IDS if "-" not in name}
    named_rows = {name[4:] for entry in ALL for name in entry.shown_by if name.startswith("row ")}
    assert {*listed, *named_rows} == tested
    assert {name.partition("-")[0] for name in ROW_IDS} == tested
    assert len(listed) == len(set(listed)) >= 120


@pytest.mark.parametrize("entry", EXAMPLES, ids=[entry.id for entry in EXAMPLES])
def test_worked_example_is_tested_under_its_id(entry: Entry) -> None:
    bearing = [
        name
        for name in entry.shown_by
        if name.startswith(("golden/", "row "))
        or re.search(
            rf"\b{entry.id}\b", functions_of(name.partition("::")[0])[name.partition("::")[2]]
        )
    ]
    assert bearing == entry.shown_by
