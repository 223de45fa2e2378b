"""Signs the bindings of walls, so that a receipt proves to anybody what this server has published.

The key is Ed25519, derived from the site's secret key. Its public half is kept in the database
(`game.tables.wall_keys`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from game.engine.wall_proof import signed_text
from game.tables.sealing import derive_key

_PURPOSE: Final = b"signature of wall bindings"


class WallSigner:
    """Signs with the Ed25519 key that is derived from `secret_key`."""

    def __init__(self, secret_key: str) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(derive_key(secret_key, _PURPOSE))
        self.public_key = self._key.public_key().public_bytes_raw()
        """32 bytes."""

    def sign(self, binding: bytes) -> tuple[bytes, bytes]:
        """Return the public key, and the signature of the binding."""
        return self.public_key, self._key.sign(signed_text(binding))


def site_signer() -> WallSigner:
    """Return the signer for SECRET_KEY of the settings."""
    return _signer_of(settings.SECRET_KEY)


@lru_cache(8)
def _signer_of(secret_key: str) -> WallSigner:
    return WallSigner(secret_key)
