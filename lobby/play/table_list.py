"""Lists running tables for pages."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from game.archive.hand_schedule import delay_minutes
from game.engine.rules import RuleSet
from game.engine.state import Phase
from game.live.process import current, running_room
from game.results.game_text import round_name
from game.results.history import can_see, find_game
from game.tables.bridge import ask
from game.tables.codec import TableSummary
from game.tables.settings import TableSettings


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """A seat of a table in the list of live tables."""

    name: str
    bot: bool
    score: int | None
    """The score of the seat; None where spectators do not see the running hand."""
    leads: bool
    is_left: bool = False
    """Whether the player of the seat has left it, so that anybody may take it."""


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table in the list of live tables."""

    table_id: str
    round: str
    """The name of the round; '' where spectators do not see the running hand."""
    honba: int
    seats: tuple[ListedSeat, ...]
    settings: TableSettings
    spectators: int = 0
    is_of_bots: bool = False
    """Whether bots alone have begun the game."""
    players: int = 0
    """How many players have the page of the table open."""

    @property
    def delay_minutes(self) -> int:
        """The minutes after its end at which a hand is shown; 0 if hands are shown live."""
        return delay_minutes(self.settings.watch_delay_s)


async def live_tables() -> list[ListedTable]:
    """Return the public tables, the newest first. Raises TablesUnavailable."""
    process = await current()
    summaries = await process.service.list_tables()
    table_ids = [summary.table_id for summary in summaries]
    counts = await process.spectator_counts.count(table_ids)
    players = await process.presence.count_players(table_ids)
    return [
        _as_listed_table(summary, counts[summary.table_id], players[summary.table_id])
        for summary in summaries
    ]


def _as_listed_table(summary: TableSummary, spectators: int, players: int) -> ListedTable:
    is_live = summary.settings.is_shown_live
    most = max(summary.scores)
    seats = tuple(
        ListedSeat(
            name=summary.names[seat],
            bot=summary.bots[seat],
            score=summary.scores[seat] if is_live else None,
            leads=is_live and min(summary.scores) < most == summary.scores[seat],
            is_left=summary.settings.may_join and summary.left[seat],
        )
        for seat in range(len(summary.names))
    )
    return ListedTable(
        summary.table_id,
        round_name(summary.kyoku) if is_live else "",
        summary.honba if is_live else 0,
        seats,
        summary.settings,
        spectators,
        is_of_bots=not any(
            (summary.left[seat] or not summary.bots[seat]) and not summary.programs[seat]
            for seat in range(len(summary.names))
        ),
        players=players,
    )


def rules_seen_by(person: str, table_id: str) -> RuleSet | None:
    """Return the rules of that table, or of its archived game; None if there is neither, or the
    person may not see it."""
    room = ask(running_room(table_id))
    if room is not None:
        is_seen = room.seat_of(person) is not None or room.meta.settings.watch != "nobody"
        return room.table.rules if is_seen else None
    game = find_game(table_id)
    if game is None or not can_see(game, person):
        return None
    return msgspec.convert(game.rules, RuleSet)


async def has_running_seat(table_id: str, person: str) -> bool:
    """Return whether that person has a seat at that table and its game is running."""
    room = await running_room(table_id)
    if room is None or room.table.phase == Phase.ENDED:
        return False
    return room.seat_of(person) is not None
