"""Frames as the web server's guard reads and writes them, against a library's."""

from __future__ import annotations

import os

import pytest
from websockets.frames import Frame, Opcode

from mahjong_site.daphne_guard import Guard, framed, unmasked

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


class Held(Guard):
    """A socket that holds what it would have sent."""

    STATE_OPEN = state = 3

    def __init__(self) -> None:
        self.transport = self
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)


def test_texts_that_are_written_together_leave_in_one_piece_a_frame_each() -> None:
    held = Held()
    held.write_text("one", "two")
    assert held.written == [framed(b"one") + framed(b"two")]
