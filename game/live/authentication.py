"""Finds the person who has opened a socket: by the session, or by a seat proof while the database
is unavailable."""

from __future__ import annotations

import asyncio
from typing import Any, Final, cast

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse, parse_cookie

from game.identity import seat_proofs
from game.identity.seat_proofs import ProofsUnavailable, SeatProof
from game.identity.sessions import person_of, person_of_key
from game.moderation.sanctions import is_banned
from game.tables.database import reaching_database
from game.tables.errors import DatabaseUnavailable
from game.tables.room import Room

_LOOKUP_WITHIN_S: Final = 3.0
"""How long a player with a seat proof waits for the database."""


async def find_person_of_socket(scope: Any, *, within_s: float | None = None) -> str:
    """Return the id of the person whom the socket's session names; '' if there is none.

    Raises DatabaseUnavailable, also if the database takes longer than `within_s` seconds.
    """
    key = read_cookies(scope).get(settings.SESSION_COOKIE_NAME)
    if not key:
        return ""
    lookup = asyncio.ensure_future(database_sync_to_async(person_of_key)(key))
    # Fetch the exception: after the time limit nobody awaits the lookup.
    lookup.add_done_callback(lambda done: done.cancelled() or done.exception())
    await asyncio.wait({lookup}, timeout=within_s)
    if not lookup.done():
        raise DatabaseUnavailable("the database does not answer")
    with reaching_database():
        return str(lookup.result())


async def find_player_of_socket(scope: Any, table_id: str) -> tuple[str, int | None]:
    """Return the id of the person, and None.

    While the database is unavailable, take person and seat from a valid seat proof instead, and
    return both. Raises DatabaseUnavailable if there is no such proof.
    """
    proof = seat_proofs.read(read_cookies(scope), table_id)
    try:
        return await find_person_of_socket(
            scope, within_s=_LOOKUP_WITHIN_S if proof else None
        ), None
    except DatabaseUnavailable:
        if proof is None or not await _is_current(proof):
            raise
        return proof.person, proof.seat


def set_seat_proof(request: HttpRequest, response: HttpResponse, room: Room) -> None:
    """Set the cookie that proves the visitor's seat at that table, if they have one. With it the
    player can reconnect while the database is unavailable."""
    key = request.session.session_key
    person = person_of(request.session)
    seat = room.seat_of(person)
    if key is None or seat is None or room.has_left(seat):
        return
    try:
        generation = seat_proofs.get_or_create_generation(person)
    except ProofsUnavailable:
        return
    # Check again: a sign-out since the first check has not revoked the new generation.
    is_still = person_of_key(key) == person
    if generation is None or not is_still or is_banned(person):
        return
    digest = seat_proofs.session_digest(key)
    response.set_cookie(
        seat_proofs.COOKIE,
        seat_proofs.sign(SeatProof(room.table_id, seat, person, digest, generation)),
        max_age=seat_proofs.LIFETIME_S,
        path=f"/ws/table/{room.table_id}/",
        domain=settings.SESSION_COOKIE_DOMAIN,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite=cast(Any, settings.SESSION_COOKIE_SAMESITE),
    )


async def _is_current(proof: SeatProof) -> bool:
    try:
        # Not in the thread of Django's database calls, which may be blocked.
        return await sync_to_async(seat_proofs.is_current, thread_sensitive=False)(proof)
    except ProofsUnavailable:
        return False


def read_cookies(scope: Any) -> dict[str, str]:
    """Return the cookies of the socket's request by name, without values that PostgreSQL cannot
    look up."""
    found = [value for name, value in scope["headers"] if name == b"cookie"]
    cookies = parse_cookie(b"; ".join(found).decode("latin-1"))
    return {name: value for name, value in cookies.items() if "\0" not in value}
