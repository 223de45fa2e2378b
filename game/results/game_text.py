"""Words and numbers that describe a game, in the reader's language.

The words are those of the table, from the same catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

Result = dict[str, Any]
"""A win or a drawn hand, as the wire and the archive write it."""


def format_signed(number: int | Decimal, decimals: int = 0) -> str:
    """Format a number in the reader's language, always with its sign."""
    sign = "\N{MINUS SIGN}" if number < 0 else "+" if number > 0 else ""
    return sign + number_format(str(abs(number)), decimals, use_l10n=True, force_grouping=True)


def format_number(number: int | Decimal | Fraction, decimals: int = 0) -> str:
    """Format a number in the reader's language, with a sign only below zero. A half is rounded away
    from zero, as points are."""
    units = int(abs(Fraction(number)) * 10**decimals + Fraction(1, 2))
    sign = "\N{MINUS SIGN}" if number < 0 and units else ""
    rounded = f"{Decimal(units).scaleb(-decimals):.{decimals}f}"
    return sign + number_format(rounded, decimals, use_l10n=True, force_grouping=True)


def round_name(kyoku: int) -> str:
    """Return a name such as 'East 3'; `kyoku` counts the rounds from 0."""
    winds = (
        pgettext("winds.E", "East"),
        pgettext("winds.S", "South"),
        pgettext("winds.W", "West"),
        pgettext("winds.N", "North"),
    )
    name = pgettext("round", "{wind} {number}")
    return name.format(wind=winds[kyoku // 4 % 4], number=kyoku % 4 + 1)


def hand_name(kyoku: int, honba: int) -> str:
    """Return a name such as 'East 3-1', with the counters."""
    return f"{round_name(kyoku)}-{honba}" if honba else round_name(kyoku)


def place_name(place: int) -> str:
    """Return the name of a place from 1 to 4."""
    return {
        1: pgettext("places.1", "1st"),
        2: pgettext("places.2", "2nd"),
        3: pgettext("places.3", "3rd"),
        4: pgettext("places.4", "4th"),
    }[place]


def player_name(name: str) -> str:
    """Return the name, or the words for a player whose account is deleted."""
    return name or _("deleted player")


def length_name(length: str) -> str:
    return {
        "east": pgettext("lengths.east", "East only"),
        "east_south": pgettext("lengths.east_south", "East and South"),
    }.get(length, length)


def preset_name(preset: str) -> str:
    """Return the name of a preset; '' stands for custom rules."""
    names = {
        "tenhou": _("Tenhou"),
        "mahjong-soul": _("Mahjong Soul"),
        "m-league": _("M.League"),
        "ema-2012": "EMA 2012",
        "ema-2016": "EMA 2016",
        "ema-2025": "EMA 2025",
        "wrc-2025": "WRC 2025",
        "jpml-a": _("JPML A"),
        "saikouisen": _("Saikouisen"),
        "classic": _("Classic"),
    }
    return names.get(preset, preset) if preset else _("Own rules")


def rules_name(rules: dict[str, Any], preset: str) -> str:
    """Return a name such as 'Tenhou, East and South'."""
    length = length_name(str(rules.get("length", "")))
    name = preset_name(preset)
    return _("%(rules)s, %(length)s") % {"rules": name, "length": length} if length else name


def describe_result(result: Result, names: Sequence[str]) -> str:
    """Describe in one line how a hand ended."""
    if result["type"] == "ryukyoku":
        return _draw_texts().get(result["reason"]) or str(result["reason"])
    winner, worth = names[result["actor"]], _describe_value(result)
    if result["actor"] == result["target"]:
        return _("%(winner)s, tsumo, %(worth)s") % {"winner": winner, "worth": worth}
    loser = names[result["target"]]
    words = {"winner": winner, "loser": loser, "worth": worth}
    return _("%(winner)s, ron from %(loser)s, %(worth)s") % words


def describe_details(result: Result, names: Sequence[str]) -> str:
    """Describe the yaku of a win, or who was tenpai. May be empty."""
    if result["type"] == "hora":
        return join_list(
            [_describe_yaku(name, han, result) for name, han in result.get("yaku", ())]
        )
    if result["reason"] == "chombo":
        return join_list([names[seat] for seat in result.get("offenders", ())])
    if result["reason"] not in {"exhaustive", "nagashi_mangan"} or "tenpais" not in result:
        return ""
    tenpai = [name for name, is_so in zip(names, result["tenpais"], strict=True) if is_so]
    if not tenpai:
        return _("Nobody was tenpai.")
    return _("Tenpai: %(names)s") % {"names": join_list(tenpai)}


def join_list(parts: Sequence[str]) -> str:
    """Return a list such as 'Anna, Ben'."""
    return pgettext("between the parts of a list", ", ").join(parts)


def _describe_yaku(name: str, han: int, result: Result) -> str:
    """Describe a yaku with its han; without han in a yakuman hand."""
    called = yaku_names().get(name, name)
    if result.get("yakuman"):
        return called
    worth = ngettext("%(count)d han", "%(count)d han", han) % {"count": han}
    return f"{called} ({worth})"


def _describe_value(result: Result) -> str:
    limits = {
        "mangan": pgettext("limits.mangan", "Mangan"),
        "haneman": pgettext("limits.haneman", "Haneman"),
        "baiman": pgettext("limits.baiman", "Baiman"),
        "sanbaiman": pgettext("limits.sanbaiman", "Sanbaiman"),
        "kazoe_yakuman": pgettext("limits.kazoe_yakuman", "Counted yakuman"),
        "yakuman": pgettext("limits.yakuman", "Yakuman"),
    }
    limit = limits.get(result["limit"])
    return limit or _("%(han)d han %(fu)d fu") % {"han": result["fan"], "fu": result["fu"]}


def _draw_texts() -> dict[str, str]:
    return {
        "exhaustive": pgettext("draws.exhaustive", "Exhaustive draw"),
        "nagashi_mangan": pgettext("draws.nagashi_mangan", "Nagashi mangan"),
        "kyushu_kyuhai": pgettext("draws.kyushu_kyuhai", "Nine terminals and honours"),
        "sufon_renda": pgettext("draws.sufon_renda", "Four winds discarded"),
        "sucha_riichi": pgettext("draws.sucha_riichi", "Four riichi"),
        "sukaikan": pgettext("draws.sukaikan", "Four kans"),
        "sanchaho": pgettext("draws.sanchaho", "Three rons"),
        "chombo": pgettext("draws.chombo", "Chombo"),
        "abandoned": pgettext("draws.abandoned", "Broken off"),
    }


def yaku_names() -> dict[str, str]:
    """Return the names of the yaku by the engine's ids."""
    return {
        "riichi": pgettext("yaku.riichi", "Riichi"),
        "daburu": pgettext("yaku.daburu", "Double riichi"),
        "ippatsu": pgettext("yaku.ippatsu", "Ippatsu"),
        "tsumo": pgettext("yaku.tsumo", "Fully concealed hand"),
        "pinfu": pgettext("yaku.pinfu", "Pinfu"),
        "tanyao": pgettext("yaku.tanyao", "All simples"),
        "iipeikou": pgettext("yaku.iipeikou", "Pure double sequence"),
        "haku": pgettext("yaku.haku", "White dragon"),
        "hatsu": pgettext("yaku.hatsu", "Green dragon"),
        "chun": pgettext("yaku.chun", "Red dragon"),
        "seat_wind": pgettext("yaku.seat_wind", "Seat wind"),
        "round_wind": pgettext("yaku.round_wind", "Round wind"),
        "haitei": pgettext("yaku.haitei", "Under the sea"),
        "houtei": pgettext("yaku.houtei", "Under the river"),
        "rinshan": pgettext("yaku.rinshan", "After a kan"),
        "chankan": pgettext("yaku.chankan", "Robbing a kan"),
        "sanshoku": pgettext("yaku.sanshoku", "Mixed triple sequence"),
        "ittsuu": pgettext("yaku.ittsuu", "Pure straight"),
        "chanta": pgettext("yaku.chanta", "Half outside hand"),
        "chiitoi": pgettext("yaku.chiitoi", "Seven pairs"),
        "doukou": pgettext("yaku.doukou", "Triple triplets"),
        "sanankou": pgettext("yaku.sanankou", "Three concealed triplets"),
        "sankantsu": pgettext("yaku.sankantsu", "Three kans"),
        "toitoi": pgettext("yaku.toitoi", "All triplets"),
        "shousangen": pgettext("yaku.shousangen", "Little three dragons"),
        "honroutou": pgettext("yaku.honroutou", "All terminals and honours"),
        "ryanpeikou": pgettext("yaku.ryanpeikou", "Twice pure double sequence"),
        "junchan": pgettext("yaku.junchan", "Fully outside hand"),
        "honitsu": pgettext("yaku.honitsu", "Half flush"),
        "chinitsu": pgettext("yaku.chinitsu", "Full flush"),
        "dora": pgettext("yaku.dora", "Dora"),
        "ura": pgettext("yaku.ura", "Ura dora"),
        "aka": pgettext("yaku.aka", "Red fives"),
        "kokushi": pgettext("yaku.kokushi", "Thirteen orphans"),
        "kokushi_13": pgettext("yaku.kokushi_13", "Thirteen-wait thirteen orphans"),
        "chuuren": pgettext("yaku.chuuren", "Nine gates"),
        "junsei_chuuren": pgettext("yaku.junsei_chuuren", "True nine gates"),
        "tenhou": pgettext("yaku.tenhou", "Blessing of heaven"),
        "chiihou": pgettext("yaku.chiihou", "Blessing of earth"),
        "renhou": pgettext("yaku.renhou", "Blessing of man"),
        "suuankou": pgettext("yaku.suuankou", "Four concealed triplets"),
        "suuankou_tanki": pgettext("yaku.suuankou_tanki", "Single-wait four concealed triplets"),
        "daisangen": pgettext("yaku.daisangen", "Big three dragons"),
        "shousuushi": pgettext("yaku.shousuushi", "Little four winds"),
        "daisuushi": pgettext("yaku.daisuushi", "Big four winds"),
        "tsuuiisou": pgettext("yaku.tsuuiisou", "All honours"),
        "chinroutou": pgettext("yaku.chinroutou", "All terminals"),
        "ryuuiisou": pgettext("yaku.ryuuiisou", "All green"),
        "suukantsu": pgettext("yaku.suukantsu", "Four kans"),
    }


def explain_no_record(code: str) -> str:
    """Explain why a game cannot be written in a format."""
    return {
        "no_hand": _("No hand of this game was played to its end."),
        "chombo": _("This format has no word for chombo, which happened in this game."),
        "red_fives": _("This format knows one red five of each suit, or none at all."),
        "showing": _("This format cannot say who showed a hand at the end of the wall."),
    }.get(code, "")
