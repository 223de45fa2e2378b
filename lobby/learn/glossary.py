"""The glossary: the words of the game with kanji, reading, English, French and a definition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the game. `term` is its romanisation, `reading` its kana."""

    term: str
    kanji: str
    reading: str
    english: str
    french: str
    meaning: Any


GLOSSARY: Final = (
    (
        _("Tiles and the wall"),
        (
            Term(
                "hai",
                "牌",
                "はい",
                "tile",
                "tuile",
                _("One of the 136 pieces of the game, or of 108 with three players."),
            ),
            Term(
                "manzu",
                "萬子",
                "マンズ",
                "characters, man",
                "caractères, man",
                _("The suit with Chinese numerals."),
            ),
            Term(
                "pinzu",
                "筒子",
                "ピンズ",
                "circles, pin",
                "cercles, pin",
                _("The suit with circles."),
            ),
            Term(
                "souzu",
                "索子",
                "ソーズ",
                "bamboo, sou",
                "bambous, sou",
                _("The suit with sticks of bamboo."),
            ),
            Term("jihai", "字牌", "じはい", "honour", "honneur", _("A wind or a dragon.")),
            Term("kazehai", "風牌", "かぜはい", "wind", "vent", _("East, South, West or North.")),
            Term(
                "sangenpai", "三元牌", "さんげんぱい", "dragon", "dragon", _("White, green or red.")
            ),
            Term(
                "yaochuuhai",
                "么九牌",
                "ヤオチュウハイ",
                "terminals and honours",
                "terminales et honneurs",
                _("Ones, nines, winds and dragons."),
            ),
            Term(
                "chunchanpai",
                "中張牌",
                "チュンチャンパイ",
                "simple",
                "tuile simple",
                _("A tile from two to eight."),
            ),
            Term(
                "haiyama",
                "牌山",
                "はいやま",
                "wall",
                "mur",
                _("The tiles that are still to be drawn."),
            ),
            Term(
                "wanpai",
                "王牌",
                "ワンパイ",
                "dead wall",
                "mur mort",
                _("Fourteen tiles that are not drawn in turn: indicators and replacement tiles."),
            ),
            Term(
                "dora",
                "ドラ",
                "ドラ",
                "dora",
                "dora",
                _("A tile that adds a han to a winning hand."),
            ),
            Term(
                "akadora",
                "赤ドラ",
                "あかドラ",
                "red five",
                "cinq rouge",
                _("A five that is always dora."),
            ),
            Term(
                "uradora",
                "裏ドラ",
                "うらドラ",
                "ura dora",
                "ura-dora",
                _("The dora below the indicators, for winners in riichi."),
            ),
        ),
    ),
    (
        _("Hands and sets"),
        (
            Term("mentsu", "面子", "メンツ", "set", "combinaison", _("A run, a triplet or a kan.")),
            Term(
                "shuntsu",
                "順子",
                "シュンツ",
                "run",
                "suite",
                _("Three consecutive numbers in one suit."),
            ),
            Term("koutsu", "刻子", "コーツ", "triplet", "brelan", _("Three identical tiles.")),
            Term(
                "ankou",
                "暗刻",
                "アンコー",
                "concealed triplet",
                "brelan caché",
                _("A triplet formed without a call."),
            ),
            Term("kantsu", "槓子", "カンツ", "kan", "kan", _("A set of four identical tiles.")),
            Term(
                "jantou",
                "雀頭",
                "ジャントー",
                "pair",
                "paire",
                _("The two identical tiles of a complete hand."),
            ),
            Term(
                "menzen",
                "門前",
                "メンゼン",
                "closed hand",
                "main cachée",
                _("A hand without calls; closed kans are allowed."),
            ),
            Term(
                "yakuhai",
                "役牌",
                "やくはい",
                "value honour",
                "honneur de valeur",
                _("A dragon, the wind of the round or one’s own wind: a triplet of it is a yaku."),
            ),
            Term(
                "fuuro",
                "副露",
                "フーロ",
                "open meld",
                "combinaison exposée",
                _("A set laid open by a call."),
            ),
            Term(
                "tenpai",
                "聴牌",
                "テンパイ",
                "tenpai",
                "tenpai",
                _("One tile short of a complete hand."),
            ),
            Term("noten", "不聴", "ノーテン", "noten", "noten", _("Not tenpai.")),
            Term(
                "shanten",
                "向聴",
                "シャンテン",
                "shanten",
                "shanten",
                _("How many tiles a hand is away from tenpai."),
            ),
            Term("machi", "待ち", "まち", "wait", "attente", _("The tiles that complete a hand.")),
            Term(
                "ryanmen",
                "両面",
                "リャンメン",
                "two-sided wait",
                "attente aux deux bouts",
                _("A wait at both ends of two consecutive tiles."),
            ),
            Term(
                "kanchan",
                "嵌張",
                "カンチャン",
                "closed wait",
                "attente au milieu",
                _("A wait in the middle of a run."),
            ),
            Term(
                "penchan",
                "辺張",
                "ペンチャン",
                "edge wait",
                "attente en bout",
                _("A wait for three with one and two, or for seven with eight and nine."),
            ),
            Term(
                "shanpon",
                "双碰",
                "シャンポン",
                "wait on two pairs",
                "attente sur deux paires",
                _("A wait that makes a triplet of one of two pairs."),
            ),
            Term(
                "tanki",
                "単騎",
                "タンキ",
                "single wait",
                "attente sur la paire",
                _("A wait for the pair."),
            ),
        ),
    ),
    (
        _("Play"),
        (
            Term(
                "tsumo",
                "自摸",
                "ツモ",
                "draw; tsumo",
                "pioche ; tsumo",
                _("Drawing a tile; also winning with the tile drawn."),
            ),
            Term(
                "dahai",
                "打牌",
                "だはい",
                "discard",
                "défausse",
                _("Putting a tile among one’s discards."),
            ),
            Term(
                "tsumogiri",
                "ツモ切り",
                "ツモぎり",
                "discard of the drawn tile",
                "défausse de la tuile piochée",
                _("Discarding the tile that one has just drawn."),
            ),
            Term("ron", "栄", "ロン", "ron", "ron", _("Winning with another player’s tile.")),
            Term(
                "houjuu",
                "放銃",
                "ほうじゅう",
                "deal-in",
                "ron donné",
                _("Discarding the tile with which another player wins by ron."),
            ),
            Term("naki", "鳴き", "なき", "call", "appel", _("Taking a discard to form a set.")),
            Term(
                "riichi",
                "立直",
                "リーチ",
                "riichi",
                "riichi",
                _("Declaring that a closed hand is tenpai, for a stick of 1,000 points."),
            ),
            Term(
                "damaten",
                "黙聴",
                "ダマテン",
                "damaten",
                "damaten",
                _("A closed hand that is tenpai without riichi."),
            ),
            Term(
                "furiten",
                "振聴",
                "フリテン",
                "furiten",
                "furiten",
                _("Not being allowed to win by ron."),
            ),
            Term(
                "kuikae",
                "喰い替え",
                "くいかえ",
                "swap call",
                "kuikae",
                _(
                    "Calling a tile and then discarding one that would have completed the same "
                    "set. Most rules forbid it."
                ),
            ),
            Term(
                "genbutsu",
                "現物",
                "げんぶつ",
                "safe tile",
                "tuile sûre",
                _("A tile that an opponent has discarded, and so cannot win on by ron."),
            ),
            Term(
                "suji",
                "筋",
                "すじ",
                "suji",
                "suji",
                _(
                    "Tiles three apart in one suit, such as 1, 4 and 7. A player who has discarded "
                    "the 4 cannot win on a 1 or 7 by ron with a two-sided wait."
                ),
            ),
            Term(
                "ryuukyoku",
                "流局",
                "りゅうきょく",
                "drawn hand",
                "donne nulle",
                _("A hand that ends without a win."),
            ),
        ),
    ),
    (
        _("Points and the game"),
        (
            Term(
                "yaku",
                "役",
                "やく",
                "yaku",
                "yaku",
                _("A pattern or a way of winning; a hand needs at least one to win."),
            ),
            Term(
                "han",
                "翻",
                "ハン",
                "han",
                "han",
                _(
                    "The unit in which yaku and dora are counted; up to mangan, each doubles the "
                    "points."
                ),
            ),
            Term(
                "fu",
                "符",
                "ふ",
                "fu",
                "fu",
                _("Minor points for the sets, the pair, the wait and the way of winning."),
            ),
            Term(
                "mangan",
                "満貫",
                "マンガン",
                "mangan",
                "mangan",
                _("The first limit: 8,000 points, 12,000 for the dealer."),
            ),
            Term(
                "yakuman",
                "役満",
                "ヤクマン",
                "yakuman",
                "yakuman",
                _("The highest limit: 32,000 points, 48,000 for the dealer."),
            ),
            Term("oya", "親", "おや", "dealer", "donneur", _("The player who is East.")),
            Term("ko", "子", "こ", "non-dealer", "non-donneur", _("A player who is not East.")),
            Term(
                "renchan",
                "連荘",
                "レンチャン",
                "repeat deal",
                "Est reste Est",
                _("The dealer stays the dealer for another hand."),
            ),
            Term(
                "honba",
                "本場",
                "ほんば",
                "honba",
                "honba",
                _(
                    "The counter of repeat deals and drawn hands; each honba adds 300 points to a "
                    "win, with three players usually 200."
                ),
            ),
            Term(
                "kyoutaku",
                "供託",
                "きょうたく",
                "sticks on the table",
                "bâtons en jeu",
                _("Riichi sticks that the next winner takes."),
            ),
            Term(
                "hanchan",
                "半荘",
                "ハンチャン",
                "game over East and South",
                "partie Est et Sud",
                _("A game of two rounds, East and South."),
            ),
            Term("uma", "ウマ", "ウマ", "uma", "uma", _("Points added or taken by final place.")),
            Term(
                "oka",
                "オカ",
                "オカ",
                "oka",
                "oka",
                _(
                    "The bonus of the first place: the difference between the starting points and "
                    "the return points, once for each player."
                ),
            ),
            Term(
                "tobi",
                "飛び",
                "とび",
                "bust",
                "tobi",
                _("A score below zero, which ends the game in many rules."),
            ),
            Term(
                "pao",
                "包",
                "パオ",
                "liability",
                "responsabilité",
                _("Having to pay for a yakuman that one’s discard has made certain."),
            ),
            Term(
                "chombo",
                "錯和",
                "チョンボ",
                "chombo",
                "chombo",
                _("The penalty for a serious foul."),
            ),
        ),
    ),
    (
        _("Three players"),
        (
            Term(
                "sanma",
                "三麻",
                "サンマ",
                "three-player mahjong, sanma",
                "mahjong à trois joueurs, sanma",
                _("Riichi for three players, without 2 to 8 of characters and without chi."),
            ),
            Term(
                "kita",
                "北抜き",
                "きたぬき",
                "setting a north aside, kita",
                "mise de côté d’un Nord, kita",
                _("Laying a north beside the hand and drawing a replacement tile."),
            ),
            Term(
                "nukidora",
                "抜きドラ",
                "ぬきドラ",
                "norths set aside",
                "Nords mis de côté",
                _("Norths that were set aside. Each counts as a dora."),
            ),
            Term(
                "tsumo-zon",
                "ツモ損",
                "ツモぞん",
                "tsumo loss",
                "perte au tsumo",
                _("Nobody pays what the missing fourth player would pay at a self-draw."),
            ),
            Term(
                "tsumo-zon nashi",
                "ツモ損なし",
                "ツモぞんなし",
                "without tsumo loss",
                "sans perte au tsumo",
                _(
                    "Two players pay for a self-draw what three would pay. In rules, “ari” says "
                    "that something is played, and “nashi” that it is not."
                ),
            ),
            Term(
                "otakaze",
                "オタ風",
                "オタかぜ",
                "guest wind",
                "vent d’un autre",
                _(
                    "A wind that is neither that of the round nor one’s own. With three players "
                    "North is one for everybody."
                ),
            ),
        ),
    ),
)
