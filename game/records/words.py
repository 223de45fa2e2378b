"""Says in a few words what happened, for the reports of differences."""

from __future__ import annotations

from collections.abc import Iterable

from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    Event,
    HandDrawn,
    KakanDeclared,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    Won,
)
from game.engine.tiles import TILE_TO_TEXT
from game.records.recorded import RecordedDraw, RecordedWin, Told


def tile_words(tiles: Iterable[int]) -> str:
    """The tiles in mjai's writing; a dash for none."""
    return " ".join([TILE_TO_TEXT.get(tile, str(tile)) for tile in tiles]) or "-"


def words_of(event: Told | Event | None) -> str:
    """The event in words; None is the end of the record."""
    match event:
        case None:
            return "the record ends"
        case Drawn(actor=seat, pai=pai, rinshan=rinshan):
            return f"seat {seat} draws {tile_words([pai])}{' after a kan' if rinshan else ''}"
        case Discarded(actor=seat, pai=pai, tsumogiri=tsumogiri):
            return f"seat {seat} discards {tile_words([pai])}{', just drawn' if tsumogiri else ''}"
        case RiichiDeclared(actor=seat):
            return f"seat {seat} declares riichi"
        case RiichiAccepted(actor=seat):
            return f"seat {seat} pays the stick"
        case DoraRevealed(dora_marker=marker):
            return f"the indicator {tile_words([marker])} is turned"
        case ChiCalled() | PonCalled() | DaiminkanCalled():
            name = str(event.__struct_config__.tag)
            tiles = f"{tile_words([event.pai])} with {tile_words(event.consumed)}"
            return f"seat {event.actor} calls {name} from seat {event.target}: {tiles}"
        case AnkanDeclared(actor=seat, consumed=consumed):
            return f"seat {seat} declares ankan: {tile_words(consumed)}"
        case KakanDeclared(actor=seat, pai=pai, consumed=consumed):
            return f"seat {seat} declares kakan: {tile_words([pai])} to {tile_words(consumed)}"
        case RecordedWin(actor=seat, target=target) | Won(actor=seat, target=target):
            return f"seat {seat} wins {'by tsumo' if seat == target else f'from seat {target}'}"
        case RecordedDraw(reason=reason) | HandDrawn(reason=reason):
            return f"the hand is drawn: {reason or 'no reason told'}"
        case _:
            return str(event.__struct_config__.tag)
