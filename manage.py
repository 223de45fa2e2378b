#!/usr/bin/env python
"""Django's command line for this site."""

from __future__ import annotations

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command that the arguments name; wrong settings are one line, no traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
