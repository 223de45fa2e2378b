"""Encrypt the records of running tables, so that nobody can read hands or walls in Redis.

Owns the sealed form and the keys. Must not know Redis or the game.

A sealed record is, in this order:

    2 bytes   0xC1 0x01: the marker, which begins no msgpack value, and the format's version
    4 bytes   the id of the key that it was sealed under
    8 bytes   the version of the table, big-endian
    12 bytes  the nonce, random
    the rest  AES-256-GCM of the record, its 16 bytes of tag at the end

The associated data are the first 14 bytes, the kind of the record and the id of the table: a record
that is moved to another place does not open there. Each table has a key of its own, derived from
the site's secret key (HKDF with SHA-256), so that random nonces cannot run short.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
from django.conf import settings

Kind = Literal["commit", "snapshot"]

_MARKER: Final = b"\xc1\x01"
_KEY_BYTES: Final = 32
_KEY_ID_END: Final = 6
_HEADER_END: Final = 14
_NONCE_END: Final = 26
_TAG_BYTES: Final = 16
_CIPHERS_CACHED: Final = 2048
"""The number of cached ciphers, one for each table, of about 3 KiB each."""


class SealBroken(Exception):
    """The record was not written by this site for this place, or was changed afterwards."""


class UnknownKey(Exception):
    """The record was sealed under a key that this process does not have."""

    def __init__(self, key_id: bytes) -> None:
        super().__init__("it was sealed under another SECRET_KEY")
        self.key_id = key_id


class Opened(NamedTuple):
    """A record as it was before it was sealed."""

    data: bytes
    was_sealed: bool
    """Whether the record was sealed. Records from a release without sealing were not."""


class Sealer:
    """Seals under the first secret key, and opens what was sealed under any of them."""

    def __init__(self, secret_keys: Sequence[str]) -> None:
        if not secret_keys:
            raise ValueError("there is no secret key to seal with")
        roots = [derive_key(key, b"root key") for key in secret_keys]
        ids = [derive_key(key, b"key id")[: _KEY_ID_END - len(_MARKER)] for key in secret_keys]
        self.key_ids = tuple(ids)
        """The public ids of the keys, which reveal nothing about them."""
        self._roots = dict(zip(reversed(ids), reversed(roots), strict=True))
        self._begin = _MARKER + ids[0]
        self._cipher = lru_cache(_CIPHERS_CACHED)(self._make_cipher)

    def seal(self, data: bytes, kind: Kind, table_id: str, version: int) -> bytes:
        """Seal a record of that table as it is at `version`."""
        header = self._begin + version.to_bytes(8)
        nonce = os.urandom(_NONCE_END - _HEADER_END)
        cipher, place = self._cipher(self.key_ids[0], table_id), _place(kind, table_id)
        return header + nonce + cipher.encrypt(nonce, data, header + place)

    def open(self, stored: bytes, kind: Kind, table_id: str, version: int | None = None) -> Opened:
        """Open a record.

        With `version`, raise SealBroken unless it was sealed for that one. A record from a release
        without sealing is returned unchanged. Raises SealBroken, UnknownKey.
        """
        if not stored.startswith(_MARKER[:1]):
            if not _is_plain(stored):
                raise SealBroken(f"its {kind} is no record of this site")
            return Opened(stored, was_sealed=False)
        if len(stored) < _NONCE_END + _TAG_BYTES or not stored.startswith(_MARKER):
            raise SealBroken(f"its {kind} is no sealed record")
        header, nonce = stored[:_HEADER_END], stored[_HEADER_END:_NONCE_END]
        key_id = header[len(_MARKER) : _KEY_ID_END]
        if key_id not in self._roots:
            raise UnknownKey(key_id)
        if version is not None and header[_KEY_ID_END:] != version.to_bytes(8):
            raise SealBroken(f"its {kind} was sealed for another version than {version}")
        cipher, place = self._cipher(key_id, table_id), _place(kind, table_id)
        try:
            data = cipher.decrypt(nonce, stored[_NONCE_END:], header + place)
        except InvalidTag:
            raise SealBroken(f"its {kind} was changed, or belongs to another table") from None
        return Opened(data, was_sealed=True)

    def _make_cipher(self, key_id: bytes, table_id: str) -> AESGCM:
        """Return the cipher of that table."""
        info = b"table " + table_id.encode()
        key = HKDFExpand(SHA256(), _KEY_BYTES, info).derive(self._roots[key_id])
        return AESGCM(key)


def _place(kind: Kind, table_id: str) -> bytes:
    """Return the record's part of the associated data."""
    return f"{kind}:{table_id}".encode()


def site_sealer() -> Sealer:
    """Return the sealer for SECRET_KEY and SECRET_KEY_FALLBACKS of the settings."""
    return _sealer_of((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


@lru_cache(8)
def _sealer_of(secret_keys: tuple[str, ...]) -> Sealer:
    return Sealer(secret_keys)


def derive_key(secret_key: str, purpose: bytes) -> bytes:
    """Derive a key of that purpose, which is independent of all others and of Django's own uses of
    the secret key."""
    derivation = HKDF(SHA256(), _KEY_BYTES, b"mahjong running tables 1", purpose)
    return derivation.derive(secret_key.encode())


def _is_plain(stored: bytes) -> bool:
    """Return whether the bytes begin with a msgpack array, as rooms and commits do."""
    return bool(stored) and (0x90 <= stored[0] <= 0x9F or stored[0] == 0xDC)
