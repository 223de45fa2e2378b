"""Selects the games of a player for a page: by rules, length, rating, period and opponent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time
from typing import Any, Final, Self
from urllib.parse import urlencode
from uuid import UUID

from django.utils import timezone

from game.engine.presets import ALL_PRESETS, PRESETS_OF_THREE
from game.models import GamePlayer
from game.results.play_figures import PLAYERS

OWN_RULES: Final = "own"
NUMBERS: Final = ("4", "3")
"""The numbers of players to choose from."""
LENGTHS: Final = ("east", "east_south")
KINDS: Final = ("rated", "unrated")
PERIODS: Final = ("1", "3", "12")
"""The periods to choose from, in months of the calendar, the present one included."""


LATEST_GAMES: Final = 300
"""The number of games from which opponents, and figures against one opponent, are counted."""


class BadFilter(ValueError):
    """A query names a filter that does not exist."""


@dataclass(frozen=True, slots=True)
class PlayFilter:
    """The values of a query; '' for all games."""

    players: str = ""
    rules: str = ""
    """The name of a preset, or "own" for custom rules."""
    length: str = ""
    rated: str = ""
    period: str = ""
    against: str = ""
    """The id of an opponent."""

    @classmethod
    def of_query(cls, query: Mapping[str, str]) -> Self:
        """Return the filter of a query, without a preset for another number of players. Raises
        BadFilter."""
        chosen = cls(**{field.name: query.get(field.name, "") for field in fields(cls)})
        allowed = (
            (chosen.players, NUMBERS),
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
        rules = ALL_PRESETS.get(chosen.rules)
        if chosen.players and rules is not None and str(rules.players) != chosen.players:
            return replace(chosen, rules="")
        return chosen

    @property
    def is_of_three(self) -> bool:
        """Whether only games of three players match, which count in no figures."""
        return self.players == "3" or self.rules in PRESETS_OF_THREE

    @property
    def preset(self) -> str | None:
        """The preset in the form of the database; None for all rules."""
        return {"": None, OWN_RULES: ""}.get(self.rules, self.rules)

    @property
    def query(self) -> str:
        """The query of an address, without '?'."""
        chosen = {field.name: getattr(self, field.name) for field in fields(self)}
        return urlencode({name: value for name, value in chosen.items() if value})

    @property
    def first_month(self) -> date | None:
        """The first day of the period."""
        if not self.period:
            return None
        today = timezone.now().astimezone(UTC)
        months = 12 * today.year + today.month - int(self.period)
        return date(months // 12, months % 12 + 1, 1)

    def of_totals(self, rows: Any, *, only_public: bool) -> Any:
        """Return the rows of `PlayTotal` that match the filter; its opponent does not count."""
        if self.is_of_three:
            return rows.none()
        rows = self._keep(rows, only_public=only_public)
        return rows if self.first_month is None else rows.filter(month__gte=self.first_month)

    def of_games(self, rows: Any, *, only_public: bool) -> Any:
        """Return the rows of `GamePlayer` that match the filter."""
        rows = self._keep(rows, only_public=only_public)
        if self.players:
            rows = rows.filter(seat_count=int(self.players))
        if self.first_month is not None:
            begins = datetime.combine(self.first_month, time(), UTC)
            rows = rows.filter(ended_at__gte=begins)
        if self.against:
            # Not a join: databases would look up each game of the player.
            theirs = GamePlayer.objects.filter(person_id=UUID(self.against))
            rows = rows.filter(game__in=theirs.values("game"))
        return rows

    def latest_games(self, person: UUID, *, only_public: bool) -> list[str]:
        """Return the latest `LATEST_GAMES` of the person's games that match the filter and count in
        figures, the latest first. The query needs only an index."""
        counted = GamePlayer.objects.filter(person_id=person, seat_count=PLAYERS)
        rows = self.of_games(counted, only_public=only_public)
        by_end = rows.order_by("-ended_at", "-game_id").values_list("game_id", flat=True)
        return list(by_end[:LATEST_GAMES])

    def _keep(self, rows: Any, *, only_public: bool) -> Any:
        kept: dict[str, Any] = {"is_public": True} if only_public else {}
        if self.preset is not None:
            kept["preset"] = self.preset
        if self.length:
            kept["length"] = self.length
        if self.rated:
            kept["is_rated"] = self.rated == "rated"
        return rows.filter(**kept)
