"""Checks a record of this site against the proof of its walls.

Owns the JSON of proofs and receipts. The engine says what fits (`game.engine.wall_proof`); the
replay of the record says whether its tiles come from the walls of the seed.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal

import msgspec

from game.engine.wall_proof import (
    FourBytes,
    ProvedDraw,
    Receipt,
    WallProof,
    problems,
    problems_of_receipt,
)
from game.records.compare import Difference
from game.records.own import PROOF_KEY
from game.records.reading import read
from game.records.recorded import RecordedGame, RecordError, UnsupportedRecord
from game.records.validate import validate_game

_HEX: Final = re.compile(r"([0-9a-f]{2})*")
_ABOUT_POINTS: Final = frozenset(
    {
        *("payments", "scores", "yaku", "yakuman", "han", "fu", "limit", "points", "liable seat"),
        *("honba", "riichi sticks", "hand dealt", "dealer", "end of the game"),
        *("final scores", "final points", "ranking"),
    }
)
"""Differences that say nothing about tiles."""

FourTexts = tuple[str, str, str, str]


class _DrawJson(msgspec.Struct):
    commitments: FourTexts
    secret: str
    binding: str
    contributions: FourTexts


class _ProofJson(msgspec.Struct):
    version: int
    table: str
    seats: FourTexts
    rules: str
    draws: tuple[_DrawJson, ...]


class _ReceiptJson(msgspec.Struct):
    version: Literal[1]
    table: str
    draw: int
    seat: int | None
    commitments: FourTexts
    binding: str
    contribution: str


class WallReport(msgspec.Struct, frozen=True):
    """What a check has found."""

    pages: tuple[int, ...] | None
    """The seats whose pages took part; None for a record without a proof."""
    draws: int = 0
    problems: tuple[str, ...] = ()


def check_record(raw: bytes, receipt: Receipt | None = None) -> WallReport:
    """Check the record in these bytes, of any format, and a receipt of one of its players.

    Raises `RecordError` if the record is damaged or none at all.
    """
    game = read(raw)
    if game.mark is None or game.mark.json.get(PROOF_KEY) is None:
        return WallReport(None)
    proof = read_proof(game.mark.json[PROOF_KEY])
    found = problems(proof, game.mark.seed, game.mark.json["rules"])
    if not found and not proof.pages:
        found.append("no page took part in the last draw")
    if receipt is not None:
        found += problems_of_receipt(proof, receipt)
    found += _tile_problems(game)
    return WallReport(proof.pages, len(proof.draws), tuple(found))


def read_proof(data: Any) -> WallProof:
    """Return the proof in this JSON. Raises `RecordError` if it is damaged."""
    try:
        proof = msgspec.convert(data, _ProofJson)
        draws = [
            ProvedDraw(
                _four(draw.commitments),
                _bytes(draw.secret),
                _bytes(draw.binding),
                _four(draw.contributions),
            )
            for draw in proof.draws
        ]
    except ValueError as error:
        raise RecordError(f"the proof is damaged: {error}") from None
    return WallProof(proof.table, proof.seats, proof.rules, tuple(draws), proof.version)


def read_receipt(raw: bytes) -> Receipt:
    """Return the receipt in this file. Raises ``ValueError`` if it is damaged or none at all."""
    try:
        found = msgspec.json.decode(raw, type=_ReceiptJson)
        return Receipt(
            table_id=found.table,
            draw=found.draw,
            seat=found.seat,
            binding=_bytes(found.binding),
            commitments=_four(found.commitments),
            contribution=_bytes(found.contribution),
        )
    except ValueError as error:
        raise ValueError(f"this is not a receipt, or it is damaged: {error}") from None


def _bytes(text: str) -> bytes:
    if not _HEX.fullmatch(text):
        raise ValueError(f"{text!r} is not hexadecimal in lower case")
    return bytes.fromhex(text)


def _four(texts: FourTexts) -> FourBytes:
    one, two, three, four = map(_bytes, texts)
    return one, two, three, four


def _tile_problems(game: RecordedGame) -> list[str]:
    """Replay the record on the walls of its seed, and return what does not fit about tiles."""
    try:
        report = validate_game("", game)
    except UnsupportedRecord as reason:
        return [f"the record cannot be replayed: {reason}"]
    found = list(report.faults)
    if report.unsupported:
        found.append(f"the record cannot be replayed: {report.unsupported}")
    found += [
        _text(difference)
        for difference in report.differences
        if difference.what not in _ABOUT_POINTS
    ]
    return found


def _text(difference: Difference) -> str:
    place = f", {difference.place}" if difference.place else ""
    where = f"hand {difference.hand}{place}" if difference.hand >= 0 else "the game"
    values = f"by the walls {difference.ours}; in the record {difference.theirs}"
    return f"{where}, {difference.what}: {values}"
