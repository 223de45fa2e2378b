"""An example of every yaku, and of the dora, with a sentence on what it needs.

`lobby.learn.yaku_sheet` has the engine score the examples. Must not know han.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from lobby.learn.examples import Example


@dataclass(frozen=True, slots=True)
class YakuExample:
    """A yaku by its id, with a closed and an open hand; None if an open one cannot have it."""

    yaku: str
    needs: Any
    closed: Example
    open: Example | None


_BASE: Final = "123m456789p35s22z"
"""Thirteen closed tiles without a yaku that wait for 4s."""

YAKU_EXAMPLES: Final = (
    YakuExample(
        "riichi",
        _("Declare that your closed hand is tenpai, and pay a stick of 1,000 points."),
        Example(_BASE, "4s", riichi=True),
        None,
    ),
    YakuExample(
        "daburu",
        _("Riichi with the first discard, before any call."),
        Example(_BASE, "4s", riichi=True, double_riichi=True),
        None,
    ),
    YakuExample(
        "ippatsu",
        _("Win before your next discard after riichi, without a call in between."),
        Example(_BASE, "4s", riichi=True, ippatsu=True),
        None,
    ),
    YakuExample(
        "tsumo",
        _("Draw the winning tile yourself with a closed hand."),
        Example(_BASE, "4s", is_tsumo=True),
        None,
    ),
    YakuExample(
        "pinfu",
        _("Four runs, a pair that is not a value honour, and a two-sided wait. Closed."),
        Example("12322m456789p34s", "5s"),
        None,
    ),
    YakuExample(
        "tanyao",
        _("Only tiles from two to eight."),
        Example("234567m33678p46s", "5s"),
        Example("567m33678p46s", "5s", melds=("<423m",)),
    ),
    YakuExample(
        "iipeikou",
        _("The same run twice in one suit. Closed."),
        Example("223344m678p12s99s", "3s"),
        None,
    ),
    YakuExample(
        "haku",
        _("A triplet of white dragons."),
        Example("123m22m456p35s555z", "4s"),
        Example("123m22m456p35s", "4s", melds=("^555z",)),
    ),
    YakuExample(
        "hatsu",
        _("A triplet of green dragons."),
        Example("123m22m456p35s666z", "4s"),
        Example("123m22m456p35s", "4s", melds=("<666z",)),
    ),
    YakuExample(
        "chun",
        _("A triplet of red dragons."),
        Example("123m22m456p35s777z", "4s"),
        Example("123m22m456p35s", "4s", melds=(">777z",)),
    ),
    YakuExample(
        "seat_wind",
        _("A triplet of your own wind; in the example, South."),
        Example("123m22m456p35s222z", "4s"),
        Example("123m22m456p35s", "4s", melds=("^222z",)),
    ),
    YakuExample(
        "round_wind",
        _("A triplet of the wind of the round; in the example, East."),
        Example("123m22m456p35s111z", "4s"),
        Example("123m22m456p35s", "4s", melds=("^111z",)),
    ),
    YakuExample(
        "haitei",
        _("Win by tsumo with the last tile of the wall."),
        Example(_BASE, "4s", is_tsumo=True, last_tile=True),
        Example("123m456p35s22z", "4s", is_tsumo=True, last_tile=True, melds=("<789p",)),
    ),
    YakuExample(
        "houtei",
        _("Win by ron on the last discard of the hand."),
        Example(_BASE, "4s", last_tile=True),
        Example("123m456p35s22z", "4s", last_tile=True, melds=("<789p",)),
    ),
    YakuExample(
        "rinshan",
        _("Win with the replacement tile after a kan."),
        Example("123m456p35s22z", "4s", is_tsumo=True, rinshan=True, melds=("#9999p",)),
        Example("123m456p35s22z", "4s", is_tsumo=True, rinshan=True, melds=("^9999p",)),
    ),
    YakuExample(
        "chankan",
        _("Win by ron on a tile that another player adds to a pon."),
        Example(_BASE, "4s", chankan=True),
        Example("123m456p35s22z", "4s", chankan=True, melds=("<789p",)),
    ),
    YakuExample(
        "chiitoi", _("Seven different pairs. Closed."), Example("1122m5588p3399s7z", "7z"), None
    ),
    YakuExample(
        "sanshoku",
        _("The same run in all three suits."),
        Example("23479m23499p234s", "8m"),
        Example("79m23499p234s", "8m", melds=("<324m",)),
    ),
    YakuExample(
        "ittsuu",
        _("The runs 123, 456 and 789 in one suit."),
        Example("123456789m24s55z", "3s"),
        Example("123456m24s55z", "3s", melds=("<789m",)),
    ),
    YakuExample(
        "chanta",
        _("A terminal or an honour in every set and in the pair."),
        Example("123789m1299p333z", "3p"),
        Example("123m1299p333z", "3p", melds=("<978m",)),
    ),
    YakuExample(
        "doukou",
        _("The same triplet in all three suits."),
        Example("111m111678p1199s", "1s"),
        Example("111m678p1199s", "1s", melds=("^111p",)),
    ),
    YakuExample(
        "sanankou",
        _("Three concealed triplets. A triplet completed by ron does not count as concealed."),
        Example("111m444p35888s33z", "4s"),
        Example("111m444p888s3z", "3z", melds=("<435s",)),
    ),
    YakuExample(
        "sankantsu",
        _("Three kans."),
        Example(
            "24s33z",
            "3s",
            melds=(
                "#1111m",
                "#6666p",
                "#9999s",
            ),
        ),
        Example(
            "24s33z",
            "3s",
            melds=(
                "^1111m",
                ">6666p",
                "#9999s",
            ),
        ),
    ),
    YakuExample(
        "toitoi",
        _("Four triplets and a pair."),
        Example("111m444p88899s33z", "9s"),
        Example(
            "444p99s33z",
            "9s",
            melds=(
                "^111m",
                ">888s",
            ),
        ),
    ),
    YakuExample(
        "shousangen",
        _("Two triplets of dragons and a pair of the third."),
        Example("123m45p55566677z", "3p"),
        Example("123m45p66677z", "3p", melds=("^555z",)),
    ),
    YakuExample(
        "honroutou",
        _("Only terminals and honours."),
        Example("1199m1199p1199s3z", "3z"),
        Example(
            "11p999s33z",
            "1p",
            melds=(
                "^111m",
                ">999p",
            ),
        ),
    ),
    YakuExample(
        "junchan",
        _("A terminal in every set and in the pair."),
        Example("123789m12p11999s", "3p"),
        Example("123m12p11999s", "3p", melds=("<978m",)),
    ),
    YakuExample(
        "honitsu",
        _("One suit and honours."),
        Example("1233456899m333z", "7m"),
        Example("1236899m333z", "7m", melds=("<345m",)),
    ),
    YakuExample(
        "ryanpeikou",
        _("Two pairs of identical runs. Closed."),
        Example("223344m667788p9s", "9s"),
        None,
    ),
    YakuExample(
        "chinitsu",
        _("One suit, no honours."),
        Example("2234456678999m", "5m"),
        Example("1235678999m", "5m", melds=("<312m",)),
    ),
    YakuExample(
        "kokushi",
        _("One of each terminal and honour, and a second copy of one of them."),
        Example("19m199p19s123456z", "7z"),
        None,
    ),
    YakuExample(
        "kokushi_13",
        _("Thirteen orphans with a wait on all thirteen tiles."),
        Example("19m19p19s1234567z", "1m"),
        None,
    ),
    YakuExample(
        "suuankou",
        _("Four concealed triplets."),
        Example("111m444p88899s33z", "9s", is_tsumo=True),
        None,
    ),
    YakuExample(
        "suuankou_tanki",
        _("Four concealed triplets with a single wait."),
        Example("111m444p888999s3z", "3z"),
        None,
    ),
    YakuExample(
        "daisangen",
        _("Triplets of all three dragons."),
        Example("123m99p55566677z", "7z"),
        Example("123m99p66677z", "7z", melds=("^555z",)),
    ),
    YakuExample(
        "shousuushi",
        _("Triplets of three winds and a pair of the fourth."),
        Example("678p1112223344z", "3z"),
        Example("678p2223344z", "3z", melds=("^111z",)),
    ),
    YakuExample(
        "daisuushi",
        _("Triplets of all four winds."),
        Example("99p11122233344z", "4z"),
        Example("99p22233344z", "4z", melds=("^111z",)),
    ),
    YakuExample(
        "tsuuiisou",
        _("Only honours."),
        Example("1122334455667z", "7z"),
        Example(
            "2223355z",
            "5z",
            melds=(
                "^111z",
                ">666z",
            ),
        ),
    ),
    YakuExample(
        "chinroutou",
        _("Only terminals."),
        Example("11199m11999p111s", "9m"),
        Example(
            "11199m11p",
            "9m",
            melds=(
                "^999p",
                ">111s",
            ),
        ),
    ),
    YakuExample(
        "ryuuiisou",
        _("Only green tiles: 2, 3, 4, 6 and 8 of bamboo and green dragons."),
        Example("22334466688s66z", "6z"),
        Example("23466688s66z", "6z", melds=("<423s",)),
    ),
    YakuExample(
        "chuuren",
        _("1112345678999 in one suit, and one more tile of that suit. Closed."),
        Example("1112345678899m", "9m"),
        None,
    ),
    YakuExample(
        "junsei_chuuren",
        _("Nine gates with a wait on all nine tiles."),
        Example("1112345678999m", "5m"),
        None,
    ),
    YakuExample(
        "suukantsu",
        _("Four kans."),
        Example(
            "3z",
            "3z",
            melds=(
                "#1111m",
                "#6666p",
                "#9999s",
                "#4444p",
            ),
        ),
        Example(
            "3z",
            "3z",
            melds=(
                "^1111m",
                ">6666p",
                "#9999s",
                "<4444p",
            ),
        ),
    ),
    YakuExample(
        "tenhou",
        _("The dealer wins with the first fourteen tiles."),
        Example(_BASE, "4s", is_tsumo=True, first_turn=True, seat_wind="1z"),
        None,
    ),
    YakuExample(
        "chiihou",
        _("A non-dealer wins with the first draw, before any call."),
        Example(_BASE, "4s", is_tsumo=True, first_turn=True),
        None,
    ),
    YakuExample(
        "renhou",
        _("Win by ron in the first go-around, before your first draw and before any call."),
        Example(_BASE, "4s", first_turn=True),
        None,
    ),
    YakuExample(
        "dora",
        _("Each dora in the hand adds a han. It is not a yaku."),
        Example(_BASE, "4s", riichi=True, dora="3s"),
        Example("567m33678p46s", "5s", melds=("<423m",), dora="4s"),
    ),
    YakuExample(
        "ura",
        _(
            "The indicator below the dora indicator shows one more dora, for a winner in riichi. "
            "It is not a yaku."
        ),
        Example(_BASE, "4s", riichi=True, ura="3s"),
        None,
    ),
    YakuExample(
        "aka",
        _("Each red five adds a han. It is not a yaku."),
        Example("123m406789p35s22z", "4s", riichi=True),
        Example("067m33678p46s", "5s", melds=("<423m",)),
    ),
)

NUKIDORA_EXAMPLE: Final = YakuExample(
    "nukidora",
    _("Each north set aside adds a han, two if the indicator is a west. It is not a yaku."),
    Example(_BASE, "4s", riichi=True, norths=1),
    Example("567m33678p46s", "5s", melds=("<423m",), norths=1),
)
"""For rules of three players that set norths aside."""
