"""Lists a seat's legal actions a second time, directly from the wording of the rules.

The module is slow and shares no code with `game.engine.legal`: it searches for sets and tries out
waits tile by tile. It uses the engine only to decide whether a complete hand has a yaku.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from game.engine import actions
from game.engine.actions import Action
from game.engine.commands import Act
from game.engine.decide import Accepted, decide
from game.engine.state import Hand, Meld, MeldType, Phase, Riichi, Table
from game.engine.tiles import NO_TILE, TILE_TO_TEXT

ALL_TILES = sorted(tile for tile in TILE_TO_TEXT if tile < 68)
_ENDS = {kind for suit in range(3) for kind in (9 * suit, 9 * suit + 8)} | set(range(27, 34))
_NORTH = 30
_KANS = (MeldType.DAIMINKAN, MeldType.ANKAN, MeldType.KAKAN)


def conceivable() -> list[Action]:
    """Return every action that can be written down and is not nonsense in itself."""
    found: list[Action] = [
        actions.Win(),
        actions.DeclareKyushu(),
        actions.SetNorthAside(),
        actions.Pass(),
        actions.ShowTenpai(),
        actions.StopGame(),
        actions.Confirm(),
    ]
    for tile in ALL_TILES:
        for drawn in (False, True):
            found += [actions.Discard(tile, drawn), actions.DeclareRiichi(tile, drawn)]
        found.append(actions.DeclareKakan(tile))
        found += [
            actions.CallKan((first, second, third))
            for first, second, third in combinations(sorted([tile, tile, tile, tile ^ 1]), 3)
            if second in TILE_TO_TEXT and first in TILE_TO_TEXT and third in TILE_TO_TEXT
        ]
    for third in ALL_TILES:
        for two in ALL_TILES:
            found += [actions.CallChi((third, two)), actions.CallPon((third, two))]
    for kind in range(34):
        for reds in range(5):
            row = [2 * kind] * (4 - reds) + [2 * kind + 1] * reds
            if all(tile in TILE_TO_TEXT for tile in row):
                found.append(actions.DeclareAnkan((row[0], row[1], row[2], row[3])))
    return list(dict.fromkeys(found))


def accepted_actions(table: Table, seat: int, tried: list[Action]) -> set[Action]:
    """Return which of these actions the table accepts from the seat."""
    return {
        action
        for action in tried
        if isinstance(decide(table, Act(seat, table.step, action)), Accepted)
    }


def plainly_legal(table: Table, seat: int) -> set[Action]:
    """Return the legal actions of a seat with an open question, on an open tile or on its turn."""
    win = accepted_actions(table, seat, [actions.Win()])
    if table.phase == Phase.TURN:
        return win | set(_on_turn(table, table.hands[seat]))
    if table.robbing:
        return win | {actions.Pass()}
    return win | set(_calls(table, seat)) | {actions.Pass()}


def _on_turn(table: Table, hand: Hand) -> Iterator[Action]:
    drawn = [] if table.drawn == NO_TILE else [table.drawn]
    held = [*hand.tiles, *drawn]
    throws = [actions.Discard(tile, True) for tile in drawn]
    if hand.riichi != Riichi.ACCEPTED:
        swaps = set() if drawn else _kuikae_kinds(table, hand.melds[-1])
        throws += [actions.Discard(tile, False) for tile in hand.tiles if tile // 2 not in swaps]
    yield from throws
    is_closed = all(meld.type == MeldType.ANKAN for meld in hand.melds)
    has_tiles = drawn and table.left >= table.rules.riichi_tiles_left
    has_points = table.scores[table.turn] >= 1_000 or not table.rules.riichi_needs_points
    if has_tiles and has_points and is_closed and not hand.riichi:
        for throw in throws:
            rest = Counter(held)
            rest[throw.pai] -= 1
            if _waits(_kinds(rest.elements()), _melds_that_count(table, hand.melds)):
                yield actions.DeclareRiichi(throw.pai, throw.tsumogiri)
    if drawn and table.left > 0 and _kans(table) < 4:
        yield from _own_kans(table, hand, held)
    is_bound = hand.riichi == Riichi.ACCEPTED
    norths = [tile for tile in (drawn if is_bound else held) if tile // 2 == _NORTH]
    if drawn and norths and table.left > 0 and table.rules.nukidora == "north":
        yield actions.SetNorthAside()
    is_first = not hand.river and not any(other.melds or other.norths for other in table.hands)
    if drawn and is_first and len(set(_kinds(held)) & _ENDS) >= 9 and table.rules.kyushu_kyuhai:
        yield actions.DeclareKyushu()


def _own_kans(table: Table, hand: Hand, held: list[int]) -> Iterator[Action]:
    for kind in set(_kinds(held)):
        four = sorted(tile for tile in held if tile // 2 == kind)
        if len(four) == 4 and (not hand.riichi or _keeps_waits(table, hand, kind)):
            yield actions.DeclareAnkan((four[0], four[1], four[2], four[3]))
        for meld in hand.melds:
            if meld.type == MeldType.PON and meld.tiles[0] // 2 == kind:
                yield from (actions.DeclareKakan(tile) for tile in four)


def _keeps_waits(table: Table, hand: Hand, kind: int) -> bool:
    """Return whether a closed kan in riichi uses the drawn tile and keeps the waits."""
    rest = tuple(tile for tile in hand.tiles if tile // 2 != kind)
    melds = (*hand.melds, Meld(MeldType.ANKAN, (2 * kind,) * 4, NO_TILE, 0))
    counted = hand.melds if _waits(_kinds(hand.tiles), hand.melds) else ()
    before = _waits(_kinds(hand.tiles), counted)
    after = _waits(_kinds(rest), melds if counted else melds[-1:])
    return table.drawn // 2 == kind and after == before


def _melds_that_count(table: Table, melds: tuple[Meld, ...]) -> tuple[Meld, ...]:
    """Return the melds whose tiles count towards the four that make a wait void."""
    return melds if table.rules.own_four_is_noten == "all" else ()


def _calls(table: Table, seat: int) -> Iterator[Action]:
    hand, tile, rules = table.hands[seat], table.claimed, table.rules
    owners = sum(any(meld.type in _KANS for meld in other.melds) for other in table.hands)
    is_over = _kans(table) == 4 and owners > 1 and rules.sukaikan == "after_discard_pass"
    if hand.riichi or table.left == 0 or is_over:
        return
    for first, second in set(combinations(sorted(hand.tiles), 2)):
        is_pon = first // 2 == second // 2 == tile // 2
        is_next = (seat - table.turn) % 4 == 1 and table.rules.players == 4
        is_chi = is_next and _is_run(first // 2, second // 2, tile // 2)
        if not is_pon and not is_chi:
            continue
        kind = MeldType.PON if is_pon else MeldType.CHI
        swaps = _kuikae_kinds(
            table, Meld(kind, tuple(sorted((first, second, tile))), tile, table.turn)
        )
        rest = Counter(hand.tiles)
        rest.subtract((first, second))
        if set(_kinds(rest.elements())) - swaps:
            yield actions.CallPon((first, second)) if is_pon else actions.CallChi((first, second))
    same = sorted(held for held in hand.tiles if held // 2 == tile // 2)
    if len(same) == 3 and _kans(table) < 4:
        yield actions.CallKan((same[0], same[1], same[2]))


def _kuikae_kinds(table: Table, called: Meld) -> set[int]:
    """Return the kinds that kuikae forbids to discard after this call."""
    kept = list(called.tiles)
    kept.remove(called.called)
    kinds = set() if table.rules.kuikae_same_tile else {called.called // 2}
    if called.type == MeldType.CHI and not table.rules.kuikae_other_end:
        ends = {kind for kind in range(27) if _is_run(kept[0] // 2, kept[1] // 2, kind)}
        kinds |= ends - {called.called // 2}
    return kinds


def _is_run(*kinds: int) -> bool:
    low, middle, high = sorted(kinds)
    return high < 27 and low // 9 == high // 9 and (middle, high) == (low + 1, low + 2)


def _kinds(tiles: object) -> tuple[int, ...]:
    return tuple(sorted(tile // 2 for tile in tiles))  # type: ignore[attr-defined]


def _kans(table: Table) -> int:
    return sum(meld.type in _KANS for hand in table.hands for meld in hand.melds)


def _waits(kinds: tuple[int, ...], melds: tuple[Meld, ...]) -> set[int]:
    """Return the kinds that complete the hand, except those of which the player has all four."""
    own = Counter(kinds)
    own.update(tile // 2 for meld in melds for tile in meld.tiles)
    return {
        kind for kind in range(34) if own[kind] < 4 and is_complete(tuple(sorted((*kinds, kind))))
    }


@cache
def is_complete(kinds: tuple[int, ...]) -> bool:
    """Return whether these sorted kinds are sets and a pair, seven pairs or thirteen orphans."""
    counts = Counter(kinds)
    if len(kinds) == 14 and (
        (len(counts) == 7 and set(counts.values()) == {2})
        or (len(counts) == 13 and set(counts) <= _ENDS)
    ):
        return True
    return any(count >= 2 and _are_sets(_less(kinds, kind, kind)) for kind, count in counts.items())


@cache
def _are_sets(kinds: tuple[int, ...]) -> bool:
    if not kinds:
        return True
    low = kinds[0]
    if kinds.count(low) >= 3 and _are_sets(_less(kinds, low, low, low)):
        return True
    run = (low, low + 1, low + 2)
    return _is_run(*run) and set(run) <= set(kinds) and _are_sets(_less(kinds, *run))


def _less(kinds: tuple[int, ...], *taken: int) -> tuple[int, ...]:
    rest = list(kinds)
    for kind in taken:
        rest.remove(kind)
    return tuple(rest)
