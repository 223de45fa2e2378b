"""Cuts the font of the pages down to what they need: ``python -m tools.subset_fonts PACKAGE``.

PACKAGE is the file that ``npm pack @fontsource-variable/figtree@5.3.0`` fetches; its SHA-512 is
checked. The program writes `static/fonts/*.woff2`, the licence beside them,
`static/css/fonts.css`, and `game/results/figtree.ttf` for the pictures of positions.

Figtree comes in two files. `latin` has all that the texts of this site need; a page preloads it.
`latin-ext` has the other letters of European languages and of romanised Japanese, which occur in
people's names; a browser fetches it only for a page that has one. Japanese, arrows and marks are
left to the reader's fonts.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Final

from fontTools.merge import Merger  # type: ignore[import-untyped]
from fontTools.subset import Options, Subsetter  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from fontTools.varLib.instancer import instantiateVariableFont  # type: ignore[import-untyped]

STATIC: Final = Path(__file__).parents[1] / "static"
FONTS: Final = STATIC / "fonts"
SHEET: Final = STATIC / "css" / "fonts.css"
PICTURES: Final = STATIC.parent / "game" / "results" / "figtree.ttf"
"""One file with all letters in one weight: the renderer of pictures reads no WOFF2."""
FAMILY: Final = "Figtree"
_SHA512: Final = (
    "VRVodD7OiG7apQwE8/2fMjaqpY/a0qRJqL5HtYj8CKIVps+9amaFcdfKmDIf7iqYQx6iPLlArVXAfKeIZmVcNQ=="
)
"""SHA-512 of the package, in base64, as the registry publishes it."""
_WEIGHTS: Final = (400, 700)
_PICTURE_WEIGHT: Final = 600
_FEATURES: Final = ("kern", "mark", "mkmk", "ccmp", "locl", "rvrn", "tnum")
_NARROW_SPACE, _NO_BREAK_SPACE = 0x202F, 0xA0
_NO_BREAK_HYPHEN, _HYPHEN = 0x2011, 0x2D

LATIN: Final = frozenset(
    [
        *range(0x20, 0x7F),
        *range(0xA0, 0x100),
        *(0x152, 0x153, 0x178),  # the ligatures and the capital of French
        *(0x2013, 0x2014),  # dashes
        *(0x2018, 0x2019, 0x201A, 0x201C, 0x201D, 0x201E, 0x2039, 0x203A),  # quotation marks
        *(0x2022, 0x2026, 0x20AC, 0x2212),  # bullet, ellipsis, euro, minus
        _NARROW_SPACE,
        _NO_BREAK_HYPHEN,
    ]
)
"""The characters of the site's texts and of French. A test compares them with the catalogues."""
LATIN_EXT: Final = frozenset(range(0x100, 0x180)) - LATIN


def main(arguments: list[str]) -> int:
    """Write all files again from the package that the first argument names."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    package = Path(arguments[0]).read_bytes()
    if base64.b64encode(hashlib.sha512(package).digest()).decode() != _SHA512:
        print(f"{arguments[0]} is not the package that was expected", file=sys.stderr)
        return 1
    FONTS.mkdir(exist_ok=True)
    for old in FONTS.glob("*.woff2"):
        old.unlink()
    with tarfile.open(fileobj=BytesIO(package)) as files:
        licence = _read_font(files, "LICENSE").decode()
        if "Reserved Font Name" in licence.split("SIL OPEN FONT LICENSE")[0]:
            print("The name of the font is reserved: a part of it needs another", file=sys.stderr)
            return 1
        (FONTS / "OFL.txt").write_text(licence.rstrip() + "\n")
        sources = [
            (name, _read_font(files, f"files/figtree-{name}-wght-normal.woff2"), wanted)
            for name, wanted in (("latin", LATIN), ("latin-ext", LATIN_EXT))
        ]
    faces = [_write_face(*source) for source in sources]
    _write_for_pictures([(source, wanted) for _, source, wanted in sources])
    SHEET.write_text(_SHEET_HEAD + "\n".join(faces) + "}\n")
    return 0


def subset_font(source: bytes, wanted: frozenset[int]) -> bytes:
    """Return a WOFF2 file with those characters, in the weights that pages use."""
    font = TTFont(BytesIO(source), recalcTimestamp=False)
    instantiateVariableFont(font, {"wght": _WEIGHTS}, inplace=True)
    for table in font["cmap"].tables:
        # The fonts lack the space of French numbers, and the hyphen that keeps a label together.
        for lacking, like in ((_NARROW_SPACE, _NO_BREAK_SPACE), (_NO_BREAK_HYPHEN, _HYPHEN)):
            if like in table.cmap:
                table.cmap.setdefault(lacking, table.cmap[like])
    options = Options(layout_features=list(_FEATURES), flavor="woff2", hinting=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    font.flavor = "woff2"
    written = BytesIO()
    font.save(written)
    return written.getvalue()


def _write_for_pictures(sources: list[tuple[bytes, frozenset[int]]]) -> None:
    """Write the characters of all sources to one TrueType file."""
    parts = []
    for source, wanted in sources:
        font = TTFont(BytesIO(source), recalcTimestamp=False)
        instantiateVariableFont(font, {"wght": _PICTURE_WEIGHT}, inplace=True)
        subsetter = Subsetter(Options(layout_features=["kern", "mark", "ccmp"], hinting=False))
        subsetter.populate(unicodes=wanted)
        subsetter.subset(font)
        font.flavor = None
        part = BytesIO()
        font.save(part)
        part.seek(0)
        parts.append(part)
    Merger().merge(parts).save(PICTURES)


_SHEET_HEAD: Final = f"""\
/* The font of Latin text. Written by tools/subset_fonts.py. {FAMILY} is under the SIL Open Font
   License: see ../fonts/OFL.txt. */

@layer tokens, base, site, forms, pages, tiles, table, table-layouts, table-motion;

@layer base {{
"""


def _write_face(name: str, source: bytes, wanted: frozenset[int]) -> str:
    """Write one file, under a name that changes with its contents, and return its rule."""
    made = subset_font(source, wanted)
    digest = hashlib.sha256(made).hexdigest()[:8].upper()
    path = FONTS / f"{FAMILY.lower()}-{name}-{digest}.woff2"
    path.write_bytes(made)
    characters = sorted(TTFont(BytesIO(made)).getBestCmap())
    least, most = _WEIGHTS
    print(f"{path.name}: {len(made)} bytes, {len(characters)} characters")
    return f"""\
  @font-face {{
    font-family: {FAMILY};
    src: url("../fonts/{path.name}") format("woff2");
    font-weight: {least} {most};
    font-display: swap;
    unicode-range: {_format_unicode_range(characters)};
  }}
"""


def _format_unicode_range(characters: list[int]) -> str:
    """Return characters as a `unicode-range`."""
    runs: list[list[int]] = []
    for character in characters:
        if runs and character == runs[-1][1] + 1:
            runs[-1][1] = character
        else:
            runs.append([character, character])
    return ", ".join(f"U+{a:X}" if a == b else f"U+{a:X}-{b:X}" for a, b in runs)


def _read_font(files: tarfile.TarFile, name: str) -> bytes:
    found = files.extractfile(f"package/{name}")
    assert found is not None, name
    return found.read()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
