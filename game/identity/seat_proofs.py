"""Seat proofs: signed cookies that open the socket of one seat while the database is unavailable.

A proof names a table, a seat, a person and the person's generation of proofs, a number in Redis
(Django's cache). It is bound to the session by a digest of the session's key. If Redis has lost the
generation, all proofs of the person are refused.

To issue a proof: read the generation, then check the session, then sign. `revoke` deletes the
generation before and after the session changes, so that no proof outlives the change.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.db import transaction

COOKIE: Final = "seat_proof"
SALT: Final = "game.identity.seat_proofs"
LIFETIME_S: Final = 600
RENEW_EVERY_S: Final = 180
"""How often the page of a player asks for a new proof."""
_GENERATION_EXPIRES_S: Final = 86_400


class ProofsUnavailable(Exception):
    """Redis cannot be reached: no proof can be issued, checked or revoked."""


class SeatProof(NamedTuple):
    """The facts that a proof states; `session` is the digest of the session's key."""

    table_id: str
    seat: int
    person: str
    session: str
    """Digest of the session's key."""
    generation: int


def sign(proof: SeatProof) -> str:
    """Sign the proof. Return the value of the cookie."""
    return signing.dumps(list(proof), salt=SALT)


def read(cookies: Mapping[str, str], table_id: str) -> SeatProof | None:
    """Find the valid proof for that table among the cookies of a request; None if there is none.
    Signature, age, table and session have been checked. The caller still checks `is_current` and
    who has the seat."""
    text, key = cookies.get(COOKIE), cookies.get(settings.SESSION_COOKIE_NAME)
    if not text or not key:
        return None
    try:
        proof = SeatProof(*signing.loads(text, salt=SALT, max_age=LIFETIME_S))
    except (signing.BadSignature, ValueError, TypeError):
        return None
    is_own = proof.table_id == table_id and proof.session == session_digest(key)
    return proof if is_own else None


def session_digest(session_key: str) -> str:
    """Return the digest of a session's key that a proof holds."""
    return hashlib.sha256(f"{SALT}:{session_key}".encode()).hexdigest()[:32]


def get_or_create_generation(person: str) -> int | None:
    """Return the number that the person's valid proofs contain; make one if there is none. None if
    proofs are being revoked at this moment. Raises ProofsUnavailable."""
    key = _generation_key(person)
    _call_cache(cache.add, key, secrets.randbits(62), timeout=_GENERATION_EXPIRES_S)
    _call_cache(cache.touch, key, timeout=_GENERATION_EXPIRES_S)
    found: int | None = _call_cache(cache.get, key)
    return found


def is_current(proof: SeatProof) -> bool:
    """Return whether the proof has not been revoked. Raises ProofsUnavailable."""
    return bool(_call_cache(cache.get, _generation_key(proof.person)) == proof.generation)


def revoke(person: str) -> None:
    """Revoke all proofs of that person. Raises ProofsUnavailable."""
    if person:
        _call_cache(cache.delete, _generation_key(person))


def revoke_with_transaction(person: str) -> None:
    """Revoke all proofs of that person now, and again after the running database transaction is
    committed. Raises ProofsUnavailable."""
    revoke(person)
    transaction.on_commit(partial(revoke, person))


@contextmanager
def revoking(person: str) -> Iterator[None]:
    """Around a block that ends a session of that person, revoke all their proofs twice: before, so
    that the session stays if Redis cannot be reached; after, for proofs issued in between. Raises
    ProofsUnavailable."""
    revoke(person)
    try:
        yield
    finally:
        revoke(person)


def _generation_key(person: str) -> str:
    return f"seat-proofs:{person}"


def _call_cache(command: Any, *args: Any, **named: Any) -> Any:
    try:
        return command(*args, **named)
    except OSError as error:
        raise ProofsUnavailable(str(error) or type(error).__name__) from error
