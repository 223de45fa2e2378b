"""Creates people and processes for tests of the lobby."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from lobby.play.backend import Backend

NewBackend = Callable[[], Awaitable[Backend]]
"""Makes the backend of another process; the processes share Redis and the time."""


def person_id(number: int) -> str:
    return f"{number:08}-0000-4000-8000-000000000000"
