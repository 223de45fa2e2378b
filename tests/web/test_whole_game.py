"""Real clients play a whole hanchan, of four and of three players, through two Daphnes and one
Redis."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from msgspec.structs import replace

from game.engine.events import GameEnded, HandStarted, NorthSetAside
from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.records.formats import FORMATS
from game.records.wall_check import check_record
from tests.web.folding import fold
from tests.web.leak_scan import SPECTATOR_VIEWER, scan
from tests.web.players import Client, NewClient, choose_to_win
from tests.web.site import RunningSite
from tests.web.tables import log_of, open_table
from tests.web.visitor import FetchedPage, Visitor

HANCHAN = replace(TENHOU, renchan="none", extra_round=False)
"""Rules of a game of eight hands, unless a hand is aborted or somebody is below zero."""
OF_THREE = replace(preset("tenhou-3"), renchan="none", extra_round=False)
NAMES = ("Anna", "Bruno", "Chika", "Dora")
CUT_AFTER = 10
"""The number of events between two cuts of the first client's connection."""


async def play_with_cuts(client: Client, urls: list[str]) -> int:
    """Play to the end, but cut the connection after every tenth event and reconnect to the other
    server. Return the number of cuts."""
    cuts = 0
    while not client.has_ended:
        await client.play(until_seq=client.seq + CUT_AFTER)
        await client.cut()
        cuts += 1
        client.url = urls[cuts % len(urls)]
    return cuts


async def spectate(client: Client) -> None:
    """Receive frames until the game is over, and send nothing but pings."""
    await client.open()
    while not client.has_ended:
        await client.receive()
        await client.beat()
    await client.close()


def views_by_seq(frames: list[str]) -> dict[int, dict[str, object]]:
    """Return the view after each event, by its number, from the frames of one connection. The
    reader's furiten is left out: a frame has it only for its last event."""
    views: dict[int, dict[str, object]] = {}
    view: dict[str, object] = {}
    for text in frames:
        frame = json.loads(text)
        if frame["t"] == "sync":
            view = frame["view"]
            views[frame["seq"]] = without_furiten(view)
        for number, event in enumerate(frame.get("e", ()), start=1):
            view = fold(view, [event])
            views[frame["seq"] - len(frame["e"]) + number] = without_furiten(view)
    return views


def without_furiten(view: dict[str, object]) -> dict[str, object]:
    copied = json.loads(json.dumps(view))
    for hand in copied["hands"]:
        hand["furiten"] = None
    return dict(copied)


@pytest.mark.parametrize("rules", [HANCHAN, OF_THREE], ids=["four", "three"])
async def test_a_whole_game_with_cuts_and_spectators(
    running_site: RunningSite, new_client: NewClient, rules: RuleSet
) -> None:
    people = running_site.sign_in(*NAMES[: rules.players])
    table_id = await open_table(running_site.redis.url, people, rules=rules, draws_wall=True)
    urls = [running_site.socket_url(table_id, server) for server in (0, 1)]
    players = [
        new_client(urls[seat % 2], person.cookie, seed=seat, choose=choose_to_win)
        for seat, person in enumerate(people)
    ]
    twin = new_client(urls[1], people[0].cookie)
    spectator = new_client(urls[0])

    results = await asyncio.gather(
        play_with_cuts(players[0], urls),
        *(player.play() for player in players[1:]),
        spectate(twin),
        spectate(spectator),
    )
    for player in players:
        await player.close()

    log = await log_of(running_site.redis.url, table_id)
    assert isinstance(log[-1], GameEnded)
    assert any(isinstance(event, HandStarted) for event in log[3:])
    assert any(isinstance(event, NorthSetAside) for event in log) == (rules.players == 3)
    viewers = [(seat, player) for seat, player in enumerate(players)]
    for viewer, client in [*viewers, (0, twin), (SPECTATOR_VIEWER, spectator)]:
        assert client.has_ended
        assert client.you == (viewer if viewer < SPECTATOR_VIEWER else None)
        assert not client.errors
        assert client.view is not None
        assert client.view["scores"] == list(log[-1].scores)
        assert scan(client.frames, log, viewer) > 1000

    assert isinstance(results[0], int)
    assert results[0] > players[0].seq / (2 * CUT_AFTER)
    _check_syncs_against_twin(players[0], twin)
    _check_clock_continues(players[0])
    await _is_archived(running_site, table_id, rules.players)


def _check_syncs_against_twin(cut: Client, twin: Client) -> None:
    """Check that each view that the cut client was sent again is the one that its twin has
    folded."""
    views = views_by_seq(twin.frames)
    syncs = [frame for frame in map(json.loads, cut.frames) if frame["t"] == "sync"]
    assert len(syncs) > 20
    for frame in syncs:
        if frame["seq"] >= min(views):
            assert without_furiten(frame["view"]) == views[frame["seq"]]


def _check_clock_continues(cut: Client) -> None:
    """Check that a client that reconnects during a question gets the same clock from the other
    server."""
    restored = 0
    last = None
    for frame in map(json.loads, cut.frames):
        if frame["t"] == "sync" and last is not None and last["seq"] == frame["seq"]:
            assert frame["clock"] == last.get("clock")
            restored += frame["clock"] is not None
        if frame["t"] in ("sync", "ev"):
            last = frame
    assert restored > 5


async def _is_archived(running_site: RunningSite, table_id: str, players: int) -> None:
    visitor = Visitor(running_site.daphnes[0].url)

    async def page(path: str) -> FetchedPage:
        return await asyncio.to_thread(visitor.get, path)

    until = time.monotonic() + 20
    while (await page(f"/game/{table_id}/")).status != 200:
        assert time.monotonic() < until, "the finished game has not reached the database"
        await asyncio.sleep(0.1)
    assert (await page(f"/game/{table_id}/")).text.count('class="place"') == players
    for kind in FORMATS.keys() - {"tenhou6_hands"}:  # a hand alone has no proof
        report = check_record((await page(f"/game/{table_id}/{kind}/")).text.encode())
        assert (report.pages, report.draws, report.problems) == (tuple(range(players)), 1, ())
    while table_id in (await page("/watch/")).text:
        assert time.monotonic() < until, "the finished game is still listed as live"
        await asyncio.sleep(0.1)
