"""What people may write into the pages' fields. Whether a name is free and a password right is
for `lobby.accounts.services` to say."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from lobby.accounts import names, table_settings
from lobby.accounts.passwords import MAX_LENGTH as MAX_PASSWORD

MAX_INPUT = 60
"""Of a name as it is typed, before it is cleaned."""


class Form(forms.Form):
    """Fields are labelled by the templates, one below another."""

    template_name = "lobby/form.html"
    use_required_attribute = True

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None) -> None:
        name = type(self).__name__  # several of them stand on one page
        super().__init__(data, initial=initial, label_suffix="", auto_id=f"{name}-%s")


class NameField(forms.CharField):
    """A name that an account may have."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Name"),
            max_length=MAX_INPUT,
            help_text=gettext_lazy("2 to 20 letters or digits, as the others at the table see it."),
            widget=forms.TextInput(attrs={"autocomplete": "username", "spellcheck": "false"}),
        )

    def clean(self, value: Any) -> str:
        try:
            return names.clean_name(super().clean(value))
        except names.NameRefused as refusal:
            raise forms.ValidationError(name_error(refusal.code), code=refusal.code) from None


def name_error(code: str) -> str:
    """Why a name cannot be had."""
    reasons = {
        "length": _("A name has from 2 to 20 letters or digits."),
        "sign": _("Letters, digits, and single spaces, hyphens, dots or apostrophes between them."),
        "blank": _("There is a sign in it that cannot be seen."),
        "marks": _("There are too many marks on one letter."),
        "scripts": _("Its letters are of scripts that are not written together."),
        "letter": _("There has to be a letter in it."),
        "edges": _("It has to begin and end with a letter or a digit."),
        "reserved": _("This name is taken by the site itself."),
    }
    return reasons[code]


def _password_field(label: Any, *, is_new: bool = False) -> forms.CharField:
    autocomplete = "new-password" if is_new else "current-password"
    return forms.CharField(
        label=label,
        strip=False,
        max_length=MAX_PASSWORD,
        help_text=gettext_lazy("At least 8 characters; a few words are a good one.")
        if is_new
        else "",
        widget=forms.PasswordInput(attrs={"autocomplete": autocomplete}),
    )


def _mail_field(*, help_text: Any) -> forms.EmailField:
    return forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        required=False,
        help_text=help_text,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


def _check_strength(form: forms.Form, field: str, user: User) -> None:
    password = form.cleaned_data.get(field)
    if password:
        try:
            validate_password(password, user)
        except forms.ValidationError as error:
            form.add_error(field, error)


class SignUp(Form):
    name = NameField()
    password = _password_field(gettext_lazy("Password"), is_new=True)
    mail = _mail_field(
        help_text=gettext_lazy("Only needed if you forget the password. You can leave it out.")
    )

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        user = User(username=given.get("name", ""), email=given.get("mail", ""))
        _check_strength(self, "password", user)
        return given


class SignIn(Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_INPUT,
        widget=forms.TextInput(attrs={"autocomplete": "username", "spellcheck": "false"}),
    )
    password = _password_field(gettext_lazy("Password"))


class ForgottenPassword(Form):
    mail = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class NewPassword(Form):
    """Of who has followed a link."""

    password = _password_field(gettext_lazy("New password"), is_new=True)

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data)
        self.user = user

    def clean(self) -> dict[str, Any]:
        _check_strength(self, "password", self.user)
        return self.cleaned_data


class Rename(Form):
    name = NameField()


class Language(Form):
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        required=False,
        choices=[("", gettext_lazy("As the browser says")), *settings.LANGUAGES],
    )


class TableSettings(Form):
    """What is worth setting before one sits down. The labels are the table's own."""

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
    motion = forms.BooleanField(
        label=pgettext_lazy("settings.motion", "Animations"), required=False
    )
    dim_tsumogiri = forms.BooleanField(
        label=pgettext_lazy("settings.dim_tsumogiri", "Dim tiles discarded as drawn"),
        required=False,
    )
    volume = forms.FloatField(
        label=pgettext_lazy("settings.volume", "Volume"),
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"type": "range", "step": "0.05"}),
    )
    muted = forms.BooleanField(label=pgettext_lazy("settings.muted", "Mute"), required=False)
    hint_waits = forms.BooleanField(
        label=pgettext_lazy("settings.hint_waits", "Waits, with the tiles left"), required=False
    )
    hint_furiten = forms.BooleanField(
        label=pgettext_lazy("settings.hint_furiten", "Why the hand is furiten"), required=False
    )
    hint_no_yaku = forms.BooleanField(
        label=pgettext_lazy("settings.hint_no_yaku", "Warn of a hand without yaku"),
        required=False,
    )
    hint_kuikae = forms.BooleanField(
        label=pgettext_lazy("settings.hint_kuikae", "Why a tile cannot be discarded"),
        required=False,
    )
    hint_shanten = forms.BooleanField(
        label=pgettext_lazy("settings.hint_shanten", "Distance to tenpai and useful tiles"),
        required=False,
    )
    hint_score = forms.BooleanField(
        label=pgettext_lazy("settings.hint_score", "What the hand would score"), required=False
    )

    @classmethod
    def of(cls, values: table_settings.Values | None) -> TableSettings:
        """The form as it is found."""
        shown = table_settings.form_values(values)
        return cls(initial={**shown, "motion": shown["motion"] == "on"})

    def given(self) -> table_settings.Values:
        """What has been chosen, as the table keeps it."""
        chosen = dict(self.cleaned_data)
        chosen["motion"] = "on" if chosen["motion"] else "off"
        return chosen


class ChangePassword(Form):
    old = _password_field(gettext_lazy("Password so far"))
    password = _password_field(gettext_lazy("New password"), is_new=True)

    def __init__(self, data: Any = None, *, name: str) -> None:
        super().__init__(data)
        self.user = User(username=name)

    def clean(self) -> dict[str, Any]:
        _check_strength(self, "password", self.user)
        return self.cleaned_data


class ChangeMail(Form):
    mail = _mail_field(
        help_text=gettext_lazy("Where a link is sent if you forget the password. May be empty.")
    )
    old = _password_field(gettext_lazy("Password"))


class Delete(Form):
    old = _password_field(gettext_lazy("Password"))
