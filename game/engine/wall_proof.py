"""The proof that nobody chose the walls of a game: hashes, the seed, and the check of a record.

Owns the byte layout of everything that is hashed. Pure: must not know sockets, tables or files.

**The scheme, version 2.** All numbers are big-endian; ``field(x)`` is the length of ``x`` in four
bytes and then ``x``; texts are UTF-8; ``seats(x)`` is for each seat byte 1 and the 32 bytes
of that seat, or byte 0 if it has none.

1. Each page draws 32 random bytes (its contribution) and sends their SHA-256 (its commitment).
2. The server draws a secret of 32 bytes. It publishes the commitments, the SHA-256 of the secret,
   the terms, SHA-256(``b"riichi wall terms 2"`` + field(seat 0) + ... + field(last seat) +
   field(rules)), and the binding: SHA-256(``b"riichi wall binding 2"`` + field(table id) + terms +
   the number of the draw in four bytes + seats(commitments) + SHA-256 of the secret + one byte in
   which bit s says that seat s was left out + the binding of the draw before, or nothing in the
   first draw).
3. It signs ``b"riichi wall signature 2"`` + binding (Ed25519), and names its public key.
4. The pages reveal their contributions.
5. The seed is SHA-256(``b"riichi wall seed 2"`` + field(table id) + binding + secret +
   seats(contributions)).

`game.engine.wall` derives the walls from the seed. A draw in which a committed page does not reveal
is void: the next draw has new commitments and a new secret, and that page is left out from then on.
The record contains every draw; since each binding covers the one before, and the seed the last one,
a draw that is removed or changed afterwards changes every wall.

**Version 1**, of older records, has no chain and no signatures. Its binding is
SHA-256(``b"riichi wall binding 1"`` + field(table id) + field(seat 0) + ... + field(last seat) +
field(rules) + secret), its seed SHA-256(``b"riichi wall seed 1"`` + field(table id) + secret +
seats(contributions)). A void draw can be missing from such a record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.events import (
    Event,
    GameRestored,
    WallBound,
    WallDrawOpened,
    WallRevealed,
    WallSeeded,
)
from game.engine.rules import RuleSet, unused_switches

VERSION: Final = 2
"""The version of new proofs."""
UNSIGNED_VERSION: Final = 1
"""The first version: bindings are neither chained nor signed."""
SECRET_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
NO_BYTES: Final = b""
"""Stands for a commitment or contribution that a seat did not make."""

_USUAL_PLAYERS: Final = 4

_TERMS: Final = b"riichi wall terms 2"
_BINDING: Final = b"riichi wall binding 2"
_SIGNATURE: Final = b"riichi wall signature 2"
_SEED: Final = b"riichi wall seed 2"
_BINDING_1: Final = b"riichi wall binding 1"
_SEED_1: Final = b"riichi wall seed 1"


class ProvedDraw(msgspec.Struct, frozen=True):
    """One draw: the commitments and the binding, and the values that were revealed."""

    commitments: BySeat[bytes]
    """By seat, 32 bytes or `NO_BYTES`."""
    secret: bytes
    binding: bytes
    contributions: BySeat[bytes]
    """By seat, 32 bytes, or `NO_BYTES` if the page did not reveal or did not take part."""
    key: bytes = NO_BYTES
    """The public key of the signature; `NO_BYTES` in version 1, like the signature."""
    signature: bytes = NO_BYTES

    @property
    def is_complete(self) -> bool:
        """Whether every page that committed has revealed."""
        pairs = zip(self.commitments, self.contributions, strict=True)
        return all(bool(commitment) == bool(given) for commitment, given in pairs)

    @property
    def silent(self) -> tuple[int, ...]:
        """The seats whose pages committed and did not reveal."""
        pairs = zip(self.commitments, self.contributions, strict=True)
        return tuple(
            [seat for seat, (commitment, given) in enumerate(pairs) if commitment and not given]
        )


class BoundFacts(msgspec.Struct, frozen=True):
    """The facts that a binding of version 2 covers."""

    table_id: str
    terms: bytes
    """The hash of who sits where and of the rules (`terms_of`)."""
    draw: int
    """From 1."""
    commitments: BySeat[bytes]
    secret_hash: bytes
    left_out: tuple[int, ...]
    """The seats whose pages did not reveal in an earlier draw."""
    previous: bytes
    """The binding of the draw before; empty in the first draw."""

    @property
    def binding(self) -> bytes:
        """The hash that binds the server before it knows any contribution."""
        return sha256(
            _BINDING
            + _field(self.table_id)
            + self.terms
            + self.draw.to_bytes(4)
            + _encode_by_seat(self.commitments)
            + self.secret_hash
            + bytes([sum(1 << seat for seat in self.left_out)])
            + self.previous
        ).digest()


class WallProof(msgspec.Struct, frozen=True):
    """The published values from which anybody can check the walls of a game. The last draw
    counts."""

    table_id: str
    seats: BySeat[str]
    """By seat, who sits there at the draw: ``person:<id>`` or ``bot:<name>``."""
    rules: str
    """The rule set as `rules_text` wrote it when the draw began."""
    draws: tuple[ProvedDraw, ...]
    version: int = VERSION

    @property
    def pages(self) -> tuple[int, ...]:
        """The seats whose pages contributed to the seed."""
        if not self.draws:
            return ()
        last = self.draws[-1].contributions
        return tuple([seat for seat, given in enumerate(last) if given])


def proof_of(events: Iterable[Event]) -> WallProof | None:
    """Return the proof contained in these events of a game. None if no page contributed to its
    seed, the game continued with another seed after a restore, or servers of an older release
    shared the draw."""
    terms: WallDrawOpened | None = None
    draws: list[ProvedDraw] = []
    seed, is_proven = b"", False
    for event in events:
        match event:
            case WallDrawOpened(table_id=table_id) if table_id:
                terms = event
            case WallBound(commitments=commitments, binding=binding, secret=secret):
                none = (NO_BYTES,) * len(commitments)
                drawn = ProvedDraw(commitments, secret, binding, none, event.key, event.signature)
                draws.append(drawn)
            case WallRevealed(actor=actor, contribution=given):
                row = draws[-1].contributions
                row = (*row[:actor], given, *row[actor + 1 :])
                draws[-1] = replace(draws[-1], contributions=row)
            case WallSeeded(seed=seed, pages=pages):
                is_proven = bool(pages)
            case GameRestored():
                return None
            case _:
                pass
    if terms is None or not is_proven:
        return None
    proof = WallProof(terms.table_id, terms.players, terms.rules, tuple(draws), terms.version)
    if proof.version != UNSIGNED_VERSION and _draws_problems(proof, seed):
        return None  # servers of two releases shared this draw, during an update
    return proof


def rules_text(rules: RuleSet) -> str:
    """Return the rule set as JSON in ASCII, with sorted keys and without spaces. For four players
    the text omits `players` and the switches of three."""
    switches = msgspec.to_builtins(rules)
    if rules.players == _USUAL_PLAYERS:
        for name in ("players", *unused_switches(rules.players)):
            del switches[name]
    return json.dumps(switches, sort_keys=True, separators=(",", ":"))


def commitment_of(contribution: bytes) -> bytes:
    """Return the SHA-256 of a contribution of 32 bytes."""
    return sha256(contribution).digest()


def terms_of(seats: Sequence[str], rules: str) -> bytes:
    """Return the hash of the players by seat and of the rules."""
    return sha256(_TERMS + b"".join(map(_field, (*seats, rules)))).digest()


def signed_text(binding: bytes) -> bytes:
    """Return the bytes that the server signs for a binding."""
    return _SIGNATURE + binding


def seed_of(table_id: str, binding: bytes, secret: bytes, contributions: Sequence[bytes]) -> bytes:
    """Return the seed of all walls: 32 bytes. `contributions` are by seat; a seat without a page
    has `NO_BYTES`."""
    text = _SEED + _field(table_id) + binding + secret + _encode_by_seat(contributions)
    return sha256(text).digest()


def unsigned_binding(table_id: str, seats: Sequence[str], rules: str, secret: bytes) -> bytes:
    """Return the binding of version 1."""
    fields = (table_id, *seats, rules)
    return sha256(_BINDING_1 + b"".join(map(_field, fields)) + secret).digest()


def unsigned_seed(table_id: str, secret: bytes, contributions: Sequence[bytes]) -> bytes:
    """Return the seed of version 1."""
    return sha256(_SEED_1 + _field(table_id) + secret + _encode_by_seat(contributions)).digest()


def _encode_by_seat(row: Sequence[bytes]) -> bytes:
    return b"".join(b"\x01" + value if value else b"\x00" for value in row)


def _field(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(4, "big") + data


def proof_problems(proof: WallProof, seed: bytes, rules: Mapping[str, Any]) -> list[str]:
    """Describe each contradiction between a proof and the record that contains it.

    `seed` and `rules` are those of the record: the rules as the record's own JSON. The caller
    checks that the record's walls follow from the seed.
    """
    if proof.version not in (UNSIGNED_VERSION, VERSION):
        return [f"version {proof.version} of the proof is not known"]
    if not proof.draws:
        return ["the proof has no draw"]
    rows = (
        proof.seats,
        *(row for draw in proof.draws for row in (draw.commitments, draw.contributions)),
    )
    if {len(row) for row in rows} != {rules.get("players", _USUAL_PLAYERS)}:
        return ["the proof is of a table with another number of players"]
    return _problems_of_rules(proof.rules, rules) + _draws_problems(proof, seed)


def _draws_problems(proof: WallProof, seed: bytes) -> list[str]:
    found: list[str] = []
    left_out: set[int] = set()
    facts = bound_facts(proof)
    for number, draw in enumerate(proof.draws, start=1):
        found += [f"draw {number}: {text}" for text in _problems_of_draw(proof, draw)]
        if proof.version == UNSIGNED_VERSION:
            expected = unsigned_binding(proof.table_id, proof.seats, proof.rules, draw.secret)
        else:
            expected = facts[number - 1].binding
        if draw.binding != expected:
            found.append(
                f"draw {number}: the server's hash does not fit {_COVERED_FACTS[proof.version]}"
            )
        if number < len(proof.draws) and draw.is_complete:
            found.append(f"draw {number}: every page revealed, and yet another draw followed")
        back = [seat for seat in left_out if draw.commitments[seat]]
        found += [f"draw {number}: seat {seat} was left out before, and is back" for seat in back]
        left_out |= {*draw.silent}
    last = proof.draws[-1]
    if not last.is_complete:
        found.append("the last draw lacks the bytes of a page that committed")
    elif seed != _seed_of_draw(proof, last):
        found.append("the seed of the record is not the one that the proof gives")
    return found


_COVERED_FACTS: Final = {
    UNSIGNED_VERSION: "its secret, the table, the seats or the rules",
    VERSION: "its secret, the table, the seats, the rules, the commitments or the draws before",
}


def bound_facts(proof: WallProof) -> tuple[BoundFacts, ...]:
    """Return the facts that each draw's binding must cover, in a proof of version 2."""
    terms = terms_of(proof.seats, proof.rules)
    facts: list[BoundFacts] = []
    left_out: tuple[int, ...] = ()
    previous = b""
    for number, draw in enumerate(proof.draws, start=1):
        secret_hash = sha256(draw.secret).digest()
        facts.append(
            BoundFacts(
                *(proof.table_id, terms, number, draw.commitments, secret_hash, left_out, previous)
            )
        )
        left_out = tuple(sorted({*left_out, *draw.silent}))
        previous = draw.binding
    return tuple(facts)


