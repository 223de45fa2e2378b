"""The frames of the web server's guard are those of a library."""

from __future__ import annotations

import os

import pytest
from websockets.frames import Frame, Opcode

from mahjong_site.daphne_guard import Guard, encode_text_frame

SIZES = (0, 1, 3, 4, 125, 126, 127, 65_535, 65_536, 70_001)


@pytest.mark.parametrize("size", SIZES)
def test_text_frame_matches_the_library(size: int) -> None:
    payload = os.urandom(size)
    assert encode_text_frame(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


class Held(Guard):
    """A socket that keeps the bytes that it would have sent."""

    STATE_OPEN = state = 3

    def __init__(self) -> None:
        self.transport = self
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)


def test_texts_sent_together_leave_in_one_write() -> None:
    held = Held()
    held.write_text("one", "two")
    assert held.written == [encode_text_frame(b"one") + encode_text_frame(b"two")]
