"""Turns recorded events into events of the engine, for the rest of a hand that has left the rules.

The values of a result are those of the record; what the record does not contain is left empty.
"""

from __future__ import annotations

from game.engine.by_seat import BySeat
from game.engine.events import Event, HandDrawn, Won
from game.engine.state import Table
from game.records.recorded import RecordedDraw, RecordedEvent, RecordedWin


def engine_event(recorded: RecordedEvent, table: Table) -> Event:
    """Return the event of the engine. `table` is the table before it."""
    if isinstance(recorded, RecordedWin):
        return _won(recorded, table)
    if isinstance(recorded, RecordedDraw):
        return _drawn_hand(recorded, table)
    return recorded


def _won(win: RecordedWin, table: Table) -> Won:
    taken = table.drawn if win.actor == win.target else table.claimed
    deltas = win.deltas or (0,) * len(table.scores)
    return Won(
        actor=win.actor,
        target=win.target,
        pai=taken if win.pai is None else win.pai,
        tehai=table.hands[win.actor].tiles if win.tehai is None else win.tehai,
        uradora_markers=win.ura or (),
        yaku=win.yaku or (),
        fan=win.fan or 0,
        fu=win.fu or 0,
        yakuman=int(win.yakuman or 0),
        limit=win.limit or "",
        points=win.points or 0,
        liable=-1 if win.liable is None else win.liable,
        deltas=deltas,
        scores=win.scores or _added(table.scores, deltas),
    )


def _drawn_hand(draw: RecordedDraw, table: Table) -> HandDrawn:
    deltas = draw.deltas or (0,) * len(table.scores)
    shown = tuple([row or () for row in draw.tehais or ((),) * len(table.scores)])
    return HandDrawn(
        reason=draw.reason or "exhaustive",
        tehais=shown,
        tenpais=tuple(map(bool, shown)),
        deltas=deltas,
        scores=draw.scores or _added(table.scores, deltas),
        foul=draw.foul or "",
        offenders=draw.offenders or (),
    )


def _added(scores: BySeat[int], deltas: BySeat[int]) -> BySeat[int]:
    return tuple([now + delta for now, delta in zip(scores, deltas, strict=True)])
