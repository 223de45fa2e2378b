"""Makes the words in French and Japanese that pages and scripts read: ``python -m tools.words``.

English is in templates, in code and in `static/js/table/names/en.js`. For every other language
there is one catalogue, `locale/<language>/LC_MESSAGES/django.po`, which translators edit. From it
come `django.mo`, which Django reads, and `static/js/table/names/<language>.js`, which the table
reads. The words that pages share with the table go to `game/results/table_words.json`. None of
these is in the repository: `tools.bundle` makes them before the bundles, and the tests before they
run.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Final

import polib

from tools.script_data import Data, format_data, parse_data

ROOT: Final = Path(__file__).resolve().parent.parent
LANGUAGES: Final = {"fr": "nplurals=2; plural=(n > 1);", "ja": "nplurals=1; plural=0;"}
"""All languages but English, with their plural forms for gettext."""
CLIENT_ENGLISH: Final = ROOT / "static" / "js" / "table" / "names" / "en.js"
TABLE_WORDS: Final = ROOT / "game" / "results" / "table_words.json"
_MADE_FROM: Final = ROOT / "build" / "words.sha256"
"""The hash of the sources and of the made files, as they were when these were made."""
_SHARED_GROUPS: Final = (
    *("bot", "draws", "fuParts", "honours", "limits", "places", "ranks", "suits", "winds"),
    *("windLetters", "yaku"),
)


def main() -> int:
    """Make all files, unless they are there and as the sources say. Return the exit status."""
    if not _is_current():
        make_files()
    return 0


def make_files() -> None:
    """Make all files."""
    texts = client_texts()
    for language in LANGUAGES:
        for path, content in language_files(language, read_catalogue(language), texts).items():
            _write(path, content)
    _write(_MADE_FROM, _fingerprint().encode())


def _write(path: Path, content: bytes) -> None:
    """Replace the file in one step: servers may be reading it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(content)
    part.replace(path)


def _is_current() -> bool:
    try:
        return _MADE_FROM.read_text() == _fingerprint()
    except OSError:
        return False


def _fingerprint() -> str:
    """Return a hash of the sources, of this program and of the made files. Raises OSError."""
    sources = [CLIENT_ENGLISH, Path(__file__), Path(__file__).with_name("script_data.py")]
    made = [TABLE_WORDS]
    for language in LANGUAGES:
        sources.append(po_path(language))
        made += [po_path(language).with_suffix(".mo"), CLIENT_ENGLISH.with_name(f"{language}.js")]
    digest = hashlib.sha256()
    for path in (*sources, *made):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def client_texts() -> Data:
    """Return the client's English."""
    return parse_data(CLIENT_ENGLISH.read_text(encoding="utf-8"), "texts")


def po_path(language: str) -> Path:
    """Return the path of the catalogue that translators edit."""
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def read_catalogue(language: str) -> polib.POFile:
    """Return the catalogue on the disk, empty if there is none."""
    path = po_path(language)
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def translation_pairs(entry: polib.POEntry) -> list[tuple[str, str]]:
    """Return the English forms of the entry, each with its translation."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    forms = [form for _, form in sorted(entry.msgstr_plural.items())]
    english = [entry.msgid, entry.msgid_plural]
    return list(zip(english[-len(forms) :], forms, strict=True))


def language_files(language: str, catalogue: polib.POFile, texts: Data) -> dict[Path, bytes]:
    """Return the contents of all files of that language, and of the words that pages share."""
    assert isinstance(texts, dict)
    shared = {group: texts[group] for group in _SHARED_GROUPS}
    return {
        TABLE_WORDS: f"{json.dumps(shared, ensure_ascii=False, indent=2)}\n".encode(),
        po_path(language).with_suffix(".mo"): catalogue.to_binary(),
        CLIENT_ENGLISH.with_name(f"{language}.js"): _client_script(
            language, catalogue, texts
        ).encode(),
    }


def _client_script(language: str, catalogue: polib.POFile, texts: Data) -> str:
    """Return the client's texts in that language; untranslated ones are in English."""
    known = {(entry.msgctxt, entry.msgid): entry for entry in catalogue}

    def translated(data: Data, path: str) -> Data:
        if isinstance(data, str):
            entry = known.get((path, data))
            return data if entry is None else entry.msgstr or data
        if data.keys() == {"one", "other"}:
            return _translated_plurals(known.get((path, str(data["one"]))), data)
        return {key: translated(value, f"{path}.{key}") for key, value in data.items()}

    assert isinstance(texts, dict)
    said = {key: translated(value, key) for key, value in texts.items() if key != "locale"}
    return (
        f"/** Made from `locale/{language}` by `tools/words.py`; edit that instead. */\n"
        '/** @type {import("./en.js").Texts} */\n'
        f"export const texts = {format_data({'locale': language, **said})};\n"
    )


def _translated_plurals(entry: polib.POEntry | None, english: dict[str, Data]) -> Data:
    forms = [form for _, form in sorted(entry.msgstr_plural.items())] if entry is not None else []
    if not forms or not all(forms):
        return english
    return {"one": forms[0], "other": forms[-1]}


if __name__ == "__main__":
    sys.exit(main())
