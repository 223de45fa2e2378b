"""The form to find a game, and fields that it shares with the form of a table."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from game.engine.presets import PRESETS
from game.results.game_text import preset_name
from lobby.accounts.forms import Form
from lobby.matchmaking.queues import Queue

NEVER: Final = "never"
_WAITS: Final = {  # by the number of seconds
    15: _("after 15 seconds"),
    30: _("after 30 seconds"),
    60: _("after a minute"),
    120: _("after two minutes"),
}


def preset_field(help_text: Any = "") -> forms.ChoiceField:
    """Return the choice of a preset."""
    return forms.ChoiceField(
        label=_("Rules"),
        choices=lambda: [(name, preset_name(name)) for name in PRESETS],
        initial="tenhou",
        help_text=help_text,
    )


class GameForm(Form):
    """The rules and the length of a game."""

    preset = preset_field()
    length = forms.ChoiceField(
        label=_("Length"),
        choices=[
            ("east_south", pgettext_lazy("lengths.east_south", "East and South")),
            ("east", pgettext_lazy("lengths.east", "East only")),
        ],
    )


class SeekForm(GameForm):
    """The queue, and when bots may take seats."""

    bots = forms.ChoiceField(
        label=_("Bots for empty seats"),
        choices=[
            *((str(wait), text) for wait, text in _WAITS.items()),
            (NEVER, _("never: wait for people")),
        ],
        initial="60",
    )

    def queue(self) -> Queue:
        return Queue(self.cleaned_data["preset"], self.cleaned_data["length"])

    def bots_after_s(self) -> int | None:
        """Return the seconds after which bots take empty seats, or None for never."""
        bots = self.cleaned_data["bots"]
        return None if bots == NEVER else int(bots)
