"""The connection to one server that is kept for all batches, and its time limits.

Address and credentials come from redis-py's client. The connection itself is made here, with
hiredis: redis-py's would take a task and several turns of the event loop for each batch.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import hiredis
from redis.asyncio import Redis, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    ConnectionError,
    InvalidResponse,
    MasterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,
)

from game.redis.clients import ANSWER_WITHIN_S
from game.redis.errors import ProcessLate

Command = Sequence[str | bytes | int]
Outcome = list[Any] | Exception
"""The replies to a batch, with errors among them, or the error of the whole batch."""
OnDone = Callable[[Outcome], None]

_LATE_S: Final = 0.5
"""A time limit that is noticed so much later shows that this process was late."""
_NO_REPLY_YET: Final = object()
_ERROR_CLASSES: Final[dict[str, type[RedisError]]] = {
    "LOADING": BusyLoadingError,
    "MASTERDOWN": MasterDownError,
    "NOAUTH": AuthenticationError,
    "NOSCRIPT": NoScriptError,
    "OOM": OutOfMemoryError,
    "READONLY": ReadOnlyError,
    "WRONGPASS": AuthenticationError,
}
"""The errors that have a class of their own, by the first word of the reply."""


class HeldConnection:
    """Executes one batch at a time over one connection. After an error the next batch opens a new
    one. No batch is sent twice. A batch takes at most `ANSWER_WITHIN_S`, opening included."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._line: _Line | None = None
        self._opening: asyncio.Task[_Line] | None = None
        self._on_done: OnDone | None = None
        """Ends the batch; None between batches."""
        self._began_at = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        """Looks whether a batch takes too long. It outlives the batch, so that not every batch
        needs a timer."""

    def execute(self, commands: Sequence[Command], on_done: OnDone) -> None:
        """Send a batch and return at once. No other batch may be under way. `on_done` gets the
        replies, or an error, after which it is unknown which commands were executed."""
        loop = asyncio.get_running_loop()
        self._on_done, self._began_at = on_done, loop.time()
        if self._alarm is None:
            self._alarm = loop.call_later(ANSWER_WITHIN_S, self._check_time, loop)
        if self._line is not None and self._line.is_usable:
            self._line.execute(commands, self._end_batch)
        else:
            self._opening = loop.create_task(_Line.open(self._redis), name="connection to Redis")
            self._opening.add_done_callback(partial(self._send_first, commands))

    def close(self, error: Exception) -> None:
        """Close the connection. A batch under way ends with that error."""
        line, self._line = self._line, None
        opening, self._opening = self._opening, None
        on_done, self._on_done = self._on_done, None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if opening is not None:
            opening.cancel()
        if line is not None:
            line.close(error)
        if on_done is not None:
            on_done(error)

    def _send_first(self, commands: Sequence[Command], opening: asyncio.Task[_Line]) -> None:
        """Send the batch for which the connection has just been opened."""
        error = asyncio.CancelledError() if opening.cancelled() else opening.exception()
        if opening is not self._opening:  # the batch has ended
            if error is None:
                opening.result().close(ConnectionError("the connection came too late"))
            return
        self._opening = None
        if error is None:
            self._line = opening.result()
            self._line.execute(commands, self._end_batch)
        else:
            self._end_batch(error if isinstance(error, RedisError) else ConnectionError(str(error)))

    def _end_batch(self, outcome: Outcome) -> None:
        on_done, self._on_done = self._on_done, None
        if on_done is not None:
            on_done(outcome)

    def _check_time(self, loop: asyncio.AbstractEventLoop) -> None:
        self._alarm = None
        late_s = loop.time() - self._began_at - ANSWER_WITHIN_S
        if self._on_done is None:
            return
        if late_s < 0:
            self._alarm = loop.call_later(-late_s, self._check_time, loop)
        elif late_s < _LATE_S:
            self.close(TimeoutError("Redis has not answered in time"))
        else:
            self.close(ProcessLate(late_s))


