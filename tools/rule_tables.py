"""Writes the tables of switches and of presets in `docs/rules.md`: ``python -m tools.rule_tables``.

The names, values and defaults are those of `RuleSet`, the meanings those of the form of the rules,
and the modules those that read a switch. Written by hand, and kept, are the last column, which
names the sources, the meanings of what is not in the form, and the values that are no list. With
``--check`` nothing is written, and the exit status is 1 if a table is not as it would be written.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from django.conf import settings

from game.engine.presets import PRESETS, PRESETS_OF_THREE
from game.engine.rules import TENHOU, RuleSet, switch_type
from lobby.play.rule_texts import GROUPS

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "rules.md"
ENGINE: Final = ROOT / "game" / "engine"
_NOT_APPLIED_IN: Final = {"consistency", "presets"}
_OUTSIDE_THE_FORM: Final = ("name", "version")
_HEAD: Final = ("switch", "values", "default", "meaning", "applied in", "source")
_TABLE: Final = re.compile(r"^\| switch \|.*\n(?:\|.*\n)+", re.MULTILINE)


def main(arguments: Sequence[str]) -> int:
    """Write the tables, or check them. Return the exit status of the program."""
    settings.configure(USE_I18N=False)
    page = PAGE.read_text(encoding="utf-8")
    written = rewrite_tables(page)
    if "--check" not in arguments:
        PAGE.write_text(written, encoding="utf-8")
    elif written != page:
        print(f"The tables of {PAGE.relative_to(ROOT)} are old: `make format` writes them.")
        return 1
    return 0


def rewrite_tables(page: str) -> str:
    """Return the page with all tables written anew."""
    kept = {
        name: cells
        for table in _TABLE.findall(page)
        if _split_cells(table.splitlines()[0]) == [*_HEAD]
        for cells in map(_split_cells, table.splitlines())
        for name in re.findall(r"^`(\w+)`$", cells[0])
    }
    readers = _modules_by_switch()
    others = {name: rules for name, rules in PRESETS.items() if name != TENHOU.name}
    tables = [_switch_table(names, kept, readers) for names in _switches_by_table()]
    tables += [_differences_table(others), _differences_table(PRESETS_OF_THREE)]
    found = _TABLE.split(page)
    if len(found) != len(tables) + 1:
        raise ValueError(f"{PAGE} has {len(found) - 1} tables of switches, not {len(tables)}")
    return "".join(part for pair in zip(found, [*tables, ""], strict=True) for part in pair)


def _split_cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _switches_by_table() -> list[list[str]]:
    """Return the switches of each table: those of a group of the form, and in the first those that
    the form leaves out."""
    first, *others = ([*group.switches] for group in GROUPS)
    return [[*_OUTSIDE_THE_FORM, *first], *others]


def _switch_table(
    names: Iterable[str], kept: Mapping[str, list[str]], readers: Mapping[str, set[str]]
) -> str:
    """Return the table of these switches. `kept` has the cells that the page has now."""
    texts = {name: str(switch.text) for group in GROUPS for name, switch in group.switches.items()}
    rows = [list(_HEAD), ["---"] * len(_HEAD)]
    for name in names:
        _, values, _, meaning, _, source = kept.get(name, [""] * len(_HEAD))
        read_by = ", ".join(f"`{module}`" for module in sorted(readers.get(name, ())))
        rows.append(
            [
                f"`{name}`",
                _format_values(name) or values,
                f"`{_format_value(getattr(TENHOU, name))}`",
                texts.get(name, meaning),
                read_by or "*nothing*",
                source,
            ]
        )
    return _format_table(rows)


def _format_values(name: str) -> str:
    """Return the values of a switch that has a list of them, otherwise an empty text."""
    hint = switch_type(name)
    if hint is bool:
        return "`true`, `false`"
    listed = get_args(hint) if get_origin(hint) is Literal else ()
    return ", ".join(f"`{value}`" for value in listed)


def _format_value(value: Any) -> str:
    """Return the value as JSON, a string without quotes."""
    return value if isinstance(value, str) else json.dumps(json.loads(msgspec.json.encode(value)))


def _modules_by_switch() -> dict[str, set[str]]:
    """Return for each attribute the engine's modules that read it from a value named rules."""
    found = defaultdict(set)
    for path in ENGINE.glob("*.py"):
        if path.stem in _NOT_APPLIED_IN:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Attribute):
                continue
            owner = node.value
            name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
            if name == "rules":
                found[node.attr].add(path.stem)
    return found


def _differences_table(presets: Mapping[str, RuleSet]) -> str:
    """Return the Markdown table of the switches whose value in one of these presets differs from
    Tenhou's, with a column for each preset."""
    rows = [["switch", *(f"`{name}`" for name in presets)], ["---"] * (len(presets) + 1)]
    for name in RuleSet.__struct_fields__:
        values = [getattr(rules, name) for rules in presets.values()]
        default = getattr(TENHOU, name)
        cells = ["" if value == default else _format_value(value) for value in values]
        if name not in _OUTSIDE_THE_FORM and any(cells):
            rows.append([f"`{name}`", *cells])
    return _format_table(rows)


def _format_table(rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |\n" for row in rows]
    lines[1] = f"|{'---|' * len(rows[0])}\n"
    return "".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
