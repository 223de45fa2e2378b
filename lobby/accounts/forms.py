"""The forms of accounts. `lobby.accounts.services` decides whether a name is free and a password is
right."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from game.results import avatars
from game.results.game_text import tile_name_of_text
from lobby.accounts import names, table_settings
from lobby.accounts.passwords import MAX_LENGTH as MAX_PASSWORD

MAX_INPUT = 60
"""The longest input for a name, before it is cleaned."""


class Form(forms.Form):
    """A form whose template puts the fields one below another."""

    template_name = "lobby/form.html"
    use_required_attribute = True

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None) -> None:
        name = type(self).__name__  # a page may have several forms
        super().__init__(data, initial=initial, label_suffix="", auto_id=f"{name}-%s")

    def full_clean(self) -> None:
        for field in self.fields.values():
            replace_error_texts(field)
        super().full_clean()


def replace_error_texts(field: forms.Field) -> None:
    """Replace Django's texts for wrong values."""
    field.error_messages |= _ERRORS
    if type(field) in _INVALID:
        field.error_messages["invalid"] = _INVALID[type(field)]


_ERRORS: Final = {
    "required": _("Please fill this in."),
    "min_length": _("At least %(limit_value)d characters, please."),
    "max_length": _("At most %(limit_value)d characters; these are %(show_value)d."),
    "min_value": _("The number must be at least %(limit_value)s."),
    "max_value": _("The number must be at most %(limit_value)s."),
    "invalid_choice": _("Please choose one of the options."),
}
"""Plain texts of errors by Django's code."""
_INVALID: Final[dict[type[forms.Field], Any]] = {
    forms.EmailField: _("Please enter an address such as name@example.org."),
    forms.IntegerField: _("Please enter a whole number."),
}
"""Plain texts for a value that does not have the type of the field."""


class NameField(forms.CharField):
    """A name that an account may have."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Name"),
            max_length=MAX_INPUT,
            help_text=_(
                "2 to 20 characters: letters, digits, and single spaces, hyphens, dots or "
                "apostrophes between them. The others at the table see it."
            ),
            widget=forms.TextInput(attrs={"autocomplete": "username", "spellcheck": "false"}),
        )

    def clean(self, value: Any) -> str:
        try:
            return names.clean_name(super().clean(value))
        except names.NameRefused as refusal:
            raise forms.ValidationError(NAME_ERRORS[refusal.code], code=refusal.code) from None


NAME_ERRORS: Final = {
    "length": _("A name has 2 to 20 characters."),
    "sign": _("Letters, digits, and single spaces, hyphens, dots or apostrophes between them."),
    "blank": _("It contains an invisible character."),
    "marks": _("One letter has too many accents or marks."),
    "scripts": _("It mixes letters of different scripts."),
    "letter": _("It must contain a letter."),
    "edges": _("It must begin and end with a letter or a digit."),
    "reserved": _("This name is reserved."),
}


_PASSWORD_ERRORS: Final[dict[str, Any]] = {
    "password_too_similar": _("The password is too similar to the name or the e-mail address."),
}
"""Texts of errors of passwords by Django's code, where Django's own text has another spelling."""


def _password_field(label: Any, *, is_new: bool = False) -> forms.CharField:
    autocomplete = "new-password" if is_new else "current-password"
    return forms.CharField(
        label=label,
        strip=False,
        max_length=MAX_PASSWORD,
        help_text=_("At least 8 characters. A few words make a good password.") if is_new else "",
        widget=forms.PasswordInput(attrs={"autocomplete": autocomplete}),
    )


def _mail_field(*, help_text: Any = "", required: bool = False) -> forms.EmailField:
    return forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        required=required,
        help_text=help_text,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


def _switch(label: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


class NewPassword(Form):
    """A new password, which must not resemble the user's name or address."""

    password = _password_field(_("New password"), is_new=True)

    def __init__(self, data: Any = None, *, user: User | None = None) -> None:
        super().__init__(data)
        self.user = user

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        user = self.user or User(username=given.get("name", ""), email=given.get("mail", ""))
        if password := given.get("password"):
            try:
                validate_password(password, user)
            except forms.ValidationError as error:
                for reason in error.error_list:
                    self.add_error("password", _PASSWORD_ERRORS.get(reason.code or "", reason))
        return given


class SignUp(NewPassword):
    field_order = ("name", "password", "mail")
    name = NameField()
    password = _password_field(_("Password"), is_new=True)
    mail = _mail_field(help_text=_("Only needed if you forget the password. You can leave it out."))


class SignIn(Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=MAX_INPUT,
        widget=forms.TextInput(attrs={"autocomplete": "username", "spellcheck": "false"}),
    )
    password = _password_field(_("Password"))


class ForgottenPassword(Form):
    mail = _mail_field(required=True)


