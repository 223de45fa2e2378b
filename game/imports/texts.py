"""The texts for people who import a game: why a record is refused, and what differs in it."""

from __future__ import annotations

from typing import Final

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
    "three_players": _("This is a game of three players. Only games of four can be shown."),
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
    """Return the name of what differs in the language of the reader."""
    if what.startswith("deal of seat "):
        return str(_("Tiles dealt"))
    if what.startswith("hand shown by seat "):
        return str(_("Hand shown"))
    return str(DIFFERENCES.get(what, what))
