#!/usr/bin/env python3
"""Joins a bot that speaks mjai on its standard input and output to a riichi mahjong site.

Needs Python 3.11 or newer and the package `websockets` (14 or newer), and nothing else:

    export MAHJONG_BOT_TOKEN=mjbot_...
    python mahjong_bot.py --url wss://example.org/ws/bots/ --style mortal -- python mortal.py

The program is started for each game, with its seat as last argument (or in place of `{seat}`).
The styles:

- mjai.app: a line is a JSON list of events, and each line gets one answer;
- mortal: a line is one event, and only an event after which the bot can act gets an answer;
- akochan: a line is one event; each own draw and each discard of others gets an answer, and reach,
  chi and pon are followed by the discard (`system.exe pipe tactics.json`).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
from collections import Counter

TOKEN = "MAHJONG_BOT_TOKEN"
FINAL_CODES = (4403, 4404, 4409)
"""Close codes after which connecting again is useless: not allowed, no such ladder, or connected
elsewhere."""
SAFETY_S = 1.0
"""The bot's answer is sent so long before the end of the time."""
MAYBE_S = 3.0
"""How long a bot that need not answer is waited for."""
OF_SITE = (
    *("connected", "challenged", "waiting", "seated", "game_over"),
    *("action_ack", "request_action"),
)


class Program:
    """A running bot: lines to it, lines from it."""

    def __init__(self, process):
        self.process = process

    @classmethod
    async def start(cls, command, seat):
        """Start the command for that seat."""
        words = [word.replace("{seat}", str(seat)) for word in command]
        if words == command:
            words.append(str(seat))
        pipe = asyncio.subprocess.PIPE
        return cls(
            await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, limit=2**20)
        )

    async def write(self, value):
        self.process.stdin.write(json.dumps(value).encode() + b"\n")
        with contextlib.suppress(ConnectionError):  # the reader notices that the program has ended
            await self.process.stdin.drain()

    async def read(self, within_s):
        """Return the next answer; None if there is none in time."""
        try:
            while True:
                async with asyncio.timeout(within_s):
                    line = await self.process.stdout.readline()
                if not line:
                    raise EOFError("the bot has ended")
                try:
                    answer = json.loads(line)
                except ValueError:
                    continue  # what is no JSON was meant for people
                if isinstance(answer, dict) and "type" in answer:
                    return answer
        except TimeoutError:
            return None

    async def stop(self):
        self.process.stdin.close()
        try:
            async with asyncio.timeout(5):
                await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


class MjaiApp:
    """Collects the events until a question."""

    def __init__(self, program, seat):
        self.program, self.events = program, []

    async def take(self, event):
        self.events.append(event)

    async def ask(self, request, left_s):
        events, self.events = self.events, []
        if not events:
            return None
        await self.program.write(events)
        return await self.program.read(left_s)


class Mortal:
    """Writes each event. An own draw, call or riichi always gets an answer; if not asked for, as
    in riichi or in a hand that is told anew, the answer is skipped. An answer to a discard of
    others can come when nobody asks for it any more; it is skipped at the next own turn."""

    ANSWERED = ("tsumo", "chi", "pon", "reach")
    OWN_TURN = ("dahai", "reach", "ankan", "kakan", "kita", "nukidora", "ryukyoku")

    def __init__(self, program, seat):
        self.program, self.seat, self.last, self.unasked = program, seat, {}, 0

    async def take(self, event):
        if self.last.get("actor") == self.seat and self.last["type"] in self.ANSWERED:
            self.unasked += 1
        self.last = event
        await self.program.write(event)

    def _is_of_own_turn(self, answer):
        won = answer["type"] == "hora" and answer.get("target") == self.seat
        return won or answer["type"] in self.OWN_TURN

    async def ask(self, request, left_s):
        while self.unasked:
            answer = await self.program.read(left_s)
            if answer is None or self._is_of_own_turn(answer):
                self.unasked -= 1
        is_own = self.last.get("actor") == self.seat
        self.last = {}
        loop = asyncio.get_running_loop()
        until = loop.time() + (left_s if is_own else min(left_s, MAYBE_S))
        while (wait_s := until - loop.time()) > 0:
            answer = await self.program.read(wait_s)
            if answer is None or fits(answer, request["possible_actions"]):
                return answer
            if is_own and answer["type"] in self.OWN_TURN:
                return answer  # not possible, and no other one will come
        return None


class Akochan:
    """Writes each event, and counts the answers that follow from it."""

    FOLLOWED = ("reach", "chi", "pon")

    def __init__(self, program, seat):
        self.program, self.seat, self.due, self.discard = program, seat, 0, None
        self.last = {}

    async def take(self, event):
        self.last = event
        await self.program.write(event)
        is_own = event.get("actor") == self.seat
        if (event["type"] == "tsumo" and is_own) or (event["type"] == "dahai" and not is_own):
            self.due += 1
            self.discard = None

    async def ask(self, request, left_s):
        if self.last.get("actor") == self.seat and self.last["type"] in self.FOLLOWED:
            answer, self.discard = self.discard, None
            return answer
        answer = None
        while self.due:
            answer = await self.program.read(left_s)
            if answer is None:
                return None
            self.due -= 1
            if answer["type"] in self.FOLLOWED:
                self.discard = await self.program.read(left_s)
        return answer


