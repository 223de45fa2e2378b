"""The proof that nobody chose the walls of a game: hashes, the seed, and the check of a record.

Owns the byte layout of everything that is hashed. Pure: must not know sockets, tables or files.

**The scheme, version 1.** All numbers are big-endian; ``field(x)`` is the length of ``x`` in four
bytes and then ``x``; texts are UTF-8.

1. Each page draws 32 random bytes (its contribution) and sends their SHA-256 (its commitment).
2. The server draws a secret of 32 bytes and publishes the commitments and the binding:
   SHA-256(``b"riichi wall binding 1"`` + field(table id) + field(seat 0) + ... + field(seat 3) +
   field(rules) + secret).
3. The pages reveal their contributions.
4. The seed is SHA-256(``b"riichi wall seed 1"`` + field(table id) + secret + for each seat from
   0 to 3: byte 1 and the contribution, or byte 0 if that seat made none).

`game.engine.wall` derives the walls from the seed. A draw in which a committed page does not reveal
is void: the next draw has new commitments and a new secret, without that page. The record contains
every draw.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from game.engine.by_seat import bytes_by_seat
from game.engine.events import (
    Event,
    GameRestored,
    WallBound,
    WallDrawOpened,
    WallRevealed,
    WallSeeded,
)
from game.engine.rules import RuleSet

VERSION: Final = 1
SECRET_BYTES: Final = 32
NONE: Final = b""
"""Stands for a commitment or contribution that a seat did not make."""

_BINDING: Final = b"riichi wall binding 1"
_SEED: Final = b"riichi wall seed 1"

FourBytes = tuple[bytes, bytes, bytes, bytes]


class ProvedDraw(msgspec.Struct, frozen=True):
    """One draw: what the pages and the server fixed, and what was revealed."""

    commitments: FourBytes
    """By seat, 32 bytes or `NONE`."""
    secret: bytes
    binding: bytes
    contributions: FourBytes
    """By seat, 32 bytes, or `NONE` if the page did not reveal or did not take part."""

    @property
    def is_complete(self) -> bool:
        """Whether each page that committed has revealed."""
        pairs = zip(self.commitments, self.contributions, strict=True)
        return all(bool(commitment) == bool(given) for commitment, given in pairs)


class WallProof(msgspec.Struct, frozen=True):
    """What binds the walls of a game. The last draw is the one that counts."""

    table_id: str
    seats: tuple[str, str, str, str]
    """By seat, who sits there at the draw: ``person:<id>`` or ``bot:<name>``."""
    rules: str
    """The rule set as `rules_text` wrote it when the draw began."""
    draws: tuple[ProvedDraw, ...]
    version: int = VERSION

    @property
    def pages(self) -> tuple[int, ...]:
        """The seats whose pages took part in the seed."""
        if not self.draws:
            return ()
        last = self.draws[-1].contributions
        return tuple([seat for seat, given in enumerate(last) if given])


def proof_of(events: Iterable[Event]) -> WallProof | None:
    """Return the proof that these events of a game make; None if no page's bytes are in its seed,
    or the game continued with another seed after it was restored."""
    terms: WallDrawOpened | None = None
    draws: list[ProvedDraw] = []
    is_proven = False
    for event in events:
        match event:
            case WallDrawOpened(table_id=table_id) if table_id:
                terms = event
            case WallBound():
                four = (NONE, NONE, NONE, NONE)
                draws.append(ProvedDraw(event.commitments, event.secret, event.binding, four))
            case WallRevealed(actor=actor, contribution=given):
                row = draws[-1].contributions
                row = bytes_by_seat([*row[:actor], given, *row[actor + 1 :]])
                draws[-1] = replace(draws[-1], contributions=row)
            case WallSeeded(pages=pages):
                is_proven = bool(pages)
            case GameRestored():
                return None
            case _:
                pass
    if terms is None or not is_proven:
        return None
    return WallProof(terms.table_id, terms.players, terms.rules, tuple(draws))


def rules_text(rules: RuleSet) -> str:
    """Return the rule set as JSON in ASCII, with sorted keys and without spaces."""
    return json.dumps(msgspec.to_builtins(rules), sort_keys=True, separators=(",", ":"))


def commitment_of(contribution: bytes) -> bytes:
    """Return the commitment to these 32 bytes."""
    return sha256(contribution).digest()


def binding_of(table_id: str, seats: Sequence[str], rules: str, secret: bytes) -> bytes:
    """Return the hash that binds the server to its secret before it knows any contribution."""
    fields = (table_id, *seats, rules)
    return sha256(_BINDING + b"".join(map(_field, fields)) + secret).digest()


def seed_of(table_id: str, secret: bytes, contributions: Sequence[bytes]) -> bytes:
    """Return the seed of all walls: 32 bytes. `contributions` are by seat, with `NONE` for none."""
    given = b"".join(
        b"\x01" + contribution if contribution else b"\x00" for contribution in contributions
    )
    return sha256(_SEED + _field(table_id) + secret + given).digest()


def _field(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(4, "big") + data


def problems(proof: WallProof, seed: bytes, rules: Mapping[str, Any]) -> list[str]:
    """Return everything that does not fit between a proof and the record around it.

    `seed` and `rules` are those of the record: the rules as the record's own JSON. The caller
    checks that the record's walls follow from the seed.
    """
    if proof.version != VERSION:
        return [f"version {proof.version} of the proof is not known"]
    if not proof.draws:
        return ["the proof has no draw"]
    found = _problems_of_rules(proof.rules, rules)
    left_out: set[int] = set()
    for number, draw in enumerate(proof.draws, start=1):
        found += [f"draw {number}: {text}" for text in _problems_of_draw(proof, draw)]
        if number < len(proof.draws) and draw.is_complete:
            found.append(f"draw {number}: every page revealed, and yet another draw followed")
        back = [seat for seat in left_out if draw.commitments[seat]]
        found += [f"draw {number}: seat {seat} was left out before, and is back" for seat in back]
        left_out |= {
            seat
            for seat, commitment in enumerate(draw.commitments)
            if commitment and not draw.contributions[seat]
        }
    last = proof.draws[-1]
    if not last.is_complete:
        found.append("the last draw lacks the bytes of a page that committed")
    elif seed != seed_of(proof.table_id, last.secret, last.contributions):
        found.append("the seed of the record is not the one that the proof gives")
    return found


def _problems_of_draw(proof: WallProof, draw: ProvedDraw) -> list[str]:
    found = []
    sizes = {len(value) for value in (draw.secret, draw.binding)}
    sizes |= {len(value) for value in (*draw.commitments, *draw.contributions) if value}
    if sizes != {SECRET_BYTES}:
        found.append(f"a value is not {SECRET_BYTES} bytes long")
    if draw.binding != binding_of(proof.table_id, proof.seats, proof.rules, draw.secret):
        found.append("the server's hash does not fit its secret, the table, the seats or the rules")
    made = [commitment for commitment in draw.commitments if commitment]
    if len(set(made)) < len(made):
        found.append("two seats have the same commitment")
    for seat, (commitment, given) in enumerate(
        zip(draw.commitments, draw.contributions, strict=True)
    ):
        if given and not commitment:
            found.append(f"seat {seat} has bytes without a commitment")
        elif given and commitment != commitment_of(given):
            found.append(f"the bytes of seat {seat} do not fit its commitment")
    return found


def _problems_of_rules(text: str, rules: Mapping[str, Any]) -> list[str]:
    """Return what differs between the rules of the proof and those of the record. Switches that
    were added to the program after the game may be in the record alone."""
    try:
        bound = json.loads(text)
    except ValueError:
        bound = None
    if not isinstance(bound, dict):
        return ["the rules of the proof cannot be read"]
    differ = sorted(
        name
        for name, value in bound.items()
        if name not in rules or json.dumps(rules[name]) != json.dumps(value)  # true is not 1
    )
    return [f"the rules of the record differ from those of the proof: {name}" for name in differ]


class Receipt(msgspec.Struct, frozen=True):
    """The data that a page can save before the first tile: what it was shown, and what it
    contributed."""

    table_id: str
    draw: int
    """The number of the draw, from 1."""
    seat: int | None
    """None for a spectator."""
    binding: bytes
    commitments: FourBytes
    contribution: bytes
    """`NONE` if the receipt was saved before the page revealed it."""


def problems_of_receipt(proof: WallProof, receipt: Receipt) -> list[str]:
    """Return what does not fit between a record's proof and the receipt of one of its players."""
    if receipt.table_id != proof.table_id:
        return [f"the receipt is of table {receipt.table_id}, the record of {proof.table_id}"]
    if not 1 <= receipt.draw <= len(proof.draws):
        return [f"the receipt is of draw {receipt.draw}, the record has {len(proof.draws)}"]
    drawn = proof.draws[receipt.draw - 1]
    found = []
    if receipt.binding != drawn.binding:
        found.append("the server's hash differs from that of the receipt")
    if receipt.commitments != drawn.commitments:
        found.append("the commitments differ from those of the receipt")
    if receipt.seat is None or not receipt.contribution:
        return found
    if receipt.contribution != drawn.contributions[receipt.seat]:
        found.append(f"the record does not have the bytes that seat {receipt.seat} gave")
    return found
