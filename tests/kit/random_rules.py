"""Makes random rule sets that the table form accepts, and deals in which many rules apply.

`random_rules` returns a rule set without contradictions. `staged_wall` deals hands with many kans,
with pairs that others can complete, or in tenpai, often for a yakuman.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from game.engine.by_seat import BySeat
from game.engine.consistency import contradiction_texts
from game.engine.events import Drawn, HandStarted
from game.engine.rules import RuleSet, unused_switches
from game.engine.state import DEALS_PER_ROUND, SEATS_OF, Table
from game.engine.tiles import KINDS, ORPHANS, kind_of
from game.engine.wall import LAYOUTS, dealt_tiles, dora_indicator, live_tile, tile_set
from tests.kit.random_games import shuffle_badly
from tests.kit.tables import lay_wall, replacement_places, tiles

_LARGEST: Final = 1_000_000
"""The largest number that the form accepts."""
_TYPES_OF_SWITCHES: Final = get_type_hints(RuleSet)
_DOUBLES: Final = ("kokushi_13", "suuankou_tanki", "junsei_chuuren", "daisuushi")
_YAKUMAN: Final = (
    *("19m19p19sESWNPFCC", "PPPFFFCCC22m345p", "EEESSSWWWNN345m", "EEESSSWWWNNNPP"),
    *("111222333m444p55s", "1112345678999m5m", "222333444666s88s", "111999m111999p11s"),
    *("EESSWWNNPPFFCC", "PPPFFFCCCEEESS", "1122334455667m7m", "23344455566m777m"),
)
_FREQUENT_VALUES: Final = {"fifth_kan": "use_ura", "sukaikan": "off", "nukidora": "north"}
"""Values of switches with which hands have many kans and norths set aside."""
_NOTEN_PAYMENTS: Final = {
    4: ((0, 0, 0), (1_000, 1_500, 3_000), (1_300, 2_000, 3_900), (0, 700, 999_900)),
    3: ((0, 0), (1_000, 2_000), (1_500, 3_000), (300, 999_800)),
}
_HAND_SIZE: Final = 13
_EARLY_DRAWS: Final = 20
"""The number of first draws among which staged hands find their tiles."""


def random_rules(rng: Random, players: Literal[3, 4] = 4) -> RuleSet:
    """Return a rule set for `players` players that the form and the engine accept. Each switch that
    exists for that number can get each of its values. Numbers are mostly usual ones, and sometimes
    the smallest or largest that is allowed."""
    given = ("name", "version", "players", *unused_switches(players))
    while True:
        switches = {
            name: _random_value(rng, name, players)
            for name in _TYPES_OF_SWITCHES
            if name not in given
        }
        switches |= {"players": players, **unused_switches(players), **_random_points(rng, players)}
        rules = RuleSet(**_without_contradictions(rng, switches), name="own")
        if not contradiction_texts(rules):
            return rules


def _random_value(rng: Random, name: str, players: int) -> Any:
    hint = _TYPES_OF_SWITCHES[name]
    if name in _FREQUENT_VALUES and rng.random() < 0.5:
        return _FREQUENT_VALUES[name]
    if get_origin(hint) is Literal:
        return rng.choice(get_args(hint))
    if hint is bool:
        return rng.random() < 0.5
    match name:
        case "red_fives":
            man, *others = (rng.randrange(4 if players == 4 else 5) for _ in range(3))
            return (man if players == 4 else 0, *others)
        case "double_yakuman":
            return tuple(yaku for yaku in _DOUBLES if rng.random() < 0.5)
        case "uma":
            return _random_uma(rng, players)
        case "floating_uma":
            rows = tuple(_random_uma(rng, players) for _ in range(players + 1))
            return rows if rng.random() < 0.3 else ()
        case "riichi_tiles_left":
            live = LAYOUTS[players].live
            return rng.choice((0, 1, 4, live - 1, rng.randrange(live)))
        case "two_han_minimum_from":
            return rng.choice((0, 1, 2, 5, _LARGEST))
        case "yakuman_cap":
            return rng.choice((1, 2, 6, _LARGEST))
        case "honba_points":
            unit = 100 * (players - 1)
            return unit * rng.choice((0, 1, 5, _LARGEST // unit))
        case "noten_payments":
            return rng.choice(_NOTEN_PAYMENTS[players])
        case "chombo_points":
            return rng.choice((0, 20_000, _LARGEST))
        case "chombo_honba":
            return rng.choice((0, 1, _LARGEST))
        case "goal_points":
            return 100 * rng.choice((0, 250, 300, 400, _LARGEST // 100))
        case _:
            return getattr(RuleSet(), name)


def _random_uma(rng: Random, players: int) -> tuple[int, ...]:
    most = rng.choice((20, 20, 20, _LARGEST // 3))
    others = [rng.randint(-most, most) for _ in range(players - 1)]
    row = [*others, -sum(others)]
    rng.shuffle(row)
    return tuple(row)


def _random_points(rng: Random, players: int) -> dict[str, int]:
    """Return start points, with return points and oka that fit them, by switch."""
    start = 100 * rng.choice((0, 10, 250, 250, 300, _LARGEST // 200))
    paid_in = 100 * rng.choice((0, 0, 50, 1))
    oka = players * paid_in * rng.choice((0, 1, 1))
    return {"start_points": start, "return_points": start + paid_in, "oka": oka}


def _without_contradictions(rng: Random, switches: dict[str, Any]) -> dict[str, Any]:
    """Return the switches; some are changed where they contradict each other."""
    if switches["chombo"] == "impossible":
        switches |= {"chombo_points": 0, "chombo_honba": 0, "false_declarations": False}
    elif switches["chombo"] != "after_game":
        switches["chombo_points"] = 0
    if switches["fifth_kan"] == "use_ura" and switches["players"] == 3:
        switches["fifth_kan"] = "forbidden"
    if switches["fifth_kan"] == "use_ura":
        switches["ura_dora"] = True
    switches["kan_ura"] &= switches["ura_dora"] and switches["kan_dora"]
    if switches["open_kan_dora"] == "before_replacement":
        switches["pending_dora_at_robbery"] = False
    return switches


def random_start(rng: Random, table: Table) -> tuple[HandStarted, Drawn]:
    """Return the first events of a hand, with any round, counters, sticks and scores that the rules
    allow. `table` is a table whose game has just begun."""
    rules = table.rules
    rounds = (1 if rules.length == "east" else 2) + rules.extra_round
    dealer = rng.randrange(rules.players)
    kyoku = DEALS_PER_ROUND * rng.randrange(rounds) + dealer
    kyotaku = rng.choice((0, 0, 1, 2, 3))
    wall = staged_wall(rules, rng)
    started = HandStarted(
        bakaze=2 * (27 + kyoku // DEALS_PER_ROUND),
        kyoku=dealer + 1,
        honba=rng.choice((0, 0, 1, 4, 5, 12)),
        kyotaku=kyotaku,
        oya=dealer,
        dora_marker=dora_indicator(wall, 0),
        scores=_random_scores(rng, rules, kyotaku),
        tehais=tuple(dealt_tiles(wall, (seat - dealer) % rules.players) for seat in table.seats),
        wall=wall,
    )
    return started, Drawn(dealer, live_tile(wall, LAYOUTS[rules.players].live, 0))


def _random_scores(rng: Random, rules: RuleSet, kyotaku: int) -> BySeat[int]:
    """Return scores whose sum fits the rules and sticks; several are often equal."""
    total = rules.players * rules.start_points - 1_000 * kyotaku
    least = 0 if rules.tobi else -20_000
    spread = rng.choice((0, 100, 5_000, 20_000))
    share = total // (100 * rules.players)
    others = range(rules.players - 1)
    scores = [100 * (share + rng.randint(-spread, spread) // 100) for _ in others]
    scores = [max(least, score) for score in scores]
    scores.append(total - sum(scores))
    if rng.random() < 0.5:
        rng.shuffle(scores)
    return tuple(scores)


def staged_wall(rules: RuleSet, rng: Random) -> bytes:
    """Return a wall for these rules. It is badly shuffled, or deals hands with kans, with pairs, or
    in tenpai. With some walls one player draws only terminals and honours."""
    kind = rng.choice(
        ("calls", "calls", "kans", "kans", "pairs", "tenpai", "tenpai", "badly shuffled")
    )
    if kind == "badly shuffled":
        return shuffle_badly(rules, rng, rng.choice((2.0, 10.0, 40.0)))
    spare = _SpareTiles(rules, rng)
    if kind == "calls":
        rows, early = _deal_calls(spare, rng)
    else:
        stage = {"kans": _deal_kans, "pairs": _deal_pairs, "tenpai": _deal_tenpai}[kind]
        staged = [stage(spare, rng) for _ in SEATS_OF[rules.players]]
        rows = [row for row, _ in staged]
        early = [tile for _, wanted in staged for tile in wanted]
    rng.shuffle(rows)
    for row in rows:
        row += spare.take_any(_HAND_SIZE - len(row))
    first = [*early, *spare.take_any(_EARLY_DRAWS - len(early))]
    rng.shuffle(first)
    dora, ura = spare.take_any(5), spare.take_any(5)
    replacements = spare.take_any(len(replacement_places(rules.players)))
    live = [*first, *spare.take_any(LAYOUTS[rules.players].tiles)]
    if rng.random() < 0.1:
        _give_orphans(live, rng.choice(SEATS_OF[rules.players]), rules.players)
    return lay_wall(rows, live, replacements, (dora, ura), dealer=0)


def _give_orphans(live: list[int], place: int, players: int) -> None:
    """Exchange tiles of the live wall so that the seat in that place draws only terminals and
    honours."""
    drawn = range(min(LAYOUTS[players].live, len(live)))
    is_orphan = [bool(ORPHANS >> kind_of(live[at]) & 1) for at in drawn]
    others = [at for at in drawn if at % players != place and is_orphan[at]]
    for at in range(place, len(drawn), players):
        if others and not ORPHANS >> kind_of(live[at]) & 1:
            other = others.pop()
            live[at], live[other] = live[other], live[at]


class _SpareTiles:
    """The tiles that are not dealt yet."""

    def __init__(self, rules: RuleSet, rng: Random) -> None:
        self._rng = rng
        self.players = rules.players
        self._tiles = tile_set(rules)
        rng.shuffle(self._tiles)

    def count(self, kind: int) -> int:
        return sum(kind_of(tile) == kind for tile in self._tiles)

    def take(self, kinds: Sequence[int]) -> list[int]:
        """Take one tile of each of these kinds, where one is left."""
        taken = []
        for kind in kinds:
            found = next((tile for tile in self._tiles if kind_of(tile) == kind), None)
            if found is not None:
                self._tiles.remove(found)
                taken.append(found)
        return taken

    def take_any(self, count: int) -> list[int]:
        taken, self._tiles = self._tiles[:count], self._tiles[count:]
        return taken

    def kinds_with(self, count: int) -> list[int]:
        """Return the kinds of which at least `count` tiles are left, in random order."""
        kinds = [kind for kind in range(KINDS) if self.count(kind) >= count]
        self._rng.shuffle(kinds)
        return kinds


def _deal_kans(spare: _SpareTiles, rng: Random) -> tuple[list[int], list[int]]:
    """Deal up to three kinds with all four tiles, or with three tiles and the fourth drawn early.
    Return the hand and the early draws."""
    row: list[int] = []
    early: list[int] = []
    for kind in spare.kinds_with(4)[: rng.choice((2, 3, 3, 3, 3, 3))]:
        four = spare.take([kind] * 4)
        if rng.random() < 0.8:
            row += four
        else:
            row += four[:3]
            early += four[3:]
    return row, early


def _deal_calls(spare: _SpareTiles, rng: Random) -> tuple[list[list[int]], list[int]]:
    """Deal one player pairs of all dragons or winds, and each other player one tile of each of
    these kinds to discard. After the calls the rest of the hand is tenpai, and its winning tiles
    are drawn early. Return the hands and the early draws."""
    honours, rest = rng.choice((("PFC", "2223m"), ("PFC", "EEES"), ("ESWN", "8p")))
    pairs = "".join(honour * 2 for honour in honours)
    owner = spare.take([kind_of(tile) for tile in tiles(pairs + rest)])
    single = [kind_of(tile) for tile in tiles(honours)]
    rows = [owner, *(spare.take(single) for _ in range(2)), *[[]] * (spare.players - 3)]
    return rows, spare.take([kind_of(tile) for tile in tiles(rest + rest)])


def _deal_pairs(spare: _SpareTiles, rng: Random) -> tuple[list[int], list[int]]:
    """Deal pairs and triplets, mostly of honours. Others draw the last tiles of these kinds early.
    Return the hand and the early draws."""
    row: list[int] = []
    early: list[int] = []
    kinds = sorted(spare.kinds_with(3), key=lambda kind: kind < 27 and rng.random() < 0.8)
    for kind in kinds[:4]:
        row += spare.take([kind] * rng.choice((2, 2, 3)))
        early += spare.take([kind])
    return row, early


def _deal_tenpai(spare: _SpareTiles, rng: Random) -> tuple[list[int], list[int]]:
    """Deal a tenpai hand whose winning tile is drawn early. Return the hand and the early draws."""
    whole = [kind_of(tile) for tile in tiles(rng.choice(_YAKUMAN))]
    if rng.random() < 0.5 or any(spare.count(kind) < whole.count(kind) for kind in whole):
        whole = _complete_hand(rng)
    got = spare.take(whole)
    rng.shuffle(got)
    return got[1:], got[:1]


def _complete_hand(rng: Random) -> list[int]:
    """Return the kinds of a complete hand: four sets and a pair, or seven pairs."""
    if rng.random() < 0.1:
        return [kind for kind in rng.sample(range(KINDS), 7) for _ in range(2)]
    kinds = [rng.randrange(KINDS)] * 2
    for _ in range(4):
        if rng.random() < 0.4:
            kinds += [rng.randrange(KINDS)] * 3
        else:
            low = 9 * rng.randrange(3) + rng.randrange(7)
            kinds += [low, low + 1, low + 2]
    return kinds
