"""Which names an account may have, and which names are one and the same to the eye.

Pure. A name is shown as `cleaned` leaves it. Two accounts may share neither of its keys:

- `name_key` tells no case, accents and separators apart, and is what somebody signs in by;
- `look_key` takes capitals for the letters that they look like, in whatever script.

Scripts and look-alikes are Unicode's (UTS 39, by way of `confusable_homoglyphs`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from confusable_homoglyphs import categories, confusables

MIN_LENGTH: Final = 2
MAX_LENGTH: Final = 20
"""In code points, after normalisation."""

_SEPARATORS: Final = " -_.'\N{MIDDLE DOT}\N{KATAKANA MIDDLE DOT}"
_MARKS_IN_A_ROW: Final = 1
"""Beyond those that a single code point carries."""
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u17b4\u17b5\u034f\u180b\u180c\u180d")
"""Called letters and marks, but nothing is to be seen of them."""
_SCRIPTS_TOGETHER: Final = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
)
"""What is written together; any other script stands alone."""
_NEUTRAL: Final = frozenset({"COMMON", "INHERITED"})

_ALIKE: Final = (("rn", "m"), ("vv", "w"), ("i", "l"), ("1", "l"), ("0", "o"))
"""What Unicode's data leave apart, since they tell case apart."""

RESERVED_WORDS: Final = frozenset(
    """
    admin administrator administrateur administratrice bot everybody everyone guest host
    moderator moderateur moderatrice mod nobody null official officiel operator
    operateur owner root server serveur staff support system systeme team undefined webmaster
    管理 管理人 管理者 運営 公式 運営者 ゲスト システム サーバー サポート モデレーター invite
    """.split()  # noqa: SIM905
)
"""Not as a word of a name: who bears one would be taken for somebody who speaks for the site, or
for nobody."""
RESERVED_NAMES: Final = frozenset({"deleted player", "joueur supprimé", "削除されたプレイヤー"})


class NameRefused(ValueError):
    """The name cannot be had. `code` says why: length, sign, blank, scripts, marks, letter,
    edges, reserved."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def clean_name(name: str) -> str:
    """The name as it is kept and shown. Raises NameRefused."""
    if any(unicodedata.category(sign) in {"Cc", "Cf", "Co", "Cn", "Cs"} for sign in name):
        raise NameRefused("sign")
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        raise NameRefused("length")
    _check_signs(name)
    _check_scripts(name)
    if not any(_is_letter(sign) for sign in name):
        raise NameRefused("letter")
    if not (_is_part(name[0]) and (_is_part(name[-1]) or _is_mark(name[-1]))):
        raise NameRefused("edges")
    if _is_reserved(name):
        raise NameRefused("reserved")
    return name


def name_key(name: str) -> str:
    """What the name is found by."""
    return _comparison_key(unicodedata.normalize("NFKC", name).casefold())


def look_key(name: str) -> str:
    """What the name looks like."""
    return _comparison_key(unicodedata.normalize("NFKC", name))


def _check_signs(name: str) -> None:
    marks = 0
    for sign in name:
        if sign in _BLANK_LETTERS or unicodedata.category(sign) in {"Cc", "Cf", "Co", "Cn"}:
            raise NameRefused("blank")
        marks = marks + 1 if _is_mark(sign) else 0
        if marks > _MARKS_IN_A_ROW:
            raise NameRefused("marks")
        if not (marks or _is_part(sign) or sign in _SEPARATORS):
            raise NameRefused("sign")
    if re.search(rf"[{re.escape(_SEPARATORS)}]{{2}}", name.replace(". ", " ")):
        raise NameRefused("sign")


def _check_scripts(name: str) -> None:
    scripts = {categories.alias(sign) for sign in name} - _NEUTRAL
    if len(scripts) > 1 and not any(scripts <= together for together in _SCRIPTS_TOGETHER):
        raise NameRefused("scripts")


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign).startswith("L")


def _is_part(sign: str) -> bool:
    """A letter, or one of the ten digits that everybody can tell apart."""
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
        key(one) for one in RESERVED_WORDS | RESERVED_NAMES for key in (name_key, look_key)
    )


def _comparison_key(name: str) -> str:
    found = name
    for _ in range(2):  # a prototype in another case may have one of its own
        found = "".join(_prototype(sign).casefold() for sign in _without_accents(found))
    for one, other in _ALIKE:
        found = found.replace(one, other)
    return found


def _without_accents(name: str) -> str:
    """Without separators, and without marks on letters of scripts that can do without; those of
    other scripts, as in kana, make other letters."""
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
def _prototype(sign: str) -> str:
    """The one sign that stands for all that look like it."""
    group = [sign, *_look_alikes(sign)]
    if len(group) == 2:  # it may be one of many that look like the other
        group += _look_alikes(group[1])
    return min(group, key=lambda one: (not one.isascii(), not _is_letter(one), ord(one)))


def _look_alikes(sign: str) -> list[str]:
    """The data's look-alikes of a sign: all for one that stands for others, else that one."""
    found = [str(entry["c"]) for entry in confusables.confusables_data.get(sign, ())]
    return [one for one in found if len(one) == 1]
