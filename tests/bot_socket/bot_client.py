"""A bot at `/ws/bots/`, which knows only what it is sent and plays by shanten."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import websockets
from django.conf import settings

from game.engine.clock import ClockSettings
from game.engine.hand import distance
from game.engine.rules import TENHOU, RuleSet
from game.engine.tiles import TEXT_TO_TILE
from game.live.process import Process
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from lobby.play.backend import Backend
from lobby.play.player_location import Location, set_location
from tests.web.site import RunningSite
from tests.web.tables import AT_ONCE

_REGISTER: Final = """
import json, sys
from django.contrib.auth.models import User
from lobby.accounts.names import look_key, name_key
from lobby.bots import accounts
from lobby.models import Person

def register(owner_name, names):
    user = User.objects.create(username=owner_name)
    keys = {"name_key": name_key(owner_name), "look_key": look_key(owner_name)}
    owner = Person.objects.create(name=owner_name, user=user, **keys)
    made = []
    for name in names:
        bot = accounts.register_bot(owner, name, is_open=False)
        token = accounts.create_token(bot, "test", ["play", "tables"])
        made.append([str(bot.pk), bot.person.name, token, str(owner.pk)])
    return made

owners = json.load(sys.stdin)
made = [bot for owner, names in owners.items() for bot in register(owner, names)]
print("made:" + json.dumps(made))
"""
PATIENCE_S: Final = 60.0


@dataclass(frozen=True)
class Bot:
    """A bot account with a token that has all scopes."""

    person: str
    name: str
    token: str
    owner: str


def register_bots(running_site: RunningSite, owner: str, *names: str) -> list[Bot]:
    """Register bots with these names for a new account, their owner."""
    return register_bots_of(running_site, {owner: names})


def register_bots_of(running_site: RunningSite, owners: Mapping[str, Sequence[str]]) -> list[Bot]:
    """Register bots of new accounts. `owners` has the names of the bots by the name of their
    owner."""
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", _REGISTER],
        input=json.dumps(owners),
        env=running_site.site.env,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("made:"))
    return [Bot(*row) for row in json.loads(line.removeprefix("made:"))]


async def bot_table(
    url: str,
    bots: Sequence[Bot],
    clock: ClockSettings = AT_ONCE,
    rules: RuleSet = TENHOU,
    *,
    fill: str = "tsumogiri",
) -> TableId:
    """Open a table at which these bots have the first seats and the site's own bots the others."""
    seats = [SeatMeta(bot.name, bot.person, is_program=True) for bot in bots]
    seats += [SeatMeta(f"b{seat}", bot=fill) for seat in range(len(seats), rules.players)]
    process = Process(url)
    try:
        table_id = await process.service.open_table(
            TableMeta(
                seats=tuple(seats),
                clock=clock,
                settings=TableSettings(rules=rules),
            )
        )
        for bot in bots:
            await set_location(Backend(process), bot.person, Location("table", table_id))
        return table_id
    finally:
        await process.stop()


class BotClient:
    """One connection of a bot."""

    def __init__(self, url: str, token: str, *, seed: int = 0, headers: Any = ()) -> None:
        self.url = url
        self.query = ""
        self.headers = {"Authorization": f"Bearer {token}", **dict(headers)}
        self.frames: list[str] = []
        self.game: list[dict[str, Any]] = []
        """The mjai lines since the last `start_game`."""
        self.acks: Counter[str] = Counter()
        self.refused: list[dict[str, Any]] = []
        self.seat = -1
        self._hand: Counter[int] = Counter()
        self._chance = Random(seed)
        self._socket: websockets.ClientConnection | None = None

    async def open(self) -> None:
        self._socket = await websockets.connect(
            f"{self.url}/ws/bots/{self.query}",
            additional_headers=self.headers,
            open_timeout=PATIENCE_S,
        )

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def cut(self) -> None:
        """Let the connection break."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def send(self, frame: Any) -> None:
        assert self._socket is not None
        await self._socket.send(frame if isinstance(frame, str | bytes) else json.dumps(frame))

    async def receive(self, within_s: float = PATIENCE_S) -> dict[str, Any]:
        """Return the next frame, after the bot has taken it in."""
        assert self._socket is not None
        async with asyncio.timeout(within_s):
            text = await self._socket.recv()
        assert isinstance(text, str)
        self.frames.append(text)
        frame: dict[str, Any] = json.loads(text)
        self._take(frame)
        return frame

    async def until(self, kind: str) -> dict[str, Any]:
        """Return the next frame of that type; the bot takes in those before it."""
        while (frame := await self.receive())["type"] != kind:
            pass
        return frame

    async def play(self, last: str = "game_over") -> None:
        """Answer every question until a frame of that type comes."""
        while (frame := await self.receive())["type"] != last:
            if frame["type"] == "request_action":
                await self.answer(frame)

    async def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = {**self.choose(request["possible_actions"]), "request_id": request["request_id"]}
        await self.send(answer)
        return answer

    def choose(self, options: list[dict[str, Any]]) -> dict[str, Any]:
        always = ("hora", "kita", "reach", "ankan", "kakan")
        for wanted, chance in (*((kind, 1.0) for kind in always), ("pon", 0.3)):
            found = [option for option in options if option["type"] == wanted]
            if found and self._chance.random() < chance:
                return self._chance.choice(found)
        discards = [option for option in options if option["type"] == "dahai"]
        if not discards:
            quiet = [option for option in options if option["type"] == "none"]
            return self._chance.choice(quiet or options)
        return min(discards, key=lambda discard: (self._after(discard), self._chance.random()))

    def _after(self, discard: dict[str, Any]) -> int:
        rest = self._hand - Counter([TEXT_TO_TILE[discard["pai"]]])
        return distance(tuple(sorted(rest.elements())))[0]

    def _take(self, frame: dict[str, Any]) -> None:
        kind = frame["type"]
        if kind == "action_ack":
            self.acks[frame["status"]] += 1
            if frame["status"] not in ("accepted", "stale"):
                self.refused.append(frame)
            return
        if kind in ("connected", "challenged", "waiting", "seated", "game_over", "request_action"):
            return
        if kind == "start_game":
            self.game, self.seat = [], frame["id"]
        self.game.append(frame)
        if kind == "start_kyoku":
            self._hand = Counter(TEXT_TO_TILE[tile] for tile in frame["tehais"][self.seat])
        if frame.get("actor") != self.seat:
            return
        if kind == "tsumo":
            self._hand[TEXT_TO_TILE[frame["pai"]]] += 1
        elif kind == "dahai":
            self._hand[TEXT_TO_TILE[frame["pai"]]] -= 1
        elif kind in ("chi", "pon", "daiminkan", "ankan"):
            self._hand -= Counter(TEXT_TO_TILE[tile] for tile in frame["consumed"])
        elif kind in ("kakan", "kita"):
            self._hand[TEXT_TO_TILE[frame["pai"]]] -= 1
