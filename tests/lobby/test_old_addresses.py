"""Addresses of leagues and tournaments lead to those of events."""

from __future__ import annotations

import pytest
from django.test import AsyncClient


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/clubs/thursday/leagues/", "/clubs/thursday/events/"),
        ("/clubs/thursday/leagues/autumn/", "/clubs/thursday/events/autumn/"),
        ("/clubs/thursday/leagues/autumn/rulings/", "/clubs/thursday/events/autumn/log/"),
        ("/clubs/thursday/tournaments/a/director/1/2/", "/clubs/thursday/events/a/officials/1/2/"),
        ("/api/1/clubs/b/tournaments/a/games/?page=2", "/api/1/clubs/b/events/a/games/?page=2"),
    ],
)
async def test_old_addresses_lead_to_the_new_ones(old: str, new: str) -> None:
    answer = await AsyncClient().get(old)
    assert (answer.status_code, answer.headers["Location"]) == (301, new)
