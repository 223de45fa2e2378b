"""Figures of hands: each definition by an example, and recounts of recorded games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import msgspec
import pytest

from bench.played_games import play_room
from game.engine.events import (
    ChiCalled,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandDrawn,
    HandStarted,
    NorthSetAside,
    RiichiDeclared,
    Won,
)
from game.engine.evolve import evolve
from game.engine.hand import is_closed, waits_of
from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Riichi, Table
from game.engine.tiles import kind_of
from game.results.game_figures import count_game
from game.results.play_figures import (
    PlayFigures,
    decode_figures,
    encode_figures,
    sum_figures,
)
from game.tables.room import SeatMeta
from tests.kit import replay_states
from tests.web.finished_games import AT, ROWS, SEED, draw_event, hand, win_event

PLAYERS = ("a", "b", "c", "d")
GAMES = 24


def figures_of(events: Sequence[Event], rules: RuleSet = TENHOU) -> list[PlayFigures]:
    """Return the figures by seat of players who stayed."""
    players = PLAYERS[: rules.players]
    start = GameStarted(("",) * rules.players, rules, SEED)
    found = count_game([(players, (start, *events))])
    return [found.players.get(player, PlayFigures()) for player in players]


def tiles(text: str) -> list[int]:
    """Return the tiles of a text such as '123m55z', without red ones."""
    found, digits = list[int](), ""
    for letter in text:
        if letter.isdigit():
            digits += letter
        else:
            suit = "mpsz".index(letter)
            found += [2 * (9 * suit + int(digit) - 1) for digit in digits]
            digits = ""
    return found


def deal_of(seat: int, text: str) -> HandStarted:
    rows: list[Any] = list(ROWS)
    rows[seat] = tuple(tiles(text))
    return msgspec.structs.replace(hand(0), tehais=tuple(rows))


def discard(actor: int, text: str = "1z") -> Discarded:
    return Discarded(actor, tiles(text)[0], True)


def win(actor: int, target: int, points: int, **changes: Any) -> Won:
    return msgspec.structs.replace(win_event(actor, target, points, (0, 0, 0, 0)), **changes)


def test_riichi_counts_turns_and_chasing() -> None:
    events = [
        *(hand(0), discard(0), discard(1), discard(2), discard(3)),
        *(RiichiDeclared(0), discard(0), discard(1), RiichiDeclared(2), discard(2)),
        win(0, 2, 8000, yaku=(("riichi", 1), ("ippatsu", 1), ("ura", 2)), scores=(33_000,) * 4),
    ]
    first, _, chasing, _ = figures_of(events)
    assert (first.riichi, first.riichi_turns, first.riichi_chasing) == (1, 2, 0)
    assert (first.riichi_wins, first.riichi_win_turns, first.riichi_win_points) == (1, 2, 8000)
    assert (first.riichi_ippatsu, first.riichi_ura, first.riichi_balance) == (1, 1, 8000)
    assert (chasing.riichi_turns, chasing.riichi_chasing, chasing.riichi_deal_ins) == (2, 1, 1)
    assert (chasing.paid_to_riichi, chasing.paid_to_dealer, chasing.paid_wins) == (1, 1, 1)


def test_own_riichi_stick_is_part_of_the_balance() -> None:
    end = draw_event("exhaustive", scores=(24_000, 25_000, 25_000, 25_000))
    zero = figures_of([hand(0), RiichiDeclared(0), discard(0), end])[0]
    assert (zero.riichi_balance, zero.riichi_draws) == (-1_000, 1)


def test_wins_are_counted_by_their_kind() -> None:
    open_win = [hand(0), ChiCalled(1, 0, 0, (2, 4)), discard(1), Drawn(1, 0), win(1, 1, 2000)]
    damaten = [hand(1), discard(2), discard(2), win(1, 2, 3900, yaku=(("pinfu", 1),))]
    zero, one, two, _ = figures_of([*open_win, *damaten])
    assert (one.open_wins, one.open_win_points, one.open_win_turns) == (1, 2000, 2)
    assert (one.damaten_wins, one.damaten_win_points, one.damaten_win_turns) == (1, 3900, 2)
    assert (one.riichi_wins, one.tsumo_wins) == (0, 1)
    assert (two.paid_to_damaten, two.closed_deal_ins, zero.deal_ins) == (1, 1, 0)
    assert one.yaku == {"riichi": 1, "tanyao": 1, "pinfu": 1}


def test_robbed_kan_counts_as_the_next_turn() -> None:
    robbed = win(1, 2, 1000, yaku=(("chankan", 1),))
    assert figures_of([hand(0), discard(2), robbed])[1].damaten_win_turns == 2


def test_deal_ins_are_counted_by_own_state() -> None:
    called = [hand(0), ChiCalled(0, 3, 0, (2, 4)), discard(0), win(1, 0, 1000), win(2, 0, 1000)]
    zero = figures_of(called)[0]
    assert (zero.deal_ins, zero.open_deal_ins, zero.closed_deal_ins) == (1, 1, 0)
    assert zero.paid_wins == 2


@pytest.mark.parametrize(
    ("held", "is_good"),
    [
        ("123m456m789m23p99p1z", True),  # 1 and 4 pin: eight tiles
        ("123m456m789m23p11p1z", True),  # 1 and 4 pin: six, since the pair is 1 pin
        ("123m456m789m22p33p1z", False),  # two pairs: four tiles
        ("123m456m789m13p99p1z", False),  # a closed wait: four tiles
        ("123m456m123p4567s1z", True),  # 4 and 7 sou: six tiles
    ],
)
def test_good_wait_has_two_kinds_and_six_tiles(held: str, is_good: bool) -> None:
    events = [deal_of(0, held), RiichiDeclared(0), discard(0), draw_event("exhaustive")]
    assert figures_of(events)[0].riichi_good_waits == is_good


def test_repeats_of_the_dealer_are_counted() -> None:
    end = draw_event("exhaustive")
    again = hand(0, 1)
    zero, one, _, _ = figures_of([hand(0), end, again, end, hand(1, 2), end])
    assert (zero.dealer_hands, zero.dealer_repeats) == (2, 1)
    assert (one.dealer_hands, one.dealer_repeats) == (1, 0)


def test_yakuman_are_counted_apart_from_yaku() -> None:
    yakuman = win(0, 0, 48_000, yaku=(("daisangen", 1),), yakuman=1, limit="yakuman")
    counted = win(0, 0, 48_000, yaku=(("chinitsu", 6), ("dora", 8)), limit="kazoe_yakuman")
    zero = figures_of([hand(0), yakuman, hand(0, 1), counted])[0]
    assert zero.yakuman == {"daisangen": 1, "kazoe_yakuman": 1}
    assert zero.yaku == {"chinitsu": 1, "dora": 1}


def test_best_hand_has_its_place_in_the_replay() -> None:
    events = [
        *(hand(0), discard(0), win(0, 0, 2000)),
        *(hand(0, 1), discard(0), discard(1), win(0, 1, 12_000), hand(0, 2), win(0, 0, 12_000)),
    ]
    best = figures_of(events)[0].best
    assert best is not None
    assert (best.points, best.hand, best.step, best.seat) == (12_000, 1, 3, 0)


def test_sums_are_undone_and_stored() -> None:
    one = figures_of([hand(0), RiichiDeclared(1), discard(1), win(1, 0, 8000)])[1]
    total = PlayFigures()
    total.add(one)
    total.add(one)
    assert (total.wins, total.yaku["riichi"]) == (2, 2)
    assert sum_figures([one, one]) == total
    assert sum_figures([]) == PlayFigures()
    assert decode_figures(encode_figures(total)) == total
    total.add(one, -1)
    assert encode_figures(total) == encode_figures(one)
    total.add(one, -1)
    assert total.is_zero


def recount(events: Sequence[Event], players: int) -> list[dict[str, int]]:
    """Return figures by seat, counted from the engine's tables before and after each event."""
    table = Table()
    found: list[dict[str, int]] = [{} for _ in range(players)]
    is_open_north = False
    in_hand: list[tuple[int, str, int]] = []
    first = table

    def count(seat: int, name: str, number: int = 1) -> None:
        in_hand.append((seat, name, number))

    def state_of(seat: int) -> str:
        if table.hands[seat].riichi != Riichi.NONE:
            return "riichi"
        return "damaten" if is_closed(table.hands[seat].melds) else "open"

    declared: set[int] = set()
    losers: set[int] = set()
    for event in events:
        after = evolve(table, event)
        match event:
            case HandStarted():
                in_hand, first, declared, losers = [], after, set(), set()
                is_open_north = False
            case NorthSetAside():
                is_open_north = True
            case Drawn():
                is_open_north = False
            case RiichiDeclared(actor=actor):
                others = [hand for at, hand in enumerate(table.hands) if at != actor]
                is_chasing = any(hand.riichi != Riichi.NONE for hand in others)
                count(actor, "riichi_chasing", int(is_chasing))
                count(actor, "riichi_turns", len(table.hands[actor].river) + 1)
                declared.add(actor)
            case Discarded(actor=actor) if actor in declared:
                declared.remove(actor)
                own = after.hands[actor]
                held = [kind_of(tile) for tile in own.tiles]
                held += [kind_of(tile) for meld in own.melds for tile in meld.tiles]
                kinds = [kind for kind in range(34) if waits_of(own) & 1 << kind]
                left = sum(4 - held.count(kind) for kind in kinds)
                count(actor, "riichi_good_waits", int(len(kinds) > 1 and left >= 6))
            case Won(actor=actor, target=target):
                state = state_of(actor)
                count(actor, f"{state}_wins")
                count(actor, f"{state}_win_points", event.points)
                river = len(table.hands[target].river)
                is_robbed = is_open_north or any(name == "chankan" for name, _ in event.yaku)
                count(actor, f"{state}_win_turns", river + (actor == target or is_robbed))
                if actor != target:
                    count(target, f"paid_to_{state}")
                    if target not in losers:
                        own_state = state_of(target).replace("damaten", "closed")
                        count(target, f"{own_state}_deal_ins")
                    losers.add(target)
            case _:
                pass
        if isinstance(event, Won | HandDrawn):
            for seat, name, number in in_hand:
                found[seat][name] = found[seat].get(name, 0) + number
            in_hand = []
            for seat, own_hand in enumerate(table.hands):
                if own_hand.riichi != Riichi.NONE:
                    gained = after.scores[seat] - first.scores[seat]
                    found[seat]["riichi_balance"] = found[seat].get("riichi_balance", 0) + gained
            first = after
        table = after
    return found


