"""Playouts: hands played to their end from one position, with unseen tiles drawn anew.

Owns how the unseen tiles are drawn, and the comparison of two answers on the same walls. Other
seats get random tiles, except seats in riichi: these get a hand of random sets that waits for tiles
which nobody has discarded since, and which the seat itself never discarded. Rivers are not read
further than that.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from msgspec.structs import replace

from game.bots import bot_named
from game.engine.actions import Action
from game.engine.commands import Act, Command, Proceed
from game.engine.decide import Accepted, decide
from game.engine.events import Event
from game.engine.evolve import evolve
from game.engine.hand import waits
from game.engine.legal import legal, pending_seats
from game.engine.nukidora import NORTH_TILE
from game.engine.perspective import view
from game.engine.state import RIVER_RIICHI, RIVER_TAKEN, RIVER_TILE, Hand, Phase, Riichi, Table
from game.engine.tiles import EAST, HIDDEN, NO_TILE, kind_of
from game.engine.wall import LAYOUTS, SEED_BYTES, tile_set

PLAYOUTS: Final = 100
"""For each answer and seed."""
_LOOK_AFTER: Final = 30
"""After this number of playouts the comparison ends if the first answer is not ahead at all."""
LEAST_ERRORS: Final = 2.0
"""By how many standard errors two answers must be apart."""
_PLAYER: Final = "careful"
"""The bot that plays all seats on."""
_TRIES: Final = 400
"""Hands that are tried for a seat in riichi."""
_MAX_STEPS: Final = 2_000


class NoHand(ValueError):
    """The unseen tiles gave no hand that waits, for a seat in riichi."""


class Comparison(NamedTuple):
    """By how many points the first answer was ahead in the mean, and the standard error."""

    gain: float
    error: float

    @property
    def is_clear(self) -> bool:
        """Whether the first answer is ahead by `LEAST_ERRORS` standard errors."""
        return self.gain > 0 and self.gain >= LEAST_ERRORS * self.error


def compare(seen: Table, seat: int, answers: tuple[Action, Action], seed: int) -> Comparison:
    """Play both answers `PLAYOUTS` times on the same walls. `seen` is the view of `seat`. Raises
    NoHand."""
    differences = []
    for number in range(PLAYOUTS):
        table = redrawn(seen, seat, Random(f"{seed}:{number}"))
        first, second = (
            _points(table, seat, answer, Random(f"{seed}:{number}:bots")) for answer in answers
        )
        differences.append(first - second)
        if len(differences) == _LOOK_AFTER and not _compared(differences).gain > 0:
            break
    return _compared(differences)


def _compared(differences: list[int]) -> Comparison:
    return Comparison(fmean(differences), stdev(differences) / sqrt(len(differences)))


def _points(table: Table, seat: int, answer: Action, rng: Random) -> int:
    """Return what the seat gains by the rest of the hand, in points."""
    before = table.scores[seat]
    choose = bot_named(_PLAYER).choose
    after, _ = after_command(table, Act(seat, table.step, answer))
    for _ in range(_MAX_STEPS):
        if after.phase in (Phase.RESULT, Phase.ENDED):
            return after.scores[seat] - before
        step = after.step
        for asked in pending_seats(after):
            if after.step != step:
                break
            actions = tuple(legal(after, asked))
            action = choose(view(after, asked), asked, actions, rng)
            after, _ = after_command(after, Act(asked, step, action))
        if after.step == step and not pending_seats(after):
            after, _ = after_command(after, Proceed(step))
    raise ValueError(f"the hand does not end: {after}")


def after_command(table: Table, command: Command) -> tuple[Table, tuple[Event, ...]]:
    """Return the table after the command, and the events. Raises ValueError if it is refused."""
    verdict = decide(table, command)
    if not isinstance(verdict, Accepted):
        raise ValueError(f"{command}: {verdict}")
    for event in verdict.events:
        table = evolve(table, event)
    return table, tuple(verdict.events)


def redrawn(seen: Table, seat: int, rng: Random) -> Table:
    """Return a whole table that looks like `seen` to the seat: the other hands and the rest of the
    wall are drawn from the unseen tiles. Raises NoHand."""
    unseen = unseen_tiles(seen, seat)
    rng.shuffle(unseen)
    hands = list(seen.hands)
    in_riichi = [other for other in seen.seats if other != seat and _is_riichi(seen.hands[other])]
    for other in in_riichi:
        tiles = _waiting_hand(seen, other, unseen, rng)
        for tile in tiles:
            unseen.remove(tile)
        hands[other] = replace(hands[other], tiles=tuple(sorted(tiles)))
    for other in seen.seats:
        if other != seat and other not in in_riichi:
            count = len(hands[other].tiles)
            tiles, unseen = unseen[:count], unseen[count:]
            hands[other] = replace(hands[other], tiles=tuple(sorted(tiles)))
    wall = _wall(seen, unseen)
    return replace(seen, hands=tuple(hands), wall=wall, seed=rng.randbytes(SEED_BYTES))


def unseen_tiles(seen: Table, seat: int) -> list[int]:
    """Return the tiles that the seat does not see, in ascending order."""
    left = Counter(tile_set(seen.rules))
    left.subtract(seen.dora)
    for hand in seen.hands:
        left.subtract(tile for tile in hand.tiles if tile != HIDDEN)
        left.subtract([NORTH_TILE] * hand.norths)
        for meld in hand.melds:
            left.subtract(meld.tiles)
        left.subtract(entry & RIVER_TILE for entry in hand.river if not entry & RIVER_TAKEN)
    if seen.turn == seat and seen.drawn not in (NO_TILE, HIDDEN):
        left.subtract([seen.drawn])
    if seen.phase == Phase.CLAIMS and seen.robbing:
        raise ValueError("a tile of a kan is no open tile of a river")
    return sorted(left.elements())


def _wall(seen: Table, unseen: list[int]) -> bytes:
    """Return a wall whose tiles that are not drawn yet are `unseen`, in their order."""
    layout = LAYOUTS[seen.rules.players]
    taken = {*layout.replacements[: seen.supplements], *layout.indicators[: len(seen.dora)]}
    first = layout.first_draw - (layout.live - seen.left - seen.supplements)
    places = [at for at in range(first + 1) if at not in taken]
    if len(places) != len(unseen):
        raise ValueError(f"{len(unseen)} unseen tiles for {len(places)} places of the wall")
    wall = bytearray(layout.tiles)
    for number, tile in enumerate(seen.dora):
        wall[layout.indicators[number]] = tile
    for at, tile in zip(places, unseen, strict=True):
        wall[at] = tile
    return bytes(wall)


def _is_riichi(hand: Hand) -> bool:
    return hand.riichi != Riichi.NONE


def _waiting_hand(seen: Table, other: int, unseen: list[int], rng: Random) -> list[int]:
    """Return concealed tiles with which a seat in riichi waits for a tile that is not furiten."""
    hand = seen.hands[other]
    passed = _passed_kinds(seen, other)
    for _ in range(_TRIES):
        tiles = _random_sets(unseen, len(hand.tiles), rng)
        if tiles is None:
            continue
        found = waits(tuple(sorted(tiles)), hand.melds)
        if found and not found & passed:
            return tiles
    raise NoHand


def _passed_kinds(seen: Table, other: int) -> int:
    """Return the mask of kinds that the seat in riichi discarded itself, and that the seats before
    the present one have discarded since the riichi and nobody won on."""
    hand = seen.hands[other]
    passed = 0
    declared = len(hand.river)
    for at, entry in enumerate(hand.river):
        passed |= 1 << kind_of(entry & RIVER_TILE)
        if entry & RIVER_RIICHI:
            declared = at
    for seat in seen.seats:
        if seat != other:
            for entry in seen.hands[seat].river[declared + 1 :]:
                passed |= 1 << kind_of(entry & RIVER_TILE)
    return passed


def _random_sets(unseen: list[int], count: int, rng: Random) -> list[int] | None:
    """Return `count` of the unseen tiles that lack one tile to random sets and a pair."""
    pool = unseen.copy()
    rng.shuffle(pool)
    chosen: list[int] = []

    def take(kind: int) -> bool:
        at = next((at for at, tile in enumerate(pool) if kind_of(tile) == kind), None)
        if at is None:
            return False
        chosen.append(pool.pop(at))
        return True

    for number in range((count + 1) // 3 + 1):
        kind = kind_of(rng.choice(pool))
        is_pair = number == 0
        if is_pair:
            kinds = [kind, kind]
        elif kind < EAST and kind % 9 < 7 and rng.random() < 0.85:
            kinds = [kind, kind + 1, kind + 2]
        else:
            kinds = [kind] * 3
        if not all(take(each) for each in kinds):
            return None
    chosen.pop(rng.randrange(len(chosen)))
    return chosen if len(chosen) == count else None
