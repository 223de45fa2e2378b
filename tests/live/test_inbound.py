"""Which messages of clients are valid; any other message is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.engine import actions
from game.engine.tiles import TEXT_TO_TILE
from game.live.inbound import Act, Hello, Ping, Wrong, read
from game.live.rate_limits import MAX_FRAME_BYTES

DISCARD = {"type": "dahai", "pai": "5mr", "tsumogiri": False}


def act(action: Any, **changes: Any) -> str:
    return json.dumps({"t": "act", "cid": "k3-17", "q": 41, "a": action} | changes)


def code_of(frame: str | None, data: bytes | None = None) -> str:
    answer = read(frame, data)
    assert isinstance(answer, Wrong), answer
    return answer.code


def test_hello_and_ping_are_read() -> None:
    assert read('{"t":"hello","seq":0}') == Hello(seq=0)
    assert read('{"t":"ping","seq":212,"at":1790000000123}') == Ping(seq=212, at=1790000000123)


@pytest.mark.parametrize(
    ("written", "action"),
    [
        (DISCARD, actions.Discard(9, False)),
        ({"type": "reach", "pai": "3s", "tsumogiri": True}, actions.DeclareRiichi(40, True)),
        ({"type": "chi", "consumed": ["4m", "5mr"]}, actions.CallChi((6, 9))),
        ({"type": "pon", "consumed": ["E", "E"]}, actions.CallPon((54, 54))),
        ({"type": "daiminkan", "consumed": ["P", "P", "P"]}, actions.CallKan((62, 62, 62))),
        (
            {"type": "ankan", "consumed": ["5p", "5p", "5p", "5pr"]},
            actions.DeclareAnkan((26, 26, 26, 27)),
        ),
        ({"type": "kakan", "pai": "C"}, actions.DeclareKakan(66)),
        ({"type": "hora"}, actions.Win()),
        ({"type": "ryukyoku"}, actions.DeclareKyushu()),
        ({"type": "none"}, actions.Pass()),
        ({"type": "stop"}, actions.StopGame()),
        ({"type": "confirm"}, actions.Confirm()),
    ],
)
def test_every_action_is_read(written: dict[str, Any], action: actions.Action) -> None:
    assert read(act(written)) == Act(cid="k3-17", q=41, action=action)


def test_the_order_of_called_tiles_is_ignored() -> None:
    one_way = read(act({"type": "chi", "consumed": ["5mr", "4m"]}))
    assert one_way == read(act({"type": "chi", "consumed": ["4m", "5mr"]}))


def test_every_visible_tile_can_be_discarded() -> None:
    for text, tile in TEXT_TO_TILE.items():
        answer = read(act({"type": "dahai", "pai": text, "tsumogiri": True}))
        if text == "?":
            assert isinstance(answer, Wrong)
        else:
            assert isinstance(answer, Act)
            assert answer.action == actions.Discard(tile, True)


@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "[]",
        "null",
        '"hello"',
        '{"t":"hello"}',
        '{"t":"hello","seq":-1}',
        '{"t":"hello","seq":1.0}',
        '{"t":"hello","seq":true}',
        '{"t":"hello","seq":"1"}',
        '{"t":"hello","seq":10000001}',
        '{"t":"hello","seq":0,"extra":1}',
        '{"t":"ping","seq":0}',
        '{"t":"ping","seq":0,"at":-1}',
        '{"t":5,"seq":0}',
        act(DISCARD, cid=""),
        act(DISCARD, cid="a" * 41),
        act(DISCARD, cid="a b"),
        act(DISCARD, cid="a\n"),
        act(DISCARD, cid=7),
        act(DISCARD, q=-1),
        act(DISCARD, q=None),
        act(DISCARD, a=[]),
        act(DISCARD, seat=2),
        act(DISCARD | {"actor": 2}),
        act({"type": "dahai", "pai": "5mr"}),
        act({"type": "dahai", "pai": "0m", "tsumogiri": True}),
        act({"type": "dahai", "pai": 9, "tsumogiri": True}),
        act({"type": "dahai", "pai": "5m", "tsumogiri": 1}),
        act({"type": "chi", "consumed": ["4m"]}),
        act({"type": "chi", "consumed": ["4m", "5m", "6m"]}),
        act({"type": "pon", "consumed": "EE"}),
        act({"type": "hora", "pai": "5m"}),
        act({"type": "tsumo"}),
        act({"type": ["hora"]}),
    ],
)
def test_undocumented_message_is_wrong(frame: str) -> None:
    assert code_of(frame) == "bad_message"


@pytest.mark.parametrize("frame", ["", "{", "hello", '{"t":"hello","seq":0}{', "\ud800", "{'t':1}"])
def test_text_that_is_not_json_is_wrong(frame: str) -> None:
    assert code_of(frame) in ("bad_json", "bad_message")


def test_an_unknown_message_is_named_as_such() -> None:
    assert code_of('{"t":"cheat"}') == "unknown_type"
    assert code_of('{"seq":0,"t":"sync"}') == "unknown_type"


def test_binary_frames_are_wrong() -> None:
    assert code_of(None, b'{"t":"hello","seq":0}') == "bad_message"


def test_oversize_frame_is_not_decoded() -> None:
    padding = " " * MAX_FRAME_BYTES
    assert code_of('{"t":"hello","seq":0}' + padding) == "too_large"
    assert code_of("é" * (MAX_FRAME_BYTES // 2 + 1)) == "too_large"
    assert code_of(None, b"x" * (MAX_FRAME_BYTES + 1)) == "too_large"
    just_fits = '{"t":"hello","seq":0}'.ljust(MAX_FRAME_BYTES)
    assert read(just_fits) == Hello(seq=0)


@pytest.mark.parametrize(
    "opening", ["[", '{"a":', '{"t":"act","a":[', '{"x":[[', '{"t":"hello","seq":']
)
def test_deep_nesting_does_no_harm(opening: str) -> None:
    frame = (opening * MAX_FRAME_BYTES)[:MAX_FRAME_BYTES]
    assert code_of(frame) in ("bad_json", "bad_message")


def test_an_error_text_stays_short() -> None:
    answer = read(json.dumps({"t": "hello", "x" * 10_000: 0}))
    assert isinstance(answer, Wrong)
    assert len(answer.text) <= 200


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
message_keys = st.sampled_from(["t", "seq", "cid", "q", "a", "at", "type", "pai", "consumed"])
message_values = st.sampled_from(["hello", "act", "ping", "dahai", "chi", "5mr", "E"]) | json_values
near_messages = st.dictionaries(message_keys, message_values, max_size=6) | st.builds(
    lambda inner, outer: outer | {"t": "act", "a": inner},
    st.dictionaries(message_keys, message_values, max_size=4),
    st.dictionaries(message_keys, message_values, max_size=4),
)


@given(json_values | near_messages)
def test_no_json_raises(value: Any) -> None:
    assert isinstance(read(json.dumps(value)), Hello | Act | Ping | Wrong)


@given(st.text(st.characters(codec=None)))
def test_no_text_raises(text: str) -> None:
    assert isinstance(read(text), Wrong)


@given(st.binary())
def test_no_bytes_raise(data: bytes) -> None:
    assert isinstance(read(None, data), Wrong)
    text = data.decode("latin-1")
    # Hypothesis also tries constants of the source code, some of which are valid messages.
    found = read(text)
    assert isinstance(found, Wrong) or json.loads(text)["t"] == type(found).__name__.lower()


@given(st.binary(max_size=60), st.integers(0, 80))
def test_no_damaged_message_raises(noise: bytes, at: int) -> None:
    frame = act(DISCARD)
    assert read(frame[:at] + noise.decode("latin-1") + frame[at:]) is not None
