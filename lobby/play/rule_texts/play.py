"""Texts of the switches for a hand: calls, aborts, riichi, kan, dora, furiten."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from lobby.play.rule_texts.switch import Switch

TILES: Final = {
    "red_fives": Switch(
        _("Red fives"),
        _("Red fives in the wall: at most three of a suit, or four with three players."),
    ),
    "kuitan": Switch(
        _("Open tanyao"),
        _("All simples (tanyao) counts in an open hand."),
        off=_("All simples (tanyao) counts only in a closed hand."),
    ),
    "kuikae_same_tile": Switch(
        _("Kuikae of the same tile"),
        _("After a call, the same tile may be discarded at once."),
        off=_("After a call, the same tile may not be discarded at once."),
    ),
    "kuikae_other_end": Switch(
        _("Kuikae at the other end"),
        _("After a chi, the tile at the other end of the run may be discarded at once."),
        off=_("After a chi, the tile at the other end of the run may not be discarded at once."),
    ),
    "multi_ron": Switch(
        _("Several rons"),
        _(
            "Several rons on one tile: only the nearest after the discarder wins; the two nearest "
            "win, so that a third is cut off; or all do."
        ),
        {
            "head_bump": _("Only the nearest wins"),
            "two": _("The two nearest win"),
            "all": _("All win"),
        },
        {
            "head_bump": _(
                "Of several rons on one tile, only the nearest after the discarder wins."
            ),
            "two": _(
                "Of several rons on one tile, the two nearest after the discarder win; a third is "
                "cut off."
            ),
            "all": _("All who declare ron on one tile win."),
        },
    ),
    "honba_multi": Switch(
        _("Honba with several wins"),
        _("With several wins the honba are paid to each of them, or to the nearest."),
        {"each": _("To each winner"), "nearest_only": _("To the nearest winner")},
        {
            "each": _("With several wins, each winner is paid the honba."),
            "nearest_only": _(
                "With several wins, only the winner nearest after the discarder is paid the honba."
            ),
        },
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
        {
            "nearest": _(
                "With several wins, the winner nearest after the discarder takes all riichi sticks."
            ),
            "own_then_nearest": _(
                "With several wins, each winner in riichi takes one stick, and the winner nearest "
                "after the discarder takes the rest."
            ),
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
            "abort": _("Abortive draw"),
            "use_ura": _("Takes the ura indicators"),
        },
        {
            "forbidden": _("When one player has four kans, nobody can declare a fifth."),
            "abort": _(
                "When one player has four kans, a fifth aborts the hand before its replacement "
                "tile."
            ),
            "use_ura": _(
                "When one player has four kans, the replacement tile of a fifth is an indicator of "
                "the ura dora, and no ura dora counts."
            ),
        },
    ),
}

ABORTS: Final = {
    "kyushu_kyuhai": Switch(
        pgettext_lazy("draws.kyushu_kyuhai", "Nine terminals and honours"),
        _(
            "A player with nine or more kinds of terminals and honours on the first draw may abort "
            "the hand."
        ),
        off=_("Nine kinds of terminals and honours on the first draw do not abort the hand."),
    ),
    "kyushu_ankan_cancels": Switch(
        _("A closed kan cancels the nine kinds"),
        _("Another player’s closed kan ends that right, as a call does. One’s own always does."),
        off=_("Another player’s closed kan does not end that right. A call does, and one’s own."),
    ),
    "sufon_renda": Switch(
        pgettext_lazy("draws.sufon_renda", "Four winds discarded"),
        _("The hand is aborted if the first four discards are the same wind."),
        off=_("The hand is played on if the first four discards are the same wind."),
    ),
    "sucha_riichi": Switch(
        pgettext_lazy("draws.sucha_riichi", "Four riichi"),
        _("The hand is aborted if all four players are in riichi."),
        off=_("The hand is played on if all four players are in riichi."),
    ),
    "sukaikan": Switch(
        pgettext_lazy("draws.sukaikan", "Four kans"),
        _(
            "Four kans of more than one player: after the discard that follows the fourth, if "
            "nobody wins on it; when the fourth stands, before its replacement tile; or never."
        ),
        {
            "after_discard_pass": _("After the discard"),
            "on_declaration": _("When the fourth stands"),
            "off": _("Never"),
        },
        {
            "after_discard_pass": _(
                "Four kans of more than one player abort the hand after the discard that follows "
                "the fourth, if nobody wins on it."
            ),
            "on_declaration": _(
                "Four kans of more than one player abort the hand once the fourth stands, before "
                "its replacement tile."
            ),
            "off": _("Four kans do not abort the hand."),
        },
    ),
    "sanchaho": Switch(
        pgettext_lazy("draws.sanchaho", "Three rons"),
        _("The hand is aborted if three players declare ron on one tile."),
        off=_("Three rons on one tile do not abort the hand."),
    ),
}

RIICHI: Final = {
    "riichi_needs_points": Switch(
        _("Riichi needs 1,000 points"),
        _("Riichi needs the 1,000 points of its stick."),
        off=_("Riichi may be declared with fewer than 1,000 points."),
    ),
    "riichi_tiles_left": Switch(
        _("Tiles left for riichi"),
        _(
            "Riichi needs this many tiles left in the live wall. With 0, even the last discard may "
            "declare it."
        ),
    ),
    "furiten_riichi": Switch(
        _("Riichi in furiten"),
        _("Riichi may be declared on a furiten wait."),
        off=_("Riichi may not be declared on a furiten wait."),
    ),
    "ippatsu": Switch(
        pgettext_lazy("yaku.ippatsu", "Ippatsu"),
        _("A win within one go-around after riichi, before any call, is worth one han."),
        off=_("A win within one go-around after riichi is worth nothing more."),
    ),
    "ura_dora": Switch(
        pgettext_lazy("yaku.ura", "Ura dora"),
        _("Ura dora count for a win in riichi."),
        off=_("Ura dora do not count."),
    ),
    "kan_dora": Switch(
        _("Kan dora"),
        _("Every kan turns a dora indicator."),
        off=_("Kans turn no dora indicator."),
    ),
    "kan_ura": Switch(
        _("Kan ura"),
        _("The ura indicators below the kan dora count as well."),
        off=_("Of the ura indicators only the first counts."),
    ),
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
            "after_discard_passes": _("After the next discard"),
        },
        {
            "before_replacement": _(
                "The indicator of an open or added kan is turned before the replacement tile."
            ),
            "at_discard": _(
                "The indicator of an open or added kan is turned with the next discard, so that a "
                "ron on it counts the new dora."
            ),
            "after_discard_passes": _(
                "The indicator of an open or added kan is turned after the next discard, if nobody "
                "wins on it."
            ),
        },
    ),
    "pending_dora_at_robbery": Switch(
        _("Dora due before a robbery"),
        _("An indicator still due for an earlier kan is turned before an added kan is robbed."),
        off=_("An indicator still due for an earlier kan stays down when an added kan is robbed."),
    ),
    "riichi_ankan": Switch(
        _("Closed kans in riichi"),
        _(
            "Closed kans in riichi, always of the tile just drawn: none; those that leave the "
            "waits as they are; of these only those that lose no yaku of a hand that the waits "
            "complete; or only where the three tiles are a triplet in every reading of such a hand."
        ),
        {
            "never": _("None"),
            "waits_unchanged": _("If the waits stay"),
            "yaku_kept": _("If the waits stay and no yaku is lost"),
            "shape_unchanged": _("If waits and shape stay"),
        },
        {
            "never": _("No kan can be declared in riichi."),
            "waits_unchanged": _(
                "In riichi, the tile just drawn may become a closed kan if the waits stay as they "
                "are."
            ),
            "yaku_kept": _(
                "In riichi, the tile just drawn may become a closed kan if the waits stay as they "
                "are and the hand can still have every yaku that it could have before."
            ),
            "shape_unchanged": _(
                "In riichi, the tile just drawn may become a closed kan if the waits stay as they "
                "are and its three tiles are a triplet in every reading of the hand."
            ),
        },
    ),
    "noten_declaration": Switch(
        _("Tenpai may be kept closed"),
        _(
            "When the wall is used up, a tenpai player not in riichi chooses whether to show the "
            "hand; kept closed, it is noten. Several players choose at the same time."
        ),
        off=_("When the wall is used up, every tenpai hand is shown."),
    ),
    "own_four_is_noten": Switch(
        _("Waiting for four of one’s own is noten"),
        _(
            "A hand that waits only for tiles of which it holds all four: it is tenpai; it is "
            "noten if all four are concealed; or it is noten even if some are in its own melds."
        ),
        {
            "off": _("No, it is tenpai"),
            "concealed": _("If all four are concealed"),
            "all": _("Concealed or in own melds"),
        },
        {
            "off": _("A hand that waits only for tiles of which it holds all four is tenpai."),
            "concealed": _(
                "A hand that waits only for tiles of which it holds all four is noten if all four "
                "are concealed."
            ),
            "all": _(
                "A hand that waits only for tiles of which it holds all four is noten, even if "
                "some are in its own melds."
            ),
        },
    ),
    "noten_payments": Switch(
        _("Noten payments"),
        _(
            "What each noten player pays at an exhaustive draw if one player is tenpai, if two "
            "are, and so on: whole hundreds that the tenpai players can share."
        ),
    ),
}

NORTHS: Final = {
    "nukidora": Switch(
        _("Norths set aside"),
        _(
            "On the own turn, after a draw and with a tile left in the wall, a north may be set "
            "aside (kita): it is a dora, and a replacement tile is drawn."
        ),
        {"off": _("Not played"), "north": _("A north is a dora")},
        {
            "off": _("Norths are not set aside."),
            "north": _(
                "On the own turn, after a draw and with a tile left in the wall, a north may be "
                "set aside (kita): it is a dora, and a replacement tile is drawn."
            ),
        },
    ),
    "nuki_interrupts": Switch(
        _("A north interrupts"),
        _("A north set aside ends ippatsu and the rights of the first turn, once nobody robs it."),
        off=_("A north set aside ends neither ippatsu nor the rights of the first turn."),
    ),
    "nuki_ron": Switch(
        _("Robbing a north"),
        _(
            "A north that is set aside can be won on: by any hand that has a yaku and waits for "
            "it, by thirteen orphans only, or not at all. It is not chankan."
        ),
        {
            "any_hand": _("By any hand"),
            "kokushi_only": _("By thirteen orphans"),
            "off": _("Not possible"),
        },
        {
            "any_hand": _(
                "Any hand that has a yaku and waits for it can win on a north that is set aside. "
                "It is not chankan."
            ),
            "kokushi_only": _("Only thirteen orphans can win on a north that is set aside."),
            "off": _("Nobody can win on a north that is set aside."),
        },
    ),
    "nuki_rinshan": Switch(
        _("Rinshan after a north"),
        _("A win on the replacement tile of a north is rinshan kaihou."),
        off=_("The replacement tile of a north is like any other draw, without rinshan kaihou."),
    ),
}

FURITEN: Final = {
    "missed_ends": Switch(
        _("Temporary furiten ends"),
        _(
            "A missed win makes a hand furiten until its player’s next draw or call, or until "
            "anybody’s call as well. In riichi it is for the rest of the hand under either."
        ),
        {
            "own_turn": _("With the player’s next turn"),
            "own_turn_or_any_call": _("With the player’s next turn or any call"),
        },
        {
            "own_turn": _(
                "A missed win makes a hand furiten until its player’s next draw or call, in riichi "
                "for the rest of the hand."
            ),
            "own_turn_or_any_call": _(
                "A missed win makes a hand furiten until its player’s next draw or anybody’s call, "
                "in riichi for the rest of the hand."
            ),
        },
    ),
    "missed_without_yaku": Switch(
        _("Missed also without a yaku"),
        _("Passing a tile that completes the hand without a yaku makes it furiten, too."),
        off=_("Passing a tile that completes the hand without a yaku does not make it furiten."),
    ),
    "kakan_is_discard": Switch(
        _("An added kan is a discard"),
        _("A tile added to a pon counts as discarded."),
        off=_("A tile added to a pon does not count as discarded."),
    ),
}
