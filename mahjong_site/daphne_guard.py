"""What Daphne lacks against floods: it reads on from a socket that it has been told to close,
and hands over whatever lies in a large read before anything else has its turn.

Under another server this does nothing.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any, Final

READ_BYTES: Final = 4096
"""At a time from one websocket: about a hundred of the shortest messages, some milliseconds."""
MAX_WAITING: Final = 24
"""Messages of one websocket that the application has not come to: with more than these, no
further one is parsed, which costs more than to refuse it. An honest page never has as many."""
_LOOK_AGAIN_S: Final = 0.02
_ABUSES: Final = frozenset({4400, 4413, 4429})
"""Close codes after which nothing more is worth reading."""


def put_on_guard() -> None:
    """To be called while the server loads the application, before it listens."""
    daphne: Any = sys.modules.get("daphne.ws_protocol")
    if daphne is not None:
        daphne.WebSocketFactory.protocol = guarded(daphne.WebSocketProtocol)


def guarded(protocol: Any) -> Any:
    """That protocol of Daphne's, on guard."""

    class Guarded(protocol):  # type: ignore[misc]
        """A websocket that is read in small bites, no faster than the application keeps up with,
        and not after it has been closed for abuse: the connection is dropped when the time for
        the client's goodbye is over."""

        _is_abused = False
        _is_waiting = False

        def onOpen(self) -> None:
            self.transport.bufferSize = READ_BYTES
            super().onOpen()

        def serverClose(self, code: int | None = None) -> None:
            super().serverClose(code)
            if code in _ABUSES:
                self._is_abused = True
                self.transport.pauseProducing()

        def processData(self) -> bool:
            """Parse one frame. False if there is none, or it has to wait."""
            if self._is_abused:
                return False
            if self.application_queue.qsize() <= MAX_WAITING:
                return bool(super().processData())
            if not self._is_waiting:
                self._is_waiting = True
                self.transport.pauseProducing()
                self._look_again()
            return False

        def _look_again(self) -> None:
            asyncio.get_running_loop().call_later(_LOOK_AGAIN_S, self._go_on)

        def _go_on(self) -> None:
            if self._is_abused:
                return
            if self.application_queue.qsize() > MAX_WAITING // 2:
                self._look_again()
                return
            self._is_waiting = False
            self.transport.resumeProducing()
            self.consumeData()

    return Guarded
