"""Recognises mjai records whose results contain the riichi sticks paid in the same hand.

Usually a stick is paid when the riichi is accepted, and the deltas of the result contain only what
the result pays. riichi.dev writes what the whole hand has changed, so that the stick is paid twice
for a reader who does not know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from game.engine.state import SEATS_OF, STICK
from game.records.mjai_hands import MjaiLine

_RESULTS = ("hora", "ryukyoku")


def without_own_sticks(played: Sequence[list[MjaiLine]]) -> list[list[MjaiLine]]:
    """Return the hands with the usual deltas. They are changed if the deltas of all hands in which
    a stick was paid add up as in this dialect."""
    sums = [_sums(lines) for lines in played]
    known = [found for found in sums if found is not None]
    if not known or any(total != with_sticks for total, with_sticks in known):
        return list(played)
    return [
        lines if found is None else _with_usual_deltas(lines)
        for lines, found in zip(played, sums, strict=True)
    ]


def _sums(lines: Sequence[MjaiLine]) -> tuple[int, int] | None:
    """Return the sum of the deltas of a hand, and the sum that this dialect would have. None
    for a hand without a paid stick, or without a whole number for each seat in each result."""
    results = [line for line in lines if line.type in _RESULTS]
    all_deltas = [line.fields.get("deltas") for line in results]
    paid = _paid_by(lines)
    if not results or not paid or not all(map(_is_by_seat, all_deltas)):
        return None
    kyotaku = lines[0].fields.get("kyotaku", 0)
    if not isinstance(kyotaku, int):
        return None
    collected = 0 if results[0].type == "ryukyoku" else STICK * (kyotaku + len(paid))
    total = sum(sum(deltas) for deltas in all_deltas if deltas)
    return total, collected - STICK * len(paid)


def _is_by_seat(deltas: Any) -> bool:
    return (
        isinstance(deltas, list)
        and len(deltas) in SEATS_OF
        and all(isinstance(delta, int) for delta in deltas)
    )


def _paid_by(lines: Sequence[MjaiLine]) -> list[Any]:
    return [line.fields.get("actor") for line in lines if line.type == "reach_accepted"]


def _with_usual_deltas(lines: list[MjaiLine]) -> list[MjaiLine]:
    """Return the events with the sticks of the hand added back to the seats that paid them, in the
    result that contains them: of several wins the first takes all sticks."""
    paid = _paid_by(lines)
    kyotaku = lines[0].fields.get("kyotaku", 0)
    places = [at for at, line in enumerate(lines) if line.type in _RESULTS]
    first = lines[places[0]].fields["deltas"]
    is_in_first = len(places) == 1 or sum(first) == STICK * kyotaku
    at = places[0] if is_in_first else places[-1]
    deltas = [
        delta + STICK * paid.count(seat) for seat, delta in enumerate(lines[at].fields["deltas"])
    ]
    changed = lines[at]._replace(fields=lines[at].fields | {"deltas": deltas})
    return [*lines[:at], changed, *lines[at + 1 :]]
