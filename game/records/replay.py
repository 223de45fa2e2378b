"""Plays a recorded hand in the engine, move by move.

Owns the conversion of recorded events to commands. The recorded actions of the seats are sent to
the engine, and the events of the engine are compared with the next events of the record. A seat
that could take an open tile passes unless the record contains its call. Must not set scores: the
engine decides all results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NoReturn

from msgspec.structs import replace

from game.engine import actions as can
from game.engine.actions import Action
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame
from game.engine.decide import Accepted, Stale, decide
from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    Event,
    GameEnded,
    HandDrawn,
    HandEnded,
    HandStarted,
    KakanDeclared,
    NorthSetAside,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    Won,
)
from game.engine.evolve import evolve
from game.engine.legal import choices, pending_seats
from game.engine.progress import (
    FIRST_DEAL,
    Deal,
    dealer_may_stop,
    game_ended_event,
    hand_started_event,
    next_deal,
    with_start_points,
)
from game.engine.rules import RuleSet
from game.engine.state import KAN_TYPES, Phase, Riichi, Table
from game.engine.wall import live_tile
from game.records.compare import (
    THE_ENGINE_FAILED,
    WHOLE_HAND,
    Difference,
    Mismatch,
    deal_differences,
    event_text,
    is_same_event,
    omits_sticks,
    result_differences,
    start_differences,
    tiles_text,
)
from game.records.recorded import (
    RecordedDraw,
    RecordedEvent,
    RecordedGame,
    RecordedHand,
    RecordedWin,
    UnsupportedRecord,
    engine_event,
)
from game.records.unknown_dora import with_hidden_dora

_SEAT_NAMES: Final = ("East", "South", "West", "North")
_UNUSED_SEED: Final = bytes(32)
"""A seed that is never used, because each hand is dealt from its own wall."""
_PASS_UNRECORDED: Final = (can.Pass(), None)
_HAND_SIZES: Final = (13, 14)
"""Closed tiles and three of each meld; 14 after a call until the discard."""
_AUTOMATIC_EVENTS: Final = (DoraRevealed, RiichiAccepted)
"""Events that follow without an action of a seat."""


class _Diverged(Exception):
    """The engine and the record differ so much that the remaining hand cannot be compared."""


class _BrokenOff(Exception):
    """The record breaks off before the end of the hand, and states a reason."""


class Replay:
    """A recorded game in the engine, hand by hand. Raises `UnsupportedRecord` if the engine refuses
    the rules of the game."""

    def __init__(self, game: RecordedGame, rules: RuleSet) -> None:
        self.table = Table()
        self.events: list[Event] = []
        """All events of the engine since the start of the game."""
        self.results: list[Won | HandDrawn] = []
        """The results of the last hand; empty if it did not end."""
        self.is_trusted = False
        """The last hand ended without a difference. Only then the next deal is compared."""
        self.notes: list[str] = []
        """Deviations that the record explains. They do not count as differences."""
        self.without_sticks: list[Difference] = []
        """Payments that differ only by the riichi sticks. A record may leave them out everywhere,
        but not in some wins only."""
        self.has_sticks_paid = False
        """The payments of at least one win include the riichi sticks."""
        self.unknown = set(game.unknown)
        """What `RecordedGame.unknown` says, and "ura" if the record does not show the ura dora of
        at least one win in riichi."""
        self._game = game
        self._rules = rules
        self._found: list[Difference] = []
        self._events: list[Event] = []
        self._at = 0
        self._matched: list[int] = []
        self._dealt_at, self._dealt_from = 0, self.table
        self._sticks = 0
        self._refusal = ""
        if not self._execute(StartGame(rules, _SEAT_NAMES[: rules.players], _UNUSED_SEED)):
            raise UnsupportedRecord(f"not playable by these rules: {self._refusal}")
        self.table = with_start_points(self.table)

    def play(self, hand: RecordedHand) -> list[Difference]:
        """Deal and play the hand. Returns the differences from the record."""
        self._hand = hand
        self._found, self._at, self._matched = [], 0, []
        self._dealt_at, self._dealt_from = len(self.events), self.table
        self._recorded_scores = dict(hand.scores_after)
        try:
            self._deal_hand()
            self._hide_unknown_ura()
            while self.table.phase in (Phase.TURN, Phase.CLAIMS, Phase.SHOWING):
                if self.table.phase == Phase.TURN:
                    self._play_turn()
                elif self.table.phase == Phase.CLAIMS:
                    self._play_claims()
                else:
                    self._play_showing()
            self._compare_end()
        except _Diverged:
            self._follow_record()
            last = len(self.events) - 1
            self._found = [
                replace(difference, at=min(difference.at, last)) for difference in self._found
            ]
        except _BrokenOff:
            pass
        finally:
            self.table = replace(self.table, rules=self._rules)
        if not self._found:
            for at, what in hand.contradictions:
                self._add_difference(Mismatch("tiles", "each tile in one place", what), at)
        self.is_trusted = not self._found and bool(self.results)
        return self._found

    def record_engine_failure(self, error: Exception) -> list[Difference]:
        """Add a difference for an exception of the engine. Returns all differences of the hand,
        this one last."""
        text = f"{type(error).__name__}: {error}"
        self._add_difference(Mismatch(THE_ENGINE_FAILED, text, "the hand goes on"), self._at)
        self.is_trusted, self.results = False, []
        return self._found

    def end_by_choice(self) -> None:
        """End the game if the record ends after this hand and the dealer may have chosen to
        stop."""
        if self.is_trusted and dealer_may_stop(self.table):
            self._apply(game_ended_event(self.table))

    # The deal

    def _deal_hand(self) -> None:
        hand, table = self._hand, self.table
        deal = Deal(hand.kyoku, hand.honba)
        ours = self._next_deal()
        if self.is_trusted and ours is None and self._game.plays_on:
            self.notes.append(f"hand {hand.number} is played after the end: {self._game.plays_on}")
        elif ours is None and "scores" in self.unknown:
            pass  # whether the game has ended depends on points that the record does not contain
        elif self.is_trusted or (table.phase == Phase.IDLE and deal == FIRST_DEAL):
            for mismatch in deal_differences(table, ours, hand):
                self._add_difference(mismatch, WHOLE_HAND)
        self._events, self.results = [], []
        if (
            ours == deal
            and hand.kyotaku in (None, table.kyotaku)
            and hand.scores in (None, table.scores)
        ):
            self._execute(DealHand(hand.wall))
        else:
            self._deal_as_recorded(deal)
        started, *drawn = self._events
        if isinstance(started, HandStarted):
            for mismatch in start_differences(started, hand):
                self._add_difference(mismatch, WHOLE_HAND)
        self._compare_events(drawn)

    def _next_deal(self) -> Deal | None:
        if self.table.phase == Phase.IDLE:
            return FIRST_DEAL
        return next_deal(self.table) if self.results else None

    def _deal_as_recorded(self, deal: Deal) -> None:
        """Deal a hand with the recorded dealer and scores: the first hand of a fragment, or the
        hand after a difference."""
        hand = self._hand
        table = replace(
            self.table,
            scores=self.table.scores if hand.scores is None else hand.scores,
            kyotaku=self.table.kyotaku if hand.kyotaku is None else hand.kyotaku,
            hands_dealt=max(1, self.table.hands_dealt),
        )
        self._apply(hand_started_event(table, deal, hand.wall))
        self._apply(Drawn(self.table.dealer, live_tile(hand.wall, self.table.left, 0)))

    # Commands and events

    def _execute(self, command: Command) -> bool:
        """Apply the command. Returns whether the engine accepts it."""
        verdict = decide(self.table, command)
        if not isinstance(verdict, Accepted):
            self._refusal = "stale" if isinstance(verdict, Stale) else verdict.text
            return False
        for event in self._with_hidden_dora(verdict.events):
            self._apply(event)
        return True

    def _hide_unknown_ura(self) -> None:
        """Turn ura dora off for this hand if the record does not show them. (The replay's wall has
        arbitrary tiles in their places.)"""
        wins = [event for event in self._hand.events if isinstance(event, RecordedWin)]
        is_shown = self._hand.knows_ura or any(win.ura for win in wins)
        if not is_shown and any(win.ura is None for win in wins):
            rules = replace(self._rules, ura_dora=False, kan_ura=False)
            self.table = replace(self.table, rules=rules)

    def _with_hidden_dora(self, events: Sequence[Event]) -> Sequence[Event]:
        """Return the events with dora that the recorded payments prove but the record does not
        show."""
        counted = {}
        for event in events:
            if isinstance(event, Won) and (theirs := self._recorded_win(event.actor)):
                won = self._with_paid_dora(event, theirs)
                if won != event:
                    counted[event.actor] = won
        if not counted:
            return events
        table, changed = self.table, list[Event]()
        for event in events:
            if isinstance(event, GameEnded):
                continue  # it follows from the scores, which have changed
            if isinstance(event, Won):
                won = counted.get(event.actor, event)
                scores = [table.scores[seat] + won.deltas[seat] for seat in table.seats]
                event = replace(won, scores=tuple(scores))
            table = evolve(table, event)
            changed.append(event)
        if next_deal(table) is None:
            changed.append(game_ended_event(table))
        return changed

    def _recorded_win(self, seat: int) -> RecordedWin | None:
        wins = [event for event in self._hand.events if isinstance(event, RecordedWin)]
        return next((win for win in wins if win.actor == seat), None)

    def _with_paid_dora(self, won: Won, theirs: RecordedWin) -> Won:
        """Return the win with the hidden dora that the recorded value implies."""
        in_riichi = self.table.hands[won.actor].riichi == Riichi.ACCEPTED
        hides_ura = in_riichi and self._rules.ura_dora and not self.table.rules.ura_dora
        has_kan = any(meld.type in KAN_TYPES for hand in self.table.hands for meld in hand.melds)
        if hides_ura:
            self.unknown.add("ura")
        elif not (has_kan and "kan_dora" in self.unknown):
            return won
        elif theirs.ura is not None:
            # By rules without kan dora the engine has shown one ura indicator.
            won = replace(won, uradora_markers=theirs.ura)
        return with_hidden_dora(self._rules, won, theirs, self.table.dealer, is_ura=hides_ura)

    def _apply(self, event: Event) -> None:
        if isinstance(event, Won | HandDrawn) and not self.table.results:
            self._sticks = self.table.kyotaku
        self.table = evolve(self.table, event)
        self._events.append(event)
        self.events.append(event)

    def _compare_events(self, events: list[Event]) -> None:
        """Check that these events of the engine are the next events of the record. Raises
        `_Diverged` otherwise."""
        in_record = self._hand.events
        first = len(self.events) - len(events)
        for place, event in enumerate(events, start=first):
            if isinstance(event, Won | HandDrawn):
                self.results.append(event)
                self._matched.append(place)
            elif type(event) in self._game.event_types:
                recorded = in_record[self._at] if self._at < len(in_record) else None
                if recorded is None and self._hand.broken_off:
                    raise _BrokenOff
                if recorded is None or not is_same_event(event, recorded):
                    self._undo_from(place)
                    self._diverge("course of the hand", event_text(event), event_text(recorded))
                self._at += 1
                self._matched.append(place)

    def _undo_from(self, place: int) -> None:
        """Undo the events of the engine from index `place` on."""
        del self.events[place:]
        self.table = self._dealt_from
        for event in self.events[self._dealt_at :]:
            self.table = evolve(self.table, event)

    def _follow_record(self) -> None:
        """Add the remaining events of the hand from the record, until one cannot be applied to a
        table. `results` stays empty, because the engine has computed none."""
        self.results = []
        for recorded in self._hand.events[self._at :]:
            if not self._follow_event(recorded):
                return
        if isinstance(self._hand.events[-1], RecordedWin | RecordedDraw):
            self._apply(HandEnded())

    def _follow_event(self, recorded: RecordedEvent) -> bool:
        """Apply the recorded event. Returns False if it cannot be applied to a table."""
        seats = (getattr(recorded, name, 0) for name in ("actor", "target"))
        if not all(seat in self.table.seats for seat in seats):
            return False
        try:
            event = engine_event(recorded, self.table)
            table = evolve(self.table, event)
        except (ValueError, IndexError):
            return False
        if any(len(hand.tiles) + 3 * len(hand.melds) not in _HAND_SIZES for hand in table.hands):
            return False
        self.table = table
        self.events.append(event)
        return True

    def _compare_scores(self) -> None:
        """Compare the scores after a riichi, if the record contains them."""
        for at in [at for at in self._recorded_scores if at < self._at]:
            theirs = self._recorded_scores.pop(at)
            if self.table.scores != theirs and not self.results:
                self._add_difference(Mismatch("scores", str(self.table.scores), str(theirs)), at)

    # Actions of seats

    def _play_turn(self) -> None:
        """Play the recorded action of the seat on turn."""
        seat = self.table.turn
        recorded = self._peek_event(DoraRevealed)
        match recorded:
            case RiichiDeclared(actor=actor):
                discarded = self._peek_event(DoraRevealed, RiichiDeclared)
                if not isinstance(discarded, Discarded):
                    self._diverge("riichi", "a discard follows", event_text(discarded))
                action: Action = can.DeclareRiichi(discarded.pai, discarded.tsumogiri)
            case Discarded(actor=actor, pai=pai, tsumogiri=tsumogiri):
                action = can.Discard(pai, tsumogiri)
            case AnkanDeclared(actor=actor, consumed=consumed):
                action = can.DeclareAnkan(consumed)
            case KakanDeclared(actor=actor, pai=pai):
                action = can.DeclareKakan(pai)
            case NorthSetAside(actor=actor):
                action = can.SetNorthAside()
            case RecordedWin(actor=actor, target=target) if actor == target:
                action = can.Win()
            case RecordedDraw(reason="kyushu_kyuhai" | ""):
                actor, action = seat, can.DeclareKyushu()
            case RecordedDraw(foul="false_win"):
                actor, action = seat, can.Win()
            case _:
                self._diverge("turn", f"seat {seat} is to act", event_text(recorded))
        if actor != seat:
            self._diverge("turn", f"seat {seat} is to act", event_text(recorded))
        self._play_action(seat, action, recorded)

    def _play_claims(self) -> None:
        """Play the recorded answers of the seats that may take the open tile. Seats without a
        recorded answer pass."""
        step = self.table.step
        self._play_answers(step, dict(self._recorded_claims()))

    def _play_showing(self) -> None:
        """Show the tenpai hands that the record shows at the end of the hand."""
        step = self.table.step
        recorded = self._peek_event(*_AUTOMATIC_EVENTS)
        if not isinstance(recorded, RecordedDraw):
            self._diverge("end of the hand", "the wall is used up", event_text(recorded))
        showing = [seat for seat in pending_seats(self.table) if _shows_hand(recorded, seat)]
        self._play_answers(step, {seat: (can.ShowTenpai(), recorded) for seat in showing})

    def _play_answers(self, step: int, answers: dict[int, tuple[Action, RecordedEvent]]) -> None:
        """Play these answers by seat. All other asked seats pass."""
        asked = pending_seats(self.table)
        for seat, (_, recorded) in answers.items():
            if seat not in asked:
                self._diverge("illegal", f"seat {seat} may not take the tile", event_text(recorded))
        for seat in asked:
            if self.table.step == step:
                self._play_action(seat, *answers.get(seat, _PASS_UNRECORDED))
        if self.table.step == step:
            self._events = []
            self._execute(Proceed(step))
            self._compare_events(self._events)
            self._compare_scores()

    def _recorded_claims(self) -> Iterator[tuple[int, tuple[Action, RecordedEvent]]]:
        """Yield each seat that takes the open tile, with its action and the recorded event."""
        recorded = self._peek_event(*_AUTOMATIC_EVENTS)
        match recorded:
            case ChiCalled(actor=seat, consumed=consumed):
                yield seat, (can.CallChi(consumed), recorded)
            case PonCalled(actor=seat, consumed=consumed):
                yield seat, (can.CallPon(consumed), recorded)
            case DaiminkanCalled(actor=seat, consumed=consumed):
                yield seat, (can.CallKan(consumed), recorded)
            case RecordedWin():
                for win in self._hand.events[self._at :]:
                    if isinstance(win, RecordedWin):
                        yield win.actor, (can.Win(), win)
            case RecordedDraw(foul="false_win", offenders=offenders):
                for seat in offenders or ():
                    yield seat, (can.Win(), recorded)
            case RecordedDraw() if self._is_of_three_rons(recorded):
                for seat in self.table.seats:
                    if self.table.may_ron >> seat & 1:
                        yield seat, (can.Win(), recorded)
            case _:
                pass

    def _is_of_three_rons(self, draw: RecordedDraw) -> bool:
        """Return whether the hand is aborted by three rons. If the record states no reason, this
        holds if three seats can win."""
        if draw.reason:
            return draw.reason == "sanchaho"
        return self.table.may_ron.bit_count() == 3 and self.table.rules.sanchaho

    def _peek_event(self, *skipped: type) -> RecordedEvent | None:
        """Return the next event of the record after leaving out the `skipped` types; None at the
        end."""
        for recorded in self._hand.events[self._at :]:
            if type(recorded) not in skipped:
                return recorded
        if self._hand.broken_off:
            raise _BrokenOff
        return None

    def _play_action(self, seat: int, action: Action, recorded: RecordedEvent | None) -> None:
        options = choices(self.table, seat)
        self._events = []
        if not self._execute(Act(seat, self.table.step, action)):
            self._diverge("illegal", self._refusal, event_text(recorded))
        if action not in options:
            self._diverge(
                "illegal", "accepted, but not among what is allowed", event_text(recorded)
            )
        self._compare_events(self._events)
        self._compare_scores()

    # The end

    def _compare_end(self) -> None:
        hand = self._hand
        rest = hand.events[self._at :]
        theirs = [recorded for recorded in rest if isinstance(recorded, RecordedWin | RecordedDraw)]
        if len(theirs) != len(rest):
            ended = "; ".join([event_text(result) for result in self.results])
            self._diverge("end of the hand", ended, event_text(rest[0]))
        if hand.indicators is not None and hand.indicators != self.table.dora:
            ours, recorded = tiles_text(self.table.dora), tiles_text(hand.indicators)
            self._add_difference(Mismatch("indicators", ours, recorded), WHOLE_HAND)
        for number, mismatch in result_differences(
            self.table, self.results, theirs, self._sticks, self._game.coarse_yaku
        ):
            if mismatch.what == "payments" and self._omits_sticks(theirs):
                self.without_sticks.append(self._make_difference(mismatch, self._at))
            else:
                self._add_difference(mismatch, self._at + number)
        if self._sticks and isinstance(self.results[0], Won) and not self._omits_sticks(theirs):
            self.has_sticks_paid = True

    def _omits_sticks(self, theirs: list[RecordedWin | RecordedDraw]) -> bool:
        ours, their = self.results[0], theirs[0] if theirs else None
        if not self._game.may_omit_sticks or not isinstance(their, RecordedWin):
            return False
        return isinstance(ours, Won) and omits_sticks(ours, their, self._sticks)

    def _add_difference(self, mismatch: Mismatch, event: int) -> None:
        self._found.append(self._make_difference(mismatch, event))

    def _make_difference(self, mismatch: Mismatch, event: int) -> Difference:
        hand = self._hand
        place = ""
        if event != WHOLE_HAND and event < len(hand.places):
            place = f"{self._game.unit} {hand.places[event]}"
        return Difference(hand.number, event, place, *mismatch, at=self._place_of(event))

    def _place_of(self, event: int) -> int:
        """Return the index in `events` of recorded event number `event`. For an event that the
        engine lacks, return the index at which `_follow_record` adds it."""
        if event == WHOLE_HAND:
            return self._dealt_at
        if event < len(self._matched):
            return self._matched[event]
        return len(self.events)

    def _diverge(self, what: str, ours: str, theirs: str) -> NoReturn:
        self._add_difference(Mismatch(what, ours, theirs), self._at)
        raise _Diverged


def _shows_hand(draw: RecordedDraw, seat: int) -> bool:
    """Return whether the seat showed its hand at the end. If the record does not say, a seat that
    was paid counts as tenpai and shown."""
    if draw.tenpais is not None:
        return draw.tenpais[seat]
    if draw.tehais is not None:
        return bool(draw.tehais[seat])
    return draw.deltas is not None and draw.deltas[seat] > 0
