"""Payments for wins and draws, and the final ranking.

Owns the arithmetic of points. Must not know tables: the value of a hand (`game.engine.value`) and
the honba and sticks that a win receives are arguments. Points are integers, deltas are changes by
seat.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from game.engine.by_seat import BySeat
from game.engine.pao import LAST_TILES, RINSHAN
from game.engine.rules import RuleSet
from game.engine.state import NOBODY, SEATS_OF, STICK_POINTS
from game.engine.value import MANGAN_BASE, YAKUMAN_BASE, HandValue

Placement = tuple[tuple[int, float], ...]

_LIABLE_FOR_ANY_WIN: Final = (RINSHAN, LAST_TILES)
"""Liabilities that do not depend on the yaku of the hand."""


class _TsumoShares(NamedTuple):
    """The share of each payer of a self-draw, in halves of the base points, rounded up to
    hundreds."""

    dealer: int
    other: int
    to_dealer: int
    """What each pays if the dealer has won."""
    added: int = 0
    """Points that each pays in addition."""


_TSUMO_SHARES: Final = {
    "loss": _TsumoShares(dealer=4, other=2, to_dealer=4),
    "split_half": _TsumoShares(dealer=5, other=3, to_dealer=6),
    "split_equal": _TsumoShares(dealer=4, other=4, to_dealer=6),
    "dealer_pays": _TsumoShares(dealer=6, other=2, to_dealer=6),
    "add_1000": _TsumoShares(dealer=4, other=2, to_dealer=4, added=1_000),
}
"""By `tsumo_with_three`. With four players nobody is missing, and all pay as under `loss`."""


def hand_points(rules: RuleSet, value: HandValue, is_dealer: bool, is_tsumo: bool) -> int:
    """Return the points that all payers pay together for a hand, without honba and sticks."""
    if is_tsumo:
        return _tsumo_points(rules, value.base, is_dealer)
    return _ron_points(value.base, is_dealer)


def win_payments(
    rules: RuleSet,
    value: HandValue,
    winner: int,
    target: int,
    dealer: int,
    honba: int,
    kyotaku: int,
    liable: tuple[tuple[str, int], ...],
) -> tuple[BySeat[int], int]:
    """Return the deltas of a win, and the liable seat that pays (-1 if none).

    `target` is the seat that dealt in, or the winner itself on a self-draw. `honba` and `kyotaku`
    are the part that this win receives; with several winners the caller divides them. `liable` are
    yaku ids with the seats that are liable for them, the earliest first. An entry counts only if
    the hand scores that yaku.
    """
    deltas = [0] * rules.players
    shares = _liable_shares(rules, value, liable)
    for seat, base in shares:
        _charge_liable(deltas, rules, base, winner, target, dealer, seat)
    rest = value.base - sum(base for _, base in shares)
    if rest:
        _pay_share(deltas, rules, rest, winner, target, dealer)
    first_liable = shares[0][0] if shares else NOBODY
    covers_all = bool(shares) and not rest
    _pay_honba(deltas, rules, winner, target, honba, first_liable, covers_all)
    deltas[winner] += STICK_POINTS * kyotaku
    return tuple(deltas), first_liable


def noten_payments(rules: RuleSet, tenpais: Sequence[bool]) -> BySeat[int]:
    """Return the deltas of an exhaustive draw: noten seats pay tenpai seats."""
    ready, payments = sum(tenpais), rules.noten_payments
    assert isinstance(payments, tuple)  # `RuleSet` converts the number of stored games
    if ready in (0, len(tenpais)):
        return (0,) * len(tenpais)
    loss = payments[ready - 1]
    gain = loss * (len(tenpais) - ready) // ready
    return tuple([gain if tenpai else -loss for tenpai in tenpais])


def split_sticks(
    rules: RuleSet, kyotaku: int, winners: Sequence[int], in_riichi: Collection[int]
) -> dict[int, int]:
    """Map each winner to the number of `kyotaku` sticks that it takes. The nearest winner is first.

    Each winner in `in_riichi` has paid one of these sticks in this hand.
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
) -> BySeat[int]:
    """Return the deltas of nagashi mangan: each of `seats` is paid as for a self-drawn mangan. If
    it counts as a win, honba and sticks are divided as among several winners; the first of `seats`
    is the nearest."""
    deltas = [0] * rules.players
    for winner in seats:
        _pay_share(deltas, rules, MANGAN_BASE, winner, winner, dealer)
        if rules.nagashi_mangan == "win" and (winner == seats[0] or rules.honba_multi == "each"):
            _pay_honba(deltas, rules, winner, winner, honba, NOBODY, covers_all=False)
    if rules.nagashi_mangan == "win":
        for seat, sticks in split_sticks(rules, kyotaku, seats, in_riichi).items():
            deltas[seat] += STICK_POINTS * sticks
    return tuple(deltas)


