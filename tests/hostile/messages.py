"""Hypothesis strategies for messages: messages of the protocol with wrong parts, and any other
text."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import strategies as st

TILES: Final = st.sampled_from(["1m", "5mr", "9s", "E", "C", "?", "0m", "5m5", "", "\uff11m", "1M"])
NUMBERS: Final = st.one_of(
    st.integers(-2, 60), st.sampled_from([2**31, 2**53, 2**63, 2**64, 10**400, -(2**63)])
)
ANY_JSON: Final = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats(allow_nan=True) | st.text(max_size=20) | TILES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
ACTIONS: Final = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            [
                *("dahai", "reach", "chi", "pon", "daiminkan", "ankan", "kakan", "hora"),
                *("ryukyoku", "none", "tenpai", "confirm", "start_game", ""),
            ]
        )
    },
    optional={
        "pai": TILES,
        "tsumogiri": st.booleans() | ANY_JSON,
        "consumed": st.lists(TILES, max_size=5),
        "actor": NUMBERS,
    },
)
IDS: Final = st.sampled_from(["0-1", "1-1", "a" * 40, "a" * 41, "", "\0", "../x", "é"]) | st.text()
MESSAGES: Final = st.fixed_dictionaries(
    {
        "t": st.sampled_from(
            ["hello", "act", "ping", "study", "vote", "resume", "say", "report", "sync", "ev"]
        )
    },
    optional={
        "seq": NUMBERS | ANY_JSON,
        "at": NUMBERS | ANY_JSON,
        "seen": st.booleans() | ANY_JSON,
        "cid": IDS,
        "q": NUMBERS | ANY_JSON,
        "a": ACTIONS | ANY_JSON,
        "motion": st.sampled_from(["", "pause", "end", "no_pause", "no_end", "no"]) | ANY_JSON,
        "text": st.text(max_size=300),
        "phrase": st.sampled_from(["hello", "bye", "rude"]),
        "line": st.sampled_from(["t1-0", "w9999999999999999-1", "t1"]) | st.text(max_size=20),
        "seat": NUMBERS,
        "you": NUMBERS,
    },
)


def to_json(message: Any) -> str:
    return json.dumps(message)


TEXTS: Final = st.one_of(MESSAGES.map(to_json), ANY_JSON.map(to_json), st.text(max_size=60))
EXTREME_TEXTS: Final = st.sampled_from(
    ["[" * 10_000, '{"t":' * 3_000, '"' + "\\ud800" * 50 + '"', "1e999999", "x" * 16_385, "\x00"]
)
