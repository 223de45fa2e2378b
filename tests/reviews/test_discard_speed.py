"""The speed of discards agrees with plain second computations."""

from __future__ import annotations

import random

import pytest
from jansou.analysis.ev import Outlook, Valuation, hand_outlook
from jansou.core.tiles import Wind
from msgspec.structs import replace

from game.analysis.discard_speed import MAX_CURVE_SHANTEN, chances_of, curves_after, speed_after
from game.analysis.visible_tiles import VisibleTiles, count_visible
from game.engine.legal import legal
from game.engine.perspective import view
from game.engine.presets import preset
from game.engine.state import Hand, Phase, Table
from game.engine.tiles import EAST, KINDS, count_kinds, is_red, kind_of
from tests.kit.oracle import oracle_meld, oracle_rules, oracle_tile
from tests.kit.plain_shanten import plain_shanten, plain_useful
from tests.reviews.games import bot_game, tables_before_discards

CASES = 100
PURE_HANDS = 200


def count_unseen(visible: VisibleTiles) -> list[int]:
    """Return the counts of unseen tiles, computed from rivers, melds, indicators and own tiles."""
    table = visible.table
    tiles = [*visible.tiles, *table.dora]
    for hand in table.hands:
        tiles += [entry & 0xFF for entry in hand.river if not entry & 1 << 10]
        tiles += [tile for meld in hand.melds for tile in meld.tiles]
    return [4 - number for number in count_kinds(tiles)]


@pytest.mark.parametrize(
    ("name", "draws"), [("tenhou", [0, 0, 1, 1, 1, 1, 2]), ("tenhou-3", [0, 0, 1, 1, 1, 2, 2])]
)
def test_own_draws_are_the_rounded_share_of_the_wall(name: str, draws: list[int]) -> None:
    rules = preset(name)
    table = Table(rules=rules, hands=(Hand(),) * rules.players)
    counted = [count_visible(replace(table, left=left), 0).own_draws_left for left in range(7)]
    assert counted == draws


def test_shanten_and_useful_tiles_equal_a_plain_second_computation() -> None:
    seen = 0
    tables = list(tables_before_discards(bot_game(11)))
    for table in random.Random(4).sample(tables, 50):
        seat = table.turn
        visible = count_visible(view(table, seat), seat)
        assert table.phase == Phase.TURN
        assert legal(table, seat)
        unseen = count_unseen(visible)
        for kind in [kind for kind in range(KINDS) if visible.counts[kind]]:
            rest = visible.counts.copy()
            rest[kind] -= 1
            speed = speed_after(visible, kind)
            assert speed.shanten == plain_shanten(rest)
            assert speed.useful == {
                kind: unseen[kind] for kind in plain_useful(rest) if unseen[kind]
            }
            assert speed.unseen == sum(speed.useful.values())
            seen += 1
    assert seen > 500


def small_case(chance: random.Random) -> tuple[list[int], list[int], int]:
    """Return a hand of four or seven tiles, the unseen tiles, and a number of draws."""
    size, draws = chance.choice([(4, 3), (7, 2)])
    kinds = chance.sample(range(KINDS), 2) + list(
        range(first := 9 * chance.randrange(3), first + 6)
    )
    tiles = [kind for kind in set(kinds) for _ in range(4)]
    chance.shuffle(tiles)
    hand, unseen = [0] * KINDS, [0] * KINDS
    for tile in tiles[:size]:
        hand[tile] += 1
    for tile in tiles[size : size + 9]:
        unseen[tile] += 1
    return hand, unseen, draws


def landings(hand: list[int], drawn: int) -> list[list[int]]:
    """Return every hand of less shanten that a discard after this draw leaves."""
    base = plain_shanten(hand)
    nearer = []
    for kind in range(KINDS):
        after = hand.copy()
        after[drawn] += 1
        after[kind] -= 1
        if after[kind] >= 0 and plain_shanten(after) < base:
            nearer.append(after)
    return nearer


