"""Only pages of this site get a socket, and each address gets a limited number."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from game.live.send_queue import SOCKET
from mahjong_site.open_websocket import Inbox
from mahjong_site.origin_check import FewPerAddress, OwnPagesOnly, origin_of

Headers = list[tuple[bytes, bytes]]


async def inside(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await send({"type": "websocket.accept"})


async def silence() -> dict[str, Any]:
    await asyncio.Event().wait()
    raise AssertionError("the application sends nothing")


async def answer(origin: str, host: str, *more: tuple[bytes, bytes], **scope: str) -> str:
    sent: list[str] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message["type"].removeprefix("websocket."))

    headers: Headers = [(b"host", host.encode()), *more]
    if origin:
        headers.append((b"origin", origin.encode()))
    await OwnPagesOnly(inside)({"headers": headers, **scope}, silence, send)
    return " ".join(sent)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://club.example", "club.example"),
        ("http://club.example", "club.example:80"),
        ("http://club.example:8000", "club.example:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("https://friends.example", "club.example"),
        ("https://friends.example:443", "club.example"),
    ],
)
async def test_own_and_named_origins_get_a_socket(settings: Any, origin: str, host: str) -> None:
    settings.ALLOWED_HOSTS = ["club.example", "[::1]"]
    settings.ALLOWED_ORIGINS = ["https://friends.example"]
    assert await answer(origin, host) == "accept"


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("", "club.example"),
        ("null", "club.example"),
        ("http://club.example:9000", "club.example:8000"),
        ("http://club.example:8000", "club.example"),
        ("https://club.example", "club.example"),
        ("http://www.club.example", "club.example"),
        ("http://club.example.evil.example", "club.example"),
        ("http://club.example@evil.example", "club.example"),
        ("http://evil.example", "evil.example"),
        ("http://friends.example", "club.example"),
        ("https://friends.example:8443", "club.example"),
        ("file://club.example", "club.example"),
        ("http://club.example:port", "club.example"),
    ],
)
async def test_other_origins_get_no_socket(settings: Any, origin: str, host: str) -> None:
    settings.ALLOWED_HOSTS = ["club.example"]
    settings.ALLOWED_ORIGINS = ["https://friends.example"]
    assert await answer(origin, host) == "close"


async def test_two_origin_headers_are_refused(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["club.example"]
    second = (b"origin", b"http://evil.example")
    assert await answer("http://club.example", "club.example", second) == "close"


@pytest.mark.parametrize("is_https", [True, False])
async def test_public_origin_counts_behind_a_proxy(settings: Any, is_https: bool) -> None:
    settings.ALLOWED_HOSTS = ["club.example"]
    settings.HTTPS = is_https
    proto = (b"x-forwarded-proto", b"https")
    expected = "accept" if is_https else "close"
    assert await answer("https://club.example", "club.example", proto) == expected


async def test_server_with_own_tls_needs_secure_origins(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["club.example"]
    assert await answer("https://club.example", "club.example", scheme="wss") == "accept"
    assert await answer("http://club.example", "club.example", scheme="wss") == "close"


def test_malformed_origin_is_refused() -> None:
    assert origin_of("http://a.example/path") == origin_of("a.example") == origin_of("null") == ""
    assert origin_of("http://A.example") == "http://a.example:80"


async def test_sockets_of_one_address_are_limited(settings: Any) -> None:
    settings.SOCKETS_PER_ADDRESS = 2
    leave = asyncio.Event()
    inside_now = 0

    async def stay(scope: dict[str, Any], receive: Any, send: Any) -> None:
        nonlocal inside_now
        inside_now += 1
        await leave.wait()
        raise ConnectionError("its end, however it comes")

    closed: list[str] = []

    async def send(message: dict[str, Any]) -> None:
        closed.append(message["type"])

    check = FewPerAddress(stay)

    def knock(address: str) -> asyncio.Task[None]:
        scope = {"client": [address, 40_000]}
        return asyncio.create_task(check(scope, silence, send))

    same = ["192.0.2.7", "::ffff:192.0.2.7", "192.0.2.7"]
    neighbours = ["2001:db8::1", "2001:db8::2", "2001:db8::3"]
    knocks = [knock(address) for address in [*same, *neighbours, "192.0.2.8"]]
    await asyncio.sleep(0)
    assert (inside_now, closed) == (5, ["websocket.close"] * 2)
    leave.set()
    await asyncio.gather(*knocks, return_exceptions=True)
    knocks = [knock("192.0.2.7")]
    await asyncio.gather(*knocks, return_exceptions=True)
    assert inside_now == 6, "a closed socket does not count"

    settings.SOCKETS_PER_ADDRESS = 0
    leave.clear()
    knocks = [knock("192.0.2.7") for _ in range(50)]
    await asyncio.sleep(0)
    assert inside_now == 56
    leave.set()
    await asyncio.gather(*knocks, return_exceptions=True)


async def test_socket_counts_until_its_work_ends(settings: Any) -> None:
    """The application of a table's socket returns as soon as it has joined."""
    settings.SOCKETS_PER_ADDRESS = 1
    closed: list[str] = []

    async def send(message: dict[str, Any]) -> None:
        closed.append(message["type"])

    async def handle(message: dict[str, Any]) -> None:
        """Do nothing."""

    async def join(scope: dict[str, Any], receive: Any, send: Any) -> None:
        scope["extensions"][SOCKET].inbox.set_handler(handle, lambda message: False)

    check = FewPerAddress(join)

    async def knock() -> Inbox:
        inbox = Inbox()
        extensions = {SOCKET: SimpleNamespace(inbox=inbox)}
        scope = {"client": ["192.0.2.7", 40_000], "extensions": extensions}
        work = inbox.run(check(scope, silence, send))
        await asyncio.wait([work], timeout=0.1)
        return inbox

    first = await knock()
    assert not first.work.done()
    await knock()
    assert closed == ["websocket.close"]
    first.put_nowait({"type": "websocket.disconnect", "code": 1001})
    await first.work
    await knock()
    assert closed == ["websocket.close"], "the first one does not count any more"
