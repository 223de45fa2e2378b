"""Bot programs that read and write mjai lines play at a site through `mahjong_bot.py`.

By default the first hand is played. BRIDGED_GAMES=N plays N games; BRIDGED_LENGTH=east_south makes
them whole ones. BRIDGED_PYTHON names a Python that has the package `mjai` of mjai.app; then the
example of that package plays in all four seats.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection, serve

from game.engine.events import GameEnded, HandEnded
from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from tests.bot_socket.bot_client import Bot, bot_table
from tests.bot_socket.bridges import FILE, MJAI, STUB, bridge
from tests.bot_socket.conftest import FIRST_OF_THREE
from tests.kit.processes import wait_until
from tests.web.site import RunningSite
from tests.web.tables import log_of

GAMES: Final = int(os.environ.get("BRIDGED_GAMES", "0"))
LENGTH: Final[Any] = os.environ.get("BRIDGED_LENGTH", "east")
PYTHON: Final = os.environ.get("BRIDGED_PYTHON", "")
STYLES: Final = ("mjai.app", "mortal", "akochan", "mjai.app")


@pytest.fixture
def bots(all_bots: list[Bot]) -> list[Bot]:
    return all_bots[11:15]


async def play_bridges(
    running_site: RunningSite,
    bots: list[Bot],
    commands: list[tuple[str, list[str]]],
    rules: RuleSet = TENHOU,
) -> list[tuple[dict[str, int], str]]:
    """Let these programs play; return the counts and the messages of each bridge."""
    running = [
        await bridge(running_site, bot, *command)
        for bot, command in zip(bots, commands, strict=True)
    ]
    try:
        rules = replace(rules, length=LENGTH)
        for _ in range(GAMES or 1):
            table_id = await bot_table(running_site.redis.url, bots, rules=rules)
            last = GameEnded if GAMES else HandEnded
            while not any(
                isinstance(event, last) for event in await log_of(running_site.redis.url, table_id)
            ):
                assert all(started.process.returncode is None for started in running)
                await asyncio.sleep(0.3)
        return [await started.end() for started in running]
    finally:
        for started in running:
            started.kill()


def check_counts(counts: dict[str, int], errors: str) -> None:
    """Check that the server accepted every answer of the bridge."""
    assert counts.get("games", 0) >= GAMES - 1  # the last game may not have been reported yet
    assert counts["accepted"] > 5
    assert "rejected" not in counts, errors
    assert "unparseable" not in counts, errors


@pytest.mark.timeout(600 * max(GAMES, 1))
async def test_programs_of_three_conventions_play_together(
    running_site: RunningSite, bots: list[Bot]
) -> None:
    commands = [(style, [sys.executable, STUB, style]) for style in STYLES]
    for counts, errors in await play_bridges(running_site, bots, commands):
        check_counts(counts, errors)


@pytest.mark.timeout(600 * max(GAMES, 1))
async def test_programs_of_three_conventions_set_norths_aside(
    running_site: RunningSite, all_bots: list[Bot]
) -> None:
    bots = all_bots[FIRST_OF_THREE + 3 : FIRST_OF_THREE + 6]
    commands = [(style, [sys.executable, STUB, style]) for style in STYLES[:3]]
    for counts, errors in await play_bridges(running_site, bots, commands, preset("tenhou-3")):
        check_counts(counts, errors)
        assert "nukidora" not in errors


@pytest.mark.skipif(not PYTHON, reason="BRIDGED_PYTHON=python with the package mjai")
@pytest.mark.timeout(600 * max(GAMES, 1))
async def test_example_of_mjai_app_plays(running_site: RunningSite, bots: list[Bot]) -> None:
    commands = [("mjai.app", [PYTHON, "-c", MJAI]) for _ in STYLES]
    for counts, errors in await play_bridges(running_site, bots, commands):
        print(counts)
        check_counts(counts, errors)


SLOW_TO_END: Final = """
import os, pathlib, sys, time
pathlib.Path(sys.argv[1], "started").write_text(str(os.getpid()))
sys.stdin.read()  # until the bridge closes it
pathlib.Path(sys.argv[1], "told to end").touch()
time.sleep(600)
"""


async def test_second_sigterm_leaves_no_program_behind(tmp_path: Path) -> None:
    async def tell_a_start(socket: ServerConnection) -> None:
        await socket.send('{"type":"start_game","id":0,"names":["","","",""]}')
        await socket.wait_closed()

    async with serve(tell_a_start, "127.0.0.1", 0) as server, asyncio.timeout(60):
        url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(FILE), "--url", url, "--style", "mortal", "--"),
            *(sys.executable, "-c", SLOW_TO_END, str(tmp_path)),
            env={**os.environ, "MAHJONG_BOT_TOKEN": "token"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        for event in ("started", "told to end"):
            exists = (tmp_path / event).exists
            await asyncio.to_thread(wait_until, exists, within_s=30, what=f"it has {event}")
            process.terminate()
        out, errors = await process.communicate()
    assert (process.returncode, out, errors) == (0, b"{}\n", b"")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "started").read_text()), 0)


async def test_command_names_missing_arguments() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "manage.py", "bot", "--url", "ws://127.0.0.1:9/ws/bots/"),
        *("--style", "mortal", "--", "true"),
        cwd=settings.BASE_DIR,
        env={name: value for name, value in os.environ.items() if name != "MAHJONG_BOT_TOKEN"},
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await process.communicate()
    assert process.returncode
    assert "MAHJONG_BOT_TOKEN" in errors.decode()


async def test_example_of_the_page_plays(
    running_site: RunningSite, all_bots: list[Bot], tmp_path: Path
) -> None:
    page = (settings.BASE_DIR / "docs" / "bots.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len([line for line in source.splitlines() if line.strip()]) <= 50
    (tmp_path / "bot.py").write_text(source)
    bot = all_bots[17]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "bot.py", f"{running_site.daphnes[0].websocket_url}/ws/bots/"),
        cwd=tmp_path,
        env={**os.environ, "MAHJONG_BOT_TOKEN": bot.token},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        url = running_site.redis.url
        table_id = await bot_table(url, [bot])
        assert process.stdout is not None
        answers, log = 0, await log_of(url, table_id)
        # A game can end by a bust after few hands, and then asks no more.
        while answers < 10 or not any(isinstance(event, HandEnded) for event in log):
            try:
                async with asyncio.timeout(60):
                    line = await process.stdout.readline()
            except TimeoutError:
                pytest.fail(f"no answer after {answers}: {(await log_of(url, table_id))[-8:]}")
            assert line.split()[:1] in ([b"accepted"], [b"stale"]), line
            answers += 1
            log = await log_of(url, table_id)
    finally:
        process.kill()
        await process.wait()
