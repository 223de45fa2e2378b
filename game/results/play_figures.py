"""The figures of a player's hands and games, as numbers that can be added. Pure.

A game has `PlayFigures` for each of its players, and a sum of games has them too. Shares and means
are computed from sums only (`game.results.figure_cards`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec


class BestHand(msgspec.Struct, frozen=True, array_like=True):
    """The win with the most points."""

    points: int
    """The points of the win, without honba and sticks."""
    fan: int
    fu: int
    limit: str
    """The limit, as in `game.engine.events.Won`."""
    yaku: tuple[tuple[str, int], ...]
    yakuman: int
    hand: int
    """The number of the hand in its game, from 0."""
    step: int
    """The event of the win: the number of shown events of the hand after its deal."""
    seat: int
    table_id: str = ""


class PlayFigures(msgspec.Struct, array_like=True):
    """Figures summed over hands and games. Stored by position: append new fields, and never remove
    one."""

    # Games that the player began and that were not broken off.
    games: int = 0
    places: list[int] = msgspec.field(default_factory=lambda: [0] * 4)
    """The number of games that ended in each place. The last one stays 0 in games of three."""
    scores: list[int] = msgspec.field(default_factory=lambda: [0] * 4)
    """The sum of the final scores by place."""
    points_tenths: int = 0
    """Final points with uma and oka, in tenths of a thousand."""
    below_zero: int = 0
    # Hands.
    hands: int = 0
    wins: int = 0
    tsumo_wins: int = 0
    win_points: int = 0
    """The points of the hands won, without honba and sticks."""
    deal_ins: int = 0
    deal_in_points: int = 0
    """The points paid for deal-ins, without honba."""
    riichi: int = 0
    calls: int = 0
    """The number of hands opened by a call."""
    draws: int = 0
    """The number of exhaustive draws."""
    tenpai_draws: int = 0
    # Dealer.
    dealer_hands: int = 0
    dealer_repeats: int = 0
    """The number of hands as dealer after which the same player dealt again."""
    # Hands in which the player declared riichi.
    riichi_wins: int = 0
    riichi_tsumo_wins: int = 0
    riichi_deal_ins: int = 0
    riichi_draws: int = 0
    """The number of exhaustive draws after riichi."""
    riichi_turns: int = 0
    """The sum of the turns of declaration."""
    riichi_chasing: int = 0
    """The number of riichi that were declared after the riichi of another player."""
    riichi_good_waits: int = 0
    """The number of riichi with a good wait at the discard of the declaration tile."""
    riichi_ippatsu: int = 0
    """The number of wins with ippatsu."""
    riichi_ura: int = 0
    """The number of wins in riichi with at least one ura dora."""
    riichi_balance: int = 0
    """Points won less points lost in hands with riichi, with honba and sticks."""
    riichi_win_points: int = 0
    riichi_win_turns: int = 0
    # Wins after a call, and closed wins without riichi.
    open_wins: int = 0
    open_win_points: int = 0
    open_win_turns: int = 0
    damaten_wins: int = 0
    damaten_win_points: int = 0
    damaten_win_turns: int = 0
    # Deal-ins. By own state; those with riichi are `riichi_deal_ins`.
    open_deal_ins: int = 0
    closed_deal_ins: int = 0
    # By winner. A discard that two players win on counts for both.
    paid_wins: int = 0
    paid_to_riichi: int = 0
    paid_to_open: int = 0
    paid_to_damaten: int = 0
    paid_to_dealer: int = 0
    yaku: dict[str, int] = msgspec.field(default_factory=dict)
    """The number of wins with that yaku, dora included; without the yaku of a yakuman."""
    yakuman: dict[str, int] = msgspec.field(default_factory=dict)
    """The number of wins with that yakuman; 'kazoe_yakuman' for a counted one."""
    best: BestHand | None = None
    is_partial: bool = False
    """Of these figures only `hands` to `tenpai_draws` are known: the log was lost before the
    release that counts the others. They are in no sum."""

    def add(self, other: PlayFigures, times: int = 1) -> None:
        """Add the other figures `times` times. -1 subtracts them, but leaves the best hand as it
        is."""
        for name in _SUMMED_FIELDS:
            setattr(self, name, getattr(self, name) + times * getattr(other, name))
        for at in range(4):
            self.places[at] += times * other.places[at]
            self.scores[at] += times * other.scores[at]
        _add_counts(self.yaku, other.yaku, times)
        _add_counts(self.yakuman, other.yakuman, times)
        if times > 0:
            self.best = better_hand(self.best, other.best)

    @property
    def sum_of_places(self) -> int:
        return sum(place * count for place, count in enumerate(self.places, start=1))

    @property
    def is_zero(self) -> bool:
        """Whether all sums are zero; the best hand is ignored."""
        return not (
            any(getattr(self, name) for name in _SUMMED_FIELDS)
            or any(self.places)
            or any(self.scores)
            or self.yaku
            or self.yakuman
        )


_NOT_SUMMED_FIELDS: Final = frozenset({"places", "scores", "yaku", "yakuman", "best", "is_partial"})
_SUMMED_FIELDS: Final = tuple(
    name for name in PlayFigures.__struct_fields__ if name not in _NOT_SUMMED_FIELDS
)
_DECODER: Final = msgspec.msgpack.Decoder(PlayFigures)


def better_hand(first: BestHand | None, second: BestHand | None) -> BestHand | None:
    """Return the hand with more points, or if these are equal the one with more han; `first` if
    both are equal."""
    if first is None or second is None:
        return first or second
    return second if (second.points, second.fan) > (first.points, first.fan) else first


def encode_figures(figures: PlayFigures) -> bytes:
    return msgspec.msgpack.encode(figures)


def decode_figures(data: bytes) -> PlayFigures:
    """Decode stored figures; b"" gives zeros."""
    return _DECODER.decode(data) if data else PlayFigures()


def sum_figures(parts: Sequence[PlayFigures]) -> PlayFigures:
    """Sum many figures, column by column: it takes half the time of `PlayFigures.add`."""
    total = PlayFigures()
    if not parts:
        return total
    rows = map(msgspec.structs.astuple, parts)
    for name, column in zip(PlayFigures.__struct_fields__, zip(*rows, strict=True), strict=True):
        if name not in _NOT_SUMMED_FIELDS:
            setattr(total, name, sum(column))
    total.places = [sum(column) for column in zip(*(part.places for part in parts), strict=True)]
    total.scores = [sum(column) for column in zip(*(part.scores for part in parts), strict=True)]
    for part in parts:
        _add_counts(total.yaku, part.yaku, 1)
        _add_counts(total.yakuman, part.yakuman, 1)
        total.best = better_hand(total.best, part.best)
    return total


def _add_counts(mine: dict[str, int], others: dict[str, int], times: int) -> None:
    for name, count in others.items():
        if total := mine.get(name, 0) + times * count:
            mine[name] = total
        else:
            mine.pop(name, None)
