"""A person's table settings, as far as the site knows them.

`static/js/settings.js` says what there is and what is valid: the site keeps whatever the
table sends, within bounds, and offers on the profile what is worth setting beforehand. A test
holds that to the script.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

import msgspec

Values = dict[str, Any]

MAX_BYTES: Final = 4_096
_MAX_KEYS: Final = 64
_KEY: Final = re.compile(r"[a-z][a-z_]{0,39}")
_MAX_TEXT: Final = 40

TILES: Final = ("plain", "contrast", "four_colour")
DISCARD_BY: Final = ("auto", "click", "double")
SWITCHES: Final[dict[str, bool]] = {
    "dim_tsumogiri": False,
    "muted": False,
    "hint_waits": True,
    "hint_furiten": True,
    "hint_no_yaku": True,
    "hint_kuikae": True,
    "hint_shanten": False,
    "hint_score": False,
}
"""On or off, with what holds until somebody says otherwise."""
VOLUME: Final = 0.6
_DEFAULTS: Final[Values] = {
    **SWITCHES,
    "tiles": TILES[0],
    "discard_by": DISCARD_BY[0],
    "motion": "on",
    "volume": VOLUME,
}


def parse(body: bytes) -> Values:
    """What a table has sent. Raises ValueError."""
    if len(body) > MAX_BYTES:
        raise ValueError("too long")
    values = msgspec.json.decode(body, type=dict[str, bool | float | str])
    if len(values) > _MAX_KEYS:
        raise ValueError("too many")
    for key, value in values.items():
        if not _KEY.fullmatch(key):
            raise ValueError("no such key")
        if isinstance(value, str) and len(value) > _MAX_TEXT:
            raise ValueError("too long")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError("no number")
    return values


def form_values(values: Values | None) -> Values:
    """What the profile's form begins with."""
    return {**_DEFAULTS, **{key: one for key, one in (values or {}).items() if key in _DEFAULTS}}


def merge(values: Values | None, given: Values) -> Values:
    """The settings after the profile's form: what it does not offer stays, and what is as it is
    by default is left out."""
    merged = {**(values or {}), **given}
    return {key: one for key, one in merged.items() if _DEFAULTS.get(key) != one}