STYLES = {"mjai.app": MjaiApp, "mortal": Mortal, "akochan": Akochan}


def fits(answer, options):
    """Whether the answer can be one of the options. `nukidora` is another name of `kita`."""
    kind = "kita" if answer["type"] == "nukidora" else answer["type"]
    for option in options:
        if option["type"] == kind and (
            kind not in ("dahai", "kakan") or option["pai"] == answer.get("pai")
        ):
            return True
    return False


def fallback(options):
    """What is answered for a bot without a possible answer: pass, or discard the drawn tile."""
    for option in options:
        if option["type"] == "none":
            return option
    discards = [option for option in options if option["type"] == "dahai"]
    return next((one for one in discards if one["tsumogiri"]), discards[-1])


class Bridge:
    """One connection: the events of its games go to a program, the answers come back."""

    def __init__(self, style, command):
        self.style, self.command = STYLES[style], command
        self.program = self.player = None
        self.request = {}
        self.counts = Counter()

    async def run(self, socket, games):
        """Play until so many games are over."""
        try:
            async for text in socket:
                frame = json.loads(text)
                await self.take(socket, frame)
                if frame["type"] == "game_over" and self.counts["games"] >= games > 0:
                    return
        finally:
            await self.end_program()

    async def take(self, socket, frame):
        kind = frame["type"]
        if kind == "request_action":
            self.request = frame
            await self.send(socket, frame, await self.answer(frame))
        elif kind == "action_ack":
            self.counts[frame["status"]] += 1
            if frame["status"] in ("rejected", "unparseable", "defaulted"):
                print(f"mahjong_bot: {json.dumps(frame)}", file=sys.stderr)
            if frame["status"] == "rejected" and frame["request_id"] == self.request["request_id"]:
                await self.send(socket, self.request, fallback(self.request["possible_actions"]))
        elif kind == "game_over":
            self.counts["games"] += 1
        elif kind not in OF_SITE:
            if kind == "start_game":
                await self.end_program()
                self.program = await Program.start(self.command, frame["id"])
                self.player = self.style(self.program, frame["id"])
            if self.player is not None:
                await self.player.take(frame)

    async def answer(self, request):
        left_s = request["time"].get("deadline_ms", 60_000) / 1000 - SAFETY_S
        answer = await self.player.ask(request, max(left_s, 0.2))
        if answer is None or not fits(answer, request["possible_actions"]):
            self.counts["fallback"] += 1
            print(f"mahjong_bot: no answer to {json.dumps(request)}: {answer}", file=sys.stderr)
            return fallback(request["possible_actions"])
        return {name: value for name, value in answer.items() if name != "meta"}

    async def send(self, socket, request, answer):
        self.counts["answers"] += 1
        await socket.send(json.dumps({**answer, "request_id": request["request_id"]}))

    async def end_program(self):
        program, self.program, self.player = self.program, None, None
        if program is not None:
            await program.stop()


async def play(url, token, bridge, games):
    """Connect, and connect again after a connection that broke, until the games are over."""
    import websockets  # not above: the conventions are of use without it

    wait_s = 1.0
    headers = {"Authorization": f"Bearer {token}"}
    while True:
        try:
            async with websockets.connect(url, additional_headers=headers) as socket:
                wait_s = 1.0
                await bridge.run(socket, games)
            if bridge.counts["games"] >= games > 0:
                return
        except websockets.InvalidStatus as answer:
            if answer.response.status_code in (401, 403):
                sys.exit("mahjong_bot: the site does not accept the token")
        except websockets.ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code in FINAL_CODES:
                sys.exit(f"mahjong_bot: closed by the site: {closed.rcvd.code}")
        except (OSError, EOFError, websockets.WebSocketException) as error:
            print(f"mahjong_bot: {error}", file=sys.stderr)
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, 30.0)


async def play_until_ended(*arguments):
    """Play until the games are over or SIGTERM comes. An exception out of a signal handler could be
    raised anywhere, also while the program is being ended; a cancelled task ends it first."""
    task, ends = asyncio.current_task(), []

    def end():
        if not ends:
            ends.append(task.cancel())

    with contextlib.suppress(NotImplementedError):  # Windows, where SIGTERM cannot be handled
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end)
    await play(*arguments)


def main(arguments=None):
    """Run a bot as the arguments say."""
    parser = argparse.ArgumentParser(description="Join a bot to a riichi mahjong site.")
    parser.add_argument("--url", required=True, help="such as wss://example.org/ws/bots/")
    parser.add_argument("--style", required=True, choices=sorted(STYLES))
    parser.add_argument("--games", type=int, default=0, help="end after so many games; 0: never")
    parser.add_argument("command", nargs="+", help="the bot and its arguments, after --")
    given = parser.parse_args(arguments)
    token = os.environ.get(TOKEN, "")
    if not token:
        sys.exit(f"mahjong_bot: put the token into the environment variable {TOKEN}")
    bridge = Bridge(given.style, given.command)
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(play_until_ended(given.url, token, bridge, given.games))
    print(json.dumps(bridge.counts))


if __name__ == "__main__":
    main()
