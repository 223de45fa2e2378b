"""Decides which events follow from a command, or why it is refused.

Owns the order of checks. After a discard: kan dora due, ron, riichi becomes valid, aborts, pon and
kan, chi, the end of the wall, the next draw. After a kan: robbing, abort on declaration, dora, the
replacement tile. After a north set aside: dora due, robbing, the replacement tile. Changes nothing:
`game.engine.evolve` applies the events.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

import msgspec

from game.engine import actions, claims, draws, fouls, progress, turn, wall_draw, wins
from game.engine.commands import (
    Act,
    BindWall,
    CallLastHand,
    Command,
    CommitWall,
    DealHand,
    DrawWall,
    EndGame,
    Proceed,
    RestoreGame,
    RevealWall,
    SetAway,
    StartGame,
    Timeout,
    VoidWall,
)
from game.engine.consistency import contradiction_texts
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
    LastHandCalled,
    NorthSetAside,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    WallSeeded,
    WallUsedUp,
    Won,
)
from game.engine.evolve import evolve
from game.engine.kans import aborts_on_declaration, is_kan_being_declared
from game.engine.legal import default_action, is_choice, pending_seats
from game.engine.nukidora import NORTH_TILE, is_north_open
from game.engine.pao import is_risky_tile, is_wall_nearly_used_up, liable_for
from game.engine.refusals import refusal_reason
from game.engine.state import MeldType, Phase, Riichi, Table
from game.engine.tiles import kind_of
from game.engine.wall import (
    LAYOUTS,
    SEED_BYTES,
    dora_indicator,
    is_complete_wall,
    live_tile,
    replacement_tile,
)

_SANCHAHO_WINNERS: Final = 3


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """The command is possible and leads to these events."""

    events: tuple[Event, ...]


class Rejected(msgspec.Struct, frozen=True, gc=False):
    """The rules forbid the command. `code` is for programs, `text` an English sentence."""

    code: str
    text: str


class Stale(msgspec.Struct, frozen=True, gc=False):
    """The command changes nothing: the question that it answers is no longer open to the seat, or
    another process has already done what it asks for."""


class _Decision:
    """The events of one decision, and the table after them.

    The table is computed only when it is read: most decisions do not need the table after their
    last event.
    """

    __slots__ = ("_applied", "_table", "events")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._applied = 0
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        self.events.extend(events)

    @property
    def table(self) -> Table:
        for event in self.events[self._applied :]:
            self._table = evolve(self._table, event)
        self._applied = len(self.events)
        return self._table


def decide(table: Table, command: Command) -> Accepted | Rejected | Stale:
    """Return the events that follow from the command at this table, or why it is refused."""
    match command:
        case Act(seat=seat, step=step, action=action):
            if step != table.step or _has_answered(table, seat):
                return Stale()
            if seat not in table.seats or not is_choice(table, seat, action):
                return Rejected(*refusal_reason(table, seat, action))
            return Accepted(tuple(_action_events(table, seat, action)))
        case Proceed(step=step):
            return Stale() if step != table.step else _proceed(table)
        case Timeout(step=step, seats=seats):
            return Stale() if step != table.step else _time_out(table, seats)
        case DealHand(wall=wall):
            return _deal_hand(table, wall)
        case StartGame():
            return _start_game(table, command)
        case EndGame():
            return _end_game(table)
        case RestoreGame(seed=seed, reason=reason):
            return _restore_game(table, seed, reason)
        case CallLastHand():
            return _call_last_hand(table)
        case SetAway(seat=seat, away=away):
            return _set_away(table, seat, away)
        case DrawWall() | CommitWall() | BindWall() | RevealWall() | VoidWall():
            return _draw_wall(table, command)
        case _:
            assert_never(command)


def _has_answered(table: Table, seat: int) -> bool:
    """Return whether the seat has answered, or the server has answered for it. A late answer counts
    until the server answers, because no clock is read here."""
    return seat in table.seats and table.answers[seat] is not None


def _start_game(table: Table, command: StartGame) -> Accepted | Rejected:
    if table.seed or table.hands_dealt or table.wall_draw:
        return Rejected("already_started", "the game has begun")
    if len(command.seed) not in (0, SEED_BYTES):
        return Rejected("bad_seed", f"a seed is {SEED_BYTES} bytes, not {len(command.seed)}")
    if reasons := contradiction_texts(command.rules):
        return Rejected("bad_rules", "; ".join(reasons))
    if len(command.names) != command.rules.players:
        return Rejected("bad_names", f"there are not {command.rules.players} names")
    return Accepted((GameStarted(command.names, command.rules, command.seed),))


def _draw_wall(table: Table, command: wall_draw.Command) -> Accepted | Rejected:
    """Return the events of a step of the wall's draw. If it fixes the seed, the first hand is
    dealt."""
    found = wall_draw.decide_draw(table, command)
    if isinstance(found, tuple):
        return Rejected(*found)
    decision = _Decision(table)
    decision.add(*found)
    if isinstance(found[-1], WallSeeded):
        decision.add(*_deal_events(decision.table, progress.FIRST_DEAL))
    return Accepted(tuple(decision.events))


def _end_game(table: Table) -> Accepted | Rejected:
    if table.is_drawing_wall:
        before = progress.with_start_points(table)
        return Accepted((progress.game_ended_event(before, broken_off=True),))
    if table.phase in (Phase.IDLE, Phase.ENDED):
        return Rejected("not_running", "no game is being played")
    decision = _Decision(table)
    if table.phase != Phase.RESULT:
        decision.add(draws.abandon_hand(table), HandEnded())
    decision.add(progress.game_ended_event(decision.table, broken_off=True))
    return Accepted(tuple(decision.events))


def _restore_game(table: Table, seed: bytes, reason: str) -> Accepted | Rejected:
    is_drawing = table.is_drawing_wall
    if table.phase in (Phase.IDLE, Phase.ENDED) and not is_drawing:
        return Rejected("not_running", "no game is being played")
    if len(seed) != SEED_BYTES:
        return Rejected("bad_seed", f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
    decision = _Decision(table)
    if is_drawing:  # a game with a restored draw would have several seeds, and so no proof
        decision.add(WallSeeded(seed, ()))
        decision.add(*_deal_events(decision.table, progress.FIRST_DEAL))
    elif table.phase == Phase.RESULT:
        decision.add(GameRestored(seed, reason))
    else:
        decision.add(draws.abandon_hand(table), HandEnded(), GameRestored(seed, reason))
        decision.add(*_deal_events(decision.table, progress.Deal(table.kyoku, table.honba)))
    return Accepted(tuple(decision.events))


def _call_last_hand(table: Table) -> Accepted | Rejected:
    has_begun = bool(table.seed) or table.is_drawing_wall
    if table.phase == Phase.ENDED or not has_begun:
        return Rejected("not_running", "no game is being played")
    if table.last_hand:
        return Rejected("unchanged", "the last hand has been called already")
    return Accepted((LastHandCalled(),))


def _set_away(table: Table, seat: int, away: bool) -> Accepted | Rejected:
    if seat not in table.seats:
        return Rejected("no_such_seat", f"there is no seat {seat}")
    if table.phase == Phase.ENDED:
        return Rejected("not_running", "the game is over")
    if table.away[seat] == away:
        return Rejected("unchanged", f"seat {seat} is {'away' if away else 'there'} already")
    return Accepted((AwayChanged(seat, away),))


def _deal_hand(table: Table, wall: bytes) -> Accepted | Rejected:
    if not table.seed:
        return Rejected("not_running", "the game has not begun")
    if wall and not is_complete_wall(table.rules, wall):
        return Rejected("bad_wall", "that is not a wall of the tiles of these rules")
    if table.phase == Phase.IDLE:
        return Accepted(tuple(_deal_events(table, progress.FIRST_DEAL, wall)))
    if table.phase == Phase.RESULT and (deal := progress.next_deal(table)):
        return Accepted(tuple(_deal_events(table, deal, wall)))
    return Rejected("not_now", "no hand is to be dealt now")


def _deal_events(table: Table, deal: progress.Deal, wall: bytes = b"") -> list[Event]:
    decision = _Decision(table)
    decision.add(progress.hand_started_event(table, deal, wall))
    decision.add(_draw_event(decision.table, decision.table.dealer))
    return decision.events


def _draw_event(table: Table, seat: int, *, rinshan: bool = False) -> Drawn:
    if rinshan:
        return Drawn(seat, replacement_tile(table.wall, table.supplements), rinshan=True)
    return Drawn(seat, live_tile(table.wall, table.left, table.supplements))


def _proceed(table: Table) -> Accepted | Rejected:
    if pending_seats(table):
        return Rejected("not_yet", "not everybody has answered")
    match table.phase:
        case Phase.CLAIMS:
            return Accepted(tuple(_claim_events(table)))
        case Phase.SHOWING:
            return Accepted(tuple(_hand_end_events(table, _exhaustive_draw(table))))
        case Phase.RESULT:
            if isinstance(table.answers[table.dealer], actions.StopGame):
                return Accepted((progress.game_ended_event(table),))
            return _deal_hand(table, b"")
        case _:
            return Rejected("not_running", "no hand is being played")


def _time_out(table: Table, seats: Iterable[int]) -> Accepted | Rejected:
    asked = pending_seats(table)
    late = [seat for seat in seats if seat in asked]
    if not late:
        return Rejected("not_asked", "none of these seats owes an answer")
    if table.phase == Phase.TURN:
        return Accepted(tuple(_action_events(table, table.turn, default_action(table, table.turn))))
    decision = _Decision(table)
    for seat in late:
        decision.add(Answered(seat, default_action(table, seat)))
    return Accepted((*decision.events, *_claim_events_if_settled(decision.table)))


def _action_events(table: Table, seat: int, action: actions.Action) -> Iterable[Event]:
    """Return the events that follow from a legal action."""
    if table.phase != Phase.TURN:
        answered = Answered(seat, action)
        return (answered, *_claim_events_if_settled(evolve(table, answered)))
    match action:
        case actions.Discard(pai=pai, tsumogiri=tsumogiri):
            return _discard_events(table, seat, pai, tsumogiri)
        case actions.DeclareRiichi(pai=pai, tsumogiri=tsumogiri):
            is_double = table.unbroken and not table.hands[seat].river
            return (
                RiichiDeclared(seat, is_double),
                *_discard_events(table, seat, pai, tsumogiri),
            )
        case actions.DeclareAnkan(consumed=consumed):
            return _closed_kan_events(table, seat, consumed)
        case actions.DeclareKakan(pai=pai):
            return _added_kan_events(table, seat, pai)
        case actions.SetNorthAside():
            return _north_events(table, seat)
        case actions.DeclareKyushu():
            return _hand_end_events(table, draws.kyushu_kyuhai_abort(table))
        case _:
            is_won = bool(turn.tsumo_actions(table))
            return _hand_end_events(
                table, wins.tsumo_win(table) if is_won else fouls.false_tsumo_chombo(table)
            )


def _discard_events(table: Table, seat: int, pai: int, tsumogiri: bool) -> Iterable[Event]:
    may_ron, may_call, waiting, may_foul = claims.claim_masks(table, seat, pai)
    discarded = Discarded(seat, pai, tsumogiri, may_ron, may_call, waiting, may_foul)
    if table.dora_due and table.rules.open_kan_dora == "at_discard":
        return (*_dora_events(table, table.dora_due), discarded)
    return (discarded,)


def _dora_events(table: Table, count: int) -> list[DoraRevealed]:
    """Return events that reveal the next `count` indicators, or as many as are left."""
    first = len(table.dora)
    there_are = len(LAYOUTS[table.rules.players].indicators)
    numbers = range(first, min(first + count, there_are))
    return [DoraRevealed(dora_indicator(table.wall, number)) for number in numbers]


def _closed_kan_events(
    table: Table, seat: int, consumed: tuple[int, int, int, int]
) -> Iterable[Event]:
    hands: claims.RobbingHands = "kokushi_only" if table.rules.kokushi_robs_ankan else "off"
    may_ron, waiting, may_foul = claims.robbing_masks(
        table, seat, consumed[0], hands, chankan=False
    )
    decision = _Decision(table)
    decision.add(AnkanDeclared(seat, consumed, may_ron, waiting, may_foul))
    if not table.rules.kokushi_robs_ankan:
        _complete_kan(decision)
    return decision.events


def _added_kan_events(table: Table, seat: int, pai: int) -> Iterable[Event]:
    may_ron, waiting, may_foul = claims.robbing_masks(table, seat, pai, "any_hand", chankan=True)
    (pon,) = (
        meld
        for meld in table.hands[seat].melds
        if meld.type == MeldType.PON and kind_of(meld.tiles[0]) == kind_of(pai)
    )
    one, two, three = pon.tiles
    return (KakanDeclared(seat, pai, (one, two, three), may_ron, waiting, may_foul),)


def _north_events(table: Table, seat: int) -> list[Event]:
    """Return the events that set a north aside and open it to robbing. Dora due for earlier kans
    are revealed before any seat answers, as with a discard."""
    robbers = claims.robbing_masks(table, seat, NORTH_TILE, table.rules.nuki_ron, chankan=False)
    decision = _Decision(table)
    decision.add(NorthSetAside(seat, NORTH_TILE, *robbers))
    if table.dora_due and table.rules.open_kan_dora == "at_discard":
        decision.add(*_dora_events(table, table.dora_due))
    return decision.events


def _complete_north(decision: _Decision) -> None:
    """Draw the replacement tile for a north that nobody has robbed."""
    table = decision.table
    decision.add(*_dora_events(table, table.dora_due))
    decision.add(_draw_event(decision.table, table.turn, rinshan=True))


def _complete_kan(decision: _Decision) -> None:
    """Reveal the dora due and draw the replacement tile after a kan that nobody has robbed."""
    table = decision.table
    seat = table.turn
    if aborts_on_declaration(table):
        _end_hand(decision, draws.hand_drawn_event(table, "sukaikan", ()))
        return
    decision.add(*_dora_events(table, _count_dora_before_replacement(table)))
    decision.add(_draw_event(decision.table, seat, rinshan=True))


def _count_dora_before_replacement(table: Table) -> int:
    """Return how many indicators are revealed when the kan is complete: those due for earlier kans,
    and its own if the kan is closed or the rules reveal it before the discard."""
    is_closed = is_kan_being_declared(table, MeldType.ANKAN)
    newest_waits = table.rules.open_kan_dora != "before_replacement" and not is_closed
    return max(0, table.dora_due - newest_waits)


def _claim_events_if_settled(table: Table) -> list[Event]:
    """Return the events that follow at once if the claims are settled, else an empty list. If all
    seats pass, the table still waits for `Proceed`, so that nobody learns which seats were
    asked."""
    if table.phase == Phase.CLAIMS and claims.is_settled(table):
        return _claim_events(table)
    return []


def _claim_events(table: Table) -> list[Event]:
    """Return the events of the winning claim, or of the play that continues without one. Call this
    once no further answer can change the outcome."""
    decision = _Decision(table)
    if table.may_ron and (winners := claims.ron_winners(table)):
        _win_by_ron(decision, winners)
    elif table.may_foul and claims.false_ron_seats(table):
        _end_hand(decision, fouls.false_ron_chombo(table))
    elif is_north_open(table):
        _complete_north(decision)
    elif table.robbing:
        _complete_kan(decision)
    else:
        _continue_after_discard(decision)
    return decision.events


def _win_by_ron(decision: _Decision, winners: list[int]) -> None:
    table = decision.table
    if len(winners) == _SANCHAHO_WINNERS and table.rules.sanchaho:
        _end_hand(decision, draws.hand_drawn_event(table, "sanchaho", winners))
        return
    if table.robbing and table.rules.pending_dora_at_robbery:
        due_for_earlier = table.dora_due - (not is_north_open(table))
        decision.add(*_dora_events(table, max(0, due_for_earlier)))
    chankan = is_kan_being_declared(table, MeldType.KAKAN)
    _end_hand(decision, *wins.ron_wins(decision.table, winners, chankan=chankan))


def _continue_after_discard(decision: _Decision) -> None:
    """Continue after a discard that nobody has won on."""
    table = decision.table
    discarder = table.turn
    if table.hands[discarder].riichi == Riichi.DECLARED:
        decision.add(RiichiAccepted(discarder))
    if table.dora_due and table.rules.open_kan_dora == "after_discard_passes":
        decision.add(*_dora_events(table, table.dora_due))
    table = decision.table
    if abort := draws.abort_after_discard(table):
        _end_hand(decision, fouls.check_noten_riichi(table, abort))
    elif table.may_call and (call := claims.best_call(table)):
        _make_call(decision, *call)
    elif table.left == 0 and table.rules.noten_declaration:
        decision.add(WallUsedUp(draws.seats_that_may_show(table)))
    elif table.left == 0:
        _end_hand(decision, _exhaustive_draw(table))
    else:
        decision.add(_draw_event(table, (discarder + 1) % table.rules.players))


def _exhaustive_draw(table: Table) -> HandDrawn:
    return fouls.check_noten_riichi(table, draws.exhaustive_draw(table))


def _make_call(decision: _Decision, seat: int, call: claims.Call) -> None:
    table = decision.table
    target, pai, melds = table.turn, table.claimed, table.hands[seat].melds
    liable = liable_for(
        table.rules,
        melds,
        kind_of(pai),
        is_kan=isinstance(call, actions.CallKan),
        laid=(pai, *call.consumed),
        is_risky=is_risky_tile(table, kind_of(pai)),
        is_last=is_wall_nearly_used_up(table),
    )
    match call:
        case actions.CallChi(consumed=run):
            decision.add(ChiCalled(seat, target, pai, run, liable))
        case actions.CallPon(consumed=pair):
            decision.add(PonCalled(seat, target, pai, pair, liable))
        case actions.CallKan(consumed=three):
            decision.add(DaiminkanCalled(seat, target, pai, three, liable))
            _complete_kan(decision)


def _end_hand(decision: _Decision, *results: Won | HandDrawn) -> None:
    decision.add(*results)
    decision.add(HandEnded())
    if progress.next_deal(decision.table) is None:
        decision.add(progress.game_ended_event(decision.table))


def _hand_end_events(table: Table, result: Won | HandDrawn) -> list[Event]:
    decision = _Decision(table)
    _end_hand(decision, result)
    return decision.events
