"""`docs/rules.md` names its sources, describes each preset and abort, and has a program that builds
the walls of the engine. The tables of switches are written by `tools.rule_tables`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from game.engine.draws import ABORTS
from game.engine.presets import PRESETS, PRESETS_OF_THREE, preset
from game.engine.rules import TENHOU, RuleSet
from game.engine.tiles import tile_to_text
from game.engine.wall import shuffled_wall

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
HOUSE = ["name", "version", "tobi_at_zero", "dealer_stops", "minimum_han"]
"""Switches that no source defines."""


def sources_of_switches() -> dict[str, str]:
    """Return the last column of the tables of switches."""
    _, _, rest = PAGE.partition("## The switches")
    section, _, _ = rest.partition("\n## ")
    return dict(re.findall(r"^\| `(\w+)` \|.* \| ([^|]+) \|$", section, re.MULTILINE))


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
    cells = sources_of_switches()
    assert list(cells) == list(RuleSet.__struct_fields__)
    for name, cell in cells.items():
        if cell != "*house*":
            assert cited_sources(cell) <= known, f"{name}: {cell}"
    assert [name for name, cell in cells.items() if cell == "*house*"] == HOUSE
    for preset_name, cell in preset_sources().items():
        assert cited_sources(cell.replace(" and its records", "")) <= known, preset_name


def test_every_source_is_cited() -> None:
    cells = [*sources_of_switches().values(), *preset_sources().values()]
    assert sources() <= set().union(*map(cited_sources, cells))


def test_the_page_describes_every_preset() -> None:
    assert [*preset_sources()] == [f"`{name}`" for name in (*PRESETS, *PRESETS_OF_THREE)]


def preset_sources() -> dict[str, str]:
    """Return the presets with their sources, from the tables of presets."""
    _, *tables = PAGE.split("| preset | rules of | source |")
    lines = [line for table in tables for line in table.partition("\n\n")[0].splitlines()]
    rows = [line.split("|") for line in lines if line.startswith("| `")]
    return {row[1].strip(): row[3].strip() for row in rows}


def test_unknown_preset_is_refused_with_the_list() -> None:
    assert all(rules.name == name for name, rules in PRESETS.items())
    with pytest.raises(KeyError, match="no preset 'house'; there are classic, ema-2012"):
        preset("house")


def test_the_page_lists_every_abort() -> None:
    _, _, rest = PAGE.partition("## Hands without a win")
    section, _, _ = rest.partition("\n## ")
    reasons = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert reasons[:2] == ["exhaustive", "nagashi_mangan"]
    assert sorted(reasons[2:]) == sorted(ABORTS)


def test_program_on_the_page_builds_the_same_walls() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)  # run it as a reader would
    for hand, seed in ((0, bytes(range(32))), (7, b"\xff" * 32), (300, b"seed" * 8)):
        wall = [tile_to_text(tile) for tile in shuffled_wall(TENHOU, seed, hand)]
        assert names["wall"](seed, hand) == wall
