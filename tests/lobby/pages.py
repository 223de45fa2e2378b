"""Fills in and reads the pages of the lobby as a browser without scripts does."""

from __future__ import annotations

import html
import json
import re
from typing import Any
from urllib.parse import urlsplit

from django.http import QueryDict
from django.test import AsyncClient

from game.engine.presets import preset as rules_named
from game.engine.rules import RuleSet
from game.tables.room import Room, TableId
from lobby.play.backend import current_backend
from lobby.play.rule_form import RuleForm

FORM = {
    "preset": "tenhou",
    "base": "tenhou",
    "length": "east",
    "clock": "5+10",
    "entry": "public",
    "watch": "closed",
    "delay_minutes": "5",
    "help": "on",
}


def text_of(response: Any) -> str:
    """Return the text of the response. Pages are returned in one line, without the line breaks of
    their templates beside tags."""
    text = str(response.content, "utf-8")
    if not response.headers["Content-Type"].startswith("text/html"):
        return text
    return re.sub(r"[ \t\r\n]+", " ", re.sub(r"(?<=>)\s*\n\s*|\s*\n\s*(?=<)", "", text))


def table_form(preset: str = "tenhou", **changes: str) -> dict[str, Any]:
    """Return all fields of the form as a browser sends them."""
    rules = {name: values for name, values in rule_fields(rules_named(preset)).lists() if values}
    return {**rules, **FORM, "preset": preset, "base": preset, **changes}


async def create_table(client: AsyncClient, **changes: str) -> str:
    """Make a table; return its address."""
    answer = await client.post("/tables/new/", table_form(**changes))
    assert answer.status_code == 302, text_of(answer)
    address = answer.headers["Location"]
    assert re.fullmatch(r"/tables/[\w-]+/", address)
    return address


async def invite_link(client: AsyncClient, address: str) -> str:
    """Return the invite link that the page shows."""
    found = re.search(r'readonly value="([^"]+)"', text_of(await client.get(address)))
    assert found
    return urlsplit(found[1]).path


async def press(client: AsyncClient, address: str, what: str, **more: str) -> str:
    """Press a button on that page; return the address to which it leads."""
    answer = await client.post(f"{address}do/", {"do": what, **more})
    assert answer.status_code == 302, text_of(answer)
    return answer.headers["Location"]


async def room_at(address: str) -> Room:
    found = re.fullmatch(r"/table/([\w-]+)/", address)
    assert found, address
    room = await (await current_backend()).tables.room(found[1])
    assert room is not None
    return room


async def sit_at(*table_ids: str) -> None:
    """Count a socket of the player at the first seat of these tables."""
    for table_id in table_ids:
        await (await current_backend()).process.presence.arrive(TableId(table_id), 0)


def boards_of(text: str) -> list[dict[str, Any]]:
    return [
        json.loads(html.unescape(attribute))
        for attribute in re.findall(r'data-board="([^"]*)"', text)
    ]


def numbers_in(page: str, name: str) -> list[str]:
    """Return the numbers in the fields of that name on a page."""
    return re.findall(rf'name="{name}" value="([^"]*)"', page)


def rule_fields(rules: RuleSet, **changes: str) -> QueryDict:
    """Return the fields as a browser sends them, with some values replaced."""
    form = RuleForm(rules=rules)
    data = QueryDict(mutable=True)
    for name in form.fields:
        value: Any = form[name].value()
        if isinstance(value, bool):
            data.setlist(f"rule-{name}", ["on"] if value else [])
        elif name == "double_yakuman":
            data.setlist(f"rule-{name}", list(value))
        else:
            data[f"rule-{name}"] = str(form.fields[name].prepare_value(value))
    for name, text in changes.items():
        data.setlist(f"rule-{name}", [text] if text else [])
    return data
