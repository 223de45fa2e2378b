"""The place of a player in each ladder.

Counting the better players of a ladder takes milliseconds for each ten thousand of them. Therefore
the ratings of a ladder are cached, and only places near the top, where one place matters, are
counted each time.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection
from itertools import accumulate
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Count, F, Func, IntegerField, OuterRef, Subquery

from game.models import Rating
from game.results.ladders import MIN_GAMES

KEPT_S: Final = 60.0
"""The longest age of a cached number of players, and of a cached place beyond `COUNTED_PLACES`."""
COUNTED_PLACES: Final = 1_000


class _Ratings(NamedTuple):
    """The ratings that a ladder lists."""

    read_at: float
    negative: list[int]
    """Each rating that occurs, as a negative number, so that the best comes first."""
    players: list[int]
    """For each of these ratings, how many players have it or a better one."""

    def place(self, rating: int) -> int:
        better = bisect_right(self.negative, -rating - 1)
        return 1 + (self.players[better - 1] if better else 0)


_kept: Final[dict[str, _Ratings]] = {}
"""The cached ratings by ladder."""


def places_in_ladders(person: UUID) -> dict[str, tuple[int, int]]:
    """Return by ladder the player's place and the number of players, where the ladder lists the
    player. Equal ratings share a place."""
    listed = Rating.objects.filter(games__gte=MIN_GAMES)
    own = dict(listed.filter(player_id=person).values_list("ladder_id", "shown"))
    _read_ratings(own)
    places = {ladder: _kept[ladder].place(rating) for ladder, rating in own.items()}
    near_top = [ladder for ladder, place in places.items() if place <= COUNTED_PLACES]
    better = listed.filter(ladder_id=OuterRef("ladder_id"), shown__gt=OuterRef("shown"))
    # Not Count, which makes Django group the rows: that takes twice the time.
    number = Func(F("pk"), function="COUNT", output_field=IntegerField())
    counted = listed.filter(player_id=person, ladder__in=near_top).values_list(
        "ladder_id", Subquery(better.order_by().annotate(number=number).values("number"))
    )
    places |= {ladder: before + 1 for ladder, before in counted}
    return {
        ladder: (place, max(place, _kept[ladder].players[-1])) for ladder, place in places.items()
    }


def _read_ratings(ladders: Collection[str]) -> None:
    """Read the ratings of these ladders, unless they were read a short time ago."""
    now = time.monotonic()
    old = [
        ladder for ladder in ladders if ladder not in _kept or now - _kept[ladder].read_at >= KEPT_S
    ]
    if not old:
        return
    rows = Rating.objects.filter(ladder__in=old, games__gte=MIN_GAMES).order_by()
    counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for ladder, rating, players in rows.values_list("ladder_id", "shown").annotate(Count("pk")):
        counts[ladder][-rating] = players
    for ladder in old:
        negative = sorted(counts[ladder])
        players = accumulate(counts[ladder][rating] for rating in negative)
        _kept[ladder] = _Ratings(now, negative, [*players] or [0])
