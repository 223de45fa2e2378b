"""Reads the address of the mail server, such as ``smtp://user:password@host:587``.

    console:            write mail to the standard output of the web server; the default
    smtp://host         not encrypted, port 25
    smtp+tls://host     encrypted after STARTTLS, port 587
    smtps://host        encrypted from the start, port 465

User and password are percent-encoded.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import unquote, urlsplit

_CONSOLE: Final = "django.core.mail.backends.console.EmailBackend"
_SMTP: Final = "django.core.mail.backends.smtp.EmailBackend"
_PORTS: Final = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
_TIMEOUT_S: Final = 15


class MailUrlError(ValueError):
    """The address cannot be used. The text is one line for the person who starts the site."""


def mail_settings(url: str) -> dict[str, Any]:
    """Return Django's mail settings for that address. Raises MailUrlError."""
    if url in {"", "console:", "console://"}:
        return {"EMAIL_BACKEND": _CONSOLE}
    parts = urlsplit(url)
    if parts.scheme not in _PORTS:
        known = ", ".join(["console", *_PORTS])
        raise MailUrlError(f"EMAIL_URL begins with {parts.scheme!r}; it can be {known}.")
    try:
        host, port = parts.hostname, parts.port or _PORTS[parts.scheme]
    except ValueError:
        raise MailUrlError("EMAIL_URL: the port is not a number from 1 to 65535.") from None
    if not host:
        raise MailUrlError("EMAIL_URL has no host.")
    return {
        "EMAIL_BACKEND": _SMTP,
        "EMAIL_HOST": host,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": _TIMEOUT_S,
    }
