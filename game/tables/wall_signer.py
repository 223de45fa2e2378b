"""Signs the bindings of walls, so that a receipt proves to anybody what this server has published.

The key is Ed25519, derived from the site's secret key: a new one is in use after that was changed.
The public keys stay in the database with the time in which each was used. The page on fairness
lists them, and somebody who is shown a record or a receipt compares its key.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from channels.db import database_sync_to_async
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.utils import timezone

from game.engine.wall_proof import signed_text
from game.models import WallKey
from game.tables.sealing import derive_key

_PURPOSE: Final = b"signature of wall bindings"
_NOTE_EVERY_S: Final = 3_600.0


class WallSigner:
    """Signs with the key that follows from that secret key."""

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


async def note_wall_key() -> float:
    """Note that the key of the settings is in use. Returns after how many seconds to do so
    again."""
    await database_sync_to_async(_note)(site_signer().public_key.hex())
    return _NOTE_EVERY_S


def _note(public_key: str) -> None:
    now = timezone.now()
    row, is_new = WallKey.objects.get_or_create(
        public_key=public_key, defaults={"first_used_at": now, "last_used_at": now}
    )
    if not is_new:
        row.last_used_at = now
        row.save(update_fields=["last_used_at"])
