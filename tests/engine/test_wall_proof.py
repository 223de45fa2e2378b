"""A proof fits only the record that it was made for: every changed byte is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.presets import PRESETS
from game.engine.wall_proof import (
    NO_BYTES,
    UNSIGNED_VERSION,
    VERSION,
    ProvedDraw,
    Receipt,
    WallProof,
    bound_facts,
    commitment_of,
    problems_of_receipt,
    proof_problems,
    rules_text,
    seed_of,
    unsigned_binding,
    unsigned_seed,
)

RULES: Final = PRESETS["tenhou"]
RECORD_RULES: Final[dict[str, Any]] = json.loads(rules_text(RULES))
SEATS: Final = ("person:a", "person:b", "bot:sensible", "person:d")
PAGES: Final = (0, 1, 3)
both_versions: Final = pytest.mark.parametrize("version", [UNSIGNED_VERSION, VERSION])


def make_draw(
    rng: Random, reveals: tuple[int, ...] = PAGES, commits: tuple[int, ...] = PAGES
) -> Any:
    """Return a draw of the seed at table "t", which is not bound yet."""
    given = [rng.randbytes(32) if seat in commits else NO_BYTES for seat in range(4)]
    secret = rng.randbytes(32)
    commitments: Any = tuple([commitment_of(data) if data else NO_BYTES for data in given])
    contributions: Any = tuple(
        [data if seat in reveals else NO_BYTES for seat, data in enumerate(given)]
    )
    return ProvedDraw(commitments, secret, NO_BYTES, contributions)


def proof_of(*draws: ProvedDraw, version: int = VERSION) -> WallProof:
    """Return the proof of these draws, each bound as that version does it."""
    proof = WallProof("t", SEATS, rules_text(RULES), (), version)
    for draw in draws:
        if version == UNSIGNED_VERSION:
            bound = replace(draw, binding=unsigned_binding("t", SEATS, proof.rules, draw.secret))
        else:
            facts = bound_facts(replace(proof, draws=(*proof.draws, draw)))
            bound = replace(draw, binding=facts[-1].binding, key=bytes(32), signature=bytes(64))
        proof = replace(proof, draws=(*proof.draws, bound))
    return proof


def with_draw(proof: WallProof, draw: ProvedDraw) -> WallProof:
    """Return the proof with its last draw changed to that, without binding it anew."""
    return replace(proof, draws=(*proof.draws[:-1], draw))


def seed_from(proof: WallProof) -> bytes:
    last = proof.draws[-1]
    if proof.version == UNSIGNED_VERSION:
        return unsigned_seed(proof.table_id, last.secret, last.contributions)
    return seed_of(proof.table_id, last.binding, last.secret, last.contributions)


@both_versions
def test_honest_proof_has_no_problem(version: int) -> None:
    rng = Random(1)
    proof = proof_of(make_draw(rng), version=version)
    assert proof_problems(proof, seed_from(proof), RECORD_RULES) == []
    assert proof.pages == PAGES
    two = (make_draw(rng, reveals=(0, 3)), make_draw(rng, (0, 3), (0, 3)))
    voided = proof_of(*two, version=version)
    assert proof_problems(voided, seed_from(voided), RECORD_RULES) == []
    assert voided.pages == (0, 3)


def test_hashes_are_those_of_a_plain_second_computation() -> None:
    """The layout must never change: receipts and records of earlier games depend on it."""
    secret, given = bytes(range(32)), bytes(range(32, 64))

    def field(data: bytes) -> bytes:
        return bytes([0, 0, len(data) // 256, len(data) % 256]) + data

    text = rules_text(RULES).encode()
    parts = [b"table", *(seat.encode() for seat in SEATS), text]
    expected = sha256(b"riichi wall binding 1" + b"".join(map(field, parts)) + secret)
    assert unsigned_binding("table", SEATS, rules_text(RULES), secret) == expected.digest()
    expected = sha256(
        b"riichi wall seed 1" + field(b"table") + secret + b"\x01" + given + b"\x00\x00\x00"
    )
    assert (
        unsigned_seed("table", secret, (given, NO_BYTES, NO_BYTES, NO_BYTES)) == expected.digest()
    )
    draws = (make_draw(Random(8), reveals=(0, 3)), make_draw(Random(9), (0, 3), (0, 3)))
    proof = proof_of(*draws)
    first, last = proof.draws

    def four(row: BySeat[bytes]) -> bytes:
        return b"".join(b"\x01" + value if value else b"\x00" for value in row)

    terms = sha256(b"riichi wall terms 2" + b"".join(map(field, parts[1:]))).digest()
    begin = b"riichi wall binding 2" + field(b"t") + terms
    hashes = [sha256(draw.secret).digest() for draw in draws]
    expected = sha256(begin + b"\0\0\0\1" + four(first.commitments) + hashes[0] + b"\0")
    assert first.binding == expected.digest()
    expected = sha256(
        begin + b"\0\0\0\2" + four(last.commitments) + hashes[1] + b"\2" + first.binding
    )
    assert last.binding == expected.digest(), "seat 1, bit 1, was left out"
    end = last.binding + last.secret + four(last.contributions)
    assert seed_from(proof) == sha256(b"riichi wall seed 2" + field(b"t") + end).digest()


def changes_of_each_byte(data: bytes) -> Iterator[bytes]:
    for place in range(len(data)):
        yield data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@both_versions
def test_every_changed_byte_is_found(version: int) -> None:
    proof = proof_of(make_draw(Random(2)), version=version)
    seed, draw = seed_from(proof), proof.draws[0]
    tried = 0
    for name in ("secret", "binding"):
        for other in changes_of_each_byte(getattr(draw, name)):
            assert proof_problems(
                with_draw(proof, replace(draw, **{name: other})), seed, RECORD_RULES
            )
            tried += 1
    for name in ("commitments", "contributions"):
        four: BySeat[bytes] = getattr(draw, name)
        for seat in PAGES:
            for other in changes_of_each_byte(four[seat]):
                row = (*four[:seat], other, *four[seat + 1 :])
                assert proof_problems(
                    with_draw(proof, replace(draw, **{name: row})), seed, RECORD_RULES
                )
                tried += 1
    for other in changes_of_each_byte(seed):
        assert proof_problems(proof, other, RECORD_RULES)
        tried += 1
    for text in changes_of_each_byte(proof.rules.encode()):
        assert proof_problems(replace(proof, rules=text.decode()), seed, RECORD_RULES)
        tried += 1
    assert tried == 32 * (2 + 6 + 1) + len(proof.rules)


def test_order_of_seats_and_changed_rules_are_found() -> None:
    proof = proof_of(make_draw(Random(3)))
    seed = seed_from(proof)
    swapped = replace(proof, seats=("person:b", "person:a", *SEATS[2:]))
    assert proof_problems(swapped, seed, RECORD_RULES)
    assert proof_problems(replace(proof, table_id="u"), seed, RECORD_RULES)
    for name, value in RECORD_RULES.items():
        found = proof_problems(proof, seed, RECORD_RULES | {name: [value]})
        assert found == [f"the rules of the record differ from those of the proof: {name}"]
    later = RECORD_RULES | {"a_switch_of_a_later_version": True}
    assert proof_problems(proof, seed, later) == [], "games stay provable when switches are added"


def test_void_draw_is_neither_removed_nor_blamed_on_another_seat() -> None:
    """Version 1 has no chain: nothing shows that a record of it has lost a draw."""
    rng = Random(6)
    void, last = make_draw(rng, reveals=(0, 3)), make_draw(rng, (0, 3), (0, 3))
    other = replace(void, contributions=(NO_BYTES, NO_BYTES, NO_BYTES, void.contributions[3]))
    for version, is_found in ((UNSIGNED_VERSION, False), (VERSION, True)):
        proof = proof_of(void, last, version=version)
        seed = seed_from(proof)
        assert proof_problems(proof, seed, RECORD_RULES) == []
        removed = replace(proof, draws=proof.draws[1:])
        assert bool(proof_problems(removed, seed, RECORD_RULES)) is is_found
        bound_anew = proof_of(last, version=version)
        assert (seed_from(bound_anew) != seed) is is_found, "every wall would be another"
    proof = proof_of(void, last)
    blamed = proof_of(other, make_draw(rng, (3,), (3,)))
    changed = replace(proof, draws=(replace(blamed.draws[0]), proof.draws[1]))
    assert any(
        "draws before" in text for text in proof_problems(changed, seed_from(proof), RECORD_RULES)
    )


def _draws_again(rng: Random) -> WallProof:
    return proof_of(make_draw(rng), make_draw(rng))


def _drops_bytes(rng: Random) -> WallProof:
    proof = proof_of(make_draw(rng))
    (draw,) = proof.draws
    return with_draw(proof, replace(draw, contributions=(NO_BYTES, *draw.contributions[1:])))


def _drops_page(rng: Random) -> WallProof:
    draw = make_draw(rng)
    return proof_of(
        replace(
            draw,
            commitments=(NO_BYTES, *draw.commitments[1:]),
            contributions=(draw.contributions[0], *draw.contributions[1:]),
        )
    )


def _chooses_last(rng: Random) -> WallProof:
    draw = make_draw(rng)
    chosen = rng.randbytes(32)
    return proof_of(replace(draw, contributions=(*draw.contributions[:3], chosen)))


def _other_secret(rng: Random) -> WallProof:
    proof = proof_of(make_draw(rng))
    return with_draw(proof, replace(proof.draws[0], secret=rng.randbytes(32)))


def _shortens_secret(rng: Random) -> WallProof:
    return proof_of(replace(make_draw(rng), secret=rng.randbytes(31)))


def _shortens_bytes(rng: Random) -> WallProof:
    draw = make_draw(rng)
    given = rng.randbytes(1)
    return proof_of(
        replace(
            draw,
            commitments=(commitment_of(given), *draw.commitments[1:]),
            contributions=(given, *draw.contributions[1:]),
        )
    )


def _copies_commitment(rng: Random) -> WallProof:
    draw = make_draw(rng)
    (one, _, *commitments), (own, _, *given) = draw.commitments, draw.contributions
    copied = replace(draw, commitments=(one, one, *commitments), contributions=(own, own, *given))
    return proof_of(copied)


def _brings_page_back(rng: Random) -> WallProof:
    return proof_of(make_draw(rng, reveals=(0, 3)), make_draw(rng))


def _unsigned(proof: WallProof) -> WallProof:
    return with_draw(proof, replace(proof.draws[0], key=NO_BYTES, signature=NO_BYTES))


@pytest.mark.parametrize(
    ("cheat", "said"),
    [
        (_draws_again, "another draw followed"),
        (_drops_bytes, "lacks the bytes of a page that committed"),
        (_drops_page, "bytes without a commitment"),
        (_chooses_last, "do not fit its commitment"),
        (_other_secret, "does not fit its secret"),
        (_shortens_secret, "not 32 bytes long"),
        (_shortens_bytes, "not 32 bytes long"),
        (_brings_page_back, "was left out before"),
        (_copies_commitment, "two seats have the same commitment"),
        (lambda rng: proof_of(), "has no draw"),
        (lambda rng: replace(proof_of(make_draw(rng)), version=3), "version 3"),
        (lambda rng: _unsigned(proof_of(make_draw(rng))), "a signature is missing"),
    ],
)
def test_staged_cheat_is_found(cheat: Callable[[Random], WallProof], said: str) -> None:
    proof = cheat(Random(4))
    seed = seed_from(proof) if proof.draws else b""
    assert any(said in text for text in proof_problems(proof, seed, RECORD_RULES))


def test_receipt_fits_only_its_own_record() -> None:
    rng = Random(5)
    proof, other = proof_of(make_draw(rng)), proof_of(make_draw(rng))
    last = proof.draws[-1]
    receipt = receipt_of(proof, 1)
    assert problems_of_receipt(proof, receipt) == []
    assert len(problems_of_receipt(other, receipt)) == 3
    assert problems_of_receipt(proof, replace(receipt, seat=None, contribution=NO_BYTES)) == []
    assert len(problems_of_receipt(other, replace(receipt, seat=None, contribution=NO_BYTES))) == 2
    assert problems_of_receipt(proof, replace(receipt, draw=2)) == [
        "the server's hash in the receipt does not cover what the receipt says"
    ]
    assert problems_of_receipt(proof, replace(receipt, table_id="u"))
    unsigned = Receipt("t", 1, 1, last.binding, last.commitments, last.contributions[1])
    assert problems_of_receipt(proof, unsigned) == [
        "the public key differs from that of the receipt"
    ]
    changed = replace(receipt, commitments=other.draws[0].commitments, contribution=NO_BYTES)
    assert problems_of_receipt(proof, changed) == [
        "the server's hash in the receipt does not cover what the receipt says"
    ]


def test_receipt_of_another_number_of_players_does_not_fit() -> None:
    proof = proof_of(make_draw(Random(5)))
    last = proof.draws[-1]
    receipt = Receipt("t", 1, 3, last.binding, last.commitments, last.contributions[3])
    of_three = with_draw(
        proof,
        replace(last, commitments=last.commitments[:3], contributions=last.contributions[:3]),
    )
    assert problems_of_receipt(of_three, receipt) == [
        "the receipt is of a table with another number of players"
    ]


def test_receipt_of_a_page_that_is_named_silent_has_its_bytes() -> None:
    rng = Random(7)
    honest = make_draw(rng)
    named = replace(honest, contributions=(NO_BYTES, *honest.contributions[1:]))
    proof = proof_of(named, make_draw(rng, (1, 3), (1, 3)))
    receipt = replace(receipt_of(proof, 0), contribution=honest.contributions[0])
    assert problems_of_receipt(proof, receipt) == [
        "the record says that seat 0 was silent; the receipt has its bytes"
    ]


def receipt_of(proof: WallProof, seat: int) -> Receipt:
    """Return the receipt of that seat's page for the first draw."""
    draw, facts = proof.draws[0], bound_facts(proof)[0]
    return Receipt(
        table_id=proof.table_id,
        draw=1,
        seat=seat,
        binding=draw.binding,
        commitments=draw.commitments,
        contribution=draw.contributions[seat],
        terms=facts.terms,
        secret_hash=facts.secret_hash,
        left_out=facts.left_out,
        previous=facts.previous,
        key=draw.key,
        signature=draw.signature,
    )


def test_rules_text_is_the_same_in_other_languages() -> None:
    """The text has sorted keys, ASCII and whole numbers only, as JavaScript's JSON writes it."""
    text = rules_text(RULES)
    assert text.isascii()
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
    assert not any(isinstance(value, float) for value in RECORD_RULES.values())
