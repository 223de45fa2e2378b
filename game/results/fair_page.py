"""Shows the page on fairness: how walls are fixed, what that proves, and how players check it."""

from __future__ import annotations

from typing import Final

from channels.db import database_sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.models import WallKey

_PROGRAMS: Final = (
    ("check_seed.py", "Python", "python3 check_seed.py"),
    ("check_seed.mjs", "JavaScript", "node check_seed.mjs"),
    ("check_wall.py", "Python", "python3 check_wall.py"),
    ("check_wall.mjs", "JavaScript", "node check_wall.mjs"),
)


@require_safe
async def fair(request: HttpRequest) -> HttpResponse:
    """Show the page with the keys of the site and the programs that can be downloaded."""
    folder = settings.BASE_DIR / "static" / "fair"
    programs = [
        (f"fair/{name}", name, language, command, (folder / name).read_text(encoding="utf-8"))
        for name, language, command in _PROGRAMS
    ]
    keys = await database_sync_to_async(list)(WallKey.objects.all())
    return render(request, "game/fair.html", {"programs": programs, "keys": keys})
