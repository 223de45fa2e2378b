"""The check of long lines names them, and passes those that cannot be broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.line_lengths import find_long_lines

LONG = "x" * 120


@pytest.mark.parametrize(
    "line", [f'  open: "M12 5{"c5 0 8.500-4" * 10}z",', f'  "https://example.org/{LONG}",']
)
def test_line_that_cannot_be_broken_passes(tmp_path: Path, line: str) -> None:
    _write(tmp_path, line)
    assert list(find_long_lines(tmp_path)) == []


@pytest.mark.parametrize("line", [f"// {LONG}", f'open: "{LONG}",'])
def test_long_line_is_named(tmp_path: Path, line: str) -> None:
    _write(tmp_path, line)
    assert list(find_long_lines(tmp_path)) == [
        f"static/a.js:2: {len(line)} characters, at most 120",
    ]


@pytest.mark.parametrize(
    "line",
    [
        f'  {{% translate "{LONG}" %}}',
        f'  <a href="{{% url "a" %}}?{LONG}">',
        f'     data-text="{{% translate "{LONG}" %}}"',
    ],
)
def test_tag_or_attribute_of_a_template_that_cannot_be_broken_passes(
    tmp_path: Path, line: str
) -> None:
    assert _long_in_template(tmp_path, line) == []


@pytest.mark.parametrize(
    "line",
    [
        f'<p>{{% translate "{LONG}" %}}</p>',
        f'{{% if x %}}{{% translate "{LONG}" %}}',
        f'<a class="b" href="{LONG}">',
        LONG + ".",
    ],
)
def test_long_line_of_a_template_is_named(tmp_path: Path, line: str) -> None:
    assert _long_in_template(tmp_path, line) == [
        f"templates/a.html:1: {len(line)} characters, at most 120",
    ]


def _long_in_template(root: Path, line: str) -> list[str]:
    (root / "templates").mkdir()
    (root / "templates/a.html").write_text(f"{line}\n")
    return list(find_long_lines(root))


def _write(root: Path, line: str) -> None:
    for place in ("static/a.js", "static/js/table/names/fr.js"):
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"first\n{line}\n")
