"""Reads player statistics, ratings and ladders for pages."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, Sum
from django.utils.translation import gettext as _

from game.engine.presets import PRESETS
from game.models import GamePlayer, GameSeat, Ladder, Player, Rating, UnratedGame
from game.results.game_text import format_number, preset_name, rules_name
from game.results.ladders import BOT_LADDERS, LADDERS, MIN_GAMES, LadderKind

PER_PAGE: Final = 50
_TENTH: Final = Decimal("0.1")
_SUMS: Final = (
    *("hands", "wins", "tsumo_wins", "win_points", "deal_ins", "deal_in_points"),
    *("riichi", "calls", "draws", "tenpai_draws"),
)


@dataclass(frozen=True, slots=True)
class Share:
    """A share, shown in per cent; a dash if the whole is 0."""

    part: int
    whole: int

    @property
    def text(self) -> str:
        if not self.whole:
            return "\N{EN DASH}"
        return f"{format_number(Fraction(100 * self.part, self.whole), 1)}\N{NO-BREAK SPACE}%"

    @property
    def thousandths(self) -> int:
        """The share for the width of a bar."""
        return round(1000 * self.part / self.whole) if self.whole else 0


async def with_public_page(people: list[UUID]) -> frozenset[UUID]:
    """Return those of these people who have a public page."""
    found = Player.objects.filter(pk__in=people, is_listed=True).values_list("pk", flat=True)
    return frozenset([person async for person in found])


async def presets_of(person: UUID, *, only_public: bool) -> list[tuple[str, str]]:
    """Return the presets that the person has played, with their names; 'own' for custom rules."""
    rows = _parts(person, only_public=only_public, preset=None).order_by()
    played = {preset async for preset in rows.values_list("preset", flat=True).distinct()}
    known = [preset for preset in (*PRESETS, "") if preset in played]
    return [(preset or "own", preset_name(preset)) for preset in known]


async def statistics(
    person: UUID, *, only_public: bool, preset: str | None = None
) -> dict[str, Any] | None:
    """Return the statistics of that person, over all games or those of a preset; None without a
    finished game.

    `games`, places and their means leave out games that were broken off and games in which the
    player took over a seat. Hands of such games that were played to their end are counted.
    """
    parts = _parts(person, only_public=only_public, preset=preset)
    found = await parts.aaggregate(
        parts=Count("*"), **{name: Sum(name, default=0) for name in _SUMS}
    )
    if not found["parts"]:
        return None
    results = GameSeat.objects.filter(person_id=person, is_broken_off=False)
    found |= await filter_rows(results, only_public=only_public, preset=preset).aaggregate(
        games=Count("*"),
        sum_of_places=Sum("place", default=0),
        sum_of_points=Sum("points", default=Decimal(0)),
        **{f"place_{place}": Count("place", filter=Q(place=place)) for place in range(1, 5)},
    )
    games, hands = found["games"], found["hands"]
    return {
        "games": games,
        "hands": hands,
        "places": [Share(found[f"place_{place}"], games) for place in range(1, 5)],
        "mean_place": _mean(found["sum_of_places"], games, 2),
        "mean_points": _mean(found["sum_of_points"].quantize(_TENTH), games, 1),
        "wins": Share(found["wins"], hands),
        "tsumo": Share(found["tsumo_wins"], found["wins"]),
        "deal_ins": Share(found["deal_ins"], hands),
        "riichi": Share(found["riichi"], hands),
        "calls": Share(found["calls"], hands),
        "tenpai": Share(found["tenpai_draws"], found["draws"]),
        "mean_win": _mean(found["win_points"], found["wins"]),
        "mean_deal_in": _mean(found["deal_in_points"], found["deal_ins"]),
    }


async def ratings_of(person: UUID) -> list[dict[str, Any]]:
    """Return the ratings of that person, in the order of the presets."""
    rows = {
        row.ladder_id: row async for row in Rating.objects.filter(player_id=person, games__gt=0)
    }
    return [
        {
            "ladder": kind,
            "ladder_name": ladder_name(kind),
            "rating": rows[name].shown,
            "games": rows[name].games,
            "is_listed": rows[name].games >= MIN_GAMES,
        }
        for name, kind in {**LADDERS, **BOT_LADDERS}.items()
        if name in rows
    ]


async def is_queued(table_id: str) -> bool:
    """Whether that game is still to be rated."""
    return await UnratedGame.objects.filter(pk=table_id).aexists()


async def has_queued_games(person: UUID) -> bool:
    """Whether games of that person are still to be rated."""
    seats = GameSeat.objects.filter(person_id=person, is_rated=True)
    return await seats.filter(game__unrated__isnull=False).aexists()


def ladder_name(kind: LadderKind) -> str:
    """Return a name such as 'Tenhou, East only'."""
    name = rules_name({"length": kind.length}, kind.preset)
    return _("Bots: %(rules)s") % {"rules": name} if kind.bots else name


async def ladder_links(current: LadderKind) -> list[dict[str, Any]]:
    """Return the ladders that have ratings, and the current one."""
    ratings = Rating.objects.filter(ladder=OuterRef("pk"), games__gt=0)
    rows = Ladder.objects.filter(Exists(ratings)).values_list("pk", flat=True)
    known = {name async for name in rows} | {current.name}
    return [
        {"ladder": kind, "name": ladder_name(kind), "is_current": kind == current}
        for name, kind in {**LADDERS, **BOT_LADDERS}.items()
        if name in known
    ]


async def ladder_page(ladder: str, you: str, page: int) -> tuple[list[dict[str, Any]], bool]:
    """Return a page of a ladder's list, and whether there are more. Players with equal ratings
    share a place. Nobody but accounts has a rating, so that nothing is asked of the players."""
    first = (page - 1) * PER_PAGE
    listed = Rating.objects.filter(ladder_id=ladder, games__gte=MIN_GAMES)
    on_page = listed.order_by("-shown", "pk")[first : first + PER_PAGE + 1]  # from the index alone
    query = Rating.objects.filter(pk__in=on_page.values("pk")).select_related("player")
    found = [row async for row in query.order_by("-shown", "pk")]
    rows = list[dict[str, Any]]()
    for at, rating in enumerate(found[:PER_PAGE]):
        place = first + at + 1
        if rows and rows[-1]["rating"] == rating.shown:
            place = rows[-1]["place"]
        elif not rows:
            tied = listed.filter(shown=rating.shown, pk__lt=rating.pk)  # on pages before this
            place -= await tied.acount()
        rows.append(
            {
                "place": place,
                "person": rating.player.person_id,
                "name": rating.player.name,
                "rating": rating.shown,
                "games": rating.games,
                "is_you": str(rating.player.person_id) == you,
            }
        )
    return rows, len(found) > PER_PAGE


def _parts(person: UUID, *, only_public: bool, preset: str | None) -> Any:
    rows = GamePlayer.objects.filter(person_id=person)
    return filter_rows(rows, only_public=only_public, preset=preset)


def filter_rows(rows: Any, *, only_public: bool, preset: str | None) -> Any:
    """Keep the rows of public games if asked to, and of that preset unless it is None."""
    if only_public:
        rows = rows.filter(is_public=True)
    return rows if preset is None else rows.filter(preset=preset)


def _mean(total: int | Decimal, times: int, decimals: int = 0) -> str:
    return format_number(Fraction(total) / times, decimals) if times else "\N{EN DASH}"
