"""Checks a record of this site against the proof of its walls.

Owns the JSON of proofs and receipts. `game.engine.wall_proof` checks the hashes of the proof;
`game.records.wall_tiles` checks whether the tiles come from the walls of the seed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, Literal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from game.engine.by_seat import BySeat
from game.engine.state import SEATS_OF
from game.engine.wall_proof import (
    UNSIGNED_VERSION,
    ProvedDraw,
    Receipt,
    WallProof,
    problems_of_receipt,
    proof_problems,
    signed_text,
)
from game.records import mjai, tenhou6
from game.records.hand_files import extract_record
from game.records.own import (
    MARK_KEY,
    PROOF_KEY,
    read_javascript_json,
    read_own_mark,
    refuse_ambiguous,
)
from game.records.reading import read_text, unpack_text
from game.records.recorded import BadHand, OwnMark, RecordError
from game.records.wall_tiles import FollowResult, follow_hands, follow_mjai

_HEX: Final = re.compile(r"([0-9a-f]{2})*")
TextBySeat = tuple[str, ...]
Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]


class _DrawJson(msgspec.Struct):
    commitments: TextBySeat
    secret: str
    binding: str
    contributions: TextBySeat
    key: str = ""
    signature: str = ""


class _ProofJson(msgspec.Struct):
    version: int
    table: str
    seats: TextBySeat
    rules: str
    draws: tuple[_DrawJson, ...]


class _ReceiptJson(msgspec.Struct):
    version: Literal[1, 2]
    table: str
    draw: Annotated[int, msgspec.Meta(ge=1, lt=2**32)]
    seat: Seat | None
    commitments: TextBySeat
    binding: str
    contribution: str
    terms: str = ""
    secret_hash: str = ""
    left_out: tuple[Seat, ...] = ()
    previous: str = ""
    key: str = ""
    signature: str = ""


class WallReport(msgspec.Struct, frozen=True):
    """The result of a check. `pages` are the seats whose pages contributed to the seed."""

    pages: tuple[int, ...] | None
    """The seats whose pages took part; None for a record without a proof."""
    draws: int = 0
    problems: tuple[str, ...] = ()
    is_proved: bool = False
    """Proof, seed and receipt fit; only problems of tiles are left."""
    hands: int = 0
    is_over: bool = False
    """The record contains the end of the game."""
    keys: tuple[str, ...] = ()
    """The public keys of its signatures, in hexadecimal."""


def check_record(raw: bytes, receipt: Receipt | None = None) -> WallReport:
    """Check a record in any format, and optionally a receipt of one of its players.

    Raises `RecordError` if the bytes are not a readable record.
    """
    try:
        mark, follow = _open_record(extract_record(unpack_text(raw)))
    except RecursionError:
        raise RecordError("the JSON is nested too deeply") from None
    if mark is None or mark.json.get(PROOF_KEY) is None:
        return WallReport(None)
    proof = read_proof(mark.json[PROOF_KEY])
    found = proof_problems(proof, mark.seed, mark.json["rules"])
    if not found and not proof.pages:
        found.append("no page took part in the last draw")
    found += _signature_problems(proof)
    if receipt is not None:
        found += problems_of_receipt(proof, receipt)
        if receipt.is_signed and not is_signed(receipt.binding, receipt.key, receipt.signature):
            found.append("the signature of the receipt is not valid")
    is_proved = not found
    followed = follow(mark)
    found += followed.problems
    return WallReport(
        pages=proof.pages,
        draws=len(proof.draws),
        problems=tuple(found),
        is_proved=is_proved,
        hands=followed.hands,
        is_over=followed.is_over,
        keys=tuple(dict.fromkeys(draw.key.hex() for draw in proof.draws if draw.key)),
    )


def _open_record(text: str) -> tuple[OwnMark | None, Callable[[OwnMark], FollowResult]]:
    """Return the mark of the record (None without one), and a function that follows the record's
    tiles under a mark."""
    if tenhou6.is_tenhou6(text) or not mjai.is_mjai(text):
        game = read_text(text)
        last = game.hands[-1]
        if game.mark is None and isinstance(last, BadHand) and last.is_cut_off:
            raise RecordError(f"the file stops inside a hand, before its proof: {last.fault}")
        return game.mark, partial(follow_hands, game)
    events = _read_events(text)
    return _find_mark(events, text), partial(follow_mjai, events)


def _read_events(text: str) -> list[Any]:
    """Return the events of an mjai record exactly as written. The reader of games accepts other
    spellings too, but the check programs for players do not."""
    try:
        if text.lstrip().startswith("["):
            return list(read_javascript_json(text))
        return [read_javascript_json(row) for row in text.split("\n") if row.strip(" \t\r")]
    except ValueError as error:
        raise RecordError(f"the JSON is damaged: {error}") from None


def _find_mark(events: list[Any], text: str) -> OwnMark | None:
    marks: list[Any] = []
    for event in events:
        kind = event.get("type") if isinstance(event, dict) else None
        if kind == "start_kyoku":
            if marks and isinstance(marks[0], dict) and marks[0].get(PROOF_KEY) is None:
                refuse_ambiguous(text)
                return None
            return read_own_mark(marks[0], text) if marks else None
        if not isinstance(kind, str) or kind not in mjai.START_TYPES:
            raise RecordError(f"{str(event)[:80]} before the first hand")
        marks += [event[MARK_KEY]] if MARK_KEY in event else []
    raise RecordError("the record contains no hand: no start_kyoku")


def _signature_problems(proof: WallProof) -> list[str]:
    if proof.version == UNSIGNED_VERSION:
        return []
    return [
        f"draw {number}: the signature of the server is not valid"
        for number, draw in enumerate(proof.draws, start=1)
        if not is_signed(draw.binding, draw.key, draw.signature)
    ]


def is_signed(binding: bytes, key: bytes, signature: bytes) -> bool:
    """Return whether `signature` is a valid Ed25519 signature of the binding under this public
    key."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed_text(binding))
    except (InvalidSignature, ValueError):
        return False
    return True


