"""Settings of people: the profile's form agrees with the table's script, and limits are kept in
Redis."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.test import override_settings

from lobby.accounts import rate_limits, table_settings
from lobby.accounts.forms import TablePreferences
from lobby.accounts.rate_limits import Limit, LimitsUnavailable, TooOften
from mahjong_site.mail import MailUrlError, mail_settings
from tests.kit.processes import RedisServer
from tools.script_data import parse_data

SCRIPT = Path(table_settings.__file__).parents[2] / "static" / "js" / "settings.js"


def frozen_in_script(name: str) -> dict[str, Any]:
    """Return a frozen object of the script: its keys with their values as text."""
    text = SCRIPT.read_text(encoding="utf-8")
    found = re.search(rf"export const {name} = Object.freeze\((\{{.*?\n\}})\)", text, re.DOTALL)
    assert found, name
    rows = re.findall(r"^  (\w+): (.+),$", found[1], re.MULTILINE)
    return dict(rows)


def in_script(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def test_profile_has_the_tables_settings_and_defaults() -> None:
    """A default may be another one if the reader's system asks for more contrast."""
    defaults = frozen_in_script("DEFAULTS")
    for key, value in table_settings.form_values(None).items():
        assert defaults[key].split(" : ")[-1] == in_script(value), key
    assert set(TablePreferences().fields) == set(table_settings.form_values(None))


@pytest.mark.parametrize("key", ["tiles", "discard_by"])
def test_profile_has_the_tables_choices(key: str) -> None:
    known = re.findall(r'"(\w+)"', frozen_in_script("CHOICES")[key])
    field: Any = TablePreferences().fields[key]
    assert [value for value, _ in field.choices] == known


def test_profile_uses_the_tables_texts() -> None:
    english = (SCRIPT.parent / "table" / "names" / "en.js").read_text(encoding="utf-8")
    texts = parse_data(english, "texts")
    assert isinstance(texts, dict)
    words = texts["settings"]
    assert isinstance(words, dict)
    for key, field in TablePreferences().fields.items():
        assert str(field.label) == words[key]


def test_settings_outside_the_profile_are_kept() -> None:
    values = table_settings.merge_settings({"letter_keys": False, "muted": True}, {"muted": False})
    assert values == {"letter_keys": False}


FEW = Limit("few", 2, 3600)


def test_rate_limit_is_shared_by_all_processes(redis_server: RedisServer) -> None:
    back_end = {"BACKEND": "game.redis.django_cache.Cache", "LOCATION": redis_server.url}
    with override_settings(CACHES=settings.CACHES | {"default": back_end}):
        for _ in range(2):
            caches.close_all()
            FEW.count("Anna")
        with pytest.raises(TooOften):
            FEW.count("Anna")
        FEW.count("Bruno")
        FEW.forget("Anna")
        FEW.count("Anna")
        redis_server.kill()
        for attempt in (FEW.count, FEW.forget):
            with pytest.raises(LimitsUnavailable):
                attempt("Anna")


def test_rate_limit_keys_reveal_no_input(redis_server: RedisServer) -> None:
    back_end = {"BACKEND": "game.redis.django_cache.Cache", "LOCATION": redis_server.url}
    with override_settings(CACHES=settings.CACHES | {"default": back_end}):
        rate_limits.RESET_OF_MAIL.count("anna@example.org")
        redis_server.stop()
        kept = b"".join(file.read_bytes() for file in redis_server.data.rglob("*.aof*"))
        assert b"reset-mail" in kept
        assert b"anna" not in kept


def test_mail_settings_follow_the_address() -> None:
    assert mail_settings("")["EMAIL_BACKEND"].endswith("console.EmailBackend")
    made = mail_settings("smtp+tls://anna%40example.org:p%3Ass@mail.example.org")
    assert made["EMAIL_BACKEND"].endswith("smtp.EmailBackend")
    assert (made["EMAIL_HOST"], made["EMAIL_PORT"]) == ("mail.example.org", 587)
    assert (made["EMAIL_HOST_USER"], made["EMAIL_HOST_PASSWORD"]) == ("anna@example.org", "p:ss")
    assert (made["EMAIL_USE_TLS"], made["EMAIL_USE_SSL"]) == (True, False)
    assert mail_settings("smtps://h")["EMAIL_PORT"] == 465
    assert mail_settings("smtp://h:2525")["EMAIL_PORT"] == 2525


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("mail.example.org", "EMAIL_URL begins with"),
        ("http://mail.example.org", "'http'"),
        ("smtp://", "has no host"),
        ("smtp://h:99999", "port"),
    ],
)
def test_invalid_mail_address_is_refused_in_one_line(url: str, text: str) -> None:
    with pytest.raises(MailUrlError, match=text) as refusal:
        mail_settings(url)
    assert "\n" not in str(refusal.value)
