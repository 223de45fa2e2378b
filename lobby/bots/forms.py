"""The forms of the page of bots."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from lobby.accounts.forms import Form, NameField
from lobby.bots.accounts import MARK

SCOPE_NAMES = {
    "play": _("Play: take seats and answer"),
    "tables": _("Open tables for bots"),
}


class BotNameField(NameField):
    """A name for a bot, typed without the mark of bots."""

    def clean(self, value: Any) -> str:
        try:
            return super().clean(value)
        except forms.ValidationError as refusal:
            if refusal.code == "reserved" and MARK in str(value).upper().split():
                text = _("“BOT” is put before every name of a bot. Leave it out here.")
                raise forms.ValidationError(text, code=refusal.code) from None
            raise


class NewBot(Form):
    """A bot to register."""

    name = BotNameField()
    is_open = forms.BooleanField(
        label=_("Anybody may add it to a table"),
        required=False,
        help_text=_("Otherwise only you may. This can be changed later."),
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        name = self.fields["name"]
        name.help_text = _("2 to 20 letters or digits. “BOT” is always put before it.")
        name.widget.attrs["autocomplete"] = "off"


class NewToken(Form):
    """A token for a bot."""

    label = forms.CharField(
        label=_("What it is for"),
        max_length=40,
        required=False,
        help_text=_("For you alone, such as the name of the computer."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it allows"),
        choices=list(SCOPE_NAMES.items()),
        initial=["play"],
        widget=forms.CheckboxSelectMultiple,
    )
