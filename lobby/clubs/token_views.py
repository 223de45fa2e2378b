"""The page on which officers manage the tokens of the interface of events."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from lobby.accounts.forms import Form
from lobby.accounts.refusals import count_not_found, read_key
from lobby.accounts.visitors import require_person
from lobby.clubs import api_tokens
from lobby.clubs.members import ClubAccess
from lobby.clubs.views import visible_club


class NewApiToken(Form):
    """The form of a new token."""

    label = forms.CharField(
        label=_("Purpose"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_club
def tokens(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Show the tokens of the club, create a token, or revoke one. For officers."""
    if not access.is_officer:
        raise count_not_found(request)
    form, made = NewApiToken(request.POST if request.method == "POST" else None), ""
    if request.method == "POST":
        by = require_person(request)
        verb, _sep, number = request.POST.get("do", "").partition(":")
        if verb == "revoke":
            api_tokens.revoke_token(access.club, read_key(number))
            return redirect("lobby:club_api", slug=access.club.slug)
        if verb != "token":
            raise count_not_found(request)
        if form.is_valid():
            try:
                made = api_tokens.create_token(access.club, form.cleaned_data["label"], by=by)
            except api_tokens.TooManyTokens:
                form.add_error(None, _("The club has as many tokens as it may have. Revoke one."))
            else:
                form = NewApiToken()
    address = reverse("lobby:api_club", args=[access.club.slug])
    context = {
        "access": access,
        "club": access.club,
        "tokens": api_tokens.tokens_of(access.club),
        "form": form,
        "made": made,
        "address": request.build_absolute_uri(address),
    }
    return render(request, "lobby/clubs/tokens.html", context, status=422 if form.errors else 200)
