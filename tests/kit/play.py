"""Plays staged hands through the engine.

`stage` deals a hand; the methods of `Play` execute commands that must be accepted. Before most
commands, all players who are asked and whom the command does not name pass. Tiles are written as in
`tests.kit.tables`, which makes the walls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from game.engine import actions
from game.engine.actions import Action
from game.engine.by_seat import BySeat
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame, Timeout
from game.engine.decide import Accepted, Rejected, Stale, decide
from game.engine.events import Drawn, Event, GameEnded, HandDrawn, HandStarted, Won
from game.engine.evolve import evolve
from game.engine.legal import legal, pending_seats
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import RIVER_TILE, Hand, Phase, Table
from game.engine.tiles import NO_TILE
from game.engine.wall import LAYOUTS, dealt_tiles, dora_indicator, live_tile
from tests.kit.tables import picture, text_of, tile, tiles, wall_of

SEED: Final = bytes(32)
NAMES: Final = ("Anna", "Ben", "Cleo", "Dan")
_E = TypeVar("_E")


def stage(
    hands: Sequence[str] = (),
    draws: str = "",
    *,
    last: str = "",
    rinshan: str = "",
    dora: str = "",
    ura: str = "",
    kyoku: int = 0,
    honba: int = 0,
    kyotaku: int = 0,
    scores: BySeat[int] = (),
    rules: RuleSet = TENHOU,
) -> Play:
    """Deal a hand with these tiles, up to the dealer's first draw. `kyoku` 0 is East 1, 4 is South
    1; the dealer is ``kyoku % 4``. For the tiles see `wall_of`. Without `scores` all have 25,000
    points."""
    dealer = kyoku % 4
    wall = wall_of(
        hands,
        draws,
        last=last,
        rinshan=rinshan,
        dora=dora,
        ura=ura,
        dealer=dealer,
        rules=rules,
    )
    play = Play(rules)
    players = rules.players
    play.apply_events(
        HandStarted(
            bakaze=2 * (27 + kyoku // 4),
            kyoku=kyoku % 4 + 1,
            honba=honba,
            kyotaku=kyotaku,
            oya=dealer,
            dora_marker=dora_indicator(wall, 0),
            scores=scores or (25_000,) * players,
            tehais=tuple(dealt_tiles(wall, (seat - dealer) % players) for seat in range(players)),
            wall=wall,
        ),
        Drawn(dealer, live_tile(wall, LAYOUTS[players].live, 0)),
    )
    return play


def stage_added_kan(hands: Sequence[str], rules: RuleSet = TENHOU) -> Play:
    """Deal a hand in which seat 2 calls pon on 4m from seat 1 and adds the fourth tile after its
    next draw."""
    play = stage(hands, "9s 4m 9m 1p 9s 4m", rules=rules)
    play.discard(0, "9s")
    play.discard(1, "4m")
    play.pon(2, "44m")
    play.discard(2, "N")
    play.discard_in_turn("9m 1p 9s")
    play.kakan(2, "4m")
    return play


def _sum_points(table: Table) -> int:
    """Return the sum of all points: those of the seats and the sticks on the table."""
    return sum(table.scores) + 1_000 * table.kyotaku


class Play:
    """A game in progress: the table and its events. Seats are absolute, 0 to 3."""

    def __init__(self, rules: RuleSet = TENHOU) -> None:
        self.table = Table()
        self.events: list[Event] = []
        self.do(StartGame(rules, NAMES[: rules.players], SEED))

    def __repr__(self) -> str:
        return f"<Play, step {self.table.step}>"

    # Commands

    def apply_events(self, *events: Event) -> None:
        """Apply events without a decision, and check that they create and lose no points."""
        for event in events:
            before, self.table = self.table, evolve(self.table, event)
            self.events.append(event)
            if not isinstance(event, HandStarted | GameEnded):
                assert _sum_points(self.table) == _sum_points(before), f"{event}"

    def attempt(self, command: Command) -> Accepted | Rejected | Stale:
        """Let the engine decide the command, and return its decision. If it is accepted, apply the
        events."""
        verdict = decide(self.table, command)
        if isinstance(verdict, Accepted):
            self.apply_events(*verdict.events)
        return verdict

    def do(self, command: Command) -> tuple[Event, ...]:
        """Execute a command that must be accepted; return its events."""
        verdict = self.attempt(command)
        assert isinstance(verdict, Accepted), f"{command}: {verdict}\n{picture(self.table)}"
        return verdict.events

    def act(self, seat: int, action: Action) -> tuple[Event, ...]:
        return self.do(Act(seat, self.table.step, action))

    def proceed(self) -> None:
        """Let all seats that are asked pass (or show a tenpai hand after the last tile), and
        proceed. Do nothing in other phases."""
        step = self.table.step
        if self.table.phase not in (Phase.CLAIMS, Phase.SHOWING):
            return
        quiet = actions.Pass() if self.table.phase == Phase.CLAIMS else actions.ShowTenpai()
        for seat in pending_seats(self.table):
            if self.table.step == step:
                self.act(seat, quiet)
        if self.table.step == step:
            self.do(Proceed(step))

    def proceed_unless_asked(self, seat: int) -> None:
        """Call `proceed`, unless the seat has an open question."""
        if seat not in pending_seats(self.table):
            self.proceed()

    def discard(self, seat: int, text: str, *, from_hand: bool = False) -> None:
        """Discard the tile. If it equals the drawn tile, that one is discarded, unless
        `from_hand`."""
        self.proceed()
        pai = tile(text)
        self.act(seat, actions.Discard(pai, pai == self.table.drawn and not from_hand))

    def discard_in_turn(self, row: str) -> None:
        """Let the seats on turn discard these tiles in order; nobody calls."""
        for pai in tiles(row):
            self.proceed()
            self.discard(self.table.turn, text_of([pai]))
        self.proceed()

    def tsumogiri(self, times: int = 1) -> None:
        """Let the seats on turn discard their drawn tiles, that many times; nobody calls."""
        for _ in range(times):
            self.proceed()
            self.act(self.table.turn, actions.Discard(self.table.drawn, True))
        self.proceed()

    def tsumogiri_until_left(self, left: int) -> None:
        """Let the seats discard their drawn tiles until that many tiles are left after a draw."""
        self.proceed()
        while self.table.phase == Phase.TURN and self.table.left > left:
            self.tsumogiri()

    def play_to_exhaustive_draw(self) -> HandDrawn:
        """Let the seats discard their drawn tiles until the hand is over. Return the event that
        ends it."""
        self.proceed()
        while self.table.phase == Phase.TURN:
            self.tsumogiri()
        self.proceed()
        return self.draw_result

    def riichi(self, seat: int, text: str) -> None:
        """Declare riichi with that discard."""
        self.proceed()
        pai = tile(text)
        self.act(seat, actions.DeclareRiichi(pai, pai == self.table.drawn))

    def chi(self, seat: int, text: str) -> None:
        one, two = sorted(tiles(text))
        self.act(seat, actions.CallChi((one, two)))

    def pon(self, seat: int, text: str) -> None:
        one, two = sorted(tiles(text))
        self.act(seat, actions.CallPon((one, two)))

    def kan(self, seat: int, text: str) -> None:
        one, two, three = sorted(tiles(text))
        self.act(seat, actions.CallKan((one, two, three)))

    def ankan(self, seat: int, text: str) -> None:
        """Declare a closed kan; nobody robs it."""
        self.proceed()
        one, two, three, four = sorted(tiles(text))
        self.act(seat, actions.DeclareAnkan((one, two, three, four)))

    def kakan(self, seat: int, text: str) -> None:
        """Declare an added kan, which the others may rob."""
        self.proceed()
        self.act(seat, actions.DeclareKakan(tile(text)))

    def set_north_aside(self, seat: int) -> None:
        """Set a north aside, which the others may rob."""
        self.proceed()
        self.act(seat, actions.SetNorthAside())

    def let_pass(self, *seats: int) -> None:
        for seat in seats:
            self.act(seat, actions.Pass())

    def ron(self, *seats: int) -> None:
        """Let these seats declare ron, and then all others who are asked pass."""
        for seat in seats:
            self.act(seat, actions.Win())
        self.proceed()

    def tsumo(self, seat: int) -> None:
        self.proceed()
        self.act(seat, actions.Win())

    def kyushu(self, seat: int) -> None:
        self.proceed()
        self.act(seat, actions.DeclareKyushu())

    def time_out(self, *seats: int) -> tuple[Event, ...]:
        """Let the time of these seats run out; return the events."""
        return self.do(Timeout(self.table.step, seats))

    def deal_next(self, wall: bytes = b"") -> None:
        """Deal the next hand."""
        self.do(DealHand(wall))

    # State

    def offered(self, seat: int) -> set[str]:
        """Return the legal actions of the seat other than discards and passing, such as ``ron``,
        ``tsumo``, ``kyushu``, ``riichi 9m``, ``chi 34m``, ``pon EE``, ``kan EEE``, ``ankan EEEE``,
        ``kakan E`` or ``north``."""
        return {
            words
            for action in legal(self.table, seat)
            if (words := _words(action, self.table.phase))
        }

    def discardable(self, seat: int) -> set[str]:
        """Return the tiles that the seat may discard."""
        return {
            text_of([action.pai])
            for action in legal(self.table, seat)
            if isinstance(action, actions.Discard)
        }

    def refusal_of(self, seat: int, action: Action) -> tuple[str, str]:
        """Return the code and the text with which the engine refuses the action."""
        verdict = self.attempt(Act(seat, self.table.step, action))
        assert isinstance(verdict, Rejected), f"{action}: {verdict}\n{picture(self.table)}"
        return verdict.code, verdict.text

    def hand(self, seat: int) -> Hand:
        return self.table.hands[seat]

    def concealed(self, seat: int) -> str:
        """Return the seat's concealed tiles as text, without the drawn one."""
        return text_of(self.hand(seat).tiles)

    def river(self, seat: int) -> str:
        return text_of(entry & RIVER_TILE for entry in self.hand(seat).river)

    @property
    def drawn(self) -> str:
        """The tile just drawn, as text; '' after a call."""
        return "" if self.table.drawn == NO_TILE else text_of([self.table.drawn])

    @property
    def dora(self) -> str:
        """The open indicators, as text."""
        return text_of(self.table.dora)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.table.phase == Phase.ENDED

    def events_of(self, kind: type[_E]) -> list[_E]:
        """Return all events of that type so far."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def wins(self) -> list[Won]:
        """The wins that ended the hand."""
        return [result for result in self.table.results if isinstance(result, Won)]

    @property
    def win(self) -> Won:
        """The only win. Fails if there are several."""
        (won,) = self.table.results
        assert isinstance(won, Won), f"{won}\n{picture(self.table)}"
        return won

    @property
    def yaku(self) -> set[str]:
        """The yaku of the only win."""
        return {name for name, _ in self.win.yaku}

    @property
    def draw_result(self) -> HandDrawn:
        """The event that ended the hand without a win."""
        results = self.table.results
        assert len(results) == 1, picture(self.table)
        assert isinstance(results[0], HandDrawn), picture(self.table)
        return results[0]

    @property
    def ended_by(self) -> str:
        """How the hand ended: ``won``, or the reason of a draw; '' while the hand is played."""
        if not self.table.results:
            return ""
        return self.draw_result.reason if not self.wins else "won"


def _words(action: Action, phase: Phase) -> str:
    match action:
        case actions.Win():
            return "tsumo" if phase == Phase.TURN else "ron"
        case actions.DeclareKyushu():
            return "kyushu"
        case actions.DeclareRiichi(pai=pai):
            return f"riichi {text_of([pai])}"
        case actions.DeclareKakan(pai=pai):
            return f"kakan {text_of([pai])}"
        case actions.SetNorthAside():
            return "north"
        case actions.DeclareAnkan(consumed=consumed):
            return f"ankan {text_of(consumed)}"
        case actions.CallChi(consumed=consumed):
            return f"chi {text_of(consumed)}"
        case actions.CallPon(consumed=consumed):
            return f"pon {text_of(consumed)}"
        case actions.CallKan(consumed=consumed):
            return f"kan {text_of(consumed)}"
        case _:
            return ""
