"""False declarations and their penalty (chombo), at tables whose rules let players make them.

Owns which false declarations are possible, when they are detected and what they cost. Without the
switch `false_declarations` such declarations are refused, and there is no chombo. With it a seat
may falsely declare a win (on its drawn tile, or on an open tile that completes its hand), and may
declare riichi with a noten hand.

A false win is detected at once. It has no effect if another seat wins on the same tile. A noten
riichi is detected when the hands in riichi are shown: at an exhaustive draw, or when all four seats
are in riichi. It has no effect if nagashi mangan counts as a win and a seat has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.engine import claims, turn
from game.engine.actions import Action, DeclareRiichi, Win
from game.engine.draws import hand_drawn_event
from game.engine.events import HandDrawn
from game.engine.formal import is_tenpai
from game.engine.points import reverse_mangan_payments
from game.engine.state import STICK_POINTS, Phase, Riichi, Table
from game.engine.tiles import HIDDEN, NO_TILE

CHOMBO: Final = "chombo"
FALSE_WIN: Final = "false_win"
NOTEN_RIICHI: Final = "noten_riichi"
_DRAWS_THAT_SHOW_RIICHI_HANDS: Final = ("exhaustive", "nagashi_mangan", "sucha_riichi")


def false_declarations(table: Table, seat: int) -> tuple[Action, ...]:
    """Return the declarations that the seat may make although its hand does not justify them."""
    if not table.rules.false_declarations:
        return ()
    if table.phase == Phase.CLAIMS:
        return (
            (Win(),) if seat in claims.pending_seats(table) and table.may_foul >> seat & 1 else ()
        )
    if table.phase != Phase.TURN or seat != table.turn or table.drawn in (NO_TILE, HIDDEN):
        return ()
    win = () if turn.tsumo_actions(table) else (Win(),)
    return (*win, *_noten_riichi_declarations(table))


def _noten_riichi_declarations(table: Table) -> tuple[DeclareRiichi, ...]:
    if not turn.meets_riichi_conditions(table):
        return ()
    valid = turn.riichi_declarations(table)
    every = [DeclareRiichi(discard.pai, discard.tsumogiri) for discard in turn.discards(table)]
    return tuple([riichi for riichi in every if riichi not in valid])


def check_noten_riichi(table: Table, draw: HandDrawn) -> HandDrawn:
    """Return the draw unchanged, or a chombo if the draw reveals a noten hand in riichi.

    Nagashi mangan that counts as a win cancels the chombo, as any win does (riichi.wiki on EMA
    2012).
    """
    if not table.rules.false_declarations or draw.reason not in _DRAWS_THAT_SHOW_RIICHI_HANDS:
        return draw
    if draw.nagashi and table.rules.nagashi_mangan == "win":
        return draw
    in_riichi = table.in_riichi
    noten = [seat for seat in in_riichi if not is_tenpai(table.rules, table.hands[seat])]
    return _chombo_event(table, NOTEN_RIICHI, noten, shown=in_riichi) if noten else draw


def false_tsumo_chombo(table: Table) -> HandDrawn:
    """Return the chombo of the seat on turn, which has falsely declared tsumo."""
    return _chombo_event(table, FALSE_WIN, (table.turn,), shown=(table.turn,))


def false_ron_chombo(table: Table) -> HandDrawn:
    """Return the chombo of the seats that have falsely declared ron, where no seat wins."""
    seats = claims.false_ron_seats(table)
    return _chombo_event(table, FALSE_WIN, seats, shown=seats)


def _chombo_event(
    table: Table, foul: str, offenders: Sequence[int], *, shown: Sequence[int]
) -> HandDrawn:
    deltas = [0] * len(table.seats)
    if table.rules.chombo == "reverse_mangan":
        deltas = reverse_mangan_payments(table.rules, table.dealer, offenders)
    if table.rules.chombo_returns_riichi:
        for seat in table.seats:
            deltas[seat] += STICK_POINTS * (table.hands[seat].riichi == Riichi.ACCEPTED)
    return hand_drawn_event(
        table,
        CHOMBO,
        shown,
        tuple(deltas),
        are_tenpai=False,
        foul=foul,
        offenders=tuple(offenders),
    )
