"""Translates the damage of a record from the English of `game.records` into a code and a text.

The English texts say where the damage is and what it is, for people who write such records.
`fault_of` finds the code and the place in them.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

FAULTS: Final[dict[str, Any]] = {
    "no_hand": _("There is no hand in it."),
    "ends_early": _("It ends too early."),
    "json": _("It is not valid JSON."),
    "packed": _("It cannot be unpacked."),
    "nested": _("It is nested too deeply."),
    "format": _("Its format is not known."),
    "hidden_tiles": _("Tiles are hidden: it is the log of one seat, not of the table."),
    "kind_of_game": _("It is another kind of game, or has rules of its own."),
    "missing": _("Something is missing there."),
    "unknown": _("Something there is not known."),
    "tiles": _("Its tiles cannot be those of one wall."),
    "order": _("Its draws and discards fit no order."),
    "result": _("The result of a hand cannot be read."),
    "numbers": _("A number in it is not possible."),
    "several_games": _("It is of another game than the parts before it."),
    "mark": _("The mark of this site in it is damaged."),
    "not_playable": _("It cannot be played by the rules that it names."),
}
"""What is wrong, by code."""

_PATTERNS: Final[tuple[tuple[str, str], ...]] = (
    ("no_hand", r"contains no hand"),
    ("packed", r"cannot be unpacked"),
    ("ends_early", r"ends within|has no end\b|ends too early"),
    ("several_games", r"of another game"),
    ("mark", r"mark of this site|seed of the walls"),
    ("hidden_tiles", r"tiles are hidden"),
    ("nested", r"nested too deeply"),
    ("format", r"not a record of a known format"),
    (
        "kind_of_game",
        r"not four-player|rules of its own|North is set aside|kind of table|games in one file",
    ),
    ("not_playable", r"not playable|cannot be played"),
    ("order", r"fit no order|are left$|but none was drawn|has no discard"),
    ("result", r"has no result|unknown result|payments or no winner|value of a win|final scores"),
    ("json", r"JSON"),
    ("missing", r"it has no |there are none|has \d+ fields"),
    (
        "tiles",
        (
            r"there (?:is|are) no tiles?\b|second time|appears \d|same place|is dealt \d|"
            r"replacement tile|tiles are drawn|sixth dora|not in the hand|with \d+ tiles|"
            r"seat \d draws"
        ),
    ),
    (
        "numbers",
        (
            r"no round|honba|riichi sticks|out of range|numbers for four|there is no seat|deals in|"
            r"deals, in|deltas"
        ),
    ),
    ("unknown", r"unknown|cannot be read|is damaged|before the first hand"),
)
_PLACES: Final[tuple[tuple[str, Any], ...]] = (
    (r"\bhand (\d+)", _("Hand %(number)s")),
    (r"\bpart (\d+)", _("part %(number)s")),
    (r"\bline (\d+)", _("line %(number)s")),
    (r"\belement (\d+)", _("element %(number)s")),
    (r"\bmove (\d+)", _("move %(number)s")),
)
_AT_A_PLACE: Final = _("%(place)s: %(fault)s")


class Fault(NamedTuple):
    """What is wrong with a record."""

    code: str
    """A key of `FAULTS`; empty if it is not known."""
    text: str
    """The place and the damage in the language of the reader."""


def fault_of(detail: str) -> Fault:
    """Return the fault of the English text of a refusal."""
    code = next((code for code, found in _PATTERNS if re.search(found, detail)), "")
    places = [
        str(words) % {"number": found[1]}
        for pattern, words in _PLACES
        if (found := re.search(pattern, detail)) is not None
    ]
    place = ", ".join(places)
    text = str(FAULTS[code]) if code else ""
    if place and text:
        text = str(_AT_A_PLACE) % {"place": place, "fault": text}
    return Fault(code, text or place)