class Rename(Form):
    name = NameField()


class AvatarWidget(forms.RadioSelect):
    """Radio buttons with pictures of tiles, or of background colours."""

    template_name = "lobby/widgets/avatar_part.html"

    def __init__(self, label: Any, *, shows_tiles: bool) -> None:
        super().__init__()
        self.label, self.shows_tiles = label, shows_tiles

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"] |= {"label": self.label, "shows_tiles": self.shows_tiles}
        return context


_COLOUR_NAMES: Final = {
    "green": pgettext_lazy("avatarColours.green", "Green"),
    "blue": pgettext_lazy("avatarColours.blue", "Blue"),
    "red": pgettext_lazy("avatarColours.red", "Red"),
    "gold": pgettext_lazy("avatarColours.gold", "Gold"),
    "violet": pgettext_lazy("avatarColours.violet", "Violet"),
    "grey": pgettext_lazy("avatarColours.grey", "Grey"),
}


class ChooseAvatar(Form):
    """The tile and the colour by which an account is shown."""

    tile = forms.ChoiceField(label=_("Tile"), widget=AvatarWidget(_("Tile"), shows_tiles=True))
    colour = forms.ChoiceField(
        label=_("Colour"),
        choices=[(colour, _COLOUR_NAMES[colour]) for colour in avatars.COLOURS],
        widget=AvatarWidget(_("Colour"), shows_tiles=False),
    )

    def __init__(self, data: Any = None, *, name: str = "", avatar: str = "") -> None:
        shown = avatars.parse_avatar(avatar) or avatars.default_avatar(name)
        super().__init__(data, initial={"tile": shown.tile, "colour": shown.colour})
        tile: Any = self.fields["tile"]
        tile.choices = [(text, tile_name_of_text(text)) for text in avatars.TILES]


class LanguagePreference(Form):
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("Same as the browser")), *settings.LANGUAGES],
    )


class ReplayPreferences(Form):
    named_in_links = _switch(_("Links to replays that other players share may show my name"))


class FriendPreferences(Form):
    takes_requests = _switch(_("Others may ask me to be friends"))
    is_shown_online = _switch(_("Friends see when I am online and where I play"))


class TablePreferences(Form):
    """The settings to make before a game. Labels are those of the table."""

    tiles = forms.ChoiceField(
        label=pgettext_lazy("settings.tiles", "Tiles"),
        choices=[
            ("plain", pgettext_lazy("settingChoices.plain", "Plain")),
            ("contrast", pgettext_lazy("settingChoices.contrast", "High contrast")),
            ("four_colour", pgettext_lazy("settingChoices.four_colour", "Four colours")),
        ],
    )
    discard_by = forms.ChoiceField(
        label=pgettext_lazy("settings.discard_by", "Discard by"),
        choices=[
            ("auto", pgettext_lazy("settingChoices.auto", "One click, or two taps")),
            ("click", pgettext_lazy("settingChoices.click", "One click or tap")),
            ("double", pgettext_lazy("settingChoices.double", "Two clicks or taps")),
        ],
    )
    motion = _switch(pgettext_lazy("settings.motion", "Animations"))
    dim_tsumogiri = _switch(
        pgettext_lazy("settings.dim_tsumogiri", "Dim discards of the drawn tile (tsumogiri)")
    )
    volume = forms.FloatField(
        label=pgettext_lazy("settings.volume", "Volume"),
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"type": "range", "step": "0.05"}),
    )
    muted = _switch(pgettext_lazy("settings.muted", "Mute"))
    hint_waits = _switch(pgettext_lazy("settings.hint_waits", "Waits, with the tiles left"))
    hint_furiten = _switch(pgettext_lazy("settings.hint_furiten", "Why the hand is furiten"))
    hint_no_yaku = _switch(pgettext_lazy("settings.hint_no_yaku", "Warn of a hand without yaku"))
    hint_kuikae = _switch(pgettext_lazy("settings.hint_kuikae", "Why a tile cannot be discarded"))
    hint_shanten = _switch(
        pgettext_lazy("settings.hint_shanten", "Distance to tenpai and useful tiles")
    )
    hint_score = _switch(pgettext_lazy("settings.hint_score", "What the hand would score"))

    def __init__(self, data: Any = None, *, settings: table_settings.Values | None = None) -> None:
        shown = table_settings.form_values(settings)
        super().__init__(data, initial={**shown, "motion": shown["motion"] == "on"})


class ChangePassword(NewPassword):
    old = _password_field(_("Current password"))
    field_order = ("old", "password")


class ChangeMail(Form):
    mail = _mail_field(
        help_text=_("Where a link is sent if you forget the password. May be empty.")
    )
    old = _password_field(_("Current password"))


class DeleteAccount(Form):
    old = _password_field(_("Password"))
