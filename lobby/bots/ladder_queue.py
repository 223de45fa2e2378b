"""The queue of bots for rated games, one for each ladder of bots, in Redis.

A bot waits while it is connected and has no other game. Each bot of a table has another owner;
those with the longest wait play first. People are not paired here, and no other module pairs bots.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from game.engine.presets import ALL_PRESETS
from game.engine.rules import RuleSet
from game.redis.pipeline import Script
from game.results.ladders import BOT_LADDERS
from game.tables.settings import DEFAULT_CLOCK
from lobby.bots import waiting
from lobby.models import BotAccount
from lobby.play.backend import Backend, current_backend
from lobby.play.origins import UNKNOWN, Origin, often_met, record_meetings
from lobby.play.queues import Pairs, fill_table, reason_to_wait

_PAIRED_WITHIN_S: Final = 10
"""The lifetime of the lock on a ladder. If a worker dies, another one pairs the bots after that."""
_PAIR_EVERY_S: Final = 5.0
_JOIN: Final = Script(
    """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return 1
"""
)
_UNLOCK: Final = Script(
    """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
"""
)
"""The script that removes the lock, unless it has expired and is another worker's by now."""


class WaitingBot(msgspec.Struct, frozen=True):
    """A bot that waits in the queue. `since` is the time of joining in Unix milliseconds."""

    bot: str
    owner: str
    since: int
    origin: Origin = Origin()

    @property
    def person(self) -> str:
        return self.bot


_decoder: Final = msgspec.json.Decoder(WaitingBot)


def _key(ladder: str) -> str:
    return f"bots-wait:{ladder}"


def _rules_of(ladder: str) -> RuleSet:
    kind = BOT_LADDERS[ladder]
    return replace(ALL_PRESETS[kind.preset], length=kind.length)


async def join_queue(
    backend: Backend, ladder: str, bot: str, owner: str, origin: Origin = UNKNOWN
) -> None:
    """Put the bot into the queue of that ladder. A bot that already waits there keeps its place."""
    ticket = msgspec.json.encode(WaitingBot(bot, owner, backend.now_ms(), origin))
    await backend.run(_JOIN, [_key(ladder)], [bot, ticket])


async def leave_queue(backend: Backend, ladder: str, bot: str) -> bool:
    """Remove the bot from the queue. Return False if it was not waiting."""
    return bool(await backend.call("HDEL", _key(ladder), bot))


async def is_waiting(backend: Backend, bot: str) -> bool:
    """Return whether the bot waits in a ladder."""
    answers = [backend.call("HEXISTS", _key(ladder), bot) for ladder in BOT_LADDERS]
    return any(await asyncio.gather(*answers))


async def leave_others(backend: Backend, ladder: str, bot: str) -> None:
    """Remove the bot from the queues of all ladders except `ladder`; '' removes it from all. An
    entry remains if the process of an earlier connection died.
    """
    others = [leave_queue(backend, other, bot) for other in BOT_LADDERS if other != ladder]
    await asyncio.gather(*others)


def _waiting_order(entry: WaitingBot) -> tuple[int, str]:
    return entry.since, entry.bot


async def _read_queue(backend: Backend, ladder: str) -> list[WaitingBot]:
    return [_decoder.decode(row) for row in await backend.call("HVALS", _key(ladder))]


def pair_bots(
    queue: Sequence[WaitingBot], seats: int, now: int = 0, often: Pairs = frozenset()
) -> list[WaitingBot]:
    """Return the bots of the next table, the longest wait first: of each owner the bot that has
    waited longest, as far as their origins and earlier meetings of today allow. Return no bots if
    they do not fill the table."""
    chosen: dict[str, WaitingBot] = {}
    for entry in sorted(queue, key=_waiting_order):
        chosen.setdefault(entry.owner, entry)
    candidates = list(chosen.values())
    for at, first in enumerate(candidates):
        others = fill_table(first, candidates[at + 1 :], seats, now, often)
        if len(others) == seats - 1:
            return [first, *others]
    return []


async def find_reason_to_wait(
    backend: Backend, ladder: str, bot: str
) -> Literal["", "players", "owner", "origin", "often"]:
    """Return why the bot still waits in that ladder: "players" (too few owners have bots there),
    "owner" (an earlier bot of the same owner waits), or a result of `reason_to_wait`. '' if a
    table can open, or the bot does not wait there.
    """
    queue = sorted(await _read_queue(backend, ladder), key=_waiting_order)
    own = next((entry for entry in queue if entry.bot == bot), None)
    if own is None:
        return ""
    if next(entry for entry in queue if entry.owner == own.owner) is not own:
        return "owner"
    others = [entry for entry in queue if entry.owner != own.owner]
    if len({entry.owner for entry in others}) < _rules_of(ladder).players - 1:
        return "players"
    often = await often_met(backend, [entry.bot for entry in queue])
    return reason_to_wait(own, others, backend.now_ms(), often)


async def open_rated_games() -> float:
    """Open a table for each party that can be paired: a periodic task. Return the seconds until
    the next call.
    """
    backend = await current_backend()
    if not await backend.tables.opens_tables():
        return _PAIR_EVERY_S
    sizes = await asyncio.gather(
        *(backend.call("HLEN", _key(ladder_name)) for ladder_name in BOT_LADDERS)
    )
    for ladder, size in zip(BOT_LADDERS, sizes, strict=True):
        if size < _rules_of(ladder).players:
            continue
        lock, own = f"bots-pair:{ladder}", secrets.token_urlsafe(8)
        if await backend.call("SET", lock, own, "NX", "EX", _PAIRED_WITHIN_S):
            try:
                await _pair_all(backend, ladder)
            finally:
                await backend.run(_UNLOCK, [lock], [own])
    return _PAIR_EVERY_S


async def _pair_all(backend: Backend, ladder: str) -> None:
    queue = list[WaitingBot]()
    for entry in await _read_queue(backend, ladder):
        if await waiting.is_free(backend, entry.bot):
            queue.append(entry)
        else:
            await leave_queue(backend, ladder, entry.bot)
    often = await often_met(backend, [entry.bot for entry in queue])
    seats = _rules_of(ladder).players
    while party := pair_bots(queue, seats, backend.now_ms(), often):
        queue = [entry for entry in queue if entry not in party]
        # If another worker has taken one of them, the others join again at their next check.
        if all([await leave_queue(backend, ladder, entry.bot) for entry in party]):
            await _open_game(backend, ladder, party)


async def _open_game(backend: Backend, ladder: str, party: Sequence[WaitingBot]) -> None:
    """Open a rated table, with the seats drawn by lot. Open none if a bot has been retired or has
    another game by now; the others join the queue again at their next check."""
    owners = {entry.bot: entry.owner for entry in party}
    query = BotAccount.objects.filter(pk__in=list(owners)).select_related("person")
    bots = [bot async for bot in query]
    rules = _rules_of(ladder)
    if len({str(bot.owner_id) for bot in bots}) < rules.players:
        return
    secrets.SystemRandom().shuffle(bots)
    with contextlib.suppress(waiting.NotFree):
        await waiting.open_game(
            backend, bots, rules=rules, clock=DEFAULT_CLOCK, public=True, is_rated=True
        )
        await record_meetings(backend, owners)
