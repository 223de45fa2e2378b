"""Where players of rated queues come from, so that one person does not play against themselves.

A ticket carries keyed digests of the network address and of a cookie of the browser. Which accounts
came with the same one within a day is noted as a pair for moderators (`SharedOrigin`). Digests are
in Redis for a day at most, addresses nowhere. Must not know queues.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address
from typing import Final
from uuid import UUID

import msgspec
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac

from lobby.accounts.rate_limits import network_of
from lobby.accounts.transactions import in_transaction
from lobby.models import BotAccount, Person, SharedOrigin
from lobby.play.backend import Backend, current_backend

log = logging.getLogger(__name__)

KEPT_S: Final = 24 * 60 * 60
_MAX_OTHERS: Final = 50
"""The most people with one digest that are compared, the latest ones."""
_VISITORS: Final = "visitors"
"""The key of a sorted set of `<digest> <person>`, by the time at which the person last came."""
_LEAST_VISITORS: Final = 20
"""The number of visitors a day from which their addresses are compared."""
_WARN_EVERY_S: Final = 3_600.0


class Origin(msgspec.Struct, frozen=True):
    """The digests of a player's address and browser. '' stands for an unknown or exempt address or
    browser.
    """

    address: str = ""
    browser: str = ""

    def shares(self, other: Origin) -> bool:
        """Return whether both have the same address or the same browser."""
        return bool(
            (self.address and self.address == other.address)
            or (self.browser and self.browser == other.browser)
        )


UNKNOWN: Final = Origin()


def origin_of(address: str, browser: str = "") -> Origin:
    """Return the origin of a player with that network address (an IPv6 address stands for its /64)
    and that cookie of the browser. Loopback and SAME_ADDRESS_ALLOWED have an empty one."""
    if _is_exempt(address):
        return UNKNOWN
    return Origin(_digest("address", network_of(address)), _digest("browser", browser))


def _digest(kind: str, text: str) -> str:
    if not text:
        return ""
    return salted_hmac(f"lobby.matchmaking.{kind}", text, algorithm="sha256").hexdigest()[:32]


def _is_exempt(text: str) -> bool:
    try:
        address = ip_address(text)
    except ValueError:  # such as a UNIX socket
        return True
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address.is_loopback or any(
        address in network for network in settings.SAME_ADDRESS_ALLOWED
    )


async def record_origin(backend: Backend, person: str, origin: Origin) -> None:
    """Remember the origin for a day. Note for moderators each other account that had the same
    origin.
    """
    shared: defaultdict[str, set[str]] = defaultdict(set)
    for kind, digest in (("address", origin.address), ("browser", origin.browser)):
        if digest:
            for other in await _add_and_list(backend, f"origin:{digest}", person):
                shared[other].add(kind)
    shared.pop(person, None)
    if shared:
        await database_sync_to_async(in_transaction)(lambda: _note_pairs(UUID(person), shared))


async def _add_and_list(backend: Backend, key: str, member: str) -> list[str]:
    """Add the member to that sorted set at the present time. Return the members of the last day,
    at most _MAX_OTHERS of the latest.
    """
    now = backend.now_ms()
    await backend.call("ZADD", key, now, member)
    await backend.call("EXPIRE", key, KEPT_S)
    await backend.call("ZREMRANGEBYSCORE", key, "-inf", now - 1000 * KEPT_S)
    rows = await backend.call("ZRANGE", key, -_MAX_OTHERS, -1)
    return [raw.decode() for raw in rows]


def _note_pairs(person: UUID, shared: dict[str, set[str]]) -> None:
    """Note the pairs of accounts, or of bots of two owners. Guests are not rated, and expire."""
    rows = Person.objects.filter(models.Q(user__isnull=False) | models.Q(bot_account__isnull=False))
    rows = rows.filter(deleted_at=None)
    if not rows.filter(pk=person).exists():
        return
    owners = dict(BotAccount.objects.values_list("pk", "owner_id").filter(pk__in=[person, *shared]))
    for other in rows.filter(pk__in=list(shared)):
        if owners.get(person, person) == owners.get(other.pk, other.pk):
            continue
        first, second = sorted((person, other.pk))
        row, _made = SharedOrigin.objects.get_or_create(first_id=first, second_id=second)
        row.has_address |= "address" in shared[str(other.pk)]
        row.has_browser |= "browser" in shared[str(other.pk)]
        row.last_at = timezone.now()
        row.save()


# A proxy that hides the visitors' addresses


async def count_visitor(backend: Backend, person: str, address: str) -> None:
    """Remember for a day that the person came with that address, unless it is one of
    SAME_ADDRESS_ALLOWED. Loopback counts: a proxy that hides addresses may be on this machine."""
    digest = origin_of(address).address
    if not digest and not _is_local(address):
        return
    await backend.call("ZADD", _VISITORS, backend.now_ms(), f"{digest or 'loopback'} {person}")
    await backend.call("EXPIRE", _VISITORS, KEPT_S)


def _is_local(text: str) -> bool:
    try:
        return ip_address(text).is_loopback
    except ValueError:
        return False


async def warn_of_one_address() -> float:
    """Log a warning if most visitors of the last day had one address: a periodic task. Return the
    seconds until the next call.
    """
    backend = await current_backend()
    since = backend.now_ms() - 1000 * KEPT_S
    await backend.call("ZREMRANGEBYSCORE", _VISITORS, "-inf", since)
    rows = await backend.call("ZRANGE", _VISITORS, 0, -1)
    people: defaultdict[str, set[str]] = defaultdict(set)
    for raw in rows:
        digest, _, person = raw.decode().partition(" ")
        people[digest].add(person)
    everybody = set().union(*people.values())
    most = max(map(len, people.values()), default=0)
    if len(everybody) >= _LEAST_VISITORS and 2 * most > len(everybody):
        log.warning(
            "%d of %d visitors of the last 24 hours have one address. Does a proxy hide their"
            " addresses (docs/operations.md, Players with one address)?",
            most,
            len(everybody),
        )
    return _WARN_EVERY_S


# Pairs that have met often


def _met_key(person: str) -> str:
    return f"met:{timezone.localdate():%Y-%m-%d}:{person}"


async def record_meetings(backend: Backend, people: Iterable[str]) -> None:
    """Count for each pair of these people one more game today."""
    everybody = list(people)
    for person in everybody:
        key = _met_key(person)
        for other in everybody:
            if other != person:
                await backend.call("HINCRBY", key, other, 1)
        await backend.call("EXPIRE", key, 2 * KEPT_S)


async def often_met(backend: Backend, people: Iterable[str]) -> frozenset[frozenset[str]]:
    """Return the pairs of these people that have met at least QUEUE_MEETINGS_A_DAY times today."""
    everybody = list(people)
    if len(everybody) < 2 or not settings.QUEUE_MEETINGS_A_DAY:
        return frozenset()
    rows = await asyncio.gather(
        *(backend.call("HMGET", _met_key(person), *everybody) for person in everybody)
    )
    return frozenset(
        frozenset((person, other))
        for person, counts in zip(everybody, rows, strict=True)
        for other, count in zip(everybody, counts, strict=True)
        if count is not None and int(count) >= settings.QUEUE_MEETINGS_A_DAY
    )
