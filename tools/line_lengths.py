"""Finds lines above 120 characters in scripts, style sheets and templates.

The formatters keep to that length where they can break a line, but leave long texts and comments.
An address and the data of a path cannot be broken, nor can a tag of a template, or an attribute of
HTML with its value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SCRIPTS: Final = ("static", "tests/js")
TEMPLATES: Final = "templates"
_LONGEST: Final = 120
_FILES: Final = ("static/**/*.css", "static/**/*.*js", "tests/js/**/*.js", f"{TEMPLATES}/**/*.html")
_GENERATED: Final = {
    *("static/js/table/names/fr.js", "static/js/table/names/ja.js"),
    "static/js/sound/spoken_calls.js",  # tools/speak_calls.py writes each call in a line
    "static/js/gallery/positions.js",  # tests/kit/gallery_positions.py writes each in a line
}
_UNBREAKABLE: Final = re.compile(
    r"(?:[\w$]+: )?\"(?:https?://\S+|[MmLlHhVvCcSsQqTtAaZz\d ,.-]+)\",?"
    r"|{%(?:(?!%}).)*%}"
    r"|(?:<[a-z]\w* )?[a-z-]+=\"(?:{%.*?%}|{{.*?}}|[^\"])*\">?"
)


def main() -> int:
    """Print each line that is too long. Return the exit status: 1 if there are any."""
    found = list(find_long_lines(ROOT))
    for place in found:
        print(place)
    return 1 if found else 0


def find_long_lines(root: Path) -> Iterator[str]:
    for path in sorted(path for pattern in _FILES for path in root.glob(pattern)):
        name = path.relative_to(root).as_posix()
        if name in _GENERATED:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > _LONGEST and not _UNBREAKABLE.fullmatch(line.strip()):
                yield f"{name}:{number}: {len(line)} characters, at most {_LONGEST}"
