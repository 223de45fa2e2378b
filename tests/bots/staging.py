"""Stages what one seat sees, in compact writing, and asks a bot for its answer.

Hands are written like ``123m406p77sEEE`` (0 is a red five). Seat 0 is the bot and, unless
said otherwise, the dealer in East 1; the other hands are hidden, as in every view.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from game.bots import bot_named
from game.engine.actions import Action, CallChi, CallPon, DeclareRiichi, Discard
from game.engine.by_seat import BySeat
from game.engine.legal import legal
from game.engine.state import (
    RIVER_RIICHI,
    Hand,
    Meld,
    MeldType,
    Phase,
    Riichi,
    Table,
)
from game.engine.tiles import HIDDEN, NO_TILE, tile_from_text, tile_to_text

ME = 0
LEFT = 3
"""The seat whose discards may be called for a run."""


def tiles(text: str) -> tuple[int, ...]:
    """Read tiles in compact writing, sorted."""
    found: list[int] = []
    ranks = ""
    for letter in text.replace(" ", ""):
        if letter.isdigit():
            ranks += letter
        elif letter in "mps":
            found += (
                tile_from_text(f"5{letter}r" if rank == "0" else rank + letter) for rank in ranks
            )
            ranks = ""
        else:
            found.append(tile_from_text(letter))
    return tuple(sorted(found))


def tile(text: str) -> int:
    """Read one tile in compact writing."""
    (found,) = tiles(text)
    return found


def pon(text: str, target: int = 1) -> Meld:
    """Return a meld of three such tiles, called from another seat."""
    laid = tiles(text)
    return Meld(MeldType.PON, laid, laid[0], target)


def chi(text: str, target: int = LEFT) -> Meld:
    """Return the meld of a called run; the first tile is the claimed one."""
    laid = tiles(text)
    return Meld(MeldType.CHI, laid, laid[0], target)


def other(river: str = "", melds: Sequence[Meld] = (), riichi: bool = False) -> Hand:
    """Return the hand of another seat. In riichi, its last discard is the declaration tile."""
    laid = [tile(part) for part in river.split()]
    if riichi and laid:
        laid[-1] |= RIVER_RIICHI
    return Hand(
        tiles=(HIDDEN,) * (13 - 3 * len(melds)),
        melds=tuple(melds),
        river=tuple(laid),
        riichi=Riichi.ACCEPTED if riichi else Riichi.NONE,
    )


def on_turn(
    hand: str,
    drawn: str,
    *,
    melds: Sequence[Meld] = (),
    river: str = "",
    others: dict[int, Hand] | None = None,
    dora: str = "P",
    left: int = 50,
    scores: BySeat[int] = (25_000, 25_000, 25_000, 25_000),
    kyoku: int = 0,
    unbroken: bool = False,
) -> Table:
    """Return the table after the bot has drawn a tile. `dora` is the indicator."""
    mine = Hand(
        tiles=tiles(hand),
        melds=tuple(melds),
        river=tuple(tile(part) for part in river.split()),
    )
    rest = others or {}
    return Table(
        phase=Phase.TURN,
        step=9,
        kyoku=kyoku,
        scores=scores,
        left=left,
        dora=tiles(dora),
        hands=(mine, rest.get(1, other()), rest.get(2, other()), rest.get(3, other())),
        turn=ME,
        drawn=tile(drawn) if drawn else NO_TILE,
        unbroken=unbroken,
    )


def offer_call(
    hand: str,
    discard: str,
    *,
    by: int = LEFT,
    melds: Sequence[Meld] = (),
    others: dict[int, Hand] | None = None,
    may_ron: bool = False,
    dora: str = "P",
    left: int = 50,
    kyoku: int = 0,
) -> Table:
    """Return the table after another seat has discarded a tile that the bot may take."""
    claimed = tile(discard)
    rest = {seat: other() for seat in (1, 2, 3)} | (others or {})
    thrower = rest[by]
    rest[by] = Hand(
        tiles=thrower.tiles,
        melds=thrower.melds,
        river=(*thrower.river, claimed),
        riichi=thrower.riichi,
    )
    return Table(
        phase=Phase.CLAIMS,
        step=9,
        kyoku=kyoku,
        scores=(25_000, 25_000, 25_000, 25_000),
        left=left,
        dora=tiles(dora),
        hands=(Hand(tiles=tiles(hand), melds=tuple(melds)), rest[1], rest[2], rest[3]),
        turn=by,
        claimed=claimed,
        may_ron=int(may_ron),
        may_call=1,
        unbroken=False,
    )


def answer(table: Table, bot: str = "sensible", seed: int = 1) -> Action:
    """Return the choice of the bot among all legal actions."""
    actions = tuple(legal(table, ME))
    choice = bot_named(bot).choose(table, ME, actions, random.Random(seed))
    assert choice in actions, f"{choice} is not among {actions}"
    return choice


def discarded_tile(action: Action) -> str:
    """Return the discarded tile as text."""
    assert isinstance(action, Discard | DeclareRiichi), action
    return tile_to_text(action.pai)


def consumed_tiles(action: Action) -> str:
    """Return the tiles that the call takes from the hand, as text."""
    assert isinstance(action, CallChi | CallPon), action
    return " ".join(tile_to_text(tile) for tile in action.consumed)
