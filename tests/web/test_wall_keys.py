"""The page on fairness lists every public key under which the site has signed walls."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import AsyncClient
from django.utils import timezone

from game.models import WallKey
from game.tables.wall_keys import note_wall_key
from game.tables.wall_signer import WallSigner, site_signer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


async def test_page_lists_all_keys_with_their_time_of_use(
    settings: Any, async_client: AsyncClient
) -> None:
    settings.SECRET_KEY = "the first secret key of this site"
    assert await note_wall_key() > 0
    first = site_signer().public_key.hex()
    began = timezone.now() - timedelta(days=400)
    await WallKey.objects.filter(public_key=first).aupdate(first_used_at=began, last_used_at=began)
    await note_wall_key()
    kept = await WallKey.objects.aget(public_key=first)
    assert kept.first_used_at == began
    assert kept.last_used_at > began + timedelta(days=399)
    settings.SECRET_KEY = "the second secret key of this site"
    await note_wall_key()
    second = site_signer().public_key.hex()
    assert second == WallSigner(settings.SECRET_KEY).public_key.hex() != first
    page = (await async_client.get("/fair/")).content.decode()
    assert page.index(second) < page.index(first), "the newest is the first"
