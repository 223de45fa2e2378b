"""`manage.py worker`: do what is due at the running tables. Run as many as you like."""

from __future__ import annotations

import asyncio
import signal
from functools import partial
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string

from game.bots.preferences import load_networks
from game.live.process import ARCHIVE, close_current, current
from game.operations import metrics_page
from game.results.ratings import rate_queued_games
from game.reviews.computing import stop_computing
from game.tables import worker
from game.tables.database import check_history_at_start
from game.tables.stored_form import OtherForm, check_tables
from game.tables.worker import Worker, repair_index
from mahjong_site import ready_signal
from mahjong_site.interpreter import collect_garbage_rarely, take_short_turns


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Plays for bots and absent players, keeps time, pairs those who wait, archives games."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.METRICS_PORT:
            try:
                metrics_page.serve_metrics(
                    settings.METRICS_PORT, is_successor=ready_signal.is_awaited()
                )
            except OSError as error:
                raise ImproperlyConfigured(
                    f"METRICS_PORT {settings.METRICS_PORT}: {error}."
                ) from None
        check_history_at_start()
        try:
            asyncio.run(check_tables(settings.REDIS_URL))
        except OtherForm as error:
            raise ImproperlyConfigured(str(error)) from None
        load_networks()  # later, the first decision of a bot would delay all tables
        collect_garbage_rarely()
        take_short_turns()
        asyncio.run(_work())


async def _work() -> None:
    """Work until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    process = await current()
    process.due_work.start_timers(plays_bots=True)

    archive = partial(ARCHIVE.archive_game, process.service)

    async def repair() -> float:
        return await repair_index(process.service)

    tasks = [repair, ARCHIVE.reread_old_games, *map(import_string, settings.PERIODIC_TASKS)]
    try:
        ready_signal.tell_ready()
        await asyncio.gather(
            Worker(process.service, process.due_work, process.worker_beats, archive).run(stop),
            worker.run_periodic_tasks(tasks, stop),
            worker.run_periodic_tasks([rate_queued_games], stop),  # does not delay the other tasks
        )
    finally:
        await stop_computing()
        await close_current()
