"""Frames as the web server's guard reads and writes them, against a library's."""

from __future__ import annotations

import os

import pytest
from websockets.frames import Frame, Opcode

from mahjong_site.daphne_guard import framed, unmasked

SIZES = (0, 1, 3, 4, 125, 126, 127, 65_535, 65_536, 70_001)


@pytest.mark.parametrize("size", SIZES)
def test_a_text_is_framed_as_the_library_frames_it(size: int) -> None:
    payload = os.urandom(size)
    assert framed(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


@pytest.mark.parametrize("size", SIZES[:5])
def test_a_masked_payload_is_read_back(size: int) -> None:
    payload = os.urandom(size)
    sent = Frame(Opcode.TEXT, payload).serialize(mask=True)
    assert unmasked(sent[2:6], sent[6:]) == payload
