"""Claims for the open tile: which seats may take it, and which claim counts.

Owns the order of claims: ron before pon and kan, those before chi, which three players do not have.
Each seat that may take the tile answers separately. Nobody else learns which seats were asked.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from game.engine.actions import CallChi, CallKan, CallPon, Win
from game.engine.hand import (
    CACHE_SIZE,
    distinct_pairs,
    remove_tiles,
    runs_with,
    shape,
    tiles_of_kind,
    waits_of,
)
from game.engine.kans import is_another_kan_allowed, is_sukaikan_due
from game.engine.kuikae import forbidden_by_switches
from game.engine.state import NOBODY, SEATS, SEATS_OF, Table
from game.engine.tiles import HIDDEN, ORPHANS, kind_of
from game.engine.wins import can_ron

Call = CallChi | CallPon | CallKan
RobbingHands = Literal["any_hand", "kokushi_only", "off"]
"""Which hands can win on a tile that is not discarded."""

_SEATS_BY_MASK: Final = tuple(
    tuple(seat for seat in SEATS if bits >> seat & 1) for bits in range(1 << len(SEATS))
)
_MAX_FORBIDDEN_TILES: Final = 7
"""The most tiles in hand that kuikae can forbid: three of the called kind, four of the other
end."""
_MAX_WINNERS: Final = {"head_bump": 1, "two": 2, "all": 3}
"""How many seats can win on one tile, by the value of `multi_ron`."""
_OTHER_SEATS: Final = {
    players: tuple([(*seats[seat + 1 :], *seats[:seat]) for seat in seats])
    for players, seats in SEATS_OF.items()
}
"""By the number of players and by seat: the other seats in turn order."""
_CHI_SEAT: Final = {4: (1, 2, 3, 0), 3: (NOBODY, NOBODY, NOBODY)}
"""By the number of players and by discarder: the seat that may call chi."""


def other_seats(seat: int, players: int) -> tuple[int, ...]:
    """Return the other seats in turn order, from the next one."""
    return _OTHER_SEATS[players][seat]


def claim_masks(table: Table, discarder: int, tile: int) -> tuple[int, int, int, int]:
    """Return four seat masks for a tile that is about to be discarded: seats that may ron it, seats
    that may call it, seats whose hands it completes (with or without a yaku), and seats that may
    falsely declare ron on it."""
    kind = kind_of(tile)
    bit = 1 << kind
    may_ron = may_call = waiting = may_foul = 0
    is_callable = table.left > 0 and not is_sukaikan_due(table)
    players = table.rules.players
    chi_seat = _CHI_SEAT[players][discarder]
    for seat in _OTHER_SEATS[players][discarder]:
        hand = table.hands[seat]
        has = shape(hand.tiles)
        if has.completing & bit and (winning := waits_of(hand)) & bit:
            if can_ron(table, seat, winning, tile):
                may_ron |= 1 << seat
            elif table.rules.false_declarations:
                may_foul |= 1 << seat
            if may_ron >> seat & 1 or table.rules.missed_without_yaku:
                waiting |= 1 << seat
        fitting = has.pairs | has.runs if seat == chi_seat else has.pairs
        is_asked = fitting & bit and is_callable and not hand.riichi
        if is_asked and _legal_calls(table, seat, discarder, tile):
            may_call |= 1 << seat
    return may_ron, may_call, waiting, may_foul


def robbing_masks(
    table: Table,
    owner: int,
    tile: int,
    hands: RobbingHands,
    *,
    chankan: bool,
) -> tuple[int, int, int]:
    """Return three seat masks for the tile of a kan or north that is about to be declared: seats
    that may rob it, seats whose hands it completes, and seats that may falsely declare ron on it.
    `hands` says which hands can rob it."""
    if hands == "off":
        return 0, 0, 0
    bit = 1 << kind_of(tile)
    is_kokushi_needed = hands == "kokushi_only"
    may_ron = waiting = may_foul = 0
    for seat in other_seats(owner, table.rules.players):
        hand = table.hands[seat]
        winning = waits_of(hand)
        if not winning & bit or (is_kokushi_needed and not _is_kokushi_tenpai(hand.tiles)):
            continue
        if can_ron(table, seat, winning, tile, chankan=chankan):
            may_ron |= 1 << seat
        elif table.rules.false_declarations:
            may_foul |= 1 << seat
        if may_ron >> seat & 1 or table.rules.missed_without_yaku:
            waiting |= 1 << seat
    return may_ron, waiting, may_foul


def _is_kokushi_tenpai(tiles: tuple[int, ...]) -> bool:
    """Return whether this tenpai hand waits for kokushi."""
    kinds = {kind_of(tile) for tile in tiles}
    return len(tiles) == 13 and len(kinds) >= 12 and all(ORPHANS >> kind & 1 for kind in kinds)


def open_calls(table: Table, seat: int) -> tuple[Call, ...]:
    """Return the calls with which the seat may take the open tile."""
    if not table.may_call >> seat & 1:
        return ()
    return _legal_calls(table, seat, table.turn, table.claimed)


def _legal_calls(table: Table, seat: int, target: int, tile: int) -> tuple[Call, ...]:
    rules = table.rules
    return calls_by_tiles(
        table.hands[seat].tiles,
        tile,
        may_chi=seat == _CHI_SEAT[rules.players][target],
        may_kan=is_another_kan_allowed(table),
        kuikae=(rules.kuikae_same_tile, rules.kuikae_other_end),
    )


@lru_cache(maxsize=CACHE_SIZE)
def calls_by_tiles(
    tiles: tuple[int, ...], tile: int, *, may_chi: bool, may_kan: bool, kuikae: tuple[bool, bool]
) -> tuple[Call, ...]:
    """Return the legal calls of `tile` for these concealed tiles. A call is left out if kuikae
    would then forbid every discard. `kuikae` are the switches `kuikae_same_tile` and
    `kuikae_other_end`."""
    if not tiles or tiles[-1] == HIDDEN:
        return ()
    found: list[Call] = []
    if may_chi:
        found += [
            CallChi(pair)
            for pair in runs_with(tiles, tile)
            if _leaves_a_discard(tiles, tile, pair, kuikae)
        ]
    same = tiles_of_kind(tiles, kind_of(tile))
    found += [
        CallPon(pair)
        for pair in distinct_pairs(same)
        if _leaves_a_discard(tiles, tile, pair, kuikae)
    ]
    if may_kan and len(same) == 3:
        one, two, three = same
        found.append(CallKan((one, two, three)))
    return tuple(found)


def _leaves_a_discard(
    tiles: tuple[int, ...], tile: int, consumed: tuple[int, int], kuikae: tuple[bool, bool]
) -> bool:
    """Return whether kuikae allows at least one discard after the call."""
    if len(tiles) - len(consumed) > _MAX_FORBIDDEN_TILES:
        return True
    forbidden = forbidden_by_switches(*kuikae, tile, consumed)
    return any(not forbidden >> kind_of(left) & 1 for left in remove_tiles(tiles, consumed))


def pending_seats(table: Table) -> tuple[int, ...]:
    """Return the seats that may take the open tile and have not answered."""
    seats = _SEATS_BY_MASK[table.may_ron | table.may_call | table.may_foul]
    answers = table.answers
    if not seats or answers.count(None) == len(answers):
        return seats
    return tuple([seat for seat in seats if answers[seat] is None])


def ron_winners(table: Table) -> list[int]:
    """Return the seats that win by ron, the nearest after the discarder first. The list has at most
    as many seats as `multi_ron` allows."""
    found = [seat for seat in _ron_declarers(table) if table.may_ron >> seat & 1]
    return found[: _MAX_WINNERS[table.rules.multi_ron]]


def false_ron_seats(table: Table) -> list[int]:
    """Return the seats that have falsely declared ron."""
    return [seat for seat in _ron_declarers(table) if table.may_foul >> seat & 1]


def _ron_declarers(table: Table) -> list[int]:
    seats = other_seats(table.turn, table.rules.players)
    return [seat for seat in seats if isinstance(table.answers[seat], Win)]


def best_call(table: Table) -> tuple[int, Call] | None:
    """Return the seat and the call that counts: pon or kan, else chi; None without a call."""
    chi = None
    for seat in other_seats(table.turn, table.rules.players):
        answer = table.answers[seat]
        if isinstance(answer, (CallPon, CallKan)):
            return seat, answer
        if isinstance(answer, CallChi):
            chi = seat, answer
    return chi


def is_settled(table: Table) -> bool:
    """Return whether the answers so far decide who takes the tile, whatever the other seats answer;
    False if no seat has claimed it."""
    pending = pending_seats(table)
    rons = ron_winners(table)
    deciders = [seat for seat in pending if table.may_ron >> seat & 1]
    if len(rons) == _MAX_WINNERS[table.rules.multi_ron]:
        place = other_seats(table.turn, table.rules.players).index
        return not any(place(seat) < place(rons[-1]) for seat in deciders)
    if deciders:
        return False
    if rons:
        return True
    if any(table.may_foul >> seat & 1 for seat in pending):
        return False
    if table.may_foul and false_ron_seats(table):
        return True
    match best_call(table):
        case None:
            return False
        case _, CallChi():
            return not pending
        case _:
            return True
