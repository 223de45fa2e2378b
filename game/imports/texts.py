"""The texts for people who import a game: why a record is refused, and what differs in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from game.imports.imported_game import MAX_HANDS

REFUSALS: Final = {
    "empty": _("Choose a file, or paste the text of a record."),
    "too_large": _("The record is too large: at most 2 MB, also when it is unpacked."),
    "too_long": _("The record has too many hands for one game: at most %(hands)d."),
    "address": _(
        "This is only an address, and no address is opened here. Download the record and choose "
        "the file, or paste its text. Addresses of tenhou.net/6 with the game after “#json=” work."
    ),
    "entities": _(
        "The record declares XML entities or a document type. No record of a game needs that."
    ),
    "html": _(
        "This is a web page, not a record. Download the record itself, or copy its text and paste "
        "it."
    ),
    "soul_export": _(
        "This is an export of Mahjong Soul, which cannot be read. Convert it to the JSON of "
        "tenhou.net/6, as browser extensions for Mahjong Soul do, and choose that file."
    ),
    "zip": _("This is a zip archive. Unpack it and choose one record in it."),
    "unsupported": _("Games of this kind cannot be shown."),
    "damaged": _(
        "This is not a record that can be read: damaged, incomplete, or of an unknown format."
    ),
    "too_costly": _("Reading the record took too much time or memory. It is probably damaged."),
    "busy": _("Many records are being read at the moment. Please try again shortly."),
    "too_often": _("Too many attempts. Please wait a while, then try again."),
    "unavailable": _("That is not possible at the moment. Please try again shortly."),
    "wrong_key": _("That is not the key for deletion of this game."),
}
"""By the code that the API answers."""

DIFFERENCES: Final = {
    "course of the hand": _("Course of the hand"),
    "turn": _("Course of the hand"),
    "riichi": _("Riichi"),
    "illegal": _("Not allowed by the rules"),
    "tiles": _("Tiles"),
    "indicator": _("Dora indicator"),
    "indicators": _("Dora indicators"),
    "ura indicators": _("Ura dora indicators"),
    "hand dealt": _("Hand dealt"),
    "dealer": _("Dealer"),
    "honba": _("Honba"),
    "riichi sticks": _("Riichi sticks"),
    "scores": _("Points of the players"),
    "results": _("Result of the hand"),
    "result": _("Result of the hand"),
    "draw": _("Reason of the draw"),
    "end of the hand": _("End of the hand"),
    "end of the game": _("End of the game"),
    "winner": _("Winner"),
    "from": _("Who dealt in"),
    "winning tile": _("Winning tile"),
    "winning hand": _("Winning hand"),
    "melds of the winner": _("Melds of the winner"),
    "norths set aside": _("Norths set aside"),
    "han": _("Han"),
    "fu": _("Fu"),
    "yaku": _("Yaku"),
    "yakuman": _("Yakuman"),
    "limit": _("Limit"),
    "points": _("Points of the win"),
    "liable seat": _("Liable player"),
    "payments": _("Payments"),
    "tenpai": _("Tenpai"),
    "foul": _("Chombo"),
    "offenders": _("Chombo"),
    "final scores": _("Final scores"),
    "final points": _("Final points"),
    "ranking": _("Ranking"),
}
"""By `Difference.what`."""


CUT_OFF: Final = _("The record ends within hand %(number)d. It is shown up to its last whole hand.")
UNKNOWN: Final = {
    "kan_dora": _(
        "The record has no kan dora. Those that the payments show are counted, without their tiles."
    ),
    "scores": _(
        "The record does not contain all points. Those that are shown follow from the rules alone."
    ),
    "ura": _(
        "The record does not show the ura dora of every win. Those that the payments show are "
        "counted, without their tiles."
    ),
}
"""What a record leaves out."""


def refusal_text(code: str) -> str:
    """Return the text of a refusal in the language of the reader."""
    return str(REFUSALS[code]) % {"hands": MAX_HANDS}


def difference_name(what: str) -> str:
    """Return the name, in the reader's language, of the value that differs."""
    if what.startswith("deal of seat "):
        return str(_("Tiles dealt"))
    if what.startswith("hand shown by seat "):
        return str(_("Hand shown"))
    return str(DIFFERENCES.get(what, what))


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
    (r"seat (?P<seat>[0-3]) sets a north aside", _("%(seat)s sets a north aside")),
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
_NOT_ALLOWED: Final = _("that is not allowed")


