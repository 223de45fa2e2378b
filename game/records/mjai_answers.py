"""Translates the decisions of a seat to and from mjai: the actions that it may choose, and its
answer. Pure.

mjai declares riichi in two steps, `reach` and then the discard; the engine has one action for both.
`AskedSeat` is the first step; `AskedSeat.after_riichi` returns the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from game.engine.actions import (
    Action,
    CallChi,
    CallKan,
    CallPon,
    DeclareAnkan,
    DeclareKakan,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    Pass,
    SetNorthAside,
    Win,
)
from game.engine.state import MeldType, Phase, Table
from game.engine.tiles import NO_TILE, NORTH, TEXT_TO_TILE, TILE_TO_TEXT, kind_of

Option = dict[str, Any]
_ASKED_PHASES: Final = (Phase.TURN, Phase.CLAIMS)


@dataclass(frozen=True, slots=True)
class RiichiAnnounced:
    """The answer is the first step of a riichi. Ask for the discard next."""


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """The answer is not a possible action. `text` gives the reason in English."""

    text: str


Answer = Action | RiichiAnnounced | WrongAnswer


@dataclass(frozen=True, slots=True)
class AskedSeat:
    """A seat that has to decide. `seen` is its view of the table, `actions` its legal actions (at
    least one)."""

    seen: Table
    seat: int
    actions: tuple[Action, ...]
    in_riichi_step: bool = False
    """`reach` has been answered: the discard with which riichi is declared is asked for."""

    @property
    def options(self) -> list[Option]:
        """The possible actions as mjai, without duplicates."""
        if self.in_riichi_step:
            return [self._discard_as_mjai(action) for action in self._actions_of(DeclareRiichi)]
        written: list[Option] = []
        for action in self.actions:
            option = self.as_mjai(action)
            if option not in written:
                written.append(option)
        return written

    def after_riichi(self) -> AskedSeat:
        """Return the second step of a riichi."""
        return replace(self, in_riichi_step=True)

    def as_mjai(self, action: Action) -> Option:
        """Return one of `actions` as mjai. A riichi is only its first step."""
        actor: Option = {"type": action.__struct_config__.tag, "actor": self.seat}
        match action:
            case Discard():
                return self._discard_as_mjai(action)
            case CallChi(consumed=tiles) | CallPon(consumed=tiles) | CallKan(consumed=tiles):
                return actor | self._claimed_tile | {"consumed": _tile_texts(tiles)}
            case DeclareAnkan(consumed=tiles):
                return actor | {"consumed": _tile_texts(tiles)}
            case DeclareKakan(pai=pai):
                return actor | {
                    "pai": TILE_TO_TEXT[pai],
                    "consumed": _tile_texts(self._pon_of(pai)),
                }
            case SetNorthAside():
                return actor | {"pai": TILE_TO_TEXT[2 * NORTH]}
            case Win():
                return actor | self._claimed_tile
            case Pass():
                return {"type": "none"}
            case _:
                return actor

    @property
    def _claimed_tile(self) -> Option:
        """The seat that the winning or called tile comes from, and the tile."""
        seen = self.seen
        tile = seen.drawn if seen.phase == Phase.TURN else seen.claimed
        return {"target": seen.turn, "pai": TILE_TO_TEXT[tile]}

    def _discard_as_mjai(self, action: Discard | DeclareRiichi) -> Option:
        pai = TILE_TO_TEXT[action.pai]
        return {"type": "dahai", "actor": self.seat, "pai": pai, "tsumogiri": action.tsumogiri}

    def _pon_of(self, pai: int) -> tuple[int, ...]:
        for meld in self.seen.hands[self.seat].melds:
            if meld.type == MeldType.PON and kind_of(meld.tiles[0]) == kind_of(pai):
                return meld.tiles
        return ()

    def _actions_of(self, kind: type[Any]) -> list[Any]:
        return [action for action in self.actions if isinstance(action, kind)]

    # Reading

    def read(self, answer: Any) -> Answer:
        """Return the action of an answer, a decoded JSON value. Never raises.

        What mjai leaves open is accepted in any form: the order of `consumed`, a missing `actor`,
        `target` or `pai` of a call, and `tsumogiri` where only one way to discard the tile exists.
        `nukidora` is another name of `kita`.
        """
        if not isinstance(answer, dict) or not isinstance(answer.get("type"), str):
            return WrongAnswer("the answer has to be an object with a type")
        kind = answer["type"]
        if answer.get("actor", self.seat) != self.seat:
            return WrongAnswer(f"the actor has to be your seat, {self.seat}")
        if kind == "dahai":
            return self._read_discard(answer)
        if self.in_riichi_step:
            return WrongAnswer("after reach, only the discard (dahai) is possible")
        match kind:
            case "reach":
                if self._actions_of(DeclareRiichi):
                    return RiichiAnnounced()
            case "hora" | "ryukyoku" | "none":
                found = self._actions_of(
                    {"hora": Win, "ryukyoku": DeclareKyushu, "none": Pass}[kind]
                )
                if found:
                    return self._first_action(found)
            case "kita" | "nukidora":
                if found := self._actions_of(SetNorthAside):
                    return self._first_action(found)
            case "chi" | "pon" | "daiminkan" | "ankan":
                return self._read_set(answer)
            case "kakan":
                return self._read_kakan(answer)
            case _:
                return WrongAnswer(f"the type {kind[:40]!r} is not known")
        return self._answer_impossible(kind)

    def _read_discard(self, answer: Option) -> Answer:
        tile, kind = answer.get("pai"), DeclareRiichi if self.in_riichi_step else Discard
        if not isinstance(tile, str) or tile not in TEXT_TO_TILE:
            return WrongAnswer("pai has to be a tile, such as 5mr")
        ways = [action for action in self._actions_of(kind) if TILE_TO_TEXT[action.pai] == tile]
        if not ways:
            if not self._actions_of(Discard):
                return self._answer_impossible("dahai")
            return WrongAnswer(self._why_not_discard(TEXT_TO_TILE[tile]))
        wanted = answer.get("tsumogiri", False)
        return self._first_action([way for way in ways if way.tsumogiri is wanted] or ways)

    def _why_not_discard(self, tile: int) -> str:
        text, seen = TILE_TO_TEXT[tile], self.seen
        own = (*seen.hands[self.seat].tiles, *((seen.drawn,) if seen.drawn != NO_TILE else ()))
        if tile not in own:
            return f"you do not hold {text}"
        if self.in_riichi_step:
            return f"the hand is not tenpai after {text}, so riichi cannot be declared with it"
        return f"{text} may not be discarded now: after a call or in riichi not every tile may"

    def _read_set(self, answer: Option) -> Answer:
        classes = {"chi": CallChi, "pon": CallPon, "daiminkan": CallKan, "ankan": DeclareAnkan}
        kind = answer["type"]
        found, tiles = self._actions_of(classes[kind]), answer.get("consumed")
        if not found:
            return self._answer_impossible(kind)
        if (
            kind != "ankan"
            and answer.get("pai", self._claimed_tile["pai"]) != self._claimed_tile["pai"]
        ):
            return WrongAnswer(f"the tile to call is {self._claimed_tile['pai']}")
        if tiles is None and len(found) == 1:
            return self._first_action(found)
        if not isinstance(tiles, list) or not all(isinstance(tile, str) for tile in tiles):
            return WrongAnswer("consumed has to be a list of tiles")
        same = [call for call in found if sorted(_tile_texts(call.consumed)) == sorted(tiles)]
        if not same:
            sets = " or ".join(" ".join(_tile_texts(call.consumed)) for call in found)
            return WrongAnswer(f"consumed has to be {sets}")
        return self._first_action(same)

    def _read_kakan(self, answer: Option) -> Answer:
        found = self._actions_of(DeclareKakan)
        if not found:
            return self._answer_impossible("kakan")
        same = [call for call in found if TILE_TO_TEXT[call.pai] == answer.get("pai")]
        if not same:
            tiles = " or ".join(TILE_TO_TEXT[call.pai] for call in found)
            return WrongAnswer(f"the tile to add has to be {tiles}")
        return self._first_action(same)

    def _answer_impossible(self, kind: str) -> WrongAnswer:
        possible = dict.fromkeys(option["type"] for option in self.options)
        return WrongAnswer(f"{kind} is not possible now; possible are {', '.join(possible)}")

    @staticmethod
    def _first_action(found: Sequence[Action]) -> Action:
        return found[0]


def is_asked(seen: Table, actions: Sequence[Action]) -> bool:
    """Return whether the question exists in mjai. mjai has no question to confirm a result, to end
    the game after a result, or to show a tenpai hand."""
    return bool(actions) and seen.phase in _ASKED_PHASES


def _tile_texts(tiles: Sequence[int]) -> list[str]:
    return [TILE_TO_TEXT[tile] for tile in tiles]
