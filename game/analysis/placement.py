"""Computes what points are worth to a seat for its final place.

Computes a seat's expected final points (with uma and oka) for each outcome of the hand, and
converts points into them. `game.engine.progress` decides who deals next and whether the game ends,
and `game.engine.points` computes the final points. So every switch of the rules counts: oka, uma,
ties, extra round, a leading dealer who stops, a score below zero.

While hands remain to be played, the final scores are taken as normally distributed around the
present scores. Must not know hands or danger.
"""

from __future__ import annotations

import math
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.events import HandDrawn, Won
from game.engine.points import (
    final_bonus,
    final_placement,
    nagashi_payments,
    noten_payments,
)
from game.engine.progress import dealer_may_stop, last_regular_kyoku, next_deal
from game.engine.rules import RuleSet
from game.engine.state import DEALS_PER_ROUND, SEATS_OF, STICK_POINTS, Phase, Table
from game.engine.tiles import NO_TILE

_EXTRA_HANDS: Final = 1.2
"""Mean number of hands that follow the last regular one if nobody has enough points."""
_NODES: Final = ((-1.73205, 1 / 6), (0.0, 2 / 3), (1.73205, 1 / 6))
"""Nodes and weights of the quadrature over a seat's own final score."""
_RAW_SHARE: Final = 0.1
"""Weight of the points themselves in their worth. The rest is the weight of the place."""
_SWINGS: Final = (4_000, 8_000)
"""Sizes of wins and losses with which the slope is calibrated: on average, points and their worth
are equal for them."""
_STEP: Final = 500
"""Points are rounded to this number before they are looked up."""
_MIN_SLOPE: Final = 1.2
"""Lower bound of the slope (thousands of worth of the place per 1,000 points), so that worths stay
finite when no place can change."""
_EVEN_SHARE: Final = 0.5
"""Weight of equal steps between places in the worth of a place, the scale of ratings. The rest is
weighted by uma and oka."""
_WIN_SPREAD: Final = ((0.8, 0.6), (1.3, 0.4))
"""Factors of the mean points of a win, with their probabilities."""
_LOSS_SPREAD: Final = ((0.6, 0.5), (1.2, 0.35), (2.2, 0.15))
"""Factors of the mean points of a deal-in, with their probabilities."""
_ORDINARY_POINTS: Final = 4_000
"""Points of an ordinary win."""
_MANGAN: Final = 8_000
_DEALER_MANGAN: Final = 12_000


SELF_DRAWN: Final = {4: 0.4, 3: 0.49}
"""Share of wins by self-draw, by the number of players."""


_WORTH_PER_PLACE: Final = 2.0
"""By how much the worths of two neighbouring places differ under `_rules_of_places`."""


class _Course(NamedTuple):
    """How the hands of a game go."""

    hand_spread: float
    """Standard deviation of the change of the difference between two seats' scores in one hand."""
    hands_per_dealer: float
    """Mean number of hands that a dealer deals before the next seat becomes dealer."""
    others_wins: tuple[tuple[int, float], ...]
    """Points and probability of other seats' wins, for `_place_worth_without_me`."""


_COURSES: Final = {
    4: _Course(5_300.0, 1.35, ((5_200, 0.5), (8_000, 0.15))),
    3: _Course(11_900.0, 1.6, ((6_000, 0.5), (12_000, 0.24))),
}
"""By the number of players. Those of three were counted in 1,943 hands of 216 recorded games."""


class Position(msgspec.Struct, frozen=True):
    """The facts of a table on which the worth of points for one seat depends."""

    rules: RuleSet
    scores: BySeat[int]
    kyoku: int
    honba: int
    kyotaku: int
    seat: int


