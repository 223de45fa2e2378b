"""A table's websocket: authenticate, parse, submit, forward. Must not know rules.

The table is changed through `game.tables.service`; other modules of `game.live` encode the frames.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from game.analysis.study import seat_view
from game.engine.actions import Pass
from game.engine.perspective import DELAYED_VIEWERS, SPECTATOR
from game.live import inbound, outbound
from game.live.authentication import find_player_of_socket
from game.live.delayed_view import delayed_viewer
from game.live.hub import Hub
from game.live.process import Process, current
from game.live.rate_limits import (
    MAX_UNSEEN_EVENTS,
    SYNC_COSTS,
    message_bucket,
    wrong_message_bucket,
)
from game.live.send_queue import CLOSE_SLOW, SendQueue, ServerSocket
from game.tables import requests
from game.tables.errors import DatabaseUnavailable, NoSuchTable, TableError, TablesUnavailable
from game.tables.outcomes import FROZEN, LEFT, Done, Outcome, Refusal, StaleAnswer, explain_refusal
from game.tables.room import Room, TableId
from game.tables.wall_draws import Commitment, Reveal

log = logging.getLogger(__name__)

CLOSE_WRONG: Final = 4400
CLOSE_NOT_SHOWN: Final = 4403
CLOSE_NO_TABLE: Final = 4404
CLOSE_UNSEATED: Final = 4410
CLOSE_TOO_LARGE: Final = 4413
CLOSE_OTHER_VERSION: Final = 4426
CLOSE_FLOOD: Final = 4429
CLOSE_UNAVAILABLE: Final = 4503

_CHAT_WITHIN_S: Final = 3.0
"""The longest time for which a line of chat or a report delays the player's next messages."""
_UNAVAILABLE: Final = "the table cannot be reached at the moment; nothing is lost"
_PING: Final = '{"t":"ping",'
"""How the pings of our page begin. Others are answered a little later."""
_SERVER_FAULT: Final = "an error happened in the server; nothing is lost"
_CHAT_REFUSALS: Final = {
    "nobody": "only people with a name can write here",
    "muted": "a moderator has muted you",
    "too_often": "too many lines in a short time",
    "no_report": "that line cannot be reported",
}


class TableConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One socket of a table's page, of the player at a seat or of a spectator."""

    viewer: int = SPECTATOR
    person: str = ""
    _process: Process
    _hub: Hub

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = SendQueue(self.send, self.close)
        self._socket: ServerSocket | None = None
        self._table_id = TableId("")
        self._undo_joins: list[Callable[[], object]] = []
        """Functions that remove the socket from everything that it has joined. The last is called
        first."""
        self._is_seated = False
        self._proven_seat: int | None = None
        """The only seat that this socket may have, if the database was unavailable when it
        opened."""
        self._has_table = False
        """Whether the whole table has been sent, so that events can follow."""
        self._reads_chat = False
        """Whether the reader's blocks are known, so that lines of chat can be sent."""
        self._chat_task: asyncio.Task[None] | None = None
        self.blocked_people: frozenset[str] = frozenset()
        self._unanswered = ""
        """The `cid` of the action that is being submitted."""
        self._acknowledged = 0
        """The number of the last event that the client has acknowledged."""
        self._sent_before_pong = 0
        """The number of the last event sent before the last pong."""
        self.sent_socket_count = 1
        self._sent_spectator_count = 0
        now = time.monotonic()
        self._messages = message_bucket(now)
        self._wrongs = wrong_message_bucket(now)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run this socket without a channel layer, which would subscribe to Redis for each socket.
        Frames come from the hub of this process."""
        self.scope, self.base_send = scope, send
        socket = self._socket = self.queue.use_server(scope)
        is_handed_over = False
        try:
            await self.dispatch(await receive())  # it connects
            if socket is not None:
                self.scope = {}  # some kilobytes, which nobody needs any more
                socket.inbox.set_handler(self._handle, self._answer_at_once)
                is_handed_over = True
            while not is_handed_over:
                await self.dispatch(await receive())
        except StopConsumer:
            return
        finally:
            if not is_handed_over:
                self._clean_up()

    async def _handle(self, message: Any) -> None:
        try:
            await self.dispatch(message)
        except StopConsumer:
            return
        except asyncio.CancelledError:  # the server ends the socket, and hands over nothing more
            self._clean_up()
            raise

    async def dispatch(self, message: Any) -> None:
        """Handle one message. Old database connections are not closed here, as Channels would, but
        by each call to the database."""
        await getattr(self, get_handler_name(message))(message)

    # Connecting and disconnecting

    async def connect(self) -> None:
        await self.accept()
        if inbound.version_of(self.scope["query_string"]) != str(inbound.PROTOCOL_VERSION):
            self.queue.close_after_frames(CLOSE_OTHER_VERSION)
            return
        self._table_id = TableId(self.scope["url_route"]["kwargs"]["table_id"])
        try:
            await self._join()
        except NoSuchTable:
            self.queue.close_after_frames(CLOSE_NO_TABLE)
        except TablesUnavailable:
            self._refuse("unavailable", _UNAVAILABLE)
            self.queue.close_after_frames(CLOSE_UNAVAILABLE)
        except Exception:
            log.exception("table %s: a socket could not join", self._table_id)
            self._refuse("unavailable", _SERVER_FAULT)
            self.queue.close_after_frames(CLOSE_UNAVAILABLE)

    async def _join(self) -> None:
        process = self._process = await current()
        process.sockets.add(self.queue)
        self._undo_joins.append(partial(process.sockets.discard, self.queue))
        process.due_work.start_timers(plays_bots=False)
        self._hub = await process.hub()
        self.person, self._proven_seat = await find_player_of_socket(self.scope, self._table_id)
        self._undo_joins.append(partial(self._hub.leave, self._table_id, self))
        room = await self._hub.join(self._table_id, self)
        if self._is_seated:
            await process.service.add_socket(self._table_id, self.viewer)
            socket = self._socket
            if room.table.is_drawing_wall and socket is not None:
                self._undo_joins.append(partial(process.page_pings.leave, socket))
                await process.page_pings.follow(self._table_id, self.viewer, socket)
        elif self.viewer in DELAYED_VIEWERS:
            if not room.meta.settings.is_shown_delayed:
                self.queue.close_after_frames(CLOSE_NOT_SHOWN)
                return
            self._undo_joins.append(partial(process.delayed_view.leave, self._table_id, self))
            await process.delayed_view.join(self._table_id, self)

    def set_viewer(self, room: Room) -> None:
        seat = room.seat_of(self.person)
        if self._proven_seat is not None and (seat != self._proven_seat or room.has_left(seat)):
            raise DatabaseUnavailable("the seat of the proof is not the person's any more")
        if seat is not None:
            self.viewer = seat
            self._is_seated = True
        elif not room.meta.settings.is_shown_live:
            self.viewer = delayed_viewer(room.meta)

    async def disconnect(self, code: int) -> None:
        self._clean_up()
        if self._is_seated:
            self._is_seated = False
            try:
                await self._process.service.remove_socket(self._table_id, self.viewer)
            except TablesUnavailable as error:
                log.info("table %s: a departure is stored later: %s", self._table_id, error)
            except Exception:
                log.exception("table %s: a departure was not stored", self._table_id)

    def _clean_up(self) -> None:
        self.queue.abandon()
        if self._chat_task is not None:
            self._chat_task.cancel()
        while self._undo_joins:
            self._undo_joins.pop()()

    # From the table

    def deliver(self, frame: str, seq: int) -> None:
        if not self._has_table:
            return
        if seq - self._acknowledged > MAX_UNSEEN_EVENTS:
            self.queue.close_at_once(CLOSE_SLOW)
        elif self._unanswered and self._is_done(self._unanswered):
            self.queue.put(frame)
            self.queue.send(outbound.encode_ack(self._unanswered))
            self._unanswered = ""
        else:
            self._put_in_turn(frame)

    def _is_done(self, cid: str) -> bool:
        room = self._room()
        return room is not None and cid in room.cids[self.viewer]

    def unseat(self) -> None:
        self.queue.close_after_frames(CLOSE_UNSEATED)

    def deliver_chat(self, frame: str) -> None:
        if self._reads_chat:  # earlier lines are among the recent lines
            self._put_in_turn(frame)

    def flush(self) -> None:
        self.queue.flush()

    def _put_in_turn(self, frame: str) -> None:
        """Send the frame to a player at once, to a spectator with the next `flush`."""
        if self._is_seated:
            self.queue.send(frame)
        else:
            self.queue.put(frame)

    def deliver_socket_count(self, count: int) -> None:
        if self._has_table and count != self.sent_socket_count:
            self.sent_socket_count = count
            self.queue.send(outbound.encode_seat_sockets(count))

    def _room(self) -> Room | None:
        """Return the room as this socket's viewer may see it now; None if it is not loaded."""
        if self.viewer in DELAYED_VIEWERS:
            return self._process.delayed_view.room(self._table_id)
        return self._hub.room(self._table_id)

    def _sync(self, room: Room) -> None:
        self._has_table = True
        self._acknowledged = self._sent_before_pong = room.seq(self.viewer)
        self.queue.send(outbound.encode("sync", room, self.viewer))
        self.deliver_spectator_count(self._hub.spectator_count(self._table_id))
        self.queue.flush()

    def deliver_spectator_count(self, count: int) -> None:
        if self._has_table and count != self._sent_spectator_count:
            self._sent_spectator_count = count
            self._put_in_turn(outbound.encode_spectators(count))

    # From the client

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.queue.is_closed:
            return
        now = time.monotonic()
        if not self._messages.take(now):
            self._refuse("too_fast", "too many messages", close=CLOSE_FLOOD)
            return
        message = inbound.read(text_data, bytes_data)
        try:
            match message:
                case inbound.Act():
                    await self._act(message, now)
                case inbound.Ping():
                    await self._ping(message, now)
                case inbound.Hello():
                    await self._hello(now)
                case inbound.Study():
                    await self._study()
                case inbound.Vote(motion=choice):
                    await self._apply(requests.Vote(self.viewer, choice))
                case inbound.Resume():
                    await self._apply(requests.Resume(self.viewer))
                case inbound.Leave():
                    await self._apply(requests.Leave(self.viewer))
                case inbound.Say(text=text, phrase=phrase):
                    async with asyncio.timeout(_CHAT_WITHIN_S):
                        await self._say(text, phrase)
                case inbound.Report(line=line):
                    async with asyncio.timeout(_CHAT_WITHIN_S):
                        await self._report(line)
                case inbound.WallCommit(draw=draw, commitment=text):
                    fresh = secrets.token_bytes(32)
                    data = bytes.fromhex(text)
                    await self._apply(Commitment(self.viewer, draw, data, fresh))
                case inbound.WallReveal(draw=draw, contribution=text):
                    await self._apply(Reveal(self.viewer, draw, bytes.fromhex(text)))
                case inbound.Wrong():
                    self._count_wrong_message(message, now)
        except NoSuchTable:
            self.queue.close_after_frames(CLOSE_NO_TABLE)
        except (TableError, TimeoutError) as error:
            log.info("table %s: %s", self._table_id, str(error) or "no answer in time")
            self._refuse("unavailable", _UNAVAILABLE, cid=_cid_of(message))
        except Exception:
            kind = type(message).__name__
            log.exception(
                "table %s seat %d: %s could not be handled", self._table_id, self.viewer, kind
            )
            self._refuse("unavailable", _SERVER_FAULT, cid=_cid_of(message))

    async def _hello(self, now: float) -> None:
        if not self._may_sync(now):
            return
        if self.viewer not in DELAYED_VIEWERS:
            await self._process.service.read_room(self._table_id)
        room = self._room()
        if room is not None:
            self._sync(room)
        self._process.seat_sockets.request_count(self._table_id)
        if self._chat_task is None or self._chat_task.done():
            self._chat_task = asyncio.create_task(self._send_recent_chat(), name="recent chat")

    async def _send_recent_chat(self) -> None:
        """Send the recent lines of chat. Runs as a separate task, so that a slow database does not
        delay the game."""
        try:
            if self._hub.room(self._table_id) is None:
                return
            chat = self._process.chat
            await chat.join(self._table_id)
            frame = await chat.recent(self._table_id, self)
            if frame is not None:
                self.queue.send(frame)
        except TableError as error:
            log.info("table %s: the recent lines of chat are not sent: %s", self._table_id, error)
        except Exception:
            log.exception("table %s: the recent lines of chat are not sent", self._table_id)
        finally:
            self._reads_chat = True

    def _may_sync(self, now: float) -> bool:
        """Spend rate-limit credit for a frame with the whole table. If too little is left, close
        the socket and return False."""
        if self._messages.take(now, SYNC_COSTS - 1):
            return True
        self._refuse("too_fast", "too many messages", close=CLOSE_FLOOD)
        return False

    async def _act(self, message: inbound.Act, now: float) -> None:
        if not self._is_seated:
            self._refuse("not_seated", "you are watching this table", cid=message.cid)
            return
        self._unanswered = message.cid
        try:
            outcome = await self._submit(message)
        finally:
            unanswered, self._unanswered = self._unanswered, ""
        match outcome:
            case Done():
                if unanswered:
                    self.queue.send(outbound.encode_ack(message.cid))
            case StaleAnswer(room=room):
                shown = self._room() or room
                self.queue.send(outbound.encode_stale(message.cid, shown.table.step))
                # Frames that were sent before show why the answer is stale. The whole table is for
                # a page that has lost some, not for one that answers late because of this process.
                # A late pass never needs it: the tile is gone.
                is_own_delay = self._process.lag.is_behind
                if message.action != Pass() and not is_own_delay and self._may_sync(now):
                    self._sync(shown)
            case Refusal(code="frozen", text=text):
                self._refuse("frozen", text, cid=message.cid)
            case Refusal(code=reason, text=text):
                self.queue.send(outbound.encode_error("illegal", text, message.cid, reason=reason))

    async def _submit(self, message: inbound.Act) -> Outcome:
        """Submit the action. While the hub holds back a newer room, return an outcome with the room
        already shown."""
        held = self._hub.held_room(self._table_id)
        if held is not None and message.q > held.table.step:
            return StaleAnswer(held)
        outcome = await self._process.service.submit(
            self._table_id,
            seat=self.viewer,
            cid=message.cid,
            step=message.q,
            action=message.action,
        )
        held = self._hub.held_room(self._table_id)
        if held is None or isinstance(outcome, Done) or outcome in (FROZEN, LEFT):
            return outcome
        return explain_refusal(held, self.viewer, message.q, message.action)

    def _answer_at_once(self, message: Any) -> bool:
        """Answer a ping that needs only a pong, without a task. Return False for every other
        message."""
        text = message.get("text") or ""
        if not text.startswith(_PING) or self.queue.is_closed:
            return False
        ping, room = inbound.read(text), self._room()
        if not isinstance(ping, inbound.Ping) or room is None or self._needs_more(ping, room):
            return False
        if not self._messages.take(time.monotonic()):
            return False
        self._pong(ping, room)
        return True

    def _needs_more(self, ping: inbound.Ping, room: Room) -> bool:
        """Return whether the ping needs an answer beside the pong."""
        is_back = self._is_seated and ping.seen and room.table.away[self.viewer]
        return is_back or self._lacks_frames(ping, room) or self.sent_socket_count > 1

    def _lacks_frames(self, ping: inbound.Ping, room: Room) -> bool:
        """Return whether the client has missed frames and needs the whole table. Its `seq` is
        compared with the events sent before the last pong. While this process lags, a low `seq` is
        no sign of a loss."""
        is_short = ping.seq < self._sent_before_pong and not self._process.lag.is_behind
        return self._has_table and (is_short or ping.seq > room.seq(self.viewer))

    def _pong(self, ping: inbound.Ping, room: Room | None) -> None:
        if room is not None and self._has_table:
            sent = self._sent_before_pong = room.seq(self.viewer)
            self._acknowledged = max(self._acknowledged, min(ping.seq, sent))
        self.queue.send(outbound.encode_pong(ping.at))

    async def _ping(self, message: inbound.Ping, now: float) -> None:
        room = self._room()
        if room is not None and self._lacks_frames(message, room):
            if not self._may_sync(now):
                return
            self._sync(room)
        self._pong(message, room)
        if self._is_seated:
            with contextlib.suppress(TableError):  # the next ping tries again
                if message.seen:
                    await self._process.service.set_away(self._table_id, self.viewer, False)
            # One of the other sockets may have ended without a close.
            if self.sent_socket_count > 1:
                self._process.seat_sockets.request_count(self._table_id)

    async def _apply(self, request: requests.TableRequest) -> None:
        if not self._is_seated:
            self._refuse("not_seated", "you are watching this table")
            return
        outcome = await self._process.service.apply_request(self._table_id, request)
        if isinstance(outcome, Refusal):
            self.queue.send(outbound.encode_error("illegal", outcome.text, reason=outcome.code))

    async def _study(self) -> None:
        """Send the analysis of the player's own hand, if the table allows help."""
        room = self._room_of_hub()
        if not self._is_seated:
            self._refuse("not_seated", "you are watching this table")
        elif not room.meta.settings.help:
            self._refuse("no_help", "this table is played without help")
        else:
            self.queue.send(await self._process.help.frame(seat_view(room.table, self.viewer)))

    async def _say(self, text: str, phrase: str) -> None:
        seat = self.viewer if self._is_seated else None
        reason = await self._process.chat.say(
            self._room_of_hub(), seat, self.person, text=text, phrase=phrase
        )
        if reason:
            self.queue.send(outbound.encode_error("no_talk", _CHAT_REFUSALS[reason], reason=reason))

    def _room_of_hub(self) -> Room:
        room = self._hub.room(self._table_id)
        if room is None:
            raise TablesUnavailable("the room is not in memory")
        return room

    async def _report(self, line: str) -> None:
        if await self._process.chat.report(self._table_id, line, self.viewer, self.person):
            self.queue.send(outbound.encode_reported(line))
        else:
            self.queue.send(
                outbound.encode_error("no_talk", _CHAT_REFUSALS["no_report"], reason="no_report")
            )

    def _count_wrong_message(self, message: inbound.Wrong, now: float) -> None:
        if message.code == "too_large":
            self._refuse(message.code, message.text, close=CLOSE_TOO_LARGE)
        elif self._wrongs.take(now):
            self._refuse(message.code, message.text)
        else:
            self._refuse(message.code, message.text, close=CLOSE_WRONG)

    def _refuse(
        self, code: str, text: str, *, cid: str | None = None, close: int | None = None
    ) -> None:
        self.queue.send(outbound.encode_error(code, text, cid))
        if close is not None:
            self.queue.close_after_frames(close)


def _cid_of(message: object) -> str | None:
    return message.cid if isinstance(message, inbound.Act) else None
