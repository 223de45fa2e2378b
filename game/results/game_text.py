"""Words and numbers that describe a game, in the reader's language.

The words are those of the table, from the same catalogue: `table_words.json` is made from the
client's English by `tools/words.py`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

_WORDS_FILE: Final = Path(__file__).with_name("table_words.json")
if not _WORDS_FILE.exists():
    raise ImproperlyConfigured(f"{_WORDS_FILE} is missing. Make it: python -m tools.bundle")
_TABLE_TEXTS: Final[dict[str, dict[str, str]]] = json.loads(_WORDS_FILE.read_text(encoding="utf-8"))

Result = dict[str, Any]
"""A win or a drawn hand, in the form of frames and of the archive."""


def format_signed(number: int | Decimal, decimals: int = 0) -> str:
    """Format a number in the reader's language, always with its sign."""
    sign = "\N{MINUS SIGN}" if number < 0 else "+" if number > 0 else ""
    return sign + number_format(str(abs(number)), decimals, use_l10n=True, force_grouping=True)


def format_number(number: int | Decimal | Fraction, decimals: int = 0) -> str:
    """Format a number in the reader's language; only negative numbers have a sign. A half is
    rounded away from zero, as points are."""
    units = int(abs(Fraction(number)) * 10**decimals + Fraction(1, 2))
    sign = "\N{MINUS SIGN}" if number < 0 and units else ""
    rounded = f"{Decimal(units).scaleb(-decimals):.{decimals}f}"
    return sign + number_format(rounded, decimals, use_l10n=True, force_grouping=True)


def format_percent(number: Fraction, decimals: int = 1) -> str:
    """Format a number that is in per cent, in the reader's language, with the sign % after it."""
    return pgettext("percent", "{number}%").format(number=format_number(number, decimals))


def round_name(kyoku: int) -> str:
    """Return a name such as 'East 3'; `kyoku` counts the rounds from 0."""
    name = pgettext("round", "{wind} {number}")
    return name.format(wind=table_text("winds", "ESWN"[kyoku // 4 % 4]), number=kyoku % 4 + 1)


def short_round_name(kyoku: int) -> str:
    """Return a name such as 'E3' for the axis of a chart; `kyoku` counts the rounds from 0."""
    return f"{table_text('windLetters', 'ESWN'[kyoku // 4 % 4])}{kyoku % 4 + 1}"


def hand_name(kyoku: int, honba: int) -> str:
    """Return a name such as 'East 3, 1 honba'."""
    if not honba:
        return round_name(kyoku)
    text = ngettext("%(round)s, %(honba)d honba", "%(round)s, %(honba)d honba", honba)
    return text % {"round": round_name(kyoku), "honba": honba}


def tile_name_of_text(text: str) -> str:
    """Return the name of a tile, such as '5 of circles (red)'. `text` is mjai's, such as
    ``5pr``."""
    if text in "ESWNPFC":
        return table_text("honours", text)
    if text.endswith("r"):
        name = pgettext("redTile", "{rank} of {suit} (red)")
    else:
        name = pgettext("tile", "{rank} of {suit}")
    return name.format(rank=table_text("ranks", text[0]), suit=table_text("suits", text[1]))


def place_name(place: int) -> str:
    """Return the name of a place from 1 to 4."""
    return table_text("places", str(place))


def player_name(name: str, bot: str = "") -> str:
    """Return the player's name; for a deleted account, words that say so. The name of a bot of the
    site is followed by its level."""
    if level := bot_level(bot):
        return pgettext("botName", "{name} ({level})").format(name=name, level=level)
    return name or _("deleted player")


def bot_level(bot: str) -> str:
    """Return the name of the level of a bot of the site; '' for a player or an unknown bot."""
    return table_text("bot", bot) if bot in _TABLE_TEXTS["bot"] else ""


def length_name(length: str) -> str:
    return {
        "east": pgettext("lengths.east", "East only"),
        "east_south": pgettext("lengths.east_south", "East and South"),
    }.get(length, length)


def preset_name(preset: str) -> str:
    """Return the name of a preset for readers; '' stands for custom rules."""
    names = {
        "tenhou": _("Tenhou"),
        "mahjong-soul": _("Mahjong Soul"),
        "m-league": _("M.League"),
        "ema-2012": "EMA 2012",
        "ema-2016": "EMA 2016",
        "ema-2025": "EMA 2025",
        "wrc-2025": "WRC 2025",
        "jpml-a": _("JPML A (until 2021)"),
        "jpml-2026": _("JPML A 2026"),
        "saikouisen": _("Saikouisen (until 2022)"),
        "classic": _("Classic"),
        "tenhou-3": _("Tenhou, three players"),
        "mahjong-soul-3": _("Mahjong Soul, three players"),
        "mahjong-soul-3-no-loss": _("Mahjong Soul, three players without tsumo loss"),
        "riichi-city-3": _("Riichi City, three players"),
        "kansai": _("Kansai, three players"),
    }
    return names.get(preset, preset) if preset else _("Custom rules")


def rules_name(rules: dict[str, Any], preset: str) -> str:
    """Return a name such as 'Tenhou, East and South'. If `rules` have no number of players, they
    are for four."""
    length = length_name(str(rules.get("length", "")))
    is_of_three = not preset and rules.get("players") == 3
    name = _("Custom rules, three players") if is_of_three else preset_name(preset)
    return _("%(rules)s, %(length)s") % {"rules": name, "length": length} if length else name


def describe_result(result: Result, names: Sequence[str]) -> str:
    """Describe in one line how a hand ended."""
    if result["type"] == "ryukyoku":
        return table_text("draws", result["reason"])
    winner, worth = names[result["actor"]], describe_worth(result)
    if result["actor"] == result["target"]:
        return _("%(winner)s, tsumo, %(worth)s") % {"winner": winner, "worth": worth}
    loser = names[result["target"]]
    words = {"winner": winner, "loser": loser, "worth": worth}
    return _("%(winner)s, ron from %(loser)s, %(worth)s") % words


def describe_details(result: Result, names: Sequence[str]) -> str:
    """List the yaku of a win, or say who was tenpai. May be ''."""
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
    """Join names as a list in the reader's language, such as 'Anna, Ben'."""
    return pgettext("between the parts of a list", ", ").join(parts)


def _describe_yaku(name: str, han: int, result: Result) -> str:
    """Describe a yaku with its han, or without han if the hand is a yakuman."""
    called = table_text("yaku", name)
    if result.get("yakuman"):
        return called
    worth = ngettext("%(count)d han", "%(count)d han", han) % {"count": han}
    return f"{called} ({worth})"


def describe_worth(result: Result) -> str:
    """Return the limit of a win such as 'mangan', or its han and fu."""
    if result["limit"]:
        return table_text("limits", result["limit"])
    return _("%(han)d han %(fu)d fu") % {"han": result["fan"], "fu": result["fu"]}


def table_text(group: str, name: str) -> str:
    """Return the text of that name that the table shows; the name itself if there is none."""
    english = _TABLE_TEXTS[group].get(name)
    return translation.pgettext(f"{group}.{name}", english) if english else name


def explain_no_record(code: str) -> str:
    """Explain to the reader why a game cannot be written in a format. `code` is the reason; an
    unknown one gives ""."""
    return {
        "not_kept": _("Records are kept for a limited time on this site. Only the result is left."),
        "no_hand": _("No hand of this game was played to its end."),
        "chombo": _("This format has no word for chombo, which happened in this game."),
        "red_fives": _("This format knows one red five of each suit, or none at all."),
        "showing": _("This format cannot say who showed a hand at the end of the wall."),
    }.get(code, "")
