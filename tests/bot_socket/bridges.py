"""Starts and ends `static/bots/mahjong_bot.py`, which joins a bot program to a site."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import Process
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from django.conf import settings

from tests.bot_socket.bot_client import Bot
from tests.web.site import RunningSite

FILE: Final = settings.BASE_DIR / "static" / "bots" / "mahjong_bot.py"
STUB: Final = str(Path(__file__).parent / "stub_bots.py")
MJAI: Final = (
    "import sys; from mjai.bot.rulebase import RulebaseBot; RulebaseBot(int(sys.argv[1])).start()"
)
"""The example of the package `mjai` by the convention of mjai.app."""
MJAI_LIKE_MORTAL: Final = """
import sys
from mjai.bot.rulebase import RulebaseBot

bot = RulebaseBot(int(sys.argv[1]))
for line in sys.stdin:
    answer = bot.react("[" + line + "]")
    if bot.can_act:
        print(answer, flush=True)
"""
"""The same example by the convention of Mortal: it answers each event after which it can act."""


@dataclass(frozen=True)
class Bridge:
    """A running `mahjong_bot.py`. Its messages go to a file: nobody reads them before it ends, and
    a full pipe would block it."""

    process: Process
    messages: IO[bytes]

    async def end(self) -> tuple[dict[str, int], str]:
        """End the bridge; return its counts and its messages."""
        if self.process.returncode is None:
            self.process.terminate()
        out, _ = await self.process.communicate()
        self.messages.seek(0)
        errors = self.messages.read().decode()
        assert self.process.returncode == 0, errors
        return json.loads(out), errors

    def kill(self) -> None:
        """Kill the bridge if it runs, and close the file of its messages."""
        if self.process.returncode is None:
            self.process.kill()
        self.messages.close()


async def bridge(
    running_site: RunningSite, bot: Bot, style: str, command: list[str], server: int = 0
) -> Bridge:
    """Start `mahjong_bot.py`, which plays until it is interrupted."""
    url = f"{running_site.daphnes[server].websocket_url}/ws/bots/"
    messages = TemporaryFile()  # noqa: SIM115  # `Bridge.kill` closes it
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(FILE), "--url", url, "--style", style, "--", *command),
        env={**os.environ, "MAHJONG_BOT_TOKEN": bot.token},
        stdout=asyncio.subprocess.PIPE,
        stderr=messages,
    )
    return Bridge(process, messages)
