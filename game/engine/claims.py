"""Claims for the open tile: which seats may take it, and which claim counts.

Owns the order of claims: ron before pon and kan, those before chi, which three players do not have.
Each seat that may take the tile answers separately. Nobody else learns which seats were asked.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from game.engine.actions import CallChi, CallKan, CallPon, Win
from game.engine.hand import CACHE_SIZE, of_kind, pairs_of, runs_with, shape, waits_of, without
from game.engine.kans import is_another_kan_allowed, is_sukaikan_due
from game.engine.kuikae import forbidden_by
from game.engine.state import NOBODY, SEATS, SEATS_OF, Table
from game.engine.tiles import HIDDEN, ORPHANS, kind_of
from game.engine.wins import can_ron

Call = CallChi | CallPon | CallKan
Robbers = Literal["any_hand", "kokushi_only", "off"]
"""Which hands can win on a tile that is not discarded."""

_SEATS_IN: Final = tuple(
    tuple(seat for seat in SEATS if bits >> seat & 1) for bits in range(1 << len(SEATS))
)
_MAX_FORBIDDEN: Final = 7
"""The most tiles in hand that kuikae can forbid: three of the called kind, four of the other
end."""
_MOST_WINNERS: Final = {"head_bump": 1, "two": 2, "all": 3}
"""How many seats can win on one tile, by the value of `multi_ron`."""
_OTHERS: Final = {
    players: tuple([(*seats[seat + 1 :], *seats[:seat]) for seat in seats])
    for players, seats in SEATS_OF.items()
}
"""By the number of players and by seat: the other seats in turn order."""
_MAY_CHI: Final = {4: (1, 2, 3, 0), 3: (NOBODY, NOBODY, NOBODY)}
"""By the number of players and by discarder: the seat that may call chi."""


def others(seat: int, players: int) -> tuple[int, ...]:
    """Return the other seats in turn order, from the next one."""
    return _OTHERS[players][seat]


def offers(table: Table, discarder: int, tile: int) -> tuple[int, int, int, int]:
    """Return four masks of seats for a tile that is about to be discarded: the seats that may ron
    it, that may call it, whose hands it completes (with or without a yaku), and that may falsely
    declare ron on it."""
    kind = kind_of(tile)
    bit = 1 << kind
    may_ron = may_call = waiting = may_foul = 0
    is_callable = table.left > 0 and not is_sukaikan_due(table)
    players = table.rules.players
    chi_seat = _MAY_CHI[players][discarder]
    for seat in _OTHERS[players][discarder]:
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
        if is_asked and _calls_of(table, seat, discarder, tile):
            may_call |= 1 << seat
    return may_ron, may_call, waiting, may_foul


def robbers(
    table: Table,
    owner: int,
    tile: int,
    hands: Robbers,
    *,
    chankan: bool,
) -> tuple[int, int, int]:
    """Return three masks of seats for the tile of a kan that is about to be declared, or for a
    north about to be set aside: the seats that may rob it, whose hands it completes, and that may
    falsely declare ron on it. `hands` says which hands can rob it."""
    if hands == "off":
        return 0, 0, 0
    bit = 1 << kind_of(tile)
    is_kokushi_needed = hands == "kokushi_only"
    may_ron = waiting = may_foul = 0
    for seat in others(owner, table.rules.players):
        hand = table.hands[seat]
        winning = waits_of(hand)
        if not winning & bit or (is_kokushi_needed and not _is_for_kokushi(hand.tiles)):
            continue
        if can_ron(table, seat, winning, tile, chankan=chankan):
            may_ron |= 1 << seat
        elif table.rules.false_declarations:
            may_foul |= 1 << seat
        if may_ron >> seat & 1 or table.rules.missed_without_yaku:
            waiting |= 1 << seat
    return may_ron, waiting, may_foul


def _is_for_kokushi(tiles: tuple[int, ...]) -> bool:
    """Return whether a tenpai hand waits for kokushi."""
    kinds = {kind_of(tile) for tile in tiles}
    return len(tiles) == 13 and len(kinds) >= 12 and all(ORPHANS >> kind & 1 for kind in kinds)


def open_calls(table: Table, seat: int) -> tuple[Call, ...]:
    """Return the calls with which the seat may take the open tile."""
    if not table.may_call >> seat & 1:
        return ()
    return _calls_of(table, seat, table.turn, table.claimed)


def _calls_of(table: Table, seat: int, target: int, tile: int) -> tuple[Call, ...]:
    rules = table.rules
    return calls(
        table.hands[seat].tiles,
        tile,
        may_chi=seat == _MAY_CHI[rules.players][target],
        may_kan=is_another_kan_allowed(table),
        kuikae=(rules.kuikae_same_tile, rules.kuikae_other_end),
    )


@lru_cache(maxsize=CACHE_SIZE)
def calls(
    tiles: tuple[int, ...], tile: int, *, may_chi: bool, may_kan: bool, kuikae: tuple[bool, bool]
) -> tuple[Call, ...]:
    """Return the calls that concealed tiles allow, without those after which kuikae forbids every
    discard. `kuikae` are the two switches of the rules."""
    if not tiles or tiles[-1] == HIDDEN:
        return ()
    found: list[Call] = []
    if may_chi:
        found += [
            CallChi(pair)
            for pair in runs_with(tiles, tile)
            if _leaves_a_discard(tiles, tile, pair, kuikae)
        ]
    same = of_kind(tiles, kind_of(tile))
    found += [
        CallPon(pair) for pair in pairs_of(same) if _leaves_a_discard(tiles, tile, pair, kuikae)
    ]
    if may_kan and len(same) == 3:
        one, two, three = same
        found.append(CallKan((one, two, three)))
    return tuple(found)


def _leaves_a_discard(
    tiles: tuple[int, ...], tile: int, consumed: tuple[int, int], kuikae: tuple[bool, bool]
) -> bool:
    """Return whether kuikae allows at least one discard after the call."""
    if len(tiles) - len(consumed) > _MAX_FORBIDDEN:
        return True
    forbidden = forbidden_by(*kuikae, tile, consumed)
    return any(not forbidden >> kind_of(left) & 1 for left in without(tiles, consumed))


def pending_seats(table: Table) -> tuple[int, ...]:
    """Return the seats that may take the open tile and have not answered."""
    seats = _SEATS_IN[table.may_ron | table.may_call | table.may_foul]
    answers = table.answers
    if not seats or answers.count(None) == len(answers):
        return seats
    return tuple([seat for seat in seats if answers[seat] is None])


def winners(table: Table) -> list[int]:
    """Return the seats that win by ron, the nearest after the discarder first, at most as many as
    `multi_ron` allows."""
    found = [seat for seat in _declaring(table) if table.may_ron >> seat & 1]
    return found[: _MOST_WINNERS[table.rules.multi_ron]]


def false_winners(table: Table) -> list[int]:
    """Return the seats that have falsely declared ron."""
    return [seat for seat in _declaring(table) if table.may_foul >> seat & 1]


def _declaring(table: Table) -> list[int]:
    seats = others(table.turn, table.rules.players)
    return [seat for seat in seats if isinstance(table.answers[seat], Win)]


def best_call(table: Table) -> tuple[int, Call] | None:
    """Return the seat and the call that counts: pon or kan, else chi; None without a call."""
    chi = None
    for seat in others(table.turn, table.rules.players):
        answer = table.answers[seat]
        if isinstance(answer, (CallPon, CallKan)):
            return seat, answer
        if isinstance(answer, CallChi):
            chi = seat, answer
    return chi


def is_settled(table: Table) -> bool:
    """Return whether the missing answers can no longer change who takes the tile; False if nobody
    has claimed it."""
    pending = pending_seats(table)
    rons = winners(table)
    deciders = [seat for seat in pending if table.may_ron >> seat & 1]
    if len(rons) == _MOST_WINNERS[table.rules.multi_ron]:
        place = others(table.turn, table.rules.players).index
        return not any(place(seat) < place(rons[-1]) for seat in deciders)
    if deciders:
        return False
    if rons:
        return True
    if any(table.may_foul >> seat & 1 for seat in pending):
        return False
    if table.may_foul and false_winners(table):
        return True
    match best_call(table):
        case None:
            return False
        case _, CallChi():
            return not pending
        case _:
            return True
