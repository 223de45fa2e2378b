"""Limits how often somebody may try something, over all processes (Django's cache is Redis).

A `Limit` refuses after a number of tries within a fixed window of time. A `Pace` demands growing
waits instead. A try is counted before it is done, so that parallel tries are counted too.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, Final

from django.core.cache import cache
from django.http import HttpRequest

_IPV6_PREFIX: Final = 64
"""The number of bits of an IPv6 address that are usually assigned to one household."""


class TooOften(Exception):
    """There were too many tries in a short time."""


class LimitsUnavailable(Exception):
    """The cache cannot be reached, so that no try is allowed."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Allows a number of tries within a window of seconds. `name` is part of the cache's key."""

    name: str
    at_most: int
    window_s: int

    def count(self, who: str) -> None:
        """Count one more try of `who`. Raises TooOften, LimitsUnavailable."""
        if _increment(self._key(who), self.window_s) > self.at_most:
            raise TooOften

    def forget(self, who: str) -> None:
        """Forget the tries of `who` in this window."""
        _call_cache(cache.delete, self._key(who))

    def _key(self, who: str) -> str:
        return f"limit:{self.name}:{int(time.time()) // self.window_s}:{digest_of(who)}"


@dataclass(frozen=True, slots=True)
class Pace:
    """Allows `free` tries within a quarter of an hour. After each further try the next one must
    wait 2, 4, 8 ... seconds, at most `longest_s`. `name` is part of the cache's key.
    """

    name: str
    free: int
    longest_s: int

    def count(self, who: str) -> None:
        """Count one more try of `who`. Raises TooOften if it comes too early, and
        LimitsUnavailable."""
        if not self._is_in_time(who):
            raise TooOften

    def forget(self, who: str) -> None:
        """Forget the tries of `who`: the next ones need no wait."""
        for key in self._keys(who):
            _call_cache(cache.delete, key)

    def _is_in_time(self, who: str) -> bool:
        tries, wait = self._keys(who)
        count = _increment(tries, _PACE_WINDOW_S)
        if count <= self.free:
            return True
        seconds = min(self.longest_s, 2 ** min(count - self.free, 16))
        return bool(_call_cache(cache.add, wait, 1, timeout=seconds))

    def _keys(self, who: str) -> tuple[str, str]:
        """Return the keys of the number of tries and of the wait."""
        key = f"pace:{self.name}:{digest_of(who)}"
        return key, f"{key}:wait"


def _increment(key: str, window_s: int) -> int:
    """Return the number of tries in the window of that key, with this one."""
    _call_cache(cache.add, key, 0, timeout=window_s)
    try:
        return int(_call_cache(cache.incr, key))
    except ValueError:  # the window has just ended
        return 1


