"""The engine's short ways come out where its long ones do."""

from __future__ import annotations

from random import Random

from bench.engine import RandomGame
from game.engine import decide
from game.engine.actions import Discard
from game.engine.commands import Command
from game.engine.events import Event
from game.engine.hand import distance, waits
from game.engine.legal import is_legal, legal
from game.engine.state import Phase, Table
from game.engine.tiles import NO_TILE

HANDS = 20_000
GAMES = 6
SHAPES = ([0, 0, 0], [0, 1, 2], [0, 1, 2], [0, 0], [0, 1], [0, 2], [0])


def near_tenpai(rng: Random, size: int) -> tuple[int, ...]:
    """Sets, pairs and stray tiles in any mixture, as concealed tiles."""
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


def test_no_tenpai_hand_counts_as_scattered() -> None:
    rng, tenpai = Random(4), 0
    for number in range(HANDS):
        size = rng.choice((13, 13, 10, 7, 4, 1))
        tiles = pairs_or_orphans(rng) if number % 5 == 0 else near_tenpai(rng, size)
        exchanges, wanted = distance(tiles)
        tenpai += exchanges == 1
        assert waits(tiles, ()) == (wanted if exchanges == 1 else 0), tiles
    assert tenpai > HANDS / 10


class Watched(RandomGame):
    """A random game at each of whose tables both ways are gone."""

    short = 0

    def _answer_all(self) -> None:
        check_discards(self.table)
        super()._answer_all()

    def _do(self, command: Command) -> None:
        table = self.table
        if table.phase == Phase.CLAIMS and decide._is_of_no_consequence(table):
            self.short += 1
            assert list(decide._resolved(table)) == long_way(table)
        super()._do(command)


def long_way(table: Table) -> list[Event]:
    course = decide._Course(table)
    decide._let_by(course)
    return course.events


def check_discards(table: Table) -> None:
    """Each discard that could be thought of is legal if it is listed, and only then."""
    if table.phase != Phase.TURN:
        return
    listed = set(legal(table, table.turn))
    for pai in (NO_TILE, *range(69)):
        for tsumogiri in (False, True):
            discard = Discard(pai, tsumogiri)
            assert is_legal(table, table.turn, discard) == (discard in listed), discard


def test_short_ways_come_out_the_same_in_random_games() -> None:
    rng = Random(7)
    games = [Watched(rng, lambda table, events: None) for _ in range(GAMES)]
    for game in games:
        game.play()
    assert sum(game.short for game in games) > 100 * GAMES
