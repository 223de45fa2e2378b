"""Says who may watch a table, in the reader's language."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from game.tables.settings import DELAYED, Watch

WATCH_CHOICES: Final[dict[Watch, Any]] = {
    "closed": _("In real time, all hands closed"),
    "closed_delayed": _("Later, all hands closed"),
    "open_delayed": _("Later, all hands open"),
    "nobody": _("No spectators"),
}


def describe_watch(watch: str, delay_s: int) -> Any:
    """Return in words what spectators see and when, as pages of tables and events show it."""
    if watch not in DELAYED:
        return WATCH_CHOICES["nobody" if watch == "nobody" else "closed"]
    minutes, seconds = divmod(delay_s, 60)
    if seconds:
        count = {"seconds": delay_s}
        if watch == "open_delayed":
            text = ngettext(
                "All hands open, %(seconds)s second after each hand",
                "All hands open, %(seconds)s seconds after each hand",
                delay_s,
            )
        else:
            text = ngettext(
                "All hands closed, %(seconds)s second after each hand",
                "All hands closed, %(seconds)s seconds after each hand",
                delay_s,
            )
    else:
        count = {"minutes": minutes}
        if watch == "open_delayed":
            text = ngettext(
                "All hands open, %(minutes)s minute after each hand",
                "All hands open, %(minutes)s minutes after each hand",
                minutes,
            )
        else:
            text = ngettext(
                "All hands closed, %(minutes)s minute after each hand",
                "All hands closed, %(minutes)s minutes after each hand",
                minutes,
            )
    return text % count
