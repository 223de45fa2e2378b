"""Wins and whole games of three players are compared with `riichienv`, which plays by the rules of
Mahjong Soul and shares no code with ours.

Both engines get the same wall. At each question the seats that are asked and their legal actions
are compared, and one of the actions is taken in both. After each hand the points, the dealer and
the counters are compared, at the end the places. ``RIICHIENV_WINS=10000 RIICHIENV_GAMES=300``
compares more of them.

What is not compared:

- The self-draw of the dealer's first fourteen tiles as kokushi: the other engine takes the tile
  that makes it a wait for thirteen tiles, ours the tile drawn last. No source decides.
- Whether a discard is the tile just drawn: at the dealer's first turn Mahjong Soul has none.
- The order of the last four draws of a wall without kans: they are the fourth and fifth indicators,
  which the other engine has the other way round. It gets them in our order.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

import pytest
import riichienv
from msgspec.structs import replace

# The evaluator of the package itself adds the winning tile once more to a hand with two kans.
from riichienv import _riichienv as other_engine

from game.engine.actions import (
    Action,
    CallKan,
    CallPon,
    Confirm,
    DeclareAnkan,
    DeclareKakan,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    Pass,
    SetNorthAside,
    Win,
)
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame
from game.engine.decide import Accepted, decide
from game.engine.evolve import evolve
from game.engine.legal import legal, pending_seats
from game.engine.points import win_payments
from game.engine.presets import preset
from game.engine.state import DEALS_PER_ROUND, MeldType, Phase, Table
from game.engine.tiles import EAST, NORTH, NOT_IN_PLAY, TILE_TO_TEXT, kind_of
from game.engine.value import HandValue, WinContext, value_of
from tests.engine.random_wins import random_win
from tests.kit.tables import lay_wall

WINS: Final = int(os.environ.get("RIICHIENV_WINS", "400"))
GAMES: Final = int(os.environ.get("RIICHIENV_GAMES", "2"))
RULES: Final = preset("mahjong-soul-3")
OTHER_RULES: Final = riichienv.GameRule.default_mjsoul()
RED: Final = {52: 27, 88: 45}
"""The red fives as tiles of the other engine and of ours."""
MELDS: Final = {
    MeldType.PON: riichienv.MeldType.Pon,
    MeldType.DAIMINKAN: riichienv.MeldType.Daiminkan,
    MeldType.ANKAN: riichienv.MeldType.Ankan,
    MeldType.KAKAN: riichienv.MeldType.Kakan,
}
WINDS: Final = (riichienv.Wind.East, riichienv.Wind.South, riichienv.Wind.West)
DEAD: Final = 18
"""The first tiles of its walls: eight replacement tiles, five pairs of indicators."""
FULL: Final = 68
"""The tiles of a wall after the deal and the dealer's first draw."""

Key = tuple[Any, ...]
"""An action as both engines know it."""


