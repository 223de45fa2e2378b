"""Takes new texts into the catalogues of the languages: `python -m tools.catalogues`.

Adds the texts of templates, code and client to `locale/<language>/LC_MESSAGES/django.po`, removes
those that are gone, and makes the words that pages and scripts read (`tools.words`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

import polib

from tools import words
from tools.messages import Message, all_messages
from tools.words import LANGUAGES, po_path, read_catalogue


def main() -> int:
    """Update all catalogues. Print what has changed and what is not translated."""
    messages = all_messages(words.client_texts())
    for language in LANGUAGES:
        catalogue = merge_catalogue(language, read_catalogue(language), messages)
        path, content = po_path(language), f"{catalogue}"
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
            print(f"{path.relative_to(words.ROOT)} is new")
        for entry in catalogue:
            if not entry.translated():
                print(f"{language}: to be translated: {entry.msgctxt or ''} {entry.msgid!r}")
    return words.main()


def merge_catalogue(language: str, old: polib.POFile, messages: Iterable[Message]) -> polib.POFile:
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
        new.append(_make_entry(language, message, known.get((message.context, message.text))))
    return new


def _make_entry(language: str, message: Message, known: polib.POEntry | None) -> polib.POEntry:
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


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    sys.exit(main())
