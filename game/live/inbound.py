"""Parses frames of clients into typed messages.

Owns all validation of what a client sends. Must not know whether an action is legal: the engine
decides that. `read` never raises: a frame that cannot be parsed becomes `Wrong`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Any, Final, Literal, Union, get_args, get_type_hints
from urllib.parse import parse_qs

import msgspec

from game.engine import actions
from game.engine.tiles import TEXT_TO_TILE
from game.live.rate_limits import MAX_FRAME_BYTES

MAX_LINE_CHARS: Final = 200
"""The longest line of chat."""
_MAX_ACCENTS: Final = 3
_ALLOWED_JOINERS: Final = frozenset("\u200c\u200d")
"""Joining characters, which some scripts and emoji need."""
_INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_WHITE_SPACE: Final = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return the text in NFC on one line, without control and direction characters and with at
    most three accents in a row. It may be empty."""
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", _WHITE_SPACE.sub(" ", text)):
        kind = unicodedata.category(sign)
        if kind in _INVISIBLE_CATEGORIES and sign not in _ALLOWED_JOINERS:
            continue
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= _MAX_ACCENTS:
            kept.append(sign)
    plain_text = _WHITE_SPACE.sub(" ", "".join(kept)).strip(" \u200c\u200d")
    return unicodedata.normalize("NFC", plain_text)


PROTOCOL_VERSION: Final = 3
"""The version of `docs/protocol.md`. It is increased with each change that an open page cannot
handle."""
_MAX_COUNTER: Final = 10_000_000
_MAX_TIME_MS: Final = 2**53
_MAX_TEXT: Final = 200

Counter = Annotated[int, msgspec.Meta(ge=0, le=_MAX_COUNTER)]
CommandId = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,40}\Z")]
TileText = Literal[
    "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "5mr",
    "1p", "2p", "3p", "4p", "5p", "6p", "7p", "8p", "9p", "5pr",
    "1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "5sr",
    "E", "S", "W", "N", "P", "F", "C",
]  # fmt: skip


Phrase = Literal[
    "hello", "luck", "nice", "thanks", "sorry", "moment", "ready", "good_game", "rematch", "bye"
]  # fmt: skip


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    pass


