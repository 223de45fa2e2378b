"""All yaku with the han that the engine gives to their examples under a rule set."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec.structs import replace as replace_rules

from game.engine.rules import RuleSet
from game.engine.tiles import kind_of
from game.results.game_text import table_text
from lobby.learn.examples import Example
from lobby.learn.yaku_examples import NUKIDORA_EXAMPLE, YAKU_EXAMPLES, YakuExample

KANJI: Final = {
    "riichi": "リーチ",
    "daburu": "ダブルリーチ",
    "ippatsu": "一発",
    "tsumo": "門前清自摸和",
    "pinfu": "平和",
    "tanyao": "断么九",
    "iipeikou": "一盃口",
    "haku": "役牌 白",
    "hatsu": "役牌 發",
    "chun": "役牌 中",
    "seat_wind": "自風牌",
    "round_wind": "場風牌",
    "haitei": "海底摸月",
    "houtei": "河底撈魚",
    "rinshan": "嶺上開花",
    "chankan": "槍槓",
    "chiitoi": "七対子",
    "sanshoku": "三色同順",
    "ittsuu": "一気通貫",
    "chanta": "混全帯么九",
    "doukou": "三色同刻",
    "sanankou": "三暗刻",
    "sankantsu": "三槓子",
    "toitoi": "対々和",
    "shousangen": "小三元",
    "honroutou": "混老頭",
    "junchan": "純全帯么九",
    "honitsu": "混一色",
    "ryanpeikou": "二盃口",
    "chinitsu": "清一色",
    "kokushi": "国士無双",
    "kokushi_13": "国士無双十三面待ち",
    "suuankou": "四暗刻",
    "suuankou_tanki": "四暗刻単騎",
    "daisangen": "大三元",
    "shousuushi": "小四喜",
    "daisuushi": "大四喜",
    "tsuuiisou": "字一色",
    "chinroutou": "清老頭",
    "ryuuiisou": "緑一色",
    "chuuren": "九蓮宝燈",
    "junsei_chuuren": "純正九蓮宝燈",
    "suukantsu": "四槓子",
    "tenhou": "天和",
    "chiihou": "地和",
    "renhou": "人和",
    "dora": "ドラ",
    "ura": "裏ドラ",
    "aka": "赤ドラ",
    "nukidora": "抜きドラ",
}
ROMAJI: Final = {
    "daburu": "daburu riichi",
    "tsumo": "menzen tsumo",
    "haku": "yakuhai haku",
    "hatsu": "yakuhai hatsu",
    "chun": "yakuhai chun",
    "seat_wind": "yakuhai jikaze",
    "round_wind": "yakuhai bakaze",
    "haitei": "haitei raoyue",
    "houtei": "houtei raoyui",
    "rinshan": "rinshan kaihou",
    "sanshoku": "sanshoku doujun",
    "chiitoi": "chiitoitsu",
    "doukou": "sanshoku doukou",
    "toitoi": "toitoihou",
    "ura": "ura dora",
    "aka": "akadora",
    "nukidora": "nuki dora",
    "kokushi": "kokushi musou",
    "kokushi_13": "kokushi juusanmen",
    "chuuren": "chuuren poutou",
    "junsei_chuuren": "junsei chuuren poutou",
    "suuankou_tanki": "suuankou tanki",
    "shousuushi": "shousuushii",
    "daisuushi": "daisuushii",
}
"""The romaji of yaku whose id is another word."""
BONUSES: Final = ("dora", "ura", "aka", "nukidora")
_SUITS: Final = (
    *(dict(zip("mps", order, strict=True)) for order in permutations("mps")),
    {"m": "s"},
    {"m": "p"},
)
"""Ways to write an example with the tiles of other suits."""
_MISSING_TILE: Final = re.compile(r"[02-8]\d*m")


@dataclass(frozen=True, slots=True)
class YakuRow:
    """A yaku as the page shows it."""

    id: str
    name: str
    kanji: str
    romaji: str
    needs: Any
    closed: str
    """The worth of the yaku in a closed hand in words, such as '2 han'."""
    open: str
    """The worth in an open hand; '' if the yaku does not count there."""
    example: Example

    @property
    def counts(self) -> bool:
        """Whether the yaku counts at all with the rules."""
        return bool(self.closed)

    @property
    def is_named_in_romaji(self) -> bool:
        """Whether the name in the reader's language is the Japanese one in Latin letters."""
        return self.name.casefold() == self.romaji


@dataclass(frozen=True, slots=True)
class YakuGroup:
    """The yaku of one worth, under one heading."""

    id: str
    name: Any
    rows: tuple[YakuRow, ...]


