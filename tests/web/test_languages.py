"""The catalogues of the languages are complete and agree with each other and the code."""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils import translation

from mahjong_site.bundles import ENTRIES
from tools import catalogues, messages, words
from tools.script_data import format_data, parse_data

LANGUAGES = sorted(words.LANGUAGES)
PROTOCOL = (words.ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def placeholders_in(text: str) -> set[str]:
    """Return the placeholders: `%(name)s` for Django, `{name}` for the table."""
    return set(re.findall(r"%\(\w+\)\w|\{\w+\}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated(language: str) -> None:
    entries = words.read_catalogue(language)
    assert len(entries) > 200
    untranslated = [
        (entry.msgctxt, entry.msgid)
        for entry in entries
        if "fuzzy" in entry.flags
        or not all(text.strip() for _, text in words.translation_pairs(entry))
    ]
    assert untranslated == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_the_placeholders(language: str) -> None:
    for entry in words.read_catalogue(language):
        for english, text in words.translation_pairs(entry):
            assert placeholders_in(text) == placeholders_in(english), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cookie_is_named(language: str) -> None:
    (entry,) = [
        entry for entry in words.read_catalogue(language) if "sets seven cookies" in entry.msgid
    ]
    names = re.findall("“([a-z_]+)”", entry.msgid)
    assert len(names) == 7
    assert [name for name in names if name not in entry.msgstr] == []


def test_french_tells_one_from_several() -> None:
    same = [
        english
        for entry in words.read_catalogue("fr")
        if entry.msgid_plural not in ("", entry.msgid)
        for (english, one), (_, several) in [words.translation_pairs(entry)]
        if one == several
    ]
    assert same == ["{count} step behind"], "“pas” is both"


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_up_to_date(language: str) -> None:
    catalogue = words.read_catalogue(language)
    catalogue = catalogues.merge_catalogue(
        language, catalogue, messages.all_messages(words.client_texts())
    )
    written = words.po_path(language).read_text(encoding="utf-8")
    assert written == f"{catalogue}", "run: make words"


def test_texts_that_a_template_hands_on_are_messages() -> None:
    found = {message.text for message in messages.all_messages(words.client_texts())}
    handed = [
        text
        for path in (words.ROOT / "templates").rglob("*.html")
        for text in re.findall(r'_\("([^"]+)"\)', path.read_text(encoding="utf-8"))
    ]
    assert len(handed) > 10
    assert set(handed) <= found


def test_site_and_table_have_the_same_languages() -> None:
    folder = words.CLIENT_ENGLISH.parent
    bundled = [Path(entry).stem for entries in ENTRIES for entry in entries if "/names/" in entry]
    assert [code for code, _ in settings.LANGUAGES] == ["en", *LANGUAGES]
    assert sorted(path.stem for path in folder.glob("*.js")) == bundled == ["en", *LANGUAGES]


def test_a_context_belongs_to_one_english_text() -> None:
    """Texts that server and table share then have the same translation."""
    found = [message for message in messages.all_messages(words.client_texts()) if message.context]
    assert sorted(message.context or "" for message in found) == sorted(
        {message.context or "" for message in found}
    )
    assert len(found) > 150


@pytest.mark.parametrize("language", LANGUAGES)
def test_django_reads_the_catalogue(language: str) -> None:
    with translation.override(language):
        assert translation.gettext("Play now") not in {"", "Play now"}
        assert translation.pgettext("winds.E", "East") in {"Est", "東"}


def test_client_texts_without_an_entry_stay_in_english() -> None:
    texts = words.client_texts()
    assert isinstance(texts, dict)
    script = words.language_files("fr", polib.POFile(), texts)[
        words.CLIENT_ENGLISH.with_name("fr.js")
    ]
    assert parse_data(script.decode(), "texts") == {**texts, "locale": "fr"}


def ids_between(start: str, end: str) -> set[str]:
    """Return the first columns of the table between those two texts on the protocol's page."""
    _, _, rest = PROTOCOL.partition(start)
    rows = re.findall(r"^\| (`[^|]*) \|", rest.partition(end)[0], re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_every_code_of_the_server_has_a_text(language: str) -> None:
    script = words.CLIENT_ENGLISH.with_name(f"{language}.js").read_text(encoding="utf-8")
    texts = parse_data(script, "texts")
    assert isinstance(texts, dict)
    yaku = re.search(r"Yaku ids: `([^`]+)`; yakuman `([^`]+)`", PROTOCOL)
    draws = re.search(r"`reason`: (`exhaustive`.*?)\. Rows", PROTOCOL, re.DOTALL)
    limits = re.search(r'`limit`: `""`, (.*?)\. For', PROTOCOL)
    assert yaku
    assert draws
    assert limits
    wanted = {
        "yaku": set(f"{yaku[1]} {yaku[2]}".split()),
        "draws": set(re.findall(r"`(\w+)`", draws[1])),
        "limits": set(re.findall(r"`(\w+)`", limits[1])),
        "errors": ids_between("| code | meaning |", "Close codes"),
        "reasons": ids_between("### Reasons", "## Events"),
        "calls": ids_between("## Actions", "## Server to client") - {"dahai", "hora"},
    }
    for group, ids in wanted.items():
        names = texts[group]
        assert isinstance(names, dict)
        assert len(ids) > 5, group
        assert ids <= {name for name, text in names.items() if text}, group


def test_markup_in_plain_text_is_refused() -> None:
    source = (
        'export const texts = {\n  // a word\n  a: "}, ,}", /* two */ 5: { b_1: "\\u2212" },\n};'
    )
    assert parse_data(source, "texts") == {"a": "}, ,}", "5": {"b_1": "\N{MINUS SIGN}"}}
    for code in ("`x`", "'x'", "() => 1", "`${x}`", "[1]"):
        with pytest.raises(ValueError, match="line 1"):
            parse_data(f"export const texts = {{ a: {code} }};", "texts")


def test_catalogue_is_read_as_written() -> None:
    data = {"a": 'x "y" \\ z', "b-c": {"one": "1", "other": "東" * 60}, "d": {"5": "e"}}
    assert parse_data(f"export const texts = {format_data(data)};\n", "texts") == data


@pytest.mark.parametrize(
    "source",
    ["_(word)", '_(f"{word}")', 'ngettext("one", many, 2)', "pgettext('context', word)"],
)
def test_text_unfit_for_a_catalogue_is_refused(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "views.py").write_text(f"{source}\n")
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    monkeypatch.setattr(messages, "CODE", ("game",))
    with pytest.raises(ValueError, match=re.escape("game/views.py")):
        list(messages.read_code())
