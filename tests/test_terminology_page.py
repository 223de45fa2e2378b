"""`docs/terminology.md` agrees with the code: yaku have the names of the pages, and every name in
the code exists."""

from __future__ import annotations

import gettext
import random
import re
from pathlib import Path

import pytest

from game.engine.draws import ABORTS
from game.engine.fouls import CHOMBO
from game.engine.presets import PRESETS
from game.engine.value import value_of
from game.records.yaku_names import MJLOG
from tests.engine.random_wins import random_win

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "terminology.md").read_text(encoding="utf-8")
WORDS = (ROOT / "static/js/table/names/en.js").read_text(encoding="utf-8")
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for path in [*(ROOT / "game").rglob("*.py"), ROOT / "docs" / "protocol.md"]
)


def cells(section: str) -> list[list[str]]:
    """Return the rows of all tables of a section, without the heads of the tables."""
    _, _, rest = PAGE.partition(f"## {section}\n")
    text, _, _ = rest.partition("\n## ")
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def is_word(cell: str) -> bool:
    """Return whether the cell contains a word, not a dash."""
    return bool(re.search(r"\w", cell))


def test_yaku_match_those_of_the_pages() -> None:
    yaku = re.search(r"\n  yaku: \{(.*?)\n  \}", WORDS, re.DOTALL)
    assert yaku is not None
    named = dict(re.findall(r'(\w+): "([^"]+)"', yaku[1]))
    assert {row[0].strip("`"): row[3] for row in cells("Yaku")} == named
    assert len(cells("Yaku")) == len(named)


class _Untranslated(gettext.NullTranslations):
    """Gives a text without a translation as empty, not in English."""

    def pgettext(self, context: str, message: str) -> str:
        return ""


def test_yaku_have_the_french_and_japanese_names_of_the_pages() -> None:
    french, japanese = (
        gettext.translation("django", ROOT / "locale", [language]) for language in ("fr", "ja")
    )
    for catalogue in (french, japanese):
        catalogue.add_fallback(_Untranslated())
    for row in cells("Yaku"):
        context, english = f"yaku.{row[0].strip('`')}", row[3]
        assert row[1] == japanese.pgettext(context, english)
        assert row[4].split(", ")[0].casefold() == french.pgettext(context, english).casefold()


def test_every_yaku_is_named_in_three_languages() -> None:
    """The known yaku are those of Tenhou's records and those that the engine gives to random
    wins."""
    dice = random.Random(7)
    presets = list(PRESETS.values())
    values = [value_of(random_win(dice, presets)) for _ in range(1_000)]
    known = {*MJLOG.values(), *(name for value in values if value for name, _ in value.yaku)}
    named = {row[0].strip("`"): row[1:] for row in cells("Yaku")}
    assert set(named) == known
    assert [name for name, words in named.items() if not all(map(is_word, words))] == []


def test_every_draw_and_abort_is_named_in_three_languages() -> None:
    named = {}
    for row in cells("Ends of a hand"):
        for reason in re.findall(r"reason `(\w+)`", row[4]):
            named[reason] = row[:4]
    assert set(named) == {"exhaustive", "nagashi_mangan", CHOMBO, *ABORTS}
    assert [name for name, words in named.items() if not all(map(is_word, words))] == []


@pytest.mark.parametrize("section", ["The table", "Tiles and the wall", "A turn", "Ends of a hand"])
def test_names_from_the_code_exist(section: str) -> None:
    rows = cells(section)
    assert rows
    for row in rows:
        assert len(row) == 5, row
        for name in re.findall(r"`([^`]+)`", row[4]):
            assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", SOURCES), f"{row[0]}: {name}"


def test_files_of_project_words_exist() -> None:
    for row in cells("Words of this project"):
        for name in re.findall(r"`([^`]+)`", row[2]):
            if "/" in name:
                assert (ROOT / name).exists(), name
