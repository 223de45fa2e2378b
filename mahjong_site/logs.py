"""Formats log lines: for people, or as one JSON object per line.

JSON lines have fields for `table %s`, `seat %d`, `step %d` and `version %d` in a message. No line
may name a hidden tile. Errors in the rules or in a bot are therefore logged without their text,
which may contain a hand, but with their traceback.
"""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from datetime import UTC, datetime
from logging import CRITICAL, Formatter, LogRecord
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NoReturn

LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
FORMATS: Final = ("line", "json")
_PLACEHOLDERS: Final = re.compile(r"(?:(\w+) )?%[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]")
_NAMED_FIELDS: Final = frozenset({"table", "seat", "step", "version"})
_ROOT: Final = Path(__file__).resolve().parent.parent
_FOLDERS_WITH_HANDS: Final = (str(_ROOT / "game" / "engine"), str(_ROOT / "game" / "bots"))

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class LineFormatter(Formatter):
    """Formats log lines for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatException(self, ei: _ExcInfo) -> str:
        return "" if ei[1] is None else describe_error(ei[1])


class JsonFormatter(LineFormatter):
    """Formats log lines as JSON for programs."""

    def format(self, record: LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
            **fields_of(record),
        }
        if record.exc_info:
            line["fault"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def line_for_operator(text: str, level: int, logger: str) -> str:
    """Return a line about the start or end of a program, in the format that LOG_FORMAT asks for.
    Reads the environment itself, because the settings may be wrong and no log be set up yet."""
    if os.environ.get("LOG_FORMAT", "").strip().lower() != "json":
        return text
    return JsonFormatter().format(LogRecord(logger, level, "", 0, text, None, None))


def exit_with_error(text: str) -> NoReturn:
    """Write the text as a line to stderr and end the program with exit code 1."""
    sys.exit(line_for_operator(text, CRITICAL, "mahjong_site"))


def fields_of(record: LogRecord) -> dict[str, Any]:
    """Return the arguments of the message by name: the word before each placeholder is its name."""
    if not isinstance(record.args, tuple) or not isinstance(record.msg, str):
        return {}
    names = [found[1] for found in _PLACEHOLDERS.finditer(record.msg.replace("%%", ""))]
    return {
        name: arg for name, arg in zip(names, record.args, strict=False) if name in _NAMED_FIELDS
    }


def describe_error(error: BaseException) -> str:
    """Return tracebacks and texts of the error and its causes, causes first. Texts that may contain
    a hand are left out."""
    parts: list[str] = []
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        parts.append(_describe_one(one))
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return "\n".join(reversed(parts))


def _describe_one(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    name = type(error).__qualname__
    sees_hands = any(frame.filename.startswith(_FOLDERS_WITH_HANDS) for frame in frames)
    text = "" if sees_hands else str(error)
    return "".join(traceback.format_list(frames)) + (f"{name}: {text}" if text else name)
