"""The websocket of bots: `Authorization: Bearer`, then mjai events, questions and answers.

A connection belongs to one bot, which plays one game at a time. Cookies and origins are not
checked: no page of a browser can send the header.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Any, Final
from urllib.parse import parse_qs

import msgspec
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from game.live.process import Process, current
from game.live.rate_limits import MAX_FRAME_BYTES, Bucket
from game.live.send_queue import SendQueue
from game.results.ladders import BOT_LADDERS
from game.tables.database import reaching_database
from game.tables.errors import TableError
from game.tables.room import Room, TableId
from lobby.bots import ladder_queue, waiting
from lobby.bots.accounts import Permit, bearer_of, find_permit
from lobby.bots.frames import ack, encode
from lobby.bots.seated import SeatedBot
from lobby.play import pregame_services, pregame_store
from lobby.play.backend import Backend, current_backend
from lobby.play.notifications import person_group
from lobby.play.origins import Origin, count_visitor, origin_of, record_origin
from lobby.play.player_location import PREGAME, find_location
from lobby.play.pregame import PregameTable

log = logging.getLogger(__name__)

BOTS_PATH: Final = "/ws/bots/"
CLOSE_NOT_ALLOWED: Final = 4403
"""The code with which the socket is closed when the token was revoked, or a moderator has banned
the bot or its owner."""
CLOSE_UNKNOWN_LADDER: Final = 4404
CLOSE_REPLACED: Final = 4409
"""The code with which the socket is closed when the bot has opened a newer connection."""
CLOSE_TOO_LARGE: Final = 4413
CLOSE_FLOOD: Final = 4429
CLOSE_UNAVAILABLE: Final = 4503
_CHECK_EVERY_S: Final = 5.0
"""The longest time between two checks of the bot's location, its token and its connection. A
notification causes a check at once."""


def _invalid_frame_limit(now: float) -> Bucket:
    """Return the rate limit of frames that do not answer an open question validly."""
    return Bucket(40, 4, now)


class BotConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """The connection of one bot."""

    _permit: Permit
    _process: Process
    _backend: Backend

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = SendQueue(self._send_text, self.close)
        self._connection = ""
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._game: SeatedBot | None = None
        self._table_id = ""
        self._connected_at = 0
        """By the clock of the tables."""
        self._ended: tuple[Room | None] | None = None
        """Set when the game has ended: the room, or None if the bot has lost its seat."""
        self._sent_invitations: set[str] = set()
        """Pregame tables whose invitations have been sent to the bot."""
        self._answers_invitations = False
        """Whether the bot accepts or declines invitations itself. Otherwise the server accepts
        all."""
        self._ladder = ""
        """The ladder of bots in which the bot waits for games."""
        self._told_reason: str | None = None
        """Why the bot waits in its ladder, as it was last told."""
        self._origin = Origin()
        self._invalid_frames = _invalid_frame_limit(time.monotonic())

    async def _send_text(self, text: str) -> None:
        await self.send(text)

    # Connecting and disconnecting

    async def connect(self) -> None:
        try:
            permit = await self._find_permit()
        except TableError as error:
            log.info("a bot cannot connect: %s", error)
            await self.accept()  # only an accepted socket has a close code
            await self.close(CLOSE_UNAVAILABLE)
            return
        if permit is None or "play" not in permit.scopes:
            await self.close()  # before the socket is accepted: HTTP 403
            return
        self._permit = permit
        await self.accept()
        try:
            self.queue.use_server(self.scope)
            self._answers_invitations = self._query_value("accept") == "ask"
            self._ladder = (
                f"bots.{self._query_value('ladder')}" if self._query_value("ladder") else ""
            )
            self._process, self._backend = await current(), await current_backend()
            self._connected_at = self._process.service.now_ms()
            self._process.due_work.start_timers(plays_bots=False)
            await self.channel_layer.group_add(person_group(permit.bot), self.channel_name)
            self._connection = await waiting.record_connection(self._backend, permit.bot)
            await ladder_queue.leave_others(self._backend, self._ladder, permit.bot)
            self._process.sockets.add(self.queue)
        except (TableError, OSError) as error:
            log.info("a bot cannot connect: %s", error)
            await self.close(CLOSE_UNAVAILABLE)
            return
        self._send({"type": "connected", "bot": permit.name, "id": permit.bot})
        if self._ladder and self._ladder not in BOT_LADDERS:
            self.queue.close_after_frames(CLOSE_UNKNOWN_LADDER)
            return
        if self._ladder:
            client = self.scope.get("client") or [""]
            address = str(client[0])
            self._origin = origin_of(address)
            await count_visitor(self._backend, permit.bot, address)
            await record_origin(self._backend, permit.bot, self._origin)
        self._task = asyncio.create_task(self._run())

    async def _find_permit(self) -> Permit | None:
        found = [value for name, value in self.scope["headers"] if name == b"authorization"]
        text = found[0].decode("latin-1") if len(found) == 1 else ""
        token = bearer_of(text)
        if not token:
            return None
        with reaching_database():
            permit: Permit | None = await database_sync_to_async(find_permit)(token)
        return permit

    def _query_value(self, name: str) -> str:
        query_string: bytes = self.scope.get("query_string", b"")
        return parse_qs(query_string.decode("latin-1")).get(name, [""])[0]

    async def disconnect(self, code: int) -> None:
        self.queue.abandon()
        if not self._connection:
            return
        self._process.sockets.discard(self.queue)
        if self._task is not None:
            self._task.cancel()
        await self._leave_game()
        with contextlib.suppress(Exception):  # any backend of the layer
            await self.channel_layer.group_discard(
                person_group(self._permit.bot), self.channel_name
            )
        with contextlib.suppress(TableError):
            if self._ladder:
                await ladder_queue.leave_queue(self._backend, self._ladder, self._permit.bot)
            await waiting.end_connection(self._backend, self._permit.bot, self._connection)

    async def _leave_game(self) -> None:
        game, self._game = self._game, None
        if game is not None:
            await game.leave()

    # The location of the bot

    async def page_update(self, event: dict[str, Any]) -> None:
        """Check at once, because a notification has come. The layer calls this method by its
        name."""
        self._changed.set()

    async def _run(self) -> None:
        while not self.queue.is_closed:
            self._changed.clear()
            try:
                await self._check_connection()
            except TableError as error:
                log.info("bot %s: %s", self._permit.bot, error)
            except Exception:
                log.exception("the place of bot %s could not be checked", self._permit.bot)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_CHECK_EVERY_S):
                    await self._changed.wait()

    async def _check_connection(self) -> None:
        """Confirm the connection. Then let the bot finish or begin a game, keep its seat at a
        pregame table, answer an invitation or wait in its ladder."""
        bot = self._permit.bot
        if not await waiting.renew_connection(self._backend, bot, self._connection):
            if await self._backend.call("EXISTS", f"bot-here:{bot}"):
                self.queue.close_after_frames(CLOSE_REPLACED)
                return
            self._connection = await waiting.record_connection(self._backend, bot)
        if self._ended is not None:
            await self._finish(self._ended[0])
        if not await self._is_still_allowed():
            self.queue.close_after_frames(CLOSE_NOT_ALLOWED)
            return
        if self._game is not None:
            return
        location = await find_location(self._backend, bot)
        if location is not None and location.kind == "table":
            if await self._backend.tables.has_seat(location.name, bot):
                await self._begin_game(location.name)
                return
        elif location is not None and location.kind == PREGAME:
            pregame = await pregame_store.find(self._backend, location.name)
            if pregame is not None and pregame.seat_of(bot) is not None and not pregame.is_open:
                await pregame_services.keep_alive(self._backend, pregame, bot)
                return
        invitation = await waiting.find_invitation(self._backend, bot)
        if invitation is not None:
            await self._send_invitation(invitation)
        elif self._ladder:
            await ladder_queue.join_queue(
                self._backend, self._ladder, bot, self._permit.owner, self._origin
            )
            await self._tell_why_it_waits()

    async def _tell_why_it_waits(self) -> None:
        """Tell the bot once, and again when the reason has changed."""
        reason = await ladder_queue.find_reason_to_wait(
            self._backend, self._ladder, self._permit.bot
        )
        if reason != self._told_reason:
            self._told_reason = reason
            ladder = self._ladder.removeprefix("bots.")
            self._send({"type": "waiting", "ladder": ladder, "reason": reason})

    async def _is_still_allowed(self) -> bool:
        """Return whether the token is valid and neither bot nor owner is banned. Return True while
        the database is unavailable."""
        try:
            with reaching_database():
                return await self._find_permit() is not None
        except TableError:
            return True

    async def _send_invitation(self, pregame: PregameTable) -> None:
        """Send the invitation once, and accept it unless the bot answers itself."""
        if pregame.id not in self._sent_invitations:
            self._sent_invitations.add(pregame.id)
            host = pregame.seat_of(pregame.host)
            self._send(
                {
                    "type": "challenged",
                    "challenge": pregame.id,
                    "by": "" if host is None else pregame.seats[host].name,
                    "rules": pregame.settings.rules.name,
                    "players": pregame.settings.rules.players,
                    "length": pregame.settings.rules.length,
                    "clock": pregame.settings.clock,
                }
            )
        if not self._answers_invitations:
            await pregame_services.accept_invitation(
                self._backend, pregame.id, self._permit.bot, self._permit.name
            )

    async def _begin_game(self, table_id: str) -> None:
        self._told_reason = None
        was_told = table_id == self._table_id
        self._table_id = table_id
        game = self._game = SeatedBot(
            self._process,
            await self._process.hub(),
            TableId(table_id),
            self._permit.bot,
            self._send,
            self._end,
            new_since=self._process.service.now_ms() if was_told else self._connected_at,
        )
        self._send({"type": "seated", "table": table_id})
        try:
            await game.join()
        except BaseException:
            await self._leave_game()
            raise

    def _end(self, room: Room | None) -> None:
        self._ended = (room,)
        self._changed.set()

    async def _finish(self, room: Room | None) -> None:
        """Leave the table after the game, or after the seat was lost."""
        self._ended = None
        await self._leave_game()
        over: dict[str, Any] = {"type": "game_over", "table": self._table_id}
        if room is not None:
            over |= {"scores": room.table.scores, "placement": room.table.placement}
        self._send(over)

    # Frames

    def _send(self, frame: dict[str, Any]) -> None:
        self.queue.put(encode(frame))
        self.queue.flush()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.queue.is_closed:
            return
        if len((text_data or "").encode()) + len(bytes_data or b"") > MAX_FRAME_BYTES:
            self.queue.close_after_frames(CLOSE_TOO_LARGE)
            return
        is_valid = await self._handle_frame(text_data)
        if not is_valid and not self._invalid_frames.take(time.monotonic()):
            self.queue.close_after_frames(CLOSE_FLOOD)

    async def _handle_frame(self, text: str | None) -> bool:
        """Handle a frame of the bot. Return whether it was valid."""
        try:
            answer = None if text is None else msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._send(ack(None, "unparseable", "a frame is a JSON object as text"))
            return False
        if answer.get("type") in ("accept", "decline"):
            return await self._answer_invitation(answer)
        if self._game is None:
            self._send(ack(None, "stale", "you have no seat at a running game"))
            return False
        return self._game.answer(answer)

    async def _answer_invitation(self, answer: dict[str, Any]) -> bool:
        challenge, bot = answer.get("challenge"), self._permit.bot
        if not isinstance(challenge, str) or challenge not in self._sent_invitations:
            self._send(ack(None, "stale", "there is no such challenge"))
            return False
        try:
            if answer["type"] == "accept":
                await pregame_services.accept_invitation(
                    self._backend, challenge, bot, self._permit.name
                )
            else:
                await pregame_services.leave_table(self._backend, challenge, bot)
        except TableError as error:
            log.info("bot %s: %s", bot, error)
        # An invitation is answered once; a new one is sent again.
        self._sent_invitations.discard(challenge)
        self._changed.set()
        return True
