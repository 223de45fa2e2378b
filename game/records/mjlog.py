"""Reads Tenhou's mjlog: XML, plain or gzip.

The files are not always well-formed, so elements are found by a pattern and not by an XML parser.
Elements are numbered from 1, including the root element.
"""

from __future__ import annotations

import math
import re
import urllib.parse
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from game.engine.state import SEATS_OF
from game.records.mjlog_hands import Attributes, Element, read_mjlog_hand
from game.records.own import MARK_KEY, read_own_mark, with_own_rules
from game.records.recorded import (
    BadHand,
    OwnMark,
    RecordedGame,
    RecordedHand,
    RecordError,
    UnsupportedRecord,
    Versions,
    read_numbers_by_seat,
)
from game.records.tenhou_versions import USUAL_REDS, tenhou_versions
from game.records.tenhou_walls import SEED_PREFIX, TenhouWalls
from game.records.yaku_names import TENHOU_COARSE

NO_REDS, NO_KUITAN, HANCHAN, THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10
_KNOWN_BITS: Final = 0xFF
_OTHER_SPEED_BIT: Final = 0x1000
_MARK: Final = re.compile(rf"\b{MARK_KEY}\s*=")
_TAG: Final = re.compile(r"<([A-Za-z]++)(\d*+)([^<>]*+)>")
_COMMENT_OR_DECLARATION: Final = re.compile(r"<(?:!|\?(?!xml\s))|(?<!^)<\?xml\s")
"""Comments and declarations: some programs read the elements inside them, others do not."""
_BETWEEN_HANDS: Final = frozenset({"mjloggm", "SHUFFLE", "GO", "UN", "TAIKYOKU", "BYE"})


def is_mjlog(text: str) -> bool:
    """Return whether the text looks like an mjlog. The beginning of the file may be missing."""
    if text.lstrip()[:1] in ("{", "["):
        return False  # JSON, in which a name may look like an element
    return "<mjloggm" in text[:500] or "<INIT " in text[:20_000] or "<GO " in text[:20_000]


def read_mjlog(text: str) -> RecordedGame:
    """Return the game in this text. Raises `RecordError` for a damaged record, `UnsupportedRecord`
    for a kind of table that the engine does not play."""
    rest = text[text.rfind("<") :] if text.rfind("<") > text.rfind(">") else ""
    elements = [Element(number, *found) for number, found in enumerate(_TAG.findall(text), start=1)]
    begin = [at for at, element in enumerate(elements) if element.name == "INIT"]
    if rest and not begin:
        raise RecordError(f"the file ends within an element: {rest[:80]}")
    if not begin:
        raise RecordError("the record contains no hand: no INIT element")
    head = {element.name: element.attributes() for element in elements[: begin[0]]}
    if unknown := head.keys() - _BETWEEN_HANDS:
        raise RecordError(f"unknown element {min(unknown)} before the first hand")
    if len(_MARK.findall(text)) > 1:
        raise RecordError("the record has more than one mark of this site")
    if found := _COMMENT_OR_DECLARATION.search(text.lstrip()):
        raise RecordError(f"a comment or another declaration ({found[0]}), which no mjlog contains")
    mark = _read_mark(head.get("GO", {}).get(MARK_KEY, ""))
    versions = () if mark else _possible_versions(head)
    rules = mark.rules if mark else versions[0][1]
    walls = _seed_walls(head.get("SHUFFLE", {}).get("seed", ""), rules.players)
    hands: list[RecordedHand | BadHand] = []
    for number, (at, end) in enumerate(zip(begin, [*begin[1:], None], strict=True)):
        wall = walls.next_wall() if walls else None
        hands.append(read_mjlog_hand(number, elements[at:end], rules, wall, is_last=end is None))
    if rest and not rest.startswith("</") and isinstance(hands[-1], RecordedHand):
        fault = f"the file ends within an element: {rest[:80]}"
        hands.append(BadHand(len(hands), fault, is_cut_off=True))
    owari = elements[-1].attributes().get("owari") or _final_scores_text(elements)
    game = RecordedGame(
        "mjlog",
        "element",
        rules,
        tuple(hands),
        versions=versions,
        coarse_yaku=TENHOU_COARSE,
        names=_read_names(head.get("UN", {}), rules.players),
    )
    private = _private_lobby(head)
    plays_on = private or ("a game of 2009" if "shuffle" in elements[begin[0]].attributes() else "")
    game = replace(game, plays_on=plays_on, own_rules=private)
    return with_own_rules(_with_end(game, owari) if owari else game, mark)


def _read_mark(text: str) -> OwnMark | None:
    """Read the mark of this site. It is percent-encoded, because it is an XML attribute."""
    text = urllib.parse.unquote(text)
    try:
        return read_own_mark(msgspec.json.decode(text), text) if text else None
    except msgspec.DecodeError as error:
        raise RecordError(f"the mark of this site is damaged: {error}") from None


def _read_names(found: Attributes, players: int) -> tuple[str, ...]:
    return tuple([urllib.parse.unquote(found.get(f"n{seat}", "")) for seat in SEATS_OF[players]])


def _final_scores_text(elements: Sequence[Element]) -> str:
    """Return the text of the final scores (`owari`). Only elements of leaving players may come
    after it."""
    found = [element.attributes().get("owari", "") for element in elements[-10:]]
    return next(filter(None, found), "")


def _possible_versions(head: dict[str, Attributes]) -> Versions:
    try:
        kind = int(head["GO"]["type"])
    except (KeyError, ValueError):
        raise RecordError("the kind of table is missing: no GO element with a type") from None
    if kind & ~_KNOWN_BITS & ~_OTHER_SPEED_BIT or head["GO"].keys() & {"rule", "csrule"}:
        raise UnsupportedRecord(f"a table with rules of its own (type {kind})")
    players = 3 if kind & THREE_PLAYERS else 4
    return tenhou_versions(
        players,
        red_fives=(0, 0, 0) if kind & NO_REDS else USUAL_REDS[players],
        length="east_south" if kind & HANCHAN else "east",
        kuitan=not kind & NO_KUITAN,
    )


def _seed_walls(seed: str, players: int) -> TenhouWalls | None:
    if not seed.startswith(SEED_PREFIX):
        return None
    try:
        return TenhouWalls(seed, players)
    except ValueError as error:
        raise RecordError(str(error)) from None


def _private_lobby(head: dict[str, Attributes]) -> str:
    """Return the private lobby in which the game was played; empty for none."""
    lobby = head["GO"].get("lobby", "0")
    return "" if lobby in ("", "0") else f"a private table, lobby {lobby}"


def _with_end(game: RecordedGame, owari: str) -> RecordedGame:
    """Return the game with its final scores and points."""
    try:
        parts = [float(part) for part in owari.split(",")]
        if not all(map(math.isfinite, parts)):
            raise ValueError(owari)
        players = game.rules.players
        scores = read_numbers_by_seat([round(100 * score) for score in parts[0:8:2]], players)
    except (ValueError, OverflowError):
        raise RecordError(f"the final scores cannot be read: owari={owari[:80]!r}") from None
    return replace(
        game, is_over=True, final_scores=scores, final_points=tuple(parts[1 : 2 * players : 2])
    )
