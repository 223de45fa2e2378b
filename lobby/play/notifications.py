"""Notifies the pages of the lobby of changes. A notification may be lost: pages also poll."""

from __future__ import annotations

import logging
from typing import Final

from channels.layers import get_channel_layer

log = logging.getLogger(__name__)

LOBBY_GROUP: Final = "lobby"


def person_group(person: str) -> str:
    """Return the group of that person's pages."""
    return f"person.{person}"


def pregame_group(pregame_id: str) -> str:
    """Return the group of the pages that show that pregame table."""
    return f"pregame.{pregame_id}"


def club_group(slug: str) -> str:
    """Return the name of the channel group of that club's lobby pages."""
    return f"club.{slug}"


async def notify(*groups: str) -> None:
    """Make the pages of these groups update themselves."""
    layer = get_channel_layer()
    for group in groups:
        try:
            await layer.group_send(group, {"type": "page.update"})
        except Exception as error:  # any backend of the layer
            log.info("the lobby's pages were not notified: %s", error)
