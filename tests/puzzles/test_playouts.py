"""Playouts draw what a seat does not see, and compare two answers on the same walls."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from bench.bots.games import play_game
from game.bots import bot_named
from game.engine.actions import Discard
from game.engine.hand import waits
from game.engine.legal import legal
from game.engine.perspective import view
from game.engine.state import RIVER_TAKEN, RIVER_TILE, Phase, Riichi, Table
from game.engine.tiles import NO_TILE, kind_of
from game.engine.wall import tile_set
from game.puzzles import playouts
from game.puzzles.candidates import Position, positions_of
from game.puzzles.playouts import compare, redrawn, unseen_tiles
from game.reviews.moments import split_hands


@cache
def positions() -> list[Position]:
    """Return decisions of one game of quick bots."""
    game = play_game(5, [bot_named("hasty").choose] * 4)
    return [each for hand in split_hands(game.events) for each in positions_of(hand, "bots 5")]


def all_tiles(table: Table) -> Counter[int]:
    """Count the tiles in hands, melds, rivers and on turn; not those of the wall."""
    found = Counter[int]()
    for hand in table.hands:
        found.update(hand.tiles)
        for meld in hand.melds:
            found.update(meld.tiles)
        found.update(entry & RIVER_TILE for entry in hand.river if not entry & RIVER_TAKEN)
    if table.drawn != NO_TILE:
        found[table.drawn] += 1
    return found


def test_drawn_tables_look_the_same_to_the_seat() -> None:
    for seen, seat, _ in positions()[::7]:
        table = redrawn(seen, seat, Random(1))
        assert view(table, seat) == seen
        counted = all_tiles(table)
        counted.update(seen.dora)
        assert not counted - Counter(tile_set(seen.rules)), "a tile occurs too often"


def test_other_numbers_draw_other_hands() -> None:
    seen, seat, _ = positions()[3]
    hands = {redrawn(seen, seat, Random(number)).hands for number in range(5)}
    assert len(hands) == 5
    assert redrawn(seen, seat, Random(1)) == redrawn(seen, seat, Random(1))


def test_unseen_tiles_are_those_of_other_hands_and_of_the_wall() -> None:
    for seen, seat, _ in positions()[::11]:
        hidden = sum(len(seen.hands[other].tiles) for other in seen.seats if other != seat)
        dead = 14 - len(seen.dora) - seen.supplements
        assert len(unseen_tiles(seen, seat)) == hidden + seen.left + seen.supplements + dead


def test_seats_in_riichi_wait_for_tiles_that_have_not_passed() -> None:
    checked = 0
    for seen, seat, _ in positions():
        for other in seen.seats:
            if other == seat or seen.hands[other].riichi == Riichi.NONE or checked > 12:
                continue
            hand = redrawn(seen, seat, Random(2)).hands[other]
            mask = waits(hand.tiles, hand.melds)
            own = {kind_of(entry & RIVER_TILE) for entry in hand.river}
            assert mask
            assert not any(mask >> kind & 1 for kind in own)
            checked += 1
    assert checked


def test_both_answers_are_played_on_the_same_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "PLAYOUTS", 4)
    monkeypatch.setattr(playouts, "_PLAYER", "hasty")
    seen, seat, _ = next(each for each in positions() if each.seen.phase == Phase.TURN)
    first, *_, last = [action for action in legal(seen, seat) if isinstance(action, Discard)]
    there = compare(seen, seat, (first, last), 3)
    back = compare(seen, seat, (last, first), 3)
    assert there.gain == -back.gain
    assert there.error == back.error
    same = compare(seen, seat, (first, first), 3)
    assert same == (0.0, 0.0)
    assert not same.is_clear
