"""The font of Latin text: which signs it contains, how large it is, and how pages load it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from tools.subset_fonts import FONTS, SHEET
from tools.words import LANGUAGES, read_catalogue

MAX_BYTES = 60_000
"""The largest size of all fonts together, for somebody who visits for the first time."""
READERS_FONTS = set("←↑→↓")
"""Signs that the font does not have; browsers take them from the reader's fonts."""
JAPANESE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
ROMANISED = "āīūēōĀĪŪĒŌ"
FILES = sorted(FONTS.glob("*.woff2"))


def characters(name: str) -> set[str]:
    (path,) = FONTS.glob(f"figtree-{name}-????????.woff2")
    return {chr(code) for code in TTFont(path).getBestCmap()}


def texts() -> set[str]:
    """Return the texts of the pages in English and French, and the Latin parts of Japanese
    texts."""
    found: set[str] = set()
    for language in LANGUAGES:
        for entry in read_catalogue(language):
            said = [entry.msgid, entry.msgid_plural, entry.msgstr, *entry.msgstr_plural.values()]
            found.update(JAPANESE.sub("", text) for text in said)
    return found


def test_font_has_every_sign_of_the_texts() -> None:
    needed = set("".join(texts())) - READERS_FONTS - {"\n"}
    assert len(needed) > 90
    assert needed - characters("latin") == set()


def test_font_has_romanised_japanese_and_names_of_europe() -> None:
    assert set(ROMANISED + "łŁğşčřžőűńĐ") <= characters("latin-ext")


def test_figures_of_a_column_are_equally_wide() -> None:
    (path,) = FONTS.glob("figtree-latin-????????.woff2")
    font = TTFont(path)
    features = {record.FeatureTag for record in font["GSUB"].table.FeatureList.FeatureRecord}
    assert "tnum" in features


def test_fonts_are_small() -> None:
    assert len(FILES) == 2
    assert sum(path.stat().st_size for path in FILES) < MAX_BYTES


def test_sheet_names_the_files_that_are_there() -> None:
    sheet = SHEET.read_text(encoding="utf-8")
    named = re.findall(r'url\("\.\./fonts/([^"]+)"\)', sheet)
    assert sorted(named) == [path.name for path in FILES]
    assert sheet.count("font-display: swap;") == len(FILES)


def test_licence_is_in_the_folder_of_the_fonts() -> None:
    licence = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE" in licence
    assert "Reserved Font Name" not in licence.split("SIL OPEN FONT LICENSE")[0]
    notice = Path(settings.BASE_DIR, "NOTICE").read_text(encoding="utf-8")
    assert "Figtree" in notice


@pytest.mark.django_db
def test_page_preloads_the_font_and_browsers_cache_it_forever() -> None:
    page = Client().get("/learn/").content.decode()
    (address,) = re.findall(r'<link rel="preload" as="font" [^>]*href="([^"]+)"', page)
    response = Client().get(address)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "font/woff2"
    assert "immutable" in response.headers["Cache-Control"]
    assert response.content[:4] == b"wOF2"
