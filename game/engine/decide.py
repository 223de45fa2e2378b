"""May this happen, and what happens then? Commands in, events out; nothing is changed.

The order of checks after a discard: kan dora due, rons, riichi becomes valid, aborts, pon and
kan before chi, the end of the wall, the next draw. After a kan: robbing, the kan stands, abort
on declaration, dora, the replacement tile.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from game.engine import actions, claims, draws, fouls, progress, turn, wins
from game.engine.commands import (
    Act,
    Command,
    DealHand,
    EndGame,
    Proceed,
    RestoreGame,
    SetAway,
    StartGame,
    TimeUp,
)
from game.engine.consistency import contradictions
from game.engine.events import (
    AnkanDeclared,
    Answered,
    AwayChanged,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    Event,
    GameRestored,
    GameStarted,
    HandDrawn,
    HandEnded,
    KakanDeclared,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    WallUsedUp,
    Won,
)
from game.engine.evolve import evolve
from game.engine.kans import aborts_on_declaration
from game.engine.legal import default, is_allowed, pending
from game.engine.pao import is_risky, is_wall_nearly_used_up, liable_for
from game.engine.refusals import refusal
from game.engine.state import SEATS, MeldType, Phase, Riichi, Table
from game.engine.wall import (
    INDICATORS,
    SEED_BYTES,
    indicator,
    is_wall,
    live_tile,
    replacement_tile,
)

_THREE: Final = 3


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """This happens."""

    events: tuple[Event, ...]


class Rejected(msgspec.Struct, frozen=True, gc=False):
    """The rules forbid it."""

    code: str
    text: str


class Stale(msgspec.Struct, frozen=True, gc=False):
    """It answers a question that is no longer open to the seat."""


class _Course:
    """The events of one decision, and the table as they leave it: made when it is asked for,
    which after the last event of most decisions it is not."""

    __slots__ = ("_table", "_taken_in", "events")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._taken_in = 0
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        self.events.extend(events)

    @property
    def table(self) -> Table:
        for event in self.events[self._taken_in :]:
            self._table = evolve(self._table, event)
        self._taken_in = len(self.events)
        return self._table


def decide(table: Table, command: Command) -> Accepted | Rejected | Stale:
    """What the command brings about at this table, or why nothing."""
    match command:
        case Act(seat=seat, step=step, action=action):
            if step != table.step or _has_answered(table, seat):
                return Stale()
            if seat not in SEATS or not is_allowed(table, seat, action):
                return Rejected(*refusal(table, seat, action))
            return Accepted(tuple(_act(table, seat, action)))
        case Proceed(step=step):
            return Stale() if step != table.step else _proceed(table)
        case TimeUp(step=step, seats=seats):
            return Stale() if step != table.step else _time_up(table, seats)
        case DealHand(wall=wall):
            return _deal_hand(table, wall)
        case StartGame():
            return _start_game(table, command)
        case EndGame():
            return _end_game(table)
        case RestoreGame(seed=seed):
            return _restore_game(table, seed)
        case SetAway(seat=seat, away=away):
            return _set_away(table, seat, away)


def _has_answered(table: Table, seat: int) -> bool:
    """Whether the seat's question is closed: it has answered, or time has for it."""
    return seat in SEATS and table.answers[seat] is not None


def _start_game(table: Table, command: StartGame) -> Accepted | Rejected:
    if table.seed or table.hands_dealt:
        return Rejected("already_started", "the game has begun")
    if len(command.seed) != SEED_BYTES:
        return Rejected("bad_seed", f"a seed is {SEED_BYTES} bytes, not {len(command.seed)}")
    if reasons := contradictions(command.rules):
        return Rejected("bad_rules", "; ".join(reasons))
    return Accepted((GameStarted(command.names, command.rules, command.seed),))


def _end_game(table: Table) -> Accepted | Rejected:
    if table.phase in (Phase.IDLE, Phase.ENDED):
        return Rejected("not_running", "no game is being played")
    course = _Course(table)
    if table.phase != Phase.RESULT:
        course.add(draws.abandoned(table), HandEnded())
    course.add(progress.game_ended(course.table))
    return Accepted(tuple(course.events))


