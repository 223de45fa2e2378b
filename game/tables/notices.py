"""Notices of officials at a table: the kind of intervention, which pages put into words, and the
reason.

A room holds one text. A notice of an official begins with a mark and the kind of the intervention;
a notice of the operator is plain text.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Intervention = Literal[
    "pause",
    "extend",
    "replace",
    "penalty",
    "chombo",
    "no_show",
    "cancel_penalty",
    "void",
    "repeat_hand",
    "repeat_game",
    "correct",
]
"""What an official has done."""
INTERVENTIONS: Final[tuple[str, ...]] = get_args(Intervention)
_MARK: Final = "\x1e"


def official_notice(kind: Intervention, reason: str) -> str:
    """Return the notice of that intervention."""
    return f"{_MARK}{kind}{_MARK}{reason}"


def read_notice(notice: str) -> tuple[str, str]:
    """Return the kind of the intervention, '' for a notice of the operator, and the text."""
    parts = notice.split(_MARK, 2)
    return (parts[1], parts[2]) if len(parts) == 3 and not parts[0] else ("", notice)
