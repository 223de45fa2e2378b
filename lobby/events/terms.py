"""Changes the terms of an event. Once it has begun, each change is an entry of its log and counts
from the next round or game: what has been played keeps its seats, its clock and its results.
"""

from __future__ import annotations

from typing import Any, Final

from lobby.accounts.transactions import change_locked
from lobby.events.impartiality import Official
from lobby.events.rulings import RulingRefused, check_number, check_official
from lobby.models import ClubGame, Event, Ruling

COUNTING: Final = ("ranking", "ties", "min_games", "max_games", "best_games")
"""The fields that decide how results count."""


def rounds_begun(event: Event) -> int:
    """Return the number of the last round that has begun; 0 for none."""
    last = event.tables.order_by("round").last()
    return 0 if last is None else last.round


def has_games(event: Event) -> bool:
    """Return whether a game of the event has begun, so that changes are logged."""
    if event.has_rounds:
        return event.has_begun()
    return ClubGame.objects.filter(event=event).exists() or event.offline_games.exists()


def change_terms(event: Event, by: Official, **terms: Any) -> None:
    """Change these fields of the event. After games have begun, fields of COUNTING need a reason
    and an impartial official. Raises RulingRefused: "reason", "rounds", and the codes of
    `check_number` and `check_official`.
    """

    def change(current: Event) -> None:
        before = {name: getattr(current, name) for name in terms}
        changed = [name for name, value in terms.items() if value != before[name]]
        if not changed:
            return
        for name in changed:
            setattr(current, name, terms[name])
        if has_games(current):
            check_number(current)
            is_by_player = False
            if any(name in COUNTING for name in changed):
                is_by_player = check_official(current, by, set())
                if not by.reason:
                    raise RulingRefused("reason")
            if any(row.round > current.rounds for row in current.tables.all()):
                raise RulingRefused("rounds")
            values = {
                name: [_to_json_value(before[name]), _to_json_value(terms[name])]
                for name in changed
            }
            current.rulings.create(
                kind=Ruling.CHANGE,
                changes=values,
                reason=by.reason,
                by=by.person,
                is_by_player=is_by_player,
            )
        current.save(update_fields=changed)
        current.move_up()

    change_locked(event, change)


def _to_json_value(value: Any) -> Any:
    """Turn a field's value into one that JSON can store."""
    if value is None or isinstance(value, bool | int | str):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
