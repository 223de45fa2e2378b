"""What Daphne lacks against floods: it reads on from a socket that it has been told to close,
and hands over whatever lies in a large read before anything else has its turn.

Under another server this does nothing.
"""

from __future__ import annotations

import sys
from typing import Any, Final

READ_BYTES: Final = 4096
"""At a time from one websocket: about a hundred of the shortest messages, some milliseconds."""
_ABUSES: Final = frozenset({4400, 4413, 4429})
"""Close codes after which nothing more is worth reading."""


def put_on_guard() -> None:
    """To be called while the server loads the application, before it listens."""
    daphne: Any = sys.modules.get("daphne.ws_protocol")
    if daphne is not None:
        daphne.WebSocketFactory.protocol = _guarded(daphne.WebSocketProtocol)


def _guarded(protocol: Any) -> Any:
    class Guarded(protocol):  # type: ignore[misc]
        """A websocket that is read in small bites, and not after it has been closed for abuse:
        the connection is dropped when the time for the client's goodbye is over."""

        def onOpen(self) -> None:
            self.transport.bufferSize = READ_BYTES
            super().onOpen()

        def serverClose(self, code: int | None = None) -> None:
            super().serverClose(code)
            if code in _ABUSES:
                self.transport.pauseProducing()

    return Guarded
