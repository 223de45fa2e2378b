"""Hashes and checks passwords in a small pool of threads.

One hash takes a tenth of a second and 100 MB on purpose. More threads would exhaust the memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import User

MAX_LENGTH: Final = 256
_AT_ONCE: Final = 2
T = TypeVar("T")

_pool: Final = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="passwords")


async def hash_password(password: str) -> str:
    """Return the hash of a password."""
    return await _in_pool(make_password, password)


async def is_password_of(user: User | None, password: str) -> bool:
    """Return whether that is the user's password. Without a user, return False after the same
    time."""
    encoded = "" if user is None else user.password
    renewed: list[str] = []
    is_right = await _in_pool(check_password, password, encoded, renewed.append)
    if is_right and renewed and user is not None:  # hashed by an older method
        user.password = await hash_password(password)
        await user.asave(update_fields=["password"])
    return is_right


async def is_password(password: str, encoded: str) -> bool:
    """Return whether the hash is of that password, for passwords without a user, such as that of a
    table."""
    return await _in_pool(check_password, password, encoded)


async def _in_pool(function: Callable[..., T], *args: object) -> T:
    return await asyncio.get_running_loop().run_in_executor(_pool, function, *args)
