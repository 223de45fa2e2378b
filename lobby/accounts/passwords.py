"""Hashes and checks passwords, two at once.

One hash takes a tenth of a second and 100 MB on purpose.
"""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Final

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import User

MAX_LENGTH: Final = 256
_hashing_slots: Final = BoundedSemaphore(2)


def hash_password(password: str) -> str:
    """Return the hash of a password."""
    with _hashing_slots:
        return make_password(password)


def is_password_of(user: User | None, password: str) -> bool:
    """Return whether that is the user's password. Without a user, return False after the same
    time."""
    encoded = "" if user is None else user.password
    renewed: list[str] = []
    with _hashing_slots:
        is_right = check_password(password, encoded, renewed.append)
    if is_right and renewed and user is not None:  # hashed by an older method
        user.password = hash_password(password)
        user.save(update_fields=["password"])
    return is_right


def matches_hash(password: str, encoded: str) -> bool:
    """Return whether the hash is of that password, for passwords without a user, such as that of a
    table."""
    with _hashing_slots:
        return check_password(password, encoded)
