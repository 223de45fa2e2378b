"""Prints samples of what is stored today, for `stored_samples.txt` (see `stored_samples`)."""

from __future__ import annotations

import base64
import os
import zlib

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.tables.stored_samples import todays  # noqa: E402

if __name__ == "__main__":
    for kind, data in todays():
        print(kind, base64.b64encode(zlib.compress(data, 9)).decode())