def chance_by_enumeration(hand: list[int], unseen: list[int], draws: int, *, is_win: bool) -> float:
    """Return the chance by going through every sequence of draws."""
    if not is_win and plain_shanten(hand) <= 0:
        return 1.0
    if not draws:
        return 0.0
    later = chance_by_enumeration(hand, unseen, draws - 1, is_win=is_win)
    chance = 0.0
    for kind, copies in enumerate(unseen):
        if not copies:
            continue
        best = later
        full = hand.copy()
        full[kind] += 1
        if is_win and plain_shanten(full) == -1:
            best = 1.0
        elif plain_shanten(full) < plain_shanten(hand):
            for after in landings(hand, kind):
                # The drawn tile is taken out, and the discarded one can be drawn again.
                left = [
                    copies + was - now for copies, was, now in zip(unseen, hand, after, strict=True)
                ]
                best = max(best, chance_by_enumeration(after, left, draws - 1, is_win=is_win))
        chance += copies * best
    return chance / sum(unseen)


def test_curves_equal_an_exhaustive_enumeration() -> None:
    chance = random.Random(7)
    by_shanten = [0] * 4
    for _ in range(CASES):
        hand, unseen, draws = small_case(chance)
        by_shanten[plain_shanten(hand)] += 1
        chances = chances_of(hand, unseen, players=4, melds=4 - sum(hand) // 3, draws=draws)
        for number in range(draws + 1):
            ready = chance_by_enumeration(hand, unseen, number, is_win=False)
            won = chance_by_enumeration(hand, unseen, number, is_win=True)
            assert chances.tenpai[number] == pytest.approx(ready, abs=1e-12)
            assert chances.win[number] == pytest.approx(won, abs=1e-12)
    assert all(number >= 5 for number in by_shanten[:3]), by_shanten


def jansou_outlook(visible: VisibleTiles, discard: int, *, values: bool) -> Outlook:
    """Return the outlook of the hand after a discard, with the values of jansou's own scorer."""
    table = visible.table
    tiles = list(visible.tiles)
    tiles.remove(discard)
    counts = count_kinds(tiles)
    reds = [0] * KINDS
    for tile in tiles:
        reds[kind_of(tile)] += is_red(tile)
    is_far = speed_after(visible, kind_of(discard)).shanten == MAX_CURVE_SHANTEN
    return hand_outlook(
        counts,
        len(visible.hand.melds),
        visible.own_draws_left,
        visible=[4 - mine - left for mine, left in zip(counts, visible.unseen, strict=True)],
        beam=1 if is_far else None,
        max_distance=None,
        valuation=Valuation(
            rules=oracle_rules(table.rules),
            melds=tuple(map(oracle_meld, visible.hand.melds)),
            dora_indicators=tuple(map(oracle_tile, table.dora)),
            round_wind=Wind(table.round_wind - EAST),
            seat_wind=Wind(table.wind_of(visible.seat) - EAST),
            red_fives=tuple(reds),
        )
        if values
        else None,
    )


def test_curves_of_the_binary_equal_those_of_pure_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The source of the binary is not public; jansou's own implementation in Python is."""
    monkeypatch.setattr("jansou.analysis._native.SOLVER", None)
    hands = [
        (visible, tile)
        for table in tables_before_discards(bot_game(11))
        for visible in (count_visible(view(table, table.turn), table.turn),)
        for tile in sorted(set(visible.tiles))
        if speed_after(visible, kind_of(tile)).shanten <= MAX_CURVE_SHANTEN
    ]
    for visible, tile in random.Random(5).sample(hands, PURE_HANDS):
        found, other = curves_after(visible, tile), jansou_outlook(visible, tile, values=False)
        assert found.tenpai == pytest.approx(other.ready, abs=1e-4)
        assert found.win == pytest.approx(other.win, abs=1e-4)


def test_expected_points_equal_those_with_values_of_another_scorer() -> None:
    tables = list(tables_before_discards(bot_game(11)))
    by_shanten = [0] * (MAX_CURVE_SHANTEN + 1)
    for table in random.Random(9).sample(tables, 30):
        visible = count_visible(view(table, table.turn), table.turn)
        tiles = {
            tile: speed.shanten
            for tile in sorted(set(visible.tiles))
            if (speed := speed_after(visible, kind_of(tile))).shanten <= MAX_CURVE_SHANTEN
        }
        for tile in list(tiles)[:2]:
            by_shanten[tiles[tile]] += 1
            found, other = curves_after(visible, tile), jansou_outlook(visible, tile, values=True)
            assert found.tenpai == pytest.approx(other.ready, abs=1e-4)
            assert found.win == pytest.approx(other.win, abs=1e-4)
            assert found.points == pytest.approx(other.win[-1] * other.points[-1], abs=0.1)
    assert all(by_shanten[1:]), by_shanten
