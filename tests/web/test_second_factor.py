"""The second factor of the admin site: off by default, and asked for on every page when on."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django_otp.oath import totp

from lobby.management.commands.admin_otp import RECOVERY_CODES
from tests.kit.processes import Site
from tests.web.visitor import Page, Visitor

PASSWORD = "a good long password"
LOGIN = "/admin/login/"


def manage(site: Site, *words: str) -> str:
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        env={**os.environ, **site.env, "DJANGO_SUPERUSER_PASSWORD": PASSWORD},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def sign_in(visitor: Visitor, code: str = "", device: str = "authenticator app") -> Page:
    """Give name and password and, if a code is given, choose the device and give the code."""
    fields = {"username": "anna", "password": PASSWORD, "next": "/admin/"}
    page = _submitted(visitor, visitor.get(f"{LOGIN}?next=/admin/"), **fields)
    if not code:
        return page
    chosen = re.search(rf'<option value="([^"]+)"[^>]*>{device}', page.text)
    assert chosen, page.text
    return _submitted(visitor, page, **fields, otp_device=chosen[1], otp_token=code)


def _submitted(visitor: Visitor, page: Page, **fields: str) -> Page:
    action = re.search(r'<form action="([^"]*)" method="post" id="login-form">', page.text)
    assert action
    return visitor.submit(page, action[1], **fields)


@pytest.fixture
def codes(site: Site) -> list[str]:
    """The recovery codes of a superuser, and last the code that the app shows now."""
    manage(site, "createsuperuser", "--no-input", "--username=anna", "--email=a@example.org")
    printed = manage(site, "admin_otp", "anna").splitlines()
    (address,) = [line for line in printed if line.startswith("otpauth://totp/")]
    secret = parse_qs(urlsplit(address).query)["secret"][0]
    key = base64.b32decode(secret)
    return [*printed[-RECOVERY_CODES:], f"{totp(key, t0=0):06d}"]


def test_second_factor_is_off_by_default(site: Site, codes: list[str]) -> None:
    visitor = Visitor(site.daphne().url)
    assert sign_in(visitor).path == "/admin/"
    assert visitor.get("/admin/tables/").path == "/admin/tables/"


def test_admin_site_needs_a_code(site: Site, codes: list[str]) -> None:
    off = Visitor(site.daphne().url)
    assert sign_in(off).path == "/admin/"

    site.env["ADMIN_OTP"] = "1"
    visitor = Visitor(site.daphne().url)
    for cookie in off.cookies:
        visitor.cookies.set_cookie(cookie)  # a session from before, of the same host
    for path in ("/admin/", "/admin/tables/", "/admin/lobby/person/", "/admin/password_change/"):
        assert visitor.get(path).path == LOGIN, path
    assert visitor.get("/games/").status == 200, "players are not asked"


def test_app_or_recovery_code_opens_the_admin_site(site: Site, codes: list[str]) -> None:
    site.env["ADMIN_OTP"] = "1"
    address = site.daphne().url
    visitor = Visitor(address)
    assert sign_in(visitor).path == LOGIN, "name and password are not enough"
    assert visitor.get("/admin/").path == LOGIN
    assert sign_in(visitor, codes[-1]).path == "/admin/"
    assert visitor.get("/admin/tables/").path == "/admin/tables/"
    assert sign_in(Visitor(address), codes[0], "recovery codes").path == "/admin/"
    assert sign_in(Visitor(address), codes[0], "recovery codes").path == LOGIN, "only once"


def test_a_device_that_is_removed_opens_nothing(site: Site, codes: list[str]) -> None:
    assert manage(site, "admin_otp", "anna", "--remove") == "2 devices removed.\n"
    site.env["ADMIN_OTP"] = "1"
    page = sign_in(Visitor(site.daphne().url))
    assert page.path == LOGIN
    assert "authenticator app" not in page.text
