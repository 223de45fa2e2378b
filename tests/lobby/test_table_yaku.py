"""The help sheet of a table shows the yaku and points under the rules of that table."""

from __future__ import annotations

import re

import msgspec
import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from msgspec.structs import replace

from game.engine.clock import ClockSettings
from game.engine.presets import PRESETS, preset
from game.engine.rules import RuleSet
from game.models import Game
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from lobby.accounts.visitors import get_or_create_guest
from lobby.play.backend import current_backend
from tests.lobby.pages import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

SLOW = ClockSettings(base_ms=600_000, bank_ms=600_000)
ENGLISH = {"accept-language": "en"}


async def open_table(rules: RuleSet, person: str, **options: str) -> TableId:
    bots = [SeatMeta(name=f"b{at}", bot="tsumogiri") for at in range(1, rules.players)]
    backend = await current_backend()
    return await backend.process.service.open_table(
        TableMeta(
            seats=(SeatMeta(name="Anna", person=person), *bots),
            clock=SLOW,
            settings=TableSettings(rules=rules, **options),  # type: ignore[arg-type]
        )
    )


async def sheet(client: AsyncClient, table_id: TableId) -> str:
    answer = await client.get(f"/table/{table_id}/yaku/", headers=ENGLISH)
    assert answer.status_code == 200
    return text_of(answer)


def worth(page: str, yaku: str) -> str:
    """Return the sheet's text for a yaku, '' if it does not count."""
    found = re.search(rf'yaku-sheet-name">{yaku}</span>.*?yaku-sheet-worth">(.*?)</span>', page)
    return found[1] if found else ""


async def test_sheet_of_three_has_their_tiles_yaku_and_payments() -> None:
    four = await sheet(AsyncClient(), await open_table(PRESETS["tenhou"], "p1"))
    three = await sheet(AsyncClient(), await open_table(preset("tenhou-3"), "p2"))
    missing = {f"#t-{rank}m" for rank in range(2, 9)}
    assert missing <= set(re.findall(r"#t-\w+", four))
    assert not missing & set(re.findall(r"#t-\w+", three))
    assert worth(four, "Mixed triple sequence") == "2 han, open 1 han"
    assert worth(three, "Mixed triple sequence") == ""
    assert (worth(four, "Norths set aside"), worth(three, "Norths set aside")) == ("", "1 han")
    assert worth(three, "Triple triplets") == worth(four, "Triple triplets") == "2 han"
    names = re.compile(r'yaku-sheet-name">(.*?)</span>')
    only_of_four = {"Mixed triple sequence"}
    assert set(names.findall(three)) == set(names.findall(four)) - only_of_four | {
        "Norths set aside"
    }
    assert ("each of the three" in four, "each of the two" in three) == (True, True)
    mangan = re.compile(r"<b>8,000</b><span>(.*?)</span>")
    assert mangan.findall(four)[-1] == mangan.findall(three)[-1] == "2,000 / 4,000"


async def test_sheet_follows_the_rules_of_the_table() -> None:
    client = AsyncClient()
    own = replace(PRESETS["tenhou"], name="", kuitan=False, ippatsu=False, kiriage_mangan=True)
    tenhou = await sheet(client, await open_table(PRESETS["tenhou"], "p1"))
    custom = await sheet(client, await open_table(own, "p2"))
    assert (worth(tenhou, "All simples"), worth(tenhou, "Ippatsu")) == (
        "1 han",
        "1 han, closed only",
    )
    assert (worth(custom, "All simples"), worth(custom, "Ippatsu")) == ("1 han, closed only", "")
    assert "<b>7,700</b><span>2,000 / 3,900</span>" in tenhou
    assert "<b>8,000</b><span>2,000 / 4,000</span>" in custom


async def test_sheet_names_the_rules_and_links_to_those_of_a_preset() -> None:
    client = AsyncClient()
    soul = replace(PRESETS["mahjong-soul"], length="east")
    own = replace(PRESETS["tenhou"], name="", kuitan=False)
    preset = await sheet(client, await open_table(soul, "p1"))
    custom = await sheet(client, await open_table(own, "p2"))
    assert "<summary>Rules: Mahjong Soul, East only</summary>" in preset
    assert '<a href="/rules/mahjong-soul/"' in preset
    assert "<summary>Rules: Custom rules, East and South</summary>" in custom
    assert "<dt>Open tanyao</dt><dd>No</dd>" in custom
    assert 'href="/rules/' not in custom


async def test_sheet_repeats_no_name_in_romaji() -> None:
    page = await sheet(AsyncClient(), await open_table(PRESETS["tenhou"], "p1"))
    named = re.findall(
        r'yaku-sheet-name">([^<]+)</span>(?: <span class="yaku-sheet-romaji"[^>]*>([^<]+)<)?', page
    )
    names = dict(named)
    assert (names["Riichi"], names["Pinfu"], names["All simples"]) == ("", "", "tanyao")
    assert not [name for name, romaji in named if name.casefold() == romaji]


async def test_sheet_is_shown_only_to_viewers_of_the_table() -> None:
    client = AsyncClient()
    session = await client.asession()
    person = await database_sync_to_async(get_or_create_guest)(session)
    await session.asave()
    client.cookies["sessionid"] = session.session_key or ""
    table_id = await open_table(PRESETS["tenhou"], str(person.pk), watch="nobody")
    assert "Riichi" in await sheet(client, table_id)
    for address in (f"/table/{table_id}/yaku/", "/table/unknown/yaku/"):
        assert (await AsyncClient().get(address)).status_code == 404


async def test_sheet_stays_when_the_game_is_archived() -> None:
    client = AsyncClient()
    rules = replace(PRESETS["tenhou"], name="", kuitan=False)
    for name, is_public, status in (("seen", True, 200), ("private", False, 404)):
        now = timezone.now()
        await Game.objects.acreate(
            table_id=name,
            rules=msgspec.to_builtins(rules),
            is_public=is_public,
            started_at=now,
            ended_at=now,
        )
        assert (await client.get(f"/table/{name}/yaku/")).status_code == status
    assert worth(await sheet(client, TableId("seen")), "All simples") == "1 han, closed only"


async def test_page_of_the_table_names_its_sheet() -> None:
    table_id = await open_table(PRESETS["tenhou"], "p1")
    page = text_of(await AsyncClient().get(f"/table/{table_id}/", headers=ENGLISH))
    assert f'data-yaku="/table/{table_id}/yaku/"' in page
