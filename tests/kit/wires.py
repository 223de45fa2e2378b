"""A socket of a consumer without a server, with time limits for slow machines.

The test socket of Channels waits one second for an answer; a loaded machine may take longer to open
a database.
"""

from __future__ import annotations

from typing import Any, Final

from channels.testing import WebsocketCommunicator

PATIENCE_S: Final = 60.0
"""The longest wait for an answer. Tests do not measure it."""


class Wire(WebsocketCommunicator):  # type: ignore[misc]  # Channels has no types
    """A test socket of a consumer. Each wait takes at most `PATIENCE_S`, unless a call gives
    another limit."""

    async def connect(self, within_s: float = PATIENCE_S) -> tuple[bool, Any]:
        """Open the socket. Return whether it was accepted, and the subprotocol or the close
        code."""
        opened: tuple[bool, Any] = await super().connect(within_s)
        return opened

    async def receive_output(self, within_s: float = PATIENCE_S) -> dict[str, Any]:
        """Return the consumer's next event. Raises TimeoutError if none comes."""
        event: dict[str, Any] = await super().receive_output(within_s)
        return event

    async def receive_json_from(self, within_s: float = PATIENCE_S) -> Any:
        """Return the next message; raise AssertionError if the consumer closes the socket
        instead."""
        return await super().receive_json_from(within_s)

    async def disconnect(self, code: int = 1000, within_s: float = PATIENCE_S) -> None:
        """Close the socket, and wait until the consumer has ended."""
        await super().disconnect(code, within_s)
