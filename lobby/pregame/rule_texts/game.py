"""Texts of the switches for the course of a game: points, length, rounds, dealing again."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from lobby.pregame.rule_texts.switch import Switch

FRAME: Final = {
    "start_points": Switch(_("Starting points"), _("The points that each player starts with.")),
    "return_points": Switch(_("Return points"), _("Final points are counted from here.")),
    "goal_points": Switch(
        _("Goal"),
        _(
            "After the last hand the game ends once somebody has as many, and a leading dealer "
            "needs them to stop."
        ),
    ),
    "oka": Switch(_("Oka"), _("Added to the first place.")),
    "uma": Switch(_("Uma"), _("Added by place.")),
    "floating_uma": Switch(
        _("Floating uma"),
        _(
            "If there are rows: uma by how many players (none to four) have the return points or "
            "more; the plain uma then plays no part."
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
    ),
    "length": Switch(
        _("Length"),
        _("The last regular hand is East 4 or South 4."),
        {
            "east": pgettext_lazy("lengths.east", "East only"),
            "east_south": pgettext_lazy("lengths.east_south", "East and South"),
        },
    ),
    "extra_round": Switch(
        _("Extra round"),
        _("Up to one more round when nobody has reached the goal after the last regular hand."),
    ),
    "tobi": Switch(
        _("Below zero ends the game"),
        _("A score below zero after a hand ends the game; exactly zero does not."),
    ),
    "agari_yame": Switch(
        _("Agari yame"),
        _("A leading dealer who has reached the goal and wins the last hand ends the game."),
    ),
    "tenpai_yame": Switch(
        _("Tenpai yame"), _("The same by being tenpai when the last hand is drawn.")
    ),
    "dealer_stops_below_goal": Switch(
        _("Leading dealer may stop below the goal"),
        _(
            "In the last hand that there can be, a leading dealer who deals again ends the game "
            "below the goal, too."
        ),
    ),
    "leftover_sticks": Switch(
        _("Sticks left at the end"),
        _(
            "Riichi sticks still on the table at the end: to the first place, to all who have the "
            "most points, or to nobody. They change no place. Shared sticks are split in "
            "hundreds; odd hundreds go to the earlier seats."
        ),
        {
            "winner": _("To the leader"),
            "split_tied": _("Shared by all who lead"),
            "void": _("To nobody"),
        },
    ),
    "renchan": Switch(
        _("The dealer deals again"),
        _(
            "When the dealer deals again: after a win or tenpai at a draw; after a win only; "
            "never; or after a win or tenpai, and from South 1 on after every draw. After an "
            "abort always."
        ),
        {
            "tenpai": _("After a win or tenpai"),
            "win_only": _("After a win only"),
            "none": _("Never"),
            "tenpai_east_only": _("After a win or tenpai; from South 1 every draw"),
        },
    ),
    "honba_after_draw": Switch(
        _("Honba after a draw"),
        _("An exhaustive draw adds a honba; otherwise their number stays."),
    ),
    "honba_after_abort": Switch(
        _("Honba after an abortive draw"),
        _("An abortive draw adds a honba; otherwise their number stays."),
    ),
    "honba_points": Switch(
        _("Points of a honba"),
        _("What each honba adds to a win: paid by the player who dealt in, or a third by each."),
    ),
    "two_han_minimum_from": Switch(
        _("Two-han minimum"),
        _("From so many honba on, a win needs two han of yaku, dora apart. 0: never."),
    ),
}
