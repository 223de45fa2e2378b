"""``manage.py run``: the whole site in one command."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from mahjong_site.logs import exit_with_error
from mahjong_site.supervisor.checks import CannotRun, parse_number
from mahjong_site.supervisor.supervisor import Configuration, Supervisor


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Run the site: Redis if none is named, the web server and the worker."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", default="8000", help="port to listen on")

    def handle(self, *args: Any, host: str, port: str, **options: Any) -> None:
        try:
            Supervisor(Configuration(host=host, port=parse_number("port", port))).run()
        except CannotRun as error:
            exit_with_error(str(error))