def _seed_of_draw(proof: WallProof, draw: ProvedDraw) -> bytes:
    if proof.version == UNSIGNED_VERSION:
        return unsigned_seed(proof.table_id, draw.secret, draw.contributions)
    return seed_of(proof.table_id, draw.binding, draw.secret, draw.contributions)


def _problems_of_draw(proof: WallProof, draw: ProvedDraw) -> list[str]:
    found = []
    sizes = {len(value) for value in (draw.secret, draw.binding)}
    sizes |= {len(value) for value in (*draw.commitments, *draw.contributions) if value}
    if sizes != {SECRET_BYTES}:
        found.append(f"a value is not {SECRET_BYTES} bytes long")
    is_signed = proof.version != UNSIGNED_VERSION
    if (len(draw.key), len(draw.signature)) != (
        SECRET_BYTES * is_signed,
        SIGNATURE_BYTES * is_signed,
    ):
        found.append("a signature is missing" if is_signed else "version 1 has no signatures")
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
    """Describe the differences between the rules of the proof and those of the record. Switches
    that were added to the program after the game may be in the record alone."""
    try:
        bound = json.loads(text)
    except ValueError:
        bound = None
    if not isinstance(bound, dict):
        return ["the rules of the proof cannot be read"]
    usual = {"players": _USUAL_PLAYERS}
    bound, rules = usual | bound, usual | dict(rules)
    differ = sorted(
        name
        for name, value in bound.items()
        if name not in rules or json.dumps(rules[name]) != json.dumps(value)  # true is not 1
    )
    return [f"the rules of the record differ from those of the proof: {name}" for name in differ]


