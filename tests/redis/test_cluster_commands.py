"""Every command that the project sends is in the table of keys, so that a cluster can route it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from game.redis.clients import connect
from game.redis.cluster import UnknownCommand, key_of
from game.redis.pipeline import Pipeline

SENDING = {"call", "calls", "send", "try_all", "node_of"}
ROOT = Path(settings.BASE_DIR)


def sent_commands() -> Iterator[tuple[str, str]]:
    """Yield the names of commands in the calls and tuples of the program, and where they are."""
    for path in [*ROOT.glob("game/**/*.py"), *ROOT.glob("lobby/**/*.py")]:
        text = path.read_text()
        if "pipeline" not in text and "backend" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            parts = node.elts if isinstance(node, ast.Tuple) else []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                parts = node.args if node.func.attr in SENDING else []
            if parts and isinstance(parts[0], ast.Constant) and str(parts[0].value).isupper():
                yield str(parts[0].value), f"{path}:{parts[0].lineno}"


def test_every_command_in_the_program_is_listed() -> None:
    found = list(sent_commands())
    assert len(found) > 50
    for name, place in found:
        assert key_of([name, *["1"] * 8]) in (b"1", None), place


async def test_unknown_command_to_a_cluster_is_an_error_at_once() -> None:
    redis = connect("redis+cluster://127.0.0.1:1")
    with pytest.raises(UnknownCommand, match="'ZINTERCARD'"):
        Pipeline(redis).send(("ZINTERCARD", 1, "one"))
    with pytest.raises(UnknownCommand, match="'SUNION'"):
        await redis.sunion("one", "two")
    await redis.aclose()