def reverse_mangan_payments(rules: RuleSet, dealer: int, offenders: Sequence[int]) -> list[int]:
    """Return the deltas of a chombo: each of the offenders pays what it would have received for a
    mangan by self-draw."""
    deltas = [0] * rules.players
    for offender in offenders:
        _pay_share(deltas, rules, MANGAN_BASE, offender, offender, dealer)
    return [-points for points in deltas]


def final_placement(
    rules: RuleSet, scores: BySeat[int], kyotaku: int, chombos: BySeat[int] = ()
) -> tuple[BySeat[int], Placement]:
    """Return the final scores with leftover sticks, and the place and points of each seat.

    Points are thousands with oka and uma. Places, uma and oka follow from `scores`, the scores
    without leftover sticks. In a tie the seat nearer to the first dealer ranks higher, or tied
    seats share their places, uma and oka (`RuleSet.ties`). Shares are whole hundreds; the earliest
    seats get the odd hundreds. Chombo points that are subtracted after the game change no place.
    """
    final = _with_leftover_sticks(rules, scores, kyotaku)
    uma, oka = _uma_and_oka(rules, scores)
    seats = SEATS_OF[rules.players]
    places, points = [0] * len(seats), [0] * len(seats)
    for first, tied in _seats_by_place(rules, scores):
        for seat in tied:
            places[seat] = first
            points[seat] = (
                _round_to_thousand(rules, final[seat]) - rules.return_points + uma[seat] + oka[seat]
            )
    if rules.rounding != "none":
        total = rules.oka - len(seats) * (rules.return_points - rules.start_points)
        _give_remainder_to_first(points, [seat for seat in seats if places[seat] == 1], total)
    if rules.chombo == "after_game" and chombos:
        points = [points[seat] - rules.chombo_points * chombos[seat] for seat in seats]
    return final, tuple((places[seat], points[seat] / 1_000) for seat in seats)


def final_bonus(rules: RuleSet, scores: BySeat[int]) -> tuple[tuple[float, float], ...]:
    """Return the uma and the oka of each seat, in thousands. `final_placement` includes both."""
    uma, oka = _uma_and_oka(rules, scores)
    return tuple((uma[seat] / 1_000, oka[seat] / 1_000) for seat in SEATS_OF[rules.players])


