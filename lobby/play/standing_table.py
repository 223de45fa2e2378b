"""Opens the site's own table of the strongest bots, for visitors of a site on which nobody plays.

There is one for the whole site, claimed by a key in Redis. The bots play while somebody watches; a
minute later the game is ended (`game.tables.abandonment`), and the next visitor opens another one.
Its games count nowhere and are not archived.
"""

from __future__ import annotations

from typing import Final

from game.bots import BOT_NAMES, LEVELS
from game.engine.rules import TENHOU
from game.redis.pipeline import Script
from game.tables.errors import NoNewTables, SiteBusy
from game.tables.room import SeatMeta, TableId
from game.tables.settings import TableSettings
from lobby.play.backend import Backend
from lobby.play.table_access import new_table_id

_CLAIM_KEY: Final = "standing-table"
_CLAIMED_S: Final = 86_400
_SETTINGS: Final = TableSettings(rules=TENHOU, purpose="standing")
_SEATS: Final = tuple(SeatMeta(name=name, bot=LEVELS[-1]) for name in BOT_NAMES)
_CLAIM_NEXT: Final = Script(
    """
-- ARGV  the table that is over, the next table, seconds
local claimed = redis.call('GET', KEYS[1])
if claimed and claimed ~= ARGV[1] then return claimed end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return ARGV[2]
"""
)


async def show_standing_table(backend: Backend) -> str:
    """Return the id of the table, and let its bots play for the next seconds. Open one if none
    runs; return '' if the site opens no tables at present. Raises TablesUnavailable."""
    raw = await backend.call("GET", _CLAIM_KEY)
    table_id = raw.decode() if raw else ""
    if not table_id or await _is_over(backend, table_id):
        args = [table_id, new_table_id(), _CLAIMED_S]
        table_id = (await backend.run(_CLAIM_NEXT, [_CLAIM_KEY], args)).decode()
    try:
        await backend.tables.open_game(table_id, _SEATS, _SETTINGS)
    except (NoNewTables, SiteBusy):
        return ""
    await backend.process.spectator_counts.note_board(TableId(table_id))
    return table_id


async def _is_over(backend: Backend, table_id: str) -> bool:
    """Return whether the game of that table has ended or is frozen. Return False if the table does
    not exist: it is still to be opened.
    """
    room = await backend.tables.room(table_id)
    if room is None:
        return False
    return backend.tables.is_over(room) or await backend.process.store.is_frozen(table_id)
