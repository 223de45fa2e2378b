"""Joins a bot that speaks mjai on its standard input and output to a site.

It does the same as the file that the site offers at `/static/bots/mahjong_bot.py`, which needs
nothing of this project. The token is read from the environment.
"""

from __future__ import annotations

import runpy
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

_FILE = settings.BASE_DIR / "static" / "bots" / "mahjong_bot.py"


class Command(BaseCommand):
    help = "Join a bot that speaks mjai to a site: --url URL --style STYLE -- COMMAND"
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--url", required=True, help="such as wss://example.org/ws/bots/")
        parser.add_argument("--style", required=True, help="mjai.app, mortal or akochan")
        parser.add_argument("--games", type=int, default=0, help="end after so many; 0: never")
        parser.add_argument("command", nargs="+", help="the bot and its arguments, after --")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            program = runpy.run_path(str(_FILE), run_name="mahjong_bot")
        except ModuleNotFoundError as error:
            raise CommandError(f"{error}. Install it with: pip install websockets") from None
        arguments = ["--url", options["url"], "--style", options["style"]]
        arguments += ["--games", str(options["games"]), "--", *options["command"]]
        program["main"](arguments)
