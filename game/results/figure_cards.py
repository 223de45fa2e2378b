"""The figures of a player's page with their definitions, computed from sums. Pure.

The page of definitions is made from the same list, so that each figure has its definition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from game.results.game_text import format_number, format_percent, table_text
from game.results.hand_figures import GOOD_WAIT_TILES
from game.results.play_figures import PlayFigures

Text = str | Promise
Count = str | Callable[[PlayFigures], int]
"""An attribute of the figures, or a function of them."""
_DASH: Final = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, shown in per cent; as a dash if the whole is 0."""

    part: int
    whole: int

    @property
    def text(self) -> str:
        if not self.whole:
            return _DASH
        return format_percent(Fraction(100 * self.part, self.whole))

    @property
    def thousandths(self) -> int:
        """The share in thousandths, for the width of a bar."""
        return round(1000 * self.part / self.whole) if self.whole else 0


class Definition(NamedTuple):
    """The definition of a figure: the quotient of two counts."""

    key: str
    """The anchor of its definition."""
    name: Text
    meaning: Text
    quotient: tuple[Count, Count]
    decimals: int | None = None
    """The decimals of a mean; None for a share in per cent."""

    def share(self, figures: PlayFigures) -> Share:
        part, whole = (
            count(figures) if callable(count) else getattr(figures, count)
            for count in self.quotient
        )
        return Share(part, whole)

    def text(self, figures: PlayFigures) -> str:
        """Return the figure's value as text; a dash if the divisor is 0."""
        share = self.share(figures)
        if self.decimals is None:
            return share.text
        if not share.whole:
            return _DASH
        return format_number(Fraction(share.part, share.whole), self.decimals)


class FigureGroup(NamedTuple):
    key: str
    title: Text
    definitions: tuple[Definition, ...]


class Card(NamedTuple):
    """A figure on a page."""

    key: str
    name: Text
    value: str
    site: str
    """The same figure of all players; '' if it is not shown."""


class CardGroup(NamedTuple):
    key: str
    title: Text
    cards: tuple[Card, ...]


class Part(NamedTuple):
    """One segment of a bar that is 1000 units long."""

    name: Text
    begin: int
    width: int
    text: str


def _wins_of(kind: str, share: tuple[Text, Text], turn: Text, worth: Text) -> list[Definition]:
    wins, turns, points = (f"{kind}_{name}" for name in ("wins", "win_turns", "win_points"))
    return [
        Definition(f"{kind}-wins", *share, (wins, "wins")),
        Definition(f"{kind}-win-turn", turn, _TURN_OF_WIN, (turns, wins), 2),
        Definition(f"{kind}-win-worth", worth, _WORTH_OF_WIN, (points, wins), 0),
    ]


_TURN_OF_WIN: Final = _(
    "The mean turn of these wins: the number of the winning discard among its player’s discards;"
    " for a tsumo, the turn in which the tile was drawn."
)
_WORTH_OF_WIN: Final = _("The mean worth of these wins, without honba and riichi sticks.")

