"""Tells the pages of the lobby that something has changed. A word may be lost: the pages ask
again from time to time."""

from __future__ import annotations

import logging
from typing import Final

from channels.layers import get_channel_layer

log = logging.getLogger(__name__)

LOBBY_GROUP: Final = "lobby"


def person_group(person: str) -> str:
    """The group of that person's pages."""
    return f"person.{person}"


def pregame_group(pregame_id: str) -> str:
    """The group of who looks at that table in the making."""
    return f"pregame.{pregame_id}"


async def notify(*groups: str) -> None:
    """Their pages are to look again."""
    layer = get_channel_layer()
    if layer is None:
        return
    for group in groups:
        try:
            await layer.group_send(group, {"type": "look.again"})
        except Exception as error:  # whatever the layer is made of
            log.info("the lobby's pages were not told: %s", error)
