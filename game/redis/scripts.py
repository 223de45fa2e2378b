"""Runs Lua scripts in Redis by their digest. Must not know what they do."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from game.redis.errors import NoScriptError
from game.redis.pipeline import Command, Pipeline


class Script:
    """A Lua script. In a cluster, all its keys must share a hash tag."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()

    async def run(self, pipeline: Pipeline, keys: Sequence[str], args: Command = ()) -> Any:
        """Return the script's reply. Send its text only if Redis does not know its digest.
        Raises what redis-py raises."""
        try:
            return await pipeline.call("EVALSHA", self.sha, len(keys), *keys, *args)
        except NoScriptError:
            return await pipeline.call("EVAL", self.text, len(keys), *keys, *args)
