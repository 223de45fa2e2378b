"""Checks names of accounts, and finds names that look alike. Pure.

Names are shown as `clean_name` returns them. Two accounts may share neither key:

- `name_key` ignores case, accents and separators; people sign in by it;
- `look_key` compares letters, also capitals, by their looks in any script.

Scripts and look-alikes are Unicode's (UTS 39, from `confusable_homoglyphs`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from confusable_homoglyphs import categories

MIN_LENGTH: Final = 2
MAX_LENGTH: Final = 20
"""The greatest length of a name in code points, after normalisation."""

_SEPARATORS: Final = " -_.'\N{MIDDLE DOT}\N{KATAKANA MIDDLE DOT}"
_MARKS_IN_A_ROW: Final = 1
"""The most combining marks in a row, in addition to those of a precomposed letter."""
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u17b4\u17b5\u034f\u180b\u180c\u180d")
"""Letters and marks that are invisible."""
_SCRIPTS_TOGETHER: Final = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
)
"""Scripts that may be mixed."""
_NEUTRAL_SCRIPTS: Final = frozenset({"COMMON", "INHERITED"})

_ALIKE_LETTERS: Final = (("rn", "m"), ("vv", "w"), ("i", "l"), ("1", "l"), ("0", "o"))
"""Look-alikes that Unicode's data lack, since they distinguish case."""

RESERVED_WORDS: Final = frozenset(
    """
    admin administrator administrateur administratrice bot everybody everyone guest host
    moderator moderateur moderatrice mod nobody null official officiel operator
    operateur owner root server serveur staff support system systeme team undefined webmaster
    管理 管理人 管理者 運営 公式 運営者 ゲスト システム サーバー サポート モデレーター invite
    """.split()  # noqa: SIM905
)
"""Words that no name may contain: they suggest an official of the site, or nobody."""
RESERVED_NAMES: Final = frozenset(
    {"deleted player", "joueur supprimé", "compte supprimé", "削除されたプレイヤー"}
)


class NameRefused(ValueError):
    """The name is not allowed. `code`: length, sign, blank, scripts, marks, letter, edges or
    reserved."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def clean_name(name: str) -> str:
    """Return the name in the form to store and show. Raises NameRefused."""
    if any(unicodedata.category(sign) in {"Cc", "Cf", "Co", "Cn", "Cs"} for sign in name):
        raise NameRefused("sign")
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        raise NameRefused("length")
    _check_signs(name)
    _check_scripts(name)
    if not any(_is_letter(sign) for sign in name):
        raise NameRefused("letter")
    if not (_is_letter_or_digit(name[0]) and (_is_letter_or_digit(name[-1]) or _is_mark(name[-1]))):
        raise NameRefused("edges")
    if _is_reserved(name):
        raise NameRefused("reserved")
    return name


def name_key(name: str) -> str:
    """Return the key by which people find the name."""
    return _comparison_key(unicodedata.normalize("NFKC", name).casefold())


def look_key(name: str) -> str:
    """Return a key that is equal for names that look alike."""
    return _comparison_key(unicodedata.normalize("NFKC", name))


def _check_signs(name: str) -> None:
    marks = 0
    for sign in name:
        if sign in _BLANK_LETTERS or unicodedata.category(sign) in {"Cc", "Cf", "Co", "Cn"}:
            raise NameRefused("blank")
        marks = marks + 1 if _is_mark(sign) else 0
        if marks > _MARKS_IN_A_ROW:
            raise NameRefused("marks")
        if not (marks or _is_letter_or_digit(sign) or sign in _SEPARATORS):
            raise NameRefused("sign")
    if re.search(rf"[{re.escape(_SEPARATORS)}]{{2}}", name.replace(". ", " ")):
        raise NameRefused("sign")


def _check_scripts(name: str) -> None:
    scripts = {categories.alias(sign) for sign in name} - _NEUTRAL_SCRIPTS
    if len(scripts) > 1 and not any(scripts <= together for together in _SCRIPTS_TOGETHER):
        raise NameRefused("scripts")


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign).startswith("L")


def _is_letter_or_digit(sign: str) -> bool:
    """Return whether the sign is a letter or an ASCII digit."""
    return _is_letter(sign) or sign in "0123456789"


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign) in {"Mn", "Mc"}


def _is_reserved(name: str) -> bool:
    keys = _reserved_keys()
    words = re.split(rf"[{re.escape(_SEPARATORS)}]", name)
    bare = [word.rstrip("0123456789") for word in words]
    candidates = [name, *words, *filter(None, bare)]
    return any(key(part) in keys for part in candidates for key in (name_key, look_key))


@cache
def _reserved_keys() -> frozenset[str]:
    return frozenset(
        key(name) for name in RESERVED_WORDS | RESERVED_NAMES for key in (name_key, look_key)
    )


def _comparison_key(name: str) -> str:
    found = name
    for _ in range(2):  # a prototype in another case may have its own prototype
        found = "".join(_prototype_of(sign).casefold() for sign in _without_accents(found))
    for written, replacement in _ALIKE_LETTERS:
        found = found.replace(written, replacement)
    return found


def _without_accents(name: str) -> str:
    """Remove separators, and marks on Latin, Greek and Cyrillic letters. In other scripts, such as
    kana, a mark makes another letter."""
    found: list[str] = []
    plain = False
    for sign in unicodedata.normalize("NFD", name):
        if not _is_mark(sign):
            plain = categories.alias(sign) in {"LATIN", "GREEK", "CYRILLIC"}
        elif plain:
            continue
        if sign not in _SEPARATORS:
            found.append(sign)
    return unicodedata.normalize("NFC", "".join(found))


@cache
def _prototype_of(sign: str) -> str:
    """Return one sign for all signs that look alike."""
    group = [sign, *_look_alikes(sign)]
    if len(group) == 2:  # the other sign may be the prototype of more signs
        group += _look_alikes(group[1])
    return min(group, key=lambda sign: (not sign.isascii(), not _is_letter(sign), ord(sign)))


def _look_alikes(sign: str) -> list[str]:
    """Return the look-alikes of the sign in Unicode's data: all of them for a prototype, only the
    prototype for another sign."""
    # Reading the data takes 50 ms, and most processes never check a name.
    from confusable_homoglyphs import confusables

    found = [str(entry["c"]) for entry in confusables.confusables_data.get(sign, ())]
    return [letters for letters in found if len(letters) == 1]
