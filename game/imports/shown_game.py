"""Describes an imported game for pages and for the script of its replay: names and differences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from django.utils.translation import gettext as _

from game.engine.events import Answered, GameStarted, HandStarted
from game.engine.rules import RuleSet
from game.imports.imported_game import ImportedDifference, ImportedGame
from game.imports.texts import CUT_OFF, UNKNOWN, TableText, difference_name, value_text


class ShownDifference(NamedTuple):
    """A difference in the language of the reader."""

    at: int
    """The place of its event in the script of the replay."""
    query: str
    """The query of the address at which the replay shows this place."""
    name: str
    ours: str
    theirs: str
    text: str
    """The difference in one sentence."""


def player_names(names: Sequence[str]) -> list[str]:
    """Return the names by seat. A missing name is replaced by a seat name in the reader's
    language."""
    return [name or _("Player %(number)d") % {"number": seat} for seat, name in enumerate(names, 1)]


def rules_of(game: ImportedGame) -> RuleSet:
    """Return the rules by which the engine has played the game."""
    start = game.events[0]
    assert isinstance(start, GameStarted)
    return start.rules


def shown_differences(game: ImportedGame, table_text: TableText) -> list[ShownDifference]:
    """Return the differences in the reader's language. Their places count the events that a replay
    shows: all except the answers of seats."""
    names = player_names(game.names)
    shown = [event for event in game.events if not isinstance(event, Answered)]
    deals = [at for at, event in enumerate(shown) if isinstance(event, HandStarted)]
    counts = list(accumulate(not isinstance(event, Answered) for event in game.events))
    return [
        _show_difference(
            difference,
            counts[difference.at] - 1,
            deals,
            value_text(difference.what, difference.ours, names, table_text),
            value_text(difference.what, difference.theirs, names, table_text),
        )
        for difference in game.differences
    ]


def shown_notes(game: ImportedGame) -> list[tuple[int, str]]:
    """Return pairs of a place in the replay and a sentence about a gap in the record. A hand that
    is cut off is noted after the last event, other gaps at the first deal."""
    shown = [event for event in game.events if not isinstance(event, Answered)]
    first = next(at for at, event in enumerate(shown) if isinstance(event, HandStarted))
    notes = [(first, str(UNKNOWN[name])) for name in game.unknown]
    if game.cut_hand:
        notes.append((len(shown) - 1, str(CUT_OFF) % {"number": game.cut_hand}))
    return notes


def _show_difference(
    difference: ImportedDifference, at: int, deals: Sequence[int], ours: str, theirs: str
) -> ShownDifference:
    hand = max(0, bisect_right(deals, at) - 1)
    name = difference_name(difference.what)
    text = _("%(what)s: by the rules %(ours)s, in the record %(theirs)s.") % {
        "what": name,
        "ours": ours,
        "theirs": theirs,
    }
    return ShownDifference(
        at=at,
        query=f"?hand={hand + 1}&step={max(0, at - deals[hand])}",
        name=name,
        ours=ours,
        theirs=theirs,
        text=text,
    )
