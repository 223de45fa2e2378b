"""Somebody who speaks to a server in bytes: what no browser would ever send can be sent."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import urlsplit

TEXT: Final = 1
BINARY: Final = 2
CONTINUATION: Final = 0
CLOSE: Final = 8
PING: Final = 9


def frame(
    payload: bytes,
    opcode: int = TEXT,
    *,
    final: bool = True,
    masked: bool = True,
    reserved: int = 0,
    says_length: int | None = None,
) -> bytes:
    """One websocket frame, as wrong as it is asked for."""
    length = len(payload) if says_length is None else says_length
    head = bytes([(0x80 if final else 0) | reserved << 4 | opcode])
    mask_bit = 0x80 if masked else 0
    if length < 126:
        head += bytes([mask_bit | length])
    elif length < 65_536:
        head += bytes([mask_bit | 126]) + struct.pack(">H", length)
    else:
        head += bytes([mask_bit | 127]) + struct.pack(">Q", length)
    if not masked:
        return head + payload
    return head + b"\0\0\0\0" + payload  # a mask of zeros leaves the payload as it is


def handshake(url: str, *, cookie: str = "", origin: str = "") -> bytes:
    """The request that opens a websocket there."""
    parts = urlsplit(url)
    lines = [
        f"GET {parts.path} HTTP/1.1",
        f"Host: {parts.netloc}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        f"Origin: {origin or 'http://' + parts.netloc}",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    return "\r\n".join([*lines, "", ""]).encode()


@dataclass
class Stranger:
    """One TCP connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def at(cls, url: str) -> Self:
        """Connected to the server of that address, without a word."""
        parts = urlsplit(url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        return cls(reader, writer)

    @classmethod
    async def in_socket(cls, url: str, *, cookie: str = "") -> Self:
        """With a websocket that the server has taken. Raises ConnectionError if it has not."""
        one = await cls.at(url)
        one.writer.write(handshake(url, cookie=cookie))
        answer = await one.reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in answer.split(b"\r\n", 1)[0]:
            one.go()
            raise ConnectionRefusedError(answer.split(b"\r\n", 1)[0].decode())
        return one

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def is_turned_away(self, within_s: float) -> bool:
        """Whether the server ends the connection; what it says before is read."""
        try:
            async with asyncio.timeout(within_s):
                while await self.reader.read(65_536):
                    continue
        except TimeoutError:
            return False
        except OSError:
            return True
        return True

    def go(self) -> None:
        """Gone without a word."""
        self.writer.transport.abort()
