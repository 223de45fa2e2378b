"""A client that sends raw bytes, so that a test can send what no browser sends."""

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
    stated_length: int | None = None,
) -> bytes:
    """Build one websocket frame, well-formed or not."""
    length = len(payload) if stated_length is None else stated_length
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
    """Build the request that opens a websocket at that URL."""
    parts = urlsplit(url)
    lines = [
        f"GET {parts.path}?{parts.query} HTTP/1.1",
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
class RawClient:
    """One TCP connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def connect(cls, url: str) -> Self:
        """Connect to the server of that URL, and send nothing."""
        parts = urlsplit(url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        return cls(reader, writer)

    @classmethod
    async def open_websocket(cls, url: str, *, cookie: str = "") -> Self:
        """Connect and open a websocket. Raises ConnectionError if the server refuses it."""
        client = await cls.connect(url)
        client.writer.write(handshake(url, cookie=cookie))
        answer = await client.reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in answer.split(b"\r\n", 1)[0]:
            client.abort()
            raise ConnectionRefusedError(answer.split(b"\r\n", 1)[0].decode())
        return client

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def is_disconnected(self, within_s: float) -> bool:
        """Read and discard until the server disconnects; False if it does not in that time."""
        try:
            async with asyncio.timeout(within_s):
                while await self.reader.read(65_536):
                    continue
        except TimeoutError:
            return False
        except OSError:
            return True
        return True

    def abort(self) -> None:
        """Drop the connection without a close handshake."""
        self.writer.transport.abort()
