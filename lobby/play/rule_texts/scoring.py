"""Texts of the switches for what a hand pays: yaku, limits, fu, pao, chombo."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from lobby.play.rule_texts.switch import Switch

_NOBODY_LIABLE: Final = _("Nobody is liable for it.")

YAKU: Final = {
    "renho": Switch(
        pgettext_lazy("yaku.renhou", "Blessing of man"),
        _(
            "Ron before one’s first draw, in an unbroken first go-around. Mangan and five han are "
            "the same: five han without other yaku or dora, unless another scoring of the hand "
            "pays more."
        ),
        {
            "off": _("Not played"),
            "mangan": pgettext_lazy("limits.mangan", "Mangan"),
            "five_han": _("Five han"),
            "yakuman": pgettext_lazy("limits.yakuman", "Yakuman"),
        },
        {
            "off": _("A ron before one’s first draw is no yaku by itself."),
            "mangan": _(
                "A ron before one’s first draw, in an unbroken first go-around, pays a mangan, "
                "unless another scoring of the hand pays more."
            ),
            "five_han": _(
                "A ron before one’s first draw, in an unbroken first go-around, is worth five han "
                "without other yaku or dora, unless another scoring of the hand pays more."
            ),
            "yakuman": _(
                "A ron before one’s first draw, in an unbroken first go-around, is a yakuman."
            ),
        },
    ),
    "nagashi_mangan": Switch(
        pgettext_lazy("draws.nagashi_mangan", "Nagashi mangan"),
        _(
            "All one’s discards are terminals and honours and none was called. As a win it needs a "
            "closed hand and takes honba and sticks; a dealer who wins it stays dealer."
        ),
        {"off": _("Not played"), "draw": _("As a draw"), "win": _("As a win")},
        {
            "off": _("Discarding only terminals and honours pays nothing."),
            "draw": _(
                "At an exhaustive draw, a player who discarded only terminals and honours, none of "
                "them called, is paid a mangan. The hand stays a draw."
            ),
            "win": _(
                "At an exhaustive draw, a player with a closed hand who discarded only terminals "
                "and honours, none of them called, wins a mangan with honba and sticks. A dealer "
                "who wins it stays dealer."
            ),
        },
    ),
    "ryuiso_needs_hatsu": Switch(
        _("All green needs green dragons"),
        _("All green (ryuuiisou) needs a set or pair of green dragons."),
        off=_("All green (ryuuiisou) can do without green dragons."),
    ),
    "kokushi_robs_ankan": Switch(
        _("Thirteen orphans rob a closed kan"),
        _("A thirteen-orphans hand may win on the tile of a closed kan."),
        off=_("A thirteen-orphans hand may not win on the tile of a closed kan."),
    ),
    "north_is_yakuhai": Switch(
        _("North as a dragon"),
        _("North is worth what a dragon is, for every player."),
        off=_("North is worth nothing by itself: no seat and no round is north."),
    ),
}

LIMITS: Final = {
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
        _("Several yakuman in one hand are paid together."),
        off=_("Of several yakuman in one hand, only the most expensive is paid."),
    ),
    "yakuman_cap": Switch(_("Maximum number of yakuman"), _("No more than this number is paid.")),
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
        {"()": _("No yakuman counts twice.")},
    ),
    "kiriage_mangan": Switch(
        _("Kiriage mangan"),
        _("4 han 30 fu and 3 han 60 fu are rounded up to a mangan."),
        off=_("4 han 30 fu and 3 han 60 fu are not rounded up to a mangan."),
    ),
    "double_wind_fu": Switch(
        _("Fu of a double wind pair"),
        _("Fu of a pair of the wind that is both the seat’s and the round’s."),
    ),
    "rinshan_tsumo_fu": Switch(
        _("Tsumo fu after a kan"),
        _("A win on a replacement tile has the 2 fu of a tsumo."),
        off=_("A win on a replacement tile does not have the 2 fu of a tsumo."),
    ),
}

PAO: Final = {
    "pao_daisangen": Switch(
        pgettext_lazy("yaku.daisangen", "Big three dragons"),
        _("The discarder of the third set of dragons is liable."),
        off=_NOBODY_LIABLE,
    ),
    "pao_daisuushi": Switch(
        pgettext_lazy("yaku.daisuushi", "Big four winds"),
        _("The discarder of the fourth set of winds is liable."),
        off=_NOBODY_LIABLE,
    ),
    "pao_suukantsu": Switch(
        pgettext_lazy("yaku.suukantsu", "Four kans"),
        _("The discarder of the fourth kan is liable."),
        off=_NOBODY_LIABLE,
    ),
    "pao_suukantsu_by": Switch(
        _("Four kans: liable by"),
        _(
            "Who is liable to a player with three kans: the player who discarded the tile of the "
            "fourth kan, or a tile for any triplet or kan of which no other copy was visible."
        ),
        {"fourth_kan": _("The fourth kan"), "risky_tile": _("A tile of which none lies open")},
        {
            "fourth_kan": _(
                "The player who discarded the tile of the fourth kan is liable to the player with "
                "three kans."
            ),
            "risky_tile": _(
                "The player who discarded a tile for any triplet or kan, of which no other copy "
                "was visible, is liable to the player with three kans."
            ),
        },
    ),
    "pao_chinitsu": Switch(
        pgettext_lazy("yaku.chinitsu", "Full flush"),
        _("The discarder of the fourth open set of one suit is liable."),
        off=_NOBODY_LIABLE,
    ),
    "pao_ryuuiisou": Switch(
        pgettext_lazy("yaku.ryuuiisou", "All green"),
        _("The discarder of the fourth green set is liable."),
        off=_NOBODY_LIABLE,
    ),
    "pao_tsuuiisou": Switch(
        pgettext_lazy("yaku.tsuuiisou", "All honours"),
        _("The discarder of the fourth set of honours is liable."),
        off=_NOBODY_LIABLE,
    ),
    "pao_chinroutou": Switch(
        pgettext_lazy("yaku.chinroutou", "All terminals"),
        _("The discarder of the fourth set of terminals is liable."),
        off=_NOBODY_LIABLE,
    ),
    "pao_rinshan": Switch(
        pgettext_lazy("yaku.rinshan", "After a kan"),
        _("The discarder of an open kan is liable for a win on its replacement tile."),
        off=_NOBODY_LIABLE,
    ),
    "pao_risky_last_tiles": Switch(
        _("Risky last tiles"),
        _(
            "With five tiles left or fewer, the discarder of a called tile of which no other copy "
            "is visible is liable for any win of the caller."
        ),
        off=_NOBODY_LIABLE,
    ),
    "pao_honba": Switch(
        _("Honba with pao"),
        _(
            "Who pays the honba if the liable seat does not pay alone: the seat that would pay "
            "them without pao, or the liable seat."
        ),
        {"discarder": _("As without pao"), "pao_player": _("The liable seat")},
        {
            "discarder": _(
                "If the liable seat does not pay alone, the honba are paid as without pao."
            ),
            "pao_player": _(
                "If the liable seat does not pay alone, it is the one that pays the honba."
            ),
        },
    ),
    "pao_composite": Switch(
        _("Several yakuman with pao"),
        _(
            "In a hand of several yakuman: the first liable seat pays for all; a single liable "
            "seat pays for all, and several each for their own; or each only for its own."
        ),
        {
            "whole_hand": _("For the whole hand"),
            "whole_hand_if_alone": _("For the whole hand if alone"),
            "own_yakuman": _("Each for its own"),
        },
        {
            "whole_hand": _("In a hand of several yakuman, the first liable seat pays for all."),
            "whole_hand_if_alone": _(
                "In a hand of several yakuman, a single liable seat pays for all; several pay each "
                "for their own."
            ),
            "own_yakuman": _(
                "In a hand of several yakuman, each liable seat pays only for its own."
            ),
        },
    ),
}

CHOMBO: Final = {
    "false_declarations": Switch(
        _("False declarations"),
        _("A player may declare a win or a riichi that the hand does not support."),
        off=_("The table offers only what the rules allow, so that there is no chombo."),
    ),
    "chombo": Switch(
        pgettext_lazy("draws.chombo", "Chombo"),
        _(
            "What a wrong declaration costs: nothing, since none is possible; the payments of a "
            "mangan by tsumo in reverse (the dealer pays 4,000 to each, another player 4,000 to "
            "the dealer and 2,000 to the others); or the points of a chombo after the game."
        ),
        {
            "impossible": _("Not possible"),
            "reverse_mangan": _("A mangan, at once"),
            "after_game": _("Points after the game"),
        },
        {
            "impossible": _("There is no penalty, since no wrong declaration is possible."),
            "reverse_mangan": _(
                "A wrong declaration costs a mangan by tsumo in reverse: the dealer pays 4,000 to "
                "each, another player 4,000 to the dealer and 2,000 to the others."
            ),
            "after_game": _("A wrong declaration costs points after the game."),
        },
    ),
    "chombo_points": Switch(
        _("Points of a chombo"),
        _("Points subtracted per chombo after the game; uma and places stay."),
    ),
    "chombo_honba": Switch(
        _("Honba of a chombo"),
        _("The honba added when the hand is played again, with the same dealer."),
    ),
    "chombo_returns_riichi": Switch(
        _("Riichi sticks go back"),
        _("The riichi sticks of that hand are given back."),
        off=_("The riichi sticks of that hand stay on the table."),
    ),
}
