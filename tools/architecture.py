"""Writes the list of modules in `docs/modules.md` from the docstrings of the code.

    python -m tools.architecture            bring the page up to date
    python -m tools.architecture --check    exit with 1 if the page is out of date

The page has a pair of comments, `<!-- modules -->` and `<!-- end of modules -->`. Everything
between them is generated: for each package its docstring, then a line for each module with the
first sentence of its docstring.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "modules.md"
TOP_PACKAGES: Final = ("game", "lobby", "mahjong_site")
_BLOCK: Final = re.compile(r"(<!-- modules -->\n).*?(<!-- end of modules -->)", re.DOTALL)
_SKIPPED: Final = {"migrations", "commands", "management", "__pycache__"}


class PageError(Exception):
    """The page has no block to write, or a module has no docstring."""


def packages() -> Iterator[Path]:
    """Yield every package of the product, each parent before its children."""
    for top in TOP_PACKAGES:
        folders = [ROOT / top, *sorted(path for path in (ROOT / top).rglob("*") if path.is_dir())]
        for folder in folders:
            is_package = (folder / "__init__.py").exists()
            if is_package and not _SKIPPED & set(folder.relative_to(ROOT).parts):
                yield folder


def docstring(path: Path) -> str:
    """Return the docstring of a module, or the comment at the head of a Lua script."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".lua":
        lines = re.match(r"(?:--[^\n]*\n)+", source)
        return "" if lines is None else re.sub(r"^-- ?", "", lines[0], flags=re.MULTILINE)
    return ast.get_docstring(ast.parse(source)) or ""


def first_sentence(text: str) -> str:
    """Return the first sentence of a docstring on one line, without its full stop."""
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    return re.split(r"(?<=[\w)`'\"])\.(?:\s|$)", paragraph, maxsplit=1)[0]


def section(folder: Path) -> str:
    """Return the part of the page about one package. Raises PageError."""
    name = folder.relative_to(ROOT).as_posix()
    lines = [f"## `{name}`", ""]
    about = docstring(folder / "__init__.py")
    if about:
        lines += [about.strip(), ""]
    modules = sorted(
        path
        for path in folder.iterdir()
        if path.suffix in {".py", ".lua"} and path.name != "__init__.py"
    )
    if modules:
        lines += ["| module | |", "|---|---|"]
    for path in modules:
        owns = first_sentence(docstring(path))
        if not owns:
            raise PageError(f"{path.relative_to(ROOT)} has no docstring")
        lines.append(f"| `{path.name}` | {owns.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


def generated(page: str) -> str:
    """Return the page with its block written anew. Raises PageError."""
    if _BLOCK.search(page) is None:
        raise PageError(f"{PAGE.relative_to(ROOT)} has no <!-- modules --> block")
    block = "\n".join(section(folder) for folder in packages())
    return _BLOCK.sub(lambda found: f"{found[1]}\n{block}\n{found[2]}", page)


def main(arguments: list[str]) -> int:
    """Write or check the page; return the exit code."""
    page = PAGE.read_text(encoding="utf-8")
    try:
        wanted = generated(page)
    except PageError as error:
        print(error, file=sys.stderr)
        return 1
    if "--check" in arguments:
        if page != wanted:
            print(f"{PAGE.relative_to(ROOT)} is out of date: run `make docs`", file=sys.stderr)
        return int(page != wanted)
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