def value_text(what: str, value: str, names: Sequence[str], table_text: TableText) -> str:
    """Return the text of one value of a difference. `what` says which value differs, `names` are
    the players by seat; tiles stay in mjai's notation."""
    if what in _SEATS:
        return ", ".join(_seat_or_word(part, names) for part in value.split()) or str(_("none"))
    if what == "yaku":
        return ", ".join(_yaku_text(part, table_text) for part in value.split(", "))
    if what in ("limit", "draw", "foul") and re.fullmatch(r"[a-z_]+", value):
        return _table_word("limits" if what == "limit" else "draws", value, table_text)
    if value and all(part in _YES_OR_NO for part in value.split()):
        return " ".join(str(_YES_OR_NO[part]) for part in value.split())
    if not re.search("[a-z]{3}", value):
        return _LARGE_NUMBER.sub(_group_digits, value)
    return "; ".join(_phrase_text(part, names, table_text) for part in value.split("; "))


def _group_digits(number: re.Match[str]) -> str:
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
                fields["reason"] = _table_word("draws", fields["reason"], table_text)
            return str(words) % fields
    return str(_NOT_ALLOWED)  # the engine's reason, which is for programmers


def _seat_or_word(part: str, names: Sequence[str]) -> str:
    if part in _YES_OR_NO:
        return str(_YES_OR_NO[part])
    return names[int(part)] if part in ("0", "1", "2", "3") else part


def _yaku_text(part: str, table_text: TableText) -> str:
    name, _space, han = part.rpartition(" ")
    return f"{_table_word('yaku', name, table_text)} {han}" if name else str(_("none"))


def _table_word(group: str, word: str, table_text: TableText) -> str:
    try:
        return table_text(group, word)
    except KeyError:
        return word.replace("_", " ")


FAULTS: Final[dict[str, Any]] = {
    "no_hand": _("There is no hand in it."),
    "ends_early": _("It ends too early."),
    "json": _("It is not valid JSON."),
    "packed": _("It cannot be unpacked."),
    "declaration": _("It contains a comment or another declaration, which no mjlog does."),
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
    ("mark", r"mark of this site|seed of the walls|its mark of"),
    ("hidden_tiles", r"tiles are hidden"),
    ("declaration", r"comment or another declaration"),
    ("nested", r"nested too deeply"),
    ("format", r"not a record of a known format"),
    (
        "kind_of_game",
        r"not riichi|has four players|rules of its own|kind of table|games in one file",
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
            r"no round|honba|riichi sticks|out of range|numbers for \d|there is no seat|deals in|"
            r"deals, in|deltas|a fourth player"
        ),
    ),
    ("unknown", r"unknown|cannot be read|is damaged|before the first hand"),
)
_LOCATIONS: Final[tuple[tuple[str, Any], ...]] = (
    (r"\bhand (\d+)", _("Hand %(number)s")),
    (r"\bpart (\d+)", _("record part %(number)s")),
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
    """Return the translated fault for `detail`, the English text of a refusal."""
    code = next((code for code, found in _PATTERNS if re.search(found, detail)), "")
    places = [
        str(words) % {"number": found[1]}
        for pattern, words in _LOCATIONS
        if (found := re.search(pattern, detail)) is not None
    ]
    place = ", ".join(places)
    text = str(FAULTS[code]) if code else ""
    if place and text:
        text = str(_AT_A_PLACE) % {"place": place, "fault": text}
    return Fault(code, text or place)
