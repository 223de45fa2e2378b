"""Who pays whom: wins, draws and the final ranking.

Owns the arithmetic of points. It takes the worth of a hand (`game.engine.value`) as given,
and is told by its caller which win receives honba and sticks. Points are whole numbers;
deltas are changes by seat. Pure functions, no table.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from game.engine.pao import LAST_TILES, RINSHAN
from game.engine.rules import RuleSet
from game.engine.state import SEATS
from game.engine.value import HandValue

FourInts = tuple[int, int, int, int]
Placement = tuple[tuple[int, float], ...]

NOBODY: Final = -1
STICK: Final = 1_000
_MANGAN: Final = 2_000
_YAKUMAN: Final = 8_000
_WHATEVER: Final = (RINSHAN, LAST_TILES)
"""Liabilities for whatever the hand comes to."""


def hand_points(value: HandValue, is_dealer: bool, is_tsumo: bool) -> int:
    """What a hand is worth from all payers together, without honba and sticks."""
    points = _tsumo_points if is_tsumo else _ron_points
    return points(value.base, is_dealer)


def win_payments(
    rules: RuleSet,
    value: HandValue,
    winner: int,
    target: int,
    dealer: int,
    honba: int,
    kyotaku: int,
    liable: tuple[tuple[str, int], ...],
) -> tuple[FourInts, int]:
    """The changes of points by a win, and the seat that was made responsible (or -1).

    `target` dealt in, and is the winner itself on a self-draw. `honba` and `kyotaku` are
    those that this win receives: with several winners the caller shares them out. `liable`
    are the yakuman for which another seat is responsible, in the order in which it became
    so; it counts only if the hand scores that yakuman.
    """
    deltas = [0, 0, 0, 0]
    shares = _liable_shares(rules, value, liable)
    for seat, base in shares:
        _pay_liable(deltas, base, winner, target, dealer, seat)
    rest = value.base - sum(base for _, base in shares)
    if rest:
        _pay_share(deltas, rest, winner, target, dealer)
    first_liable = shares[0][0] if shares else NOBODY
    covers_all = bool(shares) and not rest
    _pay_honba(deltas, rules, winner, target, honba, first_liable, covers_all)
    deltas[winner] += STICK * kyotaku
    return _four(deltas), first_liable


def noten_payments(rules: RuleSet, tenpais: Sequence[bool]) -> FourInts:
    """The changes at an exhaustive draw: those not tenpai pay those who are."""
    ready = sum(tenpais)
    if ready in (0, 4):
        return 0, 0, 0, 0
    gain = rules.noten_payments // ready
    loss = rules.noten_payments // (4 - ready)
    return _four([gain if tenpai else -loss for tenpai in tenpais])


def split_sticks(
    rules: RuleSet, kyotaku: int, winners: Sequence[int], in_riichi: Collection[int]
) -> dict[int, int]:
    """How many of the `kyotaku` sticks each winner takes. The first winner is the nearest.

    Each winner who is `in_riichi` has laid one of these sticks in this hand.
    """
    own_first = rules.sticks_multi == "own_then_nearest"
    sticks = {seat: int(own_first and seat in in_riichi) for seat in winners}
    sticks[winners[0]] += kyotaku - sum(sticks.values())
    return sticks


def nagashi_payments(
    rules: RuleSet,
    dealer: int,
    seats: Sequence[int],
    *,
    honba: int = 0,
    kyotaku: int = 0,
    in_riichi: Collection[int] = (),
) -> FourInts:
    """The changes by nagashi mangan: each of `seats` is paid as for a self-drawn mangan. Where
    it is a win, counters and sticks are split as with several wins; the first of `seats` counts
    as the nearest."""
    deltas = [0, 0, 0, 0]
    for winner in seats:
        _pay_share(deltas, _MANGAN, winner, winner, dealer)
        if rules.nagashi_mangan == "win" and (winner == seats[0] or rules.honba_multi == "each"):
            _pay_honba(deltas, rules, winner, winner, honba, NOBODY, covers_all=False)
    if rules.nagashi_mangan == "win":
        for seat, sticks in split_sticks(rules, kyotaku, seats, in_riichi).items():
            deltas[seat] += STICK * sticks
    return _four(deltas)


def final_placement(
    rules: RuleSet, scores: FourInts, kyotaku: int, chombos: FourInts = (0, 0, 0, 0)
) -> tuple[FourInts, Placement]:
    """The final scores with leftover sticks given out, and by seat place and points.

    Points are thousands, with oka and uma. Places, uma and oka follow from `scores`, the scores
    before leftover sticks are given out. The earlier seat from the first dealer ranks higher in
    a tie, or tied seats share their places, uma and oka (`RuleSet.ties`) in hundreds, the odd
    hundreds going to the earliest seats. What a chombo costs after the game changes no place.
    """
    final = _with_leftover_sticks(rules, scores, kyotaku)
    uma, oka = _bonus(rules, scores)
    places = [0, 0, 0, 0]
    points = [0, 0, 0, 0]
    for first, tied in _ties(rules, scores):
        for seat in tied:
            places[seat] = first
            points[seat] = (
                _rounded(rules, final[seat]) - rules.return_points + uma[seat] + oka[seat]
            )
    if rules.rounding != "none":
        _balance(points, [seat for seat in SEATS if places[seat] == 1])
    if rules.chombo == "after_game":
        points = [points[seat] - rules.chombo_points * chombos[seat] for seat in SEATS]
    return final, tuple((places[seat], points[seat] / 1_000) for seat in SEATS)


def final_bonus(rules: RuleSet, scores: FourInts) -> tuple[tuple[float, float], ...]:
    """By seat the uma and the oka that `final_placement` gives for these scores, in
    thousands."""
    uma, oka = _bonus(rules, scores)
    return tuple((uma[seat] / 1_000, oka[seat] / 1_000) for seat in SEATS)


def _up_to_hundred(points: int) -> int:
    return -(-points // 100) * 100


def _ron_points(base: int, is_dealer: bool) -> int:
    return _up_to_hundred((6 if is_dealer else 4) * base)


def _tsumo_points(base: int, is_dealer: bool) -> int:
    """From all three together."""
    if is_dealer:
        return 3 * _up_to_hundred(2 * base)
    return _up_to_hundred(2 * base) + 2 * _up_to_hundred(base)


def _four(deltas: Sequence[int]) -> FourInts:
    east, south, west, north = deltas
    return east, south, west, north


def _transfer(deltas: list[int], payer: int, winner: int, points: int) -> None:
    deltas[payer] -= points
    deltas[winner] += points


def _pay_share(deltas: list[int], base: int, winner: int, target: int, dealer: int) -> None:
    """Pay this many base points in the ordinary way, honba aside."""
    if target != winner:
        _transfer(deltas, target, winner, _ron_points(base, winner == dealer))
        return
    for payer in SEATS:
        if payer != winner:
            is_double = dealer in (winner, payer)
            _transfer(deltas, payer, winner, _up_to_hundred((2 if is_double else 1) * base))


def _liable_shares(
    rules: RuleSet, value: HandValue, liable: tuple[tuple[str, int], ...]
) -> list[tuple[int, int]]:
    """The seats that are responsible for what this hand scores, and for how many base points.

    Under "whole_hand" the first seat that is liable for something in the hand answers for
    all of it; under "own_yakuman" each only for its own yakuman. Under "whole_hand_if_alone"
    the only liable seat answers for all of it, and several each for their own yakuman.
    """
    counts = dict(value.yaku)
    due = [(seat, name) for name, seat in liable if name in counts or name in _WHATEVER]
    is_alone = len({seat for seat, _ in due}) == 1
    if due and (
        not value.yakuman
        or rules.pao_composite == "whole_hand"
        or (rules.pao_composite == "whole_hand_if_alone" and is_alone)
    ):
        return [(due[0][0], value.base)]
    shares = []
    left = value.base
    for seat, name in due:
        if left:
            own = left if name in _WHATEVER else counts[name] * _YAKUMAN
            shares.append((seat, min(own, left)))
            left -= shares[-1][1]
    return shares


def _pay_liable(
    deltas: list[int], base: int, winner: int, target: int, dealer: int, seat: int
) -> None:
    """The liable seat pays a self-draw alone; a ron it halves with whoever dealt in, who
    pays the odd hundred."""
    if target == winner:
        _transfer(deltas, seat, winner, _tsumo_points(base, winner == dealer))
        return
    points = _ron_points(base, winner == dealer)
    half = points if target == seat else points // 200 * 100
    _transfer(deltas, seat, winner, half)
    _transfer(deltas, target, winner, points - half)


def _pay_honba(
    deltas: list[int],
    rules: RuleSet,
    winner: int,
    target: int,
    honba: int,
    liable: int,
    covers_all: bool,
) -> None:
    """Honba is paid by whoever dealt in, or by all; `pao_honba` says when by the liable seat.

    A self-draw that one seat pays alone includes its honba under either setting.
    """
    points = rules.honba_points * honba
    if liable != NOBODY and rules.pao_honba == "pao_player":
        _transfer(deltas, liable, winner, points)
    elif target != winner:
        _transfer(deltas, target, winner, points)
    elif covers_all:
        _transfer(deltas, liable, winner, points)
    else:
        for payer in SEATS:
            if payer != winner:
                _transfer(deltas, payer, winner, points // 3)


def _with_leftover_sticks(rules: RuleSet, scores: FourInts, kyotaku: int) -> FourInts:
    """Hand out the sticks still on the table. Seats that are tied for the first place share
    them in hundreds, unless the first place is one seat's and the sticks are the winner's."""
    final = list(scores)
    if rules.leftover_sticks == "void":
        return scores
    if rules.leftover_sticks == "winner":
        _, winners = _ties(rules, scores)[0]
    else:
        winners = [seat for seat in SEATS if scores[seat] == max(scores)]
    for seat, share in zip(winners, _shares(STICK * kyotaku, len(winners)), strict=True):
        final[seat] += share
    return _four(final)


def _shares(points: int, count: int) -> list[int]:
    """Whole hundreds split into so many shares. The first ones have one hundred more where it
    does not come out even."""
    share, odd = divmod(points // 100, count)
    return [100 * (share + (number < odd)) for number in range(count)]


def _uma_of(rules: RuleSet, scores: FourInts) -> tuple[int, int, int, int]:
    if not rules.floating_uma:
        return rules.uma
    return rules.floating_uma[sum(score >= rules.return_points for score in scores)]


def _bonus(rules: RuleSet, scores: FourInts) -> tuple[list[int], list[int]]:
    """Uma and oka by seat, in points; tied seats share those of their places."""
    by_place = _uma_of(rules, scores)
    uma, oka = [0] * 4, [0] * 4
    for first, tied in _ties(rules, scores):
        count = len(tied)
        uma_of_places = 1_000 * sum(by_place[first - 1 : first - 1 + count])
        for seat, share in zip(tied, _shares(uma_of_places, count), strict=True):
            uma[seat] = share
        for seat, share in zip(tied, _shares(rules.oka, count), strict=True):
            oka[seat] = share if first == 1 else 0
    return uma, oka


def _ties(rules: RuleSet, scores: FourInts) -> list[tuple[int, list[int]]]:
    """The seats by rank, those that share a place together, with that place (1..4)."""
    groups: list[tuple[int, list[int]]] = []
    ranking = sorted(SEATS, key=lambda seat: (-scores[seat], seat))
    for place, seat in enumerate(ranking, 1):
        if rules.ties == "share" and groups and scores[groups[-1][1][0]] == scores[seat]:
            groups[-1][1].append(seat)
        else:
            groups.append((place, [seat]))
    return groups


def _rounded(rules: RuleSet, score: int) -> int:
    """To whole thousands. A half goes away from zero, as it does in Tenhou's records (25,500
    counts 26, -15,500 counts -16), or towards it under "five_down_six_up"."""
    match rules.rounding:
        case "none":
            return score
        case "half_up":
            carry = 500
        case "five_down_six_up":
            carry = 400
    thousands = (abs(score) + carry) // 1_000 * 1_000
    return thousands if score >= 0 else -thousands


def _balance(points: list[int], winners: list[int]) -> None:
    """Give the first place what the others have lost, so that the sum is zero. Seats that share
    it have even parts, in hundreds."""
    others = sum(points[seat] for seat in SEATS if seat not in winners)
    for seat, share in zip(winners, _shares(-others, len(winners)), strict=True):
        points[seat] = share
