"""`docs/rules.md` agrees with the code: it has every switch once, with its values, default and
readers."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import msgspec
import pytest

from game.engine.decide import decide
from game.engine.draws import ABORTS
from game.engine.presets import PRESETS, preset
from game.engine.rules import TENHOU, RuleSet, switch_type
from game.engine.tiles import tile_to_text
from game.engine.wall import shuffled

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
ENGINE = Path(decide.__code__.co_filename).parent
FIELDS = RuleSet.__struct_fields__
NOT_APPLIED_IN = ("consistency", "presets")
UNREAD = {"*not yet*", "*nothing*"}
HOUSE = ["name", "version", "tobi_at_zero", "dealer_stops", "minimum_han"]
"""Switches that no source defines."""


class SwitchRow(NamedTuple):
    """The row of the page for one switch."""

    values: list[str]
    default: Any
    readers: set[str]
    sources: str


def value_of(text: str) -> Any:
    """Return the value of JSON, or the text itself if it is a string without quotes."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def in_code(cell: str) -> list[str]:
    return re.findall(r"`([^`]*)`", cell)


def switches(page: str) -> list[tuple[str, SwitchRow]]:
    """Return the rows of the tables of switches, in their order."""
    _, _, rest = page.partition("## The switches")
    section, _, _ = rest.partition("\n## ")
    rows = []
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and cells[0].startswith("`"):
            (default,) = in_code(cells[2])
            readers = set() if cells[4] in UNREAD else set(in_code(cells[4]))
            row = SwitchRow(in_code(cells[1]), value_of(default), readers, cells[5])
            rows.append((cells[0].strip("`"), row))
    return rows


def readers_of_switches() -> dict[str, set[str]]:
    """Return for each attribute the engine's modules that read it from a value named rules."""
    found = defaultdict(set)
    for path in ENGINE.glob("*.py"):
        if path.stem in NOT_APPLIED_IN:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Attribute):
                continue
            owner = node.value
            name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
            if name == "rules":
                found[node.attr].add(path.stem)
    return found


ROWS = switches(PAGE)
READERS = readers_of_switches()


def test_page_names_every_switch_in_code_order() -> None:
    assert [name for name, _ in ROWS] == list(FIELDS)


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[name for name, _ in ROWS])
def test_switch_matches_the_page(name: str, row: SwitchRow) -> None:
    assert row.default == json.loads(msgspec.json.encode(getattr(RuleSet(), name)))
    hint = switch_type(name)
    if get_origin(hint) is Literal:
        assert row.values == [str(value) for value in get_args(hint)]
    elif hint is bool:
        assert row.values == ["true", "false"]
    assert row.readers == READERS.get(name, set()), f"the modules that read {name}"


def test_missing_wrong_or_doubled_row_is_found() -> None:
    line = next(line for line in PAGE.splitlines() if line.startswith("| `tobi`"))
    assert [name for name, _ in switches(PAGE.replace(line, ""))] != list(FIELDS)
    assert [name for name, _ in switches(PAGE.replace(line, f"{line}\n{line}"))] != list(FIELDS)
    changed = dict(switches(PAGE.replace(line, line.replace("| `true` |", "| `false` |"))))
    assert changed["tobi"].default is False


def test_the_defaults_are_the_preset_tenhou() -> None:
    assert preset("tenhou") == RuleSet() == TENHOU


def sources() -> set[str]:
    """Return the short names of the sources."""
    _, _, rest = PAGE.partition("\n## Sources\n")
    section, _, _ = rest.partition("\n## ")
    return set(re.findall(r"^\| (\w+) \|", section, re.MULTILINE))


def cited_sources(cell: str) -> set[str]:
    """Return the sources that a cell names, without their sections, cases and records."""
    return {re.match(r"\w*", part)[0] for part in cell.split(", ")}  # type: ignore[index]


def test_every_switch_and_every_preset_names_its_sources() -> None:
    known = sources()
    assert {"000", "001", "002", "003", "004", "TH"} <= known
    for name, row in ROWS:
        if row.sources != "*house*":
            assert cited_sources(row.sources) <= known, f"{name}: {row.sources}"
    assert [name for name, row in ROWS if row.sources == "*house*"] == HOUSE
    for preset_name, cell in preset_sources():
        assert cited_sources(cell.replace(" and its records", "")) <= known, preset_name


def test_every_source_is_cited() -> None:
    used = set().union(*(cited_sources(row.sources) for _, row in ROWS))
    used |= set().union(*(cited_sources(cell) for _, cell in preset_sources()))
    assert sources() <= used


def preset_sources() -> list[tuple[str, str]]:
    """Return the presets with their sources, from the table of presets."""
    _, _, rest = PAGE.partition("| preset | rules of | source |")
    table, _, _ = rest.partition("\n\n")
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    return [(row[1].strip(), row[3].strip()) for row in rows]


def preset_tables() -> tuple[list[str], dict[str, list[str]], list[str]]:
    """Return the presets that are columns, the cells of each switch, and the presets described."""
    _, _, rest = PAGE.partition("## The presets")
    section, _, _ = rest.partition("\n## ")
    lines = [line for line in section.splitlines() if line.startswith("|")]
    first, second = (at for at, line in enumerate(lines) if set(line) <= set("|-"))
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    columns = [name for cell in cells[first - 1][1:] for name in in_code(cell)]
    switches_played = {in_code(row[0])[0]: row[1:] for row in cells[first + 1 : second - 1]}
    return columns, switches_played, [in_code(row[0])[0] for row in cells[second + 1 :]]


def test_page_lists_the_differences_of_presets() -> None:
    columns, played, described = preset_tables()
    assert ["tenhou", *columns] == described == list(PRESETS)
    for name in FIELDS[2:]:
        default = getattr(TENHOU, name)
        for number, column in enumerate(columns):
            value = getattr(PRESETS[column], name)
            cell = played[name][number] if name in played else ""
            written = json.loads(msgspec.json.encode(value)) if value != default else ""
            assert (value_of(cell) if cell else "") == written, f"{column}: {name}"
    assert all(any(cells) for cells in played.values())


def test_unknown_preset_is_refused_with_the_list() -> None:
    assert all(rules.name == name for name, rules in PRESETS.items())
    with pytest.raises(KeyError, match="no preset 'house'; there are classic, ema-2012"):
        preset("house")


def test_the_page_lists_every_abort() -> None:
    _, _, rest = PAGE.partition("## Hands without a win")
    section, _, _ = rest.partition("\n## ")
    reasons = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert reasons[:2] == ["exhaustive", "nagashi_mangan"]
    assert set(reasons[2:]) == ABORTS
    assert len(reasons) == 2 + len(ABORTS)


def test_program_on_the_page_builds_the_same_walls() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)  # run it as a reader would
    for hand, seed in ((0, bytes(range(32))), (7, b"\xff" * 32), (300, b"seed" * 8)):
        wall = [tile_to_text(tile) for tile in shuffled(TENHOU, seed, hand)]
        assert names["wall"](seed, hand) == wall
