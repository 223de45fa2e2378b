"""Parses addresses of Redis: one server, a master found by sentinels, or a cluster.

    redis://user:password@host:6379/0                    one server; rediss:// with TLS
    unix:///path/to/redis.sock                           one server on this machine
    redis+sentinel://user:password@host:26379,host,host/name/0
    redis+cluster://user:password@host:6379,host,host

User and password are those of the Redis servers, percent-encoded. Those of sentinels are options:
`?sentinel_username=...&sentinel_password=...`. Other options are passed to each connection of
redis-py. An address need not name all sentinels or nodes. This module does not connect.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from redis.asyncio.connection import parse_url

Kind = Literal["one", "sentinel", "cluster"]
Node = tuple[str, int]
"""Host and port."""

_SINGLE_SERVER_SCHEMES: Final = frozenset({"redis", "rediss", "unix"})
_DEFAULT_PORTS: Final = {"sentinel": 26_379, "cluster": 6_379}
_ADDRESS_FORMS: Final = "redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://"
_NODE_PATTERN: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::([0-9]{1,5}))?", re.ASCII)


class AddressError(ValueError):
    """The text is not an address of Redis. The message is one line without any password."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a server, of sentinels or of a cluster."""

    kind: Kind
    url: str = field(repr=False)
    nodes: tuple[Node, ...] = ()
    """The named sentinels, or nodes of the cluster."""
    service: str = ""
    """The name of the master, for sentinels."""
    login: str = field(default="", repr=False)
    """The part before the `@`."""
    database: int = 0
    is_secure: bool = False
    options: str = ""
    """The part after the `?`, without the options for sentinels."""
    sentinel_login: tuple[str, str] = field(default=("", ""), repr=False)

    def at(self, node: Node) -> str:
        """Return the redis-py address of one of the servers."""
        host, port = node
        shown = f"[{host}]" if ":" in host else host
        login = f"{self.login}@" if self.login else ""
        scheme = "rediss" if self.is_secure else "redis"
        options = f"?{self.options}" if self.options else ""
        return f"{scheme}://{login}{shown}:{port}/{self.database}{options}"

    def connection_options(self) -> dict[str, Any]:
        """Return redis-py's options for a connection to any of the servers, without host and
        port."""
        found: dict[str, Any] = dict(parse_url(self.at(self.nodes[0])))
        for name in ("host", "port", "connection_class"):
            found.pop(name, None)
        return found

    def sentinel_options(self) -> dict[str, Any]:
        """Return redis-py's options for a connection to any of the sentinels."""
        name, password = self.sentinel_login
        found: dict[str, Any] = {"username": name or None, "password": password or None}
        if self.is_secure:
            found |= {
                name: v for name, v in self.connection_options().items() if name.startswith("ssl_")
            }
            found["ssl"] = True
        return found

    def __str__(self) -> str:
        """Return the address without the password."""
        if self.kind == "one":
            parts = urlsplit(self.url)
            return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        scheme = f"redis{'s' if self.is_secure else ''}+{self.kind}"
        nodes = ",".join(f"{host}:{port}" for host, port in self.nodes)
        return f"{scheme}://{nodes}" + (f"/{self.service}" if self.service else "")


def parse_address(url: str) -> Address:
    """Parse an address. Raises AddressError."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise AddressError("it is not an address") from None
    scheme, _, kind = parts.scheme.partition("+")
    if not kind and scheme in _SINGLE_SERVER_SCHEMES:
        return _check_address(Address("one", url), url)
    if scheme not in {"redis", "rediss"} or kind not in {"sentinel", "cluster"}:
        raise AddressError(f"it must begin with {_ADDRESS_FORMS}")
    login, _, hosts = parts.netloc.rpartition("@")
    nodes = tuple(_parse_node(text, _DEFAULT_PORTS[kind]) for text in hosts.split(","))
    words = [unquote(word) for word in parts.path.split("/") if word]
    service = words.pop(0) if kind == "sentinel" and words else ""
    if kind == "sentinel" and not service:
        raise AddressError(
            "the name of the master is missing after the sentinels, as in .../mymaster"
        )
    options = parse_qsl(parts.query)
    names = dict(options)
    address = Address(
        "sentinel" if kind == "sentinel" else "cluster",
        url,
        nodes,
        service=service,
        login=login,
        database=_parse_database(words),
        is_secure=scheme == "rediss",
        options=urlencode([option for option in options if not option[0].startswith("sentinel_")]),
        sentinel_login=(names.get("sentinel_username", ""), names.get("sentinel_password", "")),
    )
    if kind == "cluster" and address.database:
        raise AddressError("a cluster has only database 0")
    return _check_address(address, address.at(nodes[0]))


def _check_address(address: Address, url: str) -> Address:
    try:
        parse_url(url)
    except (ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise AddressError(reason.removeprefix("Redis URL ") or "it is not an address") from None
    return address


def _parse_node(text: str, port: int) -> Node:
    found = _NODE_PATTERN.fullmatch(text)
    if found is None or int(found[2] or port) not in range(1, 65_536):
        raise AddressError("write its hosts as host:port,host:port")
    return found[1].strip("[]"), int(found[2] or port)


def _parse_database(words: list[str]) -> int:
    if not words:
        return 0
    if len(words) > 1 or not re.fullmatch("[0-9]{1,4}", words[0]):
        raise AddressError("nothing but a service and a database may follow its hosts")
    return int(words[0])
