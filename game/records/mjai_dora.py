"""The timing of kan dora in mjai records, and events in the order of the engine.

Servers write the same events in different orders: the replacement tile before or after an indicator
that was turned first. The engine puts the indicator first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from game.engine.rules import RuleSet
from game.records.mjai_hands import MjaiLine

OpenKan = Literal["before_replacement", "at_discard", "after_discard_passes"]
_OPEN_KANS: Final = ("daiminkan", "kakan")
_KANS: Final = ("ankan", *_OPEN_KANS)
_ENDS: Final = ("hora", "ryukyoku", "error", "end_kyoku")


class Timing(NamedTuple):
    has_kan_dora: bool
    open_kan: OpenKan


def timing_of(played: Sequence[Sequence[MjaiLine]]) -> Timing:
    """Return the rules of kan dora by which these hands were played; Tenhou's if there are no
    kans."""
    courses = [
        _course(lines, at) for lines in played for at in _kans(lines) if not _is_due(lines[:at])
    ]
    after_kan = [course[:3] for course in courses]
    closed = [course for course in after_kan if course[0] == "ankan"]
    opened = [course for course in courses if course[0] in _OPEN_KANS]
    if not any("dora" in course for course in courses):
        is_due = any(course[1:2] == ("tsumo",) for course in closed) or any(
            "dahai" in course for course in opened
        )
        return Timing(not is_due, "at_discard")
    is_told_late = ("ankan", "tsumo", "dora") in after_kan
    follows = [course[1:] for course in opened]
    if any(
        course[:1] == ("dora",)
        or (course[:2] == ("tsumo", "dora") and (is_told_late or course[2:3] == ("hora",)))
        for course in follows
    ):
        return Timing(True, "before_replacement")
    thrown_first = [course for course in follows if course[:3] == ("tsumo", "dahai", "dora")]
    if thrown_first and not any(course[3:4] == ("hora",) for course in thrown_first):
        return Timing(True, "after_discard_passes")
    return Timing(True, "at_discard")


def _is_due(lines: Sequence[MjaiLine]) -> bool:
    """Return whether an indicator of an earlier kan is still to be turned, so that the next one may
    belong to that kan."""
    kinds = [line.type for line in lines]
    return kinds.count("dora") < sum(kind in _KANS for kind in kinds)


def _kans(lines: Sequence[MjaiLine]) -> list[int]:
    return [at for at, line in enumerate(lines) if line.type in _KANS]


def _course(lines: Sequence[MjaiLine], kan: int) -> tuple[str, ...]:
    """Return the types of the events from a kan on, without paid sticks, until the next kan or the
    end."""
    kinds = [lines[kan].type]
    for line in lines[kan + 1 :]:
        if line.type != "reach_accepted":
            kinds.append(line.type)
        if line.type in (*_KANS, *_ENDS) or len(kinds) > 5:
            break
    return tuple(kinds)


def in_engine_order(lines: Sequence[MjaiLine], rules: RuleSet) -> list[MjaiLine]:
    """Return the events of a hand, with each indicator where the engine turns it by these rules."""
    ordered = list(lines)
    for at in _kans(lines):
        is_at_once = lines[at].type == "ankan" or rules.open_kan_dora == "before_replacement"
        kinds = [line.type for line in ordered[at + 1 : at + 4]]
        if is_at_once and kinds[:2] == ["tsumo", "dora"]:
            _swap(ordered, at + 1)
        elif rules.open_kan_dora == "at_discard" and kinds == ["tsumo", "dahai", "dora"]:
            _swap(ordered, at + 2)
    return ordered


def _swap(lines: list[MjaiLine], at: int) -> None:
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
