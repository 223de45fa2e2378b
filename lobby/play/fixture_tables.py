"""Answers what pregame tables ask about an event's list of tables: who plays at one, and whether it
has been played.

Each table of the list has one game that counts. A game that was broken off or declared void does
not count, so its table can be played again. `lobby.events.fixtures` owns everything else of the
list.
"""

from __future__ import annotations

from uuid import UUID

from game.results.group_results import is_broken_off
from lobby.models import EventTable, OfflineGame, Ruling


def may_play_fixture(event: int, table: int, person: str) -> bool:
    """Return whether that person is one of the four players of that table of the list, and its game
    is neither running nor played."""
    rows = EventTable.objects.filter(pk=table, event=event, players=UUID(person))
    found = rows.first()
    return found is not None and not has_game(found)


def has_game(table: EventTable) -> bool:
    """Return whether a game of the table is running or counts."""
    if OfflineGame.objects.filter(table=table).exists():
        return True
    if not table.table_id:
        return False
    return not is_void(table.table_id) and not is_broken_off(table.table_id)


def is_void(game: str) -> bool:
    return Ruling.objects.filter(game=game, kind=Ruling.VOID, is_cancelled=False).exists()


def take_free_table(table: int, event: int, table_id: str) -> bool:
    """Make `table_id` the game of a table of the list, unless another game there is running or
    counts. Return whether it is the game now. The game before, which does not count, is added to
    `former`. Call it in a transaction."""
    found = EventTable.objects.select_for_update().filter(pk=table, event=event).first()
    if found is None or (found.table_id != table_id and has_game(found)):
        return False
    if found.table_id and found.table_id != table_id:
        found.former = [*found.former, found.table_id]
    found.table_id = table_id
    found.save(update_fields=["table_id", "former"])
    return True
