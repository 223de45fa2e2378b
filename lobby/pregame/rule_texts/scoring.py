"""Texts of the switches for what a hand pays: yaku, limits, fu, pao, chombo."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from lobby.pregame.rule_texts.switch import Switch

YAKU: Final = {
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
            "closed hand, takes honba and sticks, and the dealer stays if it is the dealer's."
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
        _("Several yakuman in one hand are paid together; otherwise only the most expensive."),
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

PAO: Final = {
    "pao_daisangen": Switch(
        _("Daisangen"), _("The discarder of the third set of dragons is liable for daisangen.")
    ),
    "pao_daisuushi": Switch(
        _("Daisuushi"), _("The discarder of the fourth set of winds is liable for daisuushi.")
    ),
    "pao_suukantsu": Switch(
        _("Suukantsu"), _("The discarder of the fourth kan is liable for suukantsu.")
    ),
    "pao_suukantsu_by": Switch(
        _("Suukantsu by"),
        _(
            "Who is liable to a player with three kans: the discarder of the fourth kan, or of a "
            "tile for any triplet or kan of which no other copy is visible."
        ),
        {"fourth_kan": _("The fourth kan"), "risky_tile": _("A tile of which none lies open")},
    ),
    "pao_chinitsu": Switch(
        _("Chinitsu"), _("The discarder of the fourth open set of one suit is liable for chinitsu.")
    ),
    "pao_ryuuiisou": Switch(
        _("Ryuuiisou"), _("The discarder of the fourth green set is liable for ryuuiisou.")
    ),
    "pao_tsuuiisou": Switch(
        _("Tsuuiisou"), _("The discarder of the fourth set of honours is liable for tsuuiisou.")
    ),
    "pao_chinroutou": Switch(
        _("Chinroutou"), _("The discarder of the fourth set of terminals is liable for chinroutou.")
    ),
    "pao_rinshan": Switch(
        _("Rinshan"),
        _("The discarder of an open kan is liable for a win on its replacement tile."),
    ),
    "pao_risky_last_tiles": Switch(
        _("Risky last tiles"),
        _(
            "With five tiles left or fewer, the discarder of a called tile of which no other copy "
            "is visible is liable for any win of the caller."
        ),
    ),
    "pao_honba": Switch(
        _("Honba with pao"),
        _(
            "Who pays the honba if the liable seat does not pay alone: the seat that would pay "
            "them without pao, or the liable seat."
        ),
        {"discarder": _("As without pao"), "pao_player": _("The liable seat")},
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
    ),
}

CHOMBO: Final = {
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
            "What a wrong declaration costs: nothing, since none is possible; the payments of a "
            "self-drawn mangan in reverse (the dealer pays 4,000 to each, another player 4,000 to "
            "the dealer and 2,000 to the others); or the points of a chombo after the game."
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
        _("Honba of a chombo"),
        _("Added for the hand that is played again, with the same dealer."),
    ),
    "chombo_returns_riichi": Switch(
        _("Riichi sticks go back"),
        _("The riichi sticks of that hand are given back."),
    ),
}
