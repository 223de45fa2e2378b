"""Texts of the switches for a hand: calls, aborts, riichi, kan, dora, furiten."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from lobby.pregame.rule_texts.switch import Switch

TILES: Final = {
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
        _("Honba with several wins"),
        _("With several wins the honba are paid to each of them, or to the nearest."),
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
            "abort": _("Abortive draw"),
            "use_ura": _("Takes the ura indicators"),
        },
    ),
}

ABORTS: Final = {
    "kyushu_kyuhai": Switch(
        _("Nine terminals and honours"),
        _("Nine kinds of terminals and honours on the first draw may be laid open."),
    ),
    "kyushu_ankan_cancels": Switch(
        _("A closed kan cancels the nine kinds"),
        _("Another player's closed kan ends that right, as a call does. One's own always does."),
    ),
    "sufon_renda": Switch(_("Four winds"), _("The first four discards are the same wind.")),
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

RIICHI: Final = {
    "riichi_needs_points": Switch(
        _("Riichi needs 1,000 points"), _("Riichi needs the 1,000 points of its stick.")
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

FURITEN: Final = {
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
