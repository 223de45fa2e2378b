"""What `test_added_setting.py` runs: follows the setting `colour` from the form to a rematch."""

from __future__ import annotations

import pytest
from django import forms
from django.test import AsyncClient
from msgspec.structs import replace

from game.tables.requests import End
from game.tables.settings import TableSettings
from lobby.play import pregame_store
from lobby.play.backend import current_backend
from lobby.play.forms import TableForm
from lobby.play.pregame import PregameTable
from tests.lobby.pages import create_table, press, room_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]


async def pregame_at(address: str) -> PregameTable:
    found = await pregame_store.find(await current_backend(), address.split("/")[2])
    assert found is not None
    return found


async def test_setting_is_found_at_each_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TableForm.base_fields, "colour", forms.CharField())
    host, guest = AsyncClient(), AsyncClient()
    bots = {"seat_1": "hasty", "seat_2": "novice"}
    options = {"clock": "15+30", "quick_bots": "on", "password": "pass", "colour": "green"}
    address = await create_table(host, **bots, **options)
    chosen = (await pregame_at(address)).settings
    assert {name: getattr(chosen, name) for name in ("colour", "clock", "quick_bots")} == {
        "colour": "green",
        "clock": "15+30",
        "quick_bots": True,
    }
    await press(guest, address, "sit", password="pass")
    await press(host, address, "ready")
    room = await room_at(await press(guest, address, "ready"))
    assert room.meta.settings == replace(chosen, opens_after="hand")
    assert room.meta.settings.rules is room.table.rules
    service = (await current_backend()).process.service
    (row,) = await service.list_tables()
    assert row.settings == replace(room.meta.settings, password="")
    await service.apply_request(room.table_id, End())
    answer = await host.post(f"/tables/again/{room.table_id}/")
    rematch = await pregame_at(answer.headers["Location"])
    assert rematch.settings == room.meta.settings
    assert rematch.settings.password == chosen.password != ""
    assert type(rematch.settings) is TableSettings
