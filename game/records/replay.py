"""Takes a recorded hand through the engine, move by move.

What the record tells of a seat's doing becomes the engine's command; what the engine makes of
it must be what the record tells next. A seat that could take an open tile and, by the record,
did not, lets it go by. The engine alone decides what follows: nothing here sets a score.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    HandDrawn,
    HandStarted,
    KakanDeclared,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    Won,
)
from game.engine.evolve import evolve
from game.engine.legal import allowed, pending
from game.engine.progress import FIRST, Deal, hand_started, next_deal
from game.engine.rules import RuleSet
from game.engine.state import SEATS, Phase, Table
from game.engine.wall import LIVE, live_tile
from game.records.compare import (
    WHOLE_HAND,
    Difference,
    Said,
    deal_differences,
    is_same,
    omits_sticks,
    result_differences,
    start_differences,
)
from game.records.recorded import (
    RecordedDraw,
    RecordedGame,
    RecordedHand,
    RecordedWin,
    Told,
    UnsupportedRecord,
)
from game.records.words import tile_words, words_of

_NAMES: Final = ("East", "South", "West", "North")
_SEED: Final = bytes(32)
"""Never used: every hand is dealt from a wall of its own."""
_LETS_BY: Final = (can.Pass(), None)
_ASIDE: Final = (DoraRevealed, RiichiAccepted)
"""What nobody does, and so says nothing of what a seat answers."""


class _Parted(Exception):
    """Engine and record have parted: the rest of the hand cannot be compared."""


class _BrokenOff(Exception):
    """The record ends before the hand does, and says why."""


class Replay:
    """A recorded game in the engine, hand after hand. Raises `UnsupportedRecord` if the engine
    refuses its rules."""

    def __init__(self, game: RecordedGame, rules: RuleSet) -> None:
        start = rules.start_points
        self.table = Table()
        self.results: list[Won | HandDrawn] = []
        """How the last hand ended; empty if it did not."""
        self.is_trusted = False
        """The last hand ended without a difference, so what comes next is worth comparing."""
        self.notes: list[str] = []
        """What is explained by a fact in the record, and no difference."""
        self.without_sticks: list[Difference] = []
        """Payments of wins that leave the riichi sticks out, as a whole record may do."""
        self.has_sticks_paid = False
        """Some win's payments hold riichi sticks, so no other may leave them out."""
        self._game = game
        self._found: list[Difference] = []
        self._events: list[Event] = []
        self._at = 0
        self._sticks = 0
        self._refusal = ""
        if not self._carry_out(StartGame(rules, _NAMES, _SEED)):
            raise UnsupportedRecord(f"not playable by these rules: {self._refusal}")
        self.table = replace(self.table, scores=(start, start, start, start))

    def play(self, hand: RecordedHand) -> list[Difference]:
        """Deal and play the hand; where it differs from the record."""
        self._hand = hand
        self._found, self._at = [], 0
        self._told_scores = dict(hand.scores_after)
        try:
            self._deal()
            while self.table.phase in (Phase.TURN, Phase.CLAIMS, Phase.SHOWING):
                if self.table.phase == Phase.TURN:
                    self._turn()
                elif self.table.phase == Phase.CLAIMS:
                    self._claims()
                else:
                    self._showing()
            self._end()
        except (_Parted, _BrokenOff):
            pass
        if not self._found:
            for at, what in hand.contradictions:
                self._differ(Said("tiles", "each has its place", what), at)
        self.is_trusted = not self._found and bool(self.results)
        return self._found

    def give_up(self, error: Exception) -> list[Difference]:
        """The engine has failed in the hand: its differences, this the last."""
        text = f"{type(error).__name__}: {error}"
        self._differ(Said("the engine failed", text, "the hand goes on"), self._at)
        self.is_trusted, self.results = False, []
        return self._found

    # The deal

    def _deal(self) -> None:
        hand, table = self._hand, self.table
        deal = Deal(hand.kyoku, hand.honba)
        ours = self._next_deal()
        if self.is_trusted and ours is None and self._game.plays_on:
            self.notes.append(f"hand {hand.number} is played after the end: {self._game.plays_on}")
        elif self.is_trusted or (table.phase == Phase.IDLE and deal == FIRST):
            for said in deal_differences(table, ours, hand):
                self._differ(said, WHOLE_HAND)
        self._events, self.results = [], []
        if (ours, table.kyotaku, table.scores) == (deal, hand.kyotaku, hand.scores):
            self._carry_out(DealHand(hand.wall))
        else:
            self._deal_as_recorded(deal)
        started, *drawn = self._events
        if isinstance(started, HandStarted):
            for said in start_differences(started, hand):
                self._differ(said, WHOLE_HAND)
        self._must_be_told(drawn)

    def _next_deal(self) -> Deal | None:
        if self.table.phase == Phase.IDLE:
            return FIRST
        return next_deal(self.table) if self.results else None

    def _deal_as_recorded(self, deal: Deal) -> None:
        """Deal a hand that does not follow from the last one: the first of a fragment, and
        the one after a difference."""
        hand = self._hand
        table = replace(
            self.table,
            scores=hand.scores,
            kyotaku=hand.kyotaku,
            hands_dealt=max(1, self.table.hands_dealt),
        )
        self._happen(hand_started(table, deal, hand.wall))
        self._happen(Drawn(self.table.dealer, live_tile(hand.wall, LIVE, 0)))

    # What happens

    def _carry_out(self, command: Command) -> bool:
        """Whether the engine accepts the command; then it happens."""
        verdict = decide(self.table, command)
        if not isinstance(verdict, Accepted):
            self._refusal = "stale" if isinstance(verdict, Stale) else verdict.text
            return False
        for event in verdict.events:
            self._happen(event)
        return True

    def _happen(self, event: Event) -> None:
        if isinstance(event, Won | HandDrawn) and not self.table.results:
            self._sticks = self.table.kyotaku
        self.table = evolve(self.table, event)
        self._events.append(event)

    def _must_be_told(self, events: list[Event]) -> None:
        """These events of the engine must be what the record tells next."""
        story = self._hand.story
        for event in events:
            if isinstance(event, Won | HandDrawn):
                self.results.append(event)
            elif type(event) in self._game.tells:
                told = story[self._at] if self._at < len(story) else None
                if told is None and self._hand.broken_off:
                    raise _BrokenOff
                if told is None or not is_same(event, told):
                    self._part("course of the hand", words_of(event), words_of(told))
                self._at += 1

    def _compare_scores(self) -> None:
        """After a riichi, where the record tells the scores."""
        for at in [at for at in self._told_scores if at < self._at]:
            theirs = self._told_scores.pop(at)
            if self.table.scores != theirs and not self.results:
                self._differ(Said("scores", str(self.table.scores), str(theirs)), at)

    # What seats do

    def _turn(self) -> None:
        """The seat on turn does what is recorded."""
        seat = self.table.turn
        told = self._next(DoraRevealed)
        match told:
            case RiichiDeclared(actor=actor):
                thrown = self._next(DoraRevealed, RiichiDeclared)
                if not isinstance(thrown, Discarded):
                    self._part("riichi", "a discard follows", words_of(thrown))
                action: Action = can.DeclareRiichi(thrown.pai, thrown.tsumogiri)
            case Discarded(actor=actor, pai=pai, tsumogiri=tsumogiri):
                action = can.Discard(pai, tsumogiri)
            case AnkanDeclared(actor=actor, consumed=consumed):
                one, two, three, four = sorted(consumed)
                action = can.DeclareAnkan((one, two, three, four))
            case KakanDeclared(actor=actor, pai=pai):
                action = can.DeclareKakan(pai)
            case RecordedWin(actor=actor, target=target) if actor == target:
                action = can.Win()
            case RecordedDraw(reason="kyushu_kyuhai" | ""):
                actor, action = seat, can.DeclareKyushu()
            case RecordedDraw(foul="false_win"):
                actor, action = seat, can.Win()
            case _:
                self._part("turn", f"seat {seat} is to act", words_of(told))
        if actor != seat:
            self._part("turn", f"seat {seat} is to act", words_of(told))
        self._act(seat, action, told)

    def _claims(self) -> None:
        """All who may take the open tile do what is recorded, or let it go by."""
        step = self.table.step
        self._answered(step, dict(self._answers()))

    def _showing(self) -> None:
        """Who is tenpai shows it or does not, as the record says at the end of the hand."""
        step = self.table.step
        told = self._next(*_ASIDE)
        if not isinstance(told, RecordedDraw):
            self._part("end of the hand", "the wall is used up", words_of(told))
        showing = [seat for seat in pending(self.table) if _shows(told, seat)]
        self._answered(step, {seat: (can.ShowTenpai(), told) for seat in showing})

    def _answered(self, step: int, answers: dict[int, tuple[Action, Told]]) -> None:
        """These are the answers; all others let it go by."""
        asked = pending(self.table)
        for seat, (_, told) in answers.items():
            if seat not in asked:
                self._part("illegal", f"seat {seat} may not take the tile", words_of(told))
        for seat in asked:
            if self.table.step == step:
                self._act(seat, *answers.get(seat, _LETS_BY))
        if self.table.step == step:
            self._events = []
            self._carry_out(Proceed(step))
            self._must_be_told(self._events)
            self._compare_scores()

    def _answers(self) -> Iterator[tuple[int, tuple[Action, Told]]]:
        """By seat, who takes the open tile and how."""
        told = self._next(*_ASIDE)
        match told:
            case ChiCalled(actor=seat, consumed=consumed):
                one, two = sorted(consumed)
                yield seat, (can.CallChi((one, two)), told)
            case PonCalled(actor=seat, consumed=consumed):
                one, two = sorted(consumed)
                yield seat, (can.CallPon((one, two)), told)
            case DaiminkanCalled(actor=seat, consumed=consumed):
                one, two, three = sorted(consumed)
                yield seat, (can.CallKan((one, two, three)), told)
            case RecordedWin():
                for win in self._hand.story[self._at :]:
                    if isinstance(win, RecordedWin):
                        yield win.actor, (can.Win(), win)
            case RecordedDraw(foul="false_win", offenders=offenders):
                for seat in offenders or ():
                    yield seat, (can.Win(), told)
            case RecordedDraw() if self._is_of_three_rons(told):
                for seat in SEATS:
                    if self.table.may_ron >> seat & 1:
                        yield seat, (can.Win(), told)
            case _:
                pass

    def _is_of_three_rons(self, draw: RecordedDraw) -> bool:
        """Whether the hand is drawn because all three others win: told, or what else would
        end a hand in which they can."""
        if draw.reason:
            return draw.reason == "sanchaho"
        return self.table.may_ron.bit_count() == 3 and self.table.rules.sanchaho

    def _next(self, *aside: type) -> Told | None:
        """What the record tells next, these kinds left aside."""
        for told in self._hand.story[self._at :]:
            if type(told) not in aside:
                return told
        if self._hand.broken_off:
            raise _BrokenOff
        return None

    def _act(self, seat: int, action: Action, told: Told | None) -> None:
        options = allowed(self.table, seat)
        self._events = []
        if not self._carry_out(Act(seat, self.table.step, action)):
            self._part("illegal", self._refusal, words_of(told))
        if action not in options:
            self._part("illegal", "accepted, but not among what is allowed", words_of(told))
        self._must_be_told(self._events)
        self._compare_scores()

    # The end

    def _end(self) -> None:
        hand = self._hand
        rest = hand.story[self._at :]
        theirs = [told for told in rest if isinstance(told, RecordedWin | RecordedDraw)]
        if len(theirs) != len(rest):
            ended = "; ".join([words_of(result) for result in self.results])
            self._part("end of the hand", ended, words_of(rest[0]))
        if hand.indicators is not None and hand.indicators != self.table.dora:
            ours, told = tile_words(self.table.dora), tile_words(hand.indicators)
            self._differ(Said("indicators", ours, told), WHOLE_HAND)
        for number, said in result_differences(
            self.table, self.results, theirs, self._sticks, self._game.coarse_yaku
        ):
            if said.what == "payments" and self._omits_sticks(theirs):
                self.without_sticks.append(self._difference(said, self._at))
            else:
                self._differ(said, self._at + number)
        if self._sticks and isinstance(self.results[0], Won) and not self._omits_sticks(theirs):
            self.has_sticks_paid = True

    def _omits_sticks(self, theirs: list[RecordedWin | RecordedDraw]) -> bool:
        ours, their = self.results[0], theirs[0] if theirs else None
        if not self._game.may_omit_sticks or not isinstance(their, RecordedWin):
            return False
        return isinstance(ours, Won) and omits_sticks(ours, their, self._sticks)

    def _differ(self, said: Said, event: int) -> None:
        self._found.append(self._difference(said, event))

    def _difference(self, said: Said, event: int) -> Difference:
        hand = self._hand
        place = ""
        if event != WHOLE_HAND and event < len(hand.places):
            place = f"{self._game.unit} {hand.places[event]}"
        return Difference(hand.number, event, place, *said)

    def _part(self, what: str, ours: str, theirs: str) -> NoReturn:
        self._differ(Said(what, ours, theirs), self._at)
        raise _Parted


def _shows(draw: RecordedDraw, seat: int) -> bool:
    """Whether that seat has shown its hand at the end: told, or paid for."""
    if draw.tenpais is not None:
        return draw.tenpais[seat]
    if draw.tehais is not None:
        return bool(draw.tehais[seat])
    return draw.deltas is not None and draw.deltas[seat] > 0
