"""A person's table settings. The form on the profile offers some of them; a test compares its
defaults with `static/js/settings.js`, which owns the names and valid values.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

Values = dict[str, Any]

MAX_BYTES: Final = 4_096
_Key = Annotated[str, Meta(pattern=r"\A[a-z][a-z_]{0,39}\Z")]
_Value = bool | float | Annotated[str, Meta(max_length=40, pattern=r"\A[^\0]*\Z")]
_decoder: Final = msgspec.json.Decoder(Annotated[dict[_Key, _Value], Meta(max_length=64)])
_DEFAULTS: Final[Values] = {
    "tiles": "plain",
    "discard_by": "auto",
    "motion": "on",
    "dim_tsumogiri": False,
    "volume": 0.6,
    "muted": False,
    "hint_waits": True,
    "hint_furiten": True,
    "hint_no_yaku": True,
    "hint_kuikae": True,
    "hint_shanten": False,
    "hint_score": False,
}
"""The defaults of the settings on the profile."""


def parse_settings(body: bytes) -> Values:
    """Decode the JSON of settings that a table has sent. Raises ValueError."""
    if len(body) > MAX_BYTES:
        raise ValueError("too long")
    values: Values = _decoder.decode(body)
    return values


def form_values(values: Values | None) -> Values:
    """Fill in the default of each setting of the profile's form that the person has not changed."""
    return {
        **_DEFAULTS,
        **{key: value for key, value in (values or {}).items() if key in _DEFAULTS},
    }


def merge_settings(values: Values | None, given: Values) -> Values:
    """Return the settings after the profile's form was sent. Settings that are not in it stay;
    defaults are left out."""
    merged = {**(values or {}), **given}
    return {key: value for key, value in merged.items() if _DEFAULTS.get(key) != value}
