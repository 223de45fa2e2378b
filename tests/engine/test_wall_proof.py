"""A proof fits only the record that it was made for: every changed byte is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from game.engine.presets import PRESETS
from game.engine.wall_proof import (
    NONE,
    FourBytes,
    ProvedDraw,
    Receipt,
    WallProof,
    binding_of,
    commitment_of,
    problems,
    problems_of_receipt,
    rules_text,
    seed_of,
)

RULES: Final = PRESETS["tenhou"]
RECORD_RULES: Final[dict[str, Any]] = json.loads(rules_text(RULES))
SEATS: Final = ("person:a", "person:b", "bot:sensible", "person:d")
PAGES: Final = (0, 1, 3)


def make_draw(
    rng: Random, reveals: tuple[int, ...] = PAGES, commits: tuple[int, ...] = PAGES
) -> Any:
    """Return the draw of the seed at table "t"."""
    given = [rng.randbytes(32) if seat in commits else NONE for seat in range(4)]
    secret = rng.randbytes(32)
    commitments: Any = tuple([commitment_of(data) if data else NONE for data in given])
    contributions: Any = tuple(
        [data if seat in reveals else NONE for seat, data in enumerate(given)]
    )
    binding = binding_of("t", SEATS, rules_text(RULES), secret)
    return ProvedDraw(commitments, secret, binding, contributions)


def proof_of(*draws: ProvedDraw) -> WallProof:
    return WallProof("t", SEATS, rules_text(RULES), draws)


def seed_from(proof: WallProof) -> bytes:
    last = proof.draws[-1]
    return seed_of(proof.table_id, last.secret, last.contributions)


def test_honest_proof_has_no_problem() -> None:
    rng = Random(1)
    proof = proof_of(make_draw(rng))
    assert problems(proof, seed_from(proof), RECORD_RULES) == []
    assert proof.pages == PAGES
    voided = proof_of(make_draw(rng, reveals=(0, 3)), make_draw(rng, (0, 3), (0, 3)))
    assert problems(voided, seed_from(voided), RECORD_RULES) == []
    assert voided.pages == (0, 3)


def test_hashes_are_those_of_a_plain_second_computation() -> None:
    """The layout must never change: receipts and records of earlier games depend on it."""
    from hashlib import sha256

    secret, given = bytes(range(32)), bytes(range(32, 64))

    def field(data: bytes) -> bytes:
        return bytes([0, 0, len(data) // 256, len(data) % 256]) + data

    text = rules_text(RULES).encode()
    parts = [b"table", *(seat.encode() for seat in SEATS), text]
    expected = sha256(b"riichi wall binding 1" + b"".join(map(field, parts)) + secret)
    assert binding_of("table", SEATS, rules_text(RULES), secret) == expected.digest()
    expected = sha256(
        b"riichi wall seed 1" + field(b"table") + secret + b"\x01" + given + b"\x00\x00\x00"
    )
    assert seed_of("table", secret, (given, NONE, NONE, NONE)) == expected.digest()


def changes_of_each_byte(data: bytes) -> Iterator[bytes]:
    for place in range(len(data)):
        yield data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def test_every_changed_byte_is_found() -> None:
    proof = proof_of(make_draw(Random(2)))
    seed, draw = seed_from(proof), proof.draws[0]
    tried = 0
    for name in ("secret", "binding"):
        for other in changes_of_each_byte(getattr(draw, name)):
            assert problems(proof_of(replace(draw, **{name: other})), seed, RECORD_RULES)
            tried += 1
    for name in ("commitments", "contributions"):
        four: FourBytes = getattr(draw, name)
        for seat in PAGES:
            for other in changes_of_each_byte(four[seat]):
                row = (*four[:seat], other, *four[seat + 1 :])
                assert problems(proof_of(replace(draw, **{name: row})), seed, RECORD_RULES)
                tried += 1
    for other in changes_of_each_byte(seed):
        assert problems(proof, other, RECORD_RULES)
        tried += 1
    for text in changes_of_each_byte(proof.rules.encode()):
        assert problems(replace(proof, rules=text.decode()), seed, RECORD_RULES)
        tried += 1
    assert tried == 32 * (2 + 6 + 1) + len(proof.rules)


def test_order_of_seats_and_changed_rules_are_found() -> None:
    proof = proof_of(make_draw(Random(3)))
    seed = seed_from(proof)
    swapped = replace(proof, seats=("person:b", "person:a", *SEATS[2:]))
    assert problems(swapped, seed, RECORD_RULES)
    assert problems(replace(proof, table_id="u"), seed, RECORD_RULES)
    for name, value in RECORD_RULES.items():
        found = problems(proof, seed, RECORD_RULES | {name: [value]})
        assert found == [f"the rules of the record differ from those of the proof: {name}"]
    later = RECORD_RULES | {"a_switch_of_a_later_version": True}
    assert problems(proof, seed, later) == [], "games stay provable when switches are added"


def _draws_again(rng: Random) -> WallProof:
    return proof_of(make_draw(rng), make_draw(rng))


def _drops_bytes(rng: Random) -> WallProof:
    draw = make_draw(rng)
    return proof_of(replace(draw, contributions=(NONE, *draw.contributions[1:])))


def _drops_page(rng: Random) -> WallProof:
    draw = make_draw(rng)
    return proof_of(
        replace(
            draw,
            commitments=(NONE, *draw.commitments[1:]),
            contributions=(draw.contributions[0], *draw.contributions[1:]),
        )
    )


def _chooses_last(rng: Random) -> WallProof:
    draw = make_draw(rng)
    chosen = rng.randbytes(32)
    return proof_of(replace(draw, contributions=(*draw.contributions[:3], chosen)))


def _other_secret(rng: Random) -> WallProof:
    return proof_of(replace(make_draw(rng), secret=rng.randbytes(32)))


def _shortens_secret(rng: Random) -> WallProof:
    secret = rng.randbytes(31)
    binding = binding_of("t", SEATS, rules_text(RULES), secret)
    return proof_of(replace(make_draw(rng), secret=secret, binding=binding))


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
        (lambda rng: replace(proof_of(make_draw(rng)), version=2), "version 2"),
    ],
)
def test_staged_cheat_is_found(cheat: Callable[[Random], WallProof], said: str) -> None:
    proof = cheat(Random(4))
    seed = seed_from(proof) if proof.draws else b""
    assert any(said in text for text in problems(proof, seed, RECORD_RULES))


def test_receipt_fits_only_its_own_record() -> None:
    rng = Random(5)
    proof, other = proof_of(make_draw(rng)), proof_of(make_draw(rng))
    last = proof.draws[-1]
    receipt = Receipt("t", 1, 1, last.binding, last.commitments, last.contributions[1])
    assert problems_of_receipt(proof, receipt) == []
    assert len(problems_of_receipt(other, receipt)) == 3
    assert problems_of_receipt(proof, replace(receipt, seat=None, contribution=NONE)) == []
    assert len(problems_of_receipt(other, replace(receipt, seat=None, contribution=NONE))) == 2
    assert problems_of_receipt(proof, replace(receipt, draw=2)) == [
        "the receipt is of draw 2, the record has 1"
    ]
    assert problems_of_receipt(proof, replace(receipt, table_id="u"))


def test_rules_text_is_the_same_in_other_languages() -> None:
    """The text has sorted keys, ASCII and whole numbers only, as JavaScript's JSON writes it."""
    text = rules_text(RULES)
    assert text.isascii()
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
    assert not any(isinstance(value, float) for value in RECORD_RULES.values())
