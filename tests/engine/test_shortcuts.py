"""Shortcuts of the engine give the same results as the full computation."""

from __future__ import annotations

from collections import Counter
from random import Random

from bench.engine import RandomGame
from game.engine import decide
from game.engine.actions import Discard
from game.engine.commands import Command
from game.engine.events import Discarded, Drawn
from game.engine.evolve import evolve
from game.engine.formal import are_tiles_tenpai
from game.engine.hand import distance, runs_with, shape, waits
from game.engine.legal import is_legal, legal
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase, Table
from game.engine.tiles import NO_TILE, kind_of
from game.engine.wall import tile_set
from tests.engine.plain_legality import is_complete

HANDS = 20_000
GAMES = 6
OF_THE_QUESTION = {
    *("phase", "step", "left", "supplements", "hands", "turn", "drawn", "rinshan", "unbroken"),
    *("forbidden", "robbing", "claimed", "may_ron", "may_call", "may_foul", "answers"),
}
SHAPES = ([0, 0, 0], [0, 1, 2], [0, 1, 2], [0, 0], [0, 1], [0, 2], [0])


def near_tenpai(rng: Random, size: int) -> tuple[int, ...]:
    """Return sets, pairs and single tiles in any mixture, as concealed tiles."""
    kinds: list[int] = []
    while len(kinds) < size:
        first, shape = rng.randrange(34), rng.choice(SHAPES)
        more = [first + step for step in shape]
        crosses = shape[-1] > 0 and (first >= 27 or first % 9 + shape[-1] > 8)
        fits = len(kinds) + len(more) <= size and not crosses
        if fits and all((kinds + more).count(kind) <= 4 for kind in more):
            kinds += more
    return tuple(sorted(2 * kind for kind in kinds))


def pairs_or_orphans(rng: Random) -> tuple[int, ...]:
    if rng.random() < 0.5:
        kinds = rng.sample(range(34), 7)
        return tuple(sorted(2 * kind for kind in (*kinds, *kinds[:6])))
    orphans = [0, 8, 9, 17, 18, 26, *range(27, 34)]
    orphans[rng.randrange(13)] = rng.choice(range(34))
    return tuple(sorted(2 * kind for kind in orphans))


def some_hand(rng: Random, number: int) -> tuple[int, ...]:
    size = rng.choice((13, 13, 10, 7, 4, 1))
    match number % 5:
        case 0:
            return pairs_or_orphans(rng)
        case 1:
            return tuple(sorted(rng.sample(tile_set(TENHOU), size)))
        case _:
            return near_tenpai(rng, size)


def test_waits_are_the_kinds_that_complete_a_tenpai_hand() -> None:
    rng, tenpai = Random(4), 0
    for number in range(HANDS):
        tiles = some_hand(rng, number)
        exchanges, wanted = distance(tiles)
        tenpai += exchanges == 1
        assert waits(tiles, ()) == (wanted if exchanges == 1 else 0), tiles
    assert tenpai > HANDS / 50


def test_shape_agrees_with_counting() -> None:
    rng = Random(5)
    for number in range(HANDS // 10):
        tiles = some_hand(rng, number)
        counts = Counter(kind_of(tile) for tile in tiles)
        has = shape(tiles)
        for kind in range(34):
            masks = has.kinds, has.pairs, has.triplets, has.quads, has.runs
            bits = [mask >> kind & 1 for mask in masks]
            assert bits[:4] == [counts[kind] >= least for least in (1, 2, 3, 4)], tiles
            assert bits[4] == bool(runs_with(tiles, 2 * kind)), (tiles, kind)


def test_wait_for_a_fifth_tile_is_the_one_that_a_plain_search_finds() -> None:
    rng, rules, fifths = Random(6), RuleSet(own_four_is_noten="off"), 0
    for _ in range(HANDS // 20):
        four, rest = rng.randrange(34), near_tenpai(rng, rng.choice((9, 6, 3)))
        kinds = sorted([*[four] * 4, *map(kind_of, rest)])
        if kinds.count(four) > 4:
            continue
        tiles = tuple(2 * kind for kind in kinds)
        is_found = any(is_complete(tuple(sorted((*kinds, more)))) for more in range(34))
        assert are_tiles_tenpai(rules, tiles, ()) == is_found, tiles
        fifths += is_found and not waits(tiles, ())
    assert fifths > HANDS / 1_000


class CheckedGame(RandomGame):
    """A random game that checks each of its tables."""

    def _answer_all(self) -> None:
        check_discards(self.table)
        super()._answer_all()

    def _do(self, command: Command) -> None:
        check_unchanged_fields(self.table, command)
        super()._do(command)


def check_unchanged_fields(table: Table, command: Command) -> None:
    """Check that a draw and a discard change only the fields in `OF_THE_QUESTION`."""
    verdict = decide.decide(table, command)
    for event in verdict.events if isinstance(verdict, decide.Accepted) else ():
        before, table = table, evolve(table, event)
        if isinstance(event, Drawn | Discarded):
            changed = {
                name
                for name in Table.__struct_fields__
                if getattr(before, name) != getattr(table, name)
            }
            assert changed <= OF_THE_QUESTION, changed


def check_discards(table: Table) -> None:
    """Check that a discard is legal exactly if it is listed, for each conceivable discard."""
    if table.phase != Phase.TURN:
        return
    listed = set(legal(table, table.turn))
    for pai in (NO_TILE, *range(69)):
        for tsumogiri in (False, True):
            discard = Discard(pai, tsumogiri)
            assert is_legal(table, table.turn, discard) == (discard in listed), discard


def test_shortcuts_hold_in_random_games() -> None:
    rng = Random(7)
    for _ in range(GAMES):
        CheckedGame(rng, lambda table, events: None).play()
