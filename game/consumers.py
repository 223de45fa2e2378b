"""A table's websocket: authenticate, parse, submit, forward. Knows no rules."""

from __future__ import annotations

from channels.generic.websocket import AsyncWebsocketConsumer


class TableConsumer(AsyncWebsocketConsumer):
    """One socket of one table page."""
