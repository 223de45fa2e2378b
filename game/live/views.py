"""The pages of tables, and the two health checks."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from game.archive.hand_schedule import delay_minutes
from game.identity.seat_proofs import RENEW_EVERY_S
from game.identity.sessions import person_of
from game.live.authentication import set_seat_proof
from game.live.process import Process, current, running_room
from game.redis.errors import OUTAGES
from game.redis.pipeline import Command, Pipeline
from game.results import history
from game.tables import worker
from game.tables.bridge import ask
from game.tables.database import can_write
from game.tables.errors import TablesUnavailable
from game.tables.keys import SHARDS
from game.tables.room import TableMeta

log = logging.getLogger(__name__)

_PROBE_EXPIRES_MS: Final = 60_000
_PROBE_ANSWERED_WITHIN_S: Final = 1.0


@never_cache
@require_safe
@gzip_page  # the page contains the table's frame, which slow networks should receive quickly
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """Show the page of a table, for players and spectators. Its socket sends the game."""
    try:
        room = ask(running_room(table_id))
    except TablesUnavailable as error:
        log.warning("table %s cannot be shown: %s", table_id, error)
        return render(request, "lobby/unavailable.html", status=503)
    person = person_of(request.session)
    you = None if room is None else room.seat_of(person)
    if room is None or (you is None and room.meta.settings.watch == "nobody"):
        played = history.find_game(table_id)
        if played is None or not history.can_see(played, person):
            raise Http404
        return redirect("game:game", table_id=table_id)
    context = {
        "table_id": table_id,
        "ws_path": f"/ws/table/{table_id}/",
        "you": you,
        "watch_note": _watch_note(room.meta),
        "guided": room.meta.guided,
        "is_archived": room.meta.settings.is_archived,
        "is_practice": room.meta.settings.purpose == "practice",
        "draws_wall": room.table.is_drawing_wall,
        "proof_every_s": RENEW_EVERY_S,
        "rules": room.table.rules,
        "is_new_to_three": you is not None
        and room.meta.settings.help
        and room.table.rules.players == 3
        and not history.has_finished_game(person, 3),
    }
    response = render(request, "game/table.html", context)
    if you is not None:
        set_seat_proof(request, response, room)
    return response


def _watch_note(meta: TableMeta) -> str:
    """Return one line for players that says which hands spectators see, and when."""
    minutes = delay_minutes(meta.settings.watch_delay_s)
    if meta.settings.watch == "closed_delayed":
        text = ngettext(
            "Hands are closed. You see each hand %(minutes)d minute after it is over.",
            "Hands are closed. You see each hand %(minutes)d minutes after it is over.",
            minutes,
        )
    elif meta.settings.watch == "open_delayed" and meta.settings.opens_after == "game":
        text = ngettext(
            "All hands are open. You see the game %(minutes)d minute after it is over.",
            "All hands are open. You see the game %(minutes)d minutes after it is over.",
            minutes,
        )
    elif meta.settings.watch == "open_delayed":
        text = ngettext(
            "All hands are open. You see each hand %(minutes)d minute after it is over.",
            "All hands are open. You see each hand %(minutes)d minutes after it is over.",
            minutes,
        )
    elif not meta.settings.is_archived:
        return _("You see the game live, with closed hands.")
    else:
        return _("You see the game live, with closed hands. Its replay has open hands.")
    return text % {"minutes": minutes}


@never_cache
@require_safe
def seat_proof(request: HttpRequest, table_id: str) -> HttpResponse:
    """Renew the seat proof in the browser of a player. For everybody else the answer is the same
    but sets no cookie."""
    response = HttpResponse(status=HTTPStatus.NO_CONTENT)
    room = ask(running_room(table_id))
    if room is not None:
        set_seat_proof(request, response, room)
    return response


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Report that the process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Report whether the process can serve a table: the database and Redis accept writes, a worker
    runs, and notifications of tables arrive. A process that cannot keep up with its work still
    counts as ready: without it, the others would have even more work."""
    tables, keeps_up = ask(_check_tables())
    found = {"database": can_write(), **tables}
    is_ready = all(found.values())
    return JsonResponse(found | {"keeps_up": keeps_up}, status=200 if is_ready else 503)


async def _check_tables() -> tuple[dict[str, bool], bool]:
    """Return whether Redis, a worker and notifications work (by name), and whether the loop keeps
    up."""
    process = await current()
    found = {
        "redis": await _accepts_writes(process.pipeline, process.heartbeat.process),
        "worker": await _is_worker_alive(process),
        "notifications": process.is_notified,
    }
    return found, not process.lag.is_busy


async def _is_worker_alive(process: Process) -> bool:
    try:
        return await worker.is_any_alive(process.worker_beats)
    except TablesUnavailable:
        return False


async def _accepts_writes(pipeline: Pipeline, process: str) -> bool:
    """Return whether Redis accepts writes: one succeeds and no node refuses one. A Redis that is
    full or cannot write to its disk still answers reads.

    A cluster's node that does not answer is ignored: the tables of the other nodes play on.
    """
    names = [f"probe:{{{shard}}}" for shard in range(SHARDS)]
    keys = {pipeline.node_of(("SET", name)): f"{name}:{process}" for name in names}
    commands: list[Command] = [("SET", key, 1, "PX", _PROBE_EXPIRES_MS) for key in keys.values()]
    replies = await pipeline.try_all(commands, within_s=_PROBE_ANSWERED_WITHIN_S)
    failures = [reply for reply in replies if isinstance(reply, Exception)]
    is_refused = any(not isinstance(failure, OUTAGES) for failure in failures)
    return len(failures) < len(replies) and not is_refused