@pytest.mark.skipif(not replay_states.RECORDS.is_dir(), reason="needs recorded games")
def test_recorded_games_recounted(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = 0
    for path in islice(sorted(replay_states.record_files()), 0, None, 150 // GAMES):
        events = replay_states.recorded_game(path, monkeypatch)
        hands += sum(isinstance(event, HandStarted) for event in events)
        assert_recounted(events, TENHOU, path.name)
    assert hands >= 200


def test_played_games_of_three_recounted() -> None:
    rules = preset("tenhou-3")
    sat = tuple(SeatMeta(player, person=player) for player in PLAYERS[:3])
    norths = 0
    for seed in range(3):
        _room, log = play_room("three", sat, rules, seed=seed, started_at=AT)
        events = [event for commit in log for event in commit.events]
        norths += sum(isinstance(event, NorthSetAside) for event in events)
        assert_recounted(events, rules, f"seed {seed}")
    assert norths > 20


def assert_recounted(events: Sequence[Event], rules: RuleSet, name: str) -> None:
    for figures, wanted in zip(
        figures_of(events, rules), recount(events, rules.players), strict=True
    ):
        counted = {field: getattr(figures, field) for field in wanted}
        assert counted == wanted, name
        assert figures.riichi_wins + figures.open_wins + figures.damaten_wins == figures.wins
        own_states = figures.riichi_deal_ins + figures.open_deal_ins + figures.closed_deal_ins
        assert own_states == figures.deal_ins
