"""Links by which a player shows the replay of a game to others, also of a private game.

The holder of a link sees the whole game. Names are hidden unless the player who makes the link
chooses to show names: then it shows the names of that player and of all others who have agreed to
it in their profile. No change of an address changes what a link shows.
"""

from __future__ import annotations

import secrets
from typing import Final
from uuid import UUID

from game.models import Game, Player, ReplayLink

MAX_LINKS: Final = 10
"""The most links of one player to one game. A new link replaces the oldest."""
_KEY_BYTES: Final = 16


def make_link(game: Game, person: str, *, shows_name: bool) -> ReplayLink:
    """Make a link to the game for that player."""
    own = ReplayLink.objects.filter(game=game, person_id=UUID(person)).order_by("-made_at")
    kept = list(own.values_list("key", flat=True)[: MAX_LINKS - 1])
    own.exclude(key__in=kept).delete()
    key = secrets.token_urlsafe(_KEY_BYTES)
    return ReplayLink.objects.create(
        key=key, game=game, person_id=UUID(person), shows_name=shows_name
    )


def find_link(key: str) -> ReplayLink | None:
    """Return the link with its game and seats; None if the key is unknown."""
    query = ReplayLink.objects.select_related("game").prefetch_related("game__seats")
    return query.filter(key=key).first()


def links_of(game: Game, person: str) -> list[ReplayLink]:
    """Return the links of that person to the game."""
    if not person:
        return []
    return list(ReplayLink.objects.filter(game=game, person_id=UUID(person)))


def revoke_link(key: str, person: str) -> str:
    """Remove the link if it belongs to that person. Return the id of its game, or '' if there is no
    such link."""
    link = ReplayLink.objects.filter(key=key).first()
    if link is None or not person or str(link.person_id) != person:
        return ""
    link.delete()
    return str(link.game_id)


def seat_of_maker(link: ReplayLink) -> int | None:
    """Return the seat in which the maker of the link began the game; None if they took a seat
    over."""
    own = [seat.seat for seat in link.game.seats.all() if seat.person_id == link.person_id]
    return own[0] if own else None


def named_seats(link: ReplayLink) -> frozenset[int]:
    """Return the seats whose names the link shows."""
    if not link.shows_name:
        return frozenset()
    seats = {seat.seat: seat.person_id for seat in link.game.seats.all() if seat.person_id}
    others = set(seats.values()) - {link.person_id}
    agreed = Player.objects.filter(person_id__in=others, is_named_in_links=True)
    shown = {link.person_id, *agreed.values_list("pk", flat=True)}
    return frozenset(seat for seat, person in seats.items() if person in shown)
