"""The setting for the pace of tables."""

from __future__ import annotations

from typing import Final

from msgspec.structs import asdict

from game.engine.clock import ClockSettings
from game.live.process import Process
from game.tables.room import TableId
from game.tables.settings import CLOCKS, DEFAULT_CLOCK
from lobby.play.table_access import scale_pauses
from tests.kit.processes import Site
from tests.web.visitor import Visitor

PAUSES: Final = {
    *("reaction_ms", "deal_ms", "result_pause_ms"),
    *("bot_min_ms", "bot_max_ms", "forced_ms"),
}


def changed_fields(clock: ClockSettings) -> set[str]:
    usual = asdict(CLOCKS[DEFAULT_CLOCK])
    return {name for name, value in asdict(clock).items() if value != usual[name]}


def test_pace_of_one_does_not_change_the_clock() -> None:
    assert scale_pauses(CLOCKS[DEFAULT_CLOCK], 1.0) == CLOCKS[DEFAULT_CLOCK]


def test_pace_shortens_pauses_only() -> None:
    quick = scale_pauses(CLOCKS[DEFAULT_CLOCK], 0.5)
    assert changed_fields(quick) == PAUSES
    assert all(2 * asdict(quick)[name] == asdict(CLOCKS[DEFAULT_CLOCK])[name] for name in PAUSES)
    assert all(asdict(scale_pauses(CLOCKS[DEFAULT_CLOCK], 0.0))[name] == 0 for name in PAUSES)


async def test_tables_of_a_site_are_played_at_its_pace(site: Site) -> None:
    site.env["TABLE_PACE"] = "0.25"
    visitor = Visitor(site.start_daphne().url)
    page = visitor.submit(visitor.get("/"), "/play/")
    process = Process(site.redis.url)
    room = await process.service.read_room(TableId(page.path.split("/")[2]))
    await process.stop()
    assert room.meta.clock == scale_pauses(CLOCKS[DEFAULT_CLOCK], 0.25)
