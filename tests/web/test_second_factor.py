"""The second factor of the admin site: off by default, and asked for on every page when on."""

from __future__ import annotations

import base64
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django_otp.oath import totp

from lobby.management.commands.admin_otp import RECOVERY_CODES
from tests.kit import commands
from tests.kit.processes import Daphne, RedisServer, Site
from tests.web.visitor import FetchedPage, Visitor

PASSWORD = "a good long password"
LOGIN = "/admin/login/"
ADD_BERT = f"""
from django.contrib.auth.models import User
from lobby.management.commands.admin_otp import make_device
make_device(User.objects.create_superuser("bert", password={PASSWORD!r}))
"""


def manage(site: Site, *words: str) -> str:
    return commands.manage(site.env | {"DJANGO_SUPERUSER_PASSWORD": PASSWORD}, *words)


def sign_in(
    visitor: Visitor, code: str = "", device: str = "authenticator app", name: str = "anna"
) -> FetchedPage:
    """Give name and password and, if a code is given, choose the device and give the code."""
    fields = {"username": name, "password": PASSWORD, "next": "/admin/"}
    page = _submit(visitor, visitor.get(f"{LOGIN}?next=/admin/"), **fields)
    if not code:
        return page
    chosen = re.search(rf'<option value="([^"]+)"[^>]*>{device}', page.text)
    assert chosen, page.text
    return _submit(visitor, page, **fields, otp_device=chosen[1], otp_token=code)


def _submit(visitor: Visitor, page: FetchedPage, **fields: str) -> FetchedPage:
    action = re.search(r'<form action="([^"]*)" method="post" id="login-form">', page.text)
    assert action
    return visitor.submit(page, action[1], **fields)


@dataclass(frozen=True)
class Admin:
    """Two web servers of one site, whose superuser anna has an app and recovery codes."""

    site: Site
    without_codes: Daphne
    with_codes: Daphne
    """A server that asks for the second factor."""
    recovery_codes: list[str]
    secret: bytes
    """The key in the app."""

    def code_now(self) -> str:
        """Return the code that the app shows."""
        return f"{totp(self.secret, t0=0):06d}"


@pytest.fixture(scope="module")
def admin(migrated_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Admin]:
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis = RedisServer(Path(directory))
        site = Site(redis, tmp_path_factory.mktemp("site"), migrated_database)
        try:
            redis.start()
            manage(site, "createsuperuser", "--no-input", "--username=anna", "--email=a@a.example")
            printed = manage(site, "admin_otp", "anna").splitlines()
            without_codes = site.start_daphne()
            site.env["ADMIN_OTP"] = "1"
            codes, secret = printed[-RECOVERY_CODES:], secret_in(printed)
            yield Admin(site, without_codes, site.start_daphne(), codes, secret)
        finally:
            site.stop()
            redis.kill()


def secret_in(printed: list[str]) -> bytes:
    """Return the key in the address that `admin_otp` has printed."""
    (address,) = [line for line in printed if line.startswith("otpauth://totp/")]
    return base64.b32decode(parse_qs(urlsplit(address).query)["secret"][0])


def test_second_factor_is_off_by_default(admin: Admin) -> None:
    visitor = Visitor(admin.without_codes.url)
    assert sign_in(visitor).path == "/admin/"
    assert visitor.get("/admin/tables/").path == "/admin/tables/"


def test_admin_site_needs_a_code(admin: Admin) -> None:
    off = Visitor(admin.without_codes.url)
    assert sign_in(off).path == "/admin/"

    visitor = Visitor(admin.with_codes.url)
    for cookie in off.cookies:
        visitor.cookies.set_cookie(cookie)  # the session of a sign-in without a code
    for path in ("/admin/", "/admin/tables/", "/admin/lobby/person/", "/admin/password_change/"):
        assert visitor.get(path).path == LOGIN, path
    assert visitor.get("/games/").status == 200, "players are not asked"


def test_app_or_recovery_code_opens_the_admin_site(admin: Admin) -> None:
    address = admin.with_codes.url
    visitor = Visitor(address)
    assert sign_in(visitor).path == LOGIN, "name and password are not enough"
    assert visitor.get("/admin/").path == LOGIN
    assert sign_in(visitor, admin.code_now()).path == "/admin/"
    assert visitor.get("/admin/tables/").path == "/admin/tables/"
    code = admin.recovery_codes[0]
    assert sign_in(Visitor(address), code, "recovery codes").path == "/admin/"
    assert sign_in(Visitor(address), code, "recovery codes").path == LOGIN, (
        "a recovery code is valid once"
    )


def test_removed_device_opens_nothing(admin: Admin) -> None:
    manage(admin.site, "shell", "--no-imports", "-c", ADD_BERT)
    assert manage(admin.site, "admin_otp", "bert", "--remove") == "2 devices removed.\n"
    page = sign_in(Visitor(admin.with_codes.url), name="bert")
    assert page.path == LOGIN
    assert "authenticator app" not in page.text
