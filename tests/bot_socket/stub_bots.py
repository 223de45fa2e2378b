"""Programs that speak mjai on their standard input and output, by the conventions of others:
`python stub_bots.py mjai.app|mortal|akochan SEAT`. They need nothing but Python.

They discard what they draw, call pon where they hold two, and set norths aside with three players.
"""

from __future__ import annotations

import json
import sys
from typing import Any


class Hand:
    """The own tiles of one seat, followed from the events."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.tiles: list[str] = []
        self.in_riichi = False
        self.of_three = False
        self.left = 0
        """The number of tiles left in the wall of three players."""

    def take(self, event: dict[str, Any]) -> None:
        kind = event["type"]
        if kind == "start_kyoku":
            self.tiles, self.in_riichi = list(event["tehais"][self.seat]), False
            self.of_three, self.left = len(event["tehais"]) == 3, 55
        self.left -= kind == "tsumo"
        if event.get("actor") != self.seat:
            return
        if kind == "tsumo":
            self.tiles.append(event["pai"])
        elif kind in ("dahai", "kita"):
            self.tiles.remove(event["pai"])
        elif kind == "pon":
            for tile in event["consumed"]:
                self.tiles.remove(tile)
        elif kind == "reach":
            self.in_riichi = True

    def decision(self, event: dict[str, Any]) -> list[dict[str, Any]] | None:
        """Return the own actions that follow from that event, in order; None if there is no
        choice."""
        own = event.get("actor") == self.seat
        if own and event["type"] == "tsumo" and self.of_three and self.left and "N" in self.tiles:
            return [{"type": "nukidora", "actor": self.seat, "pai": "N"}]
        if own and event["type"] == "tsumo":
            return [self.discard(event["pai"], tsumogiri=True)]
        if own and event["type"] in ("pon", "reach"):
            return [self.discard(self.tiles[-1], tsumogiri=False)]
        if not own and event["type"] == "dahai" and not self.in_riichi:
            tile = event["pai"]
            alike = [held for held in self.tiles if held[:2] == tile[:2]]
            if len(alike) >= 2:
                call = {"type": "pon", "actor": self.seat, "target": event["actor"]}
                rest = [held for held in self.tiles if held not in alike]
                return [
                    {**call, "pai": tile, "consumed": alike[:2]},
                    self.discard(rest[-1], tsumogiri=False),
                ]
        return None

    def discard(self, tile: str, *, tsumogiri: bool) -> dict[str, Any]:
        return {"type": "dahai", "actor": self.seat, "pai": tile, "tsumogiri": tsumogiri}


def say(value: dict[str, Any]) -> None:
    print(json.dumps(value), flush=True)


def main(style: str, seat: int) -> None:
    hand, following = Hand(seat), list[dict[str, Any]]()
    for line in sys.stdin:
        heard = json.loads(line)
        for event in heard if style == "mjai.app" else [heard]:
            hand.take(event)
        decision = hand.decision(event)
        if style == "mjai.app":
            say(decision[0] if decision else {"type": "none"})
        elif style == "mortal":
            if event["type"] == "pon" and event["actor"] == seat:
                say(following[0])
            elif decision:
                say({**decision[0], "meta": {"q_values": [0.5] * 46}})
                following = decision[1:]
        else:
            is_own = event.get("actor") == seat
            if (event["type"] == "tsumo" and is_own) or (event["type"] == "dahai" and not is_own):
                for action in decision or [{"type": "none"}]:
                    say(action)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
