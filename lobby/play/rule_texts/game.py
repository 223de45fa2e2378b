"""Texts of the switches for the course of a game: points, length, rounds, dealing again."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from lobby.play.rule_texts.switch import Switch

FRAME: Final = {
    "players": Switch(
        _("Players"),
        _("Four players, or three without 2 to 8 of characters and without chi."),
    ),
    "start_points": Switch(_("Starting points"), _("The points that each player starts with.")),
    "return_points": Switch(
        _("Return points"),
        _("Final points are counted from here. Not fewer than the starting points."),
    ),
    "goal_points": Switch(
        _("Goal"),
        _(
            "The game ends after the last hand once somebody has this many points. A leading "
            "dealer needs them to stop."
        ),
    ),
    "oka": Switch(_("Oka"), _("Added to the first place: what all players pay in, or 0.")),
    "uma": Switch(_("Uma"), _("Added by place.")),
    "floating_uma": Switch(
        _("Floating uma"),
        _(
            "If there are rows: uma by how many players have the return points or more, the first "
            "row for none; the plain uma then plays no part."
        ),
    ),
    "ties": Switch(
        _("Equal scores"),
        _(
            "Equal scores, before leftover sticks are given out: the seat that dealt earlier ranks "
            "higher, or all share the place. Shared oka and uma are split in hundreds; odd "
            "hundreds go to the earlier seats."
        ),
        {"first_dealer_order": _("Earlier dealer first"), "share": _("Share the place")},
        {
            "first_dealer_order": _("Of equal scores, the seat that dealt earlier ranks higher."),
            "share": _(
                "Equal scores share the place. Oka and uma are then split in hundreds; odd "
                "hundreds go to the earlier seats."
            ),
        },
    ),
    "rounding": Switch(
        _("Rounding"),
        _(
            "Final scores to whole thousands: not at all, halves away from zero (25,500 counts "
            "26, \N{MINUS SIGN}15,500 counts \N{MINUS SIGN}16), or 500 towards zero and 600 "
            "away from it. If they are rounded, the first place takes up the difference."
        ),
        {
            "none": _("Not rounded"),
            "half_up": _("Halves away from zero"),
            "five_down_six_up": _("500 towards zero, 600 away"),
        },
        {
            "none": _("Final scores count to the hundred."),
            "half_up": _(
                "Final scores are rounded to thousands: 25,500 counts 26, \N{MINUS SIGN}15,500 "
                "counts \N{MINUS SIGN}16. The first place takes up the difference."
            ),
            "five_down_six_up": _(
                "Final scores are rounded to thousands: 25,500 counts 25, 25,600 counts 26. The "
                "first place takes up the difference."
            ),
        },
    ),
    "length": Switch(
        _("Length"),
        _("The last regular hand is the last one of East or of South."),
        {
            "east": pgettext_lazy("lengths.east", "East only"),
            "east_south": pgettext_lazy("lengths.east_south", "East and South"),
        },
        {
            "east": _("The last regular hand is the last one of East."),
            "east_south": _("The last regular hand is the last one of South."),
        },
    ),
    "extra_round": Switch(
        _("Extra round"),
        _("Up to one more round when nobody has reached the goal after the last regular hand."),
        off=_("The game ends after the last regular hand, even if nobody has reached the goal."),
    ),
    "tobi": Switch(
        _("Below zero ends the game"),
        _("A score below zero after a hand ends the game."),
        off=_("The game goes on when a player is below zero."),
    ),
    "tobi_at_zero": Switch(
        _("Exactly zero ends the game, too"),
        _("A score of exactly zero after a hand ends the game as one below zero does."),
        off=_("A player with exactly zero points plays on."),
    ),
    "agari_yame": Switch(
        _("Agari yame"),
        _("A leading dealer who has reached the goal and wins the last hand ends the game."),
        off=_("A leading dealer does not end the game by winning the last hand."),
    ),
    "tenpai_yame": Switch(
        _("Tenpai yame"),
        _(
            "A leading dealer who has reached the goal and is tenpai when the last hand is drawn "
            "ends the game."
        ),
        off=_("A leading dealer does not end the game by being tenpai in the last hand."),
    ),
    "dealer_stops": Switch(
        _("A leading dealer stops"),
        _(
            "Where the rules let a leading dealer end the game after the last hand: it ends by "
            "itself, or the dealer is asked while the result is shown. Without an answer in "
            "time the game ends."
        ),
        {"automatic": _("Automatically"), "choice": _("By choice")},
        {
            "automatic": _("Where a leading dealer may end the game, it ends by itself."),
            "choice": _(
                "Where a leading dealer may end the game, the dealer is asked while the result is "
                "shown. Without an answer in time the game ends."
            ),
        },
    ),
    "dealer_stops_below_goal": Switch(
        _("Leading dealer may stop below the goal"),
        _(
            "In the last possible hand, a leading dealer who would deal again ends the game even "
            "below the goal."
        ),
        off=_("A leading dealer below the goal cannot end the game."),
    ),
    "leftover_sticks": Switch(
        _("Sticks left at the end"),
        _(
            "Riichi sticks still on the table at the end: to the first place; to all who have the "
            "most points, split in hundreds or to the point; or to nobody. They change no place. "
            "Odd hundreds go to the earlier seats; of shares to the point the decimals are lost."
        ),
        {
            "winner": _("To the leader"),
            "split_tied": _("Shared by all who lead"),
            "split_rounded_down": _("Shared by all who lead, to the point"),
            "void": _("To nobody"),
        },
        {
            "winner": _(
                "Riichi sticks still on the table at the end go to the first place. They change "
                "no place."
            ),
            "split_tied": _(
                "Riichi sticks still on the table at the end are shared by all who have the most "
                "points, split in hundreds; odd hundreds go to the earlier seats. They change no "
                "place."
            ),
            "split_rounded_down": _(
                "Riichi sticks still on the table at the end are shared by all who have the most "
                "points, to the point; decimals are lost: of one stick three have 333 each. They "
                "change no place."
            ),
            "void": _("Riichi sticks still on the table at the end count for nobody."),
        },
    ),
    "renchan": Switch(
        _("The dealer deals again"),
        _(
            "When the dealer deals again: after a win or tenpai at a draw; after a win only; "
            "never; or after a win or tenpai, and from South 1 on after every draw. After an "
            "abortive draw always."
        ),
        {
            "tenpai": _("After a win or tenpai"),
            "win_only": _("After a win only"),
            "none": _("Never"),
            "tenpai_east_only": _("After a win or tenpai; from South 1 every draw"),
        },
        {
            "tenpai": _(
                "The dealer deals again after a win, when tenpai at an exhaustive draw, and after "
                "every abortive draw."
            ),
            "win_only": _("The dealer deals again after a win and after every abortive draw."),
            "none": _("The dealer deals again only after an abortive draw."),
            "tenpai_east_only": _(
                "The dealer deals again after a win, when tenpai at an exhaustive draw, and after "
                "every abortive draw; from South 1 on after every exhaustive draw."
            ),
        },
    ),
    "honba_after_draw": Switch(
        _("Honba after a draw"),
        _("An exhaustive draw adds a honba."),
        off=_("An exhaustive draw adds no honba; their number stays."),
    ),
    "honba_after_abort": Switch(
        _("Honba after an abortive draw"),
        _("An abortive draw adds a honba."),
        off=_("An abortive draw adds no honba; their number stays."),
    ),
    "honba_points": Switch(
        _("Points of a honba"),
        _(
            "What each honba adds to a win: paid by the player who dealt in, or in equal parts by "
            "all others."
        ),
    ),
    "honba_at_tsumo": Switch(
        _("Honba at a self-draw"),
        _(
            "At a self-draw the payers share the points of a honba, or each of them pays all of "
            "them."
        ),
        {"shared": _("Shared"), "whole_from_each": _("In full from each")},
        {
            "shared": _("The payers of a self-draw share the points of a honba."),
            "whole_from_each": _("Each payer of a self-draw pays all points of a honba."),
        },
    ),
    "tsumo_with_three": Switch(
        _("Share of the missing player"),
        _(
            "What the missing fourth player would pay at a self-draw: nobody pays it (tsumo "
            "loss); both payers pay half of it each; both so that they pay the same; the dealer "
            "pays it, or both half if the dealer wins; or both pay 1,000 points more instead."
        ),
        {
            "loss": _("Nobody pays it (tsumo loss)"),
            "split_half": _("Half from each"),
            "split_equal": _("Both pay the same"),
            "dealer_pays": _("The dealer pays it"),
            "add_1000": _("1,000 more from each"),
        },
        {
            "loss": _("Nobody pays what the missing fourth player would pay at a self-draw."),
            "split_half": _(
                "At a self-draw, each payer also pays half of what the missing fourth player "
                "would pay."
            ),
            "split_equal": _(
                "At a self-draw, both payers pay the same: half of what three would pay together."
            ),
            "dealer_pays": _(
                "At a self-draw, the dealer also pays what the missing fourth player would pay; "
                "if the dealer wins, each payer pays half of it."
            ),
            "add_1000": _("At a self-draw, each payer pays 1,000 points more."),
        },
    ),
    "minimum_han": Switch(
        _("Least han of yaku"),
        _("Every win needs this number of han of yaku; dora do not help."),
        {"1": _("1 han"), "2": _("2 han"), "4": _("4 han")},
        {
            "1": _("One han of yaku is enough to win."),
            "2": _("Every win needs two han of yaku; dora do not help."),
            "4": _("Every win needs four han of yaku; dora do not help."),
        },
    ),
    "two_han_minimum_from": Switch(
        _("Two-han minimum"),
        _("From this number of honba on, a win needs two han of yaku; dora do not help. 0: never."),
        {"0": _("None")},
        {"0": _("Honba do not change how many han of yaku a win needs.")},
    ),
}
