"""All yaku with the han that the engine gives to their examples under a rule set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec.structs import replace

from game.engine.rules import RuleSet
from game.results.game_text import table_text
from lobby.learn.examples import Example
from lobby.learn.yaku_examples import YAKU_EXAMPLES, YakuExample

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
    "kokushi": "kokushi musou",
    "kokushi_13": "kokushi juusanmen",
    "chuuren": "chuuren poutou",
    "junsei_chuuren": "junsei chuuren poutou",
    "suuankou_tanki": "suuankou tanki",
    "shousuushi": "shousuushii",
    "daisuushi": "daisuushii",
}
"""The romaji of yaku whose id is another word."""
BONUSES: Final = ("dora", "ura", "aka")


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
    """Yaku of the same worth under one heading."""

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
    rows = {entry.yaku: yaku_row(entry, rules) for entry in YAKU_EXAMPLES}
    groups = [
        YakuGroup(
            name,
            heading,
            tuple(
                rows[entry.yaku]
                for entry in YAKU_EXAMPLES
                if entry.yaku not in BONUSES and usual_han(entry) in han
            ),
        )
        for name, heading, han in _HEADINGS
    ]
    dora = tuple(rows[name] for name in BONUSES)
    return [*groups, YakuGroup("dora", table_text("yaku", "dora"), dora)]


def usual_han(entry: YakuExample) -> int:
    """Return the han in a closed hand under Tenhou's rules, 0 for a yakuman. Renhou, which is not
    in these rules, counts as a yakuman."""
    han, is_yakuman = worth(entry.yaku, entry.closed, RuleSet())
    return 0 if is_yakuman else han


def yaku_row(entry: YakuExample, rules: RuleSet) -> YakuRow:
    """Return what the page shows of a yaku."""
    return YakuRow(
        id=entry.yaku,
        name=table_text("yaku", entry.yaku),
        kanji=KANJI[entry.yaku],
        romaji=ROMAJI.get(entry.yaku, entry.yaku),
        needs=entry.needs,
        closed=_worth_text(*worth(entry.yaku, entry.closed, rules)),
        open=_worth_text(*worth(entry.yaku, entry.open, rules)) if entry.open else "",
        example=shown_example(entry),
    )


def shown_example(entry: YakuExample) -> Example:
    """Return the hand with fewer other yaku, the closed one if both have as many."""
    if entry.open is None:
        return entry.closed
    return min(entry.closed, entry.open, key=lambda example: len(yaku_of(example)))


def yaku_of(example: Example) -> list[str]:
    """Return the yaku of the hand with Tenhou's rules and renhou."""
    value = example.value(replace(RuleSet(), renho="yakuman"))
    return [name for name, _han in value.yaku] if value is not None else []


def worth(yaku: str, example: Example, rules: RuleSet) -> tuple[int, bool]:
    """Return the worth of a yaku in that hand, and whether it is a yakuman.

    The worth is in han; for a yakuman it is the number of times that it counts. Return (0, False)
    if the rules do not have the yaku."""
    value = example.value(rules)
    if value is None:
        return 0, False
    return dict(value.yaku).get(yaku, 0), value.yakuman > 0


def _worth_text(count: int, is_yakuman: bool) -> str:
    if not count:
        return ""
    if is_yakuman:
        return _("Double yakuman") if count == 2 else table_text("limits", "yakuman")
    return ngettext("%(count)d han", "%(count)d han", count) % {"count": count}
