"""What pages show of players: how they play, and how they stand among others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from channels.db import database_sync_to_async
from django.db.models import Avg, Count, Q, Sum

from game.afterwards.ladders import LEAST_GAMES
from game.engine.presets import PRESETS
from game.models import Game, GameSeat, Player, Rating
from game.rooms.archive import games_counted
from game.told import plain, preset_name

PER_PAGE: Final = 50
_COUNTED_AT_ONCE: Final = 20
"""Of games that were archived before seats were counted."""
_SUMS: Final = (
    *("hands", "wins", "tsumo_wins", "win_points", "deal_ins", "deal_in_points"),
    *("riichi", "calls", "draws", "tenpai_draws"),
)


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, as text; a dash where there is no whole."""

    part: int
    whole: int

    @property
    def text(self) -> str:
        if not self.whole:
            return "\N{EN DASH}"
        return f"{plain(100 * self.part / self.whole, 1)}\N{NO-BREAK SPACE}%"

    @property
    def thousandths(self) -> int:
        """For the width of a bar."""
        return round(1000 * self.part / self.whole) if self.whole else 0


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of one player, over all games or those of a preset."""

    games: int
    hands: int
    places: tuple[Share, ...]
    mean_place: str
    mean_points: str
    wins: Share
    tsumo: Share
    """Of the wins."""
    deal_ins: Share
    riichi: Share
    calls: Share
    tenpai: Share
    """At exhaustive draws."""
    mean_win: str
    mean_deal_in: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Of one player in one ladder."""

    ladder: str
    ladder_name: str
    rating: int
    games: int
    is_listed: bool
    """Has played enough for the ladder's list."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a ladder's list."""

    place: int
    person: UUID
    name: str
    rating: int
    games: int
    is_you: bool


@dataclass(frozen=True, slots=True)
class LadderLink:
    name: str
    shown: str
    is_current: bool


async def player(person: UUID) -> Player | None:
    """What is known of that player."""
    return await Player.objects.filter(pk=person).afirst()


async def listed_among(people: list[UUID]) -> frozenset[UUID]:
    """Those of them who have a page that everybody may see."""
    found = Player.objects.filter(pk__in=people, is_listed=True).values_list("pk", flat=True)
    return frozenset([person async for person in found])


async def presets_of(person: UUID, *, only_public: bool) -> list[tuple[str, str]]:
    """The presets that somebody has played, with their names; '' for rules of tables' own."""
    rows = _seats(person, only_public=only_public, preset=None).order_by()
    played = {preset async for preset in rows.values_list("game__preset", flat=True).distinct()}
    known = [preset for preset in (*PRESETS, "") if preset in played]
    return [(preset or "own", preset_name(preset)) for preset in known]


async def statistics(
    person: UUID, *, only_public: bool, preset: str | None = None
) -> Statistics | None:
    """None for somebody who has not finished a game."""
    await _count_old_games(person)
    rows = _seats(person, only_public=only_public, preset=preset)
    found = await rows.aaggregate(
        games=Count("pk"),
        mean_place=Avg("place"),
        mean_points=Avg("points"),
        **{f"place_{place}": Count("pk", filter=Q(place=place)) for place in range(1, 5)},
        **{name: Sum(name, default=0) for name in _SUMS},
    )
    return _statistics(found) if found["games"] else None


def _statistics(found: dict[str, Any]) -> Statistics:
    hands = found["hands"]
    return Statistics(
        games=found["games"],
        hands=hands,
        places=tuple(Share(found[f"place_{place}"], found["games"]) for place in range(1, 5)),
        mean_place=plain(found["mean_place"], 2),
        mean_points=plain(found["mean_points"], 1),
        wins=Share(found["wins"], hands),
        tsumo=Share(found["tsumo_wins"], found["wins"]),
        deal_ins=Share(found["deal_ins"], hands),
        riichi=Share(found["riichi"], hands),
        calls=Share(found["calls"], hands),
        tenpai=Share(found["tenpai_draws"], found["draws"]),
        mean_win=_mean(found["win_points"], found["wins"]),
        mean_deal_in=_mean(found["deal_in_points"], found["deal_ins"]),
    )


async def standings_of(person: UUID) -> list[Standing]:
    """The ratings of somebody, in the order of the presets."""
    rows = {
        row.ladder_id: row async for row in Rating.objects.filter(player_id=person, games__gt=0)
    }
    return [
        Standing(
            ladder=name,
            ladder_name=preset_name(name),
            rating=rows[name].shown,
            games=rows[name].games,
            is_listed=rows[name].games >= LEAST_GAMES,
        )
        for name in PRESETS
        if name in rows
    ]


async def ladders(current: str) -> list[LadderLink]:
    """The ladders in which somebody stands, and the current one."""
    rows = Rating.objects.order_by().values_list("ladder_id", flat=True).distinct()
    known = {name async for name in rows} | {current}
    return [
        LadderLink(name, preset_name(name), name == current) for name in PRESETS if name in known
    ]


async def ladder_page(ladder: str, you: str, page: int) -> tuple[list[Row], bool]:
    """A page of a ladder's list, and whether there are more."""
    first = (page - 1) * PER_PAGE
    query = Rating.objects.filter(
        ladder_id=ladder, games__gte=LEAST_GAMES, player__is_listed=True
    ).select_related("player")
    found = [row async for row in query.order_by("-shown", "pk")[first : first + PER_PAGE + 1]]
    rows = [
        Row(
            place=first + at + 1,
            person=rating.player.person_id,
            name=rating.player.name,
            rating=rating.shown,
            games=rating.games,
            is_you=str(rating.player.person_id) == you,
        )
        for at, rating in enumerate(found[:PER_PAGE])
    ]
    return rows, len(found) > PER_PAGE


def _seats(person: UUID, *, only_public: bool, preset: str | None) -> Any:
    rows = GameSeat.objects.filter(person_id=person)
    if only_public:
        rows = rows.filter(game__is_public=True)
    return rows if preset is None else rows.filter(game__preset=preset)


async def _count_old_games(person: UUID) -> None:
    rows = GameSeat.objects.filter(person_id=person, is_counted=False)
    ids = [game async for game in rows.values_list("game_id", flat=True)[:_COUNTED_AT_ONCE]]
    if ids:
        games = [game async for game in Game.objects.filter(pk__in=ids)]
        await database_sync_to_async(games_counted)(games)


def _mean(points: int, times: int) -> str:
    return plain(points / times) if times else "\N{EN DASH}"