def _wire_class(action: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Return the class of that action as clients send it: with tiles as texts."""
    fields = list[tuple[str, Any]]()
    for name, kind in get_type_hints(action).items():
        if name == "consumed":
            fields.append((name, tuple[(TileText,) * len(get_args(kind))]))  # type: ignore[misc]
        else:
            fields.append((name, TileText if name == "pai" else kind))
    tag = action.__struct_config__.tag
    return msgspec.defstruct(
        action.__name__, fields, bases=(_Strict,), tag_field="type", tag=tag, frozen=True, gc=False
    )


_ACTIONS: Final = {_wire_class(action): action for action in get_args(actions.Action)}
_WireAction: Any = Union[tuple(_ACTIONS)]  # noqa: UP007  # made at import


class _Message(_Strict, tag_field="t", frozen=True, gc=False):
    pass


class Hello(_Message, tag="hello", frozen=True, gc=False):
    """The first message of a client; `seq` is the last event that it has seen."""

    seq: Counter


class Ping(_Message, tag="ping", frozen=True, gc=False):
    """A client's regular sign of life; `seq` is the last event that it has seen."""

    seq: Counter
    at: Annotated[int, msgspec.Meta(ge=0, le=_MAX_TIME_MS)]
    seen: bool = False
    """Whether the page is in view."""


class Study(_Message, tag="study", frozen=True, gc=False):
    """A request for the analysis of the own hand, at question `q`."""

    q: Counter


class Vote(_Message, tag="vote", frozen=True, gc=False):
    """A vote for a pause or for the end of the game. '' withdraws the sender's vote; 'no_pause' and
    'no_end' withdraw everybody's votes for a pause or for the end."""

    motion: Literal["", "pause", "end", "no_pause", "no_end"]


class Resume(_Message, tag="resume", frozen=True, gc=False):
    """Ends the pause."""


class Leave(_Message, tag="leave", frozen=True, gc=False):
    """The player leaves the table; a bot plays on."""


class Say(_Message, tag="say", frozen=True, gc=False):
    """A line of chat: a text, or a quick phrase."""

    text: str = ""
    phrase: Phrase | Literal[""] = ""


class Report(_Message, tag="report", frozen=True, gc=False):
    """Reports a line of chat to the moderators."""

    line: Annotated[str, msgspec.Meta(pattern=r"\A[tw][0-9]{1,16}-[0-9]{1,10}\Z")]


Hash = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class WallCommit(_Message, tag="wall_commit", frozen=True, gc=False):
    """The page commits to its contribution to that draw of the wall."""

    draw: Counter
    commitment: Hash


class WallReveal(_Message, tag="wall_reveal", frozen=True, gc=False):
    """The page reveals its contribution."""

    draw: Counter
    contribution: Hash


class _ActFrame(_Message, tag="act", frozen=True, gc=False):
    cid: CommandId
    q: Counter
    a: _WireAction


class Act(msgspec.Struct, frozen=True, gc=False):
    """An answer to question `q`, with an id chosen by the client."""

    cid: str
    q: int
    action: actions.Action


class Wrong(msgspec.Struct, frozen=True, gc=False):
    """A frame that could not be parsed: an error code of the protocol and a text."""

    code: Literal["bad_json", "bad_message", "unknown_type", "too_large"]
    text: str


_OtherMessages = (
    Hello | Ping | Study | Vote | Resume | Leave | Say | Report | WallCommit | WallReveal
)
Message = _OtherMessages | Act
_Frame = _OtherMessages | _ActFrame

_decoder: Final[msgspec.json.Decoder[_Frame]] = msgspec.json.Decoder(_Frame)


def version_of(query: bytes) -> str:
    """Return the protocol version in the query string of a socket's address; '' if there is
    none."""
    found = parse_qs(query.decode("latin-1")).get("v")
    return "" if found is None else found[0]


def read(text: str | None, data: bytes | None = None) -> Message | Wrong:
    """Parse a text frame. A frame that cannot be parsed gives `Wrong`, and so does a binary frame
    (`data`)."""
    if len(text or data or b"") > MAX_FRAME_BYTES:
        return _refuse_large()
    if text is None:
        return Wrong("bad_message", "frames are JSON text")
    try:
        payload = text.encode()
        if len(payload) > MAX_FRAME_BYTES:
            return _refuse_large()
        frame = _decoder.decode(payload)
    except msgspec.ValidationError as error:
        reason = str(error)
        is_unknown = reason.startswith("Invalid value") and reason.endswith("`$.t`")
        return Wrong("unknown_type" if is_unknown else "bad_message", reason[:_MAX_TEXT])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return Wrong("bad_json", "the frame is not JSON")
    if isinstance(frame, _ActFrame):
        return Act(cid=frame.cid, q=frame.q, action=_engine_action(frame.a))
    return _clean_chat_line(frame) if isinstance(frame, Say) else frame


def _clean_chat_line(frame: Say) -> Say | Wrong:
    text = plain(frame.text)
    if bool(text) == bool(frame.phrase):
        return Wrong("bad_message", "say a text or a phrase")
    if len(text) > MAX_LINE_CHARS:
        return Wrong("bad_message", f"a line has {MAX_LINE_CHARS} characters at most")
    return Say(text, frame.phrase)


def _refuse_large() -> Wrong:
    return Wrong("too_large", f"a frame may have at most {MAX_FRAME_BYTES} bytes")


def _engine_action(wire: msgspec.Struct) -> actions.Action:
    """Convert an action from the wire to the engine's form. The tiles of a set are sorted."""
    fields = msgspec.structs.asdict(wire)
    if "pai" in fields:
        fields["pai"] = TEXT_TO_TILE[fields["pai"]]
    if "consumed" in fields:
        fields["consumed"] = tuple(sorted(TEXT_TO_TILE[text] for text in fields["consumed"]))
    action: actions.Action = _ACTIONS[type(wire)](**fields)
    return action
