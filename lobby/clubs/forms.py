"""Forms of clubs: the settings, the address of a new club, and the text of its page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from lobby.accounts.forms import Form
from lobby.models import Club

RESERVED: Final = frozenset({"new", "site"})


"""Names that no club may have in its address: those of pages, and that of the site's own club."""


MAX_TEXT: Final = 20_000


_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _check_slug(slug: str) -> None:
    if not _SLUG.fullmatch(slug):
        raise forms.ValidationError(
            _("Small letters, digits, and single hyphens between them, please.")
        )
    if slug in RESERVED:
        raise forms.ValidationError(_("This address is taken."))


def slug_field(help_text: Any) -> forms.CharField:
    """Return the field for the last part of an address, which cannot be changed later."""
    return forms.CharField(
        label=_("Address"),
        min_length=2,
        max_length=40,
        help_text=help_text,
        validators=[_check_slug],
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class ClubSettings(Form):
    """The settings of a club that only its owner can change."""

    field_order: Sequence[str] = ("name", "entry", "is_public")
    name = forms.CharField(
        label=_("Name of the club"),
        min_length=2,
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    is_public = forms.BooleanField(
        label=_("Everybody can see the club"),
        required=False,
        help_text=_(
            "Otherwise only members can see its page, and its games can be seen by their players "
            "only."
        ),
    )
    entry = forms.ChoiceField(
        label=_("How people join"),
        choices=[
            (Club.REQUEST, _("By request to the organisers")),
            (Club.OPEN, _("Freely")),
            (Club.INVITATION, _("By the invitation link only")),
        ],
        help_text=_("Whoever has the invitation link can always join with it."),
    )


class NewClub(ClubSettings):
    """The settings of a new club, and its address."""

    field_order = ("name", "slug", "entry", "is_public")
    slug = slug_field(
        _(
            "The end of the address of its page: small letters, digits and hyphens between them. "
            "It cannot be changed later."
        )
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, initial={"is_public": True})


class ClubText(Form):
    """The form of the text on a club's page."""

    text = forms.CharField(
        label=_("Text of the page"),
        required=False,
        max_length=MAX_TEXT,
        help_text=_(
            "In Markdown: # before a heading, - before each line of a list, **bold**, *italics*, "
            "[a link](https://example.org)."
        ),
        widget=forms.Textarea(attrs={"rows": 14}),
    )
