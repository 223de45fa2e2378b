"""A game of this house, as it goes into a record, and what such a record says beyond its format.

No format has a place for all rules that can be played here, nor for the seed from which the
walls follow. Both go where other programs look for nothing: under the name `house`, for mjai in
`start_game`, for tenhou.net/6 beside the `rule`, for mjlog as an attribute of `GO`. Who reads
it plays the hands by these rules, from walls that follow from the seed alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from game.engine.events import Event, GameRestored, GameStarted, HandDrawn, HandStarted
from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from game.engine.wall import SEED_BYTES, shuffled
from game.records.recorded import BadHand, RecordedGame, RecordedHand, RecordError

HOUSE: Final = "house"
_FORMAT: Final = 1

Names = tuple[str, str, str, str]
PlayedHand = tuple[Event, ...]


class CannotHold(ValueError):
    """The format has no way to say what happened: a code, for those who say it in other words,
    and a sentence."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class OwnGame(msgspec.Struct, frozen=True):
    """A game that was played here."""

    names: Names
    rules: RuleSet
    hands: tuple[PlayedHand, ...]
    """The events of each hand that was played to its end; those of the game's end belong to the
    last."""
    seed: bytes = b""
    """Empty if the walls do not follow from one."""
    is_broken_off: bool = False
    """It was ended before the rules end it: there is no final ranking to tell."""
    is_marked: bool = True
    """Its record says by which rules it was played, and from which seed."""


class TableAccess(msgspec.Struct, frozen=True):
    """What a record of ours says beyond its format."""

    rules: RuleSet
    seed: bytes
    """Empty if it tells none."""


def own_game(events: Iterable[Event], names: Names, *, is_broken_off: bool) -> OwnGame:
    """The game of these events, all of them, under the names that its players have now.

    A hand that was broken off is left out: it counts for nothing. Raises `CannotHold` if there
    is no other.
    """
    hands: list[list[Event]] = []
    rules, seed = RuleSet(), b""
    for event in events:
        if isinstance(event, GameStarted):
            rules, seed = event.rules, event.seed
        elif isinstance(event, GameRestored):
            seed = b""  # a record has a place for one seed, and this game has several
        elif isinstance(event, HandStarted):
            hands.append([event])
        elif hands:
            hands[-1].append(event)
    whole = tuple([tuple(hand) for hand in hands if not _is_abandoned(hand)])
    if not whole:
        raise CannotHold("no_hand", "no hand of this game was played to its end")
    return OwnGame(names, rules, whole, seed, is_broken_off)


def _is_abandoned(hand: Iterable[Event]) -> bool:
    return any(isinstance(event, HandDrawn) and event.reason == "abandoned" for event in hand)


def house_mark(game: OwnGame) -> dict[str, Any] | None:
    """What the record says under `HOUSE`; None for nothing."""
    if not game.is_marked:
        return None
    rules = msgspec.to_builtins(game.rules)
    return {"format": _FORMAT, "rules": rules, "seed": game.seed.hex()}


def house_of(mark: Any) -> TableAccess | None:
    """What was said under `HOUSE`, if it is ours. Raises `RecordError` if it is damaged."""
    if not isinstance(mark, dict) or "seed" not in mark:
        return None
    try:
        if mark.get("format") != _FORMAT:
            raise ValueError(f"the format {mark.get('format')!r} is not known")
        house = TableAccess(msgspec.convert(mark["rules"], RuleSet), bytes.fromhex(mark["seed"]))
        if len(house.seed) not in (0, SEED_BYTES):
            raise ValueError(f"a seed is {SEED_BYTES} bytes")
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"what it says of the house is damaged: {error}") from None
    return house


def played_by_house(game: RecordedGame, house: TableAccess | None) -> RecordedGame:
    """The game by the rules of the house, its hands dealt from the walls of the seed."""
    if house is None:
        return game
    hands = tuple([_dealt_by(house, hand) for hand in game.hands])
    rules = house.rules
    versions = ((f"{rules.name} version {rules.version}", rules),) if rules.name in PRESETS else ()
    return replace(
        game,
        rules=rules,
        other_rules=(),
        versions=versions,
        own_rules="",
        hands=hands,
        may_omit_sticks=False,
    )


def _dealt_by(house: TableAccess, hand: RecordedHand | BadHand) -> RecordedHand | BadHand:
    if isinstance(hand, BadHand) or not house.seed:
        return hand
    return replace(hand, wall=shuffled(house.rules, house.seed, hand.number))
