"""The names of yaku in the record formats, with the ids of the engine."""

from __future__ import annotations

from typing import Final

MJLOG_YAKU: Final[dict[int, str]] = dict(
    enumerate(
        (
            *("tsumo", "riichi", "ippatsu", "chankan", "rinshan", "haitei", "houtei", "pinfu"),
            *("tanyao", "iipeikou"),
            *4 * ("seat_wind",),
            *4 * ("round_wind",),
            *("haku", "hatsu", "chun", "daburu", "chiitoi", "chanta", "ittsuu", "sanshoku"),
            *("doukou", "sankantsu", "toitoi", "sanankou", "shousangen", "honroutou"),
            *("ryanpeikou", "junchan", "honitsu", "chinitsu", "renhou", "tenhou", "chiihou"),
            *("daisangen", "suuankou", "suuankou_tanki", "tsuuiisou", "ryuuiisou", "chinroutou"),
            *("chuuren", "junsei_chuuren", "kokushi", "kokushi_13", "daisuushi", "shousuushi"),
            *("suukantsu", "dora", "ura", "aka"),
        )
    )
)
"""Yaku by Tenhou's number."""

YAKUMAN_IDS: Final = frozenset(
    """
    tenhou chiihou daisangen suuankou suuankou_tanki tsuuiisou ryuuiisou chinroutou chuuren
    junsei_chuuren kokushi kokushi_13 daisuushi shousuushi suukantsu
    """.split()  # noqa: SIM905
)

RENHOU: Final = "renhou"
"""A yakuman or five han, as the rules say."""

_NAME_TABLE: Final = """
tsumo menzenchin_tsumoho 門前清自摸和 |Fully Concealed Hand|Menzen Tsumo
riichi reach 立直 |Riichi
ippatsu ippatsu 一発 |Ippatsu
chankan chankan 槍槓 |Chankan|Robbing a Kan
rinshan rinshankaiho 嶺上開花 |Rinshan Kaihou|After a Kan
haitei haiteiraoyue 海底摸月 海底撈月 |Haitei Raoyue|Under the Sea
houtei hoteiraoyui 河底撈魚 |Houtei Raoyui|Under the River
pinfu pinfu 平和 |Pinfu
tanyao tanyaochu 断幺九 断么九 |Tanyao|All Simples
iipeikou ipeko 一盃口 |Iipeikou|Pure Double Sequence
haku - 役牌　白 役牌:白
hatsu - 役牌　發 役牌:發 役牌　発
chun - 役牌　中 役牌:中
daburu double_reach 両立直 ダブル立直 |Double Riichi
chiitoi chitoitsu 七対子 |Chiitoitsu|Seven Pairs
chanta honchantaiyao 混全帯幺九 混全帯么九 |Chanta|Half Outside Hand
ittsuu ikkitsukan 一気通貫 |Ittsuu|Pure Straight
sanshoku sanshokudojun 三色同順 |Sanshoku Doujun|Mixed Triple Sequence
doukou sanshokudoko 三色同刻 |Sanshoku Doukou|Triple Triplets
sankantsu sankantsu 三槓子 |Sankantsu|Three Quads
toitoi toitoiho 対々和 対対和 |Toitoi|All Triplets
sanankou sananko 三暗刻 |Sanankou|Three Concealed Triplets
shousangen shosangen 小三元 |Shousangen|Little Three Dragons
honroutou honroto 混老頭 |Honroutou|All Terminals and Honors
ryanpeikou ryanpeko 二盃口 |Ryanpeikou|Twice Pure Double Sequence
junchan junchantaiyao 純全帯幺九 純全帯么九 |Junchan|Fully Outside Hand
honitsu honiso 混一色 |Honitsu|Half Flush
chinitsu chiniso 清一色 |Chinitsu|Full Flush
tenhou tenho 天和 |Tenhou|Blessing of Heaven
chiihou chiho 地和 |Chiihou|Blessing of Earth
renhou renho 人和 |Renhou|Blessing of Man
daisangen daisangen 大三元 |Daisangen|Big Three Dragons
suuankou suanko 四暗刻 |Suuankou|Four Concealed Triplets
suuankou_tanki - 四暗刻単騎 |Suuankou Tanki|Single-wait Four Concealed Triplets
tsuuiisou tsuiso 字一色 |Tsuuiisou|All Honors
ryuuiisou ryuiso 緑一色 |Ryuuiisou|All Green
chinroutou chinroto 清老頭 |Chinroutou|All Terminals
chuuren churenpoton 九蓮宝燈 九連宝燈 |Chuuren Poutou|Nine Gates
junsei_chuuren - 純正九蓮宝燈 純正九連宝燈 |Junsei Chuuren Poutou|True Nine Gates
kokushi kokushimuso 国士無双 |Kokushi Musou|Thirteen Orphans
kokushi_13 - 国士無双１３面 国士無双13面 国士無双十三面待ち |Kokushi Musou Juusanmen
daisuushi daisushi 大四喜 |Daisuushii|Four Big Winds
shousuushi shosushi 小四喜 |Shousuushii|Four Little Winds
suukantsu sukantsu 四槓子 |Suukantsu|Four Quads
nukidora - 抜きドラ 北ドラ |Kita|Nukidora
dora dora ドラ |Dora
ura uradora 裏ドラ |Ura Dora
aka akadora 赤ドラ |Red Five|Aka Dora|Red Dora
"""
"""Each yaku by its id, with its name in mjai, and Japanese and English names in texts."""

_DRAGONS: Final = {"haku": "白", "hatsu": "發", "chun": "中", "north": "北"}


def _tenhou6_names() -> dict[str, str]:
    names: dict[str, str] = {}
    for line in _NAME_TABLE.strip().splitlines():
        japanese, *english = line.split("|")
        yaku, _, *written = japanese.split(" ")
        names |= dict.fromkeys([name for name in (*written, *english) if name], yaku)
    for yaku, dragon in _DRAGONS.items():
        names[f"役牌 {dragon}"] = yaku
    for wind in "東南西北":
        names[f"自風 {wind}"] = "seat_wind"
        names[f"場風 {wind}"] = "round_wind"
    return names


TENHOU6_YAKU: Final = _tenhou6_names()
"""By the name in the text, Japanese or English."""

MJAI_YAKU: Final = {
    name: yaku
    for yaku, mjai, *_ in map(str.split, _NAME_TABLE.strip().splitlines())
    for name in (yaku, mjai)
    if name != "-"
} | {
    "seat_wind": "seat_wind",
    "round_wind": "round_wind",
    "jikaze": "seat_wind",
    "bakaze": "round_wind",
    "sangenpai": "sangenpai",
    "north": "north",
}
"""By mjai's name, or ours. mjai has one name for all dragons."""

NUKIDORA_AS_DORA: Final = {"nukidora": "dora"}
"""Some records count norths set aside among the dora."""
TENHOU_COARSE: Final = NUKIDORA_AS_DORA | {"north": "seat_wind"}
"""Yaku for which Tenhou's records have only a more general name."""

MJAI_COARSE: Final = NUKIDORA_AS_DORA | {
    "haku": "sangenpai",
    "hatsu": "sangenpai",
    "chun": "sangenpai",
    "suuankou_tanki": "suuankou",
    "junsei_chuuren": "chuuren",
    "kokushi_13": "kokushi",
}
"""Yaku for which mjai has only a more general name."""
