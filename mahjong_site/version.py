"""The version of the site: in the page footer and in `manage.py version`."""

from __future__ import annotations

import os
import platform
from typing import Final

import django
from django.conf import settings
from django.http import HttpRequest

from game.redis.addresses import parse_address
from mahjong_site import data_dir, redis_server

VERSION: Final = "0.2.0"
"""The version in CHANGELOG.md."""


def version_context(request: HttpRequest) -> dict[str, str]:
    """Give every template the variable `site_version`. This is a context processor."""
    return {"site_version": VERSION}


def describe_versions() -> str:
    """Return the versions of the site, of Python and of the programs it runs on, one a line."""
    return "\n".join(
        (
            f"Riichi mahjong site {VERSION}",
            f"Python {platform.python_version()}, Django {django.get_version()}",
            f"Redis server: {_describe_redis()}",
        )
    )


def _describe_redis() -> str:
    directory = data_dir.redis_dir(settings.DATA_DIR)  # first: this reads the settings file
    if os.environ.get("REDIS_URL", "").strip():
        return f"{parse_address(settings.REDIS_URL)}, as REDIS_URL says"
    try:
        return str(redis_server.find_binary(directory))
    except redis_server.RedisUnusable as error:
        return str(error)
