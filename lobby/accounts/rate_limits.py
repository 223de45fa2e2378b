"""How often somebody may try something. Counted in Django's cache, which is Redis: a limit
holds over all processes.

A `Limit` refuses after so many tries: time is cut into windows of equal length, and each is counted
by itself. A `Pace` slows down instead. What is tried is counted before it is done, so that many
tries at once are no way around.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.http import HttpRequest

_IPV6_PREFIX: Final = 64
"""Bits of an IPv6 address that one household has to itself."""


class TooOften(Exception):
    """This has been tried too often in a short time."""


class LimitsUnavailable(Exception):
    """Nobody can count just now, so that nothing is tried."""


@dataclass(frozen=True, slots=True)
class Limit:
    """So many tries within a window. `name` is part of the cache's key."""

    name: str
    at_most: int
    window_s: int

    async def count(self, who: str) -> None:
        """Count one more try of `who`. Raises TooOften, LimitsUnavailable."""
        if await sync_to_async(self._increment)(who) > self.at_most:
            raise TooOften

    async def forget(self, who: str) -> None:
        """What `who` has tried was in order."""
        await sync_to_async(self._clear)(who)

    # Django's own asynchronous `incr` reads and then writes, which two can do at once.

    def _increment(self, who: str) -> int:
        key = self._key(who)
        try:
            cache.add(key, 0, timeout=self.window_s)
            return cache.incr(key)
        except ValueError:  # its window has just ended
            return 1
        except OSError as error:
            raise LimitsUnavailable(str(error) or type(error).__name__) from error

    def _clear(self, who: str) -> None:
        try:
            cache.delete(self._key(who))
        except OSError as error:
            raise LimitsUnavailable(str(error) or type(error).__name__) from error

    def _key(self, who: str) -> str:
        return f"limit:{self.name}:{int(time.time()) // self.window_s}:{_digest(who)}"


@dataclass(frozen=True, slots=True)
class Pace:
    """The first `free` tries within a quarter of an hour need no wait. After each further one the
    next has to wait: 2, 4, 8 ... seconds, `longest_s` at most. `name` is part of the cache's key.
    """

    name: str
    free: int
    longest_s: int

    async def count(self, who: str) -> None:
        """Count one more try of `who`. Raises TooOften if it is too early, LimitsUnavailable."""
        if not await sync_to_async(self._is_in_time)(who):
            raise TooOften

    async def forget(self, who: str) -> None:
        """What `who` has tried was in order: the next tries need no wait."""
        for key in self._keys(who):
            await sync_to_async(_call_cache)(cache.delete, key)

    def _is_in_time(self, who: str) -> bool:
        tries, wait = self._keys(who)
        _call_cache(cache.add, tries, 0, timeout=_PACE_WINDOW_S)
        try:
            count = _call_cache(cache.incr, tries)
        except ValueError:  # its window has just ended
            return True
        if count <= self.free:
            return True
        seconds = min(self.longest_s, 2 ** min(count - self.free, 16))
        return bool(_call_cache(cache.add, wait, 1, timeout=seconds))

    def _keys(self, who: str) -> tuple[str, str]:
        """Of the number of tries, and of the wait."""
        key = f"pace:{self.name}:{_digest(who)}"
        return key, f"{key}:wait"


def _call_cache(command: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """The cache's answer. Raises LimitsUnavailable."""
    try:
        return command(*args, **named)
    except OSError as error:
        raise LimitsUnavailable(str(error) or type(error).__name__) from error


def _digest(who: str) -> str:
    """Names and addresses are of any length and sign, and nobody needs to read them in Redis."""
    return hashlib.sha256(who.encode()).hexdigest()[:32]


_MINUTE: Final = 60
_PACE_WINDOW_S: Final = 15 * _MINUTE
_ADDRESS_KNOWN_FOR_S: Final = 30 * 24 * 60 * _MINUTE
_HOUR: Final = 60 * _MINUTE

SIGN_IN_OF_ADDRESS: Final = Limit("sign-in-address", 40, 10 * _MINUTE)
"""An address may be that of a whole club."""
SIGN_IN_OF_ADDRESS_AND_NAME: Final = Pace("sign-in-address-name", 6, longest_s=30)
SIGN_IN_OF_NAME: Final = Pace("sign-in-name", 30, longest_s=10)
"""From addresses that are not known for the name. No number of wrong tries elsewhere keeps people
out where they have signed in before."""
SIGN_UP_OF_ADDRESS: Final = Limit("sign-up-address", 60, _HOUR)
"""Tries, of which not all succeed."""
SIGN_UP_OF_NAME: Final = Limit("sign-up-name", 12, _HOUR)
RESET_OF_ADDRESS: Final = Limit("reset-address", 20, _HOUR)
RESET_OF_MAIL: Final = Limit("reset-mail", 3, _HOUR)
PASSWORD_OF_PERSON: Final = Limit("password-person", 12, 15 * _MINUTE)
"""For what asks for the password once more."""
RENAMES_OF_PERSON: Final = Limit("renames-person", 4, 24 * _HOUR)
EXPORTS_OF_PERSON: Final = Limit("exports-person", 6, _HOUR)
SETTINGS_OF_PERSON: Final = Limit("settings-person", 60, _MINUTE)
TABLES_OF_ADDRESS: Final = Limit("tables-address", 60, _MINUTE)
TABLES_OF_PERSON: Final = Limit("tables-person", 6, _MINUTE)
LOBBY_ACTIONS_OF_PERSON: Final = Limit("lobby-actions-person", 60, _MINUTE)
"""Whatever one does at tables that are being made, and at queues."""
LINKS_OF_ADDRESS: Final = Limit("links-address", 60, _MINUTE)
"""Invite links that lead nowhere."""
TABLE_PASSWORDS_OF_ADDRESS: Final = Limit("table-passwords-address", 20, 10 * _MINUTE)
TABLE_PASSWORDS_OF_TABLE: Final = Limit("table-passwords-table", 60, 10 * _MINUTE)


async def count_sign_in(address: str, name: str) -> None:
    """Count a try to sign in with that name, before the password is looked at. Raises TooOften,
    LimitsUnavailable."""
    pair = f"{address} {name}"
    await SIGN_IN_OF_ADDRESS.count(address)
    await SIGN_IN_OF_ADDRESS_AND_NAME.count(pair)
    if not await sync_to_async(_call_cache)(cache.get, _known_key(pair)):
        await SIGN_IN_OF_NAME.count(name)


async def record_sign_in(address: str, name: str) -> None:
    """The password was right, or is new: the address is known for the name from now on."""
    pair = f"{address} {name}"
    with contextlib.suppress(LimitsUnavailable):
        await SIGN_IN_OF_ADDRESS_AND_NAME.forget(pair)
        await sync_to_async(_call_cache)(
            cache.set, _known_key(pair), 1, timeout=_ADDRESS_KNOWN_FOR_S
        )


def _known_key(pair: str) -> str:
    return f"known:{_digest(pair)}"


def address_of(request: HttpRequest) -> str:
    """Where the request comes from, as far as limits are concerned."""
    return network_of(request.META.get("REMOTE_ADDR") or "")


def network_of(text: str) -> str:
    """The address, and with it those that one household has to itself."""
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), _IPV6_PREFIX), strict=False))