def tile_of(number: int) -> int:
    """Return one of the other engine's 136 tiles as ours."""
    return RED.get(number, 2 * (number // 4))


def tiles_of(numbers: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(map(tile_of, numbers)))


# Wins


def win_of_three(dice: random.Random) -> WinContext:
    """Return a random win that three players can have, without runs laid open."""
    in_play = [kind for kind in range(34) if not NOT_IN_PLAY[3] >> kind & 1]
    while True:
        win = random_win(dice, [RULES])
        tiles = [*win.tiles, win.winning_tile, *(tile for meld in win.melds for tile in meld.tiles)]
        if all(kind_of(tile) in in_play for tile in tiles) and all(
            meld.type != MeldType.CHI for meld in win.melds
        ):
            break
    norths = dice.randint(0, 4 - tiles.count(2 * NORTH))
    return replace(
        win,
        norths=norths,
        first_turn=win.first_turn and not norths,
        seat_wind=dice.choice((EAST, EAST + 1, EAST + 2)),
        dora=tuple(2 * dice.choice(in_play) for _ in win.dora),
        ura=tuple(2 * dice.choice(in_play) for _ in win.ura),
    )


def numbered(tiles: Sequence[int], used: set[int]) -> list[int]:
    """Return copies of these tiles that the other engine has and that are not used yet."""
    numbers = []
    for tile in tiles:
        copies = range(4 * kind_of(tile), 4 * kind_of(tile) + 4)
        numbers.append(next(n for n in copies if n not in used and tile_of(n) == tile))
        used.add(numbers[-1])
    return numbers


def by_other_engine(win: WinContext) -> Any:
    used = set[int]()
    melds = [
        riichienv.Meld(
            MELDS[meld.type],
            numbered(meld.tiles, used),
            meld.type != MeldType.ANKAN,
            -1 if meld.type == MeldType.ANKAN else 1,
        )
        for meld in win.melds
    ]
    held = numbered((*win.tiles, win.winning_tile), used)
    is_last = win.last_tile and not (win.rinshan or win.chankan)
    conditions = other_engine.Conditions(
        tsumo=win.is_tsumo,
        riichi=win.riichi,
        double_riichi=win.double_riichi,
        ippatsu=win.ippatsu,
        haitei=is_last and win.is_tsumo,
        houtei=is_last and not win.is_tsumo,
        rinshan=win.rinshan,
        chankan=win.chankan,
        tsumo_first_turn=win.first_turn and win.is_tsumo,
        player_wind=WINDS[win.seat_wind - EAST],
        round_wind=WINDS[win.round_wind - EAST],
        honba=win.honba,
        kita_count=win.norths,
        is_sanma=True,
        num_players=3,
    )
    evaluator = other_engine.HandEvaluator3P(sorted(held), melds)
    dora, ura = ([4 * kind_of(tile) for tile in row] for row in (win.dora, win.ura))
    return evaluator.calc(held[-1], dora, ura if win.riichi else [], conditions)


def payments(win: WinContext, value: HandValue) -> tuple[int, ...]:
    """Return what each of the other two pays for the win of seat 0, the dealer first."""
    dealer = 0 if win.seat_wind == EAST else 1
    target = 0 if win.is_tsumo else 1
    deltas, _ = win_payments(RULES, value, 0, target, dealer, win.honba, 0, ())
    return (-deltas[1], -deltas[2])


def other_payments(win: WinContext, found: Any) -> tuple[int, ...]:
    if not win.is_tsumo:
        return (found.ron_agari, 0)
    other = found.tsumo_agari_ko
    return (other if win.seat_wind == EAST else found.tsumo_agari_oya, other)


def test_random_wins_of_three_have_the_value_of_the_other_engine() -> None:
    dice = random.Random(1)
    compared = 0
    for number in range(WINS):
        win = win_of_three(dice)
        value, found = value_of(win), by_other_engine(win)
        if value is None:
            assert not found.is_win, (number, win)
            continue
        yaku = dict(value.yaku)
        if "tenhou" in yaku and "kokushi" in yaku:
            continue
        assert found.is_win, (number, win)
        assert payments(win, value) == other_payments(win, found), (number, win, value)
        if not value.yakuman:
            assert value.fan == found.han, (number, win, value)
        if not value.limit:
            assert value.fu == found.fu, (number, win, value)
        compared += 1
    assert compared > WINS // 2


# Games


def our_actions(table: Table, seat: int) -> dict[Key, Action]:
    """Return our legal actions. Of riichi only that it is possible; its discards are compared when
    it is declared."""
    found: dict[Key, Action] = {}
    for action in legal(table, seat):
        match action:
            case Discard(pai=pai):
                found["discard", pai] = action
            case DeclareRiichi():
                found["riichi",] = action
            case CallPon(consumed=consumed):
                found["pon", *sorted(consumed)] = action
            case CallKan():
                found["open kan",] = action
            case DeclareAnkan(consumed=consumed):
                found["closed kan", kind_of(consumed[0])] = action
            case DeclareKakan(pai=pai):
                found["added kan", kind_of(pai)] = action
            case SetNorthAside():
                found["north",] = action
            case Win():
                found["win",] = action
            case DeclareKyushu():
                found["nine kinds",] = action
            case Pass():
                found["pass",] = action
            case _:
                raise ValueError(f"unexpected: {action}")
    return found


_KINDS: Final = riichienv.ActionType
_KEYS: Final[dict[Any, Callable[[Any], Key]]] = {
    _KINDS.DISCARD: lambda action: ("discard", tile_of(action.tile)),
    _KINDS.RIICHI: lambda action: ("riichi",),
    _KINDS.PON: lambda action: ("pon", *tiles_of(action.consume_tiles)),
    _KINDS.DAIMINKAN: lambda action: ("open kan",),
    _KINDS.ANKAN: lambda action: ("closed kan", action.tile // 4),
    _KINDS.KAKAN: lambda action: ("added kan", action.tile // 4),
    _KINDS.KITA: lambda action: ("north",),
    _KINDS.RON: lambda action: ("win",),
    _KINDS.TSUMO: lambda action: ("win",),
    _KINDS.KYUSHU_KYUHAI: lambda action: ("nine kinds",),
    _KINDS.PASS: lambda action: ("pass",),
}


def other_actions(observation: Any) -> dict[Key, Any]:
    """Return the other engine's legal actions."""
    pairs = [(action, action.action_type) for action in observation.legal_actions()]
    return {
        next(key for known, key in _KEYS.items() if known == kind)(action): action
        for action, kind in pairs
    }


class GameOfBoth:
    """A game that both engines play at once, with random players who often do the best."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.env = riichienv.RiichiEnv(game_mode="3p-red-half", seed=seed, rule=OTHER_RULES)
        self.asked = self.env.reset()
        self.table = Table()
        self.carry_out(StartGame(RULES, ("a", "b", "c"), bytes(32)))
        self.actions = 0

    def carry_out(self, command: Command) -> None:
        outcome = decide(self.table, command)
        assert isinstance(outcome, Accepted), (command, outcome)
        for event in outcome.events:
            self.table = evolve(self.table, event)

    def play(self) -> None:
        """Play to the end. Raises AssertionError at the first difference."""
        self.deal()
        while self.table.phase != Phase.ENDED:
            left = len(self.env.wall)
            self.answer()
            if self.table.phase not in (Phase.RESULT, Phase.ENDED):
                assert len(self.env.wall) <= left, "the other engine has ended the hand"
                continue
            while pending_seats(self.table):
                self.carry_out(Act(pending_seats(self.table)[0], self.table.step, Confirm()))
            if len(self.env.wall) <= left and not self.env.done():
                self.asked = self.env.step({})
            assert self.env.done() == (self.table.phase == Phase.ENDED)
            if not self.env.done():
                self.deal()
        assert list(self.table.scores) == list(self.env.scores())
        assert [place for place, _ in self.table.placement] == list(self.env.ranks())

    def deal(self) -> None:
        """Deal the other engine's wall in ours, and compare the beginning of the hand."""
        env, dealer = self.env, self.env.oya
        wall = list(env.wall)
        assert len(wall) == FULL
        tiles = list(map(tile_of, wall))
        indicators = tiles[8:DEAD:2], tiles[9:DEAD:2]
        for above in (14, 16):
            wall[above : above + 2] = wall[above + 1], wall[above]
        env.wall = wall  # changes the last draws, not the indicators
        hands = [list(hand) for hand in env.hands]
        hands[dealer].remove(env.drawn_tile)
        live = [tile_of(env.drawn_tile), *tiles[: DEAD - 1 : -1]]
        rows = list(map(tiles_of, hands))
        self.carry_out(DealHand(lay_wall(rows, live, tiles[:8], indicators, dealer)))
        table = self.table
        assert (table.dealer, table.honba, table.kyotaku, list(table.scores)) == (
            *(dealer, env.honba, env.riichi_sticks),
            list(env.scores()),
        )
        assert table.kyoku // DEALS_PER_ROUND == env.round_wind
        assert table.drawn == tile_of(env.drawn_tile)

    def answer(self) -> None:
        """Answer the open question in both engines."""
        table = self.table
        theirs = {seat: other_actions(seen) for seat, seen in self.asked.items()}
        asked = {seat: actions for seat, actions in theirs.items() if actions.keys() != {("pass",)}}
        ours = {seat: our_actions(table, seat) for seat in pending_seats(table)}
        assert asked.keys() == ours.keys(), self.where()
        answers, commands = {}, list[Act]()
        for seat, actions in ours.items():
            assert asked[seat].keys() == actions.keys(), (seat, self.where())
            key = self.choose(seat, actions)
            if key == ("riichi",):
                declared = other_actions(self.env.step({seat: asked[seat][key]})[seat])
                discards = {
                    ("discard", action.pai): action
                    for action in legal(table, seat)
                    if isinstance(action, DeclareRiichi)
                }
                assert declared.keys() == discards.keys(), (seat, self.where())
                key = self.dice.choice(sorted(discards))
                answers[seat] = declared[key]
                commands.append(Act(seat, table.step, discards[key]))
            else:
                answers[seat] = asked[seat][key]
                commands.append(Act(seat, table.step, actions[key]))
            self.actions += 1
        answers |= {seat: theirs[seat]["pass",] for seat in theirs.keys() - asked.keys()}
        self.asked = self.env.step(answers)
        for command in commands:
            if command.step == self.table.step and command.seat in pending_seats(self.table):
                self.carry_out(command)
        while self.table.phase in (Phase.CLAIMS, Phase.SHOWING) and not pending_seats(self.table):
            self.carry_out(Proceed(self.table.step))

    def choose(self, seat: int, actions: Collection[Key]) -> Key:
        dice = self.dice
        for name, chance in (("win", 0.85), ("north", 0.6), ("riichi", 0.6), ("nine kinds", 0.3)):
            if (name,) in actions and dice.random() < chance:
                return (name,)
        for key in sorted(actions):
            if dice.random() < {"pon": 0.15}.get(key[0], 0.5 if key[0].endswith("kan") else 0.0):
                return key
        if ("pass",) in actions:
            return ("pass",)
        discards = sorted(key for key in actions if key[0] == "discard")
        if dice.random() < 0.15:
            return dice.choice(discards)
        return min(discards, key=lambda key: self.shanten_after(seat, key[1]) + dice.random() / 100)

    def shanten_after(self, seat: int, tile: int) -> int:
        rest = list(self.env.hands[seat])
        rest.remove(next(number for number in rest if tile_of(number) == tile))
        return int(riichienv.calculate_shanten_3p(rest))

    def where(self) -> str:
        """Describe the question for a failed test."""
        table = self.table
        hands = [" ".join(TILE_TO_TEXT[tile] for tile in hand.tiles) for hand in table.hands]
        return f"hand {table.hands_dealt}, {table.left} tiles left, seat {table.turn}: {hands}"


@pytest.mark.parametrize("seed", range(GAMES))
def test_whole_games_of_three_go_as_in_the_other_engine(seed: int) -> None:
    game = GameOfBoth(seed)
    game.play()
    assert game.actions > 20
