"""Wrong declarations and what they cost (chombo), at tables that let players make them.

Where `false_declarations` is off, what is against the rules is refused, and there is no chombo.
Where it is on, a seat may also declare a win that its hand lacks, on the tile it has drawn or
on an open one that completes its hand, and riichi without being tenpai. The false win is found
out at once; it is void if somebody wins on the same tile. The false riichi is found out when
the hands in riichi are laid open: at an exhaustive draw, or when all four are in riichi. It
is void if nagashi mangan counts as a win and somebody has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from game.engine import claims, turn
from game.engine.actions import Action, DeclareRiichi, Win
from game.engine.events import FourInts, FourRows, HandDrawn
from game.engine.formal import is_tenpai
from game.engine.hand import with_tile
from game.engine.state import SEATS, Phase, Riichi, Table
from game.engine.tiles import HIDDEN, NO_TILE

CHOMBO: Final = "chombo"
FALSE_WIN: Final = "false_win"
NOTEN_RIICHI: Final = "noten_riichi"
_STICK: Final = 1_000
_LAY_RIICHI_OPEN: Final = ("exhaustive", "nagashi_mangan", "sucha_riichi")


def declarations(table: Table, seat: int) -> tuple[Action, ...]:
    """What the seat may declare although its hand does not bear it out."""
    if not table.rules.false_declarations:
        return ()
    if table.phase == Phase.CLAIMS:
        return (Win(),) if seat in claims.asked(table) and table.may_foul >> seat & 1 else ()
    if table.phase != Phase.TURN or seat != table.turn or table.drawn in (NO_TILE, HIDDEN):
        return ()
    win = () if turn.wins(table) else (Win(),)
    return (*win, *_noten_riichi(table))


def _noten_riichi(table: Table) -> tuple[DeclareRiichi, ...]:
    if not turn.is_free_to_declare_riichi(table):
        return ()
    sound = turn.riichi(table)
    every = [DeclareRiichi(discard.pai, discard.tsumogiri) for discard in turn.discards(table)]
    return tuple([riichi for riichi in every if riichi not in sound])


def found_out(table: Table, draw: HandDrawn) -> HandDrawn:
    """The draw, or the chombo that comes to light when the hands in riichi are laid open.

    Nagashi mangan that counts as a win makes the chombo void, as any win does (riichi.wiki on
    EMA 2012).
    """
    if not table.rules.false_declarations or draw.reason not in _LAY_RIICHI_OPEN:
        return draw
    if draw.nagashi and table.rules.nagashi_mangan == "win":
        return draw
    in_riichi = table.in_riichi
    noten = [seat for seat in in_riichi if not is_tenpai(table.rules, table.hands[seat])]
    return _chombo(table, NOTEN_RIICHI, noten, shown=in_riichi) if noten else draw


def false_tsumo(table: Table) -> HandDrawn:
    """The seat on turn has declared a win that it does not have."""
    foul = _chombo(table, FALSE_WIN, (table.turn,), shown=(table.turn,))
    rows = list(foul.tehais)
    rows[table.turn] = with_tile(rows[table.turn], table.drawn)
    return replace(foul, tehais=_four_rows(rows))


def false_ron(table: Table) -> HandDrawn:
    """These seats have declared ron on a tile that they may not win on, and nobody wins."""
    seats = claims.false_winners(table)
    return _chombo(table, FALSE_WIN, seats, shown=seats)


def _chombo(
    table: Table, foul: str, offenders: Sequence[int], *, shown: Sequence[int]
) -> HandDrawn:
    deltas = [0, 0, 0, 0]
    if table.rules.chombo == "reverse_mangan":
        for seat in offenders:
            _pay_reverse_mangan(deltas, seat, table.dealer)
    if table.rules.chombo_returns_riichi:
        for seat in SEATS:
            deltas[seat] += _STICK * (table.hands[seat].riichi == Riichi.ACCEPTED)
    rows = [hand.tiles if seat in shown else () for seat, hand in enumerate(table.hands)]
    scores = [table.scores[seat] + deltas[seat] for seat in SEATS]
    return HandDrawn(
        reason=CHOMBO,
        tehais=_four_rows(rows),
        tenpais=(False, False, False, False),
        deltas=_four(deltas),
        scores=_four(scores),
        foul=foul,
        offenders=tuple(offenders),
    )


def _pay_reverse_mangan(deltas: list[int], offender: int, dealer: int) -> None:
    """What a mangan by self-draw would have brought in goes out."""
    for seat in SEATS:
        if seat != offender:
            share = 4_000 if dealer in (seat, offender) else 2_000
            deltas[seat] += share
            deltas[offender] -= share


def _four(numbers: Sequence[int]) -> FourInts:
    return numbers[0], numbers[1], numbers[2], numbers[3]


def _four_rows(rows: Sequence[tuple[int, ...]]) -> FourRows:
    return rows[0], rows[1], rows[2], rows[3]
