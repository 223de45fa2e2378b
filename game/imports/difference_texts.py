"""Translates the values of differences from the English of `game.records`.

The English texts of `game.records.compare` and `game.records.event_text` serve as codes here. A
test checks that all of them are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

TableText = Callable[[str, str], str]
"""Returns a word of the table by group and id, such as ("yaku", "riichi")."""

_PHRASES: Final[tuple[tuple[str, Any], ...]] = (
    (r"the record ends", _("the record ends")),
    (r"the hand goes on", _("the hand goes on")),
    (r"the wall is used up", _("the wall is used up")),
    (r"it goes on", _("the game goes on")),
    (r"it is over", _("the game is over")),
    (r"the game is over", _("the game is over")),
    (r"hand (?P<tiles>[ESWN][1-4])", _("the hand %(tiles)s")),
    (r"none", _("none")),
    (r"a discard follows", _("a discard follows")),
    (r"each tile in one place", _("each tile in one place")),
    (r"seat (?P<seat>[0-3]) is to act", _("%(seat)s is to act")),
    (r"seat (?P<seat>[0-3]) may not take the tile", _("%(seat)s may not take the tile")),
    (r"accepted, but not among what is allowed", _("that is not allowed")),
    (r"seat (?P<seat>[0-3]) draws (?P<tiles>\S+)", _("%(seat)s draws %(tiles)s")),
    (
        r"seat (?P<seat>[0-3]) draws (?P<tiles>\S+) after a kan",
        _("%(seat)s draws %(tiles)s after a kan"),
    ),
    (r"seat (?P<seat>[0-3]) discards (?P<tiles>\S+)", _("%(seat)s discards %(tiles)s")),
    (
        r"seat (?P<seat>[0-3]) discards (?P<tiles>\S+), just drawn",
        _("%(seat)s discards %(tiles)s, just drawn"),
    ),
    (r"seat (?P<seat>[0-3]) declares riichi", _("%(seat)s declares riichi")),
    (r"seat (?P<seat>[0-3]) pays the stick", _("%(seat)s pays the riichi stick")),
    (r"the indicator (?P<tiles>\S+) is turned", _("the dora indicator %(tiles)s is turned")),
    (
        (
            r"seat (?P<seat>[0-3]) calls (?P<call>\w+) from seat (?P<other>[0-3]): "
            r"(?P<tiles>\S+) with (?P<own>.+)"
        ),
        _("%(seat)s calls %(call)s from %(other)s: %(tiles)s with %(own)s"),
    ),
    (
        r"seat (?P<seat>[0-3]) declares ankan: (?P<tiles>.+)",
        _("%(seat)s declares a closed kan: %(tiles)s"),
    ),
    (
        r"seat (?P<seat>[0-3]) declares kakan: (?P<tiles>\S+) to (?P<own>.+)",
        _("%(seat)s adds %(tiles)s to %(own)s"),
    ),
    (r"seat (?P<seat>[0-3]) wins by tsumo", _("%(seat)s wins by tsumo")),
    (
        r"seat (?P<seat>[0-3]) wins from seat (?P<other>[0-3])",
        _("%(seat)s wins by ron from %(other)s"),
    ),
    (r"the hand is drawn: no reason recorded", _("the hand is drawn")),
    (r"the hand is drawn: (?P<reason>\w+)", _("the hand is drawn: %(reason)s")),
)
_SEATS: Final = frozenset({"winner", "from", "liable seat", "dealer", "offenders", "ranking"})
"""Differences whose values are numbers of seats."""
_YES_OR_NO: Final = {"True": _("yes"), "False": _("no"), "None": _("none"), "-1": _("none")}
_LARGE_NUMBER: Final = re.compile(r"(?P<sign>(?<!\S)[+-]|)(?P<digits>\b\d{4,}\b)")
_REFUSED: Final = _("that is not allowed")


def value_text(what: str, value: str, names: Sequence[str], table_text: TableText) -> str:
    """Return the value of a difference in `what`. `names` are those of the players by seat; tiles
    stay in mjai's notation."""
    if what in _SEATS:
        return ", ".join(_seat_or_word(part, names) for part in value.split()) or str(_("none"))
    if what == "yaku":
        return ", ".join(_yaku_text(part, table_text) for part in value.split(", "))
    if what in ("limit", "draw", "foul") and re.fullmatch(r"[a-z_]+", value):
        return _word_of("limits" if what == "limit" else "draws", value, table_text)
    if value and all(part in _YES_OR_NO for part in value.split()):
        return " ".join(str(_YES_OR_NO[part]) for part in value.split())
    if not re.search("[a-z]{3}", value):
        return _LARGE_NUMBER.sub(_grouped, value)
    return "; ".join(_phrase_text(part, names, table_text) for part in value.split("; "))


def _grouped(number: re.Match[str]) -> str:
    """Return a number of points in the reader's language."""
    sign = "\N{MINUS SIGN}" if number["sign"] == "-" else number["sign"]
    return sign + number_format(number["digits"], use_l10n=True, force_grouping=True)


def _phrase_text(text: str, names: Sequence[str], table_text: TableText) -> str:
    for pattern, words in _PHRASES:
        if (found := re.fullmatch(pattern, text)) is not None:
            fields = found.groupdict()
            for seat in ("seat", "other"):
                if seat in fields:
                    fields[seat] = names[int(fields[seat])]
            if "reason" in fields:
                fields["reason"] = _word_of("draws", fields["reason"], table_text)
            return str(words) % fields
    return str(_REFUSED)  # the engine's reason, which is for programmers


def _seat_or_word(part: str, names: Sequence[str]) -> str:
    if part in _YES_OR_NO:
        return str(_YES_OR_NO[part])
    return names[int(part)] if part in ("0", "1", "2", "3") else part


def _yaku_text(part: str, table_text: TableText) -> str:
    name, _space, han = part.rpartition(" ")
    return f"{_word_of('yaku', name, table_text)} {han}" if name else str(_("none"))


def _word_of(group: str, word: str, table_text: TableText) -> str:
    try:
        return table_text(group, word)
    except KeyError:
        return word.replace("_", " ")
