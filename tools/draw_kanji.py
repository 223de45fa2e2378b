"""Writes the kanji that are shown over the table with riichi, a win and a yakuman, as outlines:
``python -m tools.draw_kanji PACKAGE``.

PACKAGE is the file that ``npm pack @fontsource/shippori-mincho@5.3.0`` fetches. The program writes
`static/js/ui/kanji_outlines.js`. A reader's system may have no Japanese font, and the few signs are
far smaller than one.
"""

from __future__ import annotations

import json
import sys
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from fontTools.pens.svgPathPen import SVGPathPen  # type: ignore[import-untyped]
from fontTools.pens.transformPen import TransformPen  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

FILE: Final = Path(__file__).parents[1] / "static" / "js" / "ui" / "kanji_outlines.js"
WORDS: Final = {"reach": "立直", "ron": "栄", "tsumo": "自摸", "yakuman": "役満"}
"""The kanji of a call, by its id at the table, and of a yakuman."""
_FONT_SUFFIX: Final = "-800-normal.woff2"
"""How the names of the files of the boldest weight end."""
_ASCENT: Final = 880
"""How far a sign reaches above its baseline, of the 1,000 units of its square."""


def draw_words(package: Path) -> dict[str, str]:
    """Return the path of each word, whose signs are squares of 1,000 units beside each other."""
    fonts = list(_read_fonts(package))
    return {name: " ".join(_glyph_paths(fonts, word)) for name, word in WORDS.items()}


def _read_fonts(package: Path) -> Iterator[Any]:
    """Yield the fonts into which the package splits one weight."""
    with tarfile.open(package) as archive:
        for member in archive.getmembers():
            if member.name.endswith(_FONT_SUFFIX) and (file := archive.extractfile(member)):
                yield TTFont(BytesIO(file.read()))


def _glyph_paths(fonts: list[Any], word: str) -> Iterator[str]:
    for place, sign in enumerate(word):
        font = next(font for font in fonts if ord(sign) in font.getBestCmap())
        glyphs = font.getGlyphSet()
        pen = SVGPathPen(glyphs, ntos=lambda number: f"{number:.0f}")
        move = TransformPen(pen, (1, 0, 0, -1, 1_000 * place, _ASCENT))
        glyphs[font.getBestCmap()[ord(sign)]].draw(move)
        yield pen.getCommands()


def main(package: Path) -> None:
    lines = [
        "/**",
        " * Written by tools/draw_kanji.py: the kanji of calls and of a yakuman as paths,",
        " * in squares of 1,000 units. Outlines of Shippori Mincho, under the SIL Open Font",
        " * License 1.1, see NOTICE.",
        " */",
        "/** @type {Readonly<Record<string, string>>} */",
        "export const KANJI = Object.freeze({",
        *(f"  {name}: {json.dumps(path)}," for name, path in draw_words(package).items()),
        "});",
    ]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