def read_proof(data: Any) -> WallProof:
    """Return the proof in this decoded JSON. Raises `RecordError` if it is damaged."""
    try:
        proof = msgspec.convert(data, _ProofJson)
        draws = [
            ProvedDraw(
                _decode_by_seat(draw.commitments),
                _decode_hex(draw.secret),
                _decode_hex(draw.binding),
                _decode_by_seat(draw.contributions),
                _decode_hex(draw.key),
                _decode_hex(draw.signature),
            )
            for draw in proof.draws
        ]
    except ValueError as error:
        raise RecordError(f"the proof is damaged: {error}") from None
    return WallProof(proof.table, proof.seats, proof.rules, tuple(draws), proof.version)


def read_receipt(raw: bytes) -> Receipt:
    """Return the receipt in this file. Raises ``ValueError`` if the file is not a valid receipt."""
    try:
        found = msgspec.json.decode(raw, type=_ReceiptJson)
        if bool(found.signature) != (found.version != UNSIGNED_VERSION):
            raise ValueError("its version and its signature do not go together")
        seats = SEATS_OF.get(len(found.commitments), ())
        if not seats or found.seat not in (None, *seats):
            raise ValueError("no table has its seats")
        return Receipt(
            table_id=found.table,
            draw=found.draw,
            seat=found.seat,
            binding=_decode_hex(found.binding),
            commitments=_decode_by_seat(found.commitments),
            contribution=_decode_hex(found.contribution),
            terms=_decode_hex(found.terms),
            secret_hash=_decode_hex(found.secret_hash),
            left_out=found.left_out,
            previous=_decode_hex(found.previous),
            key=_decode_hex(found.key),
            signature=_decode_hex(found.signature),
        )
    except ValueError as error:
        raise ValueError(f"this is not a receipt, or it is damaged: {error}") from None


def _decode_hex(text: str) -> bytes:
    if not _HEX.fullmatch(text):
        raise ValueError(f"{text!r} is not hexadecimal in lower case")
    return bytes.fromhex(text)


def _decode_by_seat(texts: TextBySeat) -> BySeat[bytes]:
    return tuple(map(_decode_hex, texts))
