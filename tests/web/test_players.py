"""The clients with which tests play."""

from __future__ import annotations

from tests.web.players import Client


def test_reply_to_an_old_answer_keeps_the_pending_one() -> None:
    client = Client("ws://nowhere")
    client.legal, client._is_synced, client.q = [{"type": "none"}], True, 7
    answer = client.next_answer()
    assert answer is not None
    for kind in ("ack", "stale", "error"):
        client._apply_frame({"t": kind, "cid": "an older one"})
        assert client.next_answer() is None, kind
    client._apply_frame({"t": "stale", "cid": answer["cid"]})
    again = client.next_answer()
    assert again is not None
    assert again["cid"] != answer["cid"]