GROUPS: Final = (
    FigureGroup(
        "hands",
        _("Per hand"),
        (
            Definition(
                "wins",
                _("Hands won"),
                _("The share of hands that the player won."),
                ("wins", "hands"),
            ),
            Definition(
                "tsumo",
                _("Of these by tsumo"),
                _("The share of the wins in which the player drew the winning tile."),
                ("tsumo_wins", "wins"),
            ),
            Definition(
                "deal-ins",
                _("Dealt in"),
                _("The share of hands in which somebody won by ron on a tile of the player."),
                ("deal_ins", "hands"),
            ),
            Definition(
                "calls",
                _("Hands opened"),
                _("The share of hands in which the player called chi, pon or an open kan."),
                ("calls", "hands"),
            ),
            Definition(
                "tenpai",
                _("Tenpai at a draw"),
                _("The share of exhaustive draws at which the player was tenpai."),
                ("tenpai_draws", "draws"),
            ),
            Definition(
                "mean-win",
                _("Mean win"),
                _("The mean worth of the hands won, without honba and riichi sticks."),
                ("win_points", "wins"),
                0,
            ),
            Definition(
                "mean-deal-in",
                _("Mean deal-in"),
                _("The mean of what the player paid for hands dealt in to, without honba."),
                ("deal_in_points", "deal_ins"),
                0,
            ),
            Definition(
                "renchan",
                _("Renchan"),
                _("The share of hands as dealer after which the player dealt again."),
                ("dealer_repeats", "dealer_hands"),
            ),
        ),
    ),
    FigureGroup(
        "games",
        _("Per game"),
        (
            Definition(
                "mean-place",
                _("Mean place"),
                _(
                    "The mean of the final places; the mean of all players is 2.5, and 2 with"
                    " three players."
                ),
                ("sum_of_places", "games"),
                2,
            ),
            Definition(
                "mean-result",
                _("Mean result"),
                _("The mean of the final points in thousands, with uma and oka."),
                ("points_tenths", lambda figures: 10 * figures.games),
                1,
            ),
            Definition(
                "below-zero",
                _("Ended below zero"),
                _("The share of games that the player ended with a score below zero."),
                ("below_zero", "games"),
            ),
        ),
    ),
    FigureGroup(
        "riichi",
        _("Riichi"),
        (
            Definition(
                "riichi",
                _("Riichi"),
                _("The share of hands in which the player declared riichi."),
                ("riichi", "hands"),
            ),
            Definition(
                "riichi-won",
                _("Riichi won"),
                _("The share of the player’s riichi hands that the player won."),
                ("riichi_wins", "riichi"),
            ),
            Definition(
                "riichi-dealt-in",
                _("Riichi dealt in"),
                _(
                    "The share of the player’s riichi hands in which the player dealt in, with the"
                    " declaration tile too."
                ),
                ("riichi_deal_ins", "riichi"),
            ),
            Definition(
                "ippatsu",
                _("Ippatsu"),
                _("The share of the riichi wins with ippatsu."),
                ("riichi_ippatsu", "riichi_wins"),
            ),
            Definition(
                "ura",
                _("Ura dora"),
                _("The share of the riichi wins with at least one ura dora."),
                ("riichi_ura", "riichi_wins"),
            ),
            Definition(
                "riichi-turn",
                _("Turn of riichi"),
                _("The mean number of the declaration tile among the player’s discards."),
                ("riichi_turns", "riichi"),
                2,
            ),
            Definition(
                "first-riichi",
                _("First riichi"),
                _("The share of riichi that the player declared before everybody else."),
                (lambda figures: figures.riichi - figures.riichi_chasing, "riichi"),
            ),
            Definition(
                "chasing-riichi",
                _("Chasing riichi"),
                _("The share of riichi that the player declared after another player’s riichi."),
                ("riichi_chasing", "riichi"),
            ),
            Definition(
                "good-waits",
                _("Good waits"),
                _(
                    "The share of riichi with a good wait: at least two kinds of tiles, and at"
                    " least six such tiles that are not in the player’s own hand."
                ),
                ("riichi_good_waits", "riichi"),
            ),
            Definition(
                "riichi-balance",
                _("Riichi balance"),
                _(
                    "The mean of the points won less the points lost in the player’s riichi hands,"
                    " with honba and riichi sticks."
                ),
                ("riichi_balance", "riichi"),
                0,
            ),
        ),
    ),
    FigureGroup(
        "kinds",
        _("Wins by kind"),
        (
            *_wins_of(
                "riichi",
                (_("Riichi wins"), _("The share of the wins in which the player was in riichi.")),
                _("Turn of riichi wins"),
                _("Worth of riichi wins"),
            ),
            *_wins_of(
                "open",
                (
                    _("Open wins"),
                    _("The share of the wins in which the player had called chi, pon or open kan."),
                ),
                _("Turn of open wins"),
                _("Worth of open wins"),
            ),
            *_wins_of(
                "damaten",
                (
                    _("Damaten wins"),
                    _("The share of the wins with a closed hand and without riichi."),
                ),
                _("Turn of damaten wins"),
                _("Worth of damaten wins"),
            ),
        ),
    ),
    FigureGroup(
        "dealt-in",
        _("Deal-ins"),
        (
            Definition(
                "in-riichi",
                _("While in riichi"),
                _("The share of the deal-ins in which the player was in riichi."),
                ("riichi_deal_ins", "deal_ins"),
            ),
            Definition(
                "while-open",
                _("With an open hand"),
                _("The share of the deal-ins in which the player had an open hand."),
                ("open_deal_ins", "deal_ins"),
            ),
            Definition(
                "while-closed",
                _("With a closed hand"),
                _("The share of the deal-ins with a closed hand and without riichi."),
                ("closed_deal_ins", "deal_ins"),
            ),
            Definition(
                "to-riichi",
                _("To a riichi"),
                _(
                    "The share of the hands dealt in to whose winner was in riichi. A tile that two"
                    " players win on counts for both."
                ),
                ("paid_to_riichi", "paid_wins"),
            ),
            Definition(
                "to-open",
                _("To an open hand"),
                _("The share of the hands dealt in to whose winner had an open hand."),
                ("paid_to_open", "paid_wins"),
            ),
            Definition(
                "to-damaten",
                _("To damaten"),
                _("The share of the hands dealt in to that were closed and without riichi."),
                ("paid_to_damaten", "paid_wins"),
            ),
            Definition(
                "to-dealer",
                _("To the dealer"),
                _("The share of the hands dealt in to whose winner was the dealer."),
                ("paid_to_dealer", "paid_wins"),
            ),
        ),
    ),
)
assert GOOD_WAIT_TILES == 6  # the definition says so in words

