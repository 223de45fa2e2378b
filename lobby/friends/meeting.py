"""Where friends play, and how a friend is invited to a table that has not begun."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from asgiref.sync import sync_to_async

from game.moderation.blocks import blocked_by, is_blocked
from game.results.players import chosen_avatars
from game.tables.room import Room
from lobby.accounts.online import online_among, watched_table
from lobby.friends import friendships
from lobby.matchmaking.backend import Backend
from lobby.matchmaking.notifications import notify, person_group
from lobby.matchmaking.player_location import PREGAME, find_place
from lobby.models import Person
from lobby.pregame import model, repository, services
from lobby.pregame.model import Change, PregameTable, Refusal


@dataclass(frozen=True, slots=True)
class ShownFriend:
    """What a person sees of a friend."""

    person: Person
    avatar: str
    is_online: bool
    is_playing: bool = False
    is_watching: bool = False
    watch: str = ""
    """The table at which the friend plays, or which the friend watches, if the person can watch it;
    '' for none."""


async def shown_friends(backend: Backend, friends: Sequence[Person]) -> list[ShownFriend]:
    """Return the friends as their friend sees them, those who are online first. Raises
    TableError."""
    avatars = await sync_to_async(chosen_avatars)([one.pk for one in friends])
    online = await sync_to_async(online_among)(friends)
    shown = await asyncio.gather(
        *(_shown(backend, one, avatars.get(one.pk, ""), one.pk in online) for one in friends)
    )
    return sorted(shown, key=lambda one: not (one.is_online or one.is_playing))


async def _shown(backend: Backend, friend: Person, avatar: str, is_online: bool) -> ShownFriend:
    who = str(friend.pk)
    place = await find_place(backend, who) if friend.is_shown_online else None
    if place is not None and place.kind == "table":
        room = await _running_room(backend, place.name)
        if room is not None and room.seat_of(who) is not None:
            watch = place.name if _may_watch(room) else ""
            return ShownFriend(friend, avatar, is_online, is_playing=True, watch=watch)
    watched = await sync_to_async(watched_table)(friend) if is_online else ""
    room = await _running_room(backend, watched) if watched else None
    if room is None or not _may_watch(room):
        return ShownFriend(friend, avatar, is_online)
    return ShownFriend(friend, avatar, is_online, is_watching=True, watch=watched)


async def _running_room(backend: Backend, table_id: str) -> Room | None:
    room = await backend.tables.room(table_id)
    return None if room is None or backend.tables.is_over(room) else room


def _may_watch(room: Room) -> bool:
    return room.meta.public and room.meta.watch != "nobody" and not room.meta.guided


async def own_waiting_table(backend: Backend, person: str) -> PregameTable | None:
    """Return the table that the person has made and that waits for players, or None."""
    place = await find_place(backend, person)
    if place is None or place.kind != PREGAME:
        return None
    found = await repository.find(backend, place.name)
    return found if found is not None and found.host == person and found.is_waiting else None


async def without_blocked_hosts(tables: list[PregameTable], person: str) -> list[PregameTable]:
    """Return those of these tables whose host the person does not block, also rematches. A table
    of a league's list stays: the league seats its players."""
    if not tables:
        return []
    blocked = await sync_to_async(blocked_by)(UUID(person))
    return [one for one in tables if one.terms.fixture or one.host not in blocked]


async def invite(backend: Backend, host: Person, friend: UUID) -> Change:
    """Keep a free seat at the host's own table for the friend."""
    who = str(host.pk)
    if not await sync_to_async(friendships.are_friends)(host.pk, friend):
        return Refusal("not_friends")
    if await sync_to_async(is_blocked)(host.pk, by=friend):
        return Refusal("not_friends")
    pregame = await own_waiting_table(backend, who)
    if pregame is None:
        return Refusal("no_table")
    name = await Person.objects.values_list("name", flat=True).aget(pk=friend)
    outcome = await services.change(
        backend, pregame.id, lambda one: model.keep_seat(one, who, str(friend), name)
    )
    await notify(person_group(str(friend)))
    return outcome
