"""Creates clubs and their people for tests of the lobby."""

from __future__ import annotations

from uuid import uuid4

from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.test import AsyncClient

from lobby.clubs import members
from lobby.models import Club, Membership, Person


async def account(
    name: str, *, is_staff: bool = False, password: str | None = None
) -> tuple[AsyncClient, Person]:
    """Create an account; return its signed-in browser and its person."""
    user = await User.objects.acreate_user(
        f"{name}-{uuid4().hex[:6]}", password=password, is_staff=is_staff, is_superuser=is_staff
    )
    key = str(user.pk)
    person = await Person.objects.acreate(name=name, user=user, name_key=key, look_key=key)
    client = AsyncClient()
    await client.aforce_login(user)
    return client, person


async def new_club(
    owner: Person, slug: str = "thursday", *, is_public: bool = True, entry: str = "request"
) -> Club:
    """Create a club whose name follows from the address, such as 'Thursday Club'."""
    name = f"{slug.title()} Club"
    club: Club = await database_sync_to_async(members.create_club)(
        owner, slug=slug, name=name, is_public=is_public, entry=entry
    )
    return club


async def enrol(club: Club, person: Person, role: str = Membership.MEMBER) -> None:
    await Membership.objects.acreate(club=club, person=person, role=role)


async def roles_of(club: Club) -> dict[str, str]:
    """Return the role of each member, by name."""
    rows = Membership.objects.filter(club=club).values_list("person__name", "role")
    return {name: role async for name, role in rows}
