"""The texts for the bots: a name and one line on how each plays."""

from __future__ import annotations

from typing import Any, Final

from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from game.bots import BOTS, LEVELS
from game.results.game_text import bot_level

NAMES: Final[dict[str, Any]] = {bot: lazy(bot_level, str)(bot) for bot in BOTS}
DESCRIPTIONS: Final[dict[str, Any]] = {
    "novice": _("calls often, never folds"),
    "hasty": _("rushes to riichi, never folds"),
    "careful": _("calls little, folds to a riichi"),
    "sensible": _("plays for the final place"),
    "tsumogiri": _("discards what it draws, but takes every win"),
}


def short_choices() -> list[tuple[str, Any]]:
    """Return every bot with its name, the strongest first."""
    return [(bot, NAMES[bot]) for bot in (*reversed(LEVELS), "tsumogiri")]


def full_choices() -> list[tuple[str, Any]]:
    """Return every bot with its name and how it plays, the strongest first."""
    return [(bot, _DescribedBot(bot)) for bot, _name in short_choices()]


def level_choices() -> list[tuple[str, Any]]:
    """Return the levels with their names and how they play, the strongest first."""
    return [choice for choice in full_choices() if choice[0] in LEVELS]


class _DescribedBot:
    """The name of a bot and how it plays, in the language of the reader."""

    def __init__(self, bot: str) -> None:
        self._bot = bot

    def __str__(self) -> str:
        line = _("%(name)s: %(description)s")
        return str(line) % {"name": NAMES[self._bot], "description": DESCRIPTIONS[self._bot]}
