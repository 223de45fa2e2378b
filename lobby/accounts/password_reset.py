"""Resets a forgotten password by a link in an e-mail. It works once, within two hours.

Accounts are looked up and mails sent after the response. So neither its content nor its time shows
whether an account has the address.
"""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.translation import gettext as _

from lobby.accounts import rate_limits
from lobby.accounts.passwords import hash_password
from lobby.models import Person

log = logging.getLogger(__name__)

_MAX_ACCOUNTS: Final = 5
"""The most accounts with one address that get a link."""
_senders: Final = ThreadPoolExecutor(1, thread_name_prefix="mails")


def request_reset(request: HttpRequest, mail: str) -> None:
    """Send links to the accounts with that e-mail address, unless it has got too many. Raises
    TooOften for too many requests from one network address."""
    rate_limits.RESET_OF_ADDRESS.count(rate_limits.address_of(request))
    site = site_address(request)
    _senders.submit(_send_links, mail, site, translation.get_language() or "en")


def site_address(request: HttpRequest) -> str:
    """Return the start of links in mails: SITE_URL, or the host of the request. The port of `Host`
    can be forged: it is kept only if the server listens on it, and never behind a proxy."""
    if settings.SITE_URL:
        return str(settings.SITE_URL)
    name, port = split_domain_port(request.get_host())
    own_port = str(request.META.get("SERVER_PORT", ""))
    keeps_port = port and port == own_port and port != "80" and not request.is_secure()
    return f"{request.scheme}://{name}" + (f":{port}" if keeps_port else "")


def find_user(uid: str, token: str) -> User | None:
    """Return the user of a link, or None if it is invalid or has expired."""
    try:
        number = int(urlsafe_base64_decode(uid))
    except ValueError:
        return None
    user = User.objects.filter(pk=number, is_active=True).first()
    if user is None or not default_token_generator.check_token(user, token):
        return None
    return user


def set_password(request: HttpRequest, user: User, password: str) -> None:
    """Set a new password, which ends the link and every session. Failed tries of others do not slow
    down the next sign-in from this address."""
    user.password = hash_password(password)
    user.save(update_fields=["password"])
    name = Person.objects.filter(user=user).values_list("name_key", flat=True).first()
    if name:
        rate_limits.record_sign_in(rate_limits.address_of(request), name)


def _send_links(mail: str, site: str, language: str) -> None:
    try:
        rate_limits.RESET_OF_MAIL.count(mail.casefold())
        people = Person.objects.select_related("user").filter(
            user__email__iexact=mail, user__is_active=True
        )
        for person in people[:_MAX_ACCOUNTS]:
            assert person.user is not None
            with translation.override(person.language or language):
                letter = _reset_mail(person.name, person.user, site)
            letter.send()
    except rate_limits.TooOften:
        log.info("a reset link was not sent: too many for one e-mail address")
    except Exception:
        log.exception("a reset link cannot be sent")
    finally:
        close_old_connections()


def _reset_mail(name: str, user: User, site: str) -> EmailMessage:
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("lobby:reset_link", args=[uid, default_token_generator.make_token(user)])
    lines = [
        _("Hello %(name)s,") % {"name": name},
        _("You, or somebody else, asked for a new password for your account. Choose it here:"),
        site + path,
        _(
            "The link works once, within two hours. If you did not ask for it, you can "
            "ignore this e-mail: your old password still works."
        ),
    ]
    subject = _("A new password for the mahjong table")
    return EmailMessage(subject, "\n\n".join(lines) + "\n", to=[user.email])
