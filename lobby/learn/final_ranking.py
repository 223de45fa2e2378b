"""The final ranking of a game with score, uma, oka and total of each place."""

from __future__ import annotations

from dataclasses import dataclass

from game.engine.by_seat import BySeat
from game.engine.points import final_bonus, final_placement
from game.engine.rules import RuleSet
from game.results.game_text import format_number, format_signed
from lobby.learn.tile_rows import HONOURS


@dataclass(frozen=True, slots=True)
class RankedSeat:
    """A line of the ranking, its numbers in the reader's format."""

    place: int
    wind: str
    """The name of the picture of the wind with which the player began."""
    score: str
    from_return: str
    """The thousands above or below the return points."""
    uma: str
    oka: str
    total: str


def final_ranking(rules: RuleSet, scores: BySeat[int]) -> list[RankedSeat]:
    """Return the lines of a game that ended with these scores, from the first place to the last.
    Only for rules that round to whole thousands."""
    _final, placement = final_placement(rules, scores, 0)
    bonus = final_bonus(rules, scores)
    ranking = []
    for seat in range(4):
        (place, total), (uma, oka) = placement[seat], bonus[seat]
        ranking.append(
            RankedSeat(
                place=place,
                wind=HONOURS[seat],
                score=format_number(scores[seat]),
                from_return=_thousands(total - uma - oka),
                uma=_thousands(uma),
                oka=_thousands(oka),
                total=_thousands(total),
            )
        )
    return sorted(ranking, key=lambda ranked: ranked.place)


def _thousands(points: float) -> str:
    return format_signed(round(points))
