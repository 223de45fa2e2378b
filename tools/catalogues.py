"""Brings the catalogues of the languages up to date: `python -m tools.catalogues`.

English is in templates, in code and in `static/js/table/names/en.js`. For every
other language there is one catalogue, `locale/<language>/LC_MESSAGES/django.po`, which
translators edit. From it come two files that nobody edits: `django.mo`, which Django reads, and
`static/js/table/names/<language>.js`, which the table reads. The words that pages share with the
table go to `game/results/table_words.json`. All of them are in the repository,
so that the site needs neither GNU gettext nor a step before it starts. A test compares them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import polib

from tools.messages import CLIENT_ENGLISH, ROOT, Message, all_messages, client_texts
from tools.script_data import Data, as_script

LANGUAGES: Final = {"fr": "nplurals=2; plural=(n > 1);", "ja": "nplurals=1; plural=0;"}
"""All languages but English, with their plural forms for gettext."""
TABLE_WORDS: Final = ROOT / "game" / "results" / "table_words.json"
_SHARED_GROUPS: Final = (
    *("bot", "draws", "fuParts", "honours", "limits", "places", "ranks", "suits", "winds"),
    *("windLetters", "yaku"),
)


def main() -> int:
    """Update all files. Print what has changed and what is not translated."""
    texts = client_texts()
    messages = all_messages(texts)
    for language in LANGUAGES:
        catalogue = merge(language, read(language), messages)
        for path, content in files(language, catalogue, texts).items():
            if not path.exists() or path.read_bytes() != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                print(f"{path.relative_to(ROOT)} is new")
        for entry in catalogue:
            if not entry.translated():
                print(f"{language}: to be translated: {entry.msgctxt or ''} {entry.msgid!r}")
    return 0


def po_path(language: str) -> Path:
    """Return the path of the catalogue that translators edit."""
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def read(language: str) -> polib.POFile:
    """Return the catalogue on the disk, empty if there is none."""
    path = po_path(language)
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def merge(language: str, old: polib.POFile, messages: Iterable[Message]) -> polib.POFile:
    """Return a catalogue of these messages with the translations of the old one."""
    known: dict[tuple[str | None, str], polib.POEntry] = {
        (entry.msgctxt, entry.msgid): entry for entry in old
    }
    new = polib.POFile(wrapwidth=98)
    new.metadata = {
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": LANGUAGES[language],
    }
    for message in messages:
        new.append(_entry(language, message, known.get((message.context, message.text))))
    return new


def _entry(language: str, message: Message, known: polib.POEntry | None) -> polib.POEntry:
    entry = polib.POEntry(
        msgctxt=message.context,
        msgid=message.text,
        occurrences=[(place, "") for place in message.places],
    )
    if "%(" in message.text:
        entry.flags.append("python-format")
    if known is not None:
        entry.tcomment = known.tcomment
        entry.flags += [flag for flag in known.flags if flag == "fuzzy"]
    if message.plural is None:
        entry.msgstr = "" if known is None else known.msgstr
        return entry
    entry.msgid_plural = message.plural
    forms = range(2 if LANGUAGES[language].startswith("nplurals=2") else 1)
    translated = {} if known is None else known.msgstr_plural
    entry.msgstr_plural = {form: translated.get(form, "") for form in forms}
    return entry


def pairs(entry: polib.POEntry) -> list[tuple[str, str]]:
    """Return the English forms of the entry, each with its translation."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    forms = [form for _, form in sorted(entry.msgstr_plural.items())]
    english = [entry.msgid, entry.msgid_plural]
    return list(zip(english[-len(forms) :], forms, strict=True))


def files(language: str, catalogue: polib.POFile, texts: Data) -> dict[Path, bytes]:
    """Return the contents of all files of that language, and of the words that pages share."""
    assert isinstance(texts, dict)
    shared = {group: texts[group] for group in _SHARED_GROUPS}
    return {
        TABLE_WORDS: f"{json.dumps(shared, ensure_ascii=False, indent=2)}\n".encode(),
        po_path(language): f"{catalogue}".encode(),
        po_path(language).with_suffix(".mo"): catalogue.to_binary(),
        CLIENT_ENGLISH.with_name(f"{language}.js"): _script(language, catalogue, texts).encode(),
    }


def _script(language: str, catalogue: polib.POFile, texts: Data) -> str:
    """Return the client's texts in that language; untranslated ones are in English."""
    known = {(entry.msgctxt, entry.msgid): entry for entry in catalogue}

    def translated(data: Data, path: str) -> Data:
        if isinstance(data, str):
            return known[path, data].msgstr or data
        if data.keys() == {"one", "other"}:
            return _counted(known[path, str(data["one"])], data)
        return {key: translated(value, f"{path}.{key}") for key, value in data.items()}

    assert isinstance(texts, dict)
    said = {key: translated(value, key) for key, value in texts.items() if key != "locale"}
    return (
        f"/** Made from `locale/{language}` by `tools/catalogues.py`; edit that instead. */\n"
        '/** @type {import("./en.js").Texts} */\n'
        f"export const texts = {as_script({'locale': language, **said})};\n"
    )


def _counted(entry: polib.POEntry, english: dict[str, Data]) -> Data:
    forms = [form for _, form in sorted(entry.msgstr_plural.items())]
    if not all(forms):
        return english
    return {"one": forms[0], "other": forms[-1]}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    sys.exit(main())
