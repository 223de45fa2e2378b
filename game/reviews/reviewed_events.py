"""Reads the events of the reviewed game or imported record."""

from __future__ import annotations

from game.engine.events import Event
from game.imports.imported_game import decode_game
from game.models import Review
from game.tables.archive import read_events


def read_review_events(review: Review) -> list[Event]:
    """Return the events of its game, from the first on. Raises NoLog."""
    if review.game is not None:
        return list(read_events(review.game))
    assert review.record is not None
    return list(decode_game(review.record.game).events)
