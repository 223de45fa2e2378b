"""The generator of legal actions, for validation, bots, time-outs and buttons.

Owns which seats must answer and with what. Uses only what a seat may know: for a seat, its view
gives the same actions as the table.
"""

from __future__ import annotations

from typing import Final

from game.engine import claims, fouls, progress, turn
from game.engine.actions import (
    Action,
    Confirm,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    Pass,
    ShowTenpai,
    StopGame,
    Win,
)
from game.engine.state import Phase, Table
from game.engine.tiles import HIDDEN, NO_TILE

_PASS_ACTION: Final = Pass()
_WIN_ACTION: Final = Win()
_CONFIRM_ONLY: Final = (Confirm(),)
_SHOW_OR_PASS: Final = (ShowTenpai(), Pass())
_STOP_OR_CONFIRM: Final = (StopGame(), Confirm())


def legal(table: Table, seat: int) -> tuple[Action, ...]:
    """Return the legal actions of the seat; empty if it is not asked or its tiles are hidden."""
    match table.phase:
        case Phase.TURN:
            return _turn_actions(table) if seat == table.turn else ()
        case Phase.CLAIMS:
            return _claim_actions(table, seat) if seat in claims.pending_seats(table) else ()
        case Phase.SHOWING:
            return _SHOW_OR_PASS if seat in pending_seats(table) else ()
        case Phase.RESULT:
            return _result_actions(table, seat) if seat in pending_seats(table) else ()
        case _:
            return ()


def _turn_actions(table: Table) -> tuple[Action, ...]:
    """Return the legal actions of the seat on turn, discards last."""
    hand, drawn = table.hands[table.turn], table.drawn
    if drawn == HIDDEN or (hand.tiles and hand.tiles[-1] == HIDDEN):
        return ()
    if drawn == NO_TILE:
        return turn.discards(table)
    found: list[Action] = [*turn.tsumo_actions(table)]
    if not hand.river:
        found += turn.kyushu_actions(table)
    found += turn.riichi_declarations(table)
    found += turn.closed_kans(table)
    if hand.melds:
        found += turn.added_kans(table)
    found += turn.north_actions(table)
    discards = turn.discards(table)
    return (*found, *discards) if found else discards


def _result_actions(table: Table, seat: int) -> tuple[Action, ...]:
    is_asked = seat == table.dealer and progress.dealer_may_stop(table)
    return _STOP_OR_CONFIRM if is_asked else _CONFIRM_ONLY


def is_legal(table: Table, seat: int, action: Action) -> bool:
    """Return whether the action is in `legal`. The most frequent action, a discard, is checked
    without building the list."""
    if table.phase == Phase.TURN and type(action) is Discard:
        return seat == table.turn and turn.may_discard(table, action)
    return action in legal(table, seat)


def choices(table: Table, seat: int) -> tuple[Action, ...]:
    """Return the actions that a player can choose: legal ones, and false declarations where the
    rules allow them. Their order does not show which are false."""
    actions = legal(table, seat)
    if not table.rules.false_declarations:
        return actions
    return tuple(sorted((*fouls.false_declarations(table, seat), *actions), key=_sort_key))


def _sort_key(action: Action) -> tuple[int, int]:
    match action:
        case Win():
            return 0, 0
        case DeclareKyushu():
            return 1, 0
        case DeclareRiichi(pai=pai, tsumogiri=tsumogiri):
            return 2 + tsumogiri, pai
        case _:
            return 4, 0


def is_choice(table: Table, seat: int, action: Action) -> bool:
    """Return whether the action is in `choices`."""
    return is_legal(table, seat, action) or action in fouls.false_declarations(table, seat)


def pending_seats(table: Table) -> tuple[int, ...]:
    """Return the seats that have not answered the open question."""
    match table.phase:
        case Phase.TURN:
            return (table.turn,)
        case Phase.CLAIMS:
            return claims.pending_seats(table)
        case Phase.SHOWING:
            return tuple([seat for seat in _unanswered_seats(table) if table.may_show >> seat & 1])
        case Phase.RESULT:
            return _unanswered_seats(table)
        case _:
            return ()


def _unanswered_seats(table: Table) -> tuple[int, ...]:
    """Return the seats that have not answered. Seats that were not asked are included."""
    return tuple([seat for seat, answer in enumerate(table.answers) if answer is None])


def _claim_actions(table: Table, seat: int) -> tuple[Action, ...]:
    win = (_WIN_ACTION,) if table.may_ron >> seat & 1 else ()
    return (*win, *claims.open_calls(table, seat), _PASS_ACTION)


def default_action(table: Table, seat: int) -> Action:
    """Return the action for a seat that has not answered in time: win if possible; else discard the
    drawn tile (after a call the last tile allowed); show a tenpai hand; pass a call; end the game
    as a leading dealer; confirm a result."""
    match table.phase:
        case Phase.TURN:
            return _WIN_ACTION if turn.tsumo_actions(table) else turn.discards(table)[-1]
        case Phase.CLAIMS:
            return _WIN_ACTION if table.may_ron >> seat & 1 else _PASS_ACTION
        case Phase.SHOWING:
            return _SHOW_OR_PASS[0]
        case _:
            return _result_actions(table, seat)[0]
