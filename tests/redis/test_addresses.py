"""Addresses of Redis: which are valid, and which servers they name."""

from __future__ import annotations

import pytest

from game.redis.addresses import AddressError, parse_address

CLUSTER = "redis+cluster://anna:s%40cret@one:7000,two,[::1]:7002"
SENTINEL = "rediss+sentinel://:secret@one,two:26380/tables/3?sentinel_password=other"


def test_cluster_address_lists_its_nodes() -> None:
    found = parse_address(CLUSTER)
    assert found.kind == "cluster"
    assert found.nodes == (("one", 7000), ("two", 6379), ("::1", 7002))
    assert found.at(("one", 7000)) == "redis://anna:s%40cret@one:7000/0"
    assert found.at(("::1", 7002)) == "redis://anna:s%40cret@[::1]:7002/0"
    assert found.connection_options() == {"username": "anna", "password": "s@cret", "db": 0}


def test_sentinel_address_names_the_master() -> None:
    found = parse_address(SENTINEL)
    assert (found.kind, found.service, found.database) == ("sentinel", "tables", 3)
    assert found.nodes == (("one", 26_379), ("two", 26_380))
    assert found.sentinel_login == ("", "other")
    assert found.is_secure
    assert found.connection_options()["password"] == "secret"


@pytest.mark.parametrize("url", [CLUSTER, SENTINEL, "redis://:secret@host/0"])
def test_no_password_is_shown(url: str) -> None:
    found = parse_address(url)
    for shown in (str(found), repr(found)):
        assert "cret" not in shown
        assert "other" not in shown
    assert "one" in str(found) or "host" in str(found)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "must begin with"),
        ("http://host", "must begin with"),
        ("redis+shards://host", "must begin with"),
        ("redis+cluster://", "host:port"),
        ("redis+cluster://one,,two", "host:port"),
        ("redis+cluster://one:70000", "host:port"),
        ("redis+cluster://one:secret:7000", "host:port"),
        ("redis+cluster://one/1", "only database 0"),
        ("redis+cluster://one/a/b", "nothing but"),
        ("redis+sentinel://one,two", "name of the master"),
        ("redis+sentinel://one/tables/x", "nothing but"),
        ("redis+cluster://one?socket_timeout=soon", "socket_timeout"),
        ("redis://host:port", "port"),
    ],
)
def test_invalid_address_is_reported_in_one_line(url: str, reason: str) -> None:
    with pytest.raises(AddressError, match=reason) as refusal:
        parse_address(url)
    assert "\n" not in str(refusal.value)
    assert "secret" not in str(refusal.value)
