"""The site's settings for tests: nothing is read from or written to a developer's `var/`."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

_data = tempfile.mkdtemp(prefix="mahjong-tests-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)
for _name in ("DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS", "ALLOWED_ORIGINS", "HTTPS", "DEBUG"):
    os.environ.pop(_name, None)
os.environ["DATA_DIR"] = _data

from mahjong_site.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
