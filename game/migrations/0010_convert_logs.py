"""Move the logs of games to `GameLog` in their short form, and copy facts of games to the rows of
their players.

Each batch is a transaction of its own. If the migration is stopped, the next `migrate` goes on
where it was. A log that cannot be read stays where it is.
"""

from __future__ import annotations

import sys
import time
import zlib
from typing import Any, Final

from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Max, OuterRef, Subquery

from game.archive.game_log import FORMAT, encode_log, entries_of
from game.engine.commands import EndGame
from game.tables.codec import decode_commits

_GAMES: Final = 200
_ROWS: Final = 5_000
_REVISION: Final = 2
"""The revision of the archive in this release: 1 with the log in its new form."""
_REPORT_EVERY_S: Final = 10.0
_FACTS: Final = ("ended_at", "is_public", "is_broken_off", "preset")


class _Progress:
    """Reports the progress of a long conversion on stderr, every ten seconds."""

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total = what, total
        self._next_at = time.monotonic() + _REPORT_EVERY_S

    def report(self, done: int) -> None:
        if (now := time.monotonic()) >= self._next_at:
            print(f"{self._what}: {done:,} of {self._total:,}", file=sys.stderr, flush=True)
            self._next_at = now + _REPORT_EVERY_S


def _convert_logs(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    games: Any = apps.get_model("game", "Game")
    old = games.objects.exclude(log=b"").order_by("pk")
    progress, done, last = _Progress("logs converted", old.count()), 0, ""
    while True:
        with transaction.atomic(using=schema_editor.connection.alias):
            batch = list(old.filter(pk__gt=last).select_for_update()[:_GAMES])
            if not batch:
                return
            _convert_batch(apps, batch)
        last, done = batch[-1].pk, done + len(batch)
        progress.report(done)


def _convert_batch(apps: StateApps, batch: list[Any]) -> None:
    logs: Any = apps.get_model("game", "GameLog")
    games: Any = apps.get_model("game", "Game")
    new, broken_off = [], []
    for game in batch:
        try:
            commits = decode_commits(zlib.decompress(game.log))
            data = encode_log(entries_of(commits))
        except Exception as error:
            print(f"the log of game {game.pk} cannot be read: {error}", file=sys.stderr)
            continue
        new.append(logs(game_id=game.pk, format=FORMAT, data=data, ended_at=game.ended_at))
        if any(isinstance(command, EndGame) for commit in commits for command in commit.commands):
            broken_off.append(game.pk)
    logs.objects.bulk_create(new)
    moved = games.objects.filter(pk__in=[log.game_id for log in new])
    moved.update(log=b"")
    moved.filter(revision=_REVISION - 1).update(revision=_REVISION)
    games.objects.filter(pk__in=broken_off).update(is_broken_off=True)


def _copy_facts(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    games: Any = apps.get_model("game", "Game")
    game = games.objects.filter(pk=OuterRef("game_id"))
    facts = {name: Subquery(game.values(name)[:1]) for name in _FACTS}
    for name in ("GameSeat", "GamePlayer"):
        rows: Any = apps.get_model("game", name).objects
        last = rows.aggregate(last=Max("pk"))["last"] or 0
        progress = _Progress(f"rows of {name} filled in", last)
        for first in range(0, last + 1, _ROWS):
            rows.filter(pk__gte=first, pk__lt=first + _ROWS, ended_at=None).update(**facts)
            progress.report(first)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("game", "0009_game_logs"),
    ]

    operations = [
        migrations.RunPython(_convert_logs, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(_copy_facts, migrations.RunPython.noop, elidable=True),
    ]
