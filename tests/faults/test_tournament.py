"""Programs play a tournament to its end over real sockets, while processes are killed.

Eight players play two rounds; with LONG=1, 64 players play eight rounds. The process that starts a
round is killed between two steps, and web servers and the worker while games run. The standings
have to equal a recount from the records of the games. With `-s` the figures are printed.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from decimal import Decimal
from itertools import combinations
from typing import Any, Final
from urllib.request import urlopen

import msgspec
import pytest

from game.archive.game_log import decode_log
from game.engine.events import GameEnded
from tests.faults.event_players import (
    UMA,
    WITHIN_S,
    is_expected,
    player,
    rows,
    run_script,
    until,
)
from tests.faults.site import SHORT_GAME
from tests.kit.long_form import IS_LONG
from tests.kit.processes import Daphne, Site
from tests.web.site import RunningSite, SignedPerson

PLAYERS: Final = 64 if IS_LONG else 8
ROUNDS: Final = 8 if IS_LONG else 2
PATH: Final = "/clubs/thursday/events/cup/"
KILLS: Final = 3
"""The number of killed processes in each round: the one that starts it, a web server and the
worker."""
_FOUND: Final = """
import json, sys
from lobby.models import Club, EventPlayer, Person, Event
given = json.load(sys.stdin)
club = Club.objects.create(slug="thursday", name="Thursday Club", entry="open")
cup = Event.objects.create(
    club=club, slug="cup", name="Cup", rules=given["rules"], clock="5+20",
    format="rounds", rounds=given["rounds"], method="balanced", fill="refuse", round_minutes=90,
)
for person in given["people"]:
    EventPlayer.objects.create(event=cup, person_id=person)
"""
_START: Final = """
import asyncio, json, os, signal, sys
from channels.db import database_sync_to_async
from game.live.process import close_current
from lobby.events import rounds
from lobby.models import Event

given = json.load(sys.stdin)
done = 0

def counted(step):
    def run(*args, **named):
        global done
        outcome = step(*args, **named)
        done += 1
        if done == given["killed_after"]:
            os.kill(os.getpid(), signal.SIGKILL)
        return outcome
    return run

for name in ("start_round", "record_game", "record_open"):
    setattr(rounds, name, counted(getattr(rounds, name)))

async def main():
    cup = await Event.objects.select_related("club").aget()
    await database_sync_to_async(rounds.start_round)(cup, given["round"])
    await rounds.open_tables(cup)
    await close_current()

asyncio.run(main())
"""


def tables(site: Site, number: int) -> list[tuple[str, list[int]]]:
    """Return the ids and seats of the open tables of that round."""
    found = rows(
        site,
        "SELECT table_id, seats FROM lobby_eventtable"
        f" WHERE round = {number} AND is_open ORDER BY number",
    )
    return [(table_id, json.loads(seats)) for table_id, seats in found]


async def play_round(
    running_site: RunningSite, number: int, people: dict[str, SignedPerson]
) -> None:
    """Play all tables of the round, and kill processes meanwhile."""
    site, count = running_site.site, PLAYERS // 4
    await until(lambda: len(tables(site, number)) == count, "all tables are open")
    entrants = dict(rows(site, "SELECT number, person_id FROM lobby_eventplayer"))
    players = [
        player(running_site.daphnes, table_id, people[entrants[seat]], 100 * number + at)
        for table_id, seats in tables(site, number)
        for at, seat in enumerate(seats)
    ]
    tasks = [asyncio.create_task(client.play()) for client in players]
    try:
        await until(lambda: any(client.seq > 20 for client in players), "the games run")
        victim = running_site.daphnes[number % len(running_site.daphnes)]
        victim.kill()
        running_site.workers[0].kill()
        await asyncio.to_thread(victim.start)
        running_site.workers[0].start()
        async with asyncio.timeout(WITHIN_S):
            await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for client in players:
            await client.cut()
    played = count * number
    await until(
        lambda: rows(site, "SELECT count(*) FROM game_game") == [(played,)], "all are archived"
    )
    errors = [json.loads(text) for client in players for text in client.unexpected_errors]
    wrong = Counter(str(error) for error in errors if not is_expected(error))
    assert not wrong, wrong.most_common(20)


def recount(site: Site) -> dict[str, Decimal]:
    """Return the points of each player, from the last event of each record."""
    entrants = dict(rows(site, "SELECT number, person_id FROM lobby_eventplayer"))
    points: dict[str, Decimal] = {}
    logs = dict(rows(site, "SELECT game_id, data FROM game_gamelog"))
    for table_id, seats in rows(site, "SELECT table_id, seats FROM lobby_eventtable"):
        events = [event for entry in decode_log(logs[table_id]) for event in entry.events]
        last = events[-1]
        assert isinstance(last, GameEnded)
        order = sorted(range(4), key=lambda seat: (-last.scores[seat], seat))
        for place, seat in enumerate(order):
            reached = Decimal(last.scores[seat] - SHORT_GAME.return_points) / 1000 + UMA[place]
            person = entrants[json.loads(seats)[seat]]
            points[person] = points.get(person, Decimal(0)) + reached
    return points


def read_standings(server: Daphne) -> dict[str, Any]:
    with urlopen(f"{server.url}{PATH}standings.json", timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


@pytest.mark.timeout(7_200 if IS_LONG else 1_200)
@pytest.mark.asyncio
async def test_tournament_survives_killed_processes(site: Site) -> None:
    site.env["TABLE_PACE"] = "0.02"
    site.env["SOCKETS_PER_ADDRESS"] = "0"
    running_site = RunningSite(
        site, [site.start_daphne(), site.start_daphne()], [site.start_worker()]
    )
    signed = running_site.sign_in(*(f"p{number}" for number in range(PLAYERS)))
    people = {visitor.person.replace("-", ""): visitor for visitor in signed}
    found = {
        "rules": msgspec.to_builtins(SHORT_GAME),
        "rounds": ROUNDS,
        "people": [visitor.person for visitor in signed],
    }
    assert run_script(site, _FOUND, found) == 0
    for number in range(1, ROUNDS + 1):
        given = {"round": number, "killed_after": 1 + number}
        assert await asyncio.to_thread(run_script, site, _START, given) == -9
        await play_round(running_site, number, people)
    standings = await asyncio.to_thread(read_standings, running_site.daphnes[0])
    shown = {
        row["player"].replace("-", ""): Decimal(row["points"]) for row in standings["standings"]
    }
    assert shown == recount(site)
    assert len(shown) == PLAYERS
    assert sum(shown.values()) == 0
    games = rows(site, "SELECT count(*), sum(is_broken_off) FROM game_game")
    assert games == [(ROUNDS * PLAYERS // 4, 0)]
    assert (
        len(rows(site, "SELECT DISTINCT table_id FROM lobby_eventtable")) == ROUNDS * PLAYERS // 4
    )
    seated = [json.loads(seats) for (seats,) in rows(site, "SELECT seats FROM lobby_eventtable")]
    pairs = Counter(pair for seats in seated for pair in combinations(sorted(seats), 2))
    if IS_LONG:  # eight players cannot avoid meeting again in the second round
        assert max(pairs.values()) == 1
    hands = rows(site, "SELECT sum(json_array_length(hands)) FROM game_game")
    print(
        f"{games[0][0]} games, {hands[0][0]} hands, {KILLS * ROUNDS} processes killed, "
        f"{len(shown)} standings equal the recount, sum {sum(shown.values())}, "
        f"{len(pairs)} pairs met, at most {max(pairs.values())} times"
    )
