"""``manage.py serve``: the whole site for the public, by several processes."""

from __future__ import annotations

import os
import signal
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from mahjong_site import data_dir
from mahjong_site.logs import exit_with_error
from mahjong_site.supervisor.checks import CannotRun, parse_number
from mahjong_site.supervisor.supervisor import PUBLIC_ROLE, Configuration, Supervisor

_MAX_COUNT: Final = 64


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Serve the site: servers of tables and pages on one port, workers, and Redis if needed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", default="8000", help="port to listen on")
        parser.add_argument("--processes", default="2", help="how many servers of tables")
        parser.add_argument("--pages", default="1", help="how many servers of pages")
        parser.add_argument("--workers", default="1", help="how many workers")
        parser.add_argument(
            "--open", action="store_true", help="listen on an address that others can reach"
        )
        parser.add_argument(
            "--reload",
            action="store_true",
            help="replace the processes of the running site one by one, and start nothing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["reload"]:
            _reload()
            return
        try:
            configuration = Configuration(
                host=options["host"],
                port=parse_number("port", options["port"]),
                web_servers=parse_number("number of processes", options["processes"], _MAX_COUNT),
                page_servers=parse_number("number of pages", options["pages"], _MAX_COUNT),
                workers=parse_number("number of workers", options["workers"], _MAX_COUNT),
                is_public=True,
                is_open=options["open"],
            )
            Supervisor(configuration).run()
        except CannotRun as error:
            exit_with_error(str(error))


def _reload() -> None:
    holder = data_dir.find_lock_holder(settings.DATA_DIR, PUBLIC_ROLE)
    if holder is None:
        exit_with_error(f"No site is served from {settings.DATA_DIR}.")
    os.kill(holder, signal.SIGHUP)
