"""The next hand, its dealer and honba, and the end of the game.

Owns the consequences of a hand's result. Must not know how the result came about.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec.structs import replace

from game.engine.draws import ABORTS
from game.engine.events import GameEnded, HandDrawn, HandStarted, Won
from game.engine.fouls import CHOMBO
from game.engine.points import final_bonus, final_placement
from game.engine.rules import RuleSet
from game.engine.state import DEALS_PER_ROUND, Phase, Table
from game.engine.tiles import EAST
from game.engine.wall import dealt_tiles, dora_indicator, shuffled_wall


class Deal(NamedTuple):
    """The hand to deal."""

    kyoku: int
    """0 is East 1, 4 South 1."""
    honba: int


FIRST_DEAL: Final = Deal(0, 0)


def next_deal(table: Table) -> Deal | None:
    """Return the hand after the one that has just ended; None if the game is over. If
    `dealer_may_stop`, the dealer can still end the game before that hand."""
    stays = _dealer_stays(table)
    if _is_game_over(table, stays):
        return None
    kyoku = table.kyoku if stays else _kyoku_after(table.rules, table.kyoku)
    return Deal(kyoku, _next_honba(table))


def _kyoku_after(rules: RuleSet, kyoku: int) -> int:
    """Return the deal of the next dealer; after the last seat the next round begins."""
    if kyoku % DEALS_PER_ROUND == rules.players - 1:
        return kyoku // DEALS_PER_ROUND * DEALS_PER_ROUND + DEALS_PER_ROUND
    return kyoku + 1


def _draw_reason(table: Table) -> str:
    """Return why the hand was drawn; empty if it was won."""
    result = table.results[0]
    return result.reason if isinstance(result, HandDrawn) else ""


def _is_won_by_nagashi(table: Table) -> bool:
    """Return whether the hand has ended with nagashi mangan that counts as a win."""
    result = table.results[0]
    return table.rules.nagashi_mangan == "win" and bool(
        isinstance(result, HandDrawn) and result.nagashi
    )


def _dealer_stays(table: Table) -> bool:
    if _draw_reason(table) in (*ABORTS, CHOMBO):
        return True
    result, renchan = table.results[0], table.rules.renchan
    if isinstance(result, Won):
        return renchan != "none" and any(
            isinstance(win, Won) and win.actor == table.dealer for win in table.results
        )
    if _is_won_by_nagashi(table):
        return renchan != "none" and table.dealer in result.nagashi
    if renchan == "tenpai_east_only" and table.kyoku >= DEALS_PER_ROUND:
        return True
    return renchan in ("tenpai", "tenpai_east_only") and result.tenpais[table.dealer]


def _next_honba(table: Table) -> int:
    """Return the honba of the next hand: one more after a dealer's win, a draw or an abort, 0 after
    another seat's win; after a chombo as the rules say."""
    result, rules = table.results[0], table.rules
    if isinstance(result, Won) or _is_won_by_nagashi(table):
        return table.honba + 1 if _dealer_stays(table) else 0
    if _draw_reason(table) == CHOMBO:
        return table.honba + rules.chombo_honba
    counts = rules.honba_after_abort if _draw_reason(table) in ABORTS else rules.honba_after_draw
    return table.honba + counts


def last_regular_kyoku(rules: RuleSet) -> int:
    """Return the last deal before a possible extra round, counted from 0."""
    last_of_east = rules.players - 1
    return last_of_east if rules.length == "east" else DEALS_PER_ROUND + last_of_east


def _is_game_over(table: Table, dealer_stays: bool) -> bool:
    rules = table.rules
    if _draw_reason(table) in ABORTS:
        return False
    if rules.tobi and min(table.scores) < rules.tobi_at_zero:
        return True
    if _draw_reason(table) == CHOMBO:
        return False
    if table.last_hand and table.hands_dealt >= table.last_hand:
        return True
    if table.kyoku < last_regular_kyoku(rules):
        return False
    if dealer_stays:
        return rules.dealer_stops == "automatic" and _has_dealer_enough_points(table)
    return _is_last_possible(table) or max(table.scores) >= rules.goal_points


def dealer_may_stop(table: Table) -> bool:
    """Return whether the dealer may choose to end the game: last hand, won or tenpai, and
    leading."""
    return (
        table.rules.dealer_stops == "choice"
        and table.phase == Phase.RESULT
        and table.kyoku >= last_regular_kyoku(table.rules)
        and _draw_reason(table) not in (*ABORTS, CHOMBO)
        and _dealer_stays(table)
        and next_deal(table) is not None
        and _has_dealer_enough_points(table)
    )


def _has_dealer_enough_points(table: Table) -> bool:
    """Return whether the dealer of the last hand leads with enough points to end the game, and the
    rules allow it after this result."""
    rules = table.rules
    is_win = isinstance(table.results[0], Won)
    may_stop = rules.agari_yame if is_win else rules.tenpai_yame
    has_enough = table.scores[table.dealer] >= rules.goal_points or (
        rules.dealer_stops_below_goal and _is_last_possible(table)
    )
    return may_stop and has_enough and _leader(table) == table.dealer


def _is_last_possible(table: Table) -> bool:
    """Return whether this is the last deal that the rules allow. The same deal may still be
    repeated."""
    last_regular = last_regular_kyoku(table.rules)
    return table.kyoku >= (
        last_regular + DEALS_PER_ROUND if table.rules.extra_round else last_regular
    )


def _leader(table: Table) -> int:
    """Return the seat with the most points. In a tie, return the seat nearest to the first
    dealer."""
    return max(table.seats, key=lambda seat: (table.scores[seat], -seat))


def game_ended_event(table: Table, *, broken_off: bool = False) -> GameEnded:
    """Return the final scores and the ranking."""
    scores, placement = final_placement(table.rules, table.scores, table.kyotaku, table.chombos)
    bonus = final_bonus(table.rules, table.scores)
    return GameEnded(scores, placement, bonus, broken_off=broken_off)


def with_start_points(table: Table) -> Table:
    """Return the table with the start points of the rules for every seat."""
    return replace(table, scores=(table.rules.start_points,) * table.rules.players)


def hand_started_event(table: Table, deal: Deal, wall: bytes) -> HandStarted:
    """Return the event that deals the hand from `wall`. If `wall` is empty, derive it from the
    seed."""
    wall = wall or shuffled_wall(table.rules, table.seed, table.hands_dealt)
    dealer, players = deal.kyoku % DEALS_PER_ROUND, table.rules.players
    if not table.hands_dealt:
        table = with_start_points(table)
    return HandStarted(
        bakaze=2 * (EAST + deal.kyoku // DEALS_PER_ROUND % 4),
        kyoku=dealer + 1,
        honba=deal.honba,
        kyotaku=table.kyotaku,
        oya=dealer,
        dora_marker=dora_indicator(wall, 0),
        scores=table.scores,
        tehais=tuple([dealt_tiles(wall, (seat - dealer) % players) for seat in table.seats]),
        wall=wall,
    )