class Receipt(msgspec.Struct, frozen=True):
    """The data that a page can save before the first tile: the server's published values and the
    page's own contribution."""

    table_id: str
    draw: int
    """The number of the draw, from 1."""
    seat: int | None
    """None for a spectator."""
    binding: bytes
    commitments: BySeat[bytes]
    contribution: bytes
    """`NO_BYTES` if the receipt was saved before the page revealed it."""
    terms: bytes = NO_BYTES
    """`NO_BYTES` in a receipt of version 1, like everything that follows."""
    secret_hash: bytes = NO_BYTES
    left_out: tuple[int, ...] = ()
    previous: bytes = NO_BYTES
    key: bytes = NO_BYTES
    signature: bytes = NO_BYTES

    @property
    def is_signed(self) -> bool:
        """Whether the receipt has a signature of the server."""
        return bool(self.signature)


def own_problems_of_receipt(receipt: Receipt) -> list[str]:
    """Describe each contradiction within a receipt. The caller checks the signature of its
    binding."""
    found = []
    given = receipt.contribution
    if receipt.is_signed:
        facts = BoundFacts(
            receipt.table_id,
            receipt.terms,
            receipt.draw,
            receipt.commitments,
            receipt.secret_hash,
            receipt.left_out,
            receipt.previous,
        )
        if facts.binding != receipt.binding:
            found.append("the server's hash in the receipt does not cover what the receipt says")
    seat = receipt.seat
    if given and seat is not None and commitment_of(given) != receipt.commitments[seat]:
        found.append("the bytes of the receipt do not fit its commitment")
    return found


