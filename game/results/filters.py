"""Selects the games of a player for a page: by number of players, rules, length, rating, period
and opponent.

Figures of games of three and of four players are never mixed: a filter always has one number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time
from typing import Any, Final, NamedTuple, Self
from urllib.parse import urlencode
from uuid import UUID

from django.utils import timezone

from game.engine.presets import ALL_PRESETS
from game.models import GamePlayer

OWN_RULES: Final = "own"
NUMBERS: Final = (4, 3)
"""The numbers of players to choose from, the first choice first."""
LENGTHS: Final = ("east", "east_south")
KINDS: Final = ("rated", "unrated")
PERIODS: Final = ("1", "3", "12")
"""The periods to choose from, in months of the calendar, the present one included."""


LATEST_GAMES: Final = 300
"""The number of games from which opponents, and figures against one opponent, are counted."""


class BadFilter(ValueError):
    """A query names a filter that does not exist."""


def number_of_query(query: Mapping[str, str], numbers: Sequence[int]) -> int:
    """Return the number of players that the query asks for, otherwise the first of `numbers` (in
    the order of `NUMBERS`), otherwise the first of `NUMBERS`. Raises BadFilter."""
    text = query.get("players", "")
    if text and text not in map(str, NUMBERS):
        raise BadFilter
    return int(text) if text else [*numbers, *NUMBERS][0]


class NumberLink(NamedTuple):
    """A link that shows the games with one number of players."""

    players: int
    query: str
    """The query of the address, without '?'."""
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class PlayFilter:
    """Which of a player's games a page shows. '' in a field means all of them."""

    players: int = NUMBERS[0]
    rules: str = ""
    """The name of a preset, or "own" for custom rules."""
    length: str = ""
    rated: str = ""
    period: str = ""
    against: str = ""
    """The id of an opponent."""

    @classmethod
    def of_query(cls, query: Mapping[str, str], numbers: Sequence[int]) -> Self:
        """Parse the filter in a query. A preset for another number of players is dropped. `numbers`
        are the numbers of players in the player's games (`number_of_query`). Raises BadFilter."""
        rules = ALL_PRESETS.get(query.get("rules", ""))
        players = number_of_query(query, numbers if rules is None else (rules.players,))
        names = ("rules", "length", "rated", "period", "against")
        chosen = cls(players, **{name: query.get(name, "") for name in names})
        allowed = (
            (chosen.rules, (*ALL_PRESETS, OWN_RULES)),
            (chosen.length, LENGTHS),
            (chosen.rated, KINDS),
            (chosen.period, PERIODS),
        )
        if any(value and value not in values for value, values in allowed):
            raise BadFilter
        try:
            UUID(chosen.against or str(UUID(int=0)))
        except ValueError:
            raise BadFilter from None
        return chosen.with_players(players)

    def with_players(self, players: int) -> Self:
        """Return the same filter for another number of players. A preset that does not exist for
        that number is dropped."""
        rules = ALL_PRESETS.get(self.rules)
        is_kept = rules is None or rules.players == players
        return replace(self, players=players, rules=self.rules if is_kept else "")

    @property
    def preset(self) -> str | None:
        """The preset as the database stores it; None for all rules."""
        return {"": None, OWN_RULES: ""}.get(self.rules, self.rules)

    @property
    def query(self) -> str:
        """The filter as the query of an address, without '?'."""
        chosen = {field.name: getattr(self, field.name) for field in fields(self)}
        return urlencode({name: value for name, value in chosen.items() if value})

    @property
    def first_month(self) -> date | None:
        """The first day of the period; None for all time."""
        if not self.period:
            return None
        today = timezone.now().astimezone(UTC)
        months = 12 * today.year + today.month - int(self.period)
        return date(months // 12, months % 12 + 1, 1)

    def of_totals(self, rows: Any, *, only_public: bool) -> Any:
        """Return the rows of `PlayTotal` that match the filter. The filter's opponent is
        ignored."""
        rows = self._filter_rows(rows, only_public=only_public)
        return rows if self.first_month is None else rows.filter(month__gte=self.first_month)

    def of_games(self, rows: Any, *, only_public: bool) -> Any:
        """Return the rows of `GamePlayer` that match the filter."""
        rows = self._filter_rows(rows, only_public=only_public)
        if self.first_month is not None:
            begins = datetime.combine(self.first_month, time(), UTC)
            rows = rows.filter(ended_at__gte=begins)
        if self.against:
            # Not a join: databases would look up each game of the player.
            theirs = GamePlayer.objects.filter(person_id=UUID(self.against))
            rows = rows.filter(game__in=theirs.values("game"))
        return rows

    def latest_games(self, person: UUID, *, only_public: bool) -> list[str]:
        """Return the ids of the person's latest games that match the filter, the latest first, at
        most `LATEST_GAMES`. The query needs only an index."""
        rows = self.of_games(GamePlayer.objects.filter(person_id=person), only_public=only_public)
        by_end = rows.order_by("-ended_at", "-game_id").values_list("game_id", flat=True)
        return list(by_end[:LATEST_GAMES])

    def _filter_rows(self, rows: Any, *, only_public: bool) -> Any:
        kept: dict[str, Any] = {"seat_count": self.players}
        if only_public:
            kept["is_public"] = True
        if self.preset is not None:
            kept["preset"] = self.preset
        if self.length:
            kept["length"] = self.length
        if self.rated:
            kept["is_rated"] = self.rated == "rated"
        return rows.filter(**kept)


def number_links(chosen: PlayFilter, numbers: Sequence[int]) -> list[NumberLink]:
    """Return links to the player's games by number of players: the chosen one and each of
    `numbers`. The other filters stay."""
    return [
        NumberLink(number, chosen.with_players(number).query, number == chosen.players)
        for number in NUMBERS
        if number == chosen.players or number in numbers
    ]
