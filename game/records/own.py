"""Games of this site: their form for the writers, and the mark in their records.

No record format has a place for all rules of this site, or for the seed of the walls. Both are
written as a mark under the key `house`, which other programs ignore: for mjai in `start_game`, for
tenhou.net/6 beside `rule`, for mjlog as an attribute of `GO`. The readers replay a marked record by
these rules and with the walls of the seed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.consistency import player_count_contradictions
from game.engine.events import Event, GameRestored, GameStarted, HandDrawn, HandStarted, WallSeeded
from game.engine.presets import ALL_PRESETS
from game.engine.rules import RuleSet
from game.engine.wall import SEED_BYTES, shuffled_wall
from game.engine.wall_proof import WallProof, proof_of, rules_text
from game.records.recorded import BadHand, OwnMark, RecordedGame, RecordedHand, RecordError

MARK_KEY: Final = "house"
"""Records that people have downloaded contain this key."""
PROOF_KEY: Final = "proof"
_MARK_FORMAT: Final = 1
_STRING: Final = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?')
_FIVES_OF_SUIT: Final = 4
_TOO_LARGE: Final = 2**53
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")

Names = BySeat[str]
PlayedHand = tuple[Event, ...]


class FormatCannotExpress(ValueError):
    """The format cannot express the game. `code` is the key of translated texts, the message
    an English sentence."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class OwnGame(msgspec.Struct, frozen=True):
    """A game that was played on this site."""

    names: Names
    rules: RuleSet
    hands: tuple[PlayedHand, ...]
    """The events of each hand that was played to its end. The last one includes the end of the
    game."""
    seed: bytes = b""
    """Empty if the walls are not derived from a seed."""
    is_broken_off: bool = False
    """The game was ended early, so that it has no final ranking."""
    is_marked: bool = True
    """The record contains the mark with the rules and the seed."""
    proof: WallProof | None = None
    """The proof that nobody chose the walls, if the game has one."""


def own_game(events: Iterable[Event], names: Names, *, is_broken_off: bool) -> OwnGame:
    """Return the game of these events under the current `names` of its players. The events must be
    complete.

    Abandoned hands are left out, because they change no scores. Raises `FormatCannotExpress` if no
    hand is left.
    """
    hands: list[list[Event]] = []
    rules, seed = RuleSet(), b""
    events = tuple(events)
    for event in events:
        if isinstance(event, GameStarted):
            rules, seed = event.rules, event.seed
        elif isinstance(event, WallSeeded):
            seed = event.seed
        elif isinstance(event, GameRestored):
            seed = b""  # a record has a place for one seed, and this game has several
        elif isinstance(event, HandStarted):
            hands.append([event])
        elif hands:
            hands[-1].append(event)
    whole = tuple([tuple(hand) for hand in hands if not _is_abandoned(hand)])
    if not whole:
        raise FormatCannotExpress("no_hand", "no hand of this game was played to its end")
    return OwnGame(names, rules, whole, seed, is_broken_off, proof=proof_of(events))


def _is_abandoned(hand: Iterable[Event]) -> bool:
    return any(isinstance(event, HandDrawn) and event.reason == "abandoned" for event in hand)


def own_mark(game: OwnGame) -> dict[str, Any] | None:
    """Return the mark to write under `MARK_KEY`; None for a game written without one."""
    if not game.is_marked:
        return None
    rules = json.loads(rules_text(game.rules))
    mark = {"format": _MARK_FORMAT, "rules": rules, "seed": game.seed.hex()}
    if game.proof is None:
        return mark
    # The proof binds the rules as they were written then, some in a form that is only read now.
    bound = json.loads(game.proof.rules)
    return mark | {"rules": rules | bound, PROOF_KEY: proof_json(game.proof)}


