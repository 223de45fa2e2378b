"""`docs/protocol.md` is complete, and its samples are what the code reads and writes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import msgspec

from game.analysis.study_answer import Study
from game.engine import actions, events
from game.engine.draws import ABORTS
from game.engine.fouls import CHOMBO
from game.engine.tiles import TEXT_TO_TILE
from game.live import encoding, inbound
from game.live.inbound import PROTOCOL_VERSION, Act, Wrong, read
from game.live.process import encode_study
from game.records.yaku_names import TENHOU6_YAKU
from tests.live.protocol_page import PAGE, samples, section
from tests.web.short_forms import VERSION, full_event

ROOT = Path(__file__).parents[2]

ACTION_TAGS = {cls.__struct_config__.tag for cls in get_args(actions.Action)}
EVENT_TAGS = {cls.__struct_config__.tag for cls in get_args(events.Event)}


def first_column(text: str) -> list[str]:
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def test_every_sample_on_the_page_is_json() -> None:
    everything = re.findall(r"`(\{\"t.*?\})`", PAGE) + re.findall(
        r"```json\n(.*?)```", PAGE, re.DOTALL
    )
    assert len(everything) > 30
    for found in everything:
        assert isinstance(json.loads(found), dict)


def test_every_client_message_is_listed_and_read() -> None:
    messages = samples(section("Client to server"))
    read_tags = {cls.__struct_config__.tag for cls in get_args(inbound.Message)} - {None}
    assert {message["t"] for message in messages} == {*read_tags, "act"}
    for message in messages:
        assert not isinstance(read(json.dumps(message)), Wrong)


def test_every_frame_of_the_server_is_listed() -> None:
    folder = ROOT / "game" / "live"
    sources = [path.read_text(encoding="utf-8") for path in folder.glob("*.py")]
    sent = set(re.findall(r'\{"t": "(\w+)"', "".join(sources)))
    assert len(sent) > 6
    assert sent <= set(re.findall(r'\{"t":"(\w+)"', PAGE))


def test_every_action_is_listed_and_encoded_alike() -> None:
    listed = samples(section("Actions"))
    assert {sample["type"] for sample in listed} == ACTION_TAGS
    for sample in listed:
        message = read(json.dumps({"t": "act", "cid": "a", "q": 1, "a": sample}))
        assert isinstance(message, Act)
        assert json.loads(bytes(encoding.encode_action(message.action))) == sample


def test_every_event_is_listed_with_its_fields() -> None:
    text = section("Events")
    assert set(first_column(text)) == EVENT_TAGS
    by_tag = {sample["type"]: sample for sample in samples(text)}
    by_tag |= {tag: by_tag["chi"] | {"type": tag} for tag in ("pon", "daiminkan")}
    for cls in get_args(events.Event):
        tag = cls.__struct_config__.tag
        assert list(by_tag[tag]) == encoding.fields_of(cls), tag


def test_every_short_form_is_written_out_as_on_the_page() -> None:
    rows = re.findall(r"^\| `(\[.*\])` \| `(\{.*\})` \|$", section("Short forms"), re.MULTILINE)
    assert len(rows) == 5
    for short, full in rows:
        assert full_event(json.loads(short)) == json.loads(full)


def test_page_server_and_clients_speak_one_version() -> None:
    script = (ROOT / "static" / "js" / "net" / "socket.js").read_text(encoding="utf-8")
    in_script = re.search(r"^export const PROTOCOL_VERSION = (\d+);$", script, re.MULTILINE)
    on_page = re.search(r"^This page describes version (\d+)\.", PAGE, re.MULTILINE)
    assert in_script
    assert on_page
    assert {in_script[1], on_page[1], str(VERSION)} == {str(PROTOCOL_VERSION)}


def test_every_event_has_its_effect_described() -> None:
    assert set(first_column(section("How a client applies events"))) == EVENT_TAGS


def test_every_error_and_close_code_is_described() -> None:
    source = "".join(
        (Path(__file__).parents[2] / "game" / name).read_text(encoding="utf-8")
        for name in ("live/consumer.py", "live/process.py", "live/send_queue.py", "live/inbound.py")
    )
    for code in set(re.findall(r"= (4[45]\d\d)\b", source)):
        assert f"`{code}`" in PAGE
    for code in ("bad_json", "bad_message", "unknown_type", "too_large", "too_fast", "no_help"):
        assert f'"{code}"' in source
        assert f"`{code}`" in PAGE


def test_every_yaku_and_every_draw_is_listed() -> None:
    yaku = re.search(r"Yaku ids: `([^`]+)`; yakuman `([^`]+)`", PAGE)
    draws = re.search(r"`reason`: (`exhaustive`.*?)\. Rows", PAGE, re.DOTALL)
    assert yaku
    assert draws
    assert set(f"{yaku[1]} {yaku[2]}".split()) == set(TENHOU6_YAKU.values())
    listed = set(re.findall(r"`(\w+)`", draws[1]))
    assert listed == {"exhaustive", "nagashi_mangan", "abandoned", CHOMBO, *ABORTS}


def test_every_reason_of_a_refusal_is_described() -> None:
    engine = Path(__file__).parents[2] / "game/engine"
    source = "".join(
        (engine / name).read_text(encoding="utf-8") for name in ("refusals.py", "wall_draw.py")
    )
    of_the_server = {"no_such_seat", "already_started", "bad_seed"}
    reasons = set(re.findall(r'return "(\w+)", ', source)) - of_the_server
    assert len(reasons) > 20
    of_the_room = {"paused", "left"}
    assert set(first_column(section("Reasons"))) == reasons | of_the_room


def test_the_answer_to_study_is_written_as_on_the_page() -> None:
    found = samples(section("`study`: what the rules say"))
    (sample,) = (frame for frame in found if frame.get("t") == "study")
    study = msgspec.convert(sample, Study)
    assert json.loads(encode_study(study)) == sample


def test_every_tile_on_the_page_exists() -> None:
    for text in set(re.findall(r'"(\d[mps]r?)"', PAGE)):
        assert text in TEXT_TO_TILE
