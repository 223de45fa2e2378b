"""A web server starts with libraries that it does not know if its limits work with them."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from contextlib import ExitStack
from importlib.metadata import version

import pytest
from daphne.http_protocol import HTTPFactory
from daphne.ws_protocol import WebSocketFactory
from django.core.exceptions import ImproperlyConfigured

from mahjong_site import guard_proof
from mahjong_site.daphne_guard import GuardedWebSocket, LimitedBody, LimitedChannel
from mahjong_site.guard_proof import TRIED_VERSIONS, check_limits, find_broken_limits


@pytest.fixture(autouse=True)
def _guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WebSocketFactory, "protocol", GuardedWebSocket)
    monkeypatch.setattr(HTTPFactory, "protocol", LimitedChannel)


def test_limits_work_with_the_installed_versions(caplog: pytest.LogCaptureFixture) -> None:
    assert {name: version(name) for name in TRIED_VERSIONS} == TRIED_VERSIONS
    check_limits()
    assert not caplog.records


def test_limits_work_on_a_machine_that_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second passes between any two looks at the clock."""
    seconds = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: float(next(seconds)))
    assert find_broken_limits() == []


async def test_open_websocket_frees_its_handshake() -> None:
    with ExitStack() as at_end:
        channel, transport, _ = guard_proof._connect(at_end)
        channel.dataReceived(guard_proof._HANDSHAKE)
        shaking = transport.protocol
        assert "http_headers" in vars(shaking)
        shaking.serverAccept()
        await asyncio.sleep(0)
        assert vars(shaking).keys() == {"server", "socket", "client_addr"}
        assert transport.producer is None, "the channel of the request"


def test_unknown_version_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(guard_proof, "TRIED_VERSIONS", TRIED_VERSIONS | {"twisted": "27.1.0"})
    check_limits()
    ((_, level, text),) = caplog.record_tuples
    assert level == logging.WARNING
    assert f"twisted {version('twisted')}" in text


@pytest.mark.parametrize(
    ("owner", "method", "broken"),
    [
        (GuardedWebSocket, "onOpen", ["frames", "unread messages", "bytes read at once"]),
        (LimitedBody, "gotLength", ["announced bodies"]),
        (LimitedBody, "handleContentChunk", ["bodies of unknown size"]),
        (LimitedChannel, "resetTimeout", ["time of a request"]),
    ],
)
def test_limit_that_the_libraries_no_longer_call_is_found(
    owner: type, method: str, broken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(owner, method)
    assert set(broken) <= set(find_broken_limits())
    with pytest.raises(ImproperlyConfigured, match=f"does not work with .*: .*{broken[0]}"):
        check_limits()


def test_buffer_that_has_moved_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """`count_unsent` reads private attributes of Twisted's transports."""
    monkeypatch.setattr("mahjong_site.open_websocket.count_unsent", lambda transport: 0)
    assert find_broken_limits() == ["unsent bytes"]