_HEADINGS: Final = (
    ("one", gettext_lazy("One han"), (1,)),
    ("two", gettext_lazy("Two han"), (2,)),
    ("more", gettext_lazy("Three han and more"), (3, 4, 5, 6)),
    ("yakuman", gettext_lazy("Yakuman"), (0,)),
)


def yaku_sheet(rules: RuleSet) -> list[YakuGroup]:
    """Return all yaku in groups by their worth in a closed hand with Tenhou's rules, the dora
    last."""
    entries = YAKU_EXAMPLES if rules.players == 4 else examples_of_three()
    rows = {entry.yaku: yaku_row(entry, rules) for entry in entries}
    groups = [
        YakuGroup(
            name,
            heading,
            tuple(
                rows[entry.yaku]
                for entry in entries
                if entry.yaku not in BONUSES and usual_han(entry) in han
            ),
        )
        for name, heading, han in _HEADINGS
    ]
    dora = tuple(rows[name] for name in BONUSES if name != "nukidora" or rules.nukidora == "north")
    return [*groups, YakuGroup("dora", table_text("yaku", "dora"), dora)]


@cache
def examples_of_three() -> tuple[YakuExample, ...]:
    """Return the yaku that three players can have, with examples without 2m to 8m."""
    entries = []
    for entry in (*YAKU_EXAMPLES, NUKIDORA_EXAMPLE):
        closed = _example_of_three(entry.closed)
        if closed is not None:
            opened = entry.open and _example_of_three(entry.open)
            entries.append(replace(entry, closed=closed, open=opened))
    return tuple(entries)


def _example_of_three(example: Example) -> Example | None:
    """Exchange the suits so that the hand has the same yaku without 2m to 8m; None if no exchange
    does.
    """
    for suits in _SUITS:
        other = example.in_suits(suits)
        if _is_of_three(other) and yaku_of(other) == yaku_of(example):
            return other
    return None


def _is_of_three(example: Example) -> bool:
    """Return whether the hand has no 2m to 8m and no kind more than four times."""
    text = " ".join([example.tiles, example.win, *example.melds, example.dora, example.ura])
    context = example.context(RuleSet())
    melded = [tile for meld in context.melds for tile in meld.tiles]
    held = [*context.tiles, context.winning_tile, *melded]
    most = max(Counter(kind_of(tile) for tile in held).values())
    return most <= 4 and _MISSING_TILE.search(text) is None


def usual_han(entry: YakuExample) -> int:
    """Return the han in a closed hand under Tenhou's rules; 0 for a yakuman, and for renhou, which
    these rules do not have.
    """
    han, is_yakuman = worth_of_yaku(entry.yaku, entry.closed, RuleSet())
    return 0 if is_yakuman else han


def yaku_row(entry: YakuExample, rules: RuleSet) -> YakuRow:
    """Describe a yaku for the page: its names, its worth with a closed and an open hand, and an
    example.
    """
    return YakuRow(
        id=entry.yaku,
        name=table_text("yaku", entry.yaku),
        kanji=KANJI[entry.yaku],
        romaji=ROMAJI.get(entry.yaku, entry.yaku),
        needs=entry.needs,
        closed=worth_text(*worth_of_yaku(entry.yaku, entry.closed, rules)),
        open=worth_text(*worth_of_yaku(entry.yaku, entry.open, rules)) if entry.open else "",
        example=shown_example(entry),
    )


def shown_example(entry: YakuExample) -> Example:
    """Choose the example with fewer other yaku; the closed one if both have as many."""
    if entry.open is None:
        return entry.closed
    return min(entry.closed, entry.open, key=lambda example: len(yaku_of(example)))


def yaku_of(example: Example) -> list[str]:
    """Return the yaku of the hand with Tenhou's rules and renhou."""
    value = example.value(replace_rules(RuleSet(), renho="yakuman"))
    return [name for name, _han in value.yaku] if value is not None else []


def worth_of_yaku(yaku: str, example: Example, rules: RuleSet) -> tuple[int, bool]:
    """Return the worth of a yaku in that hand, and whether it is a yakuman.

    The worth is in han; for a yakuman it is the number of times that it counts. Return (0, False)
    if the rules do not have the yaku."""
    value = example.value(rules)
    if value is None:
        return 0, False
    return dict(value.yaku).get(yaku, 0), value.yakuman > 0


def worth_text(count: int, is_yakuman: bool) -> str:
    """Return the worth of a yaku in words, such as '2 han' or 'Double yakuman'; '' for none."""
    if not count:
        return ""
    if is_yakuman:
        return _("Double yakuman") if count == 2 else table_text("limits", "yakuman")
    return ngettext("%(count)d han", "%(count)d han", count) % {"count": count}
