"""Running tables in the admin site: who sees them, who may stop them, and what stays hidden."""

from __future__ import annotations

import re
import secrets
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import AsyncClient

from game.engine.clock import ClockSettings
from game.engine.state import Phase
from game.engine.tiles import TILE_TO_TEXT
from game.live.process import Process, current
from game.operations import table_administration
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

PAGE = "/admin/tables/"
NOTICE = "Back in <five> minutes"


async def browser(*permissions: str, is_staff: bool = True) -> AsyncClient:
    """Return a client with these permissions."""
    user = await User.objects.acreate_user(secrets.token_hex(4), is_staff=is_staff)
    for name in permissions:
        await user.user_permissions.aadd(await Permission.objects.aget(codename=name))
    client = AsyncClient()
    await client.aforce_login(user)
    return client


async def open_table(name: str, *, public: bool = True) -> TableId:
    service = (await current()).service
    person = SeatMeta(name=f"<{name}>", person=name)
    one, two, three = (SeatMeta(name=f"b{at}", bot="tsumogiri") for at in range(3))
    return await service.open_table(
        TableMeta(
            seats=(person, one, two, three),
            clock=ClockSettings(),
            settings=TableSettings(public=public),
        )
    )


async def text_of(client: AsyncClient) -> str:
    page = await client.get(PAGE)
    assert page.status_code == 200
    return page.content.decode()


async def done(client: AsyncClient, action: str, *tables: str, **fields: str) -> Any:
    return await client.post(
        PAGE, {"action": action, "table": tables, "minutes": "5", "notice": "", **fields}
    )


async def test_running_tables_need_the_permission() -> None:
    table_id = await open_table("anna", public=False)
    for stranger in (AsyncClient(), await browser("view_game", is_staff=False)):
        for answer in (await stranger.get(PAGE), await done(stranger, "end", table_id)):
            assert answer.status_code == 302
            assert answer["Location"].startswith("/admin/login/")
    for permissions in ([], ["run_tables"], ["view_report"]):
        assert (await (await browser(*permissions)).get(PAGE)).status_code == 403
    assert table_id in await text_of(await browser("view_game"))


async def test_view_permission_allows_no_action() -> None:
    table_id = await open_table("anna")
    client = await browser("view_game")
    page = await text_of(client)
    assert table_id in page
    assert '<form method="post"' not in page.split('id="content"')[1]
    for action in ("hold", "resume", "end", "thaw", "give_up"):
        assert (await done(client, action, table_id)).status_code == 403
    room = await (await current()).service.read_room(table_id)
    assert room.version == 1


async def test_clocks_are_stopped_with_a_notice_and_run_again() -> None:
    one, other = await open_table("anna"), await open_table("berta")
    client = await browser("view_game", "run_tables")
    answer = await done(client, "hold", one, notice=NOTICE)
    assert answer["Location"] == f"{PAGE}?done=1&failed=0"
    service = (await current()).service
    assert (await service.read_room(one)).notice == NOTICE
    assert not (await service.read_room(other)).clock.paused_at
    page = await text_of(client)
    assert "stopped, for 5 min at most" in page
    assert "Back in &lt;five&gt; minutes" in page
    assert "&lt;anna&gt;" in page
    await done(client, "resume", one)
    assert not (await service.read_room(one)).clock.paused_at


async def test_frozen_table_is_marked_and_can_be_ended() -> None:
    one, other, third = [await open_table(name) for name in ("anna", "berta", "clara")]
    process: Process = await current()
    for table_id in (one, other, third):
        await process.store.freeze(table_id)
    client = await browser("view_game", "run_tables")
    assert (await text_of(client)).count("<strong>frozen</strong>") == 3
    await done(client, "end", one)
    assert (await process.service.read_room(one)).table.phase == Phase.ENDED
    await done(client, "thaw", other)
    await done(client, "give_up", third)
    page = await text_of(client)
    assert "frozen</strong>" not in page
    assert other in page
    assert third not in page


async def test_nothing_hidden_is_shown() -> None:
    table_id = await open_table("anna")
    page = await text_of(await browser("view_game", "run_tables"))
    row = page[page.index("<tbody>") : page.index("</tbody>")]
    words = set(re.findall(r"[\w]+", re.sub(r"<[^>]*>", " ", row.replace(table_id, ""))))
    assert not words & set(TILE_TO_TEXT.values())


async def test_invalid_forms_change_nothing_and_show_errors() -> None:
    table_id = await open_table("anna")
    client = await browser("view_game", "run_tables")
    assert "No table was chosen" in (await done(client, "end")).content.decode()
    for wrong in ({"minutes": "0"}, {"minutes": "x"}, {"action": "burn"}, {"notice": "n" * 301}):
        answer = await done(client, wrong.pop("action", "hold"), table_id, **wrong)
        assert answer.status_code == 200
        assert "errorlist" in answer.content.decode()
    assert (await (await current()).service.read_room(table_id)).version == 1
    assert (await done(client, "end", "no-such-table"))["Location"].endswith("done=0&failed=0")


async def test_without_redis_the_page_says_so(settings: Any) -> None:
    client = await browser("view_game")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = await client.get(PAGE)
    assert answer.status_code == 503
    assert "Redis cannot be reached" in answer.content.decode()


async def test_admin_index_links_to_running_tables_with_permission() -> None:
    assert PAGE in (await (await browser("view_game")).get("/admin/")).content.decode()
    assert PAGE not in (await (await browser("view_report")).get("/admin/")).content.decode()


async def test_running_tables_are_paged_and_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_administration, "PAGE_SIZE", 2)
    tables = [await open_table(name) for name in ("anna", "berta", "clara")]
    client = await browser("view_game", "run_tables")

    async def shown(query: str) -> set[str]:
        page = (await client.get(PAGE + query)).content.decode()
        return {table_id for table_id in tables if f'value="{table_id}"' in page}

    first, second = await shown(""), await shown("?page=2")
    assert (len(first), len(second)) == (2, 1)
    assert first | second == set(tables)
    assert await shown("?page=77") == second
    assert await shown("?page=x") == first
    assert await shown("?q=%3Cberta") == {tables[1]}
    assert await shown(f"?q={tables[2]}") == {tables[2]}
    assert await shown("?q=dora") == set()
    answer = await client.post(
        f"{PAGE}?q=berta", {"action": "hold", "table": tables[1], "minutes": "5", "notice": ""}
    )
    assert answer["Location"] == f"{PAGE}?done=1&failed=0&q=berta"
