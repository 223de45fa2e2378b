"""The reasons why actions are refused.

Owns their codes (for programs) and English sentences (for people). Must not decide what is legal
(`game.engine.legal`).
"""

from __future__ import annotations

from game.engine import actions
from game.engine.claims import open_calls
from game.engine.hand import is_closed, waits_of
from game.engine.kans import is_another_kan_allowed, is_replacement_left
from game.engine.legal import pending_seats
from game.engine.nukidora import NORTH_TILE
from game.engine.state import SEATS, STICK_POINTS, Phase, Riichi, Table
from game.engine.tiles import NO_TILE, kind_of
from game.engine.wins import has_yaku_on

RefusalReason = tuple[str, str]

_CALLS = (actions.CallChi, actions.CallPon, actions.CallKan)


def refusal_reason(table: Table, seat: int, action: actions.Action) -> RefusalReason:
    """Return the code and the sentence for an action that is not legal."""
    if seat not in table.seats:
        return "no_such_seat", f"there is no seat {seat}"
    if table.phase in (Phase.IDLE, Phase.ENDED):
        return "not_running", "no hand is being played"
    if seat not in pending_seats(table):
        return "not_asked", "it is not for you to answer now"
    match table.phase:
        case Phase.TURN:
            return _turn_refusal(table, seat, action)
        case Phase.CLAIMS:
            return _claim_refusal(table, seat, action)
        case Phase.SHOWING:
            return "wall_used_up", "the wall is used up: show the tenpai hand or keep it closed"
        case _:
            return "hand_over", "the hand is over; all that is left is to confirm it"


def _turn_refusal(table: Table, seat: int, action: actions.Action) -> RefusalReason:
    match action:
        case actions.Discard():
            return _discard_refusal(table, seat, action)
        case actions.DeclareRiichi():
            return _riichi_refusal(table, seat)
        case actions.DeclareAnkan() | actions.DeclareKakan():
            return _own_kan_refusal(table, seat)
        case actions.SetNorthAside():
            return _north_refusal(table, seat)
        case actions.Win():
            return _win_refusal(table, seat, table.drawn)
        case actions.DeclareKyushu():
            return _kyushu_refusal(table)
        case _:
            return "own_turn", "it is your turn: discard, or declare something"


def _discard_refusal(table: Table, seat: int, action: actions.Discard) -> RefusalReason:
    hand = table.hands[seat]
    if table.forbidden >> kind_of(action.pai) & 1:
        return "kuikae", "a tile that fits the set just called may not be discarded (kuikae)"
    if hand.riichi == Riichi.ACCEPTED:
        return "in_riichi", "in riichi only the drawn tile may be discarded"
    if action.tsumogiri:
        return "not_drawn", "that is not the tile you have drawn"
    return "not_in_hand", "that tile is not in your hand"


def _riichi_refusal(table: Table, seat: int) -> RefusalReason:
    hand, rules = table.hands[seat], table.rules
    if hand.riichi:
        return "in_riichi", "you are in riichi already"
    if not is_closed(hand.melds):
        return "open_hand", "riichi needs a closed hand"
    if rules.riichi_needs_points and table.scores[seat] < STICK_POINTS:
        return "no_points", f"riichi needs {STICK_POINTS} points for the stick"
    if table.left < rules.riichi_tiles_left:
        return "wall_low", f"riichi needs {rules.riichi_tiles_left} tiles left in the wall"
    return "not_tenpai", "the hand is not tenpai after that discard"


def _own_kan_refusal(table: Table, seat: int) -> RefusalReason:
    if table.drawn == NO_TILE:
        return "after_call", "after a call a tile is discarded before a kan may be declared"
    if table.left == 0:
        return "last_tile", "no kan on the last tile"
    if not is_replacement_left(table):
        return "no_replacement", "no replacement tile is left"
    if not is_another_kan_allowed(table):
        return "four_kans", "there are four kans already"
    if table.hands[seat].riichi:
        return "in_riichi", "in riichi a kan may not change the waits"
    return "no_such_set", "you do not hold the tiles for that kan"


def _north_refusal(table: Table, seat: int) -> RefusalReason:
    if table.rules.nukidora == "off":
        return "no_north", "no north is set aside at this table"
    if table.drawn == NO_TILE:
        return "after_call", "after a call a tile is discarded before a north may be set aside"
    if table.left == 0:
        return "last_tile", "no north is set aside on the last tile"
    if table.hands[seat].riichi and NORTH_TILE in table.hands[seat].tiles:
        return "in_riichi", "in riichi only a north just drawn may be set aside"
    return "no_north", "there is no north in your hand"


def _win_refusal(table: Table, seat: int, tile: int) -> RefusalReason:
    if tile == NO_TILE or not waits_of(table.hands[seat]) >> kind_of(tile) & 1:
        return "not_complete", "the hand is not complete"
    if table.phase == Phase.CLAIMS and has_yaku_on(table, seat, tile):
        return "furiten", "the hand is furiten: it can only win by self-draw"
    return "no_yaku", "the hand has no yaku"


def _kyushu_refusal(table: Table) -> RefusalReason:
    if not table.rules.kyushu_kyuhai:
        return "rule_off", "kyushu kyuhai is not played at this table"
    return "no_kyushu", "nine kinds on the first draw, before any call, are needed for that"


def _claim_refusal(table: Table, seat: int, action: actions.Action) -> RefusalReason:
    if isinstance(action, actions.Win):
        return _win_refusal(table, seat, table.claimed)
    if not isinstance(action, _CALLS):
        return "not_your_turn", "it is not your turn; the open tile can be taken or let go by"
    if table.robbing:
        return "being_robbed", "the tile of a kan, or a north set aside, can only be won on"
    if table.left == 0:
        return "last_tile", "the last tile can only be won on"
    if isinstance(action, actions.CallKan) and not is_replacement_left(table):
        return "no_replacement", "no replacement tile is left"
    if isinstance(action, actions.CallKan) and not is_another_kan_allowed(table):
        return "four_kans", "there are four kans already"
    if table.hands[seat].riichi:
        return "in_riichi", "in riichi no tile can be called"
    if isinstance(action, actions.CallChi) and table.rules.players != len(SEATS):
        return "no_chi", "three players do not call chi"
    if isinstance(action, actions.CallChi) and (seat - table.turn) % len(SEATS) != 1:
        return "not_next", "chi only from the player before you"
    if not open_calls(table, seat):
        return "cannot_call", "you may not call this tile"
    return "no_such_set", "you do not hold the tiles for that set"
