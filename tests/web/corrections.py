"""A moderator who corrects the ratings of games in the admin site."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import pytest
from django.test import Client


def close(found: dict[UUID, tuple[float, float, int]], wanted: Any) -> bool:
    return found.keys() == wanted.keys() and all(
        found[player] == pytest.approx(wanted[player], abs=1e-9) for player in found
    )


def press(browser: Client, button: str) -> str:
    """Press a button on the page of game `g1`. Return the page that follows."""
    page = browser.get("/admin/game/game/g1/change/").content.decode()
    value = re.search(rf'name="action" value="(\w+)">{button}<', page)
    address = re.search(r'<form method="post" action="(/admin/game/game/)">', page)
    chosen = re.search(r'name="_selected_action" value="(\w+)"', page)
    assert value, page
    assert address
    assert chosen
    sent = {"action": value[1], "_selected_action": chosen[1]}
    return browser.post(address[1], sent, follow=True).content.decode()
