"""Keeps sums of figures: by player, number of players, month, preset, length and kind of game; and
for the whole site.

The archive changes them in the transaction that writes a game. It reads the game's figures before
the change and after it, and adds the difference to the sums. Reading the same game a second time
therefore changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import transaction
from msgspec import structs

from game.models import Game, GamePlayer, GameSeat, PlayTotal
from game.results.play_figures import (
    BestHand,
    PlayFigures,
    decode_figures,
    encode_figures,
    sum_figures,
)

SITE: Final = UUID(int=0)
"""The person of the site's own sums, which are those of everybody's public games."""


class TotalKey(NamedTuple):
    """The values that decide in which row of `PlayTotal` a game counts."""

    person: UUID
    month: date
    preset: str
    length: str
    is_rated: bool
    is_public: bool
    seat_count: int

    @property
    def text(self) -> str:
        """The primary key of the row. Keys of games with four players have no number of players:
        most rows are of these, and were written before games with three players were counted."""
        kind = f"{'rated' if self.is_rated else 'unrated'}/{'public' if self.is_public else 'own'}"
        seats = "" if self.seat_count == 4 else f"/{self.seat_count}"
        return f"{self.person}/{self.month:%Y-%m}/{self.preset}/{self.length}/{kind}{seats}"


Contributions = Sequence[tuple[TotalKey, PlayFigures]]


def read_contributions(game: Game) -> Contributions:
    """Return what the game adds to the sums of each player, with the keys of the rows. Players
    whose rows do not count yet are left out."""
    parts = GamePlayer.objects.filter(game=game, figures__isnull=False)
    seats = {seat.person_id: seat for seat in GameSeat.objects.filter(game=game)}
    return [(key_of(part), figures_of(part, seats.get(part.person_id))) for part in parts]


def figures_of(part: GamePlayer, seat: GameSeat | None) -> PlayFigures:
    """Return the figures of a player in a game that count in sums: those of the hands and, if the
    player has a result, those of the result. `seat` is the seat in which the player began."""
    figures = decode_figures(bytes(part.figures or b""))
    if figures.is_partial:
        figures = PlayFigures()
    if (best := figures.best) is not None:
        figures.best = structs.replace(best, table_id=part.game_id)
    if seat is not None and part.has_result and not part.is_broken_off:
        at = seat.place - 1
        figures.games = 1
        figures.places[at] = 1
        figures.scores[at] = seat.score
        figures.points_tenths = int(seat.points * 10)
        figures.below_zero = int(seat.score < 0)
    return figures


def update_totals(game: Game, before: Contributions = ()) -> None:
    """Add to the sums the change since `read_contributions` returned `before`. Call it at the end
    of the transaction that writes the rows of the game: it locks rows of sums, in the order of
    their keys."""
    _replace_contributions(game.pk, before, read_contributions(game))


def uncount_before_delete(sender: object, instance: Game, **details: Any) -> None:
    """Subtract a game from the sums before it is deleted. Connected to `pre_delete`."""
    with transaction.atomic():
        counted = read_contributions(instance)
        GamePlayer.objects.filter(game=instance).update(figures=None)
        _replace_contributions(instance.pk, counted, ())


def _replace_contributions(table_id: str, before: Contributions, after: Contributions) -> None:
    _add_to_rows(sum_changes(before, after), table_id if before else "")


def sum_changes(before: Contributions, after: Contributions) -> dict[TotalKey, PlayFigures]:
    """Return by how much each row changes, those of the site included, if contributions `before`
    become `after`."""
    changes: dict[TotalKey, PlayFigures] = {}
    for times, contributions in ((-1, before), (1, after)):
        for key, figures in contributions:
            changes.setdefault(key, PlayFigures()).add(figures, times)
            if key.is_public:
                site = key._replace(person=SITE)
                changes.setdefault(site, PlayFigures()).add(figures, times)
                changes[site].best = None
    return {key: change for key, change in changes.items() if not change.is_zero}


def add_contributions(contributions: Contributions) -> None:
    """Add contributions of games that are not in the sums yet. Must be called in a transaction."""
    _replace_contributions("", (), contributions)


def forget_totals(people: Iterable[UUID]) -> None:
    """Remove the sums of these people. Their games stay in the sums of the site."""
    PlayTotal.objects.filter(person_id__in=list(people)).delete()


def _add_to_rows(changes: dict[TotalKey, PlayFigures], reread: str) -> None:
    """Add the changes to their rows. If contributions are replaced, `reread` is their game, whose
    best hands are determined again."""
    if not changes:
        return
    by_text = {key.text: (key, change) for key, change in changes.items()}
    rows = [
        PlayTotal(
            key=text,
            person_id=key.person,
            month=key.month,
            preset=key.preset,
            length=key.length,
            is_rated=key.is_rated,
            is_public=key.is_public,
            seat_count=key.seat_count,
            figures=b"",
        )
        for text, (key, _) in sorted(by_text.items())
    ]
    PlayTotal.objects.bulk_create(rows, ignore_conflicts=True)
    found = list(PlayTotal.objects.select_for_update().filter(pk__in=by_text).order_by("pk"))
    for row in found:
        key, change = by_text[row.key]
        total = sum_figures([decode_figures(bytes(row.figures)), change])
        if reread and total.best is not None and total.best.table_id == reread:
            total.best = _best_of(key)
        row.figures = encode_figures(total)
    PlayTotal.objects.bulk_create(
        found, update_conflicts=True, unique_fields=["key"], update_fields=["figures"]
    )


def _best_of(key: TotalKey) -> BestHand | None:
    """Return the person's best hand in the games of that row; None without a win."""
    following = (key.month + timedelta(days=31)).replace(day=1)
    begins, ends = (datetime.combine(day, time(), UTC) for day in (key.month, following))
    parts = GamePlayer.objects.filter(
        person_id=key.person,
        ended_at__gte=begins,
        ended_at__lt=ends,
        preset=key.preset,
        length=key.length,
        is_rated=key.is_rated,
        is_public=key.is_public,
        seat_count=key.seat_count,
        figures__isnull=False,
    ).order_by("ended_at")
    return sum_figures([figures_of(part, None) for part in parts]).best


def key_of(part: GamePlayer) -> TotalKey:
    """Return the key of the row of sums in which that player's game counts."""
    ended_at = part.ended_at or part.game.ended_at
    month = ended_at.date().replace(day=1)
    return TotalKey(
        person=part.person_id,
        month=month,
        preset=part.preset,
        length=part.length,
        is_rated=part.is_rated,
        is_public=part.is_public,
        seat_count=part.seat_count,
    )
