"""What an address of Redis says: one server, a master that sentinels know, or a cluster.

    redis://user:password@host:6379/0                    one server; rediss:// with TLS
    unix:///path/to/redis.sock                           one server on this machine
    redis+sentinel://user:password@host:26379,host,host/name/0
    redis+cluster://user:password@host:6379,host,host

Name and password are those of the Redis servers, percent-encoded; sentinels have their own
in `?sentinel_username=...&sentinel_password=...`. Of sentinels and of a cluster it is enough to
name some. What else stands after `?` is redis-py's, for each connection. Nothing here connects.
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

_PLAIN: Final = frozenset({"redis", "rediss", "unix"})
_PORTS: Final = {"sentinel": 26_379, "cluster": 6_379}
_FORMS: Final = "redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://"
_NODE: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::([0-9]{1,5}))?", re.ASCII)


class AddressError(ValueError):
    """No address of Redis. The text is one line without any password."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where Redis is."""

    kind: Kind
    url: str = field(repr=False)
    """Of one server: as redis-py takes it."""
    nodes: tuple[Node, ...] = ()
    """Sentinels, or nodes of a cluster, that are known beforehand."""
    service: str = ""
    """What the sentinels call the master."""
    login: str = field(default="", repr=False)
    """What stands before the `@`."""
    database: int = 0
    is_secure: bool = False
    options: str = ""
    """What stands after the `?`, without what is of sentinels."""
    sentinel_login: tuple[str, str] = field(default=("", ""), repr=False)

    def at(self, node: Node) -> str:
        """The address of one server of these."""
        host, port = node
        shown = f"[{host}]" if ":" in host else host
        login = f"{self.login}@" if self.login else ""
        scheme = "rediss" if self.is_secure else "redis"
        options = f"?{self.options}" if self.options else ""
        return f"{scheme}://{login}{shown}:{port}/{self.database}{options}"

    def details(self) -> dict[str, Any]:
        """What a connection to any of these is made with, apart from host and port."""
        found: dict[str, Any] = dict(parse_url(self.at(self.nodes[0])))
        for name in ("host", "port", "connection_class"):
            found.pop(name, None)
        return found

    def __str__(self) -> str:
        """Without the password."""
        if self.kind == "one":
            parts = urlsplit(self.url)
            return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        scheme = f"redis{'s' if self.is_secure else ''}+{self.kind}"
        nodes = ",".join(f"{host}:{port}" for host, port in self.nodes)
        return f"{scheme}://{nodes}" + (f"/{self.service}" if self.service else "")


def address_of(url: str) -> Address:
    """Read an address. Raises AddressError."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise AddressError("it is no address") from None
    scheme, _, kind = parts.scheme.partition("+")
    if not kind and scheme in _PLAIN:
        return _checked(Address("one", url), url)
    if scheme not in {"redis", "rediss"} or kind not in {"sentinel", "cluster"}:
        raise AddressError(f"it begins with {_FORMS}")
    login, _, hosts = parts.netloc.rpartition("@")
    nodes = tuple(_node(text, _PORTS[kind]) for text in hosts.split(","))
    words = [unquote(word) for word in parts.path.split("/") if word]
    service = words.pop(0) if kind == "sentinel" and words else ""
    if kind == "sentinel" and not service:
        raise AddressError("sentinels are asked for a master by its name, as in .../mymaster")
    options = parse_qsl(parts.query)
    names = dict(options)
    address = Address(
        "sentinel" if kind == "sentinel" else "cluster",
        url,
        nodes,
        service=service,
        login=login,
        database=_database(words),
        is_secure=scheme == "rediss",
        options=urlencode([one for one in options if not one[0].startswith("sentinel_")]),
        sentinel_login=(names.get("sentinel_username", ""), names.get("sentinel_password", "")),
    )
    if kind == "cluster" and address.database:
        raise AddressError("a cluster has no databases but 0")
    return _checked(address, address.at(nodes[0]))


def _checked(address: Address, url: str) -> Address:
    try:
        parse_url(url)
    except (ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise AddressError(reason.removeprefix("Redis URL ") or "it is no address") from None
    return address


def _node(text: str, port: int) -> Node:
    found = _NODE.fullmatch(text)
    if found is None or int(found[2] or port) not in range(1, 65_536):
        raise AddressError("its hosts stand like host:port,host:port")
    return found[1].strip("[]"), int(found[2] or port)


def _database(words: list[str]) -> int:
    if not words:
        return 0
    if len(words) > 1 or not re.fullmatch("[0-9]{1,4}", words[0]):
        raise AddressError("after its hosts stands nothing but what they are asked for")
    return int(words[0])