def _call_cache(command: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """Return the cache's answer. Raises LimitsUnavailable."""
    try:
        return command(*args, **named)
    except OSError as error:
        raise LimitsUnavailable(str(error) or type(error).__name__) from error


def digest_of(who: str) -> str:
    """Hash a name or address: short, valid in a key, and not readable in Redis."""
    return hashlib.sha256(who.encode()).hexdigest()[:32]


_MINUTE: Final = 60
_PACE_WINDOW_S: Final = 15 * _MINUTE
_ADDRESS_KNOWN_FOR_S: Final = 30 * 24 * 60 * _MINUTE
_HOUR: Final = 60 * _MINUTE

SIGN_IN_OF_ADDRESS: Final = Limit("sign-in-address", 40, 10 * _MINUTE)
"""Tries to sign in. A whole club may share one address."""
SIGN_IN_OF_ADDRESS_AND_NAME: Final = Pace("sign-in-address-name", 6, longest_s=30)
SIGN_IN_OF_NAME: Final = Pace("sign-in-name", 30, longest_s=10)
"""Tries to sign in from addresses without an earlier sign-in of that name. So failed tries from
elsewhere never lock people out at an address where they have signed in before."""
SIGN_UP_OF_ADDRESS: Final = Limit("sign-up-address", 60, _HOUR)
"""Tries to sign up, also failed ones."""
SIGN_UP_OF_NAME: Final = Limit("sign-up-name", 12, _HOUR)
RESET_OF_ADDRESS: Final = Limit("reset-address", 20, _HOUR)
RESET_OF_MAIL: Final = Limit("reset-mail", 3, _HOUR)
PASSWORD_OF_PERSON: Final = Limit("password-person", 12, 15 * _MINUTE)
"""Tries of the password at changes that ask for it again."""
RENAMES_OF_PERSON: Final = Limit("renames-person", 4, 24 * _HOUR)
BOTS_OF_PERSON: Final = Limit("bots-person", 60, 24 * _HOUR)
"""New bots and new tokens."""
BOT_TRIES_OF_ADDRESS: Final = Limit("bot-tries-address", 60, _MINUTE)
"""Requests with a token that is not valid. Tokens cannot be guessed; this limits the queries."""
BOT_TABLES_OF_OWNER: Final = Limit("bot-tables-owner", 60, _MINUTE)
FRIEND_REQUESTS_OF_PERSON: Final = Limit("friend-requests-person", 30, _HOUR)
FRIEND_ACTIONS_OF_PERSON: Final = Limit("friend-actions-person", 60, _MINUTE)
"""Answers, ends of friendships, blocks and invitations."""
EXPORTS_OF_PERSON: Final = Limit("exports-person", 6, _HOUR)
SETTINGS_OF_PERSON: Final = Limit("settings-person", 60, _MINUTE)
TABLES_OF_ADDRESS: Final = Limit("tables-address", 60, _MINUTE)
TABLES_OF_PERSON: Final = Limit("tables-person", 6, _MINUTE)
LOBBY_ACTIONS_OF_PERSON: Final = Limit("lobby-actions-person", 60, _MINUTE)
"""Actions at pregame tables and queues."""
WATCH_PAGES_OF_ADDRESS: Final = Limit("watch-pages-address", 240, _MINUTE)
"""Visits to the list of live tables, which follows changes by its socket. A club may share
an address."""
API_OF_ADDRESS: Final = Limit("api-address", 240, _MINUTE)
"""Requests of the interface of events."""
ARCHIVES_OF_ADDRESS: Final = Limit("archives-address", 20, _HOUR)
"""Records of an event in one file, which are written for each request."""
CLUBS_OF_PERSON: Final = Limit("clubs-person", 5, 24 * _HOUR)
REVIEWS_OF_PERSON: Final = Limit("reviews-person", 30, _HOUR)
REVIEWS_OF_ADDRESS: Final = Limit("reviews-address", 60, _HOUR)
CURVES_OF_ADDRESS: Final = Limit("curves-address", 60, _MINUTE)
LINKS_OF_ADDRESS: Final = Limit("links-address", 60, _MINUTE)
"""Invite links that do not exist."""
IMPORTS_OF_ADDRESS: Final = Limit("imports-address", 30, 10 * _MINUTE)
IMPORTS_OF_ADDRESS_A_DAY: Final = Limit("imports-address-day", 300, 24 * _HOUR)
"""Records of other sites. Each may take seconds to read and is kept for a month."""
IMPORTED_PAGES_OF_ADDRESS: Final = Limit("imported-pages-address", 120, _MINUTE)
SCRIPTS_OF_ADDRESS: Final = Limit("scripts-address", 40, _MINUTE)
"""Scripts of imported games, which are computed for each request."""
PICTURES_OF_ADDRESS: Final = Limit("pictures-address", 120, _MINUTE)
"""Previews of positions: each renders a picture, or replays a game up to there."""
TABLE_PASSWORDS_OF_ADDRESS: Final = Limit("table-passwords-address", 20, 10 * _MINUTE)
TABLE_PASSWORDS_OF_TABLE: Final = Limit("table-passwords-table", 60, 10 * _MINUTE)


def count_sign_in(address: str, name: str) -> None:
    """Count a try to sign in with that name, before the password is checked. Raises TooOften,
    LimitsUnavailable."""
    pair = f"{address} {name}"
    SIGN_IN_OF_ADDRESS.count(address)
    SIGN_IN_OF_ADDRESS_AND_NAME.count(pair)
    if not _call_cache(cache.get, _known_key(pair)):
        SIGN_IN_OF_NAME.count(name)


def record_sign_in(address: str, name: str) -> None:
    """Reset the waits of this address and name after a right or new password. For a month, the
    limit of the name does not apply to sign-ins from this address.
    """
    pair = f"{address} {name}"
    with contextlib.suppress(LimitsUnavailable):
        SIGN_IN_OF_ADDRESS_AND_NAME.forget(pair)
        _call_cache(cache.set, _known_key(pair), 1, timeout=_ADDRESS_KNOWN_FOR_S)


def _known_key(pair: str) -> str:
    return f"known:{digest_of(pair)}"


def address_of(request: HttpRequest) -> str:
    """Return the address by which requests are limited."""
    return network_of(request.META.get("REMOTE_ADDR") or "")


def network_of(text: str) -> str:
    """Return an IPv4 address unchanged, and for an IPv6 address its /64 network (one household).
    Other texts are returned unchanged.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), _IPV6_PREFIX), strict=False))
