"""The lessons: texts and the tiles that they show.

The tiles are in the notation of `lobby.learn.tile_rows`. Must not know pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from game.engine.by_seat import BySeat


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles with their caption, which may be None."""

    tiles: str
    """The lines of tiles, separated by ``/``."""
    caption: Any = None

    @property
    def lines(self) -> list[str]:
        """The lines of tiles, from top to bottom."""
        return self.tiles.split("/")


@dataclass(frozen=True, slots=True)
class LessonBlock:
    """A paragraph with rows of tiles, or with a final ranking."""

    heading: Any
    text: Any
    rows: tuple[Row, ...] = ()
    final_scores: BySeat[int] | None = None
    """The scores of the final ranking, by seat."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page. The slug is part of its address."""

    slug: str
    title: Any
    lead: Any
    blocks: tuple[LessonBlock, ...]


LESSONS: Final = (
    Lesson(
        "tiles",
        _("The tiles"),
        _(
            "Four people play riichi mahjong with 136 tiles: 34 different ones, each of them "
            "four times. Three people play without 28 of them."
        ),
        (
            LessonBlock(
                _("Three suits"),
                _(
                    "Each suit runs from one to nine. Characters are called man, circles pin and "
                    "bamboo sou. The one of bamboo is a bird."
                ),
                (
                    Row("123456789m", _("Characters (man)")),
                    Row("123456789p", _("Circles (pin)")),
                    Row("123456789s", _("Bamboo (sou)")),
                ),
            ),
            LessonBlock(
                _("Honours"),
                _(
                    "There are four winds, East, South, West and North, and three dragons, "
                    "white, green and red. Honours have no numbers, so they form no runs."
                ),
                (
                    Row("1234z", _("Winds")),
                    Row("567z", _("Dragons")),
                ),
            ),
            LessonBlock(
                _("Terminals and red fives"),
                _(
                    "Ones and nines are called terminals; tiles from two to eight are simples. "
                    "Many rules replace one five of each suit by a red five, which adds a han to "
                    "a winning hand."
                ),
                (
                    Row("19m19p19s", _("Terminals")),
                    Row("0m0p0s", _("Red fives")),
                ),
            ),
        ),
    ),
    Lesson(
        "sets",
        _("A complete hand"),
        _("You hold thirteen tiles. With a fourteenth they should form four sets and a pair."),
        (
            LessonBlock(
                _("Sets"),
                _(
                    "A set has three tiles: a run of three consecutive numbers in one suit, or a "
                    "triplet of three identical tiles. Runs do not go round from nine to one."
                ),
                (
                    Row("345p 789s", _("Two runs")),
                    Row("222m 777z", _("Two triplets")),
                    Row("44s", _("A pair")),
                ),
            ),
            LessonBlock(
                _("Waiting for the last tile"),
                _(
                    "A hand that lacks only one tile is tenpai. The tiles that complete it are "
                    "its waits. This one waits for two of them."
                ),
                (
                    Row("234m 678m 345p 55p 67s", _("Thirteen tiles")),
                    Row("!5s !8s", _("The waits")),
                ),
            ),
            LessonBlock(
                _("Two other shapes"),
                _(
                    "Two hands need no sets: seven different pairs, and thirteen orphans, one of "
                    "each terminal and honour with a second copy of one of them."
                ),
                (
                    Row("1122m5588p3399s77z", _("Seven pairs")),
                    Row("19m19p19s12345677z", _("Thirteen orphans")),
                ),
            ),
        ),
    ),
    Lesson(
        "turn",
        _("A turn"),
        _("The dealer, East, begins. Play goes round to the right: East, South, West, North."),
        (
            LessonBlock(
                _("Draw and discard"),
                _(
                    "On your turn you draw a tile from the wall and discard one of your "
                    "fourteen. Discards stay in front of their player, in rows of six, so that "
                    "everybody sees their order."
                ),
                (
                    Row("123m 3467p 22p 567s 1z", _("Your hand")),
                    Row("!5p", _("The tile just drawn")),
                    Row("1z9m4z1s8m6z", _("A row of discards")),
                ),
            ),
            LessonBlock(
                _("Winning"),
                _(
                    "You win by tsumo if you draw the last tile yourself, and by ron if somebody "
                    "else discards it. After a ron only the discarder pays; after a tsumo "
                    "everybody else pays."
                ),
            ),
            LessonBlock(
                _("The wall and the dora"),
                _(
                    "Fourteen tiles of the wall are kept back as the dead wall. One of them, the "
                    "dora indicator, is turned over: the tile that follows it is the dora, and "
                    "each dora in a winning hand adds a han. After nine comes one, after North "
                    "comes East, after red comes white."
                ),
                (
                    Row("3p", _("The indicator")),
                    Row("!4p", _("The dora")),
                ),
            ),
            LessonBlock(
                _("A drawn hand"),
                _(
                    "If the wall is used up and nobody wins on the last discard either, the hand "
                    "is an exhaustive draw. Players who are not tenpai then pay those who are."
                ),
            ),
        ),
    ),
    Lesson(
        "calls",
        _("Calls"),
        _(
            "Somebody else’s discard can complete a set of yours. You take it with a "
            "call and lay the set open."
        ),
        (
            LessonBlock(
                _("Chi"),
                _(
                    "Chi takes the discard of the player on your left for a run. The tile that "
                    "you took is laid sideways."
                ),
                (Row("<312m"),),
            ),
            LessonBlock(
                _("Pon"),
                _(
                    "Pon takes anybody’s discard for a triplet, and comes before chi. The "
                    "sideways tile shows who discarded it: left, opposite or right."
                ),
                (Row("^777z >222p"),),
            ),
            LessonBlock(
                _("Kan"),
                _(
                    "Four identical tiles can be declared as a kan: open with a discard, added to "
                    "a pon, or closed from your own hand. You then draw a replacement tile, and "
                    "usually another dora indicator is turned over."
                ),
                (
                    Row("<9999s", _("Open kan")),
                    Row("#1111p", _("Closed kan")),
                ),
            ),
            LessonBlock(
                _("What a call costs"),
                _(
                    "A hand with a call is open. It cannot declare riichi, some yaku are lost "
                    "and others are worth less. A closed kan leaves the hand closed."
                ),
            ),
        ),
    ),
    Lesson(
        "first-yaku",
        _("Yaku"),
        _(
            "A complete hand wins only if it has at least one yaku. Dora are worth han, "
            "but they are not yaku."
        ),
        (
            LessonBlock(
                _("Easy to remember"),
                _(
                    "Three yaku win most hands of beginners: riichi, tanyao and a triplet of "
                    "dragons."
                ),
                (
                    Row("234m 678m 345p 55p 67s !8s", _("Tanyao: only tiles from two to eight")),
                    Row(
                        "123m 456p 99p 78s ^666z !9s",
                        _("Yakuhai: a triplet of dragons, closed or open"),
                    ),
                ),
            ),
            LessonBlock(
                _("Your winds"),
                _(
                    "A triplet of your own wind or of the round’s wind is a yaku, too. In the East "
                    "round, a triplet of East is a yaku for everybody, and it counts twice for the "
                    "dealer."
                ),
                (Row("111z"),),
            ),
            LessonBlock(
                _("A hand without a yaku"),
                _(
                    "This hand is complete but cannot win: it is open, has terminals, and no "
                    "triplet that is a yaku. Think of your yaku before your first call."
                ),
                (Row("123m 567p 33p 45s <645m !6s"),),
            ),
        ),
    ),
    Lesson(
        "riichi",
        _("Riichi"),
        _(
            "With a closed hand that is tenpai you may declare riichi. It is a yaku of "
            "its own, so every closed hand can win."
        ),
        (
            LessonBlock(
                _("How it goes"),
                _(
                    "You declare riichi, discard a tile sideways and pay a stick of 1,000 points, "
                    "which the next winner takes. From then on you may not change your hand: you "
                    "discard every tile that you draw, unless you win with it."
                ),
                (Row("9m1z4p8s6z~2p", _("Discards, the riichi tile sideways")),),
            ),
            LessonBlock(
                _("What it brings"),
                _(
                    "Riichi is worth one han. A win before your next discard adds ippatsu, "
                    "unless somebody calls. A winner in riichi also looks below the dora "
                    "indicator: the ura dora counts, too."
                ),
                (Row("234m 678m 345p 55p 67s !8s", _("With riichi, tanyao and pinfu: three han")),),
            ),
            LessonBlock(
                _("What it risks"),
                _(
                    "Everybody knows that you are tenpai, and you can no longer hold back "
                    "dangerous tiles. Riichi is best early in the hand, with a good wait."
                ),
            ),
        ),
    ),
    Lesson(
        "furiten",
        _("Furiten"),
        _(
            "A player who is furiten cannot win by ron, only by tsumo. There are three "
            "ways to become furiten."
        ),
        (
            LessonBlock(
                _("Your own discard"),
                _(
                    "If any one of your waits is among your own discards, you are furiten for "
                    "all of them. This hand waits for two tiles, and one of them was discarded "
                    "earlier."
                ),
                (
                    Row("234m 678m 345p 55p 67s", _("Waits for 5 and 8 of bamboo")),
                    Row("9m1z !8s 4p6z", _("Discards")),
                ),
            ),
            LessonBlock(
                _("A missed win"),
                _(
                    "If somebody discards your wait and you do not win, you are furiten until "
                    "your next draw."
                ),
            ),
            LessonBlock(
                _("A missed win in riichi"),
                _(
                    "In riichi you then stay furiten until the end of the hand. The same happens "
                    "if you draw your wait yourself and do not win."
                ),
            ),
            LessonBlock(
                _("Why it matters"),
                _(
                    "Nobody can win by ron on a tile that they have discarded themselves. Such "
                    "tiles are safe against that player: this is the basis of all defence."
                ),
            ),
        ),
    ),
    Lesson(
        "scoring",
        _("Scoring"),
        _(
            "The points of a hand follow from its han and its fu. The table counts them; you need "
            "only a rough idea."
        ),
        (
            LessonBlock(
                _("Han"),
                _(
                    "Add the han of all yaku and dora. Each han doubles the points, up to "
                    "mangan; from there on the steps are fixed: haneman, baiman, sanbaiman, "
                    "yakuman."
                ),
            ),
            LessonBlock(
                _("Fu"),
                _(
                    "A hand starts with 20 fu. Triplets, kans, a pair of value honours, a closed, "
                    "edge or single wait, a tsumo, and a ron with a closed hand add some; the sum "
                    "is rounded up to the next ten. Seven pairs are always 25 fu."
                ),
                (
                    Row("111z", _("Concealed triplet of honours: 8 fu")),
                    Row("^444p", _("Open triplet of simples: 2 fu")),
                ),
            ),
            LessonBlock(
                _("Who pays"),
                _(
                    "The dealer wins half as much again, and pays double when somebody else wins "
                    "by tsumo. Each honba on the table adds 300 points."
                ),
            ),
        ),
    ),
    Lesson(
        "end",
        _("The end of a game"),
        _("A game of East and South has two rounds. In each round everybody is the dealer once."),
        (
            LessonBlock(
                _("The dealer stays"),
                _(
                    "A dealer who wins deals again; in most rules so does one who is tenpai at an "
                    "exhaustive draw. Otherwise the next player becomes the dealer. Repeat deals "
                    "and drawn hands are counted in honba."
                ),
                (
                    Row("!1z 2z 3z 4z", _("East 1: the first player is the dealer")),
                    Row("4z !1z 2z 3z", _("East 2: the second player is the dealer")),
                ),
            ),
            LessonBlock(
                _("When it is over"),
                _(
                    "The game ends after South 4. Many rules end it earlier when somebody falls "
                    "below zero, and go on into West when nobody has 30,000 points."
                ),
            ),
            LessonBlock(
                _("Places and points"),
                _(
                    "The final result counts from the return points, here 30,000. Uma is added by "
                    "place, and oka goes to the first. Saving third place in the last hand can be "
                    "worth more than a small win."
                ),
                final_scores=(27_000, 41_000, 20_000, 12_000),
            ),
        ),
    ),
    Lesson(
        "manners",
        _("Manners"),
        _(
            "The table shows whose turn it is, checks every move and counts the points. The rest "
            "is up to the people at it."
        ),
        (
            LessonBlock(
                _("Pace"),
                _(
                    "Play at an even pace. Your clock is there for hard decisions; a long pause "
                    "over an easy one tells the others something about your hand."
                ),
            ),
            LessonBlock(
                _("Stay until the end"),
                _(
                    "The others are counting on you. If you have to leave, a bot plays for you; "
                    "come back as soon as you can, the seat stays yours."
                ),
            ),
            LessonBlock(
                _("Talk"),
                _(
                    "Say hello, and thank the others at the end. Do not speak of your tiles or "
                    "of what others should do while a hand is played. You can mute anybody."
                ),
            ),
            LessonBlock(
                _("At a real table"),
                _(
                    "There you do by hand what this table does for you: lay your discards in rows "
                    "of six, say a call before you touch the tile, and lay a won hand open with "
                    "the last tile apart."
                ),
                (
                    Row(
                        "1z9m4z1s8m6z/9p2z8s~3p1p7m/5s3z",
                        _("Discards in rows of six, the riichi tile sideways"),
                    ),
                    Row("234m 678m 345p 55p 67s !8s", _("A won hand, the last tile apart")),
                ),
            ),
            LessonBlock(
                _("Play fair"),
                _(
                    "Playing two seats at one table, or agreeing on results, is cheating. In "
                    "rated games do not use programs that advise you."
                ),
            ),
        ),
    ),
    Lesson(
        "three-players",
        _("Three players"),
        _("For those who know the game of four: what is different in sanma."),
        (
            LessonBlock(
                _("108 tiles"),
                _(
                    "The two to eight of characters are missing. As dora indicators, the one of "
                    "characters is followed by the nine, and the nine by the one. At Tenhou one "
                    "five of circles and one of bamboo are red."
                ),
                (Row("19m 123456789p/123456789s 1234567z"),),
            ),
            LessonBlock(
                _("Kita: a north is set aside"),
                _(
                    "On your turn you may lay a north beside your hand and draw a replacement "
                    "tile. Each counts as one dora. It breaks no closed hand. The others may "
                    "win on it, and it ends ippatsu and the first turns of everybody."
                ),
                (
                    Row("!4z", _("Set aside: one han")),
                    Row("3z", _("With West as the indicator each north counts twice")),
                ),
            ),
            LessonBlock(
                _("No chi"),
                _(
                    "Only pon and kan call a discard. Runs come from the wall, and hands of one "
                    "suit, triplets and honours are more frequent."
                ),
            ),
            LessonBlock(
                _("Tsumo loss"),
                _(
                    "At Tenhou and Mahjong Soul nobody pays the share of the missing player: a "
                    "mangan by tsumo is 2,000 and 4,000 points, 6,000 in all instead of 8,000. "
                    "Each honba adds 100 points for each payer, and tenpai players share 2,000 "
                    "points after an exhaustive draw."
                ),
            ),
            LessonBlock(
                _("The game"),
                _(
                    "Everybody starts with 35,000 points. A game of East and South has six hands, "
                    "and goes on into West if nobody has 40,000. North is nobody's seat wind."
                ),
            ),
        ),
    ),
)
