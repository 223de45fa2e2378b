"""Describes events in a few words, for the reports of differences."""

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
from game.records.recorded import RecordedDraw, RecordedEvent, RecordedWin


def tiles_text(tiles: Iterable[int]) -> str:
    """Return the tiles in mjai's notation; a dash for none."""
    return " ".join([TILE_TO_TEXT.get(tile, str(tile)) for tile in tiles]) or "-"


def event_text(event: RecordedEvent | Event | None) -> str:
    """Return the event in words; None means the end of the record."""
    match event:
        case None:
            return "the record ends"
        case Drawn(actor=seat, pai=pai, rinshan=rinshan):
            return f"seat {seat} draws {tiles_text([pai])}{' after a kan' if rinshan else ''}"
        case Discarded(actor=seat, pai=pai, tsumogiri=tsumogiri):
            return f"seat {seat} discards {tiles_text([pai])}{', just drawn' if tsumogiri else ''}"
        case RiichiDeclared(actor=seat):
            return f"seat {seat} declares riichi"
        case RiichiAccepted(actor=seat):
            return f"seat {seat} pays the stick"
        case DoraRevealed(dora_marker=marker):
            return f"the indicator {tiles_text([marker])} is turned"
        case ChiCalled() | PonCalled() | DaiminkanCalled():
            name = str(event.__struct_config__.tag)
            tiles = f"{tiles_text([event.pai])} with {tiles_text(event.consumed)}"
            return f"seat {event.actor} calls {name} from seat {event.target}: {tiles}"
        case AnkanDeclared(actor=seat, consumed=consumed):
            return f"seat {seat} declares ankan: {tiles_text(consumed)}"
        case KakanDeclared(actor=seat, pai=pai, consumed=consumed):
            return f"seat {seat} declares kakan: {tiles_text([pai])} to {tiles_text(consumed)}"
        case RecordedWin(actor=seat, target=target) | Won(actor=seat, target=target):
            return f"seat {seat} wins {'by tsumo' if seat == target else f'from seat {target}'}"
        case RecordedDraw(reason=reason) | HandDrawn(reason=reason):
            return f"the hand is drawn: {reason or 'no reason recorded'}"
        case _:
            return str(event.__struct_config__.tag)
