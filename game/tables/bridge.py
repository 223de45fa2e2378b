"""The one way from a thread that makes a page to the event loop that holds the tables.

Views are synchronous. What they need of Redis and of running tables is asynchronous and belongs to
one event loop: they `ask` for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from contextvars import Context, ContextVar
from typing import Any, Final, TypeVar

from django.utils import translation

from game.tables.errors import TablesUnavailable

T = TypeVar("T")

ANSWER_WITHIN_S: Final = 15.0
tables_loop: Final[ContextVar[asyncio.AbstractEventLoop]] = ContextVar("tables_loop")
"""The event loop that answers `ask`. What runs a view in a thread sets it there."""


def ask(coroutine: Coroutine[Any, Any, T], *, within_s: float = ANSWER_WITHIN_S) -> T:
    """Run the coroutine on the event loop of the tables and return its result.

    The coroutine gets an empty context, so that tasks which it starts keep nothing of the request;
    only the reader's language is active. Raises TablesUnavailable if the coroutine does, or if
    there is no result within `within_s` seconds: then the coroutine is cancelled.
    """
    loop, language = tables_loop.get(), translation.get_language()

    async def run_coroutine() -> T:
        if language is None:
            translation.deactivate_all()
        else:
            translation.activate(language)
        return await coroutine

    asking: Future[T] = Context().run(asyncio.run_coroutine_threadsafe, run_coroutine(), loop)
    try:
        return asking.result(within_s)
    except TimeoutError:
        if asking.done():
            raise  # the coroutine's own
        asking.cancel()
        raise TablesUnavailable(f"no answer within {within_s:.0f} s") from None
