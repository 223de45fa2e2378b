"""What each switch of the rules is called and what it does, in the words of `docs/rules.md`:
a test holds the explanations to the column "meaning" there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Text = Any
"""English here, the reader's language when it is shown."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch, for people."""

    label: Text
    text: Text
    values: Mapping[str, Text] = field(default_factory=dict)
    """What its values are called, where they are words."""


@dataclass(frozen=True, slots=True)
class Group:
    """Switches that belong together, under a heading."""

    name: Text
    switches: Mapping[str, Switch]


_FRAME: Final = {
    "start_points": Switch(_("Starting points"), _("What everybody begins with.")),
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
        _("Counter after a draw"),
        _("An exhaustive draw adds a counter; otherwise their number stays."),
    ),
    "honba_after_abort": Switch(
        _("Counter after an abort"), _("An abort adds a counter; otherwise their number stays.")
    ),
    "honba_points": Switch(
        _("Points of a counter"),
        _("What each counter adds to a win: from whoever dealt in, or a third from each."),
    ),
    "two_han_minimum_from": Switch(
        _("Two-han minimum"),
        _("From so many counters on a win needs two han of yaku, dora apart. 0: never."),
    ),
}
_TILES: Final = {
    "red_fives": Switch(_("Red fives"), _("Red fives in the wall, at most three of a suit.")),
    "kuitan": Switch(_("Open tanyao"), _("Tanyao counts in an open hand.")),
    "kuikae_same_tile": Switch(
        _("Kuikae of the same tile"), _("After a call the called kind itself may be discarded.")
    ),
    "kuikae_other_end": Switch(
        _("Kuikae at the other end"),
        _("After a chi the tile at the other end of the run may be discarded."),
    ),
    "multi_ron": Switch(
        _("Several rons"),
        _("Several rons on one tile: only the nearest after the discarder wins, or all do."),
        {"head_bump": _("Only the nearest wins"), "all": _("All win")},
    ),
    "honba_multi": Switch(
        _("Counters with several wins"),
        _("With several wins the counters are paid to each of them, or to the nearest."),
        {"each": _("To each winner"), "nearest_only": _("To the nearest winner")},
    ),
    "sticks_multi": Switch(
        _("Sticks with several wins"),
        _(
            "With several wins the sticks go to the nearest; or each winner in riichi takes one, "
            "and the nearest the rest."
        ),
        {
            "nearest": _("To the nearest winner"),
            "own_then_nearest": _("Own sticks first, the rest to the nearest"),
        },
    ),
    "fifth_kan": Switch(
        _("Fifth kan"),
        _(
            "A fifth kan, when one player has four: it is not possible; it aborts the hand before "
            "its replacement tile; or it is played on, the indicators of the ura dora becoming "
            "replacement tiles, so that no ura counts."
        ),
        {
            "forbidden": _("Not possible"),
            "abort": _("Aborts the hand"),
            "use_ura": _("Takes the ura indicators"),
        },
    ),
}
_ABORTS: Final = {
    "kyushu_kyuhai": Switch(
        _("Nine terminals and honours"),
        _("Nine kinds of terminals and honours on the first draw may be laid open."),
    ),
    "kyushu_ankan_cancels": Switch(
        _("A closed kan cancels the nine kinds"),
        _("Another player's closed kan ends that right, as a call does. One's own always does."),
    ),
    "sufon_renda": Switch(_("Four winds"), _("Four first discards of the same wind.")),
    "sucha_riichi": Switch(_("Abort at four riichi"), _("Four riichi.")),
    "sukaikan": Switch(
        _("Abort at four kans"),
        _(
            "Four kans of more than one player: after the discard that follows the fourth, if "
            "nobody wins on it; when the fourth stands, before its replacement tile; or never."
        ),
        {
            "after_discard_pass": _("After the discard"),
            "on_declaration": _("When the fourth stands"),
            "off": _("Never"),
        },
    ),
    "sanchaho": Switch(_("Abort at three rons"), _("Three rons on one tile.")),
}
_RIICHI: Final = {
    "riichi_needs_points": Switch(
        _("Riichi needs points"), _("Riichi needs the 1,000 points of its stick.")
    ),
    "riichi_tiles_left": Switch(
        _("Tiles left for riichi"),
        _("Tiles that must be left in the live wall. With 0 the last discard itself may declare."),
    ),
    "furiten_riichi": Switch(
        _("Riichi in furiten"), _("Riichi may be declared on a furiten wait.")
    ),
    "ippatsu": Switch(_("Ippatsu"), _("Ippatsu counts.")),
    "ura_dora": Switch(_("Ura dora"), _("Ura dora count for a win in riichi.")),
    "kan_dora": Switch(_("Kan dora"), _("Every kan turns a dora indicator.")),
    "kan_ura": Switch(_("Kan ura"), _("The ura indicators below the kan dora count as well.")),
    "open_kan_dora": Switch(
        _("Dora of an open kan"),
        _(
            "When that of an open or added kan is turned: before the replacement tile, with the "
            "next discard (so that a ron on it counts the new dora), or after that discard if "
            "nobody wins on it."
        ),
        {
            "before_replacement": _("Before the replacement tile"),
            "at_discard": _("With the next discard"),
            "after_discard_passes": _("After that discard"),
        },
    ),
    "pending_dora_at_robbery": Switch(
        _("Dora due before a robbery"),
        _(
            "An indicator still due for an earlier kan is turned before an added kan is robbed. "
            "Tenhou's records show that it stays down."
        ),
    ),
    "riichi_ankan": Switch(
        _("Closed kans in riichi"),
        _(
            "Closed kans in riichi, always of the tile just drawn: none; those that leave the "
            "waits as they are; or of these only where the three tiles are a triplet in every "
            "reading of every hand that the waits complete."
        ),
        {
            "never": _("None"),
            "waits_unchanged": _("If the waits stay"),
            "shape_unchanged": _("If waits and shape stay"),
        },
    ),
    "noten_declaration": Switch(
        _("Tenpai may be kept closed"),
        _(
            "When the wall is used up, a tenpai player not in riichi chooses whether to show the "
            "hand; kept closed, it is noten."
        ),
    ),
    "own_four_is_noten": Switch(
        _("Waiting for four of one's own is noten"),
        _(
            "A hand that waits only for tiles of which it holds all four: it is tenpai; it is "
            "noten if all four are concealed; or it is noten even if some are in its own melds."
        ),
        {
            "off": _("No, it is tenpai"),
            "concealed": _("If all four are concealed"),
            "all": _("Concealed or in own melds"),
        },
    ),
    "noten_payments": Switch(_("Noten payments"), _("What the noten pay together at a draw.")),
}
_FURITEN: Final = {
    "missed_ends": Switch(
        _("Temporary furiten ends"),
        _(
            "A missed win makes furiten until the own next draw or call, or until anybody's call "
            "as well. In riichi it is for the rest of the hand under either."
        ),
        {
            "own_turn": _("With the own next turn"),
            "own_turn_or_any_call": _("With the own next turn or any call"),
        },
    ),
    "missed_without_yaku": Switch(
        _("Missed also without a yaku"),
        _("A tile that completes the hand without a yaku is missed, too."),
    ),
    "kakan_is_discard": Switch(
        _("An added kan is a discard"), _("A tile added to a pon counts as discarded.")
    ),
}
_YAKU: Final = {
    "renho": Switch(
        _("Renhou"),
        _(
            "Ron before the own first draw, in an unbroken first go-around. Mangan and five han "
            "are the same: five han that stand alone, if no other reading pays more."
        ),
        {
            "off": _("Not played"),
            "mangan": pgettext_lazy("limits.mangan", "Mangan"),
            "five_han": _("Five han"),
            "yakuman": pgettext_lazy("limits.yakuman", "Yakuman"),
        },
    ),
    "nagashi_mangan": Switch(
        pgettext_lazy("draws.nagashi_mangan", "Nagashi mangan"),
        _(
            "All own discards are terminals and honours and none was called. As a win it needs a "
            "closed hand, takes counters and sticks, and the dealer stays if it is the dealer's."
        ),
        {"off": _("Not played"), "draw": _("As a draw"), "win": _("As a win")},
    ),
    "ryuiso_needs_hatsu": Switch(
        _("Ryuuiisou with green dragons only"), _("Ryuuiisou needs a green dragon.")
    ),
    "kokushi_robs_ankan": Switch(
        _("Kokushi robs a closed kan"),
        _("Thirteen orphans may win on the tile of a closed kan."),
    ),
}
_LIMITS: Final = {
    "kazoe": Switch(
        _("Thirteen han"),
        _("What thirteen han and more are worth."),
        {
            "yakuman": pgettext_lazy("limits.yakuman", "Yakuman"),
            "sanbaiman": pgettext_lazy("limits.sanbaiman", "Sanbaiman"),
        },
    ),
    "yakuman_add_up": Switch(
        _("Yakuman add up"),
        _("Several yakuman in one hand are paid together; otherwise the dearest."),
    ),
    "yakuman_cap": Switch(_("Most yakuman"), _("At most so many are paid.")),
    "double_yakuman": Switch(
        _("Double yakuman"),
        _("Yakuman that count twice."),
        {
            "kokushi_13": pgettext_lazy("yaku.kokushi_13", "Thirteen-wait thirteen orphans"),
            "suuankou_tanki": pgettext_lazy(
                "yaku.suuankou_tanki", "Single-wait four concealed triplets"
            ),
            "junsei_chuuren": pgettext_lazy("yaku.junsei_chuuren", "True nine gates"),
            "daisuushi": pgettext_lazy("yaku.daisuushi", "Big four winds"),
        },
    ),
    "kiriage_mangan": Switch(_("Kiriage mangan"), _("4 han 30 fu and 3 han 60 fu are a mangan.")),
    "double_wind_fu": Switch(
        _("Fu of a double wind pair"),
        _("Fu of a pair of the wind that is both the seat's and the round's."),
    ),
    "rinshan_tsumo_fu": Switch(
        _("Tsumo fu after a kan"), _("A win on a replacement tile has the 2 fu of a self-draw.")
    ),
}
_PAO: Final = {
    "pao_daisangen": Switch(
        _("Daisangen"), _("Whoever feeds the third set of dragons answers for daisangen.")
    ),
    "pao_daisuushi": Switch(
        _("Daisuushi"), _("Whoever feeds the fourth set of winds answers for daisuushi.")
    ),
    "pao_suukantsu": Switch(
        _("Suukantsu"), _("Whoever feeds the fourth kan answers for suukantsu.")
    ),
    "pao_suukantsu_by": Switch(
        _("Suukantsu by"),
        _(
            "Who feeds a player with three kans: the tile of the fourth, or a tile for any"
            " triplet or kan of which no other lies open."
        ),
        {"fourth_kan": _("The fourth kan"), "risky_tile": _("A tile of which none lies open")},
    ),
    "pao_chinitsu": Switch(
        _("Chinitsu"), _("Whoever feeds the fourth open set of one suit answers for chinitsu.")
    ),
    "pao_ryuuiisou": Switch(
        _("Ryuuiisou"), _("Whoever feeds the fourth green set answers for ryuuiisou.")
    ),
    "pao_tsuuiisou": Switch(
        _("Tsuuiisou"), _("Whoever feeds the fourth set of honours answers for tsuuiisou.")
    ),
    "pao_chinroutou": Switch(
        _("Chinroutou"), _("Whoever feeds the fourth set of terminals answers for chinroutou.")
    ),
    "pao_rinshan": Switch(
        _("Rinshan"),
        _("Whoever feeds an open kan answers for a win on its replacement tile."),
    ),
    "pao_risky_last_tiles": Switch(
        _("Risky last tiles"),
        _(
            "With five tiles left or fewer, whoever feeds a set with a tile of which no other "
            "lies open answers for whatever the caller wins."
        ),
    ),
    "pao_honba": Switch(
        _("Counters with pao"),
        _(
            "Who pays the counters where the liable seat does not pay alone: who would without "
            "pao, or the liable seat."
        ),
        {"discarder": _("As without pao"), "pao_player": _("The liable seat")},
    ),
    "pao_composite": Switch(
        _("Several yakuman with pao"),
        _(
            "In a hand of several yakuman the first liable seat answers for all; a seat that is "
            "liable alone answers for all, and several each for their own; or each only for its "
            "own."
        ),
        {
            "whole_hand": _("For the whole hand"),
            "whole_hand_if_alone": _("For the whole hand if alone"),
            "own_yakuman": _("Each for its own"),
        },
    ),
}
_CHOMBO: Final = {
    "false_declarations": Switch(
        _("False declarations"),
        _(
            "A player may declare a win or a riichi that the hand does not bear out. Where it is "
            "off, what is against the rules is refused, so that there is no chombo."
        ),
    ),
    "chombo": Switch(
        pgettext_lazy("draws.chombo", "Chombo"),
        _(
            "What a wrong declaration costs: nothing can be declared wrongly; what a mangan drawn "
            "would have brought in (the dealer 4,000 to each, another 4,000 to the dealer and "
            "2,000 to the others); or the points of a chombo after the game."
        ),
        {
            "impossible": _("Not possible"),
            "reverse_mangan": _("A mangan, at once"),
            "after_game": _("Points after the game"),
        },
    ),
    "chombo_points": Switch(
        _("Points of a chombo"), _("Taken off for each after the game, uma and places unchanged.")
    ),
    "chombo_honba": Switch(
        _("Counters of a chombo"),
        _("Added for the hand that is played again, with the same dealer."),
    ),
    "chombo_returns_riichi": Switch(
        _("Riichi sticks go back"),
        _("The riichi sticks of that hand go back to who laid them."),
    ),
}

GROUPS: Final = (
    Group(_("Frame of the game"), _FRAME),
    Group(_("Tiles, calls, claims"), _TILES),
    Group(_("Aborts"), _ABORTS),
    Group(_("Riichi, kan, dora"), _RIICHI),
    Group(_("Furiten"), _FURITEN),
    Group(_("Yaku"), _YAKU),
    Group(_("Limits and fu"), _LIMITS),
    Group(_("Pao: who feeds it, pays"), _PAO),
    Group(_("Chombo"), _CHOMBO),
)
SWITCHES: Final = {name: one for group in GROUPS for name, one in group.switches.items()}