def _restore_game(table: Table, seed: bytes) -> Accepted | Rejected:
    if table.phase in (Phase.IDLE, Phase.ENDED):
        return Rejected("not_running", "no game is being played")
    if len(seed) != SEED_BYTES:
        return Rejected("bad_seed", f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
    course = _Course(table)
    if table.phase == Phase.RESULT:
        course.add(GameRestored(seed))
    else:
        course.add(draws.abandoned(table), HandEnded(), GameRestored(seed))
        course.add(*_dealt(course.table, progress.Deal(table.kyoku, table.honba)))
    return Accepted(tuple(course.events))


def _set_away(table: Table, seat: int, away: bool) -> Accepted | Rejected:
    if seat not in SEATS:
        return Rejected("no_such_seat", f"there is no seat {seat}")
    if table.phase == Phase.ENDED:
        return Rejected("not_running", "the game is over")
    if table.away[seat] == away:
        return Rejected("unchanged", f"seat {seat} is {'away' if away else 'there'} already")
    return Accepted((AwayChanged(seat, away),))


def _deal_hand(table: Table, wall: bytes) -> Accepted | Rejected:
    if not table.seed:
        return Rejected("not_running", "the game has not begun")
    if wall and not is_wall(table.rules, wall):
        return Rejected("bad_wall", "that is not a wall of the 136 tiles of these rules")
    if table.phase == Phase.IDLE:
        return Accepted(tuple(_dealt(table, progress.FIRST, wall)))
    if table.phase == Phase.RESULT and (deal := progress.next_deal(table)):
        return Accepted(tuple(_dealt(table, deal, wall)))
    return Rejected("not_now", "no hand is to be dealt now")


def _dealt(table: Table, deal: progress.Deal, wall: bytes = b"") -> list[Event]:
    course = _Course(table)
    course.add(progress.hand_started(table, deal, wall))
    course.add(_drawn(course.table, course.table.dealer))
    return course.events


def _drawn(table: Table, seat: int, *, rinshan: bool = False) -> Drawn:
    if rinshan:
        return Drawn(seat, replacement_tile(table.wall, table.supplements), rinshan=True)
    return Drawn(seat, live_tile(table.wall, table.left, table.supplements))


def _proceed(table: Table) -> Accepted | Rejected:
    if pending(table):
        return Rejected("not_yet", "not everybody has answered")
    match table.phase:
        case Phase.CLAIMS:
            return Accepted(tuple(_resolved(table)))
        case Phase.SHOWING:
            return Accepted(tuple(_hand_over(table, _exhausted(table))))
        case Phase.RESULT:
            return _deal_hand(table, b"")
        case _:
            return Rejected("not_running", "no hand is being played")


def _time_up(table: Table, seats: Iterable[int]) -> Accepted | Rejected:
    owing = pending(table)
    late = [seat for seat in seats if seat in owing]
    if not late:
        return Rejected("not_asked", "none of these seats owes an answer")
    if table.phase == Phase.TURN:
        return Accepted(tuple(_act(table, table.turn, default(table, table.turn))))
    course = _Course(table)
    for seat in late:
        course.add(Answered(seat, default(table, seat)))
    return Accepted((*course.events, *_if_settled(course.table)))


def _act(table: Table, seat: int, action: actions.Action) -> Iterable[Event]:
    """What a legal action brings about."""
    if table.phase != Phase.TURN:
        answered = Answered(seat, action)
        return (answered, *_if_settled(evolve(table, answered)))
    match action:
        case actions.Discard(pai=pai, tsumogiri=tsumogiri):
            return _discarded(table, seat, pai, tsumogiri)
        case actions.DeclareRiichi(pai=pai, tsumogiri=tsumogiri):
            is_double = table.unbroken and not table.hands[seat].river
            return (
                RiichiDeclared(seat, is_double),
                *_discarded(table, seat, pai, tsumogiri),
            )
        case actions.DeclareAnkan(consumed=consumed):
            return _closed_kan(table, seat, consumed)
        case actions.DeclareKakan(pai=pai):
            return _added_kan(table, seat, pai)
        case actions.DeclareKyushu():
            return _hand_over(table, draws.kyushu_kyuhai(table))
        case _:
            is_won = bool(turn.wins(table))
            return _hand_over(table, wins.tsumo(table) if is_won else fouls.false_tsumo(table))


def _discarded(table: Table, seat: int, pai: int, tsumogiri: bool) -> Iterable[Event]:
    may_ron, may_call, waiting, may_foul = claims.offers(table, seat, pai)
    discarded = Discarded(seat, pai, tsumogiri, may_ron, may_call, waiting, may_foul)
    if table.dora_due and table.rules.open_kan_dora == "at_discard":
        return (*_dora_revealed(table, table.dora_due), discarded)
    return (discarded,)


def _dora_revealed(table: Table, count: int) -> list[DoraRevealed]:
    """The next `count` indicators, as far as there are any."""
    first = len(table.dora)
    numbers = range(first, min(first + count, INDICATORS))
    return [DoraRevealed(indicator(table.wall, number)) for number in numbers]


def _closed_kan(table: Table, seat: int, consumed: tuple[int, int, int, int]) -> Iterable[Event]:
    may_ron, waiting, may_foul = claims.robbers(table, seat, consumed[0], is_closed=True)
    course = _Course(table)
    course.add(AnkanDeclared(seat, consumed, may_ron, waiting, may_foul))
    if not table.rules.kokushi_robs_ankan:
        _establish_kan(course)
    return course.events


def _added_kan(table: Table, seat: int, pai: int) -> Iterable[Event]:
    may_ron, waiting, may_foul = claims.robbers(table, seat, pai, is_closed=False)
    (pon,) = (
        meld
        for meld in table.hands[seat].melds
        if meld.type == MeldType.PON and meld.tiles[0] >> 1 == pai >> 1
    )
    one, two, three = pon.tiles
    return (KakanDeclared(seat, pai, (one, two, three), may_ron, waiting, may_foul),)


def _establish_kan(course: _Course) -> None:
    """A kan that nobody has robbed stands: dora, then the replacement tile."""
    table = course.table
    seat = table.turn
    if aborts_on_declaration(table):
        _end_hand(course, draws.abort(table, "sukaikan"))
        return
    course.add(*_dora_revealed(table, _dora_before_replacement(table)))
    course.add(_drawn(course.table, seat, rinshan=True))


def _dora_before_replacement(table: Table) -> int:
    """How many indicators are turned when the kan just declared stands: those due for earlier
    ones, and its own if it is closed or the rules do not wait for the discard."""
    newest_waits = table.rules.open_kan_dora != "before_replacement" and not _is_closed_kan(table)
    return max(0, table.dora_due - newest_waits)


def _is_closed_kan(table: Table) -> bool:
    """Whether the kan just declared is a closed one; the turn is its owner's."""
    kind = table.claimed >> 1
    return table.robbing and any(
        meld.type == MeldType.ANKAN and meld.tiles[0] >> 1 == kind
        for meld in table.hands[table.turn].melds
    )


def _if_settled(table: Table) -> list[Event]:
    """What follows at once when an answer settles who takes the open tile. That everybody
    passes settles nothing: the table goes on when it is told to, whoever was asked."""
    if table.phase == Phase.CLAIMS and claims.is_settled(table):
        return _resolved(table)
    return []


def _resolved(table: Table) -> list[Event]:
    """What becomes of the open tile, all answers being in or no longer mattering."""
    if _is_of_no_consequence(table):
        return [_drawn(table, (table.turn + 1) % 4)]
    course = _Course(table)
    if table.may_ron and (winners := claims.winners(table)):
        _win_by_ron(course, winners)
    elif table.may_foul and claims.false_winners(table):
        _end_hand(course, fouls.false_ron(table))
    elif table.robbing:
        _establish_kan(course)
    else:
        _let_by(course)
    return course.events


def _is_of_no_consequence(table: Table) -> bool:
    """Whether the open tile is a discard that nobody could take, in mid-hand, and nothing waits
    for it: as most are. What holds of all discards is in `_let_by`."""
    return not (
        table.may_ron
        or table.may_call
        or table.may_foul
        or table.robbing
        or table.unbroken
        or table.dora_due
        or table.supplements
        or table.left == 0
        or table.hands[table.turn].riichi
    )


def _win_by_ron(course: _Course, winners: list[int]) -> None:
    table = course.table
    if len(winners) == _THREE and table.rules.sanchaho:
        _end_hand(course, draws.abort(table, "sanchaho", winners))
        return
    if table.robbing and table.rules.pending_dora_at_robbery:
        course.add(*_dora_revealed(table, max(0, table.dora_due - 1)))
    _end_hand(course, *wins.ron(course.table, winners, chankan=_is_chankan(table)))


def _is_chankan(table: Table) -> bool:
    return table.robbing and not _is_closed_kan(table)


def _let_by(course: _Course) -> None:
    """Nobody has won on the discard."""
    table = course.table
    discarder = table.turn
    if table.hands[discarder].riichi == Riichi.DECLARED:
        course.add(RiichiAccepted(discarder))
    if table.dora_due and table.rules.open_kan_dora == "after_discard_passes":
        course.add(*_dora_revealed(table, table.dora_due))
    table = course.table
    if abort := draws.abort_after_discard(table):
        _end_hand(course, fouls.found_out(table, abort))
    elif table.may_call and (call := claims.best_call(table)):
        _take(course, *call)
    elif table.left == 0 and table.rules.noten_declaration:
        course.add(WallUsedUp(draws.free_to_show(table)))
    elif table.left == 0:
        _end_hand(course, _exhausted(table))
    else:
        course.add(_drawn(table, (discarder + 1) % 4))


def _exhausted(table: Table) -> HandDrawn:
    return fouls.found_out(table, draws.exhaustive(table))


def _take(course: _Course, seat: int, call: claims.Call) -> None:
    table = course.table
    target, pai, melds = table.turn, table.claimed, table.hands[seat].melds
    liable = liable_for(
        table.rules,
        melds,
        pai >> 1,
        is_kan=isinstance(call, actions.CallKan),
        laid=(pai, *call.consumed),
        is_risky=is_risky(table, pai >> 1),
        is_last=is_wall_nearly_used_up(table),
    )
    match call:
        case actions.CallChi(consumed=run):
            course.add(ChiCalled(seat, target, pai, run, liable))
        case actions.CallPon(consumed=pair):
            course.add(PonCalled(seat, target, pai, pair, liable))
        case actions.CallKan(consumed=three):
            course.add(DaiminkanCalled(seat, target, pai, three, liable))
            _establish_kan(course)


def _end_hand(course: _Course, *results: Won | HandDrawn) -> None:
    course.add(*results)
    course.add(HandEnded())
    if progress.next_deal(course.table) is None:
        course.add(progress.game_ended(course.table))


def _hand_over(table: Table, result: Won | HandDrawn) -> list[Event]:
    course = _Course(table)
    _end_hand(course, result)
    return course.events