def problems_of_receipt(proof: WallProof, receipt: Receipt) -> list[str]:
    """Describe each contradiction between a record's proof and the receipt of one of its
    players."""
    if found := own_problems_of_receipt(receipt):
        return found
    if receipt.table_id != proof.table_id:
        return [f"the receipt is of table {receipt.table_id}, the record of {proof.table_id}"]
    if not 1 <= receipt.draw <= len(proof.draws):
        return [f"the receipt is of draw {receipt.draw}, the record has {len(proof.draws)}"]
    drawn = proof.draws[receipt.draw - 1]
    if len(receipt.commitments) != len(drawn.commitments):
        return ["the receipt is of a table with another number of players"]
    found = []
    if receipt.binding != drawn.binding:
        found.append("the server's hash differs from that of the receipt")
    if receipt.commitments != drawn.commitments:
        found.append("the commitments differ from those of the receipt")
    if receipt.key != drawn.key:
        found.append("the public key differs from that of the receipt")
    seat, given = receipt.seat, receipt.contribution
    if seat is None or not given:
        return found
    if not drawn.contributions[seat] and drawn.commitments[seat] == commitment_of(given):
        found.append(f"the record says that seat {seat} was silent; the receipt has its bytes")
    elif given != drawn.contributions[seat]:
        found.append(f"the record does not have the bytes that seat {seat} gave")
    return found
