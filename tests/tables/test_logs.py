"""Logs are readable for people and for programs, and contain no hidden tile at any level."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest

from game.engine.legal import pending_seats
from game.engine.state import Phase
from game.engine.tiles import tile_from_text
from game.live import outbound
from game.live.process import Process
from game.tables import commit_draft, due_work, service
from game.tables.outcomes import Refusal
from game.tables.room import Room, TableId
from mahjong_site.logs import JsonFormatter, LineFormatter, describe_error, fields_of
from tests.tables.staging import (
    FakeSocket,
    FakeTime,
    MakeProcess,
    open_people_table,
    quiet_answer,
    until_due,
)

TILE_WORDS = re.compile(r"(?<![\w.:-])(?:[1-9][mps]r?|[ESWNPFC])(?![\w.:-])")
INSIDES = ("tehais", "tiles=", "wall", "seed", "drawn=", "pai=", "consumed", "Discard(", "Table(")


class Log:
    """Collects everything that is logged, in both formats."""

    def __init__(self) -> None:
        self.handlers = [logging.StreamHandler(io.StringIO()) for _ in range(2)]
        for handler, formatter in zip(
            self.handlers, (LineFormatter(), JsonFormatter()), strict=True
        ):
            handler.setFormatter(formatter)

    @property
    def text(self) -> str:
        return "".join(handler.stream.getvalue() for handler in self.handlers)

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.handlers[1].stream.getvalue().splitlines()]


@pytest.fixture
def log() -> Iterator[Log]:
    """Yield a log of all loggers at DEBUG."""
    made, root = Log(), logging.getLogger()
    before = root.level
    root.setLevel(logging.DEBUG)
    for handler in made.handlers:
        root.addHandler(handler)
    yield made
    for handler in made.handlers:
        root.removeHandler(handler)
    root.setLevel(before)


def record(message: str, *args: object) -> logging.LogRecord:
    return logging.LogRecord("game", logging.INFO, "x.py", 1, message, args, None)


def test_values_of_a_message_are_fields() -> None:
    line = json.loads(
        JsonFormatter().format(record("table %s seat %d step %d: %s", "t1", 2, 41, "ok"))
    )
    assert line["message"] == "table t1 seat 2 step 41: ok"
    assert (line["table"], line["seat"], line["step"]) == ("t1", 2, 41)
    assert line["level"] == "INFO"
    assert fields_of(record("100%% of table %s", "t2")) == {"table": "t2"}
    assert fields_of(record("nothing")) == {}


def test_a_line_stays_one_line() -> None:
    assert "\n" not in JsonFormatter().format(record("a\nb"))


def test_error_texts_are_logged_unless_they_can_hold_tiles() -> None:
    with pytest.raises(RuntimeError) as plain:
        int_of("nonsense")
    assert "ValueError: invalid literal" in describe_error(plain.value), (
        "the cause is logged as well"
    )
    assert describe_error(plain.value).endswith("RuntimeError: no number")
    with pytest.raises(ValueError, match="5mx") as of_a_rule:
        tile_from_text("5m" + "x")
    assert "5mx" not in describe_error(of_a_rule.value)
    assert "game/engine/tiles.py" in describe_error(of_a_rule.value)


def int_of(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise RuntimeError("no number") from error


def hands_in(room: Room) -> set[str]:
    """Return the hidden hands, as a log line would contain them."""
    return {repr(hand.tiles) for hand in room.table.hands if len(hand.tiles) > 3}


async def play_hands(process: Process, time: FakeTime, table_id: TableId, log: Log) -> set[str]:
    """Play hand after hand with two people and two bots. Return every hand that anybody held."""
    held = set[str]()
    for number in range(160):
        room = await process.service.read_room(table_id)
        held |= hands_in(room)
        if room.table.phase == Phase.ENDED:
            break
        for seat in {0, 1} & set(pending_seats(room.table)):
            for cid in (f"c{number}", f"again{number}"):
                await process.service.submit(
                    table_id,
                    seat=seat,
                    cid=cid,
                    step=room.table.step,
                    action=quiet_answer(room, seat),
                )
        await until_due(process, time, table_id)
    return held


async def test_debug_log_of_a_game_contains_no_tile(
    make_process: MakeProcess, time: FakeTime, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await make_process("a")
    hub = await process.hub(outbound.encode)
    table_id = await open_people_table(process, count=2)
    await hub.join(table_id, FakeSocket(0))
    held = await play_hands(process, time, table_id, log)

    def failing(room: Room, seat: int) -> Any:
        raise RuntimeError("the bot is lost")

    monkeypatch.setattr(due_work, "choose_for_bot", failing)
    bots = await open_people_table(process, count=0)
    held |= hands_in(await process.service.read_room(bots))
    await until_due(process, time, bots)
    refusal = Refusal("x", "refused")
    real = service.Service.try_commit

    async def refused(self: Any, room: Room, proposal: Any) -> Any:
        return refusal

    monkeypatch.setattr(service.Service, "try_commit", refused)
    await until_due(process, time, bots)
    monkeypatch.setattr(service.Service, "try_commit", real)

    def broken(*args: object, **named: object) -> Any:
        raise ValueError("no such thing")

    monkeypatch.setattr(commit_draft, "next_clock", broken)
    await until_due(process, time, bots)

    assert len(held) > 8, "several hands were played"
    text = log.text
    for part in ("the bot failed", "was refused", "frozen", "Done", "StaleAnswer", "opened"):
        assert part in text, f"nothing was logged about: {part}"
    assert not [hand for hand in held if hand in text]
    for inside in INSIDES:
        assert inside not in without_source_lines(text), inside
    assert TILE_WORDS.findall(without_source_lines(text)) == []
    answered = [line for line in log.objects if line["message"].endswith(": Done")]
    assert {line["table"] for line in answered} == {table_id}
    assert {line["seat"] for line in answered} == {0, 1}
    assert all(isinstance(line["step"], int) for line in answered)


def without_source_lines(text: str) -> str:
    """Return the text without the program's own lines in tracebacks."""
    objects = [line for line in text.splitlines() if line.startswith("{")]
    plain = [line for line in text.splitlines() if not line.startswith(("{", "  "))]
    for line in objects:
        fields = json.loads(line)
        fault = fields.pop("fault", "").splitlines()
        plain += [str(value) for value in fields.values()]
        plain += [line for line in fault if not line.startswith("  ")]
    return "\n".join(plain)
