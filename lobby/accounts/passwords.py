"""Passwords, hashed and compared beside the event loop.

A hash takes a tenth of a second and 100 MB on purpose, so that few are made at once, and
none where it would hold up everybody else.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import User

MAX_LENGTH: Final = 256
_AT_ONCE: Final = 2

_pool: Final = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="passwords")


async def hash_password(password: str) -> str:
    """What is kept of a password."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool, make_password, password)


async def is_password_of(user: User | None, password: str) -> bool:
    """Whether that is the user's password. For nobody it takes as long, and is not."""
    encoded = "" if user is None else user.password
    renewed: list[str] = []

    def compared() -> bool:
        return check_password(password, encoded, renewed.append)

    is_right = await asyncio.get_running_loop().run_in_executor(_pool, compared)
    if is_right and renewed and user is not None:  # it was hashed in an older way
        user.password = await hash_password(password)
        await user.asave(update_fields=["password"])
    return is_right


async def is_password(password: str, encoded: str) -> bool:
    """Whether that is what was hashed, for what is nobody's own, such as a table."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool, check_password, password, encoded)
