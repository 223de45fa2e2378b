"""The functions of running tables for the lobby: open a table, find one, seat a person.

Knows the ladders, which decide whether a game is rated. Must not know queues and pregame tables.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from channels.db import database_sync_to_async
from django.conf import settings as site_settings
from msgspec.structs import replace

from game.engine.clock import ClockSettings
from game.engine.state import Phase
from game.models import Game, Rating
from game.redis.clients import Redis
from game.results.avatars import avatar_of
from game.results.ladders import MU, SIGMA, LadderKind, Origin, displayed_rating
from game.results.players import chosen_avatars
from game.results.recording import ladder_at_start
from game.results.statistics import listed_ratings
from game.tables.errors import NoNewTables, NoSuchTable, SiteBusy
from game.tables.guided_hands import GUIDED_HANDS
from game.tables.maintenance import Maintenance, current_drain, current_hold
from game.tables.outcomes import Refusal
from game.tables.requests import Hold, Leave, Sit
from game.tables.room import Room, SeatMeta, TableId, TableMeta
from game.tables.service import Service
from game.tables.settings import TableSettings

GUIDED: Final = tuple(GUIDED_HANDS)
"""The names of the hands of the guided first game, in the order in which they are played."""
UNRATED: Final = displayed_rating((MU, SIGMA))
"""The rating of a person without games."""


class TableAccess:
    """Opens tables and seats people for the lobby. Its methods raise TableError if Redis cannot be
    reached, NoNewTables for a new table while the site is drained, and SiteBusy while all table
    servers are behind."""

    def __init__(self, service: Service, redis: Redis) -> None:
        self._service = service
        self._redis = redis

    async def open_game(
        self,
        table_id: str,
        seats: Sequence[SeatMeta],
        settings: TableSettings,
        *,
        origin: Origin = "",
        round_ms: int = 0,
    ) -> None:
        """Open the table. Do nothing if it was opened before, even if that game is over.
        `round_ms`: time after which one last hand is played; 0 for no limit."""
        if await self.room(table_id) is not None:
            return
        if await Game.objects.filter(pk=table_id).aexists():
            return
        await self._refuse_new_tables()
        clock = settings.clock_for(sum(bool(seat.person) for seat in seats))
        ladder, rated = await database_sync_to_async(ladder_at_start)(
            [seat.person for seat in seats],
            rules=settings.rules,
            origin=origin,
            has_clock=not clock.is_unlimited,
            has_help=settings.help,
            bot_accounts=[seat.is_program for seat in seats],
        )
        shown_seats = await database_sync_to_async(with_shown_ratings)(seats, ladder)
        meta = TableMeta(
            seats=tuple(shown_seats),
            clock=scale_pauses(clock, site_settings.TABLE_PACE),
            settings=replace(settings, opens_after="game" if ladder else "hand"),
            ladder=ladder,
            rated=rated,
        )
        await self._service.open_table(
            meta, table_id=TableId(table_id), draws_wall=True, round_ms=round_ms
        )
        if (hold := await self.maintenance()) is not None:
            span_ms = hold.until - self._service.now_ms()
            await self._service.apply_request(TableId(table_id), Hold(span_ms, hold.notice))

    async def _refuse_new_tables(self) -> None:
        if (notice := await current_drain(self._redis)) is not None:
            raise NoNewTables(notice)
        if await self.is_busy():
            raise SiteBusy

    async def opens_tables(self) -> bool:
        """Return whether tables may be opened at present."""
        return await current_drain(self._redis) is None and not await self.is_busy()

    async def is_busy(self) -> bool:
        """Return whether all table servers are behind."""
        return await self._service.heartbeat.is_site_busy()

    async def maintenance(self) -> Maintenance | None:
        """Return the hold of the whole site, if there is one at present."""
        hold = await current_hold(self._redis)
        return hold if hold is not None and hold.until > self._service.now_ms() else None

    async def open_guided(
        self,
        name: str,
        learner: SeatMeta,
        bots: tuple[str, str, str],
        clock: ClockSettings,
        table_id: str,
    ) -> None:
        """Open a table with that staged hand of the guided first game."""
        await self._refuse_new_tables()
        paced_clock = scale_pauses(clock, site_settings.TABLE_PACE)
        (learner,) = await database_sync_to_async(with_shown_ratings)([learner])
        await self._service.open_guided(name, learner, bots, paced_clock, TableId(table_id))

    async def find_unfinished(self, table_ids: Sequence[str]) -> dict[str, bool]:
        """Map each of these tables whose game has not ended to whether a player has ever had a
        socket there.
        """
        return await self._service.store.index.find_unfinished(table_ids)

    async def leave(self, table_id: str, person: str) -> None:
        """Remove that person from their seat permanently. Without players the game ends."""
        room = await self.room(table_id)
        seat = None if room is None else room.seat_of(person)
        if seat is not None:
            await self._service.apply_request(TableId(table_id), Leave(seat))

    async def room(self, table_id: str) -> Room | None:
        """Return the table; None if it does not exist or has been removed."""
        try:
            return await self._service.read_room(TableId(table_id))
        except NoSuchTable:
            return None

    def is_over(self, room: Room) -> bool:
        """Return whether its game has ended."""
        return room.table.phase == Phase.ENDED

    async def has_seat(self, table_id: str, person: str) -> bool:
        """Return whether that person has a seat in a running game at that table. A frozen table
        does not count."""
        room = await self.room(table_id)
        if room is None or self.is_over(room):
            return False
        seat = room.seat_of(person)
        if seat is None or room.has_left(seat):
            return False
        return not await self._service.store.is_frozen(table_id)

    async def awaits(self, table_id: str, person: str) -> bool:
        """Return whether that person has a seat in a running game at that table, or the table is
        not open yet."""
        if await self.room(table_id) is None:
            return not await Game.objects.filter(pk=table_id).aexists()
        return await self.has_seat(table_id, person)

    async def sit_down(self, table_id: str, seat: int, person: str, name: str) -> bool:
        """Take the seat of a player who has left. Return False if the table does not allow it."""
        room = await self.room(table_id)
        if room is None or not room.meta.settings.may_join or not room.has_left(seat):
            return False
        (own,) = await database_sync_to_async(with_shown_ratings)([SeatMeta(name, person)])
        sit = Sit(seat, person, name, own.avatar)
        return not isinstance(await self._service.apply_request(TableId(table_id), sit), Refusal)


def with_shown_ratings(seats: Sequence[SeatMeta], ladder: str = "") -> list[SeatMeta]:
    """Add to each seat the person's avatar and listed rating in that ladder. They stay the same
    until the game ends.
    """
    chosen = chosen_avatars({UUID(seat.person): seat for seat in seats if seat.is_of_person})
    ratings = listed_ratings({ladder} if ladder else (), {seat.person for seat in seats})

    def shown(seat: SeatMeta) -> SeatMeta:
        rated = replace(seat, rating=ratings.get((ladder, seat.person), 0))
        if not seat.is_of_person:
            return rated
        return replace(rated, avatar=avatar_of(seat.name, chosen.get(UUID(seat.person), "")))

    return [shown(seat) for seat in seats]


def new_table_id() -> str:
    """Return a random table id."""
    return secrets.token_urlsafe(12)


def rating_of(person: str, preset: str, length: str) -> int:
    """Return the rating that pages show for that person in the ladder of that preset and length."""
    query = Rating.objects.filter(player=UUID(person), ladder=LadderKind(preset, length).name)
    found = query.values_list("shown", flat=True).first()
    return UNRATED if found is None else found


def scale_pauses(clock: ClockSettings, pace: float) -> ClockSettings:
    """Return the clock with the pauses and the thinking times of bots multiplied by `pace`. The
    time of players is unchanged."""

    def scaled(span_ms: int) -> int:
        return round(span_ms * pace)

    return replace(
        clock,
        reaction_ms=scaled(clock.reaction_ms),
        deal_ms=scaled(clock.deal_ms),
        bot_min_ms=scaled(clock.bot_min_ms),
        bot_max_ms=scaled(clock.bot_max_ms),
        result_pause_ms=scaled(clock.result_pause_ms),
        forced_ms=scaled(clock.forced_ms),
    )
