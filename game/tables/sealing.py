"""Encrypts the records of running tables, so that nobody can read hands or walls in Redis.

Owns the sealed form and the keys. Must not know Redis or the game.

A sealed record is, in this order:

    2 bytes   0xC1 0x02: the marker, which begins no msgpack value, and the format's version
    4 bytes   the id of the key that it was sealed under
    8 bytes   the version of the table, big-endian
    the rest  AES-SIV (RFC 5297, keys of 256 bits) of the record, 16 bytes longer than it

The associated data are the first 14 bytes, the kind of the record and the id of the table: a record
that is moved to another place does not open there. AES-SIV needs no nonce, which could run short or
be repeated: one key derived from the site's secret key (HKDF with SHA-256) seals all tables. Equal
records of one place would look equal, but each commit holds a random token.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

Kind = Literal["commit", "snapshot"]

_MARKER: Final = b"\xc1\x02"
_KEY_BYTES: Final = 64
"""AES-SIV has two keys, of 32 bytes each."""
_KEY_ID_END: Final = 6
_HEADER_END: Final = 14
_TAG_BYTES: Final = 16


class SealBroken(Exception):
    """The record was not written by this site for this place, or was changed afterwards."""


class UnknownKey(Exception):
    """The record was sealed under a key that this process does not have."""

    def __init__(self, key_id: bytes) -> None:
        super().__init__("it was sealed under another SECRET_KEY")
        self.key_id = key_id


class Sealer:
    """Seals under the first secret key, and opens what was sealed under any of them."""

    def __init__(self, secret_keys: Sequence[str]) -> None:
        if not secret_keys:
            raise ValueError("there is no secret key to seal with")
        ciphers = [AESSIV(derive_key(key, b"seals", _KEY_BYTES)) for key in secret_keys]
        ids = [derive_key(key, b"key id")[: _KEY_ID_END - len(_MARKER)] for key in secret_keys]
        self.key_ids = tuple(ids)
        """The public ids of the keys, which reveal nothing about them."""
        self._ciphers = dict(zip(reversed(ids), reversed(ciphers), strict=True))
        self._begin = _MARKER + ids[0]

    def seal(self, data: bytes, kind: Kind, table_id: str, version: int) -> bytes:
        """Seal a record of that table as it is at `version`."""
        header = self._begin + version.to_bytes(8)
        place = header + _place(kind, table_id)
        return header + self._ciphers[self.key_ids[0]].encrypt(data, [place])

    def open(self, stored: bytes, kind: Kind, table_id: str, version: int | None = None) -> bytes:
        """Return the record as it was before it was sealed.

        With `version`, raise SealBroken unless it was sealed for that one. Raises SealBroken,
        UnknownKey.
        """
        if len(stored) < _HEADER_END + _TAG_BYTES or not stored.startswith(_MARKER):
            raise SealBroken(f"its {kind} is no sealed record")
        header = stored[:_HEADER_END]
        key_id = header[len(_MARKER) : _KEY_ID_END]
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise UnknownKey(key_id)
        if version is not None and header[_KEY_ID_END:] != version.to_bytes(8):
            raise SealBroken(f"its {kind} was sealed for another version than {version}")
        place = header + _place(kind, table_id)
        try:
            return cipher.decrypt(stored[_HEADER_END:], [place])
        except InvalidTag:
            raise SealBroken(f"its {kind} was changed, or belongs to another table") from None


def _place(kind: Kind, table_id: str) -> bytes:
    """Return the record's part of the associated data."""
    return f"{kind}:{table_id}".encode()


def site_sealer() -> Sealer:
    """Return the sealer for SECRET_KEY and SECRET_KEY_FALLBACKS of the settings."""
    return _sealer_of((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


@lru_cache(8)
def _sealer_of(secret_keys: tuple[str, ...]) -> Sealer:
    return Sealer(secret_keys)


def derive_key(secret_key: str, purpose: bytes, size: int = 32) -> bytes:
    """Derive a key of that purpose and of `size` bytes, which is independent of all others and of
    Django's own uses of the secret key."""
    derivation = HKDF(SHA256(), size, b"mahjong running tables 1", purpose)
    return derivation.derive(secret_key.encode())