class Stakes:
    """The worth of points for one seat in one hand. Worths are in points: a worth of 8,000 is what
    8,000 points are worth when no place is decided."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._table = _table_of(position)
        self._wins: dict[int, float] = {}
        self._losses: dict[tuple[int, int], float] = {}
        self._draws: dict[tuple[bool, ...], float] = {}
        self._seats = SEATS_OF[position.rules.players]
        self._others = [seat for seat in self._seats if seat != position.seat]
        self._course = _COURSES[position.rules.players]
        dealer = self._table.dealer
        self._tsumo_shares = [
            _tsumo_shares(position.rules, dealer, winner) for winner in self._seats
        ]
        self._without_me = self._place_worth_without_me()
        swing = sum(
            self._place_worth_if_winning(points) - self._expected_loss(points) for points in _SWINGS
        )
        self._slope = max(_MIN_SLOPE / 1_000, swing / (2 * sum(_SWINGS)))

    def win(self, points: float) -> float:
        """Return the worth of a win. `points` is its mean without honba and sticks, which are
        added."""
        points = _rounded(points)
        if points not in self._wins:
            self._wins[points] = sum(
                share
                * self._worth(
                    scale * points, self._place_worth_if_winning(_rounded(scale * points))
                )
                for scale, share in _WIN_SPREAD
            )
        return self._wins[points]

    def deal_in(self, points: float, winner: int) -> float:
        """Return the worth that is lost by dealing in to `winner`, at least 0. `points` is the mean
        of the payment without honba."""
        points = _rounded(points)
        if (points, winner) not in self._losses:
            gain = sum(
                share
                * self._worth(
                    -scale * points,
                    self._place_worth_if_dealing_in(_rounded(scale * points), winner),
                )
                for scale, share in _LOSS_SPREAD
            )
            self._losses[points, winner] = max(0.0, -gain)
        return self._losses[points, winner]

    @property
    def gain_scale(self) -> float:
        """The worth of an ordinary win divided by its points, from 0.1 to 1."""
        return min(1.0, max(0.1, self.win(_ORDINARY_POINTS) / _ORDINARY_POINTS))

    @property
    def loss_scale(self) -> float:
        """The lost worth of an ordinary deal-in divided by its points, at least 0.1."""
        others = self._others
        lost = sum(self.deal_in(_ORDINARY_POINTS, winner) for winner in others) / len(others)
        return max(0.1, lost / _ORDINARY_POINTS)

    def draw(self, tenpais: BySeat[bool]) -> float:
        """Return the worth of an exhaustive draw. `tenpais` says for each seat whether it is
        tenpai."""
        if tenpais not in self._draws:
            deltas = noten_payments(self._position.rules, tenpais)
            worth = self._place_worth_after(
                deltas, _placeholder_draw(tenpais), self._position.kyotaku
            )
            self._draws[tenpais] = self._worth(deltas[self._position.seat], worth)
        return self._draws[tenpais]

    @cached_property
    def place_per_point(self) -> float:
        """How much of a place one point of worth is, at least 0: by as much the expected final
        place is better, as the mean over ordinary wins and deal-ins."""
        rules = _rules_of_places(self._position.rules)
        places = Stakes(replace(self._position, rules=rules))
        swing = sum(
            places._place_worth_if_winning(points) - places._expected_loss(points)
            for points in _SWINGS
        )
        return max(0.0, swing / _WORTH_PER_PLACE / (2 * sum(_SWINGS)))

    def _worth(self, points: float, expected: float) -> float:
        return _RAW_SHARE * points + (1 - _RAW_SHARE) * (expected - self._without_me) / self._slope

    def _place_worth_without_me(self) -> float:
        """Return the expected worth of the place if the seat neither wins nor deals in."""
        total = weight = 0.0
        ways = len(self._others) ** 2
        for points, share in self._course.others_wins:
            for winner in self._others:
                for target in self._others:
                    # A target that is the winner stands for a self-draw.
                    total += share / ways * self._place_worth_after_win(points, winner, target)
                    weight += share / ways
        nobody = _placeholder_draw((False,) * len(self._seats))
        total += (1 - weight) * self._place_worth_after(
            (0,) * len(self._seats), nobody, self._position.kyotaku
        )
        return total

    def _place_worth_if_winning(self, points: int) -> float:
        seat = self._position.seat
        self_drawn = SELF_DRAWN[len(self._seats)]
        by_discard = (1 - self_drawn) / len(self._others)
        return sum(
            (self_drawn if target == seat else by_discard)
            * self._place_worth_after_win(points, seat, target)
            for target in self._seats
        )

    def _expected_loss(self, points: int) -> float:
        others = self._others
        return sum(self._place_worth_if_dealing_in(points, winner) for winner in others) / len(
            others
        )

    def _place_worth_if_dealing_in(self, points: int, winner: int) -> float:
        return self._place_worth_after_win(points, winner, self._position.seat)

    def _place_worth_after_win(self, points: int, winner: int, target: int) -> float:
        """Return the expected worth of the place after a win. `points` is what the discarder pays
        for the hand, without honba; a self-draw of three players may pay less."""
        position = self._position
        deltas = [0] * len(self._seats)
        bonus = position.rules.honba_points * position.honba
        gained = points + bonus
        if winner != target:
            deltas[target] -= gained
        else:
            payers = len(self._others)
            bonus_share = bonus / payers
            if position.rules.honba_at_tsumo == "whole_from_each":
                bonus, bonus_share = bonus * payers, bonus
            for payer, share in self._tsumo_shares[winner].items():
                deltas[payer] -= round(points * share + bonus_share)
            gained = round(points * sum(self._tsumo_shares[winner].values())) + bonus
        deltas[winner] += gained + STICK_POINTS * position.kyotaku
        return self._place_worth_after(tuple(deltas), _placeholder_win(winner, target), 0)

    def _place_worth_after(
        self, deltas: BySeat[int], result: Won | HandDrawn, kyotaku: int
    ) -> float:
        """Return the expected worth of the place after the hand has ended with this result."""
        position = self._position
        pairs = zip(position.scores, deltas, strict=True)
        scores = tuple([score + delta for score, delta in pairs])
        table = replace(self._table, scores=scores, kyotaku=kyotaku, results=(result,))
        deal = next_deal(table)
        if deal is None or dealer_may_stop(table):
            return _place_worths(position.rules, scores)[position.seat]
        return _expected_worth(
            position.rules, scores, deal.kyoku, min(deal.honba, 1), position.seat
        )


def stakes_of(table: Table, seat: int) -> Stakes:
    """Return the worth of points for `seat` in the present hand."""
    return _stakes(
        Position(table.rules, table.scores, table.kyoku, table.honba, table.kyotaku, seat)
    )


@lru_cache(maxsize=256)
def _stakes(position: Position) -> Stakes:
    return Stakes(position)


def _table_of(position: Position) -> Table:
    return Table(
        rules=position.rules,
        phase=Phase.RESULT,
        kyoku=position.kyoku,
        honba=position.honba,
        scores=position.scores,
    )


def _tsumo_shares(rules: RuleSet, dealer: int, winner: int) -> dict[int, float]:
    """Return what each payer pays at a self-draw, as a share of what a discarder would pay."""
    deltas = nagashi_payments(rules, dealer, (winner,))
    whole = _DEALER_MANGAN if winner == dealer else _MANGAN
    return {seat: -paid / whole for seat, paid in enumerate(deltas) if seat != winner}


@lru_cache(maxsize=64)
def tsumo_share(rules: RuleSet, is_dealer: bool) -> float:
    """Return what all pay together at a self-draw, as a share of what a discarder would pay: below
    1 where three players do not pay the part of the missing seat."""
    return sum(_tsumo_shares(rules, 0, 0 if is_dealer else 1).values())


def mean_share(rules: RuleSet, is_dealer: bool) -> float:
    """Return the mean payment for a win, as a share of what a discarder would pay."""
    return 1 - SELF_DRAWN[rules.players] * (1 - tsumo_share(rules, is_dealer))


def _placeholder_win(winner: int, target: int) -> Won:
    return Won(
        actor=winner,
        target=target,
        pai=NO_TILE,
        tehai=(),
        uradora_markers=(),
        yaku=(),
        fan=1,
        fu=30,
        yakuman=0,
        limit="",
        points=0,
        liable=-1,
        deltas=(),
        scores=(),
    )


def _placeholder_draw(tenpais: BySeat[bool]) -> HandDrawn:
    return HandDrawn(
        reason="exhaustive",
        tehais=(),
        tenpais=tenpais,
        deltas=(),
        scores=(),
    )


def hands_left(rules: RuleSet, scores: BySeat[int], kyoku: int) -> float:
    """Return the mean number of hands from hand `kyoku` to the end of the game, both included."""
    ahead = range(kyoku, last_regular_kyoku(rules) + 1)
    deals = max(1, sum(deal % DEALS_PER_ROUND < rules.players for deal in ahead))
    hands = deals * _COURSES[rules.players].hands_per_dealer
    if rules.extra_round and max(scores) < rules.goal_points:
        hands += _EXTRA_HANDS / deals
    return hands


@lru_cache(maxsize=64)
def _rules_of_places(rules: RuleSet) -> RuleSet:
    """Return the rules with equal steps between the places and without oka, under which the worth
    of a place says which place it is."""
    last = rules.players - 1
    even = tuple(range(last, -last - 1, -2))
    return replace(rules, uma=even, floating_uma=(), oka=0)


def expected_place(rules: RuleSet, scores: BySeat[int], kyoku: int, honba: int, seat: int) -> float:
    """Return the expected final place of the seat, from 1, before the deal of hand `kyoku`."""
    worth = _expected_worth(_rules_of_places(rules), scores, kyoku, min(honba, 1), seat)
    return (1 + rules.players) / 2 - worth / _WORTH_PER_PLACE


@lru_cache(maxsize=8_192)
def _expected_worth(
    rules: RuleSet, scores: BySeat[int], kyoku: int, honba: int, seat: int
) -> float:
    """Return the expected value of the seat's final place, in thousands of points, before a
    deal."""
    spread = _COURSES[rules.players].hand_spread * math.sqrt(hands_left(rules, scores, kyoku))
    worths = _worths_by_place(rules, scores)
    # Each seat has half of the variance between two seats.
    own = spread / math.sqrt(2)
    total = 0.0
    for node, weight in _NODES:
        mine = scores[seat] + node * own
        chances = [
            0.5 * math.erfc((mine - scores[other] + (0.5 if other > seat else -0.5)) / spread)
            for other in SEATS_OF[rules.players]
            if other != seat
        ]
        total += weight * sum(share * worths[place] for place, share in enumerate(_places(chances)))
    return total


def _places(chances: list[float]) -> list[float]:
    """Return the chances that none, one, and so on up to all of the other seats are ahead.
    `chances` has the chance of each other seat to be ahead."""
    ahead = [1.0]
    for chance in chances:
        ahead.append(ahead[-1] * chance)
        for number in range(len(ahead) - 2, 0, -1):
            ahead[number] += (ahead[number - 1] - ahead[number]) * chance
        ahead[0] *= 1 - chance
    return ahead


def _worths_by_place(rules: RuleSet, scores: BySeat[int]) -> tuple[float, ...]:
    """Return the worth of each place from the first, in thousands, for these scores, sorted."""
    ordered = sorted(scores, reverse=True)
    return _place_worths(rules, tuple([score - at for at, score in enumerate(ordered)]))


def _place_worths(rules: RuleSet, scores: BySeat[int]) -> tuple[float, ...]:
    """Return for each seat the worth of its final place with these scores, in thousands."""
    goal = rules.return_points
    order = sorted(set(scores))
    # The result depends only on the order, ties and which seats have the return points. Equal
    # arguments make the cache useful.
    return _worths_of_order(
        rules,
        tuple([order.index(score) + (goal if score >= goal else goal - 10) for score in scores]),
    )


@lru_cache(maxsize=1_024)
def _worths_of_order(rules: RuleSet, scores: BySeat[int]) -> tuple[float, ...]:
    _, placement = final_placement(rules, scores, 0)
    bonus = final_bonus(rules, scores)
    width = max(map(sum, bonus)) - min(map(sum, bonus))
    last = rules.players - 1
    middle = 1 + last / 2
    return tuple(
        (1 - _EVEN_SHARE) * sum(bonus[seat])
        + _EVEN_SHARE * width * (middle - placement[seat][0]) / last
        for seat in SEATS_OF[rules.players]
    )


def _rounded(points: float) -> int:
    return max(_STEP, round(points / _STEP) * _STEP)
