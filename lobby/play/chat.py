"""Chat where people meet before a game: at a table before its game, and among the members of a
club.

Lines are stored like those of a running table, with the same limits, blocks, reports and time after
which they are deleted (`game.live.chat_store`). The pages are told by their groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from channels.db import database_sync_to_async

from game.live.chat import LINES_AROUND, for_report
from game.live.chat_store import ChatMessage, StoredLine, append_line, count_line, lines_after
from game.live.inbound import MAX_LINE_CHARS, plain
from game.live.outbound import line_id
from game.moderation.blocks import blocked_by
from game.moderation.reports import report_line
from game.moderation.sanctions import is_silenced
from game.tables.database import reaching_database
from game.tables.room import TableId
from lobby.accounts.refusals import CodedError
from lobby.models import Club
from lobby.play.backend import Backend
from lobby.play.notifications import club_group, notify, pregame_group

SHOWN_LINES: Final = 50


class ChatRefused(CodedError):
    """A line is not written or not reported. `code`: "chat_text" (it is empty or too long),
    "chat_muted", "chat_often" (too many lines in a short time), "chat_report" (there is no such
    line, or the person has reported too many)."""


class Place(msgspec.Struct, frozen=True):
    """Where people chat: a table before its game, or a club."""

    id: TableId
    """The name under which the lines are stored. It differs from the id of every table."""
    group: str
    """The pages that show the lines."""


class ShownLine(msgspec.Struct, frozen=True):
    """A line, as a reader sees it."""

    id: str
    name: str
    text: str
    is_own: bool


def at_pregame_table(pregame_id: str) -> Place:
    return Place(TableId(f"pregame-{pregame_id}"), pregame_group(pregame_id))


def in_club(club: Club) -> Place:
    return Place(TableId(f"club-{club.pk}"), club_group(club.slug))


async def read_lines(backend: Backend, place: Place, reader: str) -> list[ShownLine]:
    """Return the latest lines, without those of people whom the reader blocks. Raises
    TableError."""
    lines = await _stored_lines(backend, place)
    if reader and any(line.message.person != reader for line in lines):
        with reaching_database():
            blocked = await database_sync_to_async(blocked_by)(UUID(reader))
        lines = [line for line in lines if line.message.person not in blocked]
    return [
        ShownLine(
            line_id(line), line.message.name, line.message.text, line.message.person == reader
        )
        for line in lines[-SHOWN_LINES:]
    ]


async def say(backend: Backend, place: Place, person: str, name: str, text: str) -> None:
    """Write a line. Raises ChatRefused, TableError."""
    text = plain(text)
    if not text or len(text) > MAX_LINE_CHARS:
        raise ChatRefused("chat_text")
    with reaching_database():
        is_muted = await database_sync_to_async(is_silenced)(person)
    if is_muted:
        raise ChatRefused("chat_muted")
    now, redis = backend.now_ms(), backend.process.redis
    if await count_line(redis, person, now):
        raise ChatRefused("chat_often")
    await append_line(redis, place.id, "table", ChatMessage(now, person, name, -1, text))
    await notify(place.group)


async def report(backend: Backend, place: Place, reported: str, reader: str) -> None:
    """Report the line with that id to the moderators. Raises ChatRefused, TableError."""
    lines = await _stored_lines(backend, place)
    at = next((at for at, line in enumerate(lines) if line_id(line) == reported), None)
    if at is None:
        raise ChatRefused("chat_report")
    around = [for_report(line) for line in lines[max(0, at - LINES_AROUND) : at + LINES_AROUND + 1]]
    with reaching_database():
        is_filed = await database_sync_to_async(report_line)(
            place.id, reported, for_report(lines[at]), around, reader
        )
    if not is_filed:
        raise ChatRefused("chat_report")


async def _stored_lines(backend: Backend, place: Place) -> Sequence[StoredLine]:
    return await lines_after(backend.process.redis, place.id, "table", "")
