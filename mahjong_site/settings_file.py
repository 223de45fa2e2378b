"""The settings file of a site: lines `NAME=value`, as systemd's `EnvironmentFile=` reads them.

`MAHJONG_ENV` names the file; without that variable it is `/etc/mahjong/mahjong.env`, if that file
exists. An empty `MAHJONG_ENV` means that no file is read. Variables of the environment win over the
file. Django's settings load it before anything else, so that each program of the site has the same
settings: `manage.py`, the web servers, and any other ASGI server.

Knows nothing of Django, nor of the meaning of the settings.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from pathlib import Path
from typing import Final

DEFAULT_PATH: Path = Path("/etc/mahjong/mahjong.env")
_VARIABLE: Final = "MAHJONG_ENV"
_LINE_PATTERN: Final = re.compile(r"\s*([A-Za-z_]\w*)=(.*)")


class SettingsFileError(Exception):
    """The file cannot be used. The text is one line for the person who runs the program."""


def load(environ: MutableMapping[str, str]) -> None:
    """Add the file's variables to the environment, except those that it has already.

    If the file in the default place cannot be read, it is ignored if the environment has a
    `DATA_DIR`, because then systemd has read it as root. Otherwise raises SettingsFileError, so
    that no command works on another database than the site's.
    """
    named = environ.get(_VARIABLE)
    if named == "":
        return
    path = Path(named) if named else DEFAULT_PATH
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        if named:
            raise SettingsFileError(f"There is no settings file {path} ({_VARIABLE}).") from None
        return
    except (OSError, UnicodeDecodeError) as error:
        if not named and environ.get("DATA_DIR"):
            return
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SettingsFileError(
            f"Cannot read the settings file {path} of this site: {reason}. Run the command as a "
            f"user who can, such as the site's own, or set {_VARIABLE} (empty for no file)."
        ) from None
    try:
        found = parse_settings(text)
    except SettingsFileError as error:
        raise SettingsFileError(f"The settings file {path}: {error}") from None
    for name, value in found.items():
        environ.setdefault(name, value)


def parse_settings(text: str) -> dict[str, str]:
    """Parse the text of a settings file into variables. Raises SettingsFileError.

    One pair of quotes around a value is removed. Nothing is expanded, and a value ends with its
    line. A line that begins with `#` or `;` is a comment; after a value these signs are part of the
    value.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip()[0] in "#;":
            continue
        pair = _LINE_PATTERN.fullmatch(line)
        value = pair[2].strip() if pair else ""
        if pair is None or value.endswith("\\"):
            raise SettingsFileError(f"line {number} is not NAME=value on one line.")
        if value[:1] in {'"', "'"}:
            if len(value) < 2 or value[-1] != value[0]:
                raise SettingsFileError(f"line {number} has a quote without its other half.")
            value = value[1:-1]
        found[pair[1]] = value
    return found
