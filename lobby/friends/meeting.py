"""Finds where friends play, and invites friends to a table that has not begun."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from channels.db import database_sync_to_async

from game.moderation.blocks import blocked_by, is_blocked
from game.results.players import chosen_avatars
from game.tables.room import Room
from lobby.accounts.online import online_among, watched_table
from lobby.friends import friendships
from lobby.models import Person
from lobby.play import pregame as model
from lobby.play import pregame_services, pregame_store
from lobby.play.backend import Backend
from lobby.play.notifications import notify, person_group
from lobby.play.player_location import PREGAME, find_location
from lobby.play.pregame import Change, PregameRefusal, PregameTable


@dataclass(frozen=True, slots=True)
class ShownFriend:
    """What a person sees of a friend."""

    person: Person
    avatar: str
    is_online: bool
    is_playing: bool = False
    is_watching: bool = False
    watch: str = ""
    """The table at which the friend plays or which the friend watches, if the person may watch it;
    '' for none."""


async def shown_friends(backend: Backend, friends: Sequence[Person]) -> list[ShownFriend]:
    """Return what a person is shown of these friends, those who are online first. Raises
    TableError."""
    avatars = await database_sync_to_async(chosen_avatars)([friend.pk for friend in friends])
    online = await database_sync_to_async(online_among)(friends)
    shown = await asyncio.gather(
        *(
            _show_friend(backend, friend, avatars.get(friend.pk, ""), friend.pk in online)
            for friend in friends
        )
    )
    return sorted(shown, key=lambda pregame: not (pregame.is_online or pregame.is_playing))


async def _show_friend(
    backend: Backend, friend: Person, avatar: str, is_online: bool
) -> ShownFriend:
    who = str(friend.pk)
    location = await find_location(backend, who) if friend.is_shown_online else None
    if location is not None and location.kind == "table":
        room = await _running_room(backend, location.name)
        if room is not None and room.seat_of(who) is not None:
            watch = location.name if _may_watch(room) else ""
            return ShownFriend(friend, avatar, is_online, is_playing=True, watch=watch)
    watched = await database_sync_to_async(watched_table)(friend) if is_online else ""
    room = await _running_room(backend, watched) if watched else None
    if room is None or not _may_watch(room):
        return ShownFriend(friend, avatar, is_online)
    return ShownFriend(friend, avatar, is_online, is_watching=True, watch=watched)


async def _running_room(backend: Backend, table_id: str) -> Room | None:
    room = await backend.tables.room(table_id)
    return None if room is None or backend.tables.is_over(room) else room


def _may_watch(room: Room) -> bool:
    chosen = room.meta.settings
    return chosen.public and chosen.watch != "nobody" and not room.meta.guided


async def own_waiting_table(backend: Backend, person: str) -> PregameTable | None:
    """Return the pregame table that the person hosts and that still waits for players, or None."""
    location = await find_location(backend, person)
    if location is None or location.kind != PREGAME:
        return None
    found = await pregame_store.find(backend, location.name)
    return found if found is not None and found.host == person and found.is_waiting else None


def without_blocked_hosts(tables: list[PregameTable], person: str) -> list[PregameTable]:
    """Return the tables, also rematches, without those whose host the person blocks. Tables of an
    event's list stay, because the event seats the players."""
    if not tables:
        return []
    blocked = blocked_by(UUID(person))
    return [table for table in tables if table.settings.event_table or table.host not in blocked]


async def invite_friend(backend: Backend, host: Person, friend: UUID) -> Change:
    """Keep a free seat at the host's own table for the friend."""
    who = str(host.pk)
    if not await database_sync_to_async(friendships.are_friends)(host.pk, friend):
        return PregameRefusal("not_friends")
    if await database_sync_to_async(is_blocked)(host.pk, by=friend):
        return PregameRefusal("not_friends")
    pregame = await own_waiting_table(backend, who)
    if pregame is None:
        return PregameRefusal("no_table")
    name = await Person.objects.values_list("name", flat=True).aget(pk=friend)
    outcome = await pregame_services.change_pregame(
        backend, pregame.id, lambda pregame: model.keep_seat(pregame, who, str(friend), name)
    )
    await notify(person_group(str(friend)))
    return outcome
