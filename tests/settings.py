"""The site's settings for tests: nothing is read from or written to a developer's `var/`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

for _name in (
    *("DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS", "ALLOWED_ORIGINS"),
    *("HTTPS", "DEBUG", "TABLE_PACE", "EMAIL_URL", "MAIL_FROM", "SITE_URL", "SOCKETS_PER_ADDRESS"),
    *("LOG_FORMAT", "LOG_LEVEL", "METRICS_TOKEN", "METRICS_PORT", "SECRET_KEY_FALLBACKS"),
    *("ABANDONED_PAUSE_SECONDS", "ABANDONED_END_MINUTES"),
    *("EMPTY_TABLES_PER_ADDRESS", "TABLES_PER_ADDRESS", "PAGE_SECONDS_PER_ADDRESS"),
    "BUSY_LAG_MS",
    *("RATED_ABSENCE", "REDIS_WAIT_REPLICAS", "SERVICE_WORKER"),
    *("RECORDS_KEPT_DAYS", "REVIEWS_KEPT_DAYS", "REVIEW_PROCESSES"),
):
    os.environ.pop(_name, None)
os.environ["BUSY_LAG_MS"] = "0"  # a busy machine must not change what a test sees
os.environ["MAHJONG_ENV"] = ""  # no settings file of this machine
# One directory serves all runs and stays empty: the key is set below, databases are in memory.
os.environ["DATA_DIR"] = str(Path(tempfile.gettempdir()) / f"mahjong-tests-{os.getuid()}")
if "TEST_DATABASE_URL" in os.environ:
    os.environ["DATABASE_URL"] = os.environ["TEST_DATABASE_URL"]
os.environ["SECRET_KEY"] = "of no use outside the tests, and therefore no secret"

from mahjong_site.settings import *  # noqa: E402, F403

CACHES["default"] = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
# All clients of a test have one address. Tests of the limits set them.
EMPTY_TABLES_PER_ADDRESS = TABLES_PER_ADDRESS = 0
