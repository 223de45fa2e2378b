"""Shortens lists of legal actions, as `docs/protocol.md` describes.

A player on turn may usually discard any tile, so the list is a function of the hand, which the
client has. `{"type":"dahai"}` stands for a discard of each tile, `but` lists the exceptions. The
form depends on the reader's own hand and own actions only.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from game.engine.actions import Action, DeclareRiichi, Discard
from game.engine.tiles import NO_TILE, TILE_TO_TEXT
from game.live import encoding

Item = msgspec.Raw | dict[str, Any]

_TYPES: Final[dict[type, str]] = {Discard: "dahai", DeclareRiichi: "reach"}


def shorten(actions: Sequence[Action], tiles: Sequence[int], drawn: int) -> list[Item]:
    """Return `actions` in order, with each run of discards or riichi in its short form.

    `tiles` are the concealed tiles of the hand, sorted; `drawn` is the drawn tile or `NO_TILE`.
    A run that the short form cannot express, or does not shorten, is returned in full.
    """
    items: list[Item] = []
    for kind, group in groupby(actions, type):
        run = list(group)
        if kind in _TYPES and len(run) > 1:
            items += _shortened_run(kind, run, tiles, drawn)
        else:
            items += map(encoding.action, run)
    return items


def _shortened_run(kind: type, run: Sequence[Any], tiles: Sequence[int], drawn: int) -> list[Item]:
    every = [(tile, False) for tile in dict.fromkeys(tiles)]
    if drawn != NO_TILE:
        every.append((drawn, True))
    listed = [(action.pai, action.tsumogiri) for action in run]
    if listed == every:
        return [{"type": _TYPES[kind]}]
    missing = dict.fromkeys(discard[0] for discard in every if discard not in listed)
    if len(missing) < len(listed) and listed == [
        discard for discard in every if discard[0] not in missing
    ]:
        return [{"type": _TYPES[kind], "but": [TILE_TO_TEXT[tile] for tile in missing]}]
    return [*map(encoding.action, run)]
