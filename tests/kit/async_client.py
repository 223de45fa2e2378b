"""Lets Django's `AsyncClient` run views as the site's server does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.db import connections
from django.test.client import AsyncClientHandler

from game.tables.bridge import tables_loop


@contextmanager
def views_in_threads() -> Iterator[None]:
    """During the block, run the views called by an `AsyncClient` in a separate thread, from which
    they can `ask` the client's event loop."""
    handler: Any = AsyncClientHandler
    answer = handler.get_response_async

    async def answer_in_thread(self: Any, request: Any) -> Any:
        tables_loop.set(asyncio.get_running_loop())
        async with ThreadSensitiveContext():
            try:
                return await answer(self, request)
            finally:
                # The thread ends here. PostgreSQL's connections warn if they are not closed.
                await sync_to_async(connections.close_all)()

    handler.get_response_async = answer_in_thread
    try:
        yield
    finally:
        handler.get_response_async = answer