ENOUGH_GAMES: Final = 10
"""The number of games from which on a page shows all figures at once."""
_FIRST_KEYS: Final = ("mean-place", "wins", "deal-ins", "riichi", "calls")
"""The figures of a player with fewer games: each counts whole games or hands."""
_BAR_PARTS: Final = (
    (_("Wins by kind"), ("riichi-wins", "open-wins", "damaten-wins")),
    (_("Deal-ins by own hand"), ("in-riichi", "while-open", "while-closed")),
    (_("Deal-ins by winner"), ("to-riichi", "to-open", "to-damaten")),
)
_DEFINITIONS_BY_KEY: Final = {
    definition.key: definition for group in GROUPS for definition in group.definitions
}


def cards(figures: PlayFigures, site: PlayFigures | None) -> list[CardGroup]:
    """Return the cards of all figures by group. If `site` is None, they lack the site's figures."""
    return [
        CardGroup(
            group.key,
            group.title,
            tuple(_card_of(definition, figures, site) for definition in group.definitions),
        )
        for group in GROUPS
    ]


def early_cards(figures: PlayFigures, site: PlayFigures | None) -> list[Card]:
    """Return the cards of figures that mean something after only a few games; none once the player
    has `ENOUGH_GAMES`."""
    if figures.games >= ENOUGH_GAMES:
        return []
    return [_card_of(_DEFINITIONS_BY_KEY[key], figures, site) for key in _FIRST_KEYS]


def _card_of(definition: Definition, figures: PlayFigures, site: PlayFigures | None) -> Card:
    return Card(
        definition.key,
        definition.name,
        definition.text(figures),
        definition.text(site) if site else "",
    )


def bars(figures: PlayFigures) -> list[tuple[Text, list[Part]]]:
    """Return the bars that show how wins and deal-ins are divided, each with its title. Bars
    without any win or deal-in are left out."""
    drawn = list[tuple[Text, list[Part]]]()
    for title, keys in _BAR_PARTS:
        parts, begin = list[Part](), 0
        for definition in (_DEFINITIONS_BY_KEY[key] for key in keys):
            share = definition.share(figures)
            parts.append(Part(definition.name, begin, share.thousandths, share.text))
            begin += share.thousandths
        if begin:
            drawn.append((title, parts))
    return drawn


def yaku_counts(
    counted: dict[str, int], wins: int, site: dict[str, int], site_wins: int
) -> list[tuple[str, int, Share, str]]:
    """Return for each yaku the name, the number of wins with it, their share, and the share on the
    whole site as text; the most frequent first. `wins` and `site_wins` are the numbers of all
    wins."""
    in_order = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [
        (
            table_text("limits" if name == "kazoe_yakuman" else "yaku", name),
            count,
            Share(count, wins),
            Share(site.get(name, 0), site_wins).text,
        )
        for name, count in in_order
    ]