def _round_up_to_hundred(points: int) -> int:
    return -(-points // 100) * 100


def _ron_points(base: int, is_dealer: bool) -> int:
    return _round_up_to_hundred((6 if is_dealer else 4) * base)


def _tsumo_points(rules: RuleSet, base: int, is_dealer: bool) -> int:
    """Return the sum that the other seats pay for a self-draw."""
    first = tsumo_share(rules, base, from_dealer=not is_dealer, to_dealer=is_dealer)
    other = tsumo_share(rules, base, from_dealer=False, to_dealer=is_dealer)
    return first + (rules.players - 2) * other


def tsumo_share(rules: RuleSet, base: int, *, from_dealer: bool, to_dealer: bool) -> int:
    """Return the points that one seat pays for a self-draw, without honba."""
    shares = _TSUMO_SHARES[rules.tsumo_with_three]
    halves = shares.to_dealer if to_dealer else shares.dealer if from_dealer else shares.other
    return _round_up_to_hundred(halves * base // 2) + shares.added


def _transfer(deltas: list[int], payer: int, winner: int, points: int) -> None:
    deltas[payer] -= points
    deltas[winner] += points


def _pay_share(
    deltas: list[int], rules: RuleSet, base: int, winner: int, target: int, dealer: int
) -> None:
    """Add the payments of a win of `base` points to `deltas`, as if no seat were liable. Honba are
    not included."""
    if target != winner:
        _transfer(deltas, target, winner, _ron_points(base, winner == dealer))
        return
    for payer in SEATS_OF[rules.players]:
        if payer != winner:
            is_dealer = winner == dealer
            share = tsumo_share(rules, base, from_dealer=payer == dealer, to_dealer=is_dealer)
            _transfer(deltas, payer, winner, share)


def _liable_shares(
    rules: RuleSet, value: HandValue, liable: tuple[tuple[str, int], ...]
) -> list[tuple[int, int]]:
    """Return pairs of a liable seat and the base points that it pays for.

    Under "whole_hand" the first liable seat pays for the whole hand. Under "own_yakuman" each seat
    pays for its own yakuman. Under "whole_hand_if_alone" a single liable seat pays for the whole
    hand, and several seats each for their own yakuman.
    """
    counts = dict(value.yaku)
    due = [(seat, name) for name, seat in liable if name in counts or name in _LIABLE_FOR_ANY_WIN]
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
            own = left if name in _LIABLE_FOR_ANY_WIN else counts[name] * YAKUMAN_BASE
            shares.append((seat, min(own, left)))
            left -= shares[-1][1]
    return shares


def _charge_liable(
    deltas: list[int],
    rules: RuleSet,
    base: int,
    winner: int,
    target: int,
    dealer: int,
    seat: int,
) -> None:
    """Pay a self-draw from the liable seat alone. Pay a ron half from the liable seat and half from
    the seat that dealt in, which also pays the odd hundred."""
    if target == winner:
        _transfer(deltas, seat, winner, _tsumo_points(rules, base, winner == dealer))
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
    """Add the payments for honba to `deltas`: from the seat that dealt in, from all, or from the
    liable seat (`pao_honba`).

    A seat that pays for a self-draw alone also pays its honba, whatever `pao_honba` says.
    """
    payers = rules.players - 1
    points = rules.honba_points * honba
    if target == winner and rules.honba_at_tsumo == "whole_from_each":
        points *= payers
    if liable != NOBODY and rules.pao_honba == "pao_player":
        _transfer(deltas, liable, winner, points)
    elif target != winner:
        _transfer(deltas, target, winner, points)
    elif covers_all:
        _transfer(deltas, liable, winner, points)
    else:
        for payer in SEATS_OF[rules.players]:
            if payer != winner:
                _transfer(deltas, payer, winner, points // payers)


def _with_leftover_sticks(rules: RuleSet, scores: BySeat[int], kyotaku: int) -> BySeat[int]:
    """Return the scores with the sticks left on the table. Seats with equal highest scores share
    them in hundreds; under "winner" the seats in first place do. Under "split_rounded_down" the
    shares are equal, and points that cannot be divided are lost."""
    final = list(scores)
    if rules.leftover_sticks == "void":
        return scores
    if rules.leftover_sticks == "winner":
        _, winners = _seats_by_place(rules, scores)[0]
    else:
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    points, count = STICK_POINTS * kyotaku, len(winners)
    if rules.leftover_sticks == "split_rounded_down":
        shares = [points // count] * count
    else:
        shares = _divide_in_hundreds(points, count)
    for seat, share in zip(winners, shares, strict=True):
        final[seat] += share
    return tuple(final)


def _divide_in_hundreds(points: int, count: int) -> list[int]:
    """Divide points into `count` shares of whole hundreds. The first ones get the odd hundreds."""
    share, odd = divmod(points // 100, count)
    return [100 * (share + (number < odd)) for number in range(count)]


def _uma_of(rules: RuleSet, scores: BySeat[int]) -> BySeat[int]:
    if not rules.floating_uma:
        return rules.uma
    return rules.floating_uma[sum(score >= rules.return_points for score in scores)]


def _uma_and_oka(rules: RuleSet, scores: BySeat[int]) -> tuple[list[int], list[int]]:
    """Return uma and oka by seat, in points. Tied seats share those of their places."""
    by_place = _uma_of(rules, scores)
    uma, oka = [0] * len(scores), [0] * len(scores)
    for first, tied in _seats_by_place(rules, scores):
        count = len(tied)
        uma_of_places = 1_000 * sum(by_place[first - 1 : first - 1 + count])
        for seat, share in zip(tied, _divide_in_hundreds(uma_of_places, count), strict=True):
            uma[seat] = share
        for seat, share in zip(tied, _divide_in_hundreds(rules.oka, count), strict=True):
            oka[seat] = share if first == 1 else 0
    return uma, oka


def _seats_by_place(rules: RuleSet, scores: BySeat[int]) -> list[tuple[int, list[int]]]:
    """Return pairs of a place (from 1, ascending) and the seats that share it."""
    groups: list[tuple[int, list[int]]] = []
    ranking = sorted(SEATS_OF[rules.players], key=lambda seat: (-scores[seat], seat))
    for place, seat in enumerate(ranking, 1):
        if rules.ties == "share" and groups and scores[groups[-1][1][0]] == scores[seat]:
            groups[-1][1].append(seat)
        else:
            groups.append((place, [seat]))
    return groups


def _round_to_thousand(rules: RuleSet, score: int) -> int:
    """Round to whole thousands. A half is rounded away from zero, as in Tenhou's records (25,500
    counts 26, -15,500 counts -16), or towards zero under "five_down_six_up"."""
    match rules.rounding:
        case "none":
            return score
        case "half_up":
            carry = 500
        case "five_down_six_up":
            carry = 400
    thousands = (abs(score) + carry) // 1_000 * 1_000
    return thousands if score >= 0 else -thousands


def _give_remainder_to_first(points: list[int], winners: list[int], total: int) -> None:
    """Set the points of the first place so that all points sum to `total`. Seats that share it get
    equal parts, in hundreds."""
    others = sum(gained for seat, gained in enumerate(points) if seat not in winners)
    for seat, share in zip(winners, _divide_in_hundreds(total - others, len(winners)), strict=True):
        points[seat] = share