def proof_json(proof: WallProof) -> dict[str, Any]:
    """Return the proof as JSON for a record, with bytes in hexadecimal."""
    return {
        "version": proof.version,
        "table": proof.table_id,
        "seats": list(proof.seats),
        "rules": proof.rules,
        "draws": [
            {
                "commitments": [commitment.hex() for commitment in draw.commitments],
                "secret": draw.secret.hex(),
                "binding": draw.binding.hex(),
                "contributions": [contribution.hex() for contribution in draw.contributions],
            }
            | ({"key": draw.key.hex(), "signature": draw.signature.hex()} if draw.key else {})
            for draw in proof.draws
        ],
    }


def read_own_mark(mark: Any, text: str) -> OwnMark | None:
    """Return the mark found under `MARK_KEY` in this JSON; None if it is not of this site. Raises
    `RecordError` if it is damaged, or if programs may read the text in different ways."""
    if not isinstance(mark, dict) or not mark.keys() & {"seed", PROOF_KEY}:
        return None
    refuse_ambiguous(text)
    try:
        mark = read_javascript_json(json.dumps(mark))
        if json.dumps(mark["format"]) != f"{_MARK_FORMAT}":
            raise ValueError(f"the format {mark['format']!r} is not known")
        seed = bytes.fromhex(mark["seed"])
        if len(seed) not in (0, SEED_BYTES) or seed.hex() != mark["seed"]:
            raise ValueError(f"a seed is {SEED_BYTES} bytes in hexadecimal in lower case")
        rules = msgspec.convert(mark["rules"], RuleSet)
        if not all(0 <= reds <= _FIVES_OF_SUIT for reds in rules.red_fives):
            raise ValueError(f"a suit has {_FIVES_OF_SUIT} fives")
        if wrong := player_count_contradictions(rules):
            raise ValueError(wrong[0].text)
    except KeyError as error:
        raise RecordError(f"the mark of this site is damaged: it has no {error}") from None
    except (TypeError, ValueError) as error:
        raise RecordError(f"the mark of this site is damaged: {error}") from None
    return OwnMark(rules, seed, mark)


def read_javascript_json(text: str) -> Any:
    """Parse JSON with the numbers of JavaScript: 1.0 becomes 1. Raises ``ValueError`` for numbers
    that JavaScript cannot represent exactly."""
    return json.loads(
        text, parse_int=_exact_number, parse_float=_exact_number, parse_constant=_exact_number
    )


def _exact_number(text: str) -> float:
    value = float(text)
    if not abs(value) < _TOO_LARGE:
        raise ValueError(f"{text} is too large a number")
    return int(value) if value.is_integer() else value


def refuse_ambiguous(text: str) -> None:
    """Raise `RecordError` if programs could read this JSON differently: it has several marks, or
    unpaired UTF-16 surrogates. The check programs for players and the pages do the same."""
    marks = 0
    for string, colon in _STRING.findall(text):
        value = json.loads(string)
        if _HALF_CHARACTER.search(value):
            raise RecordError("a text of the record is not Unicode")
        marks += bool(colon) and value == MARK_KEY
    if marks > 1:
        raise RecordError("the record has more than one mark of this site")


def with_own_rules(game: RecordedGame, mark: OwnMark | None) -> RecordedGame:
    """Return the game with the rules of the mark. If the mark has a seed, the hands are dealt from
    its walls."""
    if mark is None:
        return game
    hands = tuple([_deal_from_seed(mark, hand) for hand in game.hands])
    rules = mark.rules
    versions = (
        ((f"{rules.name} version {rules.version}", rules),) if rules.name in ALL_PRESETS else ()
    )
    return replace(
        game,
        rules=rules,
        other_rules=(),
        versions=versions,
        own_rules="",
        hands=hands,
        may_omit_sticks=False,
        mark=mark,
    )


def _deal_from_seed(mark: OwnMark, hand: RecordedHand | BadHand) -> RecordedHand | BadHand:
    if isinstance(hand, BadHand) or not mark.seed:
        return hand
    return replace(hand, wall=shuffled_wall(mark.rules, mark.seed, hand.number))