class _Line(asyncio.Protocol):
    """One connection, until its first error."""

    def __init__(self, redis: Redis) -> None:
        self._callbacks = dict(redis.response_callbacks)
        """redis-py's functions that convert replies, by command."""
        self._reader = hiredis.Reader(notEnoughData=_NO_REPLY_YET, replyError=_error_of)
        self._transport: asyncio.Transport
        self._commands: Sequence[Command] = ()
        self._answers: list[Any] = []
        self._on_done: OnDone | None = None
        self.is_usable = True

    @classmethod
    async def open(cls, redis: Redis) -> _Line:
        """Connect and sign in. Raises RedisError and OSError."""
        pool, loop, line = redis.connection_pool, asyncio.get_running_loop(), cls(redis)
        options: Any = pool.make_connection()  # type: ignore[no-untyped-call]
        if isinstance(options, UnixDomainSocketConnection):
            await loop.create_unix_connection(lambda: line, options.path)
        else:
            host, port = options.host, options.port
            if isinstance(pool, SentinelConnectionPool):
                host, port = await pool.get_master_address()  # type: ignore[no-untyped-call]
            secure = options.ssl_context.get() if isinstance(options, SSLConnection) else None
            await loop.create_connection(lambda: line, host, port, ssl=secure)
            if options.socket_keepalive:
                own: socket.socket = line._transport.get_extra_info("socket")
                own.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        try:
            await line._sign_in(_greeting_of(options))
        except BaseException:
            line.close(ConnectionError("the server did not accept the connection"))
            raise
        return line

    async def _sign_in(self, commands: Sequence[Command]) -> None:
        if not commands:
            return
        replied: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.execute(commands, replied.set_result)
        outcome = await replied
        for reply in outcome if isinstance(outcome, list) else [outcome]:
            if isinstance(reply, Exception):
                raise reply

    def execute(self, commands: Sequence[Command], on_done: OnDone) -> None:
        """Send a batch and return at once."""
        self._commands, self._answers, self._on_done = commands, [], on_done
        packed = [hiredis.pack_command(tuple(command)) for command in commands]  # type: ignore[arg-type]
        self._transport.write(b"".join(packed))

    def close(self, error: Exception) -> None:
        """Close the connection. A batch under way ends with that error."""
        self.is_usable = False
        self._transport.close()
        self._end_batch(error)

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Take replies, and end the batch with its last one. A reply without a command closes the
        connection: later replies could not be matched to their commands."""
        self._reader.feed(data)
        error: Exception | None = None
        try:
            while (answer := self._reader.gets()) is not _NO_REPLY_YET:
                if not isinstance(answer, hiredis.PushNotification):
                    self._take_reply(answer)
        except Exception as failure:
            error = InvalidResponse(f"Redis sent a malformed reply: {failure}")
        is_complete = bool(self._commands) and len(self._answers) == len(self._commands)
        if is_complete and any(isinstance(answer, ReadOnlyError) for answer in self._answers):
            error = ConnectionError("a new connection leads to the present master")
        outcome: Outcome = self._answers
        if error is not None:
            self.is_usable = False
            self._transport.close()
            outcome = self._answers if is_complete else error
        if is_complete or error is not None:
            self._commands = ()
            self._end_batch(outcome)

    def connection_lost(self, error: Exception | None) -> None:
        self.close(ConnectionError(f"the connection to Redis has ended: {error}"))

    def _take_reply(self, answer: Any) -> None:
        if len(self._answers) == len(self._commands):
            raise InvalidResponse("there was no command")
        convert = self._callbacks.get(str(self._commands[len(self._answers)][0]))
        if convert is not None and not isinstance(answer, RedisError):
            answer = convert(answer)
        self._answers.append(answer)

    def _end_batch(self, outcome: Outcome) -> None:
        on_done, self._on_done = self._on_done, None
        if on_done is not None:
            on_done(outcome)


def _error_of(text: str) -> RedisError:
    return _ERROR_CLASSES.get(text.partition(" ")[0], ResponseError)(text)


def _greeting_of(options: Any) -> list[Command]:
    """Return the commands that a new connection with these options of redis-py sends first."""
    greeting: list[Command] = []
    login = [part for part in (options.username, options.password) if part]
    if str(options.protocol) != "2":
        named = login if len(login) != 1 else ["default", *login]
        greeting.append(["HELLO", options.protocol, *(["AUTH", *named] if login else [])])
    elif login:
        greeting.append(["AUTH", *login])
    if options.client_name:
        greeting.append(["CLIENT", "SETNAME", options.client_name])
    if options.db:
        greeting.append(["SELECT", options.db])
    return greeting
